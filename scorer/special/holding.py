"""Fourteen tiles that are not read in sets, some of which may be wild in a goulash.

Every set in them, be it a pair, a pung or a knitted group, may hold one wild tile, or two if one of
them was drawn and completed the hand; single tiles may all be wild (BMJA-G05).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorer.hand import HAND_SIZE, Codes
from scorer.tiles import BY_CODE, CODES, RANKS, SUITS

ONE_TO_NINE = RANKS["B"]
SUIT_LETTERS = frozenset(SUITS)
WIND_CODES = tuple(f"W{wind}" for wind in RANKS["W"])
MAJORS = tuple(code for code in CODES if BY_CODE[code].is_major)
"""Every 1, 9, wind and dragon."""


class Holding(NamedTuple):
    """Fourteen tiles."""

    natural: Counter[str]
    wilds: int
    spare: int
    """1 where one set may hold a second wild tile, the winning one."""
    families: frozenset[str]
    """The first letters of the natural tiles' codes."""


def holding_of(codes: Codes, wild: frozenset[str], *, spare: bool) -> Holding:
    """Return the holding of fourteen tiles, or of fewer where what is to come counts as wild."""
    natural = Counter([code for code in codes if code not in wild] if wild else codes)
    families = frozenset([code[0] for code in natural])
    return Holding(natural, HAND_SIZE - natural.total(), int(spare), families)


def by_rank(natural: Mapping[str, int], suits: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Yield for each rank, from 1 to 9, how many there are of it in each of these suits."""
    for rank in ONE_TO_NINE:
        yield tuple([natural.get(suit + rank, 0) for suit in suits])
