"""The organiser's PIN: asked once of a phone, before it changes anything of the club.

`device.web.permissions` lists what needs it.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.access import (
    is_right_organiser_pin,
    may_organise,
    remove_organiser_pin,
    set_new_organiser_pin,
)
from device.i18n.words import say, say_count
from device.settings import Settings
from device.web.contexts import records, upkeep
from device.web.cookies import keep_cookie
from device.web.fields import form, query
from device.web.links import form_page_url, local_url, redirect_to
from device.web.pin_attempts import read_typed_pin, refuse_wrong_pin

pages = Blueprint("organiser", __name__, url_prefix="/club/organiser")

ORGANISER_COOKIE = "tongbox-organiser"


def is_organiser() -> bool:
    """Whether the phone that asks may change tournaments, the season and the tables."""
    return may_organise(records().settings.read(), request.cookies.get(ORGANISER_COOKIE, ""))


def ask_for_pin() -> AnyResponse:
    """Return the page that asks for the PIN and then leads back to where the phone came from."""
    leave = form_page_url()
    if request.method != "GET":
        return _pin_page(leave, "", HTTPStatus.FORBIDDEN, leave)
    current_url = local_url(request.full_path.rstrip("?"))
    return _pin_page(current_url, "", HTTPStatus.FORBIDDEN, "" if leave == current_url else leave)


@pages.get("/")
def show() -> str:
    """Show the PIN to a phone that knows it. If there is none, offer to make one."""
    return render_template("club/organiser.html", pin=records().settings.read().organiser_pin)


@pages.get("/enter")
def lead_back() -> AnyResponse:
    """Redirect a phone that has given the PIN to the page that it came from."""
    return redirect(local_url(query().word("back")))


@pages.post("/enter")
def enter() -> AnyResponse:
    """Let the phone organise if the player typed the right PIN."""
    settings, return_url = records().settings.read(), local_url(form().word("back"))
    pin = read_typed_pin()
    refusal = refuse_wrong_pin(
        f"organiser {request.remote_addr}",
        lambda: not settings.organiser_pin or is_right_organiser_pin(settings, pin),
        partial(_pin_page, return_url),
        wait=lambda minutes: say_count("club.organiser.wait", minutes),
        wrong=say("club.organiser.wrong"),
    )
    return refusal or _set_organiser_cookie(redirect(return_url, 303), settings)


@pages.post("/pin")
def change() -> AnyResponse:
    """Switch the PIN off, or make a new one. The phone that does so may still organise."""
    answer = redirect_to("organiser.show")
    if form().choice("pin", ("off", "new")) == "off":
        remove_organiser_pin(records().settings)
        return answer
    return _set_organiser_cookie(answer, set_new_organiser_pin(records().settings))


def _set_organiser_cookie(answer: AnyResponse, settings: Settings) -> AnyResponse:
    if settings.organiser_pin:
        keep_cookie(answer, ORGANISER_COOKIE, settings.organiser_token)
    return answer


def _pin_page(return_url: str, sentence: str, status: HTTPStatus, leave: str = "") -> AnyResponse:
    """Ask for the PIN. The right one leads to `return_url`, cancel to `leave`."""
    folder = upkeep().machine.data
    page = render_template(
        "club/organiser_pin.html",
        sentence=sentence,
        back=return_url,
        leave=leave or url_for("home.index"),
        folder=folder,
    )
    return make_response(page, status)
