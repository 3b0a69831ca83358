"""Customary penalties: what is suggested, and that nothing is lost or made."""

from __future__ import annotations

import re
from dataclasses import replace

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
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin

BMJA = load_builtin("bmja")


def rules_with_penalties(*, misnamed: int, false_mah_jong: int | None = None) -> Ruleset:
    """Return the British rules with other figures for penalties."""
    figures = replace(BMJA.payments, misnamed=misnamed, false_mah_jong=false_mah_jong)
    return replace(BMJA, payments=figures)


SEATS = {"E": "Ann", "S": "Bob", "W": "Cy", "N": "Di"}
SETTLEMENT = settle({"E": 80, "S": 84, "W": 208, "N": 416}, "S")

SUGGESTIONS = [
    ("misnamed-discard", ("Cy",), 1000, {"Cy": 50}, "50 to the claimer, whatever the limit"),
    ("misnamed-discard", ("Cy",), None, {"Cy": 50}, "and without a limit"),
    ("false-mah-jong", ("Bob", "Cy", "Di"), 1000, {"Bob": 166, "Cy": 166, "Di": 166},
     "500 in three, in tallies of 2"),
    ("false-mah-jong", ("Bob", "Cy"), 1000, {"Bob": 250, "Cy": 250}, "500 in two"),
    ("false-mah-jong", ("Bob", "Cy"), 500, {"Bob": 124, "Cy": 124}, "250 in two"),
    ("false-mah-jong", ("Bob", "Cy"), None, {"Bob": 250, "Cy": 250}, "the usual limit's half"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "payees", "limit", "amounts", "reason"), SUGGESTIONS)
def test_what_a_penalty_costs(
    code: str, payees: tuple[str, ...], limit: int | None, amounts: dict[str, int], reason: str
) -> None:
    charge = suggest_charge(PENALTIES[code], "Ann", payees, BMJA.with_limit(limit))
    assert charge.payer == "Ann"
    assert charge.amounts == amounts, reason
    assert charge.rule == "BMJA-P19"
    assert charge.why == PENALTIES[code].label


PAYMENTS_FOR_ALL = [
    ("Cy", {"Ann": 168, "Di": 84}, "East's double is taken over too"),
    ("Ann", {"Cy": 84, "Di": 84}, "East pays back what the others paid"),
]


@pytest.mark.parametrize(("offender", "amounts", "reason"), PAYMENTS_FOR_ALL)
@pytest.mark.parametrize("code", ["misnamed-for-mah-jong", "cannon"])
def test_paying_for_all(code: str, offender: str, amounts: dict[str, int], reason: str) -> None:
    charge = suggest_payback(PENALTIES[code], offender, "Bob", SETTLEMENT, SEATS)
    assert charge.amounts == amounts, reason


@pytest.mark.parametrize(
    ("code", "payees"), [("cannon", ("Bob",)), ("misnamed-for-mah-jong", ("Bob",)),
                         ("false-mah-jong", ())]
)  # fmt: skip
def test_what_has_no_fixed_size_or_payee_is_not_suggested(
    code: str, payees: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match=code):
        suggest_charge(PENALTIES[code], "Ann", payees, BMJA)


AVAILABLE = [
    (4, BMJA, list(PENALTIES), "all of them"),
    (3, BMJA, list(PENALTIES), "N01: everything as for four"),
    (2, BMJA, ["misnamed-discard"], "N02: a false Mah-Jong costs no points"),
    (4, load_builtin("safalra"), [], "P09 of Safalra's: do not invent any"),
    (
        4,
        rules_with_penalties(misnamed=0),
        ["misnamed-for-mah-jong", "false-mah-jong", "cannon"],
        "none for it",
    ),
    (4, rules_with_penalties(misnamed=50, false_mah_jong=0),
     ["misnamed-discard", "misnamed-for-mah-jong", "cannon"], "0 is none, not half the limit"),
]  # fmt: skip


@pytest.mark.parametrize(("players", "rules", "codes", "reason"), AVAILABLE)
def test_which_penalties_a_table_has(
    players: int, rules: Ruleset, codes: list[str], reason: str
) -> None:
    assert [penalty.code for penalty in available_penalties(players, rules)] == codes, reason


def test_a_table_has_its_own_figures() -> None:
    rules = rules_with_penalties(misnamed=20, false_mah_jong=300)
    charges = {
        code: suggest_charge(PENALTIES[code], "Ann", payees, rules).amounts
        for code, payees in (("misnamed-discard", ("Cy",)), ("false-mah-jong", ("Bob", "Cy", "Di")))
    }
    assert charges == {
        "misnamed-discard": {"Cy": 20},
        "false-mah-jong": {"Bob": 100, "Cy": 100, "Di": 100},
    }
    sentences = [to_english(PENALTIES[code].describe(rules)) for code in charges]
    assert "pays 20 to the player" in sentences[0]
    assert "pays 300, shared" in sentences[1]


def test_every_penalty_is_one_plain_sentence_with_a_rule() -> None:
    for code, penalty in PENALTIES.items():
        assert penalty.code == code
        for rules in (BMJA, rules_with_penalties(misnamed=50, false_mah_jong=300)):
            assert re.fullmatch(r"[A-Z][^.]*\.", to_english(penalty.describe(rules))), code
        assert penalty.rule == "BMJA-P19"


@given(st.integers(2, 10_000), st.integers(1, 4))
def test_shares_are_even_and_no_more_than_the_whole(limit: int, number: int) -> None:
    payees = ("Bob", "Cy", "Di", "Eve")[:number]
    shares = suggest_charge(
        PENALTIES["false-mah-jong"], "Ann", payees, BMJA.with_limit(limit)
    ).amounts.values()
    assert len(set(shares)) == 1
    assert all(share % SMALLEST_TALLY_POINTS == 0 for share in shares)
    assert 0 <= limit // 2 - sum(shares) < SMALLEST_TALLY_POINTS * number
