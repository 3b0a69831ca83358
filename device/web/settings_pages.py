"""Show the settings: what concerns the table, the box, its PIN and what can be printed.

This phone's own choices are in `preferences`, the box's health and power in `maintenance`.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from device.club.camera_assignments import AUTO_SNAP_SETTING
from device.hands.retention import MIN_KEPT_HANDS, make_room, rule_over_size
from device.host.service_manager import is_box_service
from device.views.box_health import storage_meter
from device.web.box import box
from device.web.fields import form, query
from device.web.links import next_url
from device.web.maintenance import box_camera_status

settings_pages = Blueprint("settings", __name__)

SWITCHED_SETTINGS = frozenset({"camera_turned", AUTO_SNAP_SETTING})
"""The settings that the table's page switches on and off."""


@settings_pages.get("/settings/")
def show() -> str:
    """Show the menu of settings."""
    return render_template("settings/menu.html", is_the_box=is_box_service(box().machine))


@settings_pages.get("/settings/table/")
def table() -> str:
    """Show the tile sets and the camera."""
    return render_template(
        "settings/table.html",
        has_camera=box_camera_status() is not None,
        settings=box().settings.now(),
        by_itself=box().snapping.is_on_at(box().table) if _is_camera_over_phone() else None,
    )


@settings_pages.get("/settings/box/")
def storage() -> str:
    """Show what the box keeps and how to renew it."""
    return render_template(
        "settings/box.html",
        can_update=box().arrival is not None,
        storage=storage_meter(box().hands),
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
    return render_template("settings/print.html")


@settings_pages.post("/setup/switch/<name>")
def choose(name: str) -> Response:
    """Switch a setting on or off."""
    if name not in SWITCHED_SETTINGS:
        abort(404)
    if name == AUTO_SNAP_SETTING:
        box().snapping.choose(box().table, on=form().flag("on"))
    else:
        box().settings.change(name, form().flag("on"))
    if camera := box().cameras.box:
        camera.turned = box().settings.now().camera_turned
    return redirect(next_url(url_for("settings.table")), 303)


@settings_pages.post("/setup/room")
def free_room() -> Response:
    """Remove the large photographs of all confirmed hands except the newest."""
    freed = make_room(box().hands, rule_over_size(box().hands.store, 0))
    return redirect(url_for("settings.storage", freed=freed.hands, _anchor="storage"), 303)


def _is_camera_over_phone() -> bool:
    """Whether the box's own camera is over the phone's table."""
    hung = box().camera_assignments.find_assignment(box().table)
    sits = bool(box().table) or not box().tables.are_laid()
    return sits and hung is not None and not hung.camera
