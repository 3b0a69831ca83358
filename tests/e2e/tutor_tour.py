"""The tutor's stops on the tour of every screen."""

from __future__ import annotations

STOPS: tuple[tuple[str, str], ...] = (
    ("learn", "/learn/"),
    ("asking", "/learn/ask/"),
)
"""Name and path of each screen that can be opened at any time."""
