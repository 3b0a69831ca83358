"""What a hand would score at tables that make another choice, for disputes about house rules."""

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
    """One choice made the other way, and what it makes of the hand."""

    option: OptionInForce
    """The choice as it is in force."""
    diff: Diff
    """From the score in force to the other."""


@dataclass(frozen=True, slots=True)
class NoHandIf:
    """One choice made the other way, and why the hand is then none."""

    option: OptionInForce
    reason: tuple[Message, ...]
    """Everything that is wrong."""


def what_if(hand: Hand, rules: Ruleset | None = None) -> tuple[WhatIf | NoHandIf, ...]:
    """Return the choices that would change the total if they were made the other way.

    Raises HandError for what is no hand as the choices are.
    """
    rules = rules_of(hand, rules)
    return tuple(_flipped(replace(hand, house=()), rules))


def _flipped(hand: Hand, rules: Ruleset) -> Iterator[WhatIf | NoHandIf]:
    """Flip one choice after another; the hand names none itself, so those of the rules count."""
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
    """Return in a sentence or several what the choice would make of the hand."""
    return choice.reason if isinstance(choice, NoHandIf) else sentences(choice.diff)[-1:]
