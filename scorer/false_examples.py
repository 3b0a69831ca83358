"""Find hands in a ruleset's file that are not what they should show: `examples` and `misses`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.errors import HandError
from scorer.hand import RULESETS, Hand
from scorer.message import Message, message
from scorer.notation import parse_hand
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.rulesets.checks import quote
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.score import score
from scorer.scoring.candidates import winning_candidates
from scorer.validate.circumstance_checks import choose_rules


class FalseExample(NamedTuple):
    """A hand text that is wrong where it stands."""

    id: str
    """The id of its row."""
    message: Message


@lru_cache(maxsize=MAX_CACHED_TABLES)
def find_false_examples(rules: Ruleset, *, is_custom: bool = False) -> tuple[FalseExample, ...]:
    """Return what is wrong with the hand texts of a ruleset's rows; each text can be read.

    With `is_custom`, hands of the files that come with the program are not looked at: a changed
    figure may spoil them, and nobody at the table has written them.
    """
    shipped_text = _read_shipped_files() if is_custom else ""
    tests: list[tuple[Rule | SpecialHand, Message, Callable[[Hand], bool]]] = [
        (each, each.heading, partial(counts, rule=each, rules=rules))
        for each in rules.rules
        if each.gives
    ]
    tests += [(x, x.name, partial(is_special, special=x, rules=rules)) for x in rules.specials]
    return tuple(
        FalseExample(row.id, message(f"ruleset-file.{key}", name=name, value=quote(text)))
        for row, name, is_shown in tests
        for key, texts, due in (
            ("false-example", row.examples, True),
            ("false-miss", row.misses, False),
        )
        for text in texts
        if f'"{text}"' not in shipped_text and is_shown(parse_hand(text)) != due
    )


def _read_shipped_files() -> str:
    return "".join([*map(load_builtin_text, RULESETS), *map(load_sample_text, SAMPLES)])


def counts(hand: Hand, rule: Rule, rules: Ruleset) -> bool:
    """Return whether a line of the score is by this row of a rule."""
    labels = [rule.label_for(concealed=each) for each in (True, False)]
    try:
        lines = score(hand, rules).lines
    except HandError:
        return False
    return any(line.rule == rule.id and line.label in labels for line in lines)


def is_special(hand: Hand, special: SpecialHand, rules: Ruleset) -> bool:
    """Return whether a hand is of a special hand, though another may score more."""
    try:
        scored_special = score(hand, rules).special
    except HandError:
        return False
    if not hand.winner:
        return scored_special == special.id
    candidates = winning_candidates(hand, choose_rules(hand, rules))
    return any(each.special and each.special.id == special.id for each in candidates)
