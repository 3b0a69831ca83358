"""Deal a random hand by a recipe: its sets and tiles, what is exposed, how it won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from scorer.breakdown import SetKind
from scorer.hand import CLAIMED, HAND_SIZE, Codes, Hand
from scorer.predicates.waits import one_short
from scorer.ruleset import Ruleset
from scorer.teach.practice.dice import SeededDice
from scorer.teach.practice.shapes import BONUS, PLAYING, POOLS, SETS_OF, TILES_OF, Groups, group
from scorer.tiles import BY_CODE, WINDS

KONG = 4


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


def deal(recipe: Recipe, dice: SeededDice, rules: Ruleset) -> Hand | None:
    """Return a random hand; None when the drawn tiles do not exist in one set of tiles."""
    hand = _tiles(recipe, dice, rules)
    if hand is None or max(Counter(hand.tiles).values()) > KONG:
        return None
    count = dice.pick(recipe.bonus) if rules.bonus_tiles else 0
    return replace(
        hand,
        concealed=in_order(hand.concealed),
        bonus=in_order(dice.some(BONUS, count)),
        seat_wind=dice.pick(tuple(WINDS)),
        prevailing_wind=dice.pick(tuple(WINDS)),
        original_call=hand.winner and dice.chance(recipe.calls),
        ruleset=rules.name,
    )


def in_order(codes: Iterable[str]) -> Codes:
    """Return the codes sorted in the order of `scorer.tiles.CODES`."""
    return tuple(sorted(codes, key=BY_CODE.__getitem__))


def _tiles(recipe: Recipe, dice: SeededDice, rules: Ruleset) -> Hand | None:
    if recipe.shapes:
        shape = dice.pick(recipe.shapes)
        if shape in TILES_OF:
            return _concealed(TILES_OF[shape](dice), recipe, dice)
        return _laid(SETS_OF[shape](dice), recipe, dice, rules)
    pool = POOLS[dice.pick(recipe.pools)](dice)
    if recipe.ways:
        if rules.one_suit:
            suit = dice.pick("BCO")
            pool = tuple(code for code in pool if code[0] in (suit, "W", "D")) or pool
        sets = [group(dice, dice.pick(recipe.kinds), pool) for _ in range(4)]
        return _laid((*sets, group(dice, "pair", pool)), recipe, dice, rules)
    return _unfinished(recipe, dice, pool)


def _unfinished(recipe: Recipe, dice: SeededDice, pool: Sequence[str]) -> Hand | None:
    """Return a losing hand: some sets and pairs, and loose tiles."""
    sets = [group(dice, dice.pick(recipe.kinds), pool) for _ in range(dice.pick(recipe.sets))]
    pairs = [group(dice, "pair", pool) for _ in range(dice.pick(recipe.pairs))]
    held = [codes[0] for codes in (*sets, *pairs)]
    kongs = sum(len(codes) == KONG for codes in sets)
    lacking = HAND_SIZE - 1 + kongs - sum(map(len, (*sets, *pairs)))
    if len(set(held)) < len(held) or lacking < 0:
        return None
    exposed = [codes for codes in sets if dice.chance(recipe.exposed)]
    own = [codes for codes in sets if codes not in exposed]
    loose = _loose([code for code in PLAYING if code not in held], lacking, dice)
    return Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(codes for codes in own if len(codes) == KONG),
        concealed=(*chain(*(codes for codes in (*own, *pairs) if len(codes) < KONG)), *loose),
    )


def _loose(faces: Sequence[str], count: int, dice: SeededDice) -> list[str]:
    """Return this many different tiles, no three of them in a row."""
    chosen: list[str] = []
    for code in dice.some(faces, len(faces)):
        if len(chosen) < count and not _makes_a_run(code, chosen):
            chosen.append(code)
    return chosen


def _makes_a_run(code: str, others: Sequence[str]) -> bool:
    if not BY_CODE[code].is_suit:
        return False
    near = {step: f"{code[0]}{int(code[1]) + step}" in others for step in (-2, -1, 1, 2)}
    return (near[-2] and near[-1]) or (near[-1] and near[1]) or (near[1] and near[2])


def _laid(groups: Groups, recipe: Recipe, dice: SeededDice, rules: Ruleset) -> Hand | None:
    """Return a winner's hand of four sets and a pair, or the same hand one tile short."""
    fishing = dice.chance(recipe.fishing)
    ways = recipe.ways if rules.specials else ("wall", "discard")
    way = "wall" if fishing else dice.pick([each for each in ways if each in recipe.ways])
    claimed = way in CLAIMED
    opened = claimed and recipe.lies_open
    last = [g for g in groups if len(g) < KONG and not (opened and len(g) == 2)]
    if not last:
        return None
    completed = dice.pick(last)
    tile = dice.pick(completed)
    exposed = [
        codes
        for codes in groups[:-1]
        if (opened if codes is completed else _may_lie_open(codes, rules))
        and (codes is completed or dice.chance(recipe.exposed))
    ]
    own = [codes for codes in groups if not any(codes is other for other in exposed)]
    hand = Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(codes for codes in own if len(codes) == KONG),
        concealed=tuple(chain(*(codes for codes in own if len(codes) < KONG))),
        winner=True,
        won_by=(way,),
        winning_tile=tile,
    )
    return one_short(hand) if fishing else hand


def _may_lie_open(codes: Codes, rules: Ruleset) -> bool:
    """Return whether a set may be exposed; chows may not where none can be claimed (SAF-H05)."""
    return len(set(codes)) == 1 or not rules.one_suit


def _concealed(codes: Codes, recipe: Recipe, dice: SeededDice) -> Hand | None:
    """Return a special hand that stays concealed until its last tile (BMJA-S05)."""
    hand = Hand(
        concealed=codes,
        winner=True,
        won_by=(dice.pick(recipe.ways),),
        winning_tile=dice.pick(codes),
    )
    return one_short(hand) if dice.chance(recipe.fishing) else hand
