"""The box's PIN: asked once of every phone, switched on and off on the Setup page.

The QR code carries a code that lets a phone in, so a phone that scans it is not asked.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import (
    Blueprint,
    Flask,
    Response,
    g,
    make_response,
    redirect,
    render_template,
    request,
)
from werkzeug.wrappers import Response as AnyResponse

from device.access import (
    has_access,
    is_qr_code_secret,
    is_right_pin,
    remove_pin,
    set_new_pin,
)
from device.i18n.words import say, say_count
from device.settings import Settings
from device.store.errors import UnreachableError
from device.web.contexts import records, room
from device.web.cookies import keep_cookie
from device.web.fields import form, query
from device.web.links import local_url, redirect_to
from device.web.permissions import Role, permission_of
from device.web.phone_identity import phone_identity
from device.web.pin_attempts import read_typed_pin, refuse_wrong_pin

pages = Blueprint("pin", __name__)

PIN_COOKIE = "tongbox-phone"

CODE_FIELD, PIN_FIELD = "code", "pin"
"""Fields in a QR code's address. Labels printed by older versions carry the PIN itself."""

ARRIVAL_ENDPOINTS = frozenset({"home.index", "at.sit_down"})
"""The endpoints of QR codes, the box's and its tables'. Their addresses may carry the code."""

_SCRIPT_ENDPOINTS = frozenset({"capture.show_state", "live.show_version", "aiming.hint"})
"""The endpoints that scripts call. Scripts show the `words` of the answer."""


class LastKnownSettings:
    """The newest settings seen so far, for callers that must not wait for the log."""

    settings: Settings | None = None
    """None before any were seen; then no phone counts as let in."""

    def is_in(self, token: str) -> bool:
        """Whether this token lets a phone in."""
        return self.settings is not None and has_access(self.settings, token)


def init_app(app: Flask) -> None:
    """Ask for the PIN before any other page is answered."""
    app.extensions["tongbox-last-known"] = last_known = LastKnownSettings()
    app.jinja_env.globals["table_pin"] = lambda: records().settings.read().pin

    @app.before_request
    def ask() -> AnyResponse | None:
        if _needs_no_pin(request.endpoint):
            return None
        last_known.settings = settings = _settings_or_last_known(last_known)
        arriving = request.endpoint in ARRIVAL_ENDPOINTS and request.args.keys() & {
            CODE_FIELD,
            PIN_FIELD,
        }
        if has_access(settings, request.cookies.get(PIN_COOKIE, "")):
            g.is_let_in = True  # templates offer only such a phone to let others in
            return redirect(local_url(request.path)) if arriving else None
        if phone_identity().match in settings.pin_admits.split():
            g.is_let_in = g.was_at_the_table = True
            return None
        if arriving and is_qr_code_secret(settings, query().word(CODE_FIELD)):
            return _welcome_page(settings, local_url(request.path))
        if arriving and PIN_FIELD in query():
            return _try_pin(settings, query().word(PIN_FIELD), local_url(request.path))
        if request.endpoint in _SCRIPT_ENDPOINTS:
            return make_response({"state": "lost", "words": say("pin.title")}, 403)
        return_url = request.full_path.rstrip("?") if request.method == "GET" else ""
        return _pin_page(local_url(return_url), "", HTTPStatus.FORBIDDEN)

    @app.after_request
    def keep_in(answer: Response) -> Response:
        if "was_at_the_table" in g:
            _set_pin_cookie(answer, records().settings.read())
        return answer


def _needs_no_pin(endpoint: str | None) -> bool:
    """Whether an endpoint is answered without the PIN."""
    permission = permission_of(endpoint or "", {}, changes=False)
    return permission is not None and permission.role is Role.ANYBODY


def _settings_or_last_known(last_known: LastKnownSettings) -> Settings:
    """Return the settings, or the last known ones while the store does not answer.

    The page can then say that the store does not answer. Raises UnreachableError if none are known.
    """
    try:
        return records().settings.read()
    except UnreachableError:
        if last_known.settings is None:
            raise
        return last_known.settings


@pages.post("/pin")
def enter() -> AnyResponse:
    """Let the phone in if the player typed the right PIN."""
    return _try_pin(records().settings.read(), read_typed_pin(), local_url(form().word("back")))


@pages.post("/setup/pin")
def change() -> AnyResponse:
    """Switch the PIN off, or make a new one. The phone that does so stays in."""
    answer = redirect_to("settings.pin")
    wish = form().choice("pin", ("off", "new"))
    if wish == "off":
        remove_pin(records().settings)
    else:
        running_matches = [match.id for match in room().matches.all_running()]
        _set_pin_cookie(answer, set_new_pin(records().settings, running_matches))
    return answer


def _try_pin(settings: Settings, pin: str, return_url: str) -> AnyResponse:
    refusal = refuse_wrong_pin(
        f"box {request.remote_addr}",
        lambda: not settings.pin or is_right_pin(settings, pin),
        partial(_pin_page, return_url),
        wait=lambda minutes: say_count("pin.wait", minutes),
        wrong=say("pin.wrong"),
    )
    return refusal or _welcome_page(settings, return_url)


def _welcome_page(settings: Settings, return_url: str) -> AnyResponse:
    # Not a redirect but a page that leads on by itself: after a redirect, a request that began in
    # another program still counts as coming from there, and browsers then send no strict cookie.
    answer = make_response(render_template("pin_right.html", back=return_url))
    if settings.pin:
        _set_pin_cookie(answer, settings)
    return answer


def _set_pin_cookie(answer: AnyResponse, settings: Settings) -> None:
    keep_cookie(answer, PIN_COOKIE, settings.pin_token)


def _pin_page(return_url: str, sentence: str, status: HTTPStatus) -> AnyResponse:
    return make_response(render_template("pin.html", sentence=sentence, back=return_url), status)
