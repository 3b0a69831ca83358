"""Collect the figures that lessons and rule pages quote, so that they always match the rules.

>>> from scorer.rulesets.builtin import load_builtin
>>> found = collect_figures(load_builtin("bmja"))
>>> found["B03_concealed"], found["S12"], found["S12_fishing"], found["east_payment"]
(8, 500, 200, 2000)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from types import MappingProxyType

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.errors import HandError
from scorer.hand import HAND_SIZE, Hand
from scorer.match.game import ROUNDS_PER_MATCH
from scorer.match.settlement import settle
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.score import score_total
from scorer.table_setup.wall import (
    TWO_DICE_TOTALS,
    break_wall,
    deal,
    miniature_wall,
    usual_player_count,
    wall_rules,
)
from scorer.teach.lessons.lessons import Lesson
from scorer.tiles import TILES, copies_in_set

DEAREST_HANDS: Mapping[str, str] = {
    "bmja": "| [WEEEE] [DRRRR] [DGGGG] [B1111] DWW | F1234 S1234 won=loose",
    "safalra": "| [WEEEE] [DRRRR] [DGGGG] [DWWWW] WSS | won=wall rules=safalra",
}
"""East's hand with the highest score without a limit, by ruleset (BMJA-L03, SAF-H04)."""

_Figure = tuple[str, int]


@lru_cache(maxsize=MAX_CACHED_TABLES)
def collect_figures(rules: Ruleset) -> Mapping[str, int]:
    """Return every figure by name; a table without a limit gets the usual one.

    A rule's row gives `B02_exposed` and `B02_concealed`, and `B11` for its doubles or, where both
    are equal, its points. A second row of the same rule is `R08_2`. `S12` is a special hand's value
    or doubles, and `S12_fishing` its value one tile short. What a custom ruleset lacks is 0.
    """
    usual = load_builtin(rules.name)
    left_out = {} if rules.every_rule is usual.every_rule else dict.fromkeys(_figures(usual), 0)
    return MappingProxyType({**left_out, **_figures(rules)})


def _figures(rules: Ruleset) -> dict[str, int]:
    parts = (
        _rule_figures,
        _special_figures,
        _tile_figures,
        _hand_figures,
        _wall_figures,
        _payment_figures,
    )
    return dict(figure for part in parts for figure in part(rules))


def score_quoted_hands(lesson: Lesson, rules: Ruleset) -> dict[str, int]:
    """Return the totals of the hands that a lesson quotes, each by its own ruleset.

    A hand that a custom ruleset refuses has the total of the shipped one.
    """
    hands = {name: parse_hand(text) for name, text in lesson.hands.items()}
    return {name: _score_quoted(hand, rules) for name, hand in hands.items()}


def _score_quoted(hand: Hand, rules: Ruleset) -> int:
    if hand.ruleset == rules.name:
        with suppress(HandError):
            return score_total(hand, rules)
    return score_total(hand)


def _rule_figures(rules: Ruleset) -> Iterator[_Figure]:
    counts: Counter[str] = Counter()
    for rule in rules.every_rule:
        name = rule.id.partition("-")[2]
        counts[name] += 1
        if counts[name] > 1:
            name = f"{name}_{counts[name]}"
        yield name, rule.doubles or rule.exposed_points
        yield f"{name}_exposed", rule.exposed_points
        yield f"{name}_concealed", rule.concealed_points
        if rule.below:
            yield f"{name}_below", rule.below


def _special_figures(rules: Ruleset) -> Iterator[_Figure]:
    for special in rules.specials:
        name = special.id.partition("-")[2]
        yield name, special.value or special.doubles
        if special.fishing:
            yield f"{name}_fishing", special.fishing


def _tile_figures(rules: Ruleset) -> Iterator[_Figure]:
    """Yield the number of tiles of each sort in a set (BMJA-T01, SAF-T01)."""
    sorts = {"W": "wind_tiles", "D": "dragon_tiles", "F": "bonus_tiles", "S": "bonus_tiles"}
    count: Counter[str] = Counter()
    for tile in TILES:
        if rules.bonus_tiles or not tile.is_bonus:
            count[sorts.get(tile.family, "suit_tiles")] += copies_in_set(tile)
    yield from count.items()
    yield "all_tiles", count.total()
    yield "copies", copies_in_set(TILES[0])


def _hand_figures(rules: Ruleset) -> Iterator[_Figure]:
    yield "winner_tiles", HAND_SIZE
    yield "other_tiles", HAND_SIZE - 1
    yield "dearest", _score_dearest(rules.name)


@cache
def _score_dearest(ruleset: str) -> int:
    """Return the score of the dearest hand under the default rules, without a limit."""
    return score_total(replace(parse_hand(DEAREST_HANDS[ruleset]), limit=None))


def _wall_figures(rules: Ruleset) -> Iterator[_Figure]:
    wall = wall_rules(rules)
    players = usual_player_count(wall)
    dealt_tiles = deal(break_wall((7,) * wall.throws, wall, players=players))
    yield "wall_tiles", wall.tiles
    yield "wall_pairs", wall.pairs
    yield "box_pairs", wall.kong_box[players]
    yield "box_tiles", 2 * wall.kong_box[players]
    yield "box_right", wall.kong_box[players] - 1
    yield "most_counted", max(TWO_DICE_TOTALS) * wall.throws
    for fewer in (2, 3):
        yield f"box_tiles_{fewer}", 2 * wall.kong_box.get(fewer, 0)
    yield "east_dealt", dealt_tiles.counts["E"]
    yield "others_dealt", dealt_tiles.counts["S"]
    yield "left_after_deal", len(dealt_tiles.left)
    if rules.name == "safalra":
        yield "mini_pairs", miniature_wall().pairs
        yield "mini_tiles", miniature_wall().tiles


def _payment_figures(rules: Ruleset) -> Iterator[_Figure]:
    yield "rounds", ROUNDS_PER_MATCH
    yield "misnamed", rules.payments.misnamed
    limit = rules.limit or load_builtin(rules.name).limit
    if limit:
        settlement = settle(dict.fromkeys("ESWN", 0) | {"E": limit}, "E")
        yield "limit", limit
        yield "east_payment", settlement.payments[0].amount
        yield "east_takes", settlement.net["E"]
    if rules.payments.tallies:
        yield "tallies", rules.payments.tallies
    if rules.two_players:
        yield "two_doubles", rules.two_players.doubles
        yield "two_points", rules.two_players.points
