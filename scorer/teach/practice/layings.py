"""Layings of pungs and kongs, as questions about sets need them."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.ruleset import Laying

UNLAID = "unlaid"
"""The answer when a ruleset lays no set like this."""

LAID = ("exposed-pung", "concealed-pung", "exposed-kong", "concealed-kong", UNLAID)


def answer_of(laying: Laying) -> str:
    """Return the kind of a set laid like this: one of `LAID_ANSWERS`."""
    return f"{'concealed' if laying.concealed else 'exposed'}-{laying.kind}"


Layings = Mapping[str, tuple[Laying, ...]]
"""The layings of each ruleset by its name."""


def laying_of(shape: str, layings: tuple[Laying, ...]) -> Laying | None:
    """Return the laying with this shape; None when there is none."""
    return next((each for each in layings if each.shape == shape), None)


def usual_shapes(layings: Layings) -> tuple[str, ...]:
    """Return the usual shape of every set in every ruleset, in a fixed order.

    A shape with all tiles face up is left out unless every ruleset has it.
    """
    usual = {
        next(each.shape for each in own if answer_of(each) == answer)
        for own in layings.values()
        for answer in {answer_of(each) for each in own}
    }
    return tuple(
        shape
        for shape in sorted(usual)
        if "?" in shape or all(laying_of(shape, own) for own in layings.values())
    )
