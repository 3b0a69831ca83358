"""Play a tournament at the club's tables: choose them, begin a round's matches, and take results.

A phone that scans the code of a table then finds the match there with its players seated. The
result of a table can be typed, taken from its match, or corrected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.access import is_same_secret, organiser_proof
from device.club.tournament.match_results import (
    RoundMatches,
    final_gains,
    find_matches,
    propose_tables,
    round_tables,
)
from device.club.tournament.replay import TournamentRefusedError
from device.club.tournament.tournament import (
    Tournament,
    TournamentRound,
    TournamentTables,
    names_in_round,
)
from device.i18n.words import say, signed
from device.matches.match import Match
from device.store.events import MatchBegun, ResultGiven, TablesChosen
from device.views.club.tournament import RoundView, format_clock_time, result_views, round_view
from device.web.box import box
from device.web.club.organiser import is_organiser
from device.web.club.tournaments import tournaments
from device.web.fields import form
from device.web.name_gate import name_gate
from device.web.permissions import Role, require_role
from device.web.phone_identity import phone_player_name
from device.web.table.match_form import MAX_NAME_CHARS, propose_match, read_rules, ruleset_choices
from scorer.match.settlement import MAX_SCORE_POINTS

tournament_tables_pages = Blueprint(
    "tournament_tables", __name__, url_prefix="/club/tournaments/<id:tournament>/tables"
)


@tournament_tables_pages.get("/")
def show(tournament: str) -> str:
    """Ask at which of the club's tables the rounds are played, and by which rules."""
    now = tournaments().get(tournament)
    at = now.played_at
    if at is None:
        return _tables_page(now, propose_match())
    asked = MatchBegun((), box().rulesets.offered_key(at.ruleset), at.limit, at.house)
    return _tables_page(now, asked)


@tournament_tables_pages.post("/")
def choose(tournament: str) -> AnyResponse | tuple[str, int]:
    """Save the choice. If a round is drawn already, begin its matches at once."""
    now = tournaments().get(tournament)
    rules = read_rules()
    chosen = TablesChosen(
        tables=tuple(_chosen_table(number) for number in range(_max_tables(now))),
        ruleset=box().rulesets.pin_version(rules.ruleset),
        limit=rules.limit,
        house=rules.house,
        by=phone_player_name(),
    )
    tournaments().change(tournament, chosen)
    return _begin_matches(tournament) if now.current else _redirect_to_tournament(tournament)


@tournament_tables_pages.post("/begin")
def begin(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the round's matches at the chosen tables. If none are chosen, ask for them first."""
    now = tournaments().get(tournament)
    if now.played_at is None:
        return redirect(url_for("tournament_tables.show", tournament=tournament), 303)
    return _begin_matches(tournament)


def _begin_matches(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the matches and the clock, or show the tables at which others are playing."""
    now = tournaments().get(tournament)
    round_at, at = RoundMatches(tournaments(), box().matches, tournament), current_tables(now)
    others = round_at.occupied_tables(at)
    if others and not form().flag("end"):
        called = box().tables.names()
        names = ", ".join(called[table] for table in others)
        return render_template("club/tournament_taken.html", now=now, tables=names), 409
    round_at.begin(at, _stand_in_name, by=phone_player_name())
    current = tournaments().get(tournament).current
    if current and current.matches and current.clock is None:
        seconds = now.minutes * 60
        tournaments().set_clock(tournament, current.number, seconds, by=phone_player_name())
    return _redirect_to_tournament(tournament)


def current_tables(now: Tournament) -> TournamentTables:
    """Return the tournament's chosen tables, without those that were removed since."""
    laid = {each.id for each in box().tables.list_tables()}
    chosen = now.played_at or TournamentTables((), "", None, ())
    tables = tuple(table if table in laid else "" for table in chosen.tables)
    return replace(chosen, tables=tables)


def table_names(now: Tournament) -> Mapping[int, str]:
    """Return the names of the chosen tables, by their numbers in the tournament."""
    names = box().tables.names() if now.played_at else {}
    chosen = enumerate(now.played_at.tables if now.played_at else (), 1)
    return {number: names[table] for number, table in chosen if table in names}


def _stand_in_name(number: int) -> str:
    said = say("club.tournament.stand-in")
    return said if number == 1 else f"{said} {number}"


def _max_tables(now: Tournament) -> int:
    """Return the most tables that a round has or may have after somebody joins."""
    planned = [len(each.tables) for each in (*now.seats[-1:], *now.plan)]
    return max(planned, default=0)


def _chosen_table(number: int) -> str:
    laid = [each.id for each in box().tables.list_tables()]
    return form().choice(f"table{number}", ["", *laid], "")


def _tables_page(now: Tournament, asked: MatchBegun) -> str:
    laid = box().tables.list_tables()
    number = _max_tables(now)
    chosen = current_tables(now).tables if now.played_at else ()
    tables = propose_tables(laid, number) if now.played_at is None else chosen
    return render_template(
        "club/tournament_at.html",
        now=now,
        tables=[*tables, *[""] * number][:number],
        laid=[(each.id, each.name) for each in laid],
        asked=asked,
        rulesets=ruleset_choices(asked.house),
    )


def _redirect_to_tournament(tournament: str) -> AnyResponse:
    return redirect(url_for("tournament.show", tournament=tournament), 303)


tournament_table_pages = Blueprint(
    "tournament_table",
    __name__,
    url_prefix="/club/tournaments/<id:tournament>/round/<int:number>/table/<int:table>",
)

MAX_REASON_CHARS = 120

RESULT_COOKIE = "tongbox-result"
"""The cookie of a phone that gave a table's result, sent to the pages of that table only."""

_COOKIE_AGE_S = 24 * 3600

_REFUSED_STATUS = 422

FourPoints = tuple[int, int, int, int]


@tournament_table_pages.get("/", endpoint="show")
def show_table(tournament: str, number: int, table: int) -> str:
    """Show a table with the form for its result."""
    now = tournaments().get(tournament)
    return _result_page(now, _find_round(now, number, table), table, "")


@tournament_table_pages.post("/")
def give(tournament: str, number: int, table: int) -> AnyResponse | tuple[str, int]:
    """Save the result that was typed, or show what is wrong with it."""
    now = tournaments().get(tournament)
    found = _round_to_give(now, number, table)
    try:
        return _save_result(now, found, table, _typed_points(now), "")
    except TournamentRefusedError as error:
        return _result_page(now, found, table, say(error.message)), _REFUSED_STATUS


@tournament_table_pages.post("/take")
def take(tournament: str, number: int, table: int) -> AnyResponse | tuple[str, int]:
    """Take the result from a match of the table's four players."""
    now = tournaments().get(tournament)
    found, match = _round_to_give(now, number, table), form().word("match")
    names = _seat_names(now, found, table)
    try:
        theirs = bool(match) and match == found.match(table)
        points = final_gains(box().matches.get(match), names, began_for_them=theirs)
        return _save_result(now, found, table, points, match)
    except TournamentRefusedError as error:
        return _result_page(now, found, table, say(error.message)), _REFUSED_STATUS


def _save_result(
    now: Tournament, found: TournamentRound, table: int, points: FourPoints, match: str
) -> AnyResponse:
    event = ResultGiven(
        found.number,
        table,
        points,
        match=match,
        why=form().text("why", MAX_REASON_CHARS) if found.closed else "",
        seen=_results_seen(),
        by=form().text("by", MAX_NAME_CHARS) or phone_player_name(),
    )
    before = found.result(table - 1)
    if before and (before.points, before.match) == (points, match):  # the form was sent twice
        return _redirect_after_result(now, found)
    tournaments().change(now.id, event)
    answer = _redirect_after_result(now, found)
    if not found.closed and (proof := _result_proof(now, found, table, event.seen + 1)):
        page = url_for("tournament_table.show", tournament=now.id, number=found.number, table=table)
        answer.set_cookie(
            RESULT_COOKIE, proof, _COOKIE_AGE_S, path=page, httponly=True, samesite="Strict"
        )
    return answer


def _redirect_after_result(now: Tournament, found: TournamentRound) -> AnyResponse:
    if found.closed:
        return redirect(
            url_for("tournament.round_page", tournament=now.id, number=found.number), 303
        )
    return redirect(url_for("tournament.show", tournament=now.id), 303)


def _round_to_give(now: Tournament, number: int, table: int) -> TournamentRound:
    """Return the round if this phone may give the table's result; else ask for the PIN."""
    found = _find_round(now, number, table)
    if not _may_give(now, found, table, _results_seen()):
        require_role(Role.ORGANISER)
    return found


def _results_seen() -> int:
    """Return the number of results that the phone's page showed for the table."""
    return form().place("seen", default=0)


def _may_give(now: Tournament, found: TournamentRound, table: int, seen: int) -> bool:
    """Whether this phone may give the table's next result, after `seen` earlier ones.

    Until the round is closed, anybody may give the first result, and the phone that gave the newest
    may correct it. An organiser always may.
    """
    gave_newest = is_same_secret(
        _result_proof(now, found, table, seen), request.cookies.get(RESULT_COOKIE, "")
    )
    return is_organiser() or (not found.closed and (not seen or gave_newest))


def _result_proof(now: Tournament, found: TournamentRound, table: int, count: int) -> str:
    """Return the cookie value of the phone that gave the result number `count` of the table."""
    what = f"result {now.id} {found.drawn_by} {table} {count}"
    return organiser_proof(box().settings.now(), what)


def _typed_points(now: Tournament) -> FourPoints:
    """Return the points that were typed. One that is left out follows from the other three."""
    said = [_signed_points(seat) for seat in range(4)]
    known = [each for each in said if each is not None]
    if any(abs(each) > MAX_SCORE_POINTS for each in known):
        raise TournamentRefusedError("too-much", most=MAX_SCORE_POINTS)
    if len(known) < 3 + (not now.zero_sum):
        raise TournamentRefusedError("not-four")
    east, south, west, north = (-sum(known) if each is None else each for each in said)
    return east, south, west, north


def _signed_points(seat: int) -> int | None:
    """Return the typed number with its own sign, or negative if `lost` was chosen beside it."""
    number = form().number(f"points{seat}", default=None)
    lost = form().choice(f"sign{seat}", ("won", "lost"), "won") == "lost"
    return -abs(number) if lost and number is not None else number


def _find_round(now: Tournament, number: int, table: int) -> TournamentRound:
    found = now.round(number)
    if found is None or not 1 <= table <= len(found.given):
        abort(404)
    return found


def _seat_names(now: Tournament, found: TournamentRound, table: int) -> tuple[str | None, ...]:
    return names_in_round(now, found.number, found.seats.tables[table - 1])


def _result_page(now: Tournament, found: TournamentRound, table: int, wrong: str) -> str:
    gate, number = name_gate(), found.number
    shown = gate.tournament_in_round(now, number, table)
    given = shown.drawn[number - 1].given[table - 1]
    names = _seat_names(shown, found, table)
    matches = _matches_to_take(found, table, _seat_names(now, found, table))
    result = found.result(table - 1)
    return render_template(
        "club/tournament_table.html",
        now=shown,
        found=found,
        table=_round_view(now, shown, found).tables[table - 1],
        points=result.points if result else (None,) * 4,
        given=result_views(given),
        matches=[_match_choice(gate.match_in_round(each, now, number, table)) for each in matches],
        may_give=_may_give(now, found, table, len(found.given[table - 1])),
        can_begin=None not in names,
        names=names,
        wrong=wrong,
        by=phone_player_name(),
        longest=MAX_NAME_CHARS,
        longest_reason=MAX_REASON_CHARS,
    )


def _round_view(now: Tournament, shown: Tournament, found: TournamentRound) -> RoundView:
    names = {} if found.closed else table_names(now)
    return round_view(shown, found.number, names, round_tables(now, found, box().matches))


def _matches_to_take(
    found: TournamentRound, table: int, names: Sequence[str | None]
) -> tuple[Match, ...]:
    """Return the matches whose result may be taken: that which began for the table comes first."""
    begun = found.match(table)
    theirs = box().matches.get_if_whole(begun) if begun else None
    others = find_matches(box().hands.store, box().matches, names)
    return (*filter(None, (theirs,)), *(each for each in others if each.id != begun))


def _match_choice(match: Match) -> dict[str, object]:
    gains = (
        f"{player} {signed(total - match.game.first_tallies)}"
        for player, total in match.course.totals.items()
    )
    return {
        "id": match.id,
        "ended": match.ended,
        "says": " · ".join(gains),
        "time": format_clock_time(match.begun_at) if match.begun_at else "",
    }
