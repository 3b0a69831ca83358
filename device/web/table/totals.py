"""Type all scores of a deal on one page: who went out, and a number for each seat.

This saves the same events as typing seat by seat. A seat that has given something in says so, and
keeps it unless a number is typed there. What was given in since the page was made is shown first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import ways_to_win
from device.i18n.words import in_a_row, say
from device.matches.match import Ending, Match
from device.matches.seats import SeatHand, seat_hand
from device.store.events import ScoreTyped, WinnerEntered
from device.views.table.history import describe_win
from device.web.contexts import records
from device.web.fields import MAX_PHOTO_TILES, FieldError, FieldsSent, form
from device.web.table.current_match import (
    change_match,
    current_match,
    player_at,
    player_number,
    redirect_to_next_step,
    seen_or_own_version,
    seen_version,
)
from device.web.table.deal import impossible_ways, keeps_anyway, scores_to_keep
from scorer.match.settlement import score_problems
from scorer.message import message

pages = Blueprint("totals", __name__, url_prefix="/table/totals")

NO_WINNER = -1
"""Stands for a wash-out in place of the winner's number."""

_INVALID_STATUS, _CONFLICT_STATUS = 422, 409

NO_SCORES = MappingProxyType[str, int]({})


@dataclass(frozen=True, slots=True)
class TotalField:
    """The field for one seat's score."""

    seat: SeatHand
    number: int
    typed: str
    """The text in the field."""
    is_new: bool
    """Whether something was given in for the seat that the phone's page did not show."""

    @property
    def has_hand(self) -> bool:
        """Whether a number would replace a hand that counts or may count."""
        return bool(self.seat.given.hand or self.seat.given.others) and (
            self.seat.given.typed is None
        )


@dataclass(frozen=True, slots=True)
class _TypedTotals:
    """The values in the form."""

    ending: Ending
    scores: Mapping[str, int]
    """The scores of the players for whom a number was typed."""


@pages.get("/")
def show() -> str:
    """Show the form, filled with what is already known."""
    return _totals_page(current_match(), None)


@pages.post("/")
def keep() -> AnyResponse | tuple[str, int]:
    """Save who went out and all typed numbers, or save nothing and show why."""
    match, fields = current_match(), form()
    try:
        typed_totals = _typed_totals(match, fields)
    except FieldError as error:
        return _totals_page(match, fields, say(error.message)), _INVALID_STATUS
    wrong = in_a_row(problem.message for problem in score_problems(typed_totals.scores.items()))
    if not wrong and typed_totals.ending.winner is None and typed_totals.scores:
        wrong = say("totals.wash-out")
    if wrong:
        return _totals_page(match, fields, wrong), _INVALID_STATUS
    if any(_is_new(match, player, fields) for player in typed_totals.scores):
        warning = say("totals.since", button=say("totals.keep"))
        news = _other_ending(match, typed_totals.ending)
        return _totals_page(match, fields, warning, *news, version=match.version), _CONFLICT_STATUS
    doubts = match.score_doubts(
        match.course.next_deal, typed_totals.ending.winner, typed_totals.scores
    )
    if doubts and not keeps_anyway(typed_totals.scores):
        return _totals_page(
            match, fields, *map(say, doubts), kept_scores=typed_totals.scores
        ), _INVALID_STATUS
    _save_totals(match, typed_totals)
    return redirect_to_next_step(current_match())


def _typed_totals(match: Match, fields: FieldsSent) -> _TypedTotals:
    """Return the values in the form. Raise FieldError for a bad one or no winner."""
    winner_number = fields.place("who", MAX_PHOTO_TILES, min_value=NO_WINNER, default=None)
    if winner_number is None:
        raise FieldError(message("totals.who"))
    winner = player_at(match, winner_number) if winner_number != NO_WINNER else None
    won_by = fields.choice("won_by", ways_to_win(), "wall")
    if winner and (objection := impossible_ways(match, winner).get(won_by)):
        raise FieldError(objection)
    typed_scores = {
        player: fields.number(f"score{player_number(match, player)}", default=None)
        for player in match.in_order()
    }
    scores = {player: score for player, score in typed_scores.items() if score is not None}
    return _TypedTotals(Ending(winner, won_by) if winner else Ending(None), scores)


def _save_totals(match: Match, typed_totals: _TypedTotals) -> None:
    """Save what is new. Who went out comes first, because it makes hands open to review again."""
    ending, before = typed_totals.ending, match.deal.ending
    is_same_ending = before and (before.winner, before.won_by) == (ending.winner, ending.won_by)
    if not is_same_ending:
        event = WinnerEntered(ending.winner, ending.won_by)
        change_match(match, event, seen_or_own_version(match))
    for player, score in typed_totals.scores.items():
        given_hand = current_match().deal.given_hand(player)
        if given_hand.typed != score or not given_hand.agreed:
            change_match(match, ScoreTyped(player, score))


def _is_new(match: Match, player: str, fields: FieldsSent) -> bool:
    """Whether something was given in for a player that the phone's page did not show."""
    counts = match.deal.given_hand(player).counts
    return bool(counts) and fields.word(f"instead{player_number(match, player)}") != counts


def _other_ending(match: Match, typed_ending: Ending) -> Iterator[str]:
    """Yield a sentence on the ending that another phone entered since the page was made."""
    is_new = any(d.kind == WinnerEntered.kind and d.seq > seen_version() for d in match.doings)
    ending = match.deal.ending
    if is_new and ending and ending != typed_ending:
        yield say("totals.ending-since", ending=describe_win(ending.winner, ending.won_by))


def _totals_page(
    match: Match,
    fields: FieldsSent | None,
    *wrong: str,
    kept_scores: Mapping[str, int] = NO_SCORES,
    version: int | None = None,
) -> str:
    """Return the page with the form. `fields` has the values that were typed.

    `version` is the match's that the form shows; None stands for that of the form that was sent.

    A button keeps the scores in `kept_scores` although something is wrong with them.
    """
    ending = match.deal.ending
    return render_template(
        "table/totals.html",
        match=match,
        fields=[
            _total_field(match, wind, player, fields) for wind, player in _seated_players(match)
        ],
        who=fields.word("who") if fields else _winner_number(match),
        won_by=fields.word("won_by") if fields else ending.won_by if ending else "wall",
        ways=[(way, say(f"how.{way}")) for way in ways_to_win()],
        nobody=NO_WINNER,
        wrong=wrong,
        keep=scores_to_keep(kept_scores),
        seen=version or (seen_version() if fields else match.version),
    )


def _seated_players(match: Match) -> list[tuple[str, str]]:
    """Return the winds and players at the table, East first."""
    return list(match.course.next_deal.seats.items())


def _winner_number(match: Match) -> str:
    """Return the number of the player who went out; empty if nobody has said."""
    ending = match.deal.ending
    if ending is None:
        return ""
    return str(NO_WINNER if ending.winner is None else player_number(match, ending.winner))


def _total_field(match: Match, wind: str, player: str, fields: FieldsSent | None) -> TotalField:
    given_hand, number = match.deal.given_hand(player), player_number(match, player)
    typed_score = "" if given_hand.typed is None else str(given_hand.typed)
    if fields:
        typed_score = fields.typed_number(f"score{number}")
    seat = seat_hand(player, wind, given_hand, records().hands)
    return TotalField(
        seat, number, typed_score, fields is not None and _is_new(match, player, fields)
    )
