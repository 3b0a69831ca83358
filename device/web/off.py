"""Switch the box off: ask first, then tell every phone, then do it.

Work in progress does not prevent it, because nothing is lost. The current photo is read to its
end, the others after the next start, and a running backup is finished.
"""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.host.service_manager import can_switch_off, is_box_service
from device.i18n.words import say
from device.settings.settings import append_to_box
from device.store import StoreError
from device.store.events import SwitchedOff
from device.web.box import box
from device.web.errors import page

pages = Blueprint("off", __name__, url_prefix="/off")


@pages.before_request
def check() -> None:
    """Answer 404 on a computer that is not an appliance."""
    if not is_box_service(box().machine):
        abort(404)


@pages.get("/")
def ask() -> str:
    """Ask whether to switch the box off, and show what is in progress."""
    return render_template(
        "off.html",
        can=can_switch_off(box().machine),
        is_reading=box().jobs.is_reading,
        is_match_on=bool(box().matches.running_tables()),
    )


@pages.post("/")
def switch_off() -> AnyResponse | tuple[str, int]:
    """Switch the box off. If two phones ask, both see that it goes off."""
    if not can_switch_off(box().machine):
        return page(say("off.cannot"), 503)
    if not box().switch.is_off:
        box().switch.tap(box().machine)
        with suppress(StoreError):  # a full card must not keep the box on
            append_to_box(box().hands.store, SwitchedOff())  # all phones are told of this event
    return redirect(url_for("off.done"), 303)


@pages.get("/done")
def done() -> str | AnyResponse:
    """Show that the box goes off and what to do next. If it is on again, go to the first page."""
    if not box().switch.is_off:
        return redirect(url_for("home.index"))
    return render_template("off_done.html")
