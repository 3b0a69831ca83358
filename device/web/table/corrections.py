"""Correct an earlier deal: ask for the right values, show what that changes, then save it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, render_template
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import ways_to_win
from device.i18n.words import say
from device.matches.corrections import (
    apply_correction,
    correction_doubts,
    latest_entries,
    scores_from_tiles,
)
from device.matches.match import Ending, Match
from device.store.events import DealCorrected
from device.views.table.correction_changes import (
    NO_CHANGES,
    compare_endings,
    correction_changes,
    describe_recounts,
)
from device.views.table.history import find_part
from device.web.contexts import records
from device.web.fields import FieldError, FieldsSent, form, query
from device.web.links import redirect_to
from device.web.table.current_match import (
    change_match,
    current_match,
    describe_problem,
    match_to_correct,
    player_at,
    player_number,
    seen_version,
)
from scorer.errors import ScorerError
from scorer.match.entries import Charge, WonDeal
from scorer.match.entries import GameEvent as Happening
from scorer.match.game import Deal

pages = Blueprint("correcting", __name__)

_PATHS = ("/table/deal/<int:number>", "/match/<id:match>/deal/<int:number>")
"""A deal of the match at the phone's table, and of any match, also of one that is over."""

_REFUSED_STATUS = 422


@dataclass(frozen=True, slots=True)
class ScoreField:
    """One player's score in the form."""

    player: str
    number: int
    wind: str
    score: int | str | None
    """None if nobody has given it; words as they were typed if they are no number."""
    tiles: int | None
    """The score of the tiles, if it differs."""


@pages.get(f"{_PATHS[0]}/correct")
@pages.get(f"{_PATHS[1]}/correct")
def show(number: int, match: str = "") -> str:
    """Show the form for the correction, filled with the settled values."""
    old_match = _find_match(match)
    correction, wrong = _read_form(old_match, number)
    match_after = _match_with(old_match, correction)
    deal = _find_deal(match_after, number)
    winds = deal.seating.winds
    tiles = scores_from_tiles(match_after, number, records().hands)
    scores: Mapping[str, int | str | None] = correction.scores
    if wrong:
        scores = {player: query().typed_number(f"score{player_number(old_match, player)}")
                  for player in winds}  # fmt: skip
    taken_place = query().place("take", default=None)
    if taken_place is not None and (player := player_at(old_match, taken_place)) in tiles:
        scores = {**scores, player: tiles[player]}
    return render_template(
        "table/correct.html",
        match=old_match,
        number=number,
        title=_deal_title(deal),
        winner=correction.winner,
        won_by=correction.won_by,
        ways=[(way, say(f"how.{way}")) for way in ways_to_win()],
        seated=[(player_number(old_match, player), player) for player in winds],
        fields=[
            ScoreField(player, player_number(old_match, player), wind, scores.get(player),
                       tiles[player] if tiles.get(player) != scores.get(player) and player in tiles
                       else None)
            for player, wind in winds.items()
        ],
        struck=old_match.row(number) is None,
        wrong=wrong,
    )  # fmt: skip


@pages.get(f"{_PATHS[0]}/changes")
@pages.get(f"{_PATHS[1]}/changes")
def preview(number: int, match: str = "") -> tuple[str, int]:
    """Show everything that the correction would change, without saving it."""
    old_match = _find_match(match)
    last_entry = _last_entry(old_match, number)
    correction = DealCorrected(number, struck=True)
    if "struck" not in query():
        correction, wrong_number = _read_form(old_match, number)
        if wrong_number:
            return show(number, match), _REFUSED_STATUS
    try:
        after = apply_correction(old_match, correction)
    except ScorerError as error:
        wrong = [describe_problem(old_match, problem.message) for problem in error.problems]
        return _preview_page(old_match, correction, None, wrong, last_entry), _REFUSED_STATUS
    return _preview_page(old_match, correction, after, [], last_entry), 200


@pages.post(f"{_PATHS[0]}/correct")
@pages.post(f"{_PATHS[1]}/correct")
def confirm(number: int, match: str = "") -> AnyResponse:
    """Save the correction."""
    old_match = _find_match(match)
    _last_entry(old_match, number)
    correction = DealCorrected(number, struck=True)
    if "struck" not in form():
        correction = _typed_correction(old_match, number, form())
        doubts = correction_doubts(old_match, _match_with(old_match, correction), number)
        if doubts and not form().flag("keep"):
            fields = _form_fields(old_match, correction)
            return redirect_to("correcting.preview", number=number, **fields)
    change_match(old_match, correction, seen_version())
    part_end = find_part(old_match, number)
    return redirect_to("history.show", match=old_match.id, until=part_end)


def _preview_page(
    match: Match,
    correction: DealCorrected,
    after: Match | None,
    wrong: list[str],
    last_entry: object,
) -> str:
    number = correction.number
    ending = compare_endings(match, after, number) if after else None
    changes = correction_changes(match, after, number) if after else NO_CHANGES
    base = match if match.row(number) else after
    doubts = correction_doubts(match, after, number) if after else ()
    return render_template(
        "table/changes.html",
        match=match,
        number=number,
        struck=correction.struck,
        fields=_form_fields(match, correction),
        title=say("history.payment") if isinstance(last_entry, Charge)
        else _deal_title(_find_deal(base, number)) if base else "",
        is_charge=isinstance(last_entry, Charge),
        ending=ending,
        found=changes,
        totals=[
            (player, total, after.course.totals[player])
            for player, total in match.course.totals.items()
        ] if after else [],
        recounts=describe_recounts(match, after, records().hands) if after else (),
        wrong=wrong,
        doubts=[say(each) for each in doubts],
        nothing=bool(ending and ending.same and not changes),
    )  # fmt: skip


def _read_form(match: Match, number: int) -> tuple[DealCorrected, str]:
    """Return the correction in the address, and what is wrong with a number that was typed.

    With a wrong number, the settled scores stay.
    """
    try:
        return _typed_correction(match, number, query()), ""
    except FieldError as error:
        return _typed_ending(match, number, query()), say(error.message)


def _typed_correction(match: Match, number: int, fields: FieldsSent) -> DealCorrected:
    """Return the correction in the form. Missing fields keep the settled values."""
    correction = _typed_ending(match, number, fields)
    typed_scores = {
        player: fields.number(f"score{place}", default=correction.scores.get(player))
        for place, player in enumerate(match.game.players)
    }
    scores = {player: score for player, score in typed_scores.items() if score is not None}
    return replace(correction, scores=scores)


def _typed_ending(match: Match, number: int, fields: FieldsSent) -> DealCorrected:
    """Return the settled deal with the winner and the way to win that the form names."""
    last_entry, past = _last_entry(match, number), match.past_deal(number)
    if past is None:
        abort(404)
    settled_values = _make_empty_correction(last_entry, number)
    winner = settled_values.winner
    won_by = (past.state.ending or Ending(None)).won_by
    winner_number = fields.place("who", min_value=-1, default=None)
    if winner_number is not None:
        winner = player_at(match, winner_number) if winner_number >= 0 else None
    if "won_by" in fields:
        won_by = fields.choice("won_by", ways_to_win())
    return replace(settled_values, winner=winner, won_by=won_by)


def _find_match(match: str) -> Match:
    """Return the match of an address; without one, that at the phone's table."""
    return match_to_correct(match) if match else current_match()


def _last_entry(match: Match, number: int) -> Happening:
    """Return an entry as it last counted. Answer 404 if there is no such entry."""
    return latest_entries(match).get(number) or abort(404)


def _make_empty_correction(last_entry: object, number: int) -> DealCorrected:
    """Return the correction that leaves a deal unchanged."""
    if isinstance(last_entry, WonDeal):
        return DealCorrected(number, winner=last_entry.winner, scores=last_entry.scores)
    return DealCorrected(number)


def _match_with(match: Match, correction: DealCorrected) -> Match:
    """Return the match with the correction; if that is invalid, the match without it."""
    try:
        return apply_correction(match, correction)
    except ScorerError:
        if match.row(correction.number):
            return match
    return apply_correction(
        match, _make_empty_correction(_last_entry(match, correction.number), correction.number)
    )


def _find_deal(match: Match, number: int) -> Deal:
    row = match.row(number)
    if row is None or row.deal is None:
        abort(404)
    return row.deal


def _deal_title(deal: Deal) -> str:
    return say("table.deal", number=deal.number)


def _form_fields(match: Match, correction: DealCorrected) -> dict[str, Any]:
    """Return a correction as form fields."""
    if correction.struck:
        return {"struck": 1}
    winner = correction.winner
    fields: dict[str, Any] = {
        "who": -1 if winner is None else player_number(match, winner),
        "won_by": correction.won_by,
    }
    if winner is None:
        return fields
    return fields | {
        f"score{player_number(match, player)}": score for player, score in correction.scores.items()
    }
