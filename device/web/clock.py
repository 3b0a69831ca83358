"""Set the box's clock from a phone, if nothing better has set it."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.doctor.machine_checks import FIRST_RELEASE_YEAR, check_clock
from device.host.clock import set_clock
from device.i18n.words import day_of, say
from device.web.box import box
from device.web.errors import page
from device.web.fields import FieldError, form
from device.web.own_address import then_or
from scorer.message import message

pages = Blueprint("clock", __name__)

_FIRST = datetime(FIRST_RELEASE_YEAR, 1, 1, tzinfo=UTC)
_LAST = datetime(2100, 1, 1, tzinfo=UTC)
"""A phone that shows a time outside these has no usable clock itself."""

_LONGEST = len("2026-11-23T19:30:00")


@pages.post("/setup/clock")
def take() -> AnyResponse | tuple[str, int]:
    """Set the box's clock to the phone's time, unless it is right already."""
    at = _said()
    if not is_right() and not set_clock(box().machine, at):
        return page(say("clock.cannot"), 503)
    box().care.look()
    return redirect(then_or(url_for("setup.show")), 303)


def is_right() -> bool:
    """Whether the box's clock was set from a reliable source. Runs a system program."""
    return check_clock(box().machine).level == "ok"


def shown() -> str:
    """Return the date and time of the box's clock, in words."""
    now = box().machine.now()
    return f"{day_of(now)}, {now.astimezone():%H:%M}"


def _said() -> datetime:
    """Return the phone's time: exact if its script sent it, else as somebody typed it."""
    most = int(_LAST.timestamp() * 1000)
    now = form().place("now", most, default=None)
    try:
        if now is not None:
            at = datetime.fromtimestamp(now / 1000, UTC)
        else:
            at = datetime.fromisoformat(form().text("local", _LONGEST)).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        raise FieldError(message("clock.odd")) from error
    if not _FIRST <= at < _LAST:
        raise FieldError(message("clock.odd"))
    return at
