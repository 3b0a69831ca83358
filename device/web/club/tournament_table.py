"""The result of one table in a round: type it, take it from a match, or correct it."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.match_results import final_gains, find_matches, round_tables
from device.club.tournament.replay import TournamentRefusedError
from device.club.tournament.tournament import Tournament, TournamentRound, names_in_round
from device.i18n.names import Name
from device.i18n.words import say, signed
from device.matches.match import Match
from device.settings.access import is_same_secret, organiser_proof
from device.store.events import ResultGiven
from device.views.club.tournament import RoundView, format_clock_time, result_views, round_view
from device.web.box import box
from device.web.club.organiser import is_organiser
from device.web.club.tournament_tables import names_of_tables
from device.web.club.tournaments import tournaments
from device.web.club.whose import whose
from device.web.fields import form
from device.web.name_gate import name_gate
from device.web.permissions.check import require
from device.web.permissions.rows import Role
from device.web.table.begin import LONGEST_NAME
from scorer.match.settlement import MAX_SCORE_POINTS

pages = Blueprint(
    "tournament_table",
    __name__,
    url_prefix="/club/tournaments/<id:tournament>/round/<int:number>/table/<int:table>",
)

LONGEST_REASON = 120

GAVE = "tongbox-result"
"""The cookie of a phone that gave a table's result, sent to the pages of that table only."""

_DAY = 24 * 3600

_UNPLAYABLE = 422

Four = tuple[int, int, int, int]


@pages.get("/", endpoint="show")
def show_table(tournament: str, number: int, table: int) -> str:
    """Show a table with the form for its result."""
    now = tournaments().get(tournament)
    return _form(now, _round(now, number, table), table, "")


@pages.post("/")
def give(tournament: str, number: int, table: int) -> AnyResponse | tuple[str, int]:
    """Save the result that was typed, or show what is wrong with it."""
    now = tournaments().get(tournament)
    found = _to_give(now, number, table)
    try:
        return _kept(now, found, table, _typed(now), "")
    except TournamentRefusedError as error:
        return _form(now, found, table, say(error.message)), _UNPLAYABLE


@pages.post("/take")
def take(tournament: str, number: int, table: int) -> AnyResponse | tuple[str, int]:
    """Take the result from a match of the table's four players."""
    now = tournaments().get(tournament)
    found, match = _to_give(now, number, table), form().word("match")
    names = _names(now, found, table)
    try:
        theirs = bool(match) and match == found.match(table)
        points = final_gains(box().matches.get(match), names, began_for_them=theirs)
        return _kept(now, found, table, points, match)
    except TournamentRefusedError as error:
        return _form(now, found, table, say(error.message)), _UNPLAYABLE


def _kept(
    now: Tournament, found: TournamentRound, table: int, points: Four, match: str
) -> AnyResponse:
    event = ResultGiven(
        found.number,
        table,
        points,
        match=match,
        why=form().text("why", LONGEST_REASON) if found.closed else "",
        seen=_seen(),
        by=form().text("by", LONGEST_NAME) or whose(),
    )
    before = found.result(table - 1)
    if before and (before.points, before.match) == (points, match):  # the form was sent twice
        return _leave(now, found)
    tournaments().change(now.id, event)
    answer = _leave(now, found)
    if not found.closed and (proof := _proof(now, found, table, event.seen + 1)):
        page = url_for("tournament_table.show", tournament=now.id, number=found.number, table=table)
        answer.set_cookie(GAVE, proof, _DAY, path=page, httponly=True, samesite="Strict")
    return answer


def _leave(now: Tournament, found: TournamentRound) -> AnyResponse:
    if found.closed:
        return redirect(
            url_for("tournament.round_page", tournament=now.id, number=found.number), 303
        )
    return redirect(url_for("tournament.show", tournament=now.id), 303)


def _to_give(now: Tournament, number: int, table: int) -> TournamentRound:
    """Return the round if this phone may give the table's result; else ask for the PIN."""
    found = _round(now, number, table)
    if not _may_give(now, found, table, _seen()):
        require(Role.ORGANISER)
    return found


def _seen() -> int:
    """Return the number of results that the phone's page showed for the table."""
    return form().place("seen", default=0)


def _may_give(now: Tournament, found: TournamentRound, table: int, seen: int) -> bool:
    """Whether this phone may give the table's next result, after `seen` earlier ones.

    Until the round is closed, anybody may give the first result, and the phone that gave the newest
    may correct it. An organiser always may.
    """
    gave_newest = is_same_secret(_proof(now, found, table, seen), request.cookies.get(GAVE, ""))
    return is_organiser() or (not found.closed and (not seen or gave_newest))


def _proof(now: Tournament, found: TournamentRound, table: int, count: int) -> str:
    """Return the cookie value of the phone that gave the result number `count` of the table."""
    what = f"result {now.id} {found.drawn_by} {table} {count}"
    return organiser_proof(box().settings.now(), what)


def _typed(now: Tournament) -> Four:
    """Return the points that were typed. One that is left out follows from the other three."""
    said = [_signed(seat) for seat in range(4)]
    known = [each for each in said if each is not None]
    if any(abs(each) > MAX_SCORE_POINTS for each in known):
        raise TournamentRefusedError("too-much", most=MAX_SCORE_POINTS)
    if len(known) < 3 + (not now.zero_sum):
        raise TournamentRefusedError("not-four")
    east, south, west, north = (-sum(known) if each is None else each for each in said)
    return east, south, west, north


def _signed(seat: int) -> int | None:
    """Return the typed number with its own sign, or negative if `lost` was chosen beside it."""
    number = form().number(f"points{seat}", default=None)
    lost = form().choice(f"sign{seat}", ("won", "lost"), "won") == "lost"
    return -abs(number) if lost and number is not None else number


def _round(now: Tournament, number: int, table: int) -> TournamentRound:
    found = now.round(number)
    if found is None or not 1 <= table <= len(found.given):
        abort(404)
    return found


def _names(now: Tournament, found: TournamentRound, table: int) -> tuple[Name | None, ...]:
    return names_in_round(now, found.number, found.seats.tables[table - 1])


def _form(now: Tournament, found: TournamentRound, table: int, wrong: str) -> str:
    gate, number = name_gate(), found.number
    shown = gate.tournament_in_round(now, number, table)
    given = shown.drawn[number - 1].given[table - 1]
    names = _names(shown, found, table)
    matches = _matches(found, table, _names(now, found, table))
    result = found.result(table - 1)
    return render_template(
        "club/tournament_table.html",
        now=shown,
        found=found,
        table=_view(now, shown, found).tables[table - 1],
        points=result.points if result else (None,) * 4,
        given=result_views(given),
        matches=[_match(gate.match_in_round(each, now, number, table)) for each in matches],
        may_give=_may_give(now, found, table, len(found.given[table - 1])),
        can_begin=None not in names,
        names=names,
        wrong=wrong,
        by=whose(),
        longest=LONGEST_NAME,
        longest_reason=LONGEST_REASON,
    )


def _view(now: Tournament, shown: Tournament, found: TournamentRound) -> RoundView:
    names = {} if found.closed else names_of_tables(now)
    return round_view(shown, found.number, names, round_tables(now, found, box().matches))


def _matches(found: TournamentRound, table: int, names: Sequence[Name | None]) -> tuple[Match, ...]:
    """Return the matches that may give the result. The one begun for the table comes first."""
    begun = found.match(table)
    theirs = box().matches.get_if_whole(begun) if begun else None
    others = find_matches(box().hands.store, box().matches, names)
    return (*filter(None, (theirs,)), *(each for each in others if each.id != begun))


def _match(match: Match) -> dict[str, object]:
    gains = (
        f"{player} {signed(total - match.game.first_tallies)}"
        for player, total in match.course.totals.items()
    )
    return {
        "id": match.id,
        "ended": match.ended,
        "says": Name(" · ".join(gains)),
        "time": format_clock_time(match.begun_at) if match.begun_at else "",
    }
