"""How other phones come to this page: a code to scan, large enough to hold out across the table."""

from __future__ import annotations

import segno
from flask import Blueprint, Flask, render_template, request, url_for
from markupsafe import Markup

from device.host.ways_in import WayIn, ways_in
from device.web.box import box
from device.web.fields import query
from device.web.own_address import own_address

pages = Blueprint("join", __name__)


def init_app(app: Flask) -> None:
    """Let every page lead to the code."""
    app.jinja_env.globals["join_from_here"] = from_here


@pages.get("/join")
def show() -> str:
    """Show the ways in; the first is the one by which this request came.

    Where there are several tables, they lead to the one at which this phone sits.
    """
    back = own_address(query().word("back"))
    here = box().table
    path = url_for("at.sit_down", table=here).lstrip("/") if here else ""
    return render_template("join.html", ways=ways(), path=path, qr_code=qr_code, back=back)


def from_here() -> str:
    """Return the address of that page, from which a button leads back to the page asked for now."""
    back = request.full_path.rstrip("?") if request.method == "GET" else request.path
    return url_for("join.show", back=own_address(back))


def ways() -> tuple[WayIn, ...]:
    """Return the ways to the box, seen from the phone that asks."""
    settings = box().settings.now()
    return ways_in(_plain_url(), request.remote_addr or "", box().machine, settings)


def _plain_url() -> str:
    """Return the address of the request. Who came by HTTPS lets others in by HTTP: no warning."""
    if not request.is_secure:
        return request.host_url
    host = request.host_url.removeprefix("https://").rstrip("/").rsplit(":", 1)[0]
    return f"http://{host}:{request.environ['SERVER_PORT']}/"


def qr_code(text: str, title: str) -> Markup:
    """Return a QR code as SVG, black on white with its quiet zone, in any light."""
    code = segno.make(text, error="m")
    svg = code.svg_inline(border=4, light="#fff", omitsize=True, title=title, svgclass="code")
    return Markup(svg)  # noqa: S704 - segno's own drawing; it escapes the title
