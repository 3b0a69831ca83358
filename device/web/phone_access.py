"""Bring further phones to the box: a QR code to scan across the table, and the home screen."""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from flask import Blueprint, Response, render_template, request, url_for
from markupsafe import Markup

from device.host.page_links import PageLink, list_page_links
from device.host.qr_codes import make_qr_code
from device.settings import Settings
from device.web.contexts import records, room, upkeep
from device.web.fields import query
from device.web.links import local_url

join_pages = Blueprint("join", __name__)


@join_pages.get("/join")
def show() -> str:
    """Show the addresses of the box. The first is the one that this request used.

    If the club has several tables, the addresses lead to this phone's table.
    """
    return_url = local_url(query().word("back"))
    table = room().table
    path = url_for("at.sit_down", table=table).lstrip("/") if table else ""
    return render_template(
        "join.html", ways=box_addresses(), path=path, qr_code=draw_qr_code, back=return_url
    )


@join_pages.app_template_global("join_from_here")
def join_url() -> str:
    """Return the address of the page with the code, with a way back to the current page."""
    return_path = request.full_path.rstrip("?") if request.method == "GET" else request.path
    return url_for("join.show", back=local_url(return_path))


def box_addresses() -> tuple[PageLink, ...]:
    """Return the addresses of the box, as the phone that asks can reach them."""
    settings = records().settings.read()
    return list_page_links(_http_url(), request.remote_addr or "", upkeep().machine, settings)


def _http_url() -> str:
    """Return the request's address, always as HTTP, which shows other phones no warning."""
    if not request.is_secure:
        return request.host_url
    host = request.host_url.removeprefix("https://").rstrip("/").rsplit(":", 1)[0]
    return f"http://{host}:{request.environ['SERVER_PORT']}/"


def addresses_to_open() -> tuple[str, ...]:
    """Return the box's addresses for a phone that came by a name which is not the box's.

    Names given by `--name` come first: inside a container the number is one that no phone can
    reach. Nothing here reads the store or depends on the host that was asked for.
    """
    has_plain_host = request.host and not request.is_secure  # Werkzeug empties a host that is none
    port = (
        urlsplit(f"//{request.host}").port or 80
        if has_plain_host
        else request.environ["SERVER_PORT"]
    )
    end = "/" if str(port) == "80" else f":{port}/"
    (link, *_) = list_page_links(
        f"http://localhost{end}", request.remote_addr or "", upkeep().machine, Settings()
    )
    addresses = (f"http://{name}{end}" for name in sorted(upkeep().names) if "." in name)
    return tuple(dict.fromkeys(filter(None, (*addresses, link.address, link.name))))


def draw_qr_code(text: str, title: str, error: str = "m") -> Markup:
    """Return a QR code as SVG: black on white in every theme, with its quiet zone.

    `error` is how much of it may be unreadable: `l` for 7 %, `m` for 15 %.
    """
    code = make_qr_code(text, error)
    svg = code.svg_inline(border=4, light="#fff", omitsize=True, title=title, svgclass="code")
    return Markup(svg)  # noqa: S704 - segno's own drawing; it escapes the title


home_screen_pages = Blueprint("home_screen", __name__)

THEME_COLOURS = {"light": "#15452f", "dark": "#08130e"}
"""The colour of the phone's own bars around the page, by theme."""

RETRY_S = 5
"""Seconds after which a phone without an answer asks again."""


@home_screen_pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest, which says how the box looks on a home screen."""
    text = render_template("manifest.webmanifest")
    return Response(text, mimetype="application/manifest+json")


@home_screen_pages.get("/service-worker.js")
def worker() -> Response:
    """Return the service worker, which caches the page for no answer and nothing else.

    The script contains a hash of that page. When the page changes, say its language, browsers
    cache it again.
    """
    name = hashlib.sha256(no_answer().encode()).hexdigest()[:12]
    return Response(render_template("service-worker.js", name=name), mimetype="text/javascript")


@home_screen_pages.get("/no-answer")
def no_answer() -> str:
    """Show that the box does not answer. Phones cache this page."""
    return render_template("no_answer.html", again=RETRY_S)
