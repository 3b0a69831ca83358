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
)
"""Name and path of each screen that can be opened at any time."""
