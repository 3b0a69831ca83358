"""Switching the box off: asked first, then told on every phone, then done.

Nothing that is under way refuses it, for nothing is lost: the photo that is being read is read to
its end, those behind it when the box starts again, and a copy that is being made is finished.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.host.power import is_the_box, may_switch_off
from device.i18n.words import say
from device.settings.settings import append_to_box
from device.store import StoreError
from device.store.events import SwitchedOff
from device.web.box import box
from device.web.errors import page

pages = Blueprint("off", __name__, url_prefix="/off")


@pages.before_request
def check() -> None:
    """Know nothing of a switch on a computer that is no box."""
    if not is_the_box(box().machine):
        abort(404)


@pages.get("/")
def ask() -> str:
    """Ask whether the box shall be switched off, with what is under way."""
    return render_template(
        "off.html",
        can=may_switch_off(box().machine),
        is_reading=box().jobs.is_reading,
        is_match_on=bool(box().matches.tables_on()),
    )


@pages.post("/")
def switch_off() -> AnyResponse | tuple[str, int]:
    """Switch the box off; of two who do, both see that it goes."""
    if not may_switch_off(box().machine):
        return page(say("off.cannot"), 503)
    if not box().switch.is_off:
        box().switch.tap(box().machine)
        with suppress(StoreError):  # a card that takes nothing more keeps no box on
            append_to_box(box().hands.store, SwitchedOff())  # which all phones hear of
    return redirect(url_for("off.done"), 303)


@pages.get("/done")
def done() -> str | AnyResponse:
    """Say that the box goes, and what to do next; one that is on again leads to its first page."""
    if not box().switch.is_off:
        return redirect(url_for("home.index"))
    return render_template("off_done.html")
