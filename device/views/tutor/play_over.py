"""A practice deal that is over: all hands open, their scores, who pays whom, the turning points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from device.i18n.words import say, spoken, tile_name, wind_name
from device.tutoring.practice_deals import LiveDeal
from device.views.score import format_working
from device.views.tutor.exercise import ShownRows, ShownSet, arrange_rows
from device.views.tutor.play import name_learner, say_ending, sort_tiles
from scorer.breakdown import Line, Score
from scorer.hand import Codes, Hand
from scorer.match.settlement import Payment, settle
from scorer.play.deal import PracticeDeal
from scorer.play.review import DealReview, TurningPoint
from scorer.teach.practice.exercises import Exercise, NoExerciseError, make_deal_exercise
from scorer.teach.practice.payment_questions import choose_terms


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A player's hand when the deal is over, and its score."""

    wind: str
    name: str
    is_me: bool
    is_winner: bool
    winning_tile: str
    """The code of the tile it was won with; empty for the others."""
    rows: ShownRows
    total: int
    """Without a winner nobody scores."""
    points: tuple[Line, ...]
    doubles: tuple[Line, ...]
    sum_lines: tuple[str, ...]
    can_ask: bool
    """Whether the learner can score it step by step."""


@dataclass(frozen=True, slots=True)
class TurningPointView:
    """A move of the learner's, and what would have been better."""

    text: str
    codes: Codes
    better_codes: Codes
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayOverView:
    """The page of a deal that is over."""

    ending: str
    hands: tuple[SeatResult, ...]
    """The learner's hand first, then the others in playing order."""
    payments: tuple[Payment, ...]
    is_scored: bool
    """Whether somebody won: a wash-out is not scored (BMJA-P18)."""
    has_goulash: bool
    """Whether a goulash follows."""
    pays: bool
    """Whether anybody pays under these rules."""
    can_ask_payments: bool
    turning_points: tuple[TurningPointView, ...]
    review: DealReview


def play_over_view(live: LiveDeal) -> PlayOverView | None:
    """Return what the page shows; None for a deal that is still played."""
    deal, seat, review = live.deal, live.record.seat, live.review
    ending = deal.ending
    if ending is None or review is None:
        return None
    names = name_learner(live.record)
    hands = {each: deal.hand_of(each) for each in (seat, *deal.seats_after(seat))}
    scores = {each: deal.umpire.score_hand(hand) for each, hand in hands.items()}
    pays = bool(ending.winner and deal.rules.specials)
    return PlayOverView(
        ending=say_ending(ending, seat),
        hands=tuple(_show_hand(live, hand, scores[each], names) for each, hand in hands.items()),
        payments=_settle(deal, scores, names) if pays else (),
        is_scored=ending.winner is not None,
        has_goulash=deal.has_goulash_next,
        pays=pays,
        can_ask_payments=_can_ask(live, scores),
        turning_points=tuple(map(_show_point, review.turning_points)),
        review=review,
    )


def _can_ask(live: LiveDeal, scores: Mapping[str, Score]) -> bool:
    """Return whether an exercise can ask about the hands of seats with these scores."""
    try:
        ask_about_deal(live, tuple(scores), scores)
    except NoExerciseError:
        return False
    return True


def ask_about_deal(
    live: LiveDeal, seats: tuple[str, ...], scores: Mapping[str, Score] | None = None
) -> Exercise:
    """Return the questions about the hands of these seats, or raise NoExerciseError.

    A small game's hands are scored unless their scores are given. A wash-out is not scored
    (BMJA-P18).
    """
    deal = live.deal
    if deal.ending is None or deal.ending.winner is None:
        raise NoExerciseError
    hands = tuple(deal.hand_of(seat) for seat in deal.seats if seat in seats)
    small_scores = (
        tuple(scores[h.seat_wind] if scores else deal.umpire.score_hand(h) for h in hands)
        if deal.setup.is_small
        else ()
    )
    return make_deal_exercise(hands, deal.rules, small_scores, name_learner(live.record))


def _settle(
    deal: PracticeDeal, scores: dict[str, Score], names: dict[str, str]
) -> tuple[Payment, ...]:
    """Return who pays whom, as at a table that plays by these rules."""
    winner = deal.ending.winner if deal.ending else None
    terms = choose_terms(deal.hand_of("E"), deal.rules)
    totals = {seat: score.total for seat, score in scores.items()}
    return settle(totals, winner, terms=terms, names=names).payments


def _show_hand(live: LiveDeal, hand: Hand, score: Score, names: dict[str, str]) -> SeatResult:
    seat = hand.seat_wind
    table_sets = live.deal.players[seat].sets
    return SeatResult(
        wind=seat,
        name=names.get(seat) or wind_name(seat),
        is_me=seat == live.record.seat,
        is_winner=hand.winner,
        winning_tile=hand.winning_tile or "",
        rows=arrange_rows(
            [
                ShownSet(say(f"kind.{each.kind}"), tuple(sort_tiles(each.tiles)))
                for each in table_sets
            ],
            [ShownSet("", tuple(sort_tiles(hand.concealed)))],
            tuple(sort_tiles(hand.bonus)),
        ),
        total=score.total,
        points=tuple(line for line in score.lines if not line.doubles),
        doubles=tuple(line for line in score.lines if line.doubles),
        sum_lines=format_working(score),
        can_ask=_can_ask(live, {seat: score}),
    )


def _show_point(point: TurningPoint) -> TurningPointView:
    move = point.move
    is_discard = move.kind == "discard"
    tile = move.tiles[0] if is_discard else point.view.tile or ""
    key = f"deal-over.point.{move.kind if move.kind in ('discard', 'pass') else 'other'}"
    return TurningPointView(
        say(key, number=point.number, tile=tile_name(tile)),
        (tile,),
        point.better.move.tiles,
        tuple(_explain(point)),
    )


def _explain(point: TurningPoint) -> Iterator[str]:
    if point.loss:
        yield spoken(point.loss)
    yield from map(spoken, point.better.reasons)
