"""Customary penalties as data, and the charges that they suggest (BMJA-P19).

None of them is official, and the box never charges one by itself. The table may change a suggested
`Charge` before it is recorded. East neither pays nor receives double for a penalty.

>>> from scorer.rulesets.builtin import load_builtin
>>> shared = PENALTIES["false-mah-jong"]
>>> suggest_charge(shared, "Ann", ("Bob", "Cy", "Di"), load_builtin("bmja")).amounts
{'Bob': 166, 'Cy': 166, 'Di': 166}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from scorer.match.entries import Charge
from scorer.match.settlement import Settlement
from scorer.message import Message, message
from scorer.ruleset import Ruleset

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
    rule: str = "BMJA-P19"

    @property
    def label(self) -> Message:
        """The name of the penalty."""
        return message(f"penalty.{self.code}.label")

    def describe(self, rules: Ruleset) -> Message:
        """Return what the penalty costs by these rules, in one sentence."""
        figures = rules.payments
        if self.goes_to == "claimer":
            return message(f"penalty.{self.code}.sentence", points=figures.misnamed)
        if self.goes_to == "others" and figures.false_mah_jong is not None:
            return message(f"penalty.{self.code}.sentence-fixed", points=figures.false_mah_jong)
        return message(f"penalty.{self.code}.sentence")


_PENALTY_ROWS = (
    Penalty("misnamed-discard", goes_to="claimer"),
    Penalty("misnamed-for-mah-jong", goes_to="losers"),
    Penalty("false-mah-jong", goes_to="others"),
    Penalty("cannon", goes_to="losers"),
)

PENALTIES: dict[str, Penalty] = {row.code: row for row in _PENALTY_ROWS}
"""Every customary penalty by code. When two play, a false Mah-Jong costs nothing: the player shows
the hand and play continues (BMJA-N02)."""


def suggest_charge(
    penalty: Penalty, offender: str, payees: Sequence[str], rules: Ruleset
) -> Charge:
    """Return the charge for a penalty of fixed size, shared evenly among the payees.

    A table without a limit uses the usual one, 1,000. Raises ValueError for a penalty that follows
    from the settlement, and when there are no payees.
    """
    if penalty.goes_to == "losers" or not payees:
        raise ValueError(f"{penalty.code} cannot be shared by {len(payees)} payees")
    total = rules.payments.misnamed
    if penalty.goes_to == "others":
        fixed_amount = rules.payments.false_mah_jong
        total = (rules.limit or USUAL_LIMIT_POINTS) // 2 if fixed_amount is None else fixed_amount
    share = total // len(payees) // SMALLEST_TALLY_POINTS * SMALLEST_TALLY_POINTS
    return _charge(penalty, offender, dict.fromkeys(payees, share))


def suggest_payback(
    penalty: Penalty, offender: str, winner: str, settlement: Settlement, seats: Mapping[str, str]
) -> Charge:
    """Return the charge that pays the other losers back what they paid the winner.

    `seats` gives the player of each wind. Payments between losers stay as they are. East's doubling
    is already part of the payments.
    """
    debts: dict[str, int] = {}
    for payment in settlement.payments:
        payer, payee = seats[payment.payer], seats[payment.payee]
        if payee == winner and payer != offender:
            debts[payer] = debts.get(payer, 0) + payment.amount
    return _charge(penalty, offender, debts)


def available_penalties(players: int, rules: Ruleset) -> tuple[Penalty, ...]:
    """Return the penalties that apply at a table of this many players.

    One that a table has set to 0 is left out.
    """
    if rules.name != "bmja":
        return ()
    is_zero = {
        "claimer": rules.payments.misnamed == 0,
        "others": rules.payments.false_mah_jong == 0,
    }
    return tuple(
        row
        for row in _PENALTY_ROWS
        if not is_zero.get(row.goes_to) and not (players == 2 and row.goes_to != "claimer")
    )


def _charge(penalty: Penalty, offender: str, amounts: Mapping[str, int]) -> Charge:
    return Charge(offender, amounts, penalty.label, penalty.rule)
