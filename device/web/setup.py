"""Look after the box: its settings menu, health, storage, clock and power.

The Setup page shows the box's health to people, and `/health` shows it to programs. The box takes
the time from a phone if nothing better has set its clock. Nothing prevents switching it off: the
current photo is read to its end, the others after the next start, and a running backup is finished.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.service import CameraStatus
from device.club.camera_assignments import AUTO_SNAP_SETTING
from device.doctor import Finding, Machine, examine, worst_level
from device.doctor.checks import CHECKS, Check
from device.doctor.finding import LEVELS
from device.doctor.health import check_health
from device.doctor.log_checks import (
    check_log,
    check_photographs,
    check_running_log,
    check_running_photographs,
)
from device.doctor.machine_checks import check_camera, check_running_camera, check_table_camera
from device.doctor.report import REPORT_FILE_NAME, write_report
from device.hands.retention import MIN_KEPT_HANDS, make_room, rule_over_size
from device.views.box_health import finding_view, storage_meter
from device.web.box import box
from device.web.clock import shown
from device.web.fields import form, query
from device.web.own_address import then_or

pages = Blueprint("setup", __name__)

SWITCHES = frozenset({"camera_turned", AUTO_SNAP_SETTING})
"""The settings that the page switches on and off."""

_UNABLE = 503


@pages.get("/setup/")
def show() -> str:
    """Show the findings of all checks, the worst first, and of the test photograph."""
    found = _findings()
    return render_template(
        "setup.html",
        checks=[finding_view(each) for each in found],
        worst=worst_level(found),
        busy=box().trial.under_way(box().jobs),
        version=_version(),
        box_time=shown() if any(_may_be_set(each) for each in found) else "",
        has_camera=_status() is not None,
        settings=box().settings.now(),
        by_itself=box().snapping.at(box().table) if _is_over_phone() else None,
        storage=storage_meter(box().hands),
        freed=query().place("freed", default=None),
        newest=MIN_KEPT_HANDS,
    )


@pages.get("/setup/report")
def report_of_box() -> Response:
    """Return a report for finding faults as a file. It contains nothing private."""
    said = write_report(box().machine, _findings(), box().hands.store)
    response = Response(said, mimetype="text/plain")
    response.headers.set("Content-Disposition", "attachment", filename=REPORT_FILE_NAME)
    return response


@pages.post("/setup/switch/<name>")
def choose(name: str) -> AnyResponse:
    """Switch a setting on or off."""
    if name not in SWITCHES:
        abort(404)
    if name == AUTO_SNAP_SETTING:
        box().snapping.choose(box().table, on=form().flag("on"))
    else:
        box().settings.change(name, form().flag("on"))
    if camera := box().cameras.box:
        camera.turned = box().settings.now().camera_turned
    return redirect(then_or(url_for("setup.show")), 303)


@pages.post("/setup/room")
def free_room() -> AnyResponse:
    """Remove the large photographs of all confirmed hands except the newest."""
    freed = make_room(box().hands, rule_over_size(box().hands.store, 0))
    return redirect(url_for("setup.show", freed=freed.hands, _anchor="storage"), 303)


@pages.post("/setup/reading")
def read() -> AnyResponse:
    """Start reading the test photograph."""
    box().jobs.check_room()
    if not box().trial.under_way(box().jobs):
        box().trial.begin(box().jobs, box().machine)
    return redirect(url_for("setup.show"), 303)


@pages.get("/health")
def health() -> tuple[dict[str, object], int]:
    """Return the box's health as JSON, and whether the program is alive.

    A supervisor restarts the program only if it is not alive, because a restart mends no card.
    Damaged records keep nobody from playing, so the status is 200 with them.
    """
    found = check_health(box().watch, box().hands, alive=box().jobs.alive)
    said: dict[str, object] = {
        "status": found.status,
        "alive": found.alive,
        "version": _version(),
        "troubles": found.troubles,
        "reasons": found.reasons,
        "complete": found.complete,
    }
    return said, 200 if found.is_able else _UNABLE


def _findings() -> list[Finding]:
    """Return the findings of all checks and of the test photograph, the worst first."""
    # A running box asks its own parts. `tongbox doctor` looks for devices and files instead.
    checks = (_RUNNING.get(check, check) for check in CHECKS)
    trial = box().trial
    of_tables = [check_table_camera(own, status) for own, status in box().cameras.own()]
    found = [*examine(box().machine, checks), *of_tables, *([trial.found] if trial.found else [])]
    return sorted(found, key=lambda each: LEVELS.index(each.level), reverse=True)


def _status() -> CameraStatus | None:
    """Return the status of the box's camera; None without a camera."""
    camera = box().cameras.box
    status = camera.status if camera else None
    return None if status is None or status.state == "absent" else status


def _is_over_phone() -> bool:
    """Whether the box's own camera is over the phone's table."""
    hung = box().hanging.over(box().table)
    sits = bool(box().table) or not box().tables.are_laid()
    return sits and hung is not None and not hung.camera


def _may_be_set(found: Finding) -> bool:
    """Whether the finding says that the box's clock is not reliable."""
    return found.check == "clock" and found.level != "ok"


def _camera(_: Machine) -> Finding:
    return check_running_camera(_status())


def _log(machine: Machine) -> Finding:
    return check_running_log(machine, box().hands.store)


def _photographs(_: Machine) -> Finding:
    return check_running_photographs(box().hands.store)


_RUNNING: Mapping[Check, Check] = {
    check_camera: _camera,
    check_log: _log,
    check_photographs: _photographs,
}
"""The checks that a running box uses in place of others."""


def _version() -> str:
    return box().machine.version_of("tongbox") or "?"
