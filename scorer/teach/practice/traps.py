"""Groups that newcomers mistake for sets (BMJA-H01, BMJA-H04)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from scorer.hand import Codes
from scorer.tiles import DRAGONS, SUITS, WINDS


def _suit(rng: Random) -> str:
    return rng.choice(list(SUITS))


def _gap(rng: Random) -> Codes:
    suit, first = _suit(rng), rng.randint(1, 6)
    return f"{suit}{first}", f"{suit}{first + 1}", f"{suit}{first + 3}"


def _wrap(rng: Random) -> Codes:
    suit = _suit(rng)
    return f"{suit}8", f"{suit}9", f"{suit}1"


def _mixed_run(rng: Random) -> Codes:
    first = rng.randint(1, 7)
    return tuple(f"{suit}{first + step}" for step, suit in enumerate(rng.sample(list(SUITS), 3)))


def _one_rank(rng: Random) -> Codes:
    rank = rng.randint(1, 9)
    return tuple(f"{suit}{rank}" for suit in SUITS)


def _winds(rng: Random) -> Codes:
    return tuple(f"W{wind}" for wind in list(WINDS)[:3])


def _dragons(rng: Random) -> Codes:
    return tuple(f"D{colour}" for colour in DRAGONS)


def _odd_one(rng: Random) -> Codes:
    suit, rank = _suit(rng), rng.randint(1, 8)
    return f"{suit}{rank}", f"{suit}{rank}", f"{suit}{rank + 1}"


TRAPS: Mapping[str, Callable[[Random], Codes]] = MappingProxyType(
    {
        "gap": _gap,
        "wrap": _wrap,
        "mixed-run": _mixed_run,
        "one-rank": _one_rank,
        "winds": _winds,
        "dragons": _dragons,
        "odd-one": _odd_one,
    }
)
"""Functions that draw such a group, by the reason why it is no set."""
