"""Random tiles of each special hand (BMJA-S11 to S24), as groups that may be laid down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.scorer.oracle.build import Codes, UnluckyError, deal_equal, fits_set
from tests.scorer.oracle.groups import (
    DRAGON_TILES,
    HONOURS,
    MAJORS,
    PLAYING_CODES,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
)


def _sets(
    rng: Random, sets: Sequence[str], pairs: Sequence[str], tiles: Sequence[str] = ()
) -> list[Codes]:
    """Return pungs or kongs of the given tiles, filled up to four from a pool, and a pair."""
    size = rng.choice([3, 3, 3, 4])
    for _ in range(300):
        groups = [(tile,) * rng.choice([3, 3, size]) for tile in tiles]
        while len(groups) < 4:
            groups.append(deal_equal(rng, sets, rng.choice([3, 3, size])))
        groups.append(deal_equal(rng, pairs, 2))
        if fits_set(groups):
            return groups
    raise UnluckyError


def _suit(rng: Random) -> Codes:
    suit = rng.choice("BCO")
    return tuple(tile for tile in SUIT_TILES if tile[0] == suit)


def purity(rng: Random) -> list[Codes]:
    """S11."""
    pool = _suit(rng)
    return _sets(rng, pool, pool)


def all_pair_honours(rng: Random) -> list[Codes]:
    """S12."""
    return _retry_within(lambda: [deal_equal(rng, MAJORS, 2) for _ in range(7)])


def knitting(rng: Random) -> list[Codes]:
    """S13, in two suits or in three (C08)."""
    suits = rng.sample("BCO", rng.choice([2, 3]))

    def pair() -> Codes:
        rank = rng.choice("123456789")
        first, second = rng.sample(suits, 2)
        return (first + rank, second + rank)

    return _retry_within(lambda: [pair() for _ in range(7)])


def triple_knitting(rng: Random) -> list[Codes]:
    """S14."""

    def knit(size: int) -> Codes:
        rank = rng.choice("123456789")
        return tuple(suit + rank for suit in rng.sample("BCO", size))

    return _retry_within(lambda: [*(knit(3) for _ in range(4)), knit(2)])


def buried_treasure(rng: Random) -> list[Codes]:
    """S15: the suit and the honours may each be only the pair."""
    suit = _suit(rng)
    pool = rng.choice([suit, (*suit, *HONOURS), HONOURS])
    pairs = rng.choice([suit, (*suit, *HONOURS), HONOURS])
    return _retry_within(
        lambda: [*(deal_equal(rng, pool, 3) for _ in range(4)), deal_equal(rng, pairs, 2)]
    )


def heads_and_tails(rng: Random) -> list[Codes]:
    """S16."""
    return _sets(rng, TERMINALS, TERMINALS)


def wriggling_snake(rng: Random) -> list[Codes]:
    """S17."""
    suit = rng.choice("BCO")
    run = tuple(f"{suit}{rank}" for rank in range(2, 10))
    return [(f"{suit}1",) * 2, run[:3], run[3:6], run[6:], WIND_TILES[:2], WIND_TILES[2:]]


def imperial_jade(rng: Random) -> list[Codes]:
    """S18."""
    pool = ("DG", "B2", "B3", "B4", "B6", "B8")
    return _sets(rng, pool, pool)


def three_great_scholars(rng: Random) -> list[Codes]:
    """S19."""
    return _sets(rng, PLAYING_CODES, rng.choice([PLAYING_CODES, HONOURS]), DRAGON_TILES)


def four_blessings(rng: Random) -> list[Codes]:
    """S20."""
    return _sets(rng, (), PLAYING_CODES, WIND_TILES)


def all_winds_and_dragons(rng: Random) -> list[Codes]:
    """S21."""
    return _sets(rng, HONOURS, HONOURS)


def fourfold_plenty(rng: Random) -> list[Codes]:
    """S22."""
    pool = rng.choice([PLAYING_CODES, _suit(rng), MAJORS])
    return _retry_within(
        lambda: [*(deal_equal(rng, pool, 4) for _ in range(4)), deal_equal(rng, pool, 2)]
    )


def gates_of_heaven(rng: Random) -> list[Codes]:
    """S23; now and then with a fourth 1 or 9, which is no gate."""
    suit = _suit(rng)
    extra = rng.choice(suit if rng.random() < 0.2 else suit[1:8])
    return [(suit[0],) * 3, (suit[8],) * 3, suit[1:4], suit[4:7], (suit[7], extra)]


def thirteen_wonders(rng: Random) -> list[Codes]:
    """S24."""
    return [(tile,) for tile in (*MAJORS, rng.choice(MAJORS))]


def _retry_within(deal: Callable[[], list[Codes]]) -> list[Codes]:
    for _ in range(300):
        groups = deal()
        if fits_set(groups):
            return groups
    raise UnluckyError


SPECIALS: dict[str, Callable[[Random], list[Codes]]] = {
    "purity": purity,
    "all-pair-honours": all_pair_honours,
    "knitting": knitting,
    "triple-knitting": triple_knitting,
    "buried-treasure": buried_treasure,
    "heads-and-tails": heads_and_tails,
    "wriggling-snake": wriggling_snake,
    "imperial-jade": imperial_jade,
    "three-great-scholars": three_great_scholars,
    "four-blessings": four_blessings,
    "all-winds-and-dragons": all_winds_and_dragons,
    "fourfold-plenty": fourfold_plenty,
    "gates-of-heaven": gates_of_heaven,
    "thirteen-wonders": thirteen_wonders,
}
"""Each special hand that tiles alone make, and its deal."""

EXPOSABLE = frozenset(
    {
        "purity",
        "heads-and-tails",
        "imperial-jade",
        "three-great-scholars",
        "four-blessings",
        "all-winds-and-dragons",
        "fourfold-plenty",
    }
)
"""Those whose sets may be claimed at any time (BMJA-S05)."""
