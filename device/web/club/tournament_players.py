"""The players of a tournament: latecomers, withdrawals, substitutes and misspelt names."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.replay import MAX_PLAYERS, TournamentRefusedError
from device.i18n.words import say
from device.store.events import (
    EntrantRenamed,
    PlayerJoined,
    PlayerReplaced,
    PlayerReturned,
    PlayerWithdrawn,
    TournamentEvent,
)
from device.views.club.tournament import describe_filling, describe_meetings
from device.web.club.tournaments import tournaments
from device.web.club.whose import whose
from device.web.fields import form
from device.web.name_gate import name_gate
from device.web.table.begin import LONGEST_NAME

pages = Blueprint(
    "tournament_players", __name__, url_prefix="/club/tournaments/<id:tournament>/players"
)

WISHES = ("join", "withdraw", "return", "replace", "rename")

_UNPLAYABLE = 422


@pages.get("/", endpoint="show")
def show_players(tournament: str) -> str:
    """Show all players, also those who left."""
    return _page(tournament, "")


@pages.post("/")
def change(tournament: str) -> AnyResponse | tuple[str, int]:
    """Let a player join, withdraw, return, be replaced or be renamed."""
    try:
        tournaments().change(tournament, _said())
    except TournamentRefusedError as error:
        return _page(tournament, say(error.message)), _UNPLAYABLE
    return redirect(url_for("tournament_players.show", tournament=tournament), 303)


def _said() -> TournamentEvent:
    wish = form().choice("wish", WISHES)
    if wish == "join":
        return PlayerJoined(form().text("name", LONGEST_NAME), by=whose())
    player = form().place("player", MAX_PLAYERS)
    if wish == "withdraw":
        return PlayerWithdrawn(player, by=whose())
    if wish == "return":
        return PlayerReturned(player, by=whose())
    kind = PlayerReplaced if wish == "replace" else EntrantRenamed
    return kind(player, form().text("name", LONGEST_NAME), by=whose())


def _page(tournament: str, wrong: str) -> str:
    now = name_gate().tournament(tournaments().get(tournament))
    return render_template(
        "club/tournament_players.html",
        now=now,
        meets=describe_meetings(now),
        filling=describe_filling(now),
        wrong=wrong,
        longest=LONGEST_NAME,
    )
