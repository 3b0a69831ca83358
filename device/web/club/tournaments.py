"""The list of tournaments, the form to arrange one, and its players.

Players may join late, withdraw, return, be replaced, or have a misspelt name corrected.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.club.people import PeopleRepository
from device.club.tournament.replay import MAX_PLAYERS, MAX_ROUND_S, TournamentRefusedError
from device.club.tournament.repository import TournamentRepository, new_tournament_id
from device.club.tournament.schedule import MAX_ROUNDS, SEATS_PER_TABLE
from device.club.tournament.tournament import RankingBasis, Tournament
from device.i18n.names import fold_name
from device.i18n.words import say
from device.store.events import (
    EntrantRenamed,
    PlayerJoined,
    PlayerReplaced,
    PlayerReturned,
    PlayerWithdrawn,
    TournamentBegun,
    TournamentEvent,
)
from device.views.box_health import torn_line
from device.views.club.tournament import (
    describe_filling,
    describe_meetings,
    describe_state,
    format_day,
)
from device.web.contexts import records
from device.web.fields import FieldError, form
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.phone_identity import phone_player_name
from device.web.table.match_form import MAX_NAME_CHARS

tournaments_pages = Blueprint("tournaments", __name__, url_prefix="/club/tournaments")

MAX_TITLE_CHARS = 60

USUAL_NUMBERS: Mapping[str, int] = {
    "rounds": 4,
    "minutes": 90,
    **{f"place{n}": points for n, points in enumerate((4, 2, 1, 0))},
}
"""The proposal for a new tournament, an afternoon, by the form's fields."""

MAX_PLACE_POINTS = 1000
"""Most table points that the form takes for a place."""

_MAX_NUMBERS: Mapping[str, int] = {"rounds": MAX_ROUNDS, "minutes": MAX_ROUND_S // 60}
"""The largest number of the fields that are not of a place."""

RANKINGS: Mapping[str, RankingBasis] = {"total": "total", "places": "places", "both": "both"}
"""The ways to rank, by the form's value."""

_REFUSED_STATUS = 422


def tournaments() -> TournamentRepository:
    """Return the repository of tournaments."""
    return TournamentRepository(records().store)


@tournaments_pages.get("/")
def show() -> str:
    """List all tournaments, the newest first."""
    torn_lines = [torn_line(each) for each in tournaments().list_errors()]
    lines = [
        (each, format_day(each), describe_state(each)) for each in tournaments().list_tournaments()
    ]
    return render_template("club/tournaments.html", tournaments=lines, torn=torn_lines)


@tournaments_pages.get("/new")
def new() -> str:
    """Show the form for a new tournament."""
    numbers = USUAL_NUMBERS
    proposal = TournamentBegun("", (), numbers["rounds"], numbers["minutes"])
    return _new_page(proposal, new_tournament_id(), "")


@tournaments_pages.post("/new")
def begin() -> AnyResponse | tuple[str, int]:
    """Arrange a tournament, or show what is wrong with the form."""
    proposal, token = _typed_tournament(USUAL_NUMBERS), form().word("id")
    try:
        proposal = _typed_tournament(_typed_numbers())
        tournament = tournaments().begin(proposal, token)
    except (FieldError, TournamentRefusedError) as error:
        return _new_page(proposal, token, say(error.message)), _REFUSED_STATUS
    return redirect_to("tournament.show", tournament=tournament)


def _typed_numbers() -> Mapping[str, int]:
    """Return the numbers that were typed, the usual one for an empty field. Raise FieldError."""
    return {
        name: form().count(name, _MAX_NUMBERS.get(name, MAX_PLACE_POINTS), usual)
        for name, usual in USUAL_NUMBERS.items()
    }


def _typed_tournament(numbers: Mapping[str, int]) -> TournamentBegun:
    return TournamentBegun(
        name=form().text("name", MAX_TITLE_CHARS) or say("club.tournament.title"),
        players=_typed_players(),
        rounds=numbers["rounds"],
        minutes=numbers["minutes"],
        ranking=RANKINGS[form().choice("ranking", RANKINGS, "total")],
        places=tuple(numbers[f"place{n}"] for n in range(SEATS_PER_TABLE)),
        zero_sum=form().flag("zero_sum"),
        stand_ins=form().choice("filling", ("stand-ins", "out"), "stand-ins") == "stand-ins",
        by=phone_player_name(),
    )


def _typed_players() -> tuple[str, ...]:
    """Return the names that were typed, then those that were ticked and not typed."""
    typed_names = form().lines("players", MAX_NAME_CHARS, MAX_PLAYERS + 1)
    folded_names = {fold_name(name) for name in typed_names}
    ticked_names = form().texts("known", MAX_NAME_CHARS, MAX_PLAYERS)
    return (
        *typed_names,
        *(name for name in ticked_names if name and fold_name(name) not in folded_names),
    )


def _new_page(proposal: TournamentBegun, token: str, wrong: str) -> str:
    return render_template(
        "club/tournament_new.html",
        asked=proposal,
        typed={name: form().typed_number(name) for name in USUAL_NUMBERS},
        known=PeopleRepository(records().store).suggested_names(),
        token=token,
        wrong=wrong,
        most_rounds=_MAX_NUMBERS["rounds"],
        most_minutes=_MAX_NUMBERS["minutes"],
        most_points=MAX_PLACE_POINTS,
        most_players=MAX_PLAYERS,
        longest=MAX_TITLE_CHARS,
    )


tournament_players_pages = Blueprint(
    "tournament_players", __name__, url_prefix="/club/tournaments/<id:tournament>/players"
)

PLAYER_ACTIONS = ("join", "withdraw", "return", "replace", "rename")

_INVALID_PLAYER_STATUS = 422


@tournament_players_pages.get("/", endpoint="show")
def show_players(tournament: str) -> str:
    """Show all players, also those who left."""
    return _players_page(tournament, "")


@tournament_players_pages.post("/")
def change(tournament: str) -> AnyResponse | tuple[str, int]:
    """Let a player join, withdraw, return, be replaced or be renamed."""
    try:
        tournaments().change(tournament, _player_event(tournaments().get(tournament)))
    except TournamentRefusedError as error:
        return _players_page(tournament, say(error.message)), _INVALID_PLAYER_STATUS
    return redirect_to("tournament_players.show", tournament=tournament)


def _player_event(tournament: Tournament) -> TournamentEvent:
    wish = form().choice("wish", PLAYER_ACTIONS)
    if wish == "join":
        return PlayerJoined(form().text("name", MAX_NAME_CHARS), by=phone_player_name())
    player = form().place("player", MAX_PLAYERS)
    if wish == "withdraw":
        return PlayerWithdrawn(player, by=phone_player_name())
    if wish == "return":
        return PlayerReturned(player, by=phone_player_name())
    name = form().text("name", MAX_NAME_CHARS)
    if wish == "rename":
        return EntrantRenamed(player, name, by=phone_player_name())
    usual = next(iter(tournament.substitute_rounds), None)
    first_round = form().place("since", default=usual)
    return PlayerReplaced(player, name, first_round, by=phone_player_name())


def _players_page(tournament: str, wrong: str) -> str:
    record = name_gate().tournament(tournaments().get(tournament))
    return render_template(
        "club/tournament_players.html",
        now=record,
        meets=describe_meetings(record),
        filling=describe_filling(record),
        wrong=wrong,
        name=form().text("name", MAX_NAME_CHARS),
        wished=form().place("player", MAX_PLAYERS, default=None) if wrong else None,
        since=form().place("since", default=None) if wrong else None,
        longest=MAX_NAME_CHARS,
    )
