"""Deal from a broken wall: which tiles go to whom, in order (BMJA-P09; SAF-S06).

>>> from scorer.table_setup.wall import break_wall
>>> dealt = deal(break_wall((8, 3)))
>>> dealt.counts, len(dealt.left)
({'E': 14, 'S': 13, 'W': 13, 'N': 13}, 77)
>>> dealt.packets[0].seat, dealt.packets[0].places[0], len(dealt.packets[0].places)
('E', WallPlace(wall='N', pair=12, layer='top'), 4)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from scorer.errors import error
from scorer.message import message
from scorer.naming import wind
from scorer.table_setup.steps import Step, step
from scorer.table_setup.wall import Wall, WallError, WallPlace
from scorer.tiles import WINDS

ROUNDS = (4, 4, 4, 1)
"""Tiles dealt to each player in each turn, anti-clockwise from East; East then takes one more."""


@dataclass(frozen=True, slots=True)
class Packet:
    """Tiles dealt to one player at once."""

    seat: str
    places: tuple[WallPlace, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A wall after the deal."""

    packets: tuple[Packet, ...]
    """In the order of dealing."""
    left: tuple[WallPlace, ...]
    """The rest of the live wall, in the order of drawing."""
    steps: tuple[Step, ...]

    @property
    def hands(self) -> dict[str, tuple[WallPlace, ...]]:
        """Each seat's tiles, in the order of dealing."""
        hands: dict[str, tuple[WallPlace, ...]] = {}
        for packet in self.packets:
            hands[packet.seat] = hands.get(packet.seat, ()) + packet.places
        return hands

    @property
    def counts(self) -> dict[str, int]:
        """The number of tiles of each seat: East 14, the others 13."""
        return {seat: len(places) for seat, places in self.hands.items()}


def deal(wall: Wall, seats: str = "ESWN") -> Dealt:
    """Deal to these seats, clockwise along the wall from the break.

    Seats without a player (BMJA-N01) or with Safalra's dummy (SAF-N01) get no tiles. Two players
    who want dummy hands (BMJA-N02) name all four seats. Raises WallError for unknown or repeated
    seats, and without East.
    """
    if "E" not in seats or any(seats.count(seat) > 1 or seat not in WINDS for seat in seats):
        raise WallError((error("seats", message("wall.seats", seats=seats)),))
    dealing = [seat for seat in WINDS if seat in seats]
    live = iter(wall.live)
    packets = tuple(Packet(seat, tuple(islice(live, size))) for seat, size in _turns(dealing))
    return Dealt(packets, tuple(live), tuple(_steps(wall, dealing)))


def _turns(seats: list[str]) -> Iterator[tuple[str, int]]:
    for size in ROUNDS:
        for seat in seats:
            yield seat, size
    yield "E", 1


def _steps(wall: Wall, seats: list[str]) -> Iterator[Step]:
    ids = wall.rules.rules
    names = tuple(map(wind, seats))
    packet = max(ROUNDS)
    yield step(ids["deal"], "deal", seats=names, packet=packet, times=ROUNDS.count(packet))
    if "bonus" in ids:
        yield step(ids["bonus"], "bonus")
