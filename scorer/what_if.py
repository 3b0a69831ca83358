"""Score a hand again with each house rule flipped, for disputes about house rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.breakdown import OptionInForce
from scorer.diff import Diff, diff, sentences
from scorer.errors import HandError
from scorer.hand import Hand
from scorer.message import Message
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.validate.circumstances import rules_of


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A flipped option that changes the score."""

    option: OptionInForce
    """The option as it is in force."""
    diff: Diff
    """From the score in force to the score with the option flipped."""


@dataclass(frozen=True, slots=True)
class NoHandIf:
    """A flipped option that makes the hand impossible."""

    option: OptionInForce
    reason: tuple[Message, ...]
    """Every problem of the hand."""


def what_if(hand: Hand, rules: Ruleset | None = None) -> tuple[WhatIf | NoHandIf, ...]:
    """Return the options that would change the total if they were flipped.

    Raises HandError for a hand that is impossible with the options in force.
    """
    rules = rules_of(hand, rules)
    return tuple(_flipped(replace(hand, house=()), rules))


def _flipped(hand: Hand, rules: Ruleset) -> Iterator[WhatIf | NoHandIf]:
    """Flip one option after another; the hand must have no choices of its own."""
    as_it_is = score(hand, rules)
    for option in rules.options_in_force:
        other = rules.with_choices((f"{option.name}:{'off' if option.value else 'on'}",))
        try:
            flipped = score(hand, other)
        except HandError as failure:
            yield NoHandIf(option, tuple(problem.message for problem in failure.problems))
            continue
        if flipped.total != as_it_is.total:
            yield WhatIf(option, diff(as_it_is, flipped))


def outcome(choice: WhatIf | NoHandIf) -> tuple[Message, ...]:
    """Describe what flipping the option does to the hand, in one or more sentences."""
    return choice.reason if isinstance(choice, NoHandIf) else sentences(choice.diff)[-1:]
