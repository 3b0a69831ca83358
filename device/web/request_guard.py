"""Check every request: its host, its origin, its rate and the size of its body.

The box has no accounts: whoever is on the network may use it. It must keep out other web sites,
which could use a player's browser: by a name that resolves to the box (hence the Host check) or by
a form that posts to it (hence the Origin check).
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

from flask import Flask, Response, abort, render_template, request
from werkzeug.datastructures import Headers
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Request

from device.host.page_links import DEFAULT_NAME
from device.server.connection import REFUSED_STATUS_KEY, MaySend
from device.store import StoreError
from device.web.assets import ASSETS_PREFIX
from device.web.contexts import Records, find_context
from device.web.phone_access import addresses_to_open
from device.web.pin import PIN_COOKIE, LastKnownSettings

MAX_POSTS_PER_MINUTE = 120
"""Changes from one phone. A player who taps once a second stays well below."""

SHARED_NETWORK = ipaddress.ip_network("100.64.0.0/10")
"""Addresses of some hotspots and routers, which Python does not count as private."""

PRIVATE_DOMAINS = (".local", ".home.arpa", ".internal")
"""Domains that are reserved for private networks: no stranger can own a name in them (RFC 6762,
RFC 8375, and ICANN's resolution of 2024)."""

ROUTER_DOMAINS = ("", ".lan", ".home", ".localdomain")
"""What routers append to the names of computers, or nothing. These domains do not exist outside,
but nobody promises that they never will, so only the box's own names are answered in them. Not
`.fritz.box`: that is a name in the internet, and a stranger owned it in 2024."""

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": with that, browsers send "Origin: null" with the page's own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


PERMISSIONS_HEADER = "Permissions-Policy"

CAMERA_ALLOWED = "camera=(self), microphone=(), geolocation=()"
"""The header of the one page that shows the phone's camera."""

_NO_CAMERA = "camera=(), microphone=(), geolocation=()"

MAX_FRAMES_PER_MINUTE = 120
"""Camera frames from one phone. Its script sends one every 0.7 seconds."""

_FRAME_ENDPOINT = "aiming.hint"
"""The endpoint for frames. They change nothing, so they are counted apart from changes."""


def init_guard(app: Flask, names: frozenset[str]) -> None:
    """Check every request, and add the security headers to every response."""
    within_rate, within_frames = RateLimit(MAX_POSTS_PER_MINUTE), RateLimit(MAX_FRAMES_PER_MINUTE)

    @app.before_request
    def check() -> tuple[str, int] | None:
        if not is_own_host(request.host, names):
            if request.path.startswith(ASSETS_PREFIX):
                return None  # the page that says so is drawn with them; everybody has them
            return render_template("misdirected.html", addresses=addresses_to_open()), 421
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return None
        if not is_own_page(request.headers, request.host):
            abort(403)
        limit = within_frames if request.endpoint == _FRAME_ENDPOINT else within_rate
        if not limit(request.remote_addr or ""):
            abort(429)
        return None

    @app.after_request
    def mark(response: Response) -> Response:
        response.headers.extend(SECURITY_HEADERS)
        response.headers.setdefault(PERMISSIONS_HEADER, _NO_CAMERA)
        if not response.cache_control.max_age:
            response.headers["Cache-Control"] = "no-store"
        return response


def is_own_host(host: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a Host header names this box: a private address, or a local or configured name."""
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:  # unpaired brackets
        return False
    if name == "localhost" or name.endswith(PRIVATE_DOMAINS) or name in _names_of_box(names):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return (
        address.is_private
        or address.is_loopback
        or address.is_link_local
        or address in SHARED_NETWORK
    )


@cache
def _names_of_box(names: frozenset[str]) -> frozenset[str]:
    """Return the configured names, and those that a router makes of names without a domain."""
    lower_names = {name.lower() for name in names}
    bare = {name for name in lower_names if "." not in name} | {DEFAULT_NAME.removesuffix(".local")}
    return frozenset(lower_names | {name + domain for name in bare for domain in ROUTER_DOMAINS})


def is_own_page(headers: Headers, host: str) -> bool:
    """Whether a request that changes something comes from the box's own pages.

    Most browsers send Origin with every POST; the others send one of the other two headers. A
    client that sends none is a program, which another site cannot trick as it can a browser.
    """
    if headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return False
    own_origins = (f"http://{host}", f"https://{host}")
    if "Origin" in headers:
        return headers["Origin"] in own_origins
    referrer = headers.get("Referer", "")
    return referrer in ("", "about:blank") or f"{referrer}/".startswith(
        tuple(f"{o}/" for o in own_origins)
    )


class RateLimit:
    """Counts requests per client and minute."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = per_minute
        self._clock = clock
        self._minute = 0
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def __call__(self, client: str) -> bool:
        """Count one request; return whether the client is within the limit."""
        with self._lock:
            minute = int(self._clock() // 60)
            if minute != self._minute:
                self._minute, self._counts = minute, {}
            self._counts[client] = self._counts.get(client, 0) + 1
            return self._counts[client] <= self._limit


MAX_UPLOAD_BYTES = 25 * 2**20
"""Largest upload: twice the largest photograph that phones commonly make."""

MAX_FORM_BYTES = 100_000
"""Largest form. A whole hand with all its tiles takes some thousands."""

MAX_RULES_BYTES = 400_000
"""Largest form with a ruleset's file: its longest text, of letters of four bytes."""

MAX_STRANGER_BYTES = 8_000
"""Largest body before the phone has given the PIN: the PIN and the page it wanted."""

PHOTO_ENDPOINTS = frozenset(
    {"home.begin", "hand.add_photo", "asking.begin", "whole.give", "deal.give",
     "register.begin", "register.add_photo", "first_steps.upload",
     "doubted.retake", "doubted.retake_table"}
)  # fmt: skip
"""The endpoints that accept photographs."""

PIECE_ENDPOINTS = frozenset({"updating.piece", "backup.piece"})
"""The endpoints that accept a large file in pieces, each smaller than a photograph may be."""


RULES_ENDPOINTS = frozenset({"custom_rules.bring", "custom_rules.change_text"})
"""The endpoints that accept a ruleset's file."""


def init_body_limits(app: Flask) -> None:
    """Refuse bodies that are too large, with an error page."""

    @app.before_request
    def refuse() -> None:
        if status := request.environ.get(REFUSED_STATUS_KEY):
            abort(status)  # the server has already discarded the body
        # Only a multipart form can hold a photograph.
        in_parts = request.mimetype == "multipart/form-data"
        request.max_content_length = (
            _max_body_bytes(request.endpoint) if in_parts else MAX_FORM_BYTES
        )


def make_body_limit(app: Flask) -> MaySend:
    """Return the function that the server asks for a request's limit. It never waits."""
    last_known: LastKnownSettings = app.extensions["tongbox-last-known"]
    with suppress(StoreError):  # the first page that is asked for reports it
        last_known.settings = find_context(Records, app).settings.read()
    urls = app.url_map.bind("")

    def body_limit(method: str, path: str, cookie: str) -> int:
        # Parse the cookie as the app does: the header may hold bytes that are not text.
        if not last_known.is_in(Request({"HTTP_COOKIE": cookie}).cookies.get(PIN_COOKIE, "")):
            return MAX_STRANGER_BYTES
        try:
            endpoint, _ = urls.match("/" + path.lstrip("/"), method)
        except HTTPException:  # no such page
            return MAX_FORM_BYTES
        return _max_body_bytes(endpoint)

    return body_limit


def takes_photos(endpoint: str | None) -> bool:
    """Return whether an endpoint accepts a photograph; others take what is typed, or pieces."""
    return endpoint in PHOTO_ENDPOINTS


def _max_body_bytes(endpoint: str | None) -> int:
    if endpoint in RULES_ENDPOINTS:
        return MAX_RULES_BYTES
    return MAX_UPLOAD_BYTES if endpoint in PHOTO_ENDPOINTS | PIECE_ENDPOINTS else MAX_FORM_BYTES
