"""The table's PIN on the page: asked once of every phone, switched on and off on the Setup page.

The QR code carries it, so that who scans that is asked nothing.
"""

from __future__ import annotations

from flask import (
    Blueprint,
    Flask,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say
from device.settings.pin import is_pin, lets_in, make_pin, no_pin
from device.settings.settings import Settings
from device.web.box import box
from device.web.fields import form
from device.web.guard import RateLimit

pages = Blueprint("pin", __name__)

COOKIE = "tongbox-phone"
_YEAR = 365 * 24 * 3600

FREE = frozenset({"asset", "setup.health", "pin.enter"})
"""What is answered without the PIN: nothing that tells of hands."""

TRIES, ALL_TRIES = 5, 20
"""A minute, of one phone and of all together. Half of all PINs take over four hours so."""

_FOR_SCRIPTS = frozenset({"capture.now", "live.now"})
"""What the script asks for and shows the `words` of."""


def init_app(app: Flask) -> None:
    """Ask for the PIN before anything else is answered."""
    app.extensions["tongbox-tries"] = (RateLimit(TRIES), RateLimit(ALL_TRIES))
    app.jinja_env.globals["table_pin"] = lambda: box().settings.now().pin

    @app.before_request
    def ask() -> AnyResponse | None:
        if request.endpoint in FREE:
            return None
        settings = box().settings.now()
        arriving = request.endpoint == "home.index" and "pin" in request.args
        if lets_in(settings, request.cookies.get(COOKIE, "")):
            return redirect(url_for("home.index")) if arriving else None
        if arriving:
            return _tried(settings, request.args["pin"], url_for("home.index"))
        if request.endpoint in _FOR_SCRIPTS:
            return make_response({"state": "lost", "words": say("pin.title")}, 403)
        back = request.full_path.rstrip("?") if request.method == "GET" else ""
        return _asked("", back, 403)


@pages.post("/pin")
def enter() -> AnyResponse:
    """Let a phone in whose player typed the PIN."""
    pin = "".join(form().word("pin", None).split())
    return _tried(box().settings.now(), pin, _own(form().word("back")))


@pages.post("/setup/pin")
def change() -> AnyResponse:
    """Switch the PIN on or off, or make a new one; the phone that does so stays in."""
    answer = redirect(url_for("setup.show"), 303)
    wish = form().choice("pin", ("off", "new"))
    if wish == "off":
        no_pin(box().settings)
    else:
        _let_in(answer, make_pin(box().settings))
    return answer


def _tried(settings: Settings, pin: str, back: str) -> AnyResponse:
    of_phone, of_all = current_app.extensions["tongbox-tries"]
    if not (of_phone(request.remote_addr or "") and of_all("")):
        return _asked(say("pin.wait"), back, 429)
    if settings.pin and not is_pin(settings, pin):
        return _asked(say("pin.wrong"), back, 403)
    # A page that leads on by itself, not a redirect: who comes from another program by a redirect
    # still counts as coming from there, and a strict cookie is not sent along then.
    answer = make_response(render_template("pin_right.html", back=back))
    if settings.pin:
        _let_in(answer, settings)
    return answer


def _let_in(answer: AnyResponse, settings: Settings) -> None:
    answer.set_cookie(COOKIE, settings.pin_token, max_age=_YEAR, httponly=True, samesite="Strict")


def _asked(sentence: str, back: str, status: int) -> AnyResponse:
    folder = box().machine.data
    page = render_template("pin.html", sentence=sentence, back=back, folder=folder)
    return make_response(page, status)


def _own(path: str) -> str:
    """Return the path if it is one of the box's, else that of the first page."""
    is_own = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_own else url_for("home.index")
