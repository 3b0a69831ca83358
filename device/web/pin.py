"""The box's PIN: asked once of every phone, switched on and off on the Setup page.

The QR code carries a code that lets a phone in, so a phone that scans it is not asked.
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
from device.settings.access import (
    has_access,
    is_qr_code_secret,
    is_right_pin,
    remove_pin,
    set_new_pin,
)
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
"""Fields in a QR code's address. Labels printed by older versions carry the PIN itself."""

ARRIVING = frozenset({"home.index", "at.sit_down"})
"""The endpoints of QR codes, the box's and its tables'. Their addresses may carry the code."""

_FOR_SCRIPTS = frozenset({"capture.now", "live.now", "aiming.hint"})
"""The endpoints that scripts call. Scripts show the `words` of the answer."""


class LastKnown:
    """The newest settings seen so far, for callers that must not wait for the log."""

    settings: Settings | None = None
    """None before any were seen; then no phone counts as let in."""

    def is_in(self, token: str) -> bool:
        """Whether this token lets a phone in."""
        return self.settings is not None and has_access(self.settings, token)


def init_app(app: Flask) -> None:
    """Ask for the PIN before any other page is answered."""
    app.extensions["tongbox-last-known"] = last_known = LastKnown()
    app.jinja_env.globals["table_pin"] = lambda: box().settings.now().pin

    @app.before_request
    def ask() -> AnyResponse | None:
        if _is_free(request.endpoint):
            return None
        last_known.settings = settings = _settings(last_known)
        arriving = request.endpoint in ARRIVING and request.args.keys() & {CODE, TYPED}
        if has_access(settings, request.cookies.get(COOKIE, "")):
            g.is_let_in = True  # templates offer only such a phone to let others in
            return redirect(own_address(request.path)) if arriving else None
        if arriving and is_qr_code_secret(settings, query().word(CODE)):
            return _welcome(settings, own_address(request.path))
        if arriving and TYPED in query():
            return _tried(settings, query().word(TYPED), own_address(request.path))
        if request.endpoint in _FOR_SCRIPTS:
            return make_response({"state": "lost", "words": say("pin.title")}, 403)
        back = request.full_path.rstrip("?") if request.method == "GET" else ""
        return _asked(own_address(back), "", HTTPStatus.FORBIDDEN)


def _is_free(endpoint: str | None) -> bool:
    """Whether an endpoint is answered without the PIN."""
    found = permission_of(endpoint or "", {})
    return found is not None and found.role is Role.ANYBODY


def _settings(last_known: LastKnown) -> Settings:
    """Return the settings, or the last known ones while the store does not answer.

    The page can then say that the store does not answer. Raises UnreachableError if none are known.
    """
    try:
        return box().settings.now()
    except UnreachableError:
        if last_known.settings is None:
            raise
        return last_known.settings


@pages.post("/pin")
def enter() -> AnyResponse:
    """Let the phone in if the player typed the right PIN."""
    return _tried(box().settings.now(), typed_pin(), own_address(form().word("back")))


@pages.post("/setup/pin")
def change() -> AnyResponse:
    """Switch the PIN off, or make a new one. The phone that does so stays in."""
    answer = redirect(url_for("setup.show"), 303)
    wish = form().choice("pin", ("off", "new"))
    if wish == "off":
        remove_pin(box().settings)
    else:
        _let_in(answer, set_new_pin(box().settings))
    return answer


def _tried(settings: Settings, pin: str, back: str) -> AnyResponse:
    refused = refused_pin(
        f"box {request.remote_addr}",
        lambda: not settings.pin or is_right_pin(settings, pin),
        partial(_asked, back),
        wait=lambda minutes: say_count("pin.wait", minutes),
        wrong=say("pin.wrong"),
    )
    return refused or _welcome(settings, back)


def _welcome(settings: Settings, back: str) -> AnyResponse:
    # Not a redirect but a page that leads on by itself: after a redirect, a request that began in
    # another program still counts as coming from there, and browsers then send no strict cookie.
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
