"""The tutor's stops on the tour of every screen."""

from __future__ import annotations

STOPS: tuple[tuple[str, str], ...] = (
    ("learn", "/learn/"),
    ("rules", "/learn/rules/"),
    ("rule", "/learn/rules/BMJA-D10"),
    ("rule-in-words", "/learn/rules/BMJA-K02"),
    ("special-hands", "/learn/rules/special/"),
    ("special-hand", "/learn/rules/BMJA-S11"),
    ("card", "/learn/card/"),
)
"""Name and path of each screen that can be opened at any time."""
