"""Bring further phones to the box: a QR code to scan across the table, and the home screen."""

from __future__ import annotations

import segno
from flask import Blueprint, Flask, render_template, request, url_for
from markupsafe import Markup

from device.host.page_links import PageLink, list_page_links
from device.web.box import box
from device.web.fields import query
from device.web.own_address import own_address

pages = Blueprint("join", __name__)


def init_app(app: Flask) -> None:
    """Give templates the address of the page with the code."""
    app.jinja_env.globals["join_from_here"] = from_here


@pages.get("/join")
def show() -> str:
    """Show the addresses of the box. The first is the one that this request used.

    If the club has several tables, the addresses lead to this phone's table.
    """
    back = own_address(query().word("back"))
    here = box().table
    path = url_for("at.sit_down", table=here).lstrip("/") if here else ""
    return render_template("join.html", ways=ways(), path=path, qr_code=qr_code, back=back)


def from_here() -> str:
    """Return the address of the page with the code, with a way back to the current page."""
    back = request.full_path.rstrip("?") if request.method == "GET" else request.path
    return url_for("join.show", back=own_address(back))


def ways() -> tuple[PageLink, ...]:
    """Return the addresses of the box, as the phone that asks can reach them."""
    settings = box().settings.now()
    return list_page_links(_plain_url(), request.remote_addr or "", box().machine, settings)


def _plain_url() -> str:
    """Return the request's address, always as HTTP, which shows other phones no warning."""
    if not request.is_secure:
        return request.host_url
    host = request.host_url.removeprefix("https://").rstrip("/").rsplit(":", 1)[0]
    return f"http://{host}:{request.environ['SERVER_PORT']}/"


def qr_code(text: str, title: str) -> Markup:
    """Return a QR code as SVG: black on white in every theme, with its quiet zone."""
    code = segno.make(text, error="m")
    svg = code.svg_inline(border=4, light="#fff", omitsize=True, title=title, svgclass="code")
    return Markup(svg)  # noqa: S704 - segno's own drawing; it escapes the title
