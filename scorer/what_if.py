"""Score a hand again with each house rule flipped, for disputes about house rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.breakdown import OptionInForce
from scorer.diff import Diff, describe_diff, diff
from scorer.errors import HandError
from scorer.hand import Hand
from scorer.message import Message
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.validate.circumstance_checks import choose_rules


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A flipped option that changes the score."""

    option: OptionInForce
    """The option as it is in force."""
    diff: Diff
    """From the score in force to the score with the option flipped."""


@dataclass(frozen=True, slots=True)
class ImpossibleIf:
    """A flipped option that makes the hand impossible."""

    option: OptionInForce
    reason: tuple[Message, ...]
    """Every problem of the hand."""


def what_if(hand: Hand, rules: Ruleset | None = None) -> tuple[WhatIf | ImpossibleIf, ...]:
    """Return the options that would change the total if they were flipped.

    Raises HandError for a hand that is impossible with the options in force.
    """
    rules = choose_rules(hand, rules)
    return tuple(_flip_each(replace(hand, house=()), rules))


def _flip_each(hand: Hand, rules: Ruleset) -> Iterator[WhatIf | ImpossibleIf]:
    """Flip one option after another; the hand must have no choices of its own."""
    as_it_is = score(hand, rules)
    for option in rules.options_in_force:
        other = rules.with_choices((f"{option.name}:{'off' if option.value else 'on'}",))
        try:
            new_score = score(hand, other)
        except HandError as failure:
            yield ImpossibleIf(option, tuple(problem.message for problem in failure.problems))
            continue
        if new_score.total != as_it_is.total:
            yield WhatIf(option, diff(as_it_is, new_score))


def describe_outcome(choice: WhatIf | ImpossibleIf) -> tuple[Message, ...]:
    """Describe what flipping the option does to the hand, in one or more sentences."""
    return choice.reason if isinstance(choice, ImpossibleIf) else describe_diff(choice.diff)[-1:]
