"""Show the live picture of a phone's own camera, with hints before the shutter.

Browsers give a page the camera only on a secure address. The box has one when it was started with
`--https`; otherwise none of this is offered. The photograph itself is uploaded by the same form as
any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, abort, make_response, render_template, request
from flask import url_for as address
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.web.contexts import camera_desk, upkeep
from device.web.cookies import YEAR_S
from device.web.fields import query
from device.web.request_guard import CAMERA_ALLOWED, PERMISSIONS_HEADER
from device.web.table.current_match import current_match, player_at

pages = Blueprint("aiming", __name__, url_prefix="/camera/phone")

AIMING_COOKIE = "aims"
"""Set once a phone has used the secure address. From then on, one tap leads there."""


@dataclass(frozen=True, slots=True)
class AimTarget:
    """What a phone is about to photograph."""

    title: str
    sends_to: str
    """The address that receives the photograph."""
    back: str
    """The page that offers the other ways to send a photograph."""
    instead: str | None = None
    """What the photograph of a player's hand replaces; see `MatchHand`."""


@pages.get("/")
def show() -> AnyResponse:
    """Show the live picture on the secure address; otherwise explain how to get there."""
    if not upkeep().https_port:
        abort(404)
    target = _aim_target()
    if not request.is_secure:
        return make_response(
            render_template(
                "aiming_steps.html", at=target, secure=_https_url("enter", **_aim_fields())
            )
        )
    answer = make_response(render_template("aiming.html", at=target))
    answer.headers[PERMISSIONS_HEADER] = CAMERA_ALLOWED
    answer.set_cookie(AIMING_COOKIE, "yes", max_age=YEAR_S, httponly=True, samesite="Lax")
    return answer


@pages.get("/enter")
def enter() -> str:
    """Show a page that leads on to the live picture without a tap.

    To a browser, `http` is another site, so it does not send strict cookies with the first request.
    The box would not recognise the phone. It does for requests that start from this page.
    """
    return render_template("aiming_enter.html", on=address("aiming.show", **_aim_fields()))


@pages.get("/tongbox.crt")
def authority() -> Response:
    """Return the certificate of the box's authority, for phones that install it."""
    from device.host.certificate import read_authority  # loads what only HTTPS needs

    certificate = read_authority(upkeep().machine.data) if upkeep().https_port else None
    return Response(certificate or abort(404), mimetype="application/x-x509-ca-cert")


@pages.post("/hint")
def hint() -> dict[str, str] | Response:
    """Judge a small frame of the live picture. Return `hint` and `words` for the script."""
    phone, frames = request.remote_addr or "", camera_desk().shares.frames
    if not frames.take(phone):
        return Response(status=429)
    try:
        judgement = camera_desk().aims.judge(phone, request.get_data())
    finally:
        frames.give_back(phone)
    return {"hint": judgement, "words": say(f"camera.hint.{judgement}")}


@pages.app_template_global("aim_from_here")
def aiming_url(**fields: Any) -> str:  # noqa: ANN401
    """Return the address of the live picture; empty if the box has no secure address.

    The arguments say what is photographed: `seat`, `whole` or `ask`.
    """
    if not upkeep().https_port:
        return ""
    if not request.is_secure and AIMING_COOKIE in request.cookies:
        return _https_url("enter", **fields)
    return address("aiming.show", **fields)


def _https_url(page: str, **fields: Any) -> str:  # noqa: ANN401
    """Return the HTTPS address of a page."""
    name = urlsplit(request.host_url).hostname or ""
    host = f"[{name}]" if ":" in name else name
    return f"https://{host}:{upkeep().https_port}" + address(f"aiming.{page}", **fields)


def _aim_fields() -> dict[str, Any]:
    """Return the fields of this address that say what is photographed."""
    fields = query()
    seat = fields.place("seat", default=None)
    return {name: "yes" for name in ("whole", "ask") if name in fields} | (
        {} if seat is None else {"seat": seat}
    )


def _aim_target() -> AimTarget:
    fields = query()
    seat = fields.place("seat", default=None)
    if "whole" in fields:
        match = current_match()
        give = address("whole.give", match=match.id, deal=match.course.next_deal.number)
        return AimTarget(say("whole.title"), give, address("table.show"))
    if seat is not None:
        match = current_match()
        player = player_at(match, seat)
        return_url = address("deal.capture", number=seat)
        title = say("capture.title", player=player)
        counts = match.deal.given_hand(player).counts
        deal = match.course.next_deal.number
        give = address("deal.give", number=seat, match=match.id, deal=deal)
        return AimTarget(title, give, return_url, counts)
    if "ask" in fields:
        show = address("asking.show")
        return AimTarget(say("asking.question"), address("asking.begin"), show)
    return AimTarget(say("home.question"), address("home.begin"), address("home.single"))
