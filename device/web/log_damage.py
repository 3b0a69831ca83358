"""Show damaged streams of the log, and let players cut them back or acknowledge a loss."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.damage import Damage, cut_back, examine, export_stream, find_damage, name_sort
from device.i18n.words import say
from device.settings import append_to_box
from device.store.events import SalvageRead
from device.views.box_health import SalvageView, describe_torn_event, salvage_view
from device.web.contexts import records, room
from device.web.fields import form
from device.web.links import redirect_to
from device.web.name_gate import HiddenNamesError, name_gate
from device.web.permissions import Role, require_role
from device.web.table.current_match import phone_player

damaged_pages = Blueprint("damaged", __name__, url_prefix="/damaged")

_STREAM_URLS: Mapping[str, Callable[[str], str]] = {
    "match": lambda stream: url_for("history.show", match=stream),
    "hand": lambda stream: url_for("hand.show", hand=stream),
    "table photo": lambda _: url_for("home.index"),
    "registration": lambda stream: url_for("register.check", registration=stream),
    "tournament": lambda stream: url_for("tournament.show", tournament=_stream_id(stream)),
    "season": lambda stream: url_for("season.show", season=_stream_id(stream)),
    "club table": lambda stream: url_for("club_tables.of", table=stream),
    "ruleset": lambda _: url_for("custom_rules.show"),
    "phones": lambda _: url_for("table.show"),
    "practice": lambda _: url_for("practice.show"),
}
"""The page of each sort of stream."""

_REQUIRED_ROLES = {
    "match": Role.TABLE,
    "hand": Role.TABLE,
    "table photo": Role.TABLE,
    "tournament": Role.ORGANISER,
    "season": Role.ORGANISER,
    "club table": Role.ORGANISER,
    "ruleset": Role.ORGANISER,
}
"""The role that may change each sort of stream. Any other sort is the owner's."""

_PRIVATE_SORTS = frozenset({"tournament", "season", "club table", ""})
"""Only those who may change these may read them: a table's PIN is in its stream."""


def _stream_id(stream: str) -> str:
    return stream.partition(":")[2]


@damaged_pages.get("/<stream:stream>/")
def show(stream: str) -> str:
    """Show what is wrong with a stream, and what can be done about it."""
    return render_damage(_find_damage(stream))


@damaged_pages.post("/<stream:stream>/cut")
def cut(stream: str) -> AnyResponse:
    """Cut the stream back to before the first damaged event."""
    damage = find_damage(records().store, stream)
    if damage:
        _require_change(damage)
        match = room().matches.state_so_far(stream).record if damage.sort == "match" else None
        if match and name_gate().hides_players(match):  # it may go on then
            raise HiddenNamesError(stream)
        cut_back(records().store, stream, form().seq("since", default=0), _damage_player(stream))
    new_damage = find_damage(records().store, stream)
    sort = damage.sort if damage and not new_damage else ""
    url = _STREAM_URLS[sort](stream) if sort else url_for("damaged.show", stream=stream)
    return redirect(url, 303)


@damaged_pages.get("/<stream:stream>/events.jsonl")
def download(stream: str) -> Response:
    """Return all events of a stream as a file to keep."""
    damage = _find_damage(stream)
    if damage.sort in _PRIVATE_SORTS:
        _require_change(damage)
    events = name_gate().for_everybody.words(export_stream(records().store, stream))
    response = Response(events, mimetype="application/x-ndjson")
    response.headers.set(
        "Content-Disposition", "attachment", filename=f"tongbox-{stream.replace(':', '-')}.jsonl"
    )
    return response


def render_damage(damage: Damage) -> str:
    """Return the page that shows what is wrong with a stream."""
    shown_at = (
        url_for("history.show", match=damage.torn_event.stream) if damage.sort == "match" else ""
    )
    sort = damage.sort or examine(records().store).sorts.get(damage.torn_event.seq, "record")
    return render_template(
        "damaged.html",
        title=say("damaged.title", of=name_sort(sort)),
        damage=damage,
        says=describe_torn_event(damage.torn_event),
        shown_at=shown_at,
    )


def _require_change(damage: Damage) -> None:
    fields = {"match": damage.match} if damage.match else {}
    require_role(_REQUIRED_ROLES.get(damage.sort, Role.OWNER), **fields)


def _find_damage(stream: str) -> Damage:
    damage = find_damage(records().store, stream)
    if damage is None:
        abort(404)
    return damage


def _damage_player(stream: str) -> str:
    """Return the player whose phone asks; empty for a stream that is not a match."""
    match = room().matches.state_so_far(stream).record
    return phone_player(match) if match else ""


salvaged_pages = Blueprint("salvaged", __name__)


@salvaged_pages.app_template_global()
def salvaged() -> SalvageView | None:
    """Return the message about the damaged log; None without one."""
    return salvage_view(records().store)


@salvaged_pages.post("/salvaged/read")
def read() -> AnyResponse:
    """Save that somebody has read the message. A second tap changes nothing."""
    if salvage_view(records().store):
        append_to_box(records().store, SalvageRead())
    return redirect_to("home.index")
