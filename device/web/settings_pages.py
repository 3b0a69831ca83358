"""Show the settings: what concerns the table, the box, its PIN, what can be printed and shared.

The players say whether the box may share hands as training data, and whose hands stay on the box.
This phone's own choices are in `preferences`, the box's health and power in `maintenance`.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.people import PeopleRepository
from device.club.table_switches import AUTO_SNAP_SETTING, WAIT_COUNTING_SETTING, TableSwitch
from device.giving.consent import Consent, GivingLog
from device.hands.export import played_hands
from device.hands.retention import MIN_KEPT_HANDS, make_room, rule_over_size
from device.host.service_manager import is_box_service
from device.i18n.names import fold_name, sort_key
from device.views.box_health import storage_meter
from device.web.contexts import camera_desk, records, room, upkeep
from device.web.fields import form, query
from device.web.links import next_url, redirect_to
from device.web.maintenance import box_camera_status
from device.web.name_gate import name_gate
from device.web.permissions import Role, require_role

settings_pages = Blueprint("settings", __name__)

SWITCHED_SETTINGS = frozenset({"camera_turned", AUTO_SNAP_SETTING, WAIT_COUNTING_SETTING})
"""The settings that the table's page switches on and off."""


@settings_pages.get("/settings/")
def show() -> str:
    """Show the menu of settings."""
    return render_template("settings/menu.html", is_the_box=is_box_service(upkeep().machine))


@settings_pages.get("/settings/table/")
def table() -> str:
    """Show the tile sets and the camera."""
    return render_template(
        "settings/table.html",
        has_camera=box_camera_status() is not None,
        settings=records().settings.read(),
        by_itself=camera_desk().snapping.is_on_at(room().table)
        if _is_camera_over_phone()
        else None,
        counts_waits=room().wait_counting.is_on_at(room().table),
    )


@settings_pages.get("/settings/box/")
def storage() -> str:
    """Show what the box keeps and how to renew it."""
    return render_template(
        "settings/box.html",
        can_update=upkeep().arrival is not None,
        storage=storage_meter(records().hands),
        freed=query().place("freed", default=None),
        newest=MIN_KEPT_HANDS,
    )


@settings_pages.get("/settings/pin/")
def pin() -> str:
    """Show the box's PIN and let it be changed."""
    return render_template("settings/pin.html")


@settings_pages.get("/settings/print/")
def prints() -> str:
    """List what can be printed."""
    match = room().matches.current()
    players = name_gate().match(match).game.players if match else ()
    sets = records().sets
    tile_set = sets.chosen_set(room().table)
    return render_template(
        "settings/print.html",
        texts=(*players, name_gate().for_everybody.words(tile_set.name)),
        knows_tiles=sets.knows_tiles(tile_set.id),
        has_hands=bool(played_hands(records().hands, 1)),
    )


@settings_pages.post("/setup/switch/<name>")
def choose(name: str) -> AnyResponse:
    """Switch a setting on or off."""
    if name not in SWITCHED_SETTINGS:
        abort(404)
    if switch := _table_switch(name):
        switch.choose(room().table, is_on=form().flag("on"))
    else:
        records().settings.change(name, form().flag("on"))
    if camera := camera_desk().cameras.box:
        camera.is_turned = records().settings.read().camera_turned
    return redirect(next_url(url_for("settings.table")), 303)


def _table_switch(name: str) -> TableSwitch | None:
    """Return the switch that each table has for itself; None for a setting of the box."""
    switches = {
        AUTO_SNAP_SETTING: camera_desk().snapping,
        WAIT_COUNTING_SETTING: room().wait_counting,
    }
    return switches.get(name)


@settings_pages.post("/setup/room")
def free_room() -> AnyResponse:
    """Remove the large photographs of all confirmed hands except the newest."""
    freed_bytes = make_room(records().hands, rule_over_size(records().store, 0))
    return redirect_to("settings.storage", freed=freed_bytes.hands, _anchor="storage")


def _is_camera_over_phone() -> bool:
    """Whether the box's own camera is over the phone's table."""
    assignment = camera_desk().assignments.find_assignment(room().table)
    sits = bool(room().table) or not room().tables.are_laid()
    return sits and assignment is not None and not assignment.camera


giving_pages = Blueprint("giving", __name__, url_prefix="/giving")


@giving_pages.get("/", endpoint="show")
def show_consent() -> str:
    """Show the question, or the answer that was given."""
    consent = _consent_log().read()
    exclusions = {name: fold_name(name) in consent.names for name in _named_players(consent)}
    return render_template("giving.html", said=consent, players=exclusions)


@giving_pages.post("/")
def answer() -> AnyResponse:
    """Save the players' answer."""
    _consent_log().answer(is_agreed=form().choice("give", ("yes", "no")) == "yes")
    return redirect_to("giving.show")


@giving_pages.post("/player")
def keep_out() -> AnyResponse:
    """Save that a player's hands stay on the box, or may be shared again."""
    name = form().choice("name", _named_players(_consent_log().read()))
    is_excluded = form().choice("keep", ("yes", "no")) == "yes"
    if not is_excluded:
        require_role(Role.OWNER)
    _consent_log().keep_out(name, is_kept_out=is_excluded)
    return redirect_to("giving.show")


def _named_players(consent: Consent) -> tuple[str, ...]:
    """Return the club's people, the players of the newest matches and who keeps theirs, by name."""
    player_names = (name for match in room().matches.list_page().matches for name in match.players)
    people = (
        PeopleRepository(records().store)
        .register()
        .everybody((*player_names, *consent.kept_out.values()))
    )
    return tuple(sorted((person.name for person in people if person.shown), key=sort_key))


def _consent_log() -> GivingLog:
    return GivingLog(records().store)
