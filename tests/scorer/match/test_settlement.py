"""Who pays whom, against worked examples and by what must always hold."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.match.settlement import (
    MAX_SCORE_POINTS,
    Settlement,
    SettlementError,
    Terms,
    settle,
    wash_out,
)
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.score import score_total

Nets = dict[str, int]

ROD = {"E": 80, "S": 84, "W": 208, "N": 416}
EXAMPLES = [
    (ROD, "S", {"S": 336, "E": -1096, "W": -36, "N": 796}, "worked example 1"),
    ({"E": 200, "S": 100, "W": 300, "N": 400}, "E",
     {"E": 1200, "S": -900, "W": -300, "N": 0}, "worked example 2: East wins"),
    ({"E": 100, "S": 300, "W": 200, "N": 50}, "N",
     {"N": 200, "S": 450, "W": 50, "E": -700}, "worked example 3: the winner's is the lowest"),
    ({"E": 0, "S": 544, "W": 0, "N": 0}, "S",
     {"S": 2176, "E": -1088, "W": -544, "N": -544}, "worked example 4"),
    ({"E": 1000, "S": 0, "W": 0, "N": 0}, "E",
     {"E": 6000, "S": -2000, "W": -2000, "N": -2000}, "worked example 5, L02: past the limit"),
    ({"E": 0, "S": 0, "W": 800, "N": 0}, "W",
     {"W": 3200, "E": -1600, "S": -800, "N": -800}, "worked example 5: East pays double"),
    ({"E": 40, "S": 40, "W": 40, "N": 40}, "W",
     {"W": 160, "E": -80, "S": -40, "N": -40}, "equal scores: nothing but the winner's"),
    ({"E": 20, "S": 128, "N": 40}, "S",
     {"S": 384, "E": -256 - 40, "N": -128 + 40}, "N01: three settle as four do"),
    ({"E": 60, "W": 500}, "W", {"W": 500, "E": -500}, "N02: no double, no difference"),
    ({"E": 516, "W": 500}, "W", {"W": 484, "E": -484}, "N02: paid 500, then pays 16"),
    ({"E": 500, "W": 500}, "W", {"W": 500, "E": -500}, "N02: no difference to pay"),
    ({"E": 500, "W": 8}, "E", {"E": 500, "W": -500}, "N02: East wins and does not double"),
]  # fmt: skip


@pytest.mark.parametrize(("scores", "winner", "net", "reason"), EXAMPLES)
def test_what_everybody_gains(scores: Nets, winner: str, net: Nets, reason: str) -> None:
    assert settle(scores, winner).net == net, reason


def test_every_payment_has_its_reason_and_rule() -> None:
    payments = settle({"N": 0, "E": 40, "S": 128, "W": 40}, "S").payments
    assert [(p.payer, p.payee, p.amount, to_english(p.why), p.rules) for p in payments] == [
        ("E", "S", 256, "East pays South 128 for going out, doubled because East pays: 256.",
         ("BMJA-M01", "BMJA-M03")),
        ("W", "S", 128, "West pays South 128 for going out.", ("BMJA-M01",)),
        ("N", "S", 128, "North pays South 128 for going out.", ("BMJA-M01",)),
        ("N", "E", 80, "North pays East the difference, 40 − 0 = 40, doubled because East "
         "receives: 80.", ("BMJA-M02", "BMJA-M03")),
        ("N", "W", 40, "North pays West the difference, 40 − 0 = 40.", ("BMJA-M02",)),
    ]  # fmt: skip


def test_two_players_pay_twice_when_the_winner_has_less() -> None:
    payments = settle({"E": 516, "W": 500}, "W", names={"E": "Ann", "W": "Bob"}).payments
    assert [(to_english(p.why), p.rules) for p in payments] == [
        ("Ann pays Bob 500 for going out.", ("BMJA-N02",)),
        ("Bob pays Ann the difference, 516 − 500 = 16.", ("BMJA-N02",)),
    ]


def test_losers_may_pay_in_full() -> None:
    payments = settle(
        {"E": 10, "S": 128, "W": 30}, "S", names={"E": "Ann"}, terms=Terms(in_full=True)
    ).payments
    assert [(p.payer, p.payee, p.amount) for p in payments[2:]] == [("W", "E", 20), ("E", "W", 60)]
    assert to_english(payments[2].why) == (
        "West pays Ann 10, Ann's whole score, doubled because East receives: 20."
    )
    assert payments[2].rules == ("BMJA-M04", "BMJA-M03")


DOUBLES = [
    ("S", {"S": 504, "E": -632, "W": -248, "N": 376}, "C15: South prevails, wins, is paid double"),
    ("N", {"S": 336, "E": -884, "W": -372, "N": 920}, "C15: North prevails, and gains double"),
]


@pytest.mark.parametrize(("wind", "net", "reason"), DOUBLES)
def test_a_table_may_go_by_the_misprint(wind: str, net: Nets, reason: str) -> None:
    settlement = settle(ROD, "S", terms=Terms(double=wind))
    assert settlement.net == net, reason
    (double_payment, *_) = [p for p in settlement.payments if wind in (p.payer, p.payee)]
    assert "doubled because the prevailing wind" in to_english(double_payment.why)
    assert double_payment.rules[1] == "BMJA-C15"


def test_nobody_doubles_for_a_wind_that_nobody_has() -> None:
    settlement = settle({"E": 0, "S": 20, "W": 0}, "S", terms=Terms(double="N"))
    assert settlement.net == {"E": -20, "S": 40, "W": -20}


def test_a_wash_out_costs_nothing() -> None:
    assert wash_out("ESWN").net == {"E": 0, "S": 0, "W": 0, "N": 0}
    assert wash_out("ESWN").payments == ()


ERRORS = [
    ({}, "E", None, ["players", "winner"], "nothing at all"),
    ({"E": 20}, "E", None, ["players"], "one player"),
    ({"E": 20, "S": 0, "W": 0, "N": 0}, "X", None, ["winner"], "nobody's win"),
    ({"E": 20, "S": 0, "W": 0}, "N", None, ["winner"], "the one who is not there"),
    ({"E": 20, "S": -2, "W": -4, "N": 0}, "E", None, ["negative-score"] * 2, "both at once"),
    ({"E": 20, "S": 10**9, "W": 0, "N": 0}, "E", None, ["score-too-high"], "mistyped"),
    ({"E": 20, "X": 0, "W": 0, "N": 0}, "E", None, ["unknown-wind"], "no such seat"),
    ({"S": 20, "W": 0, "N": 0}, "S", None, ["no-east"], "N01: East always is"),
    ({"W": 20, "N": 0}, "W", None, ["no-east"], "N02: East, with two too"),
    ({"E": 20, "S": 0}, "E", None, ["two-players"], "N02: East and West"),
    ({"E": 20, "S": 0, "W": 0, "N": 0}, "E", 3, ["players"], "a score too many"),
    ({"E": 20, "S": 0, "W": 0}, "E", 4, ["players"], "a score too few"),
    ({"E": 20, "S": 0, "W": 0, "N": 0}, "E", 6, ["players"], "six cannot play"),
    ({"Z": -1, "S": -1}, "E", 7, ["unknown-wind", "players", "no-east", "negative-score", "winner"],
     "everything at once"),
]  # fmt: skip


@pytest.mark.parametrize(("scores", "winner", "players", "codes", "reason"), ERRORS)
def test_what_cannot_be_settled_is_refused(
    scores: Nets, winner: str, players: int | None, codes: list[str], reason: str
) -> None:
    with pytest.raises(SettlementError) as failure:
        settle(scores, winner, players=players)
    assert [problem.code for problem in failure.value.problems] == codes, reason
    assert all(problem.level == "error" for problem in failure.value.problems)


def test_problems_name_the_players() -> None:
    with pytest.raises(SettlementError, match="Ann's score is -4, but no hand scores below 0"):
        settle({"E": -4, "S": 20, "W": 0}, "S", names={"E": "Ann"})
    with pytest.raises(SettlementError, match="must be one of these players: Ann and West"):
        settle({"E": 4, "W": 20}, "N", names={"E": "Ann"})


@pytest.mark.parametrize("players", [4, 5])
def test_of_five_players_four_settle(players: int) -> None:
    assert settle(ROD, "S", players=players).net["N"] == 796, "N03"


@st.composite
def deals(draw: st.DrawFn) -> tuple[dict[str, int], str]:
    """Scores by seat, of two, three or four players, and the winner."""
    seats = draw(st.sampled_from(["EW", "ESW", "ESN", "EWN", "ESWN"]))
    scores = {seat: draw(st.integers(0, 1000)) for seat in seats}
    return scores, draw(st.sampled_from(seats))


def settle_deal(deal: tuple[dict[str, int], str], terms: Terms) -> Settlement:
    return settle(*deal, terms=terms)


all_terms = st.builds(Terms, double=st.sampled_from("ESWN"), in_full=st.booleans())


@given(deals(), all_terms)
def test_what_is_paid_is_received(deal: tuple[dict[str, int], str], terms: Terms) -> None:
    settlement = settle_deal(deal, terms)
    assert sum(settlement.net.values()) == 0, "M05"
    assert all(p.amount > 0 and p.payer != p.payee and p.rules for p in settlement.payments)


@given(deals(), st.sampled_from("ESWN"))
def test_paying_in_full_comes_to_the_same(deal: tuple[dict[str, int], str], wind: str) -> None:
    by_difference = settle_deal(deal, Terms(double=wind))
    assert by_difference.net == settle_deal(deal, Terms(double=wind, in_full=True)).net, "M04"


@given(deals(), all_terms)
def test_the_winner_of_more_than_two_pays_nobody(
    deal: tuple[dict[str, int], str], terms: Terms
) -> None:
    scores, winner = deal
    payers = {payment.payer for payment in settle_deal(deal, terms).payments}
    assert winner not in payers or (len(scores) == 2 and scores[winner] < max(scores.values()))


@given(deals(), all_terms)
def test_the_last_number_of_a_sentence_is_what_is_paid(
    deal: tuple[dict[str, int], str], terms: Terms
) -> None:
    for payment in settle_deal(deal, terms).payments:
        assert int(re.findall(r"\d+", to_english(payment.why))[-1]) == payment.amount
        assert ("doubled" in to_english(payment.why)) == (len(payment.rules) == 2)


DEAREST = (
    "| [WEEEE] [DRRRR] [DGGGG] [DWWWW] B11 | F1234 S1234 seat=E round=E with=B1 limit=off "
    "won=last-tile+original-call "
    "house=bouquet_includes_own:off+only_possible_tile:on+pair_completed:on"
)


def test_what_any_table_can_reach_is_settled_and_paid() -> None:
    dearest = score_total(parse_hand(DEAREST))
    assert dearest == 48_758_784, "186 and eighteen doubles"
    payments = settle({"E": dearest, "S": 0, "W": 0, "N": 0}, "E").payments
    assert max(each.amount for each in payments) == 2 * dearest <= MAX_SCORE_POINTS
    with pytest.raises(SettlementError, match="more than any hand can score"):
        settle({"E": MAX_SCORE_POINTS + 1, "S": 0, "W": 0, "N": 0}, "E")
