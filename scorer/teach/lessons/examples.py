"""Example hands for rules, from the rulesets' rows and `examples.toml`, and for special hands.

What may be exposed of a special hand is found by scoring variants of its example.

>>> find_rule_example("BMJA-D01").hands
('DGGG | | seat=S',)
>>> find_rule_example("BMJA-P12").hands
()
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain
from typing import Literal

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.errors import HandError
from scorer.hand import RULESETS, Hand
from scorer.notation import parse_hand
from scorer.predicates.waits import before_last_tile
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.tiles import BY_CODE


@dataclass(frozen=True, slots=True)
class RuleExample:
    """The example hands of one rule, as hand texts."""

    hands: tuple[str, ...] = ()
    """Hands that show the rule, the simplest first."""
    misses: tuple[str, ...] = ()
    """Hands where the rule does not count though a player might expect it."""
    look: str = ""
    """The rule whose line shows it; empty for the rule itself."""


NO_EXAMPLE = RuleExample()


def find_rule_example(rule: str, rules: Ruleset | None = None) -> RuleExample:
    """Return the examples of a rule; without hands for most rules that give no points.

    A rule that no shipped ruleset has is looked up in `rules`, and so is a special hand that has
    another pattern there.
    """
    example = load_examples().get(rule)
    special = rules.specials_by_id.get(rule) if rules else None
    if special and special.examples and special.examples[0] not in (example or NO_EXAMPLE).hands:
        return RuleExample(special.examples, special.misses)
    if example or rules is None:
        return example or NO_EXAMPLE
    rows: tuple[Rule | SpecialHand, ...] = (*rules.every_rule, *rules.specials)
    rule_rows = [row for row in rows if row.id == rule]
    return RuleExample(
        tuple(chain.from_iterable(row.examples for row in rule_rows)),
        tuple(chain.from_iterable(row.misses for row in rule_rows)),
    )


@cache
def load_examples() -> Mapping[str, RuleExample]:
    """Return all examples by rule: of the rulesets' rows, and of rules that have none."""
    text = (files("scorer.teach.lessons") / "examples.toml").read_text("utf-8")
    examples = {
        rule: RuleExample(tuple(row["hands"]), look=row["look"])
        for rule, row in tomllib.loads(text).items()
    }
    for rules in map(load_builtin, RULESETS):
        rows: tuple[Rule | SpecialHand, ...] = (*rules.every_rule, *rules.specials)
        for row in rows:
            if row.examples:
                before = examples.get(row.id, NO_EXAMPLE)
                examples[row.id] = RuleExample(
                    before.hands + row.examples, before.misses + row.misses
                )
        examples |= {
            each.rule: RuleExample(each.examples) for each in rules.options if each.examples
        }
    return examples


Exposure = Literal["any set", "last tile", "last pair", "last 1 or 9", "any hand"]
"""What may be claimed: any set (BMJA-S05); only the last tile; only the last tile of the pair
(BMJA-C09); only a last 1 or 9 (BMJA-C13). An event may go with any Mah-Jong (BMJA-S40)."""


def special_example(special: SpecialHand) -> Hand:
    """Return a hand that is this special hand."""
    return parse_hand(special.examples[0])


def fishing_example(special: SpecialHand) -> Hand | None:
    """Return the example before its last tile; None for a hand that cannot be fished for."""
    return None if special.of == "event" else before_last_tile(special_example(special))


@lru_cache(maxsize=MAX_CACHED_TABLES)
def find_exposure(special: SpecialHand, rules: Ruleset) -> Exposure:
    """Find what may be exposed of this hand, by exposing its sets and claiming its tiles."""
    whole_hand = special_example(special)
    if special.of == "event":
        return "any hand"
    exposed_hands = expose_each_set(whole_hand)
    if special.of == "sets" and all(_is_special(special, each, rules) for each in exposed_hands):
        return "any set"
    claims = [
        (tile, _is_special(special, _claim_last_tile(whole_hand, tile), rules))
        for tile in _last_tiles(whole_hand)
    ]
    if all(stands for _, stands in claims):
        return "last tile"
    pairs = all(whole_hand.tiles.count(tile) == 2 for tile, stands in claims if stands)
    return "last pair" if pairs and special.of == "sets" else "last 1 or 9"


def expose_each_set(hand: Hand) -> Iterator[Hand]:
    """Yield the hand with each of its concealed pungs and kongs exposed in turn."""
    for place, kong in enumerate(hand.declared_kongs):
        other_kongs = hand.declared_kongs[:place] + hand.declared_kongs[place + 1 :]
        yield replace(hand, exposed=(*hand.exposed, kong), declared_kongs=other_kongs)
    for code in sorted(set(hand.concealed), key=BY_CODE.__getitem__):
        if hand.concealed.count(code) == 3:
            left = tuple(each for each in hand.concealed if each != code)
            yield replace(hand, exposed=(*hand.exposed, (code,) * 3), concealed=left)


def _last_tiles(hand: Hand) -> list[str]:
    return sorted(set(hand.concealed), key=BY_CODE.__getitem__)


def _claim_last_tile(hand: Hand, tile: str) -> Hand:
    return replace(hand, won_by=("discard",), winning_tile=tile)


def _is_special(special: SpecialHand, hand: Hand, rules: Ruleset) -> bool:
    """Return whether the scorer finds this special hand among the ways to score the hand."""
    try:
        breakdown = score(hand, rules)
    except HandError:
        return False
    return special.id in {breakdown.special, *(way.rule for way in breakdown.compared)}
