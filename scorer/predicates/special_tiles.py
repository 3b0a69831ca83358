"""What the special hands look like that are not four sets and a pair: fourteen tiles, no kong.

Each is one short test of the tiles, some of which may be wild in a goulash. Every set in them, be
it a pair, a pung or a knitted group, may hold one wild tile, or two if one of them was drawn and
completed the hand; single tiles may all be wild (BMJA-G05).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from scorer.hand import HAND_SIZE, Codes
from scorer.ruleset import Ruleset
from scorer.tiles import BY_CODE, RANKS, SUITS

ONE_TO_NINE = RANKS["B"]
SUIT_LETTERS = frozenset(SUITS)
WIND_CODES = tuple(f"W{wind}" for wind in RANKS["W"])
WONDERS = frozenset(code for code, tile in BY_CODE.items() if tile.is_major)
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


Pattern = Callable[[Holding, Ruleset], bool]


def all_pair_honours(holding: Holding, rules: Ruleset) -> bool:
    """Seven pairs of major tiles; four alike are two pairs (BMJA-S12, S07)."""
    if not WONDERS.issuperset(holding.natural):
        return False
    # A natural pair may be parted, each half with a wild tile; so only single ones need counting.
    return sum(n % 2 for n in holding.natural.values()) <= holding.wilds


def knitting(holding: Holding, rules: Ruleset) -> bool:
    """Seven couples, each one rank in two suits (BMJA-S13, S35)."""
    if not SUIT_LETTERS.issuperset(holding.families):
        return False
    if rules.is_on("knitting_two_suits"):
        return any(_couples(holding, pair) for pair in combinations(SUITS, 2))
    return _couples(holding, tuple(SUITS))


def _couples(holding: Holding, suits: tuple[str, ...]) -> bool:
    """Return whether the tiles of these suits, and there are no others, pair off rank by rank."""
    uncoupled = used = 0
    for counts in _by_rank(holding, suits):
        total = sum(counts)
        used += total
        uncoupled += max(2 * max(counts) - total, total % 2)
    return used == holding.natural.total() and uncoupled <= holding.wilds


def triple_knitting(holding: Holding, rules: Ruleset) -> bool:
    """Four triplets, each one rank in three suits, and one rank in two suits (BMJA-S14)."""
    if not SUIT_LETTERS.issuperset(holding.families):
        return False
    of_suits = Counter(code[0] for code in holding.natural.elements())
    if any(of_suits[suit] < 4 - holding.wilds for suit in SUITS):
        return False  # each triplet takes one of every suit
    reached = {Knitted(0, 0, 0, 0)}
    for counts in _by_rank(holding, tuple(SUITS)):
        if any(counts):
            parts = set(_knit(counts))
            together = {before.plus(part) for before in reached for part in parts}
            reached = {knitted for knitted in together if knitted.is_within(holding)}
    # A couple of wild tiles alone need not be looked for: a triplet can always be parted instead.
    return any(knitted[:3] == (4, 1, holding.wilds) for knitted in reached)


class Knitted(NamedTuple):
    """How far tiles are knitted together."""

    triplets: int
    couples: int
    wilds: int
    """Wild tiles that they need."""
    extra: int
    """How many of these are a second one in their group."""

    def is_within(self, holding: Holding) -> bool:
        """Return whether it is no more than the hand needs and the wild tiles allow."""
        return self.couples <= 1 and self.wilds <= holding.wilds and self.extra <= holding.spare

    def plus(self, other: Knitted) -> Knitted:
        """Return both together."""
        return Knitted(*(a + b for a, b in zip(self, other, strict=True)))


def _knit(counts: tuple[int, ...]) -> Iterable[Knitted]:
    """Yield the ways to knit all tiles of one rank, with at most one couple."""
    for couple in ((), *combinations(range(3), 2)):
        for absent in ((), *((place,) for place in couple)):
            rest = list(counts)
            for place in set(couple) - set(absent):
                rest[place] -= 1
            if min(rest) < 0:
                continue
            wilds = len(absent)
            for triplets in range(max(rest), min(4, sum(rest)) + 1):
                lacking = 3 * triplets - sum(rest)
                extra = max(lacking - triplets, 0)
                yield Knitted(triplets, int(bool(couple)), wilds + lacking, extra)


class Target(NamedTuple):
    """The only tiles that make a hand, and which of them are in sets."""

    tiles: Counter[str]
    in_sets: tuple[str, ...]

    def is_made_of(self, holding: Holding) -> bool:
        """Return whether the tiles are these, wild ones standing for what lacks (BMJA-G05)."""
        natural = holding.natural
        if len(natural) + holding.wilds < len(self.tiles):
            return False
        if any(n > self.tiles[code] for code, n in natural.items()):
            return False
        lacking = [self.tiles[code] - natural[code] for code in self.in_sets]
        return sum(max(n - 1, 0) for n in lacking) <= holding.spare


def _ranks(suit: str, ranks: str) -> tuple[str, ...]:
    return tuple(suit + rank for rank in ranks)


SNAKES = tuple(
    Target(Counter([*_ranks(suit, "1" + ONE_TO_NINE), *WIND_CODES]), (suit + "1",))
    for suit in SUITS
)
GATES = tuple(
    Target(Counter(_ranks(suit, "1112345678999" + extra)), _ranks(suit, "19" + extra))
    for suit in SUITS
    for extra in "2345678"
)


def wriggling_snake(holding: Holding, rules: Ruleset) -> bool:
    """One suit from 1 to 9, with a pair of 1s, and one of each wind (BMJA-S17)."""
    return any(snake.is_made_of(holding) for snake in SNAKES)


def gates_of_heaven(holding: Holding, rules: Ruleset) -> bool:
    """One suit: three 1s, 2 to 8 with one of them doubled, three 9s (BMJA-S23, S37)."""
    return len(holding.families) == 1 and any(gates.is_made_of(holding) for gates in GATES)


def thirteen_unique_wonders(holding: Holding, rules: Ruleset) -> bool:
    """Every 1, 9, wind and dragon, and any one of them again (BMJA-S24)."""
    doubled = holding.natural.total() - len(holding.natural)
    return doubled <= 1 and WONDERS.issuperset(holding.natural)


def _by_rank(holding: Holding, suits: tuple[str, ...]) -> Iterable[tuple[int, ...]]:
    for rank in ONE_TO_NINE:
        yield tuple(holding.natural[suit + rank] for suit in suits)


PATTERNS = MappingProxyType[str, Pattern](
    {
        "all-pair-honours": all_pair_honours,
        "knitting": knitting,
        "triple-knitting": triple_knitting,
        "wriggling-snake": wriggling_snake,
        "gates-of-heaven": gates_of_heaven,
        "thirteen-unique-wonders": thirteen_unique_wonders,
    }
)
"""The tests by the names that a ruleset's file uses."""

LARGEST_GROUP = MappingProxyType[str, int](
    {
        "all-pair-honours": 2,
        "knitting": 2,
        "triple-knitting": 3,
        "wriggling-snake": 3,
        "gates-of-heaven": 3,
        "thirteen-unique-wonders": 2,
    }
)
"""How many tiles a claimed winning tile may have been laid down with, itself included."""
