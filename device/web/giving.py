"""The page of data given on purpose: one question, its answer, and whose hands stay on the box."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.giving.consent import Consent, GivingLog
from device.i18n.names import Name, folded
from device.web.box import box
from device.web.fields import form

pages = Blueprint("giving", __name__, url_prefix="/giving")


@pages.get("/")
def show() -> str:
    """Show what is asked, or what was answered."""
    said = _log().now()
    return render_template("giving.html", said=said, players=_players(said), folded=folded)


@pages.post("/")
def answer() -> AnyResponse:
    """Keep the players' answer."""
    _log().answer(agreed=form().choice("give", ("yes", "no")) == "yes")
    return _back()


@pages.post("/player")
def keep_out() -> AnyResponse:
    """Keep that a player's hands stay here, or may be given again."""
    name = form().choice("name", _players(_log().now()))
    _log().keep_out(name, kept_out=form().choice("keep", ("yes", "no")) == "yes")
    return _back()


def _players(said: Consent) -> tuple[Name, ...]:
    """Return the players of the newest matches, and those who keep theirs, by name."""
    played = (name for match in box().matches.listed().matches for name in match.players)
    names = {folded(name): Name(name) for name in (*played, *said.kept_out.values())}
    return tuple(names[each] for each in sorted(names))


def _log() -> GivingLog:
    return GivingLog(box().hands.store)


def _back() -> AnyResponse:
    return redirect(url_for("giving.show"), 303)
