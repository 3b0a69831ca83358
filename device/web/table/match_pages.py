"""A match as a whole: its history and score sheets, its end, and the next match.

Ending a match is asked first. Then every phone shows the final table, and what may follow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.match_results import OutdatedResult, find_outdated_result
from device.club.tournament.repository import TournamentRepository
from device.i18n.words import day_of, describe_rules, wind_name
from device.matches.corrections import find_recounts
from device.matches.match import Match, MatchAction
from device.matches.repository import CORRECTION_KINDS, MATCHES_PER_PAGE
from device.matches.score_sheet import match_sheet
from device.matches.summary import final_result
from device.matches.undoing import find_stale_hand, redo_action, undo_action
from device.store import TornEventError
from device.store.events import MatchEnded
from device.views.box_health import torn_line
from device.views.table.history import (
    describe_payment,
    describe_result,
    describe_winners,
    history_entries,
    history_part,
    last_done,
    last_undone,
)
from device.views.table.match_graph import match_graph, shorten_names
from device.web.contexts import records, room
from device.web.fields import MAX_SEQ, form, query
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.printing import results_response
from device.web.table.current_match import (
    change_match,
    check_page_match,
    current_match,
    phone_player,
    player_number,
    players_numbered,
    seen_version,
)

if TYPE_CHECKING:
    from device.paper.result_files import Results

history_pages = Blueprint("history", __name__)


@history_pages.get("/table/history")
def here() -> AnyResponse:
    """Redirect to the history of the current match."""
    return redirect(url_for("history.show", match=current_match().id))


@history_pages.get("/match/<id:match>/")
def show(match: str) -> str:
    """Show the newest part of a match's history, or an earlier part up to an entry."""
    readable_match, torn_event = _readable_part(match)
    shown_match = name_gate().match(readable_match)
    part = history_part(shown_match, query().place("until", default=0))
    sheet = match_sheet(shown_match, part.numbers)
    recounts = find_recounts(shown_match, part.numbers, records().hands)
    running_match = room().matches.current()
    is_on = running_match is not None and running_match.id == match
    return render_template(
        "table/history.html",
        match=shown_match,
        is_on=is_on,
        may_correct=not torn_event and not name_gate().hides_players(readable_match),
        sheet=sheet,
        day=day_of(sheet.begun) if sheet.begun else "",
        rules=describe_rules(shown_match.agreement.rules),
        table=room().tables.find_even_cleared(shown_match.table),
        entries=history_entries(shown_match, sheet.entries, recounts, records().hands),
        describe_payment=describe_payment,
        part=part,
        names=shorten_names(shown_match.game.players),
        graph=match_graph(shown_match),
        done=last_done(shown_match)
        if is_on or _is_late_correction(readable_match, _last_action(readable_match))
        else None,
        undone=last_undone(shown_match)
        if is_on or _is_late_correction(readable_match, readable_match.undone)
        else None,
        stale_hand=find_stale_hand(readable_match, records().hands),
        torn=torn_line(torn_event) if torn_event else None,
        outdated=_outdated_result(readable_match),
    )


@history_pages.post("/match/<id:match>/undo")
def undo(match: str) -> AnyResponse:
    """Undo the last change, whatever it was."""
    player = _history_player(match, _last_action)
    undo_action(room().matches, records().hands, match, form().seq(default=-1), player)
    return redirect_to("history.show", match=match)


@history_pages.post("/match/<id:match>/redo")
def redo(match: str) -> AnyResponse:
    """Redo the change that was undone last."""
    player = _history_player(match, lambda old_match: old_match.undone)
    redo_action(room().matches, records().hands, match, form().seq(default=-1), player)
    return redirect_to("history.show", match=match)


def _outdated_result(match: Match) -> OutdatedResult | None:
    """Return the tournament's result of this match, if that was put right since."""
    if not match.ended or not match.table:
        return None
    tournament = TournamentRepository(records().store).of_match(match.id)
    return find_outdated_result(tournament, match)


def _history_player(match: str, action: Callable[[Match], MatchAction | None]) -> str:
    """Return the player whose phone takes an action back, or repeats it.

    Of a match that is over this may be a late correction alone. Answers 404 for any other.
    """
    old_match = room().matches.get(match)
    if not _is_late_correction(old_match, action(old_match)):
        old_match = current_match()
    if old_match.id != match:
        abort(404)
    return phone_player(old_match)


def _last_action(match: Match) -> MatchAction | None:
    return match.doings[-1] if match.doings else None


def _is_late_correction(match: Match, action: MatchAction | None) -> bool:
    """Whether an action puts right a match that is over."""
    return match.ended and action is not None and action.kind in CORRECTION_KINDS


@history_pages.get("/matches")
def every() -> str:
    """List all matches, the newest first, in parts."""
    skip = query().place("skip", MAX_SEQ, default=0)
    listing, names, gate = room().matches.list_page(skip), room().tables.names(), name_gate()
    return render_template(
        "table/matches.html",
        matches=[(each, describe_result(each)) for each in map(gate.summary, listing.matches)],
        tables=names,
        torn=[torn_line(each) for each in listing.torn],
        earlier=skip + MATCHES_PER_PAGE if listing.more else None,
        later=max(skip - MATCHES_PER_PAGE, 0) if skip else None,
    )


@history_pages.get("/match/<id:match>/score-sheet.<kind>")
def sheet(match: str, kind: str) -> Response:
    """Return a match as CSV or a workbook, as JSON with one object per line, or as PDF."""
    from device.paper.result_files import match_results

    def load() -> Results:
        shown_match = name_gate().for_everybody.match(_readable_part(match)[0])
        return match_results(shown_match, room().tables.name_on_sheets(shown_match.table))

    return results_response(load, kind, match)


def _readable_part(match: str) -> tuple[Match, TornEventError | None]:
    """Return a match up to its first damaged event, and the error of that event."""
    readable_match = room().matches.state_so_far(match)
    return readable_match.record or room().matches.get(match), readable_match.torn_error


over_pages = Blueprint("over", __name__)

WHILE_ON_FIELD = "while-on"
"""Query field with which a page that outlasts its match, such as a hand's, reloads itself. Its
value is the match. When that is over, the page leads to the final table."""

_OLDER_VALUE = "yes"
"""The value that pages of an older version send: the current match."""


@over_pages.before_app_request
def lead_to_final() -> None:
    """Redirect a page that reloads itself to the final table once its match is over."""
    match_id = request.args.get(WHILE_ON_FIELD, "")
    if match_id == _OLDER_VALUE:
        current_match()
    match = room().matches.get_if_whole(match_id) if match_id not in ("", _OLDER_VALUE) else None
    if match and match.ended and room().matches.at_table(match.table).current() is None:
        abort(redirect(url_for("over.final", match=match.id)))


@over_pages.get("/table/end")
def ask() -> str:
    """Ask whether to end the match, and show its standing."""
    match = current_match()
    return render_template("table/end.html", match=match, final=final_result(match))


@over_pages.post("/table/end")
def end() -> AnyResponse:
    """End the match. If two phones do so, both see the final table."""
    current = room().matches.current()
    check_page_match(current)
    match = current or room().matches.find_newest()
    if match is None:
        match = current_match()  # raises what is wrong
    if not match.ended:
        change_match(match, MatchEnded(), seen_version())
    return redirect_to("over.final", match=match.id)


@over_pages.get("/match/<id:match>/final")
def final(match: str) -> str | AnyResponse:
    """Show the final table of a match. If it still goes on, redirect to the table."""
    shown_match = room().matches.get(match)
    if not shown_match.ended:
        return redirect(url_for("table.show"))
    is_here = shown_match.table == room().table
    names_hidden = name_gate().hides_players(shown_match)
    raw_match, shown_match = shown_match, name_gate().match(shown_match)
    final, log = final_result(shown_match), TournamentRepository(records().store)
    tournament_round = log.of_match(match) if shown_match.table else None
    return render_template(
        "table/final.html",
        match=shown_match,
        final=final,
        headline=describe_winners(final),
        graph=match_graph(shown_match),
        done=last_done(shown_match),
        late="late" in query(),
        is_newest=is_here and room().matches.is_newest(match),
        played_in=tournament_round,
        next_is_on=is_here and room().matches.current() is not None,
        names_hidden=names_hidden,
        outdated=find_outdated_result(tournament_round, raw_match),
    )


@over_pages.post("/match/<id:match>/resume")
def resume(match: str) -> AnyResponse:
    """Resume a match that was ended."""
    old_match = _match_to_replay(match)
    room().matches.resume(match, player=phone_player(old_match))
    return redirect_to("table.show")


@over_pages.get("/match/<id:match>/again")
def seats_anew(match: str) -> str | AnyResponse:
    """Ask for the seats of a new match with the same players, wind by wind."""
    old_match = _match_to_replay(match)
    if not old_match.ended:
        return redirect(url_for("table.show"))
    players = old_match.game.players
    chosen_players = players_numbered(
        old_match, query().numbers("order") if "order" in query() else ()
    )
    left = [player_number(old_match, player) for player in players if player not in chosen_players]
    order = [player_number(old_match, player) for player in chosen_players]
    winds = [wind_name(wind) for wind in old_match.course.next_deal.seats]
    return render_template(
        "table/again.html",
        match=old_match,
        wind=winds[min(len(chosen_players), len(winds) - 1)],
        seated=list(zip(winds, chosen_players, strict=False)),
        choices=[(players[number], _join_numbers(order, number)) for number in left],
        whole=[(players[n], _join_numbers(order, n, *(o for o in left if o != n))) for n in left],
        is_last=len(left) <= 2,  # then the last player takes the last seat
    )


@over_pages.post("/match/<id:match>/again")
def again(match: str) -> AnyResponse:
    """Begin a match with the same players and rules, in the same seats or others."""
    old_match = _match_to_replay(match)
    players = old_match.game.order_of_play
    if "order" in form():
        players = players_numbered(old_match, form().numbers("order"), everybody=True)
    matches = room().matches.at_table(old_match.table)
    newest_match = matches.newest_start()  # begin() refuses unless this is the match `after`
    if newest_match:
        like_it = structs.replace(newest_match, players=players, by=phone_player(old_match))
        matches.begin(like_it, after=match)
    return redirect_to("table.show")


def _match_to_replay(match: str) -> Match:
    """Return a match to go on with, or to begin again; raise HiddenNamesError."""
    old_match = room().matches.get(match)
    name_gate().check_replay(old_match)
    return old_match


def _join_numbers(order: list[int], *numbers: int) -> str:
    return " ".join(map(str, [*order, *numbers]))


@over_pages.app_template_global("while_on")
def while_on_url(match: str) -> str:
    """Return the address with which this page reloads itself while a match is on."""
    fields = [each for each in request.args.items(multi=True) if each[0] != WHILE_ON_FIELD]
    fields.append((WHILE_ON_FIELD, match))
    return f"{quote(request.path)}?{urlencode(fields)}"
