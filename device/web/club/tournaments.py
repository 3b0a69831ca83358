"""The list of tournaments, the form to arrange one, and its players.

Players may join late, withdraw, return, be replaced, or have a misspelt name corrected.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.people_repository import PeopleRepository
from device.club.tournament.replay import MAX_PLAYERS, MAX_ROUND_S, TournamentRefusedError
from device.club.tournament.repository import TournamentRepository, new_tournament_id
from device.club.tournament.schedule import MAX_ROUNDS
from device.club.tournament.tournament import RankingBasis
from device.i18n.names import folded
from device.i18n.words import say
from device.store.events import TournamentBegun
from device.views.box_health import torn_line
from device.views.club.tournament import describe_state, format_day
from device.web.box import box
from device.web.club.whose import whose
from device.web.fields import form
from device.web.table.begin import LONGEST_NAME

pages = Blueprint("tournaments", __name__, url_prefix="/club/tournaments")

LONGEST_TITLE = 60

ROUNDS, MINUTES = 4, 90
"""The proposal for a new tournament: an afternoon."""

PLACES = (4, 2, 1, 0)

RANKED_BY: Mapping[str, RankingBasis] = {"total": "total", "places": "places", "both": "both"}
"""The ways to rank, by the form's value."""

_UNPLAYABLE = 422


def tournaments() -> TournamentRepository:
    """Return the repository of tournaments."""
    return TournamentRepository(box().hands.store)


@pages.get("/")
def show() -> str:
    """List all tournaments, the newest first."""
    torn = [torn_line(each) for each in tournaments().torn()]
    listed = [(each, format_day(each), describe_state(each)) for each in tournaments().listed()]
    return render_template("club/tournaments.html", tournaments=listed, torn=torn)


@pages.get("/new")
def new() -> str:
    """Show the form for a new tournament."""
    return _form(TournamentBegun("", (), ROUNDS, MINUTES), new_tournament_id(), "")


@pages.post("/new")
def begin() -> AnyResponse | tuple[str, int]:
    """Arrange a tournament, or show what is wrong with the form."""
    asked, token = _asked(), form().word("id")
    try:
        tournament = tournaments().begin(asked, token)
    except TournamentRefusedError as error:
        return _form(asked, token, say(error.message)), _UNPLAYABLE
    return redirect(url_for("tournament.show", tournament=tournament), 303)


def _asked() -> TournamentBegun:
    return TournamentBegun(
        name=form().text("name", LONGEST_TITLE) or say("club.tournament.title"),
        players=_players(),
        rounds=form().place("rounds", default=ROUNDS),
        minutes=form().place("minutes", MAX_ROUND_S, default=MINUTES),
        ranking=_ranking(),
        places=_places(),
        zero_sum=form().flag("zero_sum"),
        stand_ins=form().choice("filling", ("stand-ins", "out"), "stand-ins") == "stand-ins",
        by=whose(),
    )


def _players() -> tuple[str, ...]:
    """Return the names that were typed, then those that were ticked and not typed."""
    typed = form().lines("players", LONGEST_NAME, MAX_PLAYERS + 1)
    known = {folded(name) for name in typed}
    ticked = form().texts("known", LONGEST_NAME, MAX_PLAYERS)
    return (*typed, *(name for name in ticked if name and folded(name) not in known))


def _ranking() -> RankingBasis:
    return RANKED_BY[form().choice("ranking", RANKED_BY, "total")]


def _places() -> tuple[int, ...]:
    return tuple(form().place(f"place{n}", default=usual) for n, usual in enumerate(PLACES))


def _form(asked: TournamentBegun, token: str, wrong: str) -> str:
    return render_template(
        "club/tournament_new.html",
        asked=asked,
        known=PeopleRepository(box().hands.store).offered(),
        token=token,
        wrong=wrong,
        most_rounds=MAX_ROUNDS,
        most_players=MAX_PLAYERS,
        longest=LONGEST_TITLE,
    )
