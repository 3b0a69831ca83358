"""Correct the names of the players while a match is on."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.names import Name
from device.i18n.words import in_a_row
from device.matches.match import Match
from device.store.events import PlayersRenamed
from device.web.box import box
from device.web.fields import form
from device.web.table.begin import LONGEST_NAME, known_names
from device.web.table.here import match_here, me, seen
from scorer.errors import ScorerError

pages = Blueprint("names", __name__, url_prefix="/table/names")

_UNPLAYABLE = 422


@pages.get("/", endpoint="show")
def show_names() -> str:
    """Show the form with the players' names."""
    match = match_here()
    return _form(match, match.game.players, "")


@pages.post("/")
def change() -> AnyResponse | tuple[str, int]:
    """Save the changed names, or show what is wrong. An empty field changes nothing."""
    match = match_here()
    players = match.game.players
    typed = tuple(
        Name(form().text(f"player{place}", LONGEST_NAME)) or player
        for place, player in enumerate(players)
    )
    names = {old: new for old, new in zip(players, typed, strict=True) if old != new}
    try:
        if names:
            box().matches.change(match.id, PlayersRenamed(names, by=me(match)), seen=seen())
    except ScorerError as error:
        return _form(match, typed, in_a_row(p.message for p in error.problems)), _UNPLAYABLE
    return redirect(url_for("table.show"), 303)


def _form(match: Match, names: tuple[str, ...], wrong: str) -> str:
    return render_template(
        "table/names.html",
        match=match,
        names=names,
        known=known_names(),
        wrong=wrong,
        longest=LONGEST_NAME,
    )
