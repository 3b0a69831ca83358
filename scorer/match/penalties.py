"""Customary penalties, as data, each with the charge that it suggests (BMJA-P19).

None of them is official: the box never charges one by itself. What is suggested fills in a
`Charge`, which the table may change before it is written down. East neither pays nor receives
double for a penalty.

>>> shared = PENALTIES["false-mah-jong"]
>>> suggested(shared, "Ann", ("Bob", "Cy", "Di"), limit=1000).amounts
{'Bob': 166, 'Cy': 166, 'Di': 166}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorer.match.entries import Charge
from scorer.match.settle import Settlement
from scorer.message import Message, message

_Goes = Literal["claimer", "others", "losers"]
"""Who receives a penalty: who claimed the tile; all others, shared out evenly; or the other losers,
whom it pays back what they paid the winner."""

USUAL_LIMIT = 1000
"""BMJA-L01."""

SMALLEST_TALLY = 2
"""Shares are rounded down to what can be paid in tallies (BMJA-P01)."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """One customary penalty."""

    code: str
    """Stable, for programs."""
    goes_to: _Goes
    points: int = 0
    """A fixed amount in all; 0 where it follows from the limit or the settlement."""
    of_limit: int = 0
    """The limit divided by this is the amount in all; 0 where it does not follow from the limit."""
    rule: str = "BMJA-P19"

    @property
    def label(self) -> Message:
        """What it is called."""
        return message(f"penalty.{self.code}.label")

    @property
    def sentence(self) -> Message:
        """What it costs."""
        return message(f"penalty.{self.code}.sentence")


_ROWS = (
    Penalty("misnamed-discard", goes_to="claimer", points=50),
    Penalty("misnamed-for-mah-jong", goes_to="losers"),
    Penalty("false-mah-jong", goes_to="others", of_limit=2),
    Penalty("cannon", goes_to="losers"),
)

PENALTIES: dict[str, Penalty] = {row.code: row for row in _ROWS}
"""Every customary penalty by its code. When two play, a false Mah-Jong costs no points: its player
shows the hand and play goes on (BMJA-N02)."""


def suggested(
    penalty: Penalty, offender: str, payees: Sequence[str], *, limit: int | None = None
) -> Charge:
    """Return the charge for a penalty of fixed size, shared evenly by the payees.

    A table without a limit has no half of it: then 1,000, the usual limit, is taken. Raises
    ValueError for a penalty that follows from the settlement, and for nobody to pay it to.
    """
    if penalty.goes_to == "losers" or not payees:
        raise ValueError(f"{penalty.code} cannot be shared by {len(payees)} payees")
    whole = penalty.points or (limit or USUAL_LIMIT) // penalty.of_limit
    share = whole // len(payees) // SMALLEST_TALLY * SMALLEST_TALLY
    return _charge(penalty, offender, dict.fromkeys(payees, share))


def paying_for_all(
    penalty: Penalty, offender: str, winner: str, settlement: Settlement, seats: Mapping[str, str]
) -> Charge:
    """Return the charge that pays the other losers back what they paid the winner.

    `seats` gives the player of each wind. Only payments to the winner are taken over: what the
    losers owe each other stays theirs. East's doubling has gone into them already.
    """
    owed: dict[str, int] = {}
    for payment in settlement.payments:
        payer, payee = seats[payment.payer], seats[payment.payee]
        if payee == winner and payer != offender:
            owed[payer] = owed.get(payer, 0) + payment.amount
    return _charge(penalty, offender, owed)


def available(players: int, ruleset: str = "bmja") -> tuple[Penalty, ...]:
    """Return the penalties that a table of this many players may think of."""
    if ruleset != "bmja":
        return ()
    return tuple(row for row in _ROWS if not (players == 2 and row.goes_to != "claimer"))


def _charge(penalty: Penalty, offender: str, amounts: Mapping[str, int]) -> Charge:
    return Charge(offender, amounts, penalty.label, penalty.rule)
