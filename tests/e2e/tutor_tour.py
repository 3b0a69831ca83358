"""The tutor's stops on the tour of every screen."""

from __future__ import annotations

STOPS: tuple[tuple[str, str], ...] = (
    ("learn", "/learn/"),
    ("lessons", "/learn/lessons/"),
    ("lessons-section", "/learn/lessons/scoring?open=pungs-and-kongs"),
    ("learn-search", "/learn/lessons/search?q=kong"),
)
"""Name and path of each screen that can be opened at any time."""
