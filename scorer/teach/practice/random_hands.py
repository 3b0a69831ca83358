"""Draw random hands: special hands, or hands by a recipe, equal on every machine for a seed.

Only `Random.random` gives the same numbers in every version of Python. So `SeededDice` uses
nothing else.

>>> dice = SeededDice("pung:7")
>>> [dice.draw_below(6) for _ in range(5)]
[1, 1, 0, 5, 5]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from types import MappingProxyType
from typing import TypeVar

from scorer.breakdown import SetKind
from scorer.decompose.splits import chow_codes_from
from scorer.hand import CLAIMED_WAYS, HAND_SIZE, Codes, Hand
from scorer.patterns.notation import GREEN_CODES
from scorer.predicates.waits import before_last_tile
from scorer.ruleset import Ruleset
from scorer.tiles import BY_CODE, SUITS, TILES, WINDS

T = TypeVar("T")


class SeededDice:
    """A random source that repeats the same choices for the same seed text."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def draw_below(self, count: int) -> int:
        """Return a whole number that is at least 0 and less than `count`."""
        return int(self._random.random() * count)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, of which there must be at least one."""
        return items[self.draw_below(len(items))]

    def chance(self, share: float) -> bool:
        """Return true with this probability."""
        return self._random.random() < share

    def draw_some(self, items: Sequence[T], count: int) -> list[T]:
        """Return `count` different items in random order, or all if there are fewer."""
        remaining = list(items)
        draw_count = min(count, len(remaining))
        return [remaining.pop(self.draw_below(len(remaining))) for _ in range(draw_count)]


PLAYING_CODES: Codes = tuple(tile.code for tile in TILES if not tile.is_bonus)
BONUS_CODES: Codes = tuple(tile.code for tile in TILES if tile.is_bonus)
MAJOR_CODES: Codes = tuple(code for code in PLAYING_CODES if BY_CODE[code].is_major)
WIND_CODES: Codes = tuple(code for code in PLAYING_CODES if code[0] == "W")
DRAGON_CODES: Codes = tuple(code for code in PLAYING_CODES if code[0] == "D")
HONOUR_CODES: Codes = WIND_CODES + DRAGON_CODES
TERMINAL_CODES: Codes = tuple(code for code in PLAYING_CODES if BY_CODE[code].is_terminal)

Groups = tuple[Codes, ...]
"""Four sets, then a pair; or any sets and pairs."""


def suit_codes(suit: str) -> Codes:
    """Return the nine tiles of a suit."""
    return tuple(code for code in PLAYING_CODES if code[0] == suit)


TILE_POOLS = MappingProxyType[str, Callable[[SeededDice], Codes]](
    {
        "any": lambda dice: PLAYING_CODES,
        "plain": lambda dice: tuple(c for c in PLAYING_CODES if c[0] not in "D"),
        "honours-often": lambda dice: PLAYING_CODES + HONOUR_CODES + HONOUR_CODES,
        "clean": lambda dice: suit_codes(dice.pick(tuple(SUITS))) + HONOUR_CODES,
        "one-suit": lambda dice: suit_codes(dice.pick(tuple(SUITS))),
        "major": lambda dice: MAJOR_CODES,
        "dear": lambda dice: (
            *dice.draw_some(suit_codes(dice.pick(tuple(SUITS))), 3),
            *HONOUR_CODES,
        ),
    }
)
"""The tiles that sets may be drawn from, by name."""

SIZE_BY_KIND: dict[SetKind, int] = {"pair": 2, "pung": 3, "kong": 4}


def draw_set(dice: SeededDice, kind: SetKind, pool: Sequence[str]) -> Codes:
    """Return a set of this kind from the pool; a pung instead of an impossible chow."""
    if kind == "chow":
        runs = [run for code in pool if (run := chow_codes_from(code)) and set(run) <= set(pool)]
        return dice.pick(runs) if runs else draw_set(dice, "pung", pool)
    return (dice.pick(pool),) * SIZE_BY_KIND[kind]


def _draw_pungs(
    dice: SeededDice, pool: Sequence[str], kinds: Sequence[SetKind] = ("pung", "kong")
) -> Groups:
    """Return four pungs or kongs of different tiles and a pair."""
    *faces, pair = dice.draw_some(pool, 5)
    return (*((face,) * SIZE_BY_KIND[dice.pick(kinds)] for face in faces), (pair,) * 2)


def _draw_with_all(dice: SeededDice, must: Sequence[str], pool: Sequence[str]) -> Groups:
    """Return a pung or kong of each required tile, and others of the pool up to four."""
    rest = dice.draw_some([code for code in pool if code not in must], 5 - len(must))
    kinds: Sequence[SetKind] = ("pung", "pung", "kong")
    faces = [*must, *rest[:-1]]
    return (*((face,) * SIZE_BY_KIND[dice.pick(kinds)] for face in faces), (rest[-1],) * 2)


def _draw_buried_treasure(dice: SeededDice) -> Groups:
    """Return pungs of a suit and perhaps honours, without kongs."""
    return _draw_pungs(dice, (*suit_codes(dice.pick(tuple(SUITS))), *HONOUR_CODES), ("pung",))


SETS_HAND_MAKERS = MappingProxyType[str, Callable[[SeededDice], Groups]](
    {
        "purity": lambda dice: _draw_pungs(
            dice, suit_codes(dice.pick(tuple(SUITS))), ("pung", "pung", "kong")
        ),
        "buried-treasure": _draw_buried_treasure,
        "heads-and-tails": lambda dice: _draw_pungs(dice, TERMINAL_CODES, ("pung", "pung", "kong")),
        "imperial-jade": lambda dice: _draw_pungs(
            dice, sorted(GREEN_CODES), ("pung", "pung", "kong")
        ),
        "three-great-scholars": lambda dice: _draw_with_all(dice, DRAGON_CODES, PLAYING_CODES),
        "four-blessings": lambda dice: _draw_with_all(dice, WIND_CODES, PLAYING_CODES),
        "all-winds-and-dragons": lambda dice: _draw_pungs(
            dice, HONOUR_CODES, ("pung", "pung", "kong")
        ),
        "fourfold-plenty": lambda dice: _draw_pungs(dice, PLAYING_CODES, ("kong",)),
    }
)
"""Special hands of four sets and a pair, by the names of their tests."""


def _draw_snake(dice: SeededDice) -> Codes:
    suit = suit_codes(dice.pick(tuple(SUITS)))
    return (suit[0], *suit, *WIND_CODES)


def _draw_gates(dice: SeededDice) -> Codes:
    suit = suit_codes(dice.pick(tuple(SUITS)))
    return (suit[0],) * 2 + suit + (suit[-1],) * 2 + (dice.pick(suit[1:-1]),)


def _draw_wonders(dice: SeededDice) -> Codes:
    return (*MAJOR_CODES, dice.pick(MAJOR_CODES))


def _draw_pairs_of_majors(dice: SeededDice) -> Codes:
    return tuple(code for code in dice.draw_some(MAJOR_CODES, 7) for _ in range(2))


def _draw_knitting(dice: SeededDice) -> Codes:
    """Return a Knitting of two suits, which every table accepts (BMJA-C08)."""
    suits = dice.draw_some(tuple(SUITS), 2)
    return tuple(suit + rank for rank in dice.draw_some("123456789", 7) for suit in suits)


def _draw_triple_knitting(dice: SeededDice) -> Codes:
    *ranks, last = dice.draw_some("123456789", 5)
    couple = (suit + last for suit in dice.draw_some(tuple(SUITS), 2))
    return (*(suit + rank for rank in ranks for suit in SUITS), *couple)


TILES_HAND_MAKERS = MappingProxyType[str, Callable[[SeededDice], Codes]](
    {
        "wriggling-snake": _draw_snake,
        "gates-of-heaven": _draw_gates,
        "thirteen-unique-wonders": _draw_wonders,
        "all-pair-honours": _draw_pairs_of_majors,
        "knitting": _draw_knitting,
        "triple-knitting": _draw_triple_knitting,
    }
)
"""Special hands of other shapes, by the names of their tests."""


KONG_TILES = 4


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a hand is drawn from. A value listed twice is twice as likely."""

    kinds: tuple[SetKind, ...] = ("pung",)
    sets: tuple[int, ...] = (4,)
    """The number of sets of a loser; a winner has four."""
    pairs: tuple[int, ...] = (0,)
    pools: Codes = ("any",)
    """Names of `TILE_POOLS`."""
    bonus: tuple[int, ...] = (0,)
    ways: Codes = ()
    """The ways of winning; empty for a loser."""
    exposed: float = 0.5
    """The share of exposed sets."""
    calls: float = 0.0
    """The share of winners with an original call."""
    lies_open: bool = True
    """Whether the set that a claimed tile completed lies in the exposed row."""
    shapes: Codes = ()
    """Special hands to draw instead, by the names of their tests."""
    fishing: float = 0.0
    """The share of special hands that are one tile short and did not win."""


def deal_hand(recipe: Recipe, dice: SeededDice, rules: Ruleset) -> Hand | None:
    """Return a random hand; None when the drawn tiles do not exist in one set of tiles."""
    hand = _deal_tiles(recipe, dice, rules)
    if hand is None or max(Counter(hand.tiles).values()) > KONG_TILES:
        return None
    count = dice.pick(recipe.bonus) if rules.bonus_tiles else 0
    return replace(
        hand,
        concealed=sort_codes(hand.concealed),
        bonus=sort_codes(dice.draw_some(BONUS_CODES, count)),
        seat_wind=dice.pick(tuple(WINDS)),
        prevailing_wind=dice.pick(tuple(WINDS)),
        original_call=hand.winner and dice.chance(recipe.calls),
        ruleset=rules.name,
    )


def sort_codes(codes: Iterable[str]) -> Codes:
    """Return the codes sorted in the order of `scorer.tiles.CODES`."""
    return tuple(sorted(codes, key=BY_CODE.__getitem__))


def _deal_tiles(recipe: Recipe, dice: SeededDice, rules: Ruleset) -> Hand | None:
    if recipe.shapes:
        shape = dice.pick(recipe.shapes)
        if shape in TILES_HAND_MAKERS:
            return _deal_concealed_hand(TILES_HAND_MAKERS[shape](dice), recipe, dice)
        return _deal_sets_hand(SETS_HAND_MAKERS[shape](dice), recipe, dice, rules)
    pool = TILE_POOLS[dice.pick(recipe.pools)](dice)
    if recipe.ways:
        if rules.one_suit:
            suit = dice.pick("BCO")
            pool = tuple(code for code in pool if code[0] in (suit, "W", "D")) or pool
        sets = [draw_set(dice, dice.pick(recipe.kinds), pool) for _ in range(4)]
        return _deal_sets_hand((*sets, draw_set(dice, "pair", pool)), recipe, dice, rules)
    return _deal_losing_hand(recipe, dice, pool)


def _deal_losing_hand(recipe: Recipe, dice: SeededDice, pool: Sequence[str]) -> Hand | None:
    """Return a losing hand: some sets and pairs, and loose tiles."""
    sets = [draw_set(dice, dice.pick(recipe.kinds), pool) for _ in range(dice.pick(recipe.sets))]
    pairs = [draw_set(dice, "pair", pool) for _ in range(dice.pick(recipe.pairs))]
    held_faces = [codes[0] for codes in (*sets, *pairs)]
    kongs = sum(len(codes) == KONG_TILES for codes in sets)
    loose_count = HAND_SIZE - 1 + kongs - sum(map(len, (*sets, *pairs)))
    if len(set(held_faces)) < len(held_faces) or loose_count < 0:
        return None
    exposed = [codes for codes in sets if dice.chance(recipe.exposed)]
    concealed_sets = [codes for codes in sets if codes not in exposed]
    loose = _pick_loose_tiles(
        [code for code in PLAYING_CODES if code not in held_faces], loose_count, dice
    )
    return Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(codes for codes in concealed_sets if len(codes) == KONG_TILES),
        concealed=(
            *chain(*(codes for codes in (*concealed_sets, *pairs) if len(codes) < KONG_TILES)),
            *loose,
        ),
    )


def _pick_loose_tiles(faces: Sequence[str], count: int, dice: SeededDice) -> list[str]:
    """Return this many different tiles, no three of them in a row."""
    picks: list[str] = []
    for code in dice.draw_some(faces, len(faces)):
        if len(picks) < count and not _makes_a_run(code, picks):
            picks.append(code)
    return picks


def _makes_a_run(code: str, other_codes: Sequence[str]) -> bool:
    if not BY_CODE[code].is_suit:
        return False
    neighbours = {step: f"{code[0]}{int(code[1]) + step}" in other_codes for step in (-2, -1, 1, 2)}
    return (
        (neighbours[-2] and neighbours[-1])
        or (neighbours[-1] and neighbours[1])
        or (neighbours[1] and neighbours[2])
    )


def _deal_sets_hand(
    groups: Groups, recipe: Recipe, dice: SeededDice, rules: Ruleset
) -> Hand | None:
    """Return a winner's hand of four sets and a pair, or the same hand one tile short."""
    fishing = dice.chance(recipe.fishing)
    ways = recipe.ways if rules.specials else ("wall", "discard")
    way = "wall" if fishing else dice.pick([each for each in ways if each in recipe.ways])
    is_claimed = way in CLAIMED_WAYS
    is_open = is_claimed and recipe.lies_open
    last = [g for g in groups if len(g) < KONG_TILES and not (is_open and len(g) == 2)]
    if not last:
        return None
    last_set = dice.pick(last)
    tile = dice.pick(last_set)
    exposed = [
        codes
        for codes in groups[:-1]
        if (is_open if codes is last_set else _may_lie_open(codes, rules))
        and (codes is last_set or dice.chance(recipe.exposed))
    ]
    concealed_sets = [codes for codes in groups if not any(codes is other for other in exposed)]
    hand = Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(codes for codes in concealed_sets if len(codes) == KONG_TILES),
        concealed=tuple(chain(*(codes for codes in concealed_sets if len(codes) < KONG_TILES))),
        winner=True,
        won_by=(way,),
        winning_tile=tile,
    )
    return before_last_tile(hand) if fishing else hand


def _may_lie_open(codes: Codes, rules: Ruleset) -> bool:
    """Return whether a set may be exposed; chows may not where none can be claimed (SAF-H05)."""
    return len(set(codes)) == 1 or not rules.one_suit


def _deal_concealed_hand(codes: Codes, recipe: Recipe, dice: SeededDice) -> Hand | None:
    """Return a special hand that stays concealed until its last tile (BMJA-S05)."""
    hand = Hand(
        concealed=codes,
        winner=True,
        won_by=(dice.pick(recipe.ways),),
        winning_tile=dice.pick(codes),
    )
    return before_last_tile(hand) if dice.chance(recipe.fishing) else hand
