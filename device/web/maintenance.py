"""Look after the box: its health, clock and power.

The health page shows the box's health to people, and `/health` shows it to programs. The box takes
the time from a phone if nothing better has set its clock. Nothing prevents switching it off: the
current photo is read to its end, the others after the next start, and a running backup is finished.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.service import CameraStatus
from device.doctor import CHECKS, Check, Finding, examine, worst_level
from device.doctor.finding import LEVELS
from device.doctor.health import check_health
from device.doctor.log_checks import (
    check_log,
    check_photographs,
    check_running_log,
    check_running_photographs,
)
from device.doctor.machine_checks import (
    FIRST_RELEASE_YEAR,
    check_camera,
    check_clock,
    check_running_camera,
    check_table_camera,
)
from device.doctor.report import REPORT_FILE_NAME, write_report
from device.host.machine import set_clock
from device.host.service_manager import can_switch_off, is_box_service
from device.i18n.words import moment_of, say
from device.settings import append_to_box
from device.store import StoreError
from device.store.events import BoxSwitchedOff
from device.views.box_health import finding_view
from device.web.contexts import camera_desk, photo_desk, records, room, upkeep
from device.web.errors import error_page
from device.web.fields import FieldError, form
from device.web.links import next_url, redirect_to
from scorer.message import message

setup_pages = Blueprint("setup", __name__)

_UNABLE_STATUS = 503


@setup_pages.get("/setup/")
def show() -> str:
    """Show the findings of all checks, the worst first, and of the test photograph."""
    findings = _findings()
    return render_template(
        "settings/health.html",
        checks=[finding_view(each) for each in findings],
        worst=worst_level(findings),
        busy=upkeep().trial.under_way(photo_desk().jobs),
        version=_version(),
        box_time=box_time() if any(_is_clock_doubtful(each) for each in findings) else "",
    )


@setup_pages.get("/setup/report")
def report_of_box() -> Response:
    """Return a report for finding faults as a file. It contains nothing private."""
    report = write_report(upkeep().machine, _findings(), records().store)
    response = Response(report, mimetype="text/plain")
    response.headers.set("Content-Disposition", "attachment", filename=REPORT_FILE_NAME)
    return response


@setup_pages.post("/setup/reading")
def read() -> AnyResponse:
    """Start reading the test photograph."""
    photo_desk().jobs.check_room()
    if not upkeep().trial.under_way(photo_desk().jobs):
        upkeep().trial.begin(photo_desk().jobs, upkeep().machine)
    return redirect_to("setup.show")


@setup_pages.get("/health")
def health() -> tuple[dict[str, object], int]:
    """Return the box's health as JSON, and whether the program is alive.

    A supervisor restarts the program only if it is not alive, because a restart mends no card.
    Damaged records keep nobody from playing, so the status is 200 with them.
    """
    box_health = check_health(upkeep().watch, records().hands, alive=photo_desk().jobs.alive)
    answer: dict[str, object] = {
        "status": box_health.status,
        "alive": box_health.alive,
        "version": _version(),
        "troubles": box_health.troubles,
        "reasons": box_health.reasons,
        "complete": box_health.complete,
    }
    return answer, 200 if box_health.is_able else _UNABLE_STATUS


def _findings() -> list[Finding]:
    """Return the findings of all checks and of the test photograph, the worst first."""
    # A running box asks its own parts. `tongbox doctor` looks for devices and files instead.
    checks = (_RUNNING_CHECKS.get(check, check) for check in CHECKS)
    trial = upkeep().trial
    of_tables = [
        check_table_camera(own, status)
        for own, status in camera_desk().cameras.list_table_webcams()
    ]
    findings = [
        *examine(upkeep().machine, checks),
        *of_tables,
        *([trial.finding] if trial.finding else []),
    ]
    return sorted(findings, key=lambda finding: LEVELS.index(finding.level), reverse=True)


def box_camera_status() -> CameraStatus | None:
    """Return the status of the box's camera; None without a camera."""
    camera = camera_desk().cameras.box
    status = camera.status if camera else None
    return None if status is None or status.state == "absent" else status


def _is_clock_doubtful(finding: Finding) -> bool:
    """Whether the finding says that the box's clock is not reliable."""
    return finding.check == "clock" and finding.level != "ok"


_RUNNING_CHECKS: Mapping[Check, Check] = {
    check_camera: lambda _: check_running_camera(box_camera_status()),
    check_log: lambda machine: check_running_log(machine, records().store),
    check_photographs: lambda _: check_running_photographs(records().store),
}
"""The checks that a running box uses in place of others."""


def _version() -> str:
    return upkeep().machine.version_of("tongbox") or "?"


clock_pages = Blueprint("clock", __name__)

_MIN_TIME = datetime(FIRST_RELEASE_YEAR, 1, 1, tzinfo=UTC)
_MAX_TIME = datetime(2100, 1, 1, tzinfo=UTC)
"""A phone that shows a time outside these has no usable clock itself."""

_MAX_TIME_CHARS = len("2026-11-23T19:30:00")


@clock_pages.post("/setup/clock")
def take() -> AnyResponse | tuple[str, int]:
    """Set the box's clock to the phone's time, unless it is right already."""
    phone_time = _sent_time()
    if not is_clock_right() and not set_clock(upkeep().machine, phone_time):
        return error_page(say("clock.cannot"), 503)
    upkeep().care.look()
    return redirect(next_url(url_for("setup.show")), 303)


def is_clock_right() -> bool:
    """Whether the box's clock was set from a reliable source. Runs a system program."""
    return check_clock(upkeep().machine).level == "ok"


def box_time() -> str:
    """Return the date and time of the box's clock, in words."""
    return moment_of(upkeep().machine.current_time())


def _sent_time() -> datetime:
    """Return the phone's time: exact if its script sent it, else as somebody typed it."""
    max_ms = int(_MAX_TIME.timestamp() * 1000)
    phone_ms = form().place("now", max_ms, default=None)
    try:
        if phone_ms is not None:
            phone_time = datetime.fromtimestamp(phone_ms / 1000, UTC)
        else:
            phone_time = datetime.fromisoformat(form().text("local", _MAX_TIME_CHARS)).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise FieldError(message("clock.odd")) from error
    if not _MIN_TIME <= phone_time < _MAX_TIME:
        raise FieldError(message("clock.odd"))
    return phone_time


off_pages = Blueprint("off", __name__, url_prefix="/off")


@off_pages.before_request
def require_appliance() -> None:
    """Answer 404 on a computer that is not an appliance."""
    if not is_box_service(upkeep().machine):
        abort(404)


@off_pages.get("/")
def ask() -> str:
    """Ask whether to switch the box off, and show what is in progress."""
    return render_template(
        "off.html",
        can=can_switch_off(upkeep().machine),
        is_reading=photo_desk().jobs.is_reading,
        is_match_on=bool(room().matches.running_tables()),
    )


@off_pages.post("/")
def switch_off() -> AnyResponse | tuple[str, int]:
    """Switch the box off. If two phones ask, both see that it goes off."""
    if not can_switch_off(upkeep().machine):
        return error_page(say("off.cannot"), 503)
    if not upkeep().switch.is_off:
        upkeep().switch.tap(upkeep().machine)
        with suppress(StoreError):  # a full card must not keep the box on
            append_to_box(records().store, BoxSwitchedOff())  # all phones are told of this event
    return redirect_to("off.done")


@off_pages.get("/done")
def done() -> str | AnyResponse:
    """Show that the box goes off and what to do next. If it is on again, go to the first page."""
    if not upkeep().switch.is_off:
        return redirect(url_for("home.index"))
    return render_template("off_done.html")
