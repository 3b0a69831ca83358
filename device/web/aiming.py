"""Aiming a phone's own camera: why that needs the secure address, the live picture, the shutter.

Browsers show a page what the camera sees only on a secure address. The box has one where it was
started with `--https`; elsewhere none of this is offered. The photograph itself takes the way that
any other does: the page has the same form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.server.shares import Shares
from device.web.box import box
from device.web.fields import query
from device.web.guard import CAMERA_ALLOWED, PERMISSIONS
from device.web.table.here import match_here, player_at

pages = Blueprint("aiming", __name__, url_prefix="/camera/phone")

COOKIE = "aims"
"""Kept by a phone that has been on the secure address: from then on the way there is one tap."""

MOST = 4
"""Frames that are judged at a time, one of each phone: the others are told to ask again."""

_frames = Shares(MOST, 1)

_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class AimedAt:
    """What is to be photographed."""

    title: str
    sends_to: str
    """The address that takes the photograph in."""
    back: str
    """The page with the plain ways in."""
    instead: str | None = None
    """What the photograph of a player's hand replaces, as `PlayersHand` has it."""


@pages.get("/")
def show() -> AnyResponse:
    """Show the live picture on the secure address; elsewhere what to do to get there."""
    if not box().https_port:
        abort(404)
    at = _aimed_at()
    if not request.is_secure:
        return make_response(
            render_template("aiming_steps.html", at=at, secure=_secure("enter", **_carried()))
        )
    answer = make_response(render_template("aiming.html", at=at))
    answer.headers[PERMISSIONS] = CAMERA_ALLOWED
    answer.set_cookie(COOKIE, "yes", max_age=_YEAR, httponly=True, samesite="Lax")
    return answer


@pages.get("/enter")
def enter() -> str:
    """Lead on to the live picture, by a page that does so by itself.

    Who comes from `http` comes from another site, to which a strict cookie is not sent: the phone
    would be a stranger. From this page on it is known again.
    """
    return render_template("aiming_enter.html", on=address("aiming.show", **_carried()))


@pages.post("/hint")
def hint() -> dict[str, str] | Response:
    """Judge a small frame of the live picture; return `hint` and `words`, for the script."""
    phone = request.remote_addr or ""
    if not _frames.take(phone):
        return Response(status=429)
    try:
        said = box().aims.judge(phone, request.get_data())
    finally:
        _frames.give_back(phone)
    return {"hint": said, "words": say(f"camera.hint.{said}")}


def init_app(app: Flask) -> None:
    """Let templates offer the way to the live picture."""
    app.jinja_env.globals["aim_from_here"] = aim_from_here


def aim_from_here(**of: Any) -> str:  # noqa: ANN401
    """Return where a phone aims, what is photographed as `_aimed_at` has it; empty for nowhere."""
    if not box().https_port:
        return ""
    if not request.is_secure and COOKIE in request.cookies:
        return _secure("enter", **of)
    return address("aiming.show", **of)


def _secure(page: str, **of: Any) -> str:  # noqa: ANN401
    """Return a page's address by HTTPS."""
    name = urlsplit(request.host_url).hostname or ""
    host = f"[{name}]" if ":" in name else name
    return f"https://{host}:{box().https_port}" + address(f"aiming.{page}", **of)


def _carried() -> dict[str, Any]:
    """Return what an address says of what is photographed."""
    said = query()
    seat = said.place("seat", default=None)
    return {name: "yes" for name in ("whole", "ask") if name in said} | (
        {} if seat is None else {"seat": seat}
    )


def _aimed_at() -> AimedAt:
    said = query()
    seat = said.place("seat", default=None)
    if "whole" in said:
        match_here()
        return AimedAt(say("whole.title"), address("whole.give"), address("table.show"))
    if seat is not None:
        match = match_here()
        player = player_at(match, seat)
        back = address("deal.capture", number=seat)
        title = say("capture.title", player=player)
        counts = match.deal.given(player).counts
        return AimedAt(title, address("deal.give", number=seat), back, counts)
    if "ask" in said:
        show = address("asking.show")
        return AimedAt(say("asking.question"), address("asking.begin"), show)
    return AimedAt(say("home.question"), address("home.begin"), address("home.single"))
