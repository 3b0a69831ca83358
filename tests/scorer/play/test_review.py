"""What a review says of a player's moves."""

from __future__ import annotations

from scorer.play.box_players import choose_move
from scorer.play.coach import advise
from scorer.play.deal import PracticeDeal
from scorer.play.moves import Move
from scorer.play.review import LOSSES, MAX_TURNING_POINTS, review_moves
from scorer.play.setup import DealSetup
from scorer.play.view import View, make_view
from scorer.rulesets.builtin import load_builtin

BMJA = load_builtin("bmja")


def play_out(deal: PracticeDeal, follows_coach: bool) -> PracticeDeal:
    """Play on: South as the coach says or the first thing there is, the others plainly."""
    while deal.stage != "over":
        view = make_view(deal, next(iter(deal.choices)))
        deal.play(_choose(view, follows_coach) if view.seat == "S" else choose_move(view, "plain"))
    return deal


def _choose(view: View, follows_coach: bool) -> Move:
    return advise(view)[0].move if follows_coach else view.moves[-1]


def test_who_follows_the_coach_has_no_turning_points() -> None:
    for seed in range(3):
        review = review_moves(play_out(PracticeDeal(DealSetup(seed), BMJA), True), "S")
        assert review.turning_points == ()
        assert review.good_moves == review.moves > 5


def test_the_moves_that_gave_most_away_are_shown_in_their_order() -> None:
    for seed in range(4):
        deal = play_out(PracticeDeal(DealSetup(seed), BMJA), False)
        moves, log = list(deal.moves), list(deal.log)
        review = review_moves(deal, "S")
        assert (deal.moves, deal.log) == (moves, log), "looking back changes nothing"
        points = review.turning_points
        assert len(points) == min(MAX_TURNING_POINTS, review.moves - review.good_moves)
        assert [each.number for each in points] == sorted(each.number for each in points)
        own_moves = [move for move in moves if move.seat == "S"]
        for point in points:
            assert point.move in own_moves
            assert point.move in point.view.moves
            assert point.better == advise(point.view)[0]
            assert point.better.move != point.move


def test_a_missed_mah_jong_and_a_claim_passed_over_are_turning_points() -> None:
    rack = ("B2", "B2", "B2", "C3", "C3", "C3", "O6", "O6", "O6", "O8", "O8", "DR", "DR", "WE")
    deal = PracticeDeal(DealSetup(1, rack=(*rack[:13], "DR")), BMJA)
    deal.play(Move("E", "discard", ("B2",)))
    point = review_moves(deal, "E").turning_points[0]
    assert (point.loss and point.loss.key, point.better.move.kind) == (LOSSES[0], "mah-jong")
    pair = ("B4", "B4", "C1", "C5", "C9", "O1", "O4", "O8", "B9", "WE", "WS", "WW", "DR")
    for seed in range(40):
        deal = PracticeDeal(DealSetup(seed, rack=pair, rack_seat="S"), BMJA)
        if "B4" in deal.players["E"].concealed:
            break
    deal.play(Move("E", "discard", ("B4",)))
    deal.play(Move("S", "pass"))
    (point,) = review_moves(deal, "S").turning_points
    assert (point.move.kind, point.loss, point.better.move.kind) == ("pass", None, "pung")
