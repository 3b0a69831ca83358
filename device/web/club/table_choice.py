"""Ask a phone at which of several tables it is, or show that a page belongs to another table."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from flask import make_response, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable
from device.i18n.words import say
from device.web.contexts import room
from device.web.name_gate import name_gate
from device.web.phone_identity import phone_identity


@dataclass(frozen=True, slots=True)
class ClubTableChoice:
    """One table to choose."""

    where: str
    """The address that seats the phone there."""
    name: str
    who: str
    """The players there, in words."""
    mine: bool
    """Whether the phone sits there."""


def ask_for_table() -> str | AnyResponse | None:
    """Return the choice of tables for a phone that sits at none; None for any other phone.

    If there is only one table, return a redirect to it.
    """
    if room().table or not room().tables.are_laid():
        return None
    unnamed_match = room().matches.at_table("").current()
    if unnamed_match and unnamed_match.id == phone_identity().match:
        return None
    club_tables = room().tables.list_tables()
    if len(club_tables) == 1 and unnamed_match is None:
        return redirect(url_for("at.sit_down", table=club_tables[0].id))
    return render_template("club/choose.html", choices=table_choices())


def table_choices() -> tuple[ClubTableChoice, ...]:
    """Return the tables to choose from. While a match goes on outside them, that comes first."""
    players, free = players_by_table(), say("club.at.free")
    own_url, unnamed_label = url_for("table.show"), say("club.at.unnamed")
    first = (
        (ClubTableChoice(own_url, unnamed_label, players[""], not room().table),)
        if "" in players
        else ()
    )
    return first + tuple(
        ClubTableChoice(
            where=url_for("at.sit_down", table=each.id),
            name=each.name,
            who=players.get(each.id, free),
            mine=each.id == room().table,
        )
        for each in room().tables.list_tables()
    )


def players_by_table() -> dict[str, str]:
    """Return the players of all current matches, in words, by the id of the table."""
    gate = name_gate()
    return {
        match.table: " · ".join(gate.match(match).game.players)
        for match in room().matches.all_running()
    }


def other_table_page(table: ClubTable) -> AnyResponse:
    """Return the page that says so and links to the table.

    Any phone in the club may look at that table's match.
    """
    to_sit = url_for("at.sit_down", table=table.id)
    page = render_template("club/elsewhere.html", table=table, to_sit=to_sit)
    return make_response(page, HTTPStatus.CONFLICT)
