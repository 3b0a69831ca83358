"""Which tiles the special hands of other shapes still lack: fourteen tiles, kept concealed.

Groups of like tiles can be split with wild ones in between, so most tiles that are lacking stand
alone; those that a wild tile may replace only once stand together (BMJA-G05).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from scorer.explain.missing_sets import Held, Lack, Lacks, Target
from scorer.predicates.special_tiles import ONE_TO_NINE, WIND_CODES, WONDERS
from scorer.ruleset import Ruleset
from scorer.tiles import CODES, RANKS, SUITS

IN_SEVENS = 7
"""How many pairs or couples make a hand."""
TRIPLETS = 4
FEWEST = 4
"""Suit tiles without which no knitting is near, even with four wild tiles."""
COUPLES = tuple(combinations(range(len(SUITS)), 2))
OF_SUITS = tuple(suit + rank for suit in SUITS for rank in ONE_TO_NINE)
MAJORS = tuple(code for code in CODES if code in WONDERS)


def _singly(codes: Iterable[str]) -> list[Lack]:
    return [Lack((code,)) for code in codes]


def all_pair_honours(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S12: single tiles are paired first, then pairs begun."""
    singles = [code for code in MAJORS if held.own.get(code, 0) % 2]
    to_come = IN_SEVENS - sum(held.own.get(code, 0) // 2 for code in MAJORS)
    even = [code for code in MAJORS if held.own.get(code, 0) in (0, 2)]
    begun = even[: max(to_come - len(singles), 0)]
    return (_singly([*singles[: max(to_come, 0)], *begun, *begun]),)


def knitting(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S13, for each two suits where the table wants the same two throughout (BMJA-C08)."""
    if sum(held.own.get(code, 0) for code in OF_SUITS) < FEWEST:
        return ()
    if rules.is_on("knitting_two_suits"):
        return (_knitting(held, pair) for pair in combinations(SUITS, 2))
    return (_knitting(held, tuple(SUITS)),)


def _knitting(held: Held, suits: tuple[str, ...]) -> Lacks:
    """Couple what can be coupled, then single tiles with one more, then begin couples."""
    ranks = {rank: [held.own.get(suit + rank, 0) for suit in suits] for rank in ONE_TO_NINE}
    to_come = IN_SEVENS - sum(_couples(counts) for counts in ranks.values())
    lacking: list[str] = []
    for at_once in (1, 2):
        for rank, counts in ranks.items():
            while to_come > 0:
                added = _coupling(counts, at_once)
                if added is None:
                    break
                lacking += [suits[place] + rank for place in added]
                to_come -= 1
    return _singly(lacking)


def _couples(counts: list[int]) -> int:
    return min(sum(counts) // 2, sum(counts) - max(counts))


def _coupling(counts: list[int], at_once: int) -> tuple[int, ...] | None:
    """Add so many tiles, in different suits, that make one more couple; None where none do."""
    for places in combinations(range(len(counts)), at_once):
        more = [n + (place in places) for place, n in enumerate(counts)]
        if max(more) <= 4 and _couples(more) > _couples(counts):
            counts[:] = more
            return places
    return None


class Knit(NamedTuple):
    """A target of triplets and one couple, as far as it is decided."""

    used: int
    """How many of the tiles it uses."""
    rank: str
    couple: tuple[int, ...]
    """The suits of the couple, by place."""


def triple_knitting(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S14: of each couple, with the four triplets that then use most of the tiles."""
    if sum(held.own.get(code, 0) for code in OF_SUITS) < FEWEST:
        return ()
    rows = {rank: [held.own.get(suit + rank, 0) for suit in SUITS] for rank in ONE_TO_NINE}
    best = max(_knits(rows), key=lambda knit: knit.used)
    target = Counter(list(SUITS)[place] + best.rank for place in best.couple)
    rows[best.rank] = _without(rows[best.rank], best.couple)
    steps = [
        (-sum(n > step for n in row), rank)
        for rank, row in rows.items()
        for step in range(TRIPLETS - (rank == best.rank))
    ]
    for _, rank in sorted(steps)[:TRIPLETS]:
        target.update(suit + rank for suit in SUITS)
    return (_singly((target - Counter(held.own)).elements()),)


def _knits(rows: Mapping[str, list[int]]) -> Iterator[Knit]:
    """Yield each couple with what it and the best four triplets beside it use."""
    steps = {rank: _steps(row) for rank, row in rows.items()}
    every = [gain for gains in steps.values() for gain in gains if gain]
    for rank, row in rows.items():
        others = every.copy()
        for gain in filter(None, steps[rank]):
            others.remove(gain)
        for couple in COUPLES:
            used = sum(row[place] > 0 for place in couple)
            beside = others + _steps(_without(row, couple))[: TRIPLETS - 1]
            yield Knit(used + sum(sorted(beside)[-TRIPLETS:]), rank, couple)


def _steps(row: list[int]) -> list[int]:
    """Return how many tiles of a rank its first triplet uses, its second and so on, down to 1."""
    a, b, c = row
    return [(a > step) + (b > step) + (c > step) for step in range(max(row))]


def _without(row: list[int], couple: tuple[int, ...]) -> list[int]:
    return [n - 1 if n and place in couple else n for place, n in enumerate(row)]


def wriggling_snake(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S17, for each suit."""
    for suit in SUITS:
        ones = Lack((suit + "1",) * max(2 - held.own.get(suit + "1", 0), 0))
        singles = (*(suit + rank for rank in ONE_TO_NINE[1:]), *WIND_CODES)
        yield [ones, *_singly(code for code in singles if not held.own.get(code))]


def gates_of_heaven(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S23, for each suit; the pair is of a rank from 2 to 8 that the player holds (S37)."""
    for suit in SUITS:
        ends = [
            Lack((code,) * max(3 - held.own.get(code, 0), 0)) for code in (suit + "1", suit + "9")
        ]
        run = [suit + rank for rank in RANKS[suit][1:-1]]
        lacking = [code for code in run if not held.own.get(code)]
        if not any(held.own.get(code, 0) > 1 for code in run):
            lacking.append(next((code for code in run if held.own.get(code)), suit + "5"))
        yield [*ends, *_singly(lacking)]


def thirteen_unique_wonders(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S24."""
    lacking = [code for code in MAJORS if not held.own.get(code)]
    if not any(held.own.get(code, 0) > 1 for code in MAJORS):
        lacking.append(next((code for code in MAJORS if held.own.get(code)), MAJORS[0]))
    return (_singly(lacking),)


TILE_TARGETS = MappingProxyType[str, Target](
    {
        "all-pair-honours": all_pair_honours,
        "knitting": knitting,
        "triple-knitting": triple_knitting,
        "wriggling-snake": wriggling_snake,
        "gates-of-heaven": gates_of_heaven,
        "thirteen-unique-wonders": thirteen_unique_wonders,
    }
)
"""The functions by the names that a ruleset's file gives the hands' tests."""
