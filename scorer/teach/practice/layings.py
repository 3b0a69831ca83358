"""How pungs and kongs lie on the table when a deal ends, as the makers of questions need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scorer.breakdown import SetKind

UNLAID = "unlaid"
"""The answer where a ruleset lays no set like this."""

LAID = ("exposed-pung", "concealed-pung", "exposed-kong", "concealed-kong", UNLAID)


@dataclass(frozen=True, slots=True)
class Laying:
    """One way in which a ruleset lays a pung or a kong: X is face up, ? face down."""

    shape: str
    concealed: bool
    rule: str
    promoted: bool = False
    """An exposed pung to which the drawn fourth tile was added."""

    @property
    def kind(self) -> SetKind:
        """What so many alike are."""
        return "kong" if len(self.shape) == 4 else "pung"

    @property
    def answer(self) -> str:
        """One of `LAID`."""
        return f"{'concealed' if self.concealed else 'exposed'}-{self.kind}"


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
        next(each.shape for each in own if each.answer == answer)
        for own in layings.values()
        for answer in {each.answer for each in own}
    }
    return tuple(
        shape
        for shape in sorted(usual)
        if "?" in shape or all(laying_of(shape, own) for own in layings.values())
    )
