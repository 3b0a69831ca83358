"""The square of walls as one player sees it: which tile lies where, and what is the matter with it.

The pure half of the pictures: `device.views.tutor.square` makes shapes of it and
`device.tutoring.square_text` lines of text. It knows no rule of its own: everything is asked of the
scorer's wall and deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from scorer.table_setup.deal import Dealt
from scorer.table_setup.wall import CLOCKWISE, Wall, WallPair, WallPlace, WallRules
from scorer.tiles import WINDS

SquareSide = Literal["bottom", "right", "top", "left"]

SIDES: tuple[SquareSide, ...] = ("bottom", "right", "top", "left")
"""The sides in order of play from one's own seat: the next player sits at the right."""

SquareStage = Literal["built", "chosen", "counted", "broken", "dealt", "played"]
"""How far the table is: each shows what the step before it has brought."""

SquareMark = Literal["wall", "chosen", "counted", "break", "loose", "box", "dealt", "gone", "next"]


@dataclass(frozen=True, slots=True)
class SquareTile:
    """One tile of the square."""

    place: WallPlace
    """Where it was built."""
    side: SquareSide
    at: int
    """How many pairs lie right of it, as the player of that side sees it: 0 at the right end."""
    level: Literal["bottom", "top", "loose"]
    """Loose tiles lie on top of others."""
    mark: SquareMark
    seat: str = ""
    """Who is dealt it."""
    number: int = 0
    """The count of its pair, its packet's number in the deal, or 1 and 2 for the loose tiles."""


@dataclass(frozen=True, slots=True)
class Square:
    """All tiles, each once, clockwise from the viewer's right end as they were built."""

    pairs: int
    """How long each wall is."""
    sides: Mapping[str, SquareSide]
    """Wind to side."""
    tiles: tuple[SquareTile, ...]


def sides(seat: str) -> dict[str, SquareSide]:
    """Return which wind is on which side, as seen from a seat (BMJA-P02)."""
    order = "".join(WINDS)
    first = order.index(seat)
    return dict(zip(order[first:] + order[:first], SIDES, strict=True))


def square(rules: WallRules, seat: str) -> Square:
    """Return the walls as they have been built, seen from a seat."""
    return _square(rules, seat, {})


def chosen(rules: WallRules, seat: str, wall: str) -> Square:
    """Return the walls of which one was chosen."""
    return _square(rules, seat, {p: ("chosen", "", 0) for p in _places(rules) if p.wall == wall})


def broken(wall: Wall, seat: str, stage: SquareStage, dealt: Dealt | None = None) -> Square:
    """Return the walls at a stage of a wall whose dice are known; dealt from, with `dealt`."""
    marks: dict[WallPlace, _Marked] = {}
    if stage == "counted":
        marks |= dict(_counted(wall))
    elif stage in ("broken", "dealt", "played"):
        marks |= dict.fromkeys(wall.kong_box, ("box", "", 0))
        marks |= {each.place: ("loose", "", n) for n, each in enumerate(wall.loose, 1)}
    if dealt and stage in ("dealt", "played"):
        mark: SquareMark = "dealt" if stage == "dealt" else "gone"
        for number, packet in enumerate(dealt.packets, 1):
            marks |= dict.fromkeys(packet.places, (mark, packet.seat, number))
        if stage == "played":
            marks[dealt.left[0]] = ("next", "", 0)
    on = {each.place: each.on for each in wall.loose} if stage not in ("chosen", "counted") else {}
    return _square(wall.rules, seat, marks, on)


_Marked = tuple[SquareMark, str, int]


def counted_pairs(wall: Wall) -> tuple[WallPair, ...]:
    """Return the pairs that are counted, from the right end of the chosen wall to the break."""
    # From the break back, against the clock: the kong box first, then the live wall's end.
    back = dict.fromkeys(
        WallPair(place.wall, place.pair) for place in chain(wall.kong_box, reversed(wall.live))
    )
    return tuple(back)[: wall.count][::-1]


def _counted(wall: Wall) -> Iterator[tuple[WallPlace, _Marked]]:
    for number, pair in enumerate(counted_pairs(wall), 1):
        mark: SquareMark = "break" if pair == wall.broken_at else "counted"
        yield WallPlace(pair.wall, pair.number, "top"), (mark, "", number)
        yield WallPlace(pair.wall, pair.number, "bottom"), (mark, "", number)


def _places(rules: WallRules) -> Iterator[WallPlace]:
    for wall in CLOCKWISE:
        for pair in range(1, rules.pairs + 1):
            yield WallPlace(wall, pair, "top")
            yield WallPlace(wall, pair, "bottom")


def _square(
    rules: WallRules,
    seat: str,
    marks: Mapping[WallPlace, _Marked],
    on: Mapping[WallPlace, WallPair] | None = None,
) -> Square:
    seen = sides(seat)
    first = CLOCKWISE.index(seat)
    clockwise = CLOCKWISE[first:] + CLOCKWISE[:first]
    tiles = []
    for place in sorted(_places(rules), key=lambda place: clockwise.index(place.wall)):
        mark, whose, number = marks.get(place, ("wall", "", 0))
        lies = (on or {}).get(place)
        wall, pair = (lies.wall, lies.number) if lies else (place.wall, place.pair)
        level: Literal["bottom", "top", "loose"] = "loose" if lies else place.layer
        tiles.append(SquareTile(place, seen[wall], pair - 1, level, mark, whose, number))
    return Square(rules.pairs, seen, tuple(tiles))
