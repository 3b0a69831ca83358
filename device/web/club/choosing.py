"""At which of several tables: what a phone is asked that scanned no table's code."""

from __future__ import annotations

from dataclasses import dataclass

from flask import redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.web.box import box
from device.web.name_gate import name_gate
from device.web.phone_identity import phone_identity


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
    if unnamed and unnamed.id == phone_identity().match:
        return None
    laid = box().tables.laid()
    if len(laid) == 1 and unnamed is None:
        return redirect(url_for("at.sit_down", table=laid[0].id))
    return render_template("club/choose.html", choices=choices())


def choices() -> tuple[TableToSitAt, ...]:
    """Return the tables that are laid; first that without a name, while a match goes on there."""
    on, free = who_plays(), say("club.at.free")
    own, unnamed = url_for("table.show"), say("club.at.unnamed")
    first = (TableToSitAt(own, unnamed, on[""], not box().table),) if "" in on else ()
    return first + tuple(
        TableToSitAt(
            where=url_for("at.sit_down", table=each.id),
            name=each.name,
            who=on.get(each.id, free),
            mine=each.id == box().table,
        )
        for each in box().tables.laid()
    )


def who_plays() -> dict[str, str]:
    """Return who plays the matches that go on, in words, by the id of their table."""
    gate = name_gate()
    return {
        match.table: " · ".join(gate.match(match).game.players) for match in box().matches.all_on()
    }
