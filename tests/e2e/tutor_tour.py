"""The tutor's stops on the tour of every screen."""

from __future__ import annotations

STOPS: tuple[tuple[str, str], ...] = (
    ("learn", "/learn/"),
    ("seats", "/learn/wall/"),
    ("walls", "/learn/wall/?step=build"),
    ("throw", "/learn/wall/?step=which"),
    ("which-wall", "/learn/wall/?step=which&first=3-5"),
    ("where", "/learn/wall/?step=where&first=8&second=12"),
    ("kong-box", "/learn/wall/?step=box&first=8&second=12"),
    ("dealt", "/learn/wall/?step=deal&first=8&second=12"),
    ("begins", "/learn/wall/?step=play&first=8&second=12"),
    ("next-deal", "/learn/wall/?step=next"),
    ("practise", "/practise/"),
    ("tile-asked", "/practise/tile/suits/5/1"),
    ("tile-answered", "/practise/tile/suits/5/1?said=1"),
    ("set-asked", "/practise/set/worth/5/1"),
    ("set-answered", "/practise/set/worth/5/1?said=0"),
    ("practised", "/practise/tile/alike/7/done?said=0123012301"),
    ("asking", "/learn/ask/"),
    ("lessons", "/learn/lessons/"),
    ("lessons-section", "/learn/lessons/scoring?open=pungs-and-kongs"),
    ("learn-search", "/learn/lessons/search?q=kong"),
    ("exercises", "/practise/hand/"),
    ("exercise", "/practise/hand/mah-jong/2/"),
    ("exercise-marked", "/practise/hand/pairs/5/?checked=1&p0=4&p1=2"),
    ("exercise-doubles", "/practise/hand/winner/3/?at=2"),
    ("exercise-settlement", "/practise/hand/settlement/1/"),
    ("exercise-totals", "/practise/hand/settlement/1/?checked=1"),
    ("exercise-done", "/practise/hand/intrinsic/4/done"),
)
"""Name and path of each screen that can be opened at any time."""
