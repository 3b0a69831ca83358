"""The organiser's PIN on the page: asked of a phone once, before it changes what is the club's.

With a PIN set, `organisers_only` lets a view be answered for a phone that has given it alone. Views
that only show something are never guarded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import ParamSpec, TypeVar

from flask import (
    Blueprint,
    Flask,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say, say_count
from device.settings.organiser import (
    is_organiser_pin,
    make_organiser_pin,
    may_organise,
    no_organiser_pin,
)
from device.settings.settings import Settings
from device.web.box import box
from device.web.fields import form
from device.web.own_address import own_address, sent_from
from device.web.pin_tried import refused_pin, typed_pin

pages = Blueprint("organiser", __name__, url_prefix="/club/organiser")

COOKIE = "tongbox-organiser"

_YEAR = 365 * 24 * 3600

_Takes = ParamSpec("_Takes")
_Gives = TypeVar("_Gives")


def init_app(app: Flask) -> None:
    """Let templates ask whether this phone may change what is the club's."""
    app.jinja_env.globals["is_organiser"] = is_organiser


def is_organiser() -> bool:
    """Whether this request's phone may change tournaments, the season and the tables."""
    return may_organise(box().settings.now(), request.cookies.get(COOKIE, ""))


def organisers_only(view: Callable[_Takes, _Gives]) -> Callable[_Takes, _Gives | AnyResponse]:
    """Return the view, with the organiser's PIN asked for before it where there is one."""

    @wraps(view)
    def guarded(*args: _Takes.args, **kwargs: _Takes.kwargs) -> _Gives | AnyResponse:
        if is_organiser():
            return view(*args, **kwargs)
        return _asked(_came_from(), "", HTTPStatus.FORBIDDEN)

    return guarded


@pages.get("/")
def show() -> str | AnyResponse:
    """Show the PIN to a phone that knows it, and ask any other; offer one where there is none."""
    if not is_organiser():
        return _asked(url_for("organiser.show"), "", HTTPStatus.OK)
    return render_template("club/organiser.html", pin=box().settings.now().organiser_pin)


@pages.post("/enter")
def enter() -> AnyResponse:
    """Let a phone change things whose player typed the PIN."""
    settings, back = box().settings.now(), own_address(form().word("back"))
    pin = typed_pin()
    refused = refused_pin(
        f"organiser {request.remote_addr}",
        lambda: not settings.organiser_pin or is_organiser_pin(settings, pin),
        partial(_asked, back),
        wait=lambda minutes: say_count("club.organiser.wait", minutes),
        wrong=say("club.organiser.wrong"),
    )
    return refused or _welcome(redirect(back, 303), settings)


@pages.post("/pin")
@organisers_only
def change() -> AnyResponse:
    """Switch the PIN on or off, or make a new one; the phone that does so goes on organising."""
    answer = redirect(url_for("organiser.show"), 303)
    if form().choice("pin", ("off", "new")) == "off":
        no_organiser_pin(box().settings)
        return answer
    return _welcome(answer, make_organiser_pin(box().settings))


def _welcome(answer: AnyResponse, settings: Settings) -> AnyResponse:
    if settings.organiser_pin:
        token = settings.organiser_token
        answer.set_cookie(COOKIE, token, max_age=_YEAR, httponly=True, samesite="Strict")
    return answer


def _came_from() -> str:
    """Return the page to go on from: this one, or the one that had the form that was sent."""
    if request.method == "GET":
        return own_address(request.full_path.rstrip("?"))
    return sent_from()


def _asked(back: str, sentence: str, status: HTTPStatus) -> AnyResponse:
    folder = box().machine.data
    shown = render_template("club/organiser_pin.html", sentence=sentence, back=back, folder=folder)
    return make_response(shown, status)
