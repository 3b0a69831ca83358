"""The table's PIN on the page: asked once of every phone, switched on and off on the Setup page.

The QR code carries what lets in at once, so that who scans that is asked nothing.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import (
    Blueprint,
    Flask,
    g,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say, say_count
from device.settings.pin import is_code, is_pin, lets_in, make_pin, no_pin
from device.settings.settings import Settings
from device.store.errors import UnreachableError
from device.web.box import box
from device.web.fields import form, query
from device.web.own_address import own_address
from device.web.permissions.rows import Role, permission_of
from device.web.pin_tried import refused_pin, typed_pin

pages = Blueprint("pin", __name__)

COOKIE = "tongbox-phone"
_YEAR = 365 * 24 * 3600

CODE, TYPED = "code", "pin"
"""What the QR code's address carries; and what labels carry that were printed before it did."""

ARRIVING = frozenset({"home.index", "at.sit_down"})
"""Where QR codes lead, the box's and those of its tables: these may carry what lets in."""

_FOR_SCRIPTS = frozenset({"capture.now", "live.now", "aiming.hint"})
"""What the script asks for and shows the `words` of."""


class LastKnown:
    """The settings as the page last saw them, for who may not wait for the log."""

    settings: Settings | None = None
    """None before it saw any: then nobody is known to be in."""

    def is_in(self, token: str) -> bool:
        """Whether a phone that holds this was let in."""
        return self.settings is not None and lets_in(self.settings, token)


def init_app(app: Flask) -> None:
    """Ask for the PIN before anything else is answered."""
    app.extensions["tongbox-last-known"] = last_known = LastKnown()
    app.jinja_env.globals["table_pin"] = lambda: box().settings.now().pin

    @app.before_request
    def ask() -> AnyResponse | None:
        if _is_free(request.endpoint):
            return None
        last_known.settings = settings = _settings(last_known)
        arriving = request.endpoint in ARRIVING and request.args.keys() & {CODE, TYPED}
        if lets_in(settings, request.cookies.get(COOKIE, "")):
            g.is_let_in = True  # for templates: only such a phone is offered to let others in
            return redirect(own_address(request.path)) if arriving else None
        if arriving and is_code(settings, query().word(CODE)):
            return _welcome(settings, own_address(request.path))
        if arriving and TYPED in query():
            return _tried(settings, query().word(TYPED), own_address(request.path))
        if request.endpoint in _FOR_SCRIPTS:
            return make_response({"state": "lost", "words": say("pin.title")}, 403)
        back = request.full_path.rstrip("?") if request.method == "GET" else ""
        return _asked(own_address(back), "", HTTPStatus.FORBIDDEN)


def _is_free(endpoint: str | None) -> bool:
    """Whether it is answered without the PIN."""
    found = permission_of(endpoint or "", {})
    return found is not None and found.role is Role.ANYBODY


def _settings(last_known: LastKnown) -> Settings:
    """Return the settings; those of before while the store does not answer, so that this is said.

    Raises UnreachableError where none are known.
    """
    try:
        return box().settings.now()
    except UnreachableError:
        if last_known.settings is None:
            raise
        return last_known.settings


@pages.post("/pin")
def enter() -> AnyResponse:
    """Let a phone in whose player typed the PIN."""
    return _tried(box().settings.now(), typed_pin(), own_address(form().word("back")))


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
    refused = refused_pin(
        f"box {request.remote_addr}",
        lambda: not settings.pin or is_pin(settings, pin),
        partial(_asked, back),
        wait=lambda minutes: say_count("pin.wait", minutes),
        wrong=say("pin.wrong"),
    )
    return refused or _welcome(settings, back)


def _welcome(settings: Settings, back: str) -> AnyResponse:
    # A page that leads on by itself, not a redirect: who comes from another program by a redirect
    # still counts as coming from there, and a strict cookie is not sent along then.
    answer = make_response(render_template("pin_right.html", back=back))
    if settings.pin:
        _let_in(answer, settings)
    return answer


def _let_in(answer: AnyResponse, settings: Settings) -> None:
    answer.set_cookie(COOKIE, settings.pin_token, max_age=_YEAR, httponly=True, samesite="Strict")


def _asked(back: str, sentence: str, status: HTTPStatus) -> AnyResponse:
    folder = box().machine.data
    page = render_template("pin.html", sentence=sentence, back=back, folder=folder)
    return make_response(page, status)
