"""Fourteen tiles that are not arranged in sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorer.hand import HAND_SIZE, Codes
from scorer.tiles import BY_CODE, CODES, RANKS, SUITS

ONE_TO_NINE = RANKS["B"]
SUIT_LETTERS = frozenset(SUITS)
WIND_CODES = tuple(f"W{wind}" for wind in RANKS["W"])
MAJORS = tuple(each for each in CODES if BY_CODE[each].is_major)
"""Every 1, 9, wind and dragon."""


class Holding(NamedTuple):
    """Fourteen tiles, counted by face."""

    natural: Counter[str]
    wilds: int
    spare: int
    """1 when one set may hold a second wild tile, the winning one; else 0."""
    families: frozenset[str]
    """The first letters of the natural tiles' codes."""


def holding_of(codes: Codes, wild: frozenset[str], *, spare: bool) -> Holding:
    """Count fourteen tiles by face; tiles short of fourteen count as wild."""
    natural = Counter([code for code in codes if code not in wild] if wild else codes)
    families = frozenset([code[0] for code in natural])
    return Holding(natural, HAND_SIZE - natural.total(), int(spare), families)


def by_rank(natural: Mapping[str, int], suits: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Yield for each rank, from 1 to 9, the number of tiles in each of these suits."""
    for rank in ONE_TO_NINE:
        yield tuple([natural.get(suit + rank, 0) for suit in suits])
