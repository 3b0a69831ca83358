"""Ask whether the box may share hands as training data, and whose hands stay on the box."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.people import PeopleRepository
from device.giving.consent import Consent, GivingLog
from device.i18n.names import folded
from device.web.box import box
from device.web.fields import form
from device.web.permissions import Role, require_role

pages = Blueprint("giving", __name__, url_prefix="/giving")


@pages.get("/")
def show() -> str:
    """Show the question, or the answer that was given."""
    said = _consent_log().now()
    kept = {name: folded(name) in said.names for name in _named_players(said)}
    return render_template("giving.html", said=said, players=kept)


@pages.post("/")
def answer() -> AnyResponse:
    """Save the players' answer."""
    _consent_log().answer(agreed=form().choice("give", ("yes", "no")) == "yes")
    return _redirect_to_consent()


@pages.post("/player")
def keep_out() -> AnyResponse:
    """Save that a player's hands stay on the box, or may be shared again."""
    name = form().choice("name", _named_players(_consent_log().now()))
    kept_out = form().choice("keep", ("yes", "no")) == "yes"
    if not kept_out:
        require_role(Role.OWNER)
    _consent_log().keep_out(name, kept_out=kept_out)
    return _redirect_to_consent()


def _named_players(said: Consent) -> tuple[str, ...]:
    """Return the club's people, the players of the newest matches and who keeps theirs, by name."""
    played = (name for match in box().matches.listed().matches for name in match.players)
    people = (
        PeopleRepository(box().hands.store).register().everybody((*played, *said.kept_out.values()))
    )
    return tuple(sorted((person.name for person in people if person.shown), key=folded))


def _consent_log() -> GivingLog:
    return GivingLog(box().hands.store)


def _redirect_to_consent() -> AnyResponse:
    return redirect(url_for("giving.show"), 303)
