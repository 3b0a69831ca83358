"""How pungs and kongs lie on the table when a deal ends, as the makers of questions need it."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.ruleset import Laying

UNLAID = "unlaid"
"""The answer where a ruleset lays no set like this."""

LAID = ("exposed-pung", "concealed-pung", "exposed-kong", "concealed-kong", UNLAID)


def answer_of(laying: Laying) -> str:
    """Return what a set that lies so is: one of `LAID`."""
    return f"{'concealed' if laying.concealed else 'exposed'}-{laying.kind}"


Layings = Mapping[str, tuple[Laying, ...]]
"""By ruleset."""


def laying_of(shape: str, layings: tuple[Laying, ...]) -> Laying | None:
    """Return what a group that lies so is; None where no set is laid so."""
    return next((each for each in layings if each.shape == shape), None)


def usual_shapes(layings: Layings) -> tuple[str, ...]:
    """Return the usual shape of every set by every ruleset, in a fixed order.

    Left out is one with all its tiles up that some ruleset does not have: there it is a slip.
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
