"""At which of several tables: what a phone is asked that scanned no table's code."""

from __future__ import annotations

from dataclasses import dataclass

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.matches.match import Match
from device.web.box import box
from device.web.hiding import shown_here
from device.web.sitting import match_said


@dataclass(frozen=True, slots=True)
class TableToSitAt:
    """One table to sit at."""

    where: str
    """Address that leads there."""
    name: str
    who: str
    """Who plays there, in words."""
    mine: bool
    """The phone sits there."""


def table_to_choose() -> str | AnyResponse | None:
    """Return what a phone is shown that sits at none of several tables; None for any other.

    It is led to the only one that there is.
    """
    if box().table or not box().tables.are_laid():
        return None
    unnamed = box().matches.at("").current()
    if unnamed and unnamed.id == match_said():
        return None
    laid = box().tables.laid()
    if len(laid) == 1 and unnamed is None:
        return redirect(url_for("at.sit_down", table=laid[0].id))
    return render_template("club/choose.html", choices=choices())


def choices() -> tuple[TableToSitAt, ...]:
    """Return the tables that are laid; first that without a name, while a match goes on there."""
    on = matches_on()
    own = url_for("table.show")
    first = (TableToSitAt(own, say("club.at.unnamed"), who_plays(on.get("")), not box().table),)
    return (first if "" in on else ()) + tuple(
        TableToSitAt(
            where=url_for("at.sit_down", table=each.id),
            name=each.name,
            who=who_plays(on.get(each.id)),
            mine=each.id == box().table,
        )
        for each in box().tables.laid()
    )


def matches_on() -> dict[str, Match]:
    """Return the matches that are being played, by the id of their table."""
    return {match.table: match for match in box().matches.all_on()}


def who_plays(match: Match | None) -> str:
    """Return who plays a match, in words; that nobody does where there is none."""
    return " · ".join(shown_here(match).game.players) if match else say("club.at.free")
