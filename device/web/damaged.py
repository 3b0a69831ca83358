"""Show damaged streams of the log, and let players cut them back or acknowledge a loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.damage import Damage, cut_back, export_stream, find_damage
from device.views.box_health import damage_view
from device.web.box import box
from device.web.fields import form
from device.web.name_gate import name_gate
from device.web.permissions.check import require
from device.web.permissions.rows import Role
from device.web.table.here import me

pages = Blueprint("damaged", __name__, url_prefix="/damaged")

_OPENS: Mapping[str, Callable[[str], str]] = {
    "match": lambda stream: url_for("history.show", match=stream),
    "hand": lambda stream: url_for("hand.show", hand=stream),
    "table photo": lambda _: url_for("home.index"),
    "registration": lambda stream: url_for("register.check", registration=stream),
    "tournament": lambda stream: url_for("tournament.show", tournament=_id(stream)),
    "season": lambda stream: url_for("season.show", season=_id(stream)),
    "club table": lambda stream: url_for("club_tables.of", table=stream),
    "phones": lambda _: url_for("table.show"),
    "practice": lambda _: url_for("practice.show"),
}
"""The page of each sort of stream."""

_CHANGED_BY = {
    "match": Role.TABLE,
    "hand": Role.TABLE,
    "table photo": Role.TABLE,
    "tournament": Role.ORGANISER,
    "season": Role.ORGANISER,
    "club table": Role.ORGANISER,
}
"""The role that may change each sort of stream. Any other sort is the owner's."""

_PRIVATE = frozenset({"tournament", "season", "club table", ""})
"""Only those who may change these may read them: a table's PIN is in its stream."""


def _id(stream: str) -> str:
    return stream.partition(":")[2]


@pages.get("/<stream:stream>/")
def show(stream: str) -> str:
    """Show what is wrong with a stream, and what can be done about it."""
    return damaged_page(_damage(stream))


@pages.post("/<stream:stream>/cut")
def cut(stream: str) -> AnyResponse:
    """Cut the stream back to before the first damaged event."""
    damage = find_damage(box().hands.store, stream)
    if damage:
        _require_change(damage)
        cut_back(box().hands.store, stream, form().seq("since", default=0), _by(stream))
    again = find_damage(box().hands.store, stream)
    sort = damage.sort if damage and not again else ""
    opened = _OPENS[sort](stream) if sort else url_for("damaged.show", stream=stream)
    return redirect(opened, 303)


@pages.get("/<stream:stream>/events.jsonl")
def kept(stream: str) -> Response:
    """Return all events of a stream as a file to keep."""
    damage = _damage(stream)
    if damage.sort in _PRIVATE:
        _require_change(damage)
    events = name_gate().for_everybody.words(export_stream(box().hands.store, stream))
    response = Response(events, mimetype="application/x-ndjson")
    response.headers.set(
        "Content-Disposition", "attachment", filename=f"tongbox-{stream.replace(':', '-')}.jsonl"
    )
    return response


def damaged_page(damage: Damage) -> str:
    """Return the page that shows what is wrong with a stream."""
    shown_at = url_for("history.show", match=damage.torn.stream) if damage.sort == "match" else ""
    return render_template("damaged.html", damage=damage_view(damage), shown_at=shown_at)


def _require_change(damage: Damage) -> None:
    about = {"match": damage.match} if damage.match else {}
    require(_CHANGED_BY.get(damage.sort, Role.OWNER), **about)


def _damage(stream: str) -> Damage:
    damage = find_damage(box().hands.store, stream)
    if damage is None:
        abort(404)
    return damage


def _by(stream: str) -> str:
    """Return the player whose phone asks; empty for a stream that is not a match."""
    match = box().matches.so_far(stream).record
    return me(match) if match else ""
