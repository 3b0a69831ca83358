"""The tutor's stops on the tour of every screen."""

from __future__ import annotations

STOPS: tuple[tuple[str, str], ...] = (
    ("learn", "/learn/"),
    ("exercises", "/practise/hand/"),
    ("exercise", "/practise/hand/mah-jong/2/"),
    ("exercise-marked", "/practise/hand/pairs/5/?checked=1&p0=4&p1=2"),
    ("exercise-doubles", "/practise/hand/winner/3/?at=2"),
    ("exercise-settlement", "/practise/hand/settlement/1/"),
    ("exercise-totals", "/practise/hand/settlement/1/?checked=1"),
    ("exercise-done", "/practise/hand/intrinsic/4/done"),
)
"""Name and path of each screen that can be opened at any time."""
