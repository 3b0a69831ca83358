"""A match whose players sat otherwise is what it would be, had it begun with the right seats."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.corrections import apply_correction, find_recounts, plan_seats
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import (
    DealCorrected,
    DealSettled,
    HandAgreed,
    MatchBegun,
    MatchEnded,
    PlayersRenamed,
    PlayersReseated,
    ScoreTyped,
    WinnerEntered,
)
from scorer.match.game import GameError
from tests.device.match_play import AGREED_TERMS, PLAYERS, SCORES, give_hand, play, settle

ORDERS = st.sampled_from(list(permutations(PLAYERS)))
WINNERS = st.lists(st.sampled_from([None, *PLAYERS]), max_size=12)


def _rows(match: Match) -> list[object]:
    return [(row.event, row.deal, row.changes, row.totals) for row in match.course.rows]


@given(winners=WINNERS, order=ORDERS, further=WINNERS)
def test_it_scores_as_if_it_had_been_seated_so_from_the_start(
    winners: list[str | None], order: tuple[str, ...], further: list[str | None]
) -> None:
    match = apply_correction(play(AGREED_TERMS, winners), PlayersReseated(order))
    for winner in further:
        match = play(match, [winner])
    right = play(replace(AGREED_TERMS, players=order), [*winners, *further])
    assert _rows(match) == _rows(right)
    assert match.course.next_deal == right.course.next_deal
    assert match.course.is_over == right.course.is_over
    assert match.game.players == AGREED_TERMS.players, "numbers in addresses and phones stay"


@given(winners=WINNERS, order=ORDERS)
def test_the_seats_can_be_put_back(winners: list[str | None], order: tuple[str, ...]) -> None:
    before = play(AGREED_TERMS, winners)
    match = apply_correction(before, PlayersReseated(order))
    second_plan = apply_correction(match, PlayersReseated(AGREED_TERMS.players))
    assert _rows(second_plan) == _rows(before)


THREE = MatchBegun(players=("Ann", "Bob", "Cy"), ruleset="bmja", limit=1000, house=())


def test_of_three_the_empty_place_stays_empty() -> None:
    """With Bob as the first East, Cy sits on his right as South, and Ann is North."""
    match = apply_correction(play(THREE, []), PlayersReseated(("Bob", "Cy", "Ann"), "ESN"))
    assert match.course.next_deal.seats == {"E": "Bob", "S": "Cy", "N": "Ann"}


def test_nobody_sits_out_a_deal_that_they_played() -> None:
    five = replace(AGREED_TERMS, players=(*PLAYERS, "Eve"))
    match = play(five, ["Cy"])
    with pytest.raises(GameError, match="Di"):
        apply_correction(match, PlayersReseated(("Ann", "Bob", "Cy", "Eve", "Di")))
    match_after = apply_correction(match, PlayersReseated(("Di", "Cy", "Bob", "Ann", "Eve")))
    assert match_after.course.next_deal.dreamer == "Di", (
        "the first East gives its place to the fifth"
    )


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        (PlayersReseated(("Ann", "Bob", "Cy")), "Di is missing"),
        (PlayersReseated(("Ann", "Bob", "Cy", "Cy")), "Cy sits in two places"),
        (PlayersReseated(("Ann", "Bob", "Cy", "Eve")), "Eve does not play"),
        (PlayersReseated(AGREED_TERMS.players, "ESW"), "winds for three"),
        (PlayersReseated(AGREED_TERMS.players, "", {2: {"Ann": 8}}), "there is no entry 2"),
        (PlayersReseated(AGREED_TERMS.players, "", {1: {"Eve": 8}}), "Eve has no score"),
    ],
)
def test_seats_that_make_no_sense_are_refused(
    matches: MatchRepository, event: PlayersReseated, reason: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    before = matches.get(match)
    with pytest.raises((ChangeRefusedError, GameError)):
        matches.change(match, event)
    assert matches.get(match) == before, reason


def test_a_hand_gets_the_score_of_its_right_wind(
    matches: MatchRepository, hands: HandRepository, store: Store, read_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, HandAgreed(player="Ann", hand=hand))
    matches.change(match, DealSettled(winner="Ann", scores={**SCORES, "Ann": 224}))
    settle(matches, match, "Bob")
    event = plan_seats(matches.get(match), ("Bob", "Ann", "Cy", "Di"), "ESWN", hands)
    assert event.scores == {1: {"Ann": 108}}, "as South: neither own wind nor own flower"
    matches.change(match, event)
    after = matches.get(match)
    right = play(replace(AGREED_TERMS, players=("Bob", "Ann", "Cy", "Di")), [])
    right = play(right, ["Ann"], {**SCORES, "Ann": 108})
    right = play(right, ["Bob"])
    assert _rows(after) == _rows(right)
    assert find_recounts(after, (1, 2), hands) == ()
    assert [(each.entry, each.kind) for each in after.written][-1] == (1, "players-reseated")
    second_plan = plan_seats(after, AGREED_TERMS.players, "ESWN", hands)
    assert second_plan.scores == {1: {"Ann": 224}}
    matches.undo(match, after.doings[-1].seq)
    assert matches.get(match).course.totals != after.course.totals
    matches.redo(match, after.doings[-1].seq)
    assert matches.get(match).course == after.course


def test_a_score_that_the_table_put_right_stays(
    matches: MatchRepository, hands: HandRepository, store: Store, read_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, DealSettled(winner="Ann", scores={**SCORES, "Ann": 224}))
    new_scores = {**SCORES, "Ann": 300}
    matches.change(match, DealCorrected(1, winner="Ann", scores=new_scores))
    event = plan_seats(matches.get(match), ("Bob", "Ann", "Cy", "Di"), "ESWN", hands)
    assert event.scores == {}


def test_the_open_deal_moves_with_its_players(
    matches: MatchRepository, hands: HandRepository, store: Store, read_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, ScoreTyped("Bob", 8))
    matches.change(match, PlayersReseated(("Bob", "Ann", "Cy", "Di")))
    after = matches.get(match)
    assert after.situate(hands.by_itself(hand)).situation.seat_wind == "S"
    assert after.deal.given_hand("Bob").typed == 8
    assert after.in_order()[0] == "Ann", "the winner stays the winner"


def test_names_seats_and_the_next_match_go_together(matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, PlayersReseated(("Cy", "Bob", "Ann", "Di")))
    matches.change(match, PlayersRenamed({"Cy": "Cyril"}))
    assert matches.get(match).course.next_deal.seats["E"] == "Cyril"
    proposal = matches.newest_start()
    assert proposal
    assert proposal.players == ("Cyril", "Bob", "Ann", "Di")


def test_a_match_that_is_over_is_put_right_and_stays_over(matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    matches.change(match, MatchEnded())
    matches.begin(AGREED_TERMS)
    matches.change(match, PlayersReseated(("Cy", "Bob", "Ann", "Di")))
    matches.change(match, DealCorrected(1, winner="Cy", scores={**SCORES, "Di": 8}))
    after = matches.get(match)
    assert after.ended
    assert after.course.rows[0].deal
    assert after.course.rows[0].deal.seats["E"] == "Cy"
    with pytest.raises(ChangeRefusedError):
        matches.change(match, WinnerEntered("Ann"))
    running_match = matches.current()
    assert running_match
    assert running_match.id != match
