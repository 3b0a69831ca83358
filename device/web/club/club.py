"""The club's page: its ways, which a box of one table never needs."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, current_app, render_template

pages = Blueprint("club", __name__, url_prefix="/club")


@dataclass(frozen=True, slots=True)
class ClubWay:
    """One way from the club's page."""

    endpoint: str
    icon: str
    title: str
    """Key of its words."""
    hint: str
    """Key of what stands below them."""


WAYS = (
    ClubWay("club_tables.show", "table", "club.tables.title", "club.tables.hint"),
    ClubWay("board.show", "search", "club.board.title", "club.way.board"),
    ClubWay("players.every", "phone", "club.people.title", "club.way.players"),
    ClubWay("season.current", "list", "club.season.title", "club.way.season"),
    ClubWay("tournaments.show", "star", "club.tournament.title", "club.way.tournaments"),
    ClubWay("organiser.show", "lock", "club.organiser.title", "club.way.organiser"),
)
"""In the order in which they are shown; one whose page there is not is left out."""


@pages.get("/")
def show() -> str:
    """Show the ways."""
    ways = [way for way in WAYS if way.endpoint in current_app.view_functions]
    return render_template("club/club.html", ways=ways)
