"""Find hands in a ruleset's file that are not what they should show: `examples` and `misses`."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.message import Message, message
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.rulesets.checks import quote
from scorer.score import score
from scorer.scoring.candidates import winning_candidates
from scorer.validate.circumstance_checks import choose_rules


def find_false_examples(rules: Ruleset) -> Iterator[Message]:
    """Yield what is wrong with the hand texts of a ruleset's special hands; each can be read."""
    for special in rules.specials:
        for text in special.examples:
            if not is_special(parse_hand(text), special, rules):
                yield _say("false-example", special, text)
        for text in special.misses:
            if is_special(parse_hand(text), special, rules):
                yield _say("false-miss", special, text)


def is_special(hand: Hand, special: SpecialHand, rules: Ruleset) -> bool:
    """Return whether a hand is of a special hand, though another may score more."""
    try:
        made = score(hand, rules).special
    except HandError:
        return False
    if not hand.winner:
        return made == special.id
    candidates = winning_candidates(hand, choose_rules(hand, rules))
    return any(each.special and each.special.id == special.id for each in candidates)


def _say(key: str, special: SpecialHand, text: str) -> Message:
    return message(f"ruleset-file.{key}", name=special.name, value=quote(text))
