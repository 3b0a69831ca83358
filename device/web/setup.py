"""Whether the box is well: the Setup page for people, and `/health` for programs."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.doctor import examine, worst
from device.doctor.checks import CHECKS
from device.doctor.finding import LEVELS
from device.store import StoreError
from device.web.box import box
from device.web.findings import told

pages = Blueprint("setup", __name__)

_UNWELL = 503


@pages.get("/setup/")
def show() -> str:
    """Show what every check finds, the worst first, and what came of the test photograph."""
    trial, jobs = box().trial, box().jobs
    found = [*examine(box().machine, CHECKS), *([trial.found] if trial.found else [])]
    found.sort(key=lambda each: LEVELS.index(each.level), reverse=True)
    return render_template(
        "setup.html",
        checks=[told(each) for each in found],
        worst=worst(found),
        busy=trial.under_way(jobs),
        version=_version(),
    )


@pages.post("/setup/reading")
def read() -> AnyResponse:
    """Let the box read its test photograph."""
    if not box().jobs.has_room:
        abort(503)
    if not box().trial.under_way(box().jobs):
        box().trial.begin(box().jobs, box().machine)
    return redirect(url_for("setup.show"), 303)


@pages.get("/health")
def health() -> tuple[dict[str, str], int]:
    """Say in JSON whether the log of events can be read and the worker lives."""
    said = {"version": _version()}
    try:
        box().records.newest()
    except StoreError:
        return {"status": "no store", **said}, _UNWELL
    if not box().jobs.alive:
        return {"status": "no worker", **said}, _UNWELL
    return {"status": "ok", **said}, 200


def _version() -> str:
    return box().machine.version_of("tongbox") or "?"
