"""Customary penalties as data, and the charges that they suggest (BMJA-P19).

None of them is official, and the box never charges one by itself. The table may change a suggested
`Charge` before it is recorded. East neither pays nor receives double for a penalty.

>>> shared = PENALTIES["false-mah-jong"]
>>> suggest_charge(shared, "Ann", ("Bob", "Cy", "Di"), limit=1000).amounts
{'Bob': 166, 'Cy': 166, 'Di': 166}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorer.match.entries import Charge
from scorer.match.settlement import Settlement
from scorer.message import Message, message

_Recipient = Literal["claimer", "others", "losers"]
"""Who receives a penalty: the player who claimed the tile; all others in even shares; or the other
losers, who get back what they paid the winner."""

USUAL_LIMIT_POINTS = 1000
"""The usual limit (BMJA-L01)."""

SMALLEST_TALLY_POINTS = 2
"""Shares are rounded down to what can be paid in tallies (BMJA-P01)."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """One customary penalty."""

    code: str
    """Stable, for programs."""
    goes_to: _Recipient
    points: int = 0
    """A fixed total; 0 when the total follows from the limit or the settlement."""
    of_limit: int = 0
    """The total is the limit divided by this; 0 when it does not follow from the limit."""
    rule: str = "BMJA-P19"

    @property
    def label(self) -> Message:
        """The name of the penalty."""
        return message(f"penalty.{self.code}.label")

    @property
    def sentence(self) -> Message:
        """What the penalty costs, in one sentence."""
        return message(f"penalty.{self.code}.sentence")


_PENALTY_ROWS = (
    Penalty("misnamed-discard", goes_to="claimer", points=50),
    Penalty("misnamed-for-mah-jong", goes_to="losers"),
    Penalty("false-mah-jong", goes_to="others", of_limit=2),
    Penalty("cannon", goes_to="losers"),
)

PENALTIES: dict[str, Penalty] = {row.code: row for row in _PENALTY_ROWS}
"""Every customary penalty by code. When two play, a false Mah-Jong costs nothing: the player shows
the hand and play continues (BMJA-N02)."""


def suggest_charge(
    penalty: Penalty, offender: str, payees: Sequence[str], *, limit: int | None = None
) -> Charge:
    """Return the charge for a penalty of fixed size, shared evenly among the payees.

    A table without a limit uses the usual one, 1,000. Raises ValueError for a penalty that follows
    from the settlement, and when there are no payees.
    """
    if penalty.goes_to == "losers" or not payees:
        raise ValueError(f"{penalty.code} cannot be shared by {len(payees)} payees")
    whole = penalty.points or (limit or USUAL_LIMIT_POINTS) // penalty.of_limit
    share = whole // len(payees) // SMALLEST_TALLY_POINTS * SMALLEST_TALLY_POINTS
    return _charge(penalty, offender, dict.fromkeys(payees, share))


def suggest_payback(
    penalty: Penalty, offender: str, winner: str, settlement: Settlement, seats: Mapping[str, str]
) -> Charge:
    """Return the charge that pays the other losers back what they paid the winner.

    `seats` gives the player of each wind. Payments between losers stay as they are. East's doubling
    is already part of the payments.
    """
    owed: dict[str, int] = {}
    for payment in settlement.payments:
        payer, payee = seats[payment.payer], seats[payment.payee]
        if payee == winner and payer != offender:
            owed[payer] = owed.get(payer, 0) + payment.amount
    return _charge(penalty, offender, owed)


def available_penalties(players: int, ruleset: str = "bmja") -> tuple[Penalty, ...]:
    """Return the penalties that apply at a table of this many players."""
    if ruleset != "bmja":
        return ()
    return tuple(row for row in _PENALTY_ROWS if not (players == 2 and row.goes_to != "claimer"))


def _charge(penalty: Penalty, offender: str, amounts: Mapping[str, int]) -> Charge:
    return Charge(offender, amounts, penalty.label, penalty.rule)
