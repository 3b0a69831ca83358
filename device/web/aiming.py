"""Show the live picture of a phone's own camera, with hints before the shutter.

Browsers give a page the camera only on a secure address. The box has one when it was started with
`--https`; otherwise none of this is offered. The photograph itself is uploaded by the same form as
any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Flask, Response, abort, make_response, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.server.limits import AddressShares
from device.web.box import box
from device.web.fields import query
from device.web.guard import CAMERA_ALLOWED, PERMISSIONS
from device.web.table.here import match_here, player_at

pages = Blueprint("aiming", __name__, url_prefix="/camera/phone")

COOKIE = "aims"
"""Set once a phone has used the secure address. From then on, one tap leads there."""

MOST = 4
"""Frames judged at the same time, at most one per phone. Further phones must ask again."""

_frames = AddressShares(MOST, 1)

_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class AimedAt:
    """What a phone is about to photograph."""

    title: str
    sends_to: str
    """The address that receives the photograph."""
    back: str
    """The page that offers the other ways to send a photograph."""
    instead: str | None = None
    """What the photograph of a player's hand replaces; see `PlayersHand`."""


@pages.get("/")
def show() -> AnyResponse:
    """Show the live picture on the secure address; otherwise explain how to get there."""
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
    """Show a page that leads on to the live picture without a tap.

    To a browser, `http` is another site, so it does not send strict cookies with the first request.
    The box would not recognise the phone. It does for requests that start from this page.
    """
    return render_template("aiming_enter.html", on=address("aiming.show", **_carried()))


@pages.post("/hint")
def hint() -> dict[str, str] | Response:
    """Judge a small frame of the live picture. Return `hint` and `words` for the script."""
    phone = request.remote_addr or ""
    if not _frames.take(phone):
        return Response(status=429)
    try:
        said = box().aims.judge(phone, request.get_data())
    finally:
        _frames.give_back(phone)
    return {"hint": said, "words": say(f"camera.hint.{said}")}


def init_app(app: Flask) -> None:
    """Give templates the address of the live picture."""
    app.jinja_env.globals["aim_from_here"] = aim_from_here


def aim_from_here(**of: Any) -> str:  # noqa: ANN401
    """Return the address of the live picture; empty if the box has no secure address.

    The arguments say what is photographed: `seat`, `whole` or `ask`.
    """
    if not box().https_port:
        return ""
    if not request.is_secure and COOKIE in request.cookies:
        return _secure("enter", **of)
    return address("aiming.show", **of)


def _secure(page: str, **of: Any) -> str:  # noqa: ANN401
    """Return the HTTPS address of a page."""
    name = urlsplit(request.host_url).hostname or ""
    host = f"[{name}]" if ":" in name else name
    return f"https://{host}:{box().https_port}" + address(f"aiming.{page}", **of)


def _carried() -> dict[str, Any]:
    """Return the fields of this address that say what is photographed."""
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
