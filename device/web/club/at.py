"""Sitting down at one of several tables: what the code on it leads to, and the choice of one.

Who scans the code of a table with a PIN is asked for that once: the code lies there for years, the
PIN may be another each evening.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import Blueprint, Flask, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable
from device.i18n.words import say, say_count
from device.settings.pin import is_pin
from device.web.box import box
from device.web.club.choosing import choices
from device.web.pin_tried import refused_pin, typed_pin
from device.web.sitting import may_sit, sit
from device.web.table.here import leave

pages = Blueprint("at", __name__)


def init_app(app: Flask) -> None:
    """Let pages say at which table the phone sits."""
    app.jinja_env.globals["table_here"] = lambda: box().table_here


@pages.get("/tables/")
def choose() -> str:
    """Show the tables, for a phone that is to sit at another."""
    return render_template("club/choose.html", choices=choices())


@pages.get("/at/<id:table>/")
def sit_down(table: str) -> AnyResponse:
    """Let the phone sit at a table, or ask for its PIN."""
    found = box().tables.get(table)
    return _seated(found) if may_sit(found) else _asked(found, "", HTTPStatus.FORBIDDEN)


@pages.post("/at/<id:table>/")
def enter(table: str) -> AnyResponse:
    """Let the phone sit at a table whose player typed its PIN."""
    found = box().tables.get(table)
    client = (
        f"table {table} {request.remote_addr}"  # who knows one table's PIN may not guess at others
    )
    refused = refused_pin(
        client,
        lambda: not found.pin or is_pin(found, typed_pin()),
        partial(_asked, found),
        wait=lambda minutes: say_count("club.pin.wait", minutes),
        wrong=say("pin.wrong"),
    )
    return refused or _seated(found)


def _seated(table: ClubTable) -> AnyResponse:
    """Return the page that leads on to the table, not a redirect, for the same reason as a PIN's.

    What the phone was at another table it is no more.
    """
    before = box().matches.current()
    if before and before.table != table.id:
        leave(before)
    back = url_for("home.index")
    return sit(make_response(render_template("club/seated.html", table=table, back=back)), table)


def _asked(table: ClubTable, sentence: str, status: HTTPStatus) -> AnyResponse:
    page = render_template("club/pin.html", table=table, sentence=sentence)
    return make_response(page, status)
