"""Customary penalties: what is suggested, and that nothing is lost or made."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.match.penalties import (
    PENALTIES,
    SMALLEST_TALLY_POINTS,
    available_penalties,
    suggest_charge,
    suggest_payback,
)
from scorer.match.settlement import settle
from scorer.message import to_english

SEATS = {"E": "Ann", "S": "Bob", "W": "Cy", "N": "Di"}
SETTLEMENT = settle({"E": 80, "S": 84, "W": 208, "N": 416}, "S")

SUGGESTED = [
    ("misnamed-discard", ("Cy",), 1000, {"Cy": 50}, "50 to the claimer, whatever the limit"),
    ("misnamed-discard", ("Cy",), None, {"Cy": 50}, "and without a limit"),
    ("false-mah-jong", ("Bob", "Cy", "Di"), 1000, {"Bob": 166, "Cy": 166, "Di": 166},
     "500 in three, in tallies of 2"),
    ("false-mah-jong", ("Bob", "Cy"), 1000, {"Bob": 250, "Cy": 250}, "500 in two"),
    ("false-mah-jong", ("Bob", "Cy"), 500, {"Bob": 124, "Cy": 124}, "250 in two"),
    ("false-mah-jong", ("Bob", "Cy"), None, {"Bob": 250, "Cy": 250}, "the usual limit's half"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "payees", "limit", "amounts", "why"), SUGGESTED)
def test_what_a_penalty_costs(
    code: str, payees: tuple[str, ...], limit: int | None, amounts: dict[str, int], why: str
) -> None:
    charge = suggest_charge(PENALTIES[code], "Ann", payees, limit=limit)
    assert charge.payer == "Ann"
    assert charge.amounts == amounts, why
    assert charge.rule == "BMJA-P19"
    assert charge.why == PENALTIES[code].label


PAYING = [
    ("Cy", {"Ann": 168, "Di": 84}, "East's double is taken over too"),
    ("Ann", {"Cy": 84, "Di": 84}, "East pays back what the others paid"),
]


@pytest.mark.parametrize(("offender", "amounts", "why"), PAYING)
@pytest.mark.parametrize("code", ["misnamed-for-mah-jong", "cannon"])
def test_paying_for_all(code: str, offender: str, amounts: dict[str, int], why: str) -> None:
    charge = suggest_payback(PENALTIES[code], offender, "Bob", SETTLEMENT, SEATS)
    assert charge.amounts == amounts, why


@pytest.mark.parametrize(
    ("code", "payees"), [("cannon", ("Bob",)), ("misnamed-for-mah-jong", ("Bob",)),
                         ("false-mah-jong", ())]
)  # fmt: skip
def test_what_has_no_fixed_size_or_payee_is_not_suggested(
    code: str, payees: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match=code):
        suggest_charge(PENALTIES[code], "Ann", payees)


AVAILABLE = [
    (4, "bmja", list(PENALTIES), "all of them"),
    (3, "bmja", list(PENALTIES), "N01: everything as for four"),
    (2, "bmja", ["misnamed-discard"], "N02: a false Mah-Jong costs no points"),
    (4, "safalra", [], "P09 of Safalra's: do not invent any"),
]


@pytest.mark.parametrize(("players", "ruleset", "codes", "why"), AVAILABLE)
def test_which_penalties_a_table_has(
    players: int, ruleset: str, codes: list[str], why: str
) -> None:
    assert [penalty.code for penalty in available_penalties(players, ruleset)] == codes, why


def test_every_penalty_is_one_plain_sentence_with_a_rule() -> None:
    for code, penalty in PENALTIES.items():
        assert penalty.code == code
        assert re.fullmatch(r"[A-Z][^.]*\.", to_english(penalty.sentence)), code
        assert penalty.rule == "BMJA-P19"
        fixed = bool(penalty.points) + bool(penalty.of_limit)
        assert fixed == (penalty.goes_to != "losers"), code


@given(st.integers(2, 10_000), st.integers(1, 4))
def test_shares_are_even_and_no_more_than_the_whole(limit: int, number: int) -> None:
    payees = ("Bob", "Cy", "Di", "Eve")[:number]
    shares = suggest_charge(
        PENALTIES["false-mah-jong"], "Ann", payees, limit=limit
    ).amounts.values()
    assert len(set(shares)) == 1
    assert all(share % SMALLEST_TALLY_POINTS == 0 for share in shares)
    assert 0 <= limit // 2 - sum(shares) < SMALLEST_TALLY_POINTS * number
