"""Play a tournament at the club's tables: choose them, begin a round's matches, and take results.

A phone that scans the code of a table then finds the match there with its players seated. The
result of a table can be typed, taken from its match, or corrected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, abort, render_template, request, url_for
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
from device.i18n.words import say, sign_amount
from device.matches.match import Match
from device.store.events import MatchBegun, ResultGiven, TablesChosen
from device.views.club.tournament import RoundView, format_clock_time, result_views, round_view
from device.web.club.organiser import is_organiser
from device.web.club.tournaments import tournaments
from device.web.contexts import records, room
from device.web.cookies import keep_cookie
from device.web.fields import FieldError, form
from device.web.links import redirect_to
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
    record = tournaments().get(tournament)
    table_choice = record.played_at
    if table_choice is None:
        return _tables_page(record, propose_match())
    proposal = MatchBegun(
        (),
        records().rulesets.offered_key(table_choice.ruleset),
        table_choice.limit,
        table_choice.house,
    )
    return _tables_page(record, proposal)


@tournament_tables_pages.post("/")
def choose(tournament: str) -> AnyResponse | tuple[str, int]:
    """Save the choice. If a round is drawn already, begin its matches at once."""
    record = tournaments().get(tournament)
    rules = read_rules()
    choice = TablesChosen(
        tables=tuple(_chosen_table(number) for number in range(_max_tables(record))),
        ruleset=records().rulesets.pin_version(rules.ruleset),
        limit=rules.limit,
        house=rules.house,
        by=phone_player_name(),
    )
    try:
        tournaments().change(tournament, choice)
    except TournamentRefusedError as error:
        return _tables_page(record, rules, choice.tables, say(error.message)), _REFUSED_STATUS
    return (
        _begin_matches(tournament)
        if record.current
        else redirect_to("tournament.show", tournament=tournament)
    )


@tournament_tables_pages.post("/begin")
def begin(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the round's matches at the chosen tables. If none are chosen, ask for them first."""
    record = tournaments().get(tournament)
    if record.played_at is None:
        return redirect_to("tournament_tables.show", tournament=tournament)
    return _begin_matches(tournament)


def _begin_matches(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the matches and the clock, or show the tables at which others are playing."""
    record = tournaments().get(tournament)
    round_at, table_choice = (
        RoundMatches(tournaments(), room().matches, tournament),
        current_tables(record),
    )
    occupied_tables = round_at.occupied_tables(table_choice)
    if occupied_tables and not form().flag("end"):
        names_by_id = room().tables.names()
        names = ", ".join(names_by_id[table] for table in occupied_tables)
        return render_template("club/tournament_taken.html", now=record, tables=names), 409
    round_at.begin(table_choice, _stand_in_name, author=phone_player_name())
    current = tournaments().get(tournament).current
    if current and current.matches and current.clock is None:
        seconds = record.minutes * 60
        tournaments().set_clock(tournament, current.number, seconds, author=phone_player_name())
    return redirect_to("tournament.show", tournament=tournament)


def current_tables(tournament: Tournament) -> TournamentTables:
    """Return the tournament's chosen tables, without those that were removed since."""
    table_ids = {each.id for each in room().tables.list_tables()}
    table_choice = tournament.played_at or TournamentTables((), "", None, ())
    tables = tuple(table if table in table_ids else "" for table in table_choice.tables)
    return replace(table_choice, tables=tables)


def table_names(tournament: Tournament) -> Mapping[int, str]:
    """Return the names of the chosen tables, by their numbers in the tournament."""
    names = room().tables.names() if tournament.played_at else {}
    chosen_tables = enumerate(tournament.played_at.tables if tournament.played_at else (), 1)
    return {number: names[table] for number, table in chosen_tables if table in names}


def view_round(
    tournament: Tournament, shown_tournament: Tournament, tournament_round: TournamentRound
) -> RoundView:
    """Return a drawn round with its matches; one that is closed names no tables of the club."""
    names = {} if tournament_round.closed else table_names(tournament)
    tables = round_tables(tournament, tournament_round, room().matches)
    return round_view(shown_tournament, tournament_round.number, names, tables)


def _stand_in_name(number: int) -> str:
    name = say("club.tournament.stand-in")
    return name if number == 1 else f"{name} {number}"


def _max_tables(tournament: Tournament) -> int:
    """Return the most tables that a round has or may have after somebody joins."""
    round_sizes = [len(each.tables) for each in (*tournament.seats[-1:], *tournament.plan)]
    return max(round_sizes, default=0)


def _chosen_table(number: int) -> str:
    table_ids = [each.id for each in room().tables.list_tables()]
    return form().choice(f"table{number}", ["", *table_ids], "")


def _tables_page(
    tournament: Tournament, proposal: MatchBegun, typed_tables: Sequence[str] = (), wrong: str = ""
) -> str:
    club_tables = room().tables.list_tables()
    number = _max_tables(tournament)
    chosen_tables = current_tables(tournament).tables if tournament.played_at else ()
    tables = propose_tables(club_tables, number) if tournament.played_at is None else chosen_tables
    return render_template(
        "club/tournament_at.html",
        now=tournament,
        tables=[*(typed_tables or tables), *[""] * number][:number],
        wrong=wrong,
        laid=[(each.id, each.name) for each in club_tables],
        asked=proposal,
        rulesets=ruleset_choices(proposal.house),
    )


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
    record = tournaments().get(tournament)
    return _result_page(record, _find_round(record, number, table), table, "")


@tournament_table_pages.post("/")
def give(tournament: str, number: int, table: int) -> AnyResponse | tuple[str, int]:
    """Save the result that was typed, or show what is wrong with it."""
    record = tournaments().get(tournament)
    tournament_round = _round_to_give(record, number, table)
    try:
        if unclear := _unclear_seats():
            page = _result_page(record, tournament_round, table, say("club.refused.sign"), unclear)
            return page, _REFUSED_STATUS
        return _save_result(record, tournament_round, table, _typed_points(record), "")
    except (FieldError, TournamentRefusedError) as error:
        return _result_page(record, tournament_round, table, say(error.message)), _REFUSED_STATUS


@tournament_table_pages.post("/take")
def take(tournament: str, number: int, table: int) -> AnyResponse | tuple[str, int]:
    """Take the result from a match of the table's four players."""
    record = tournaments().get(tournament)
    tournament_round, match = _round_to_give(record, number, table), form().word("match")
    names = _seat_names(record, tournament_round, table)
    try:
        is_round_match = bool(match) and match == tournament_round.match(table)
        points = final_gains(room().matches.get(match), names, is_from_tournament=is_round_match)
        return _save_result(record, tournament_round, table, points, match)
    except TournamentRefusedError as error:
        return _result_page(record, tournament_round, table, say(error.message)), _REFUSED_STATUS


def _save_result(
    tournament: Tournament,
    tournament_round: TournamentRound,
    table: int,
    points: FourPoints,
    match: str,
) -> AnyResponse:
    event = ResultGiven(
        tournament_round.number,
        table,
        points,
        match=match,
        why=form().text("why", MAX_REASON_CHARS) if tournament_round.closed else "",
        seen=_results_seen(),
        by=_typed_author(),
    )
    before = tournament_round.result(table - 1)
    if before and (before.points, before.match) == (points, match):  # the form was sent twice
        return _redirect_after_result(tournament, tournament_round)
    tournaments().change(tournament.id, event)
    answer = _redirect_after_result(tournament, tournament_round)
    if not tournament_round.closed and (
        proof := _result_proof(tournament, tournament_round, table, event.seen + 1)
    ):
        page = url_for(
            "tournament_table.show",
            tournament=tournament.id,
            number=tournament_round.number,
            table=table,
        )
        keep_cookie(answer, RESULT_COOKIE, proof, age_s=_COOKIE_AGE_S, path=page)
    return answer


def _typed_author() -> str:
    """Return the name in the form of who decides the result; without one, the phone's player."""
    return form().text("by", MAX_NAME_CHARS) or phone_player_name()


def _redirect_after_result(
    tournament: Tournament, tournament_round: TournamentRound
) -> AnyResponse:
    if tournament_round.closed:
        return redirect_to(
            "tournament.round_page", tournament=tournament.id, number=tournament_round.number
        )
    return redirect_to("tournament.show", tournament=tournament.id)


def _round_to_give(tournament: Tournament, number: int, table: int) -> TournamentRound:
    """Return the round if this phone may give the table's result; else ask for the PIN."""
    tournament_round = _find_round(tournament, number, table)
    if not _may_give(tournament, tournament_round, table, _results_seen()):
        require_role(Role.ORGANISER)
    return tournament_round


def _results_seen() -> int:
    """Return the number of results that the phone's page showed for the table."""
    return form().place("seen", default=0)


def _may_give(
    tournament: Tournament, tournament_round: TournamentRound, table: int, result_count: int
) -> bool:
    """Whether this phone may give the table's next result, after `result_count` earlier ones.

    Until the round is closed, anybody may give the first result, and the phone that gave the newest
    may correct it. An organiser always may.
    """
    has_given_newest = is_same_secret(
        _result_proof(tournament, tournament_round, table, result_count),
        request.cookies.get(RESULT_COOKIE, ""),
    )
    return is_organiser() or (
        not tournament_round.closed and (not result_count or has_given_newest)
    )


def _result_proof(
    tournament: Tournament, tournament_round: TournamentRound, table: int, count: int
) -> str:
    """Return the cookie value of the phone that gave the result number `count` of the table."""
    text = f"result {tournament.id} {tournament_round.drawn_by} {table} {count}"
    return organiser_proof(records().settings.read(), text)


def _typed_points(tournament: Tournament) -> FourPoints:
    """Return the points that were typed. One that is left out follows from the other three."""
    typed_numbers = [_signed_points(seat) for seat in range(4)]
    known_points = [each for each in typed_numbers if each is not None]
    if any(abs(each) > MAX_SCORE_POINTS for each in known_points):
        raise TournamentRefusedError("too-much", most=MAX_SCORE_POINTS)
    if len(known_points) < 3 + (not tournament.zero_sum):
        raise TournamentRefusedError("not-four")
    east, south, west, north = (
        -sum(known_points) if each is None else each for each in typed_numbers
    )
    return east, south, west, north


def _signed_points(seat: int) -> int | None:
    """Return the typed number with its own sign, or negative if `lost` was chosen beside it."""
    number = form().number(f"points{seat}", default=None)
    is_loss = form().choice(f"sign{seat}", ("won", "lost"), "won") == "lost"
    return -abs(number) if is_loss and number is not None else number


def _points_field(seat: int, stored_number: int | None) -> tuple[str, bool]:
    """Return what a seat's field shows, as it was typed if it was, and whether it is a loss."""
    text = form().typed_number(f"points{seat}")
    if not any(form().word(f"points{each}") for each in range(4)):
        text = "" if stored_number is None else str(stored_number)
    is_loss = text[:1] in ("-", "\N{MINUS SIGN}")
    return text[is_loss:], is_loss or form().word(f"sign{seat}") == "lost"


def _unclear_seats() -> tuple[int, ...]:
    """Return the seats whose number has a minus sign beside the answer `won`."""
    return tuple(
        seat
        for seat in range(4)
        if form().choice(f"sign{seat}", ("won", "lost", ""), "") == "won"
        and (_signed_points(seat) or 0) < 0
    )


def _find_round(tournament: Tournament, number: int, table: int) -> TournamentRound:
    tournament_round = tournament.round(number)
    if tournament_round is None or not 1 <= table <= len(tournament_round.given):
        abort(404)
    return tournament_round


def _seat_names(
    tournament: Tournament, tournament_round: TournamentRound, table: int
) -> tuple[str | None, ...]:
    return names_in_round(
        tournament, tournament_round.number, tournament_round.seats.tables[table - 1]
    )


def _result_page(
    tournament: Tournament,
    tournament_round: TournamentRound,
    table: int,
    wrong: str,
    unclear: Sequence[int] = (),
) -> str:
    """Return a table's page, with what was typed.

    Of `unclear` seats it asks whether they won or lost what was typed.
    """
    gate, number = name_gate(), tournament_round.number
    shown_tournament = gate.tournament_in_round(tournament, number, table)
    results = shown_tournament.drawn[number - 1].given[table - 1]
    names = _seat_names(shown_tournament, tournament_round, table)
    matches = _matches_to_take(
        tournament_round, table, _seat_names(tournament, tournament_round, table)
    )
    result = tournament_round.result(table - 1)
    stored_points = result.points if result else (None,) * 4
    return render_template(
        "club/tournament_table.html",
        now=shown_tournament,
        found=tournament_round,
        table=view_round(tournament, shown_tournament, tournament_round).tables[table - 1],
        fields=[_points_field(seat, points) for seat, points in enumerate(stored_points)],
        unclear=unclear,
        given=result_views(results),
        matches=[
            _match_choice(gate.match_in_round(each, tournament, number, table)) for each in matches
        ],
        may_give=_may_give(
            tournament, tournament_round, table, len(tournament_round.given[table - 1])
        ),
        can_begin=None not in names,
        names=names,
        wrong=wrong,
        by=_typed_author(),
        why=form().text("why", MAX_REASON_CHARS),
        longest=MAX_NAME_CHARS,
        longest_reason=MAX_REASON_CHARS,
    )


def _matches_to_take(
    tournament_round: TournamentRound, table: int, names: Sequence[str | None]
) -> tuple[Match, ...]:
    """Return the matches whose result may be taken: that which began for the table comes first."""
    match_id = tournament_round.match(table)
    round_match = room().matches.get_if_whole(match_id) if match_id else None
    other_matches = find_matches(records().store, room().matches, names)
    return (*filter(None, (round_match,)), *(each for each in other_matches if each.id != match_id))


def _match_choice(match: Match) -> dict[str, object]:
    gains = (
        f"{player} {sign_amount(total - match.game.first_tallies)}"
        for player, total in match.course.totals.items()
    )
    return {
        "id": match.id,
        "ended": match.ended,
        "says": " · ".join(gains),
        "time": format_clock_time(match.begun_at) if match.begun_at else "",
    }
