"""Settle a deal: show who pays whom before anything is saved."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say, sign_amount
from device.matches.hand_conflicts import counted_hands, total_tiles
from device.matches.match import NO_HAND, Match
from device.matches.seats import (
    DealHands,
    SeatHand,
    load_deal_hands,
    preview_row,
    scores_by_player,
    seat_hands,
)
from device.store.events import DealSettled
from device.web.contexts import records
from device.web.links import redirect_to
from device.web.table.current_match import (
    change_match,
    current_match,
    phone_player,
    redirect_to_next_step,
    seen_version,
)
from device.web.table.table_page import SeatView, seat_views
from device.web.table.tile_conflicts import describe_conflicts, propose_correction
from scorer.errors import ScorerError
from scorer.match.game import GameRow

pages = Blueprint("settle", __name__, url_prefix="/table")

SEAT_CENTRES = {"bottom": (180, 296), "right": (316, 180), "top": (180, 64), "left": (44, 180)}
"""Centres of the seats in the drawing, which is 360 units wide and 390 high."""

NAMES_AT = {
    "bottom": (40, 346, 280),
    "right": (228, 254, 132),
    "top": (232, 6, 128),
    "left": (0, 254, 132),
}
"""The left edge, top and width of each seat's name: beside or below its circle, clear of the
arrows and of their amounts, with room for a word of eleven letters."""

_SEAT_RADIUS_PX = 48
"""Units around each seat that arrows leave free, so that they do not cross its name."""

_LANE_PX = 22
"""How far to its right an arrow is drawn where another goes the other way: wide amounts fit."""

_UNSETTLED_STATUS = 422


@dataclass(frozen=True, slots=True)
class PaymentArrow:
    """One payment in the drawing: from the payer's seat to the payee's."""

    x1: float
    y1: float
    x2: float
    y2: float
    label_x: float
    label_y: float
    amount: int
    head: str
    """The transform of its head: to the end of the line, and into its direction."""


@dataclass(frozen=True, slots=True)
class SettledPlayer:
    """The result of a deal for one player."""

    player: str
    score: int | None
    change: str
    total: int
    href: str
    """The address where the hand can be seen and changed."""


@pages.get("/settle")
def show() -> tuple[str, int] | AnyResponse:
    """Show who pays whom and why, and the new totals."""
    match = current_match()
    if match.stage != "settle":
        return redirect(url_for("table.show"))
    hands = seat_hands(match, records().hands)
    try:
        row = preview_row(match, scores_by_player(hands))
    except ScorerError as error:
        wrong = [say(problem.message) for problem in error.problems]
        return _settlement_page(match, hands, None, wrong), _UNSETTLED_STATUS
    return _settlement_page(match, hands, row, []), 200


@pages.post("/settle")
def confirm() -> AnyResponse:
    """Save the settled deal."""
    match = current_match()
    if match.stage != "settle":  # a hand's score has changed since and must be confirmed again
        return redirect_to_next_step(match)
    ending = match.deal.ending
    event = DealSettled(
        winner=ending.winner if ending else None,
        scores=scores_by_player(seat_hands(match, records().hands)),
    )
    change_match(match, event, seen_version())
    return redirect_to("table.show")


def _settlement_page(
    match: Match, hands: tuple[SeatHand, ...], row: GameRow | None, wrong: list[str]
) -> str:
    seats = seat_views(match, phone_player(match))
    scores = scores_by_player(hands)
    settlement = row.settlement if row else None
    typed_scores = scores_by_player(tuple(seat for seat in hands if seat.state == "typed"))
    winner = match.deal.ending.winner if match.deal.ending else None
    deal_hands = load_deal_hands(match, records().hands)
    conflicts = describe_conflicts(match, deal_hands)
    return render_template(
        "table/settle.html",
        match=match,
        seats=seats,
        centres=SEAT_CENTRES,
        names_at=NAMES_AT,
        winner=winner,
        payments=[
            (say(each.why), each.rules) for each in settlement.payments
        ] if settlement else (),
        mine=own_payments(row, seats) if row else (),
        warnings=[
            say(each) for each in match.score_doubts(match.course.next_deal, winner, typed_scores)
        ] if winner else [],
        arrows=payment_arrows(row, seats) if row else (),
        standings=[
            SettledPlayer(s.player, scores.get(s.player), sign_amount(row.changes[s.player]),
                     row.totals[s.player], _hand_url(s))
            for s in seats
        ] if row else (),
        wrong=wrong,
        doubts=conflicts,
        mending=propose_correction(match, deal_hands) if conflicts else None,
        adding_up=None if conflicts else _tile_count(match, deal_hands),
    )  # fmt: skip


def own_payments(row: GameRow, seats: tuple[SeatView, ...]) -> tuple[str, ...]:
    """Return what the phone's player pays and gets, in words; nothing for a phone of nobody's."""
    own_wind = next((seat.wind for seat in seats if seat.mine), None)
    payments = row.settlement.payments if row.settlement and own_wind else ()
    player = {seat.wind: seat.player for seat in seats}
    pays = [
        say("settle.you-pay", player=player[each.payee], amount=each.amount)
        for each in payments
        if each.payer == own_wind
    ]
    gets = [
        say("settle.you-get", player=player[each.payer], amount=each.amount)
        for each in payments
        if each.payee == own_wind
    ]
    return (*pays, *gets)


def _tile_count(match: Match, records: DealHands) -> int | None:
    """Return how many tiles the hands hold together; None unless all hands were read."""
    return total_tiles(counted_hands(match, records), match.in_order())


def _hand_url(seat: SeatView) -> str:
    given_hand = seat.hand.given if seat.hand else NO_HAND
    if given_hand.hand and given_hand.typed is None:
        return url_for("hand.show", hand=given_hand.hand)
    return url_for("deal.capture", number=seat.number)


def payment_arrows(row: GameRow, seats: tuple[SeatView, ...]) -> tuple[PaymentArrow, ...]:
    """Return the payments of a deal as arrows between the seats as this phone shows them."""
    place = {seat.wind: seat.place for seat in seats}
    payments = row.settlement.payments if row.settlement else ()
    ways = {(p.payer, p.payee) for p in payments}
    return tuple(
        _payment_arrow(place[p.payer], place[p.payee], p.amount, (p.payee, p.payer) in ways)
        for p in payments
    )


def _payment_arrow(start: str, end: str, amount: int, is_mutual: bool) -> PaymentArrow:
    (x1, y1), (x2, y2) = SEAT_CENTRES[start], SEAT_CENTRES[end]
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    # Payments across the table cross in its middle, so their amounts are drawn before it.
    label_position = 0.36 if abs(dx * dy) < 0.01 else 0.5
    if is_mutual:
        label_position = 0.6  # each amount is nearer to its own head
        x1, y1, x2, y2 = (
            x1 - dy * _LANE_PX, y1 + dx * _LANE_PX, x2 - dy * _LANE_PX, y2 + dx * _LANE_PX
        )  # fmt: skip
    tip = x2 - dx * _SEAT_RADIUS_PX, y2 - dy * _SEAT_RADIUS_PX
    turn = ((dx, dy), (-dy, dx), tip)
    return PaymentArrow(
        x1 + dx * _SEAT_RADIUS_PX, y1 + dy * _SEAT_RADIUS_PX, *tip,
        x1 + dx * length * label_position, y1 + dy * length * label_position, amount,
        f"matrix({' '.join(f'{each:.3f}' for pair in turn for each in pair)})",
    )  # fmt: skip
