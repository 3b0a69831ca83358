"""Which scores are asked about: by hand where none can be, and never one that the scorer gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.errors import HandError, HandProblem
from scorer.hand import Hand
from scorer.match.game import Game
from scorer.match.reachable_scores import reachable_scores, score_doubts
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score_total
from scorer.validate.circumstance_checks import choose_rules
from tests.scorer.oracle.deals import deals
from tests.scorer.test_cases import CASES, UNREADABLE

PLAYERS = ("Ann", "Bob", "Cy", "Di", "Eve")
FOUR, LOSER = Hand(winner=True, seat_wind="S"), Hand(seat_wind="S")
GOULASH = replace(FOUR, goulash=True)
TWO = replace(FOUR, players=2, seat_wind="W")
SAFALRA = replace(FOUR, ruleset="safalra")

DOUBTS = [
    (FOUR, 1000, "", "a limit hand"),
    (FOUR, 1600, "above-limit", "cut to the limit (L01)"),
    (FOUR, 99999, "above-limit", "an odd one is above the limit first of all"),
    (replace(FOUR, limit=500), 500, "", "All pair honours"),
    (replace(FOUR, limit=500), 516, "above-limit", "this table's limit"),
    (replace(FOUR, limit=300), 300, "", "a limit that no sum comes to by itself"),
    (replace(FOUR, limit=None), 1600, "", "25 × 64 without a limit"),
    (replace(FOUR, limit=None), 99_999_998, "score-too-high", "more than the dearest hand"),
    (FOUR, 26, "", "20, a chow and three exposed pungs of minor tiles"),
    (FOUR, 24, "low-win", "three sets are no chows, and score 2 at the least"),
    (GOULASH, 26, "low-win", "a goulash has no chows, so four pungs"),
    (GOULASH, 28, "", "those four"),
    (FOUR, 41, "odd-score", "every award is even (B14)"),
    (FOUR, 998, "unreachable-score", "neither 998 nor 499 points are in any hand"),
    (FOUR, 508, "", "500 for Knitting, and two flowers beside it"),
    (LOSER, 3, "odd-score", "every award is even"),
    (LOSER, 2, "", "a pair of dragons"),
    (LOSER, 0, "", "nothing"),
    (LOSER, 408, "", "400 for fishing, and two flowers beside it"),
    (LOSER, 998, "unreachable-score", "neither 998 nor 499 points are in any hand"),
    (LOSER, 1002, "above-limit", "a loser is cut to the limit, too"),
    (TWO, 40, "low-win", "two need four doubles or 500 points (N02)"),
    (TWO, 448, "", "28 doubled four times"),
    (replace(TWO, house=("two_player_minimum:off",)), 28, "", "unless they agree otherwise"),
    (SAFALRA, 2592, "", "the dearest hand of these rules (SAF-H04), without a limit"),
    (SAFALRA, 20, "", "four chows are allowed (SAF-H03)"),
    (SAFALRA, 18, "low-win", "going out scores 20 (SAF-R08)"),
    (SAFALRA, 99998, "score-too-high", "and no limit to name"),
    (FOUR, -4, "", "what settling refuses is not asked about"),
]


def find_doubts(seat: Hand, score: int) -> tuple[HandProblem, ...]:
    """Return what is wrong with a score at a seat of the first deal."""
    count = min(seat.players, 4)
    players = PLAYERS[:count]
    deal = Game(players, ruleset=seat.ruleset).course.next_deal
    deal = replace(deal, goulash=seat.goulash)
    player_name = deal.seats[seat.seat_wind]
    other = next(player for player in players if player != player_name)
    return score_doubts({player_name: score}, player_name if seat.winner else other, deal, seat)


@pytest.mark.parametrize(("seat", "score", "code", "reason"), DOUBTS)
def test_what_cannot_be_is_told(seat: Hand, score: int, code: str, reason: str) -> None:
    assert [each.code for each in find_doubts(seat, score)] == [code] * bool(code), reason


def test_before_somebody_has_won_both_are_possible() -> None:
    deal = Game(PLAYERS[:4]).course.next_deal
    doubts = score_doubts({"Ann": 2, "Bob": 998, "Cy": 7}, None, deal, Hand())
    assert [each.code for each in doubts] == ["unreachable-score", "odd-score"]


def test_the_nearest_scores_are_named() -> None:
    deal = Game(PLAYERS[:4]).course.next_deal
    (doubt,) = score_doubts({"Bob": 186}, "Bob", deal, Hand())
    assert doubt.text == (
        "No hand scores 186 under these rules (Bob). The nearest scores are 184 and 188."
    )


def test_ordinary_hands_may_have_a_lower_limit() -> None:
    bmja = load_builtin("bmja")
    specials = tuple(each for each in bmja.specials if each.value)
    rules = replace(bmja, limit=2000, ordinary_limit=300, specials=specials)
    winner, loser = (reachable_scores(rules, seat) for seat in (FOUR, LOSER))
    assert {300, 500, 1000} <= winner, "ordinary, and special hands"
    assert 320 not in winner
    assert {300, 400} <= loser
    assert 320 not in loser
    assert 320 in reachable_scores(rules, replace(FOUR, limit=None)), "without a limit, neither"


def is_doubtful(hand: Hand) -> bool:
    """Whether the scorer's own total would be asked about."""
    try:
        return score_total(hand) not in reachable_scores(choose_rules(hand, None), hand)
    except HandError:
        return False


def test_no_score_of_the_case_tables_is_asked_about() -> None:
    texts = {name: case for name, case in CASES.items() if case.error != UNREADABLE}
    assert [name for name, case in texts.items() if is_doubtful(parse_hand(case.hand))] == []


def test_no_score_of_random_hands_is_asked_about() -> None:
    assert [hand for _, hand in deals(170, seed=1) if is_doubtful(hand)] == []
