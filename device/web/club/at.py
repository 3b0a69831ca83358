"""Seat a phone at one of several tables, after it has scanned the table's code or chosen one.

The code of a table does not contain its PIN, because the code lies there for years while the PIN
may change every evening. The phone is asked for the PIN once.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from flask import Blueprint, Flask, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable
from device.i18n.words import say, say_count
from device.settings.access import is_right_pin
from device.web.box import box
from device.web.club.choosing import choices
from device.web.pin_tried import refused_pin, typed_pin
from device.web.sitting import may_sit, sit
from device.web.table.here import leave

pages = Blueprint("at", __name__)


def init_app(app: Flask) -> None:
    """Give templates the phone's table."""
    app.jinja_env.globals["table_here"] = lambda: box().table_here


@pages.get("/tables/")
def choose() -> str:
    """Show the tables to choose from."""
    return render_template("club/choose.html", choices=choices())


@pages.get("/at/<id:table>/")
def sit_down(table: str) -> AnyResponse:
    """Seat the phone at a table, or ask for the table's PIN."""
    found = box().tables.get(table)
    return _seated(found) if may_sit(found) else _asked(found, "", HTTPStatus.FORBIDDEN)


@pages.post("/at/<id:table>/")
def enter(table: str) -> AnyResponse:
    """Seat the phone at a table if the player typed the right PIN."""
    found = box().tables.get(table)
    client = (
        f"table {table} {request.remote_addr}"  # the right PIN here must not reset another's count
    )
    refused = refused_pin(
        client,
        lambda: not found.pin or is_right_pin(found, typed_pin()),
        partial(_asked, found),
        wait=lambda minutes: say_count("club.pin.wait", minutes),
        wrong=say("pin.wrong"),
    )
    return refused or _seated(found)


def _seated(table: ClubTable) -> AnyResponse:
    """Seat the phone and return a page that leads on to the table.

    It is not a redirect, for the same reason as with the box's PIN. The phone leaves the match of
    another table.
    """
    before = box().matches.current()
    if before and before.table != table.id:
        leave(before)
    back = url_for("home.index")
    return sit(make_response(render_template("club/seated.html", table=table, back=back)), table)


def _asked(table: ClubTable, sentence: str, status: HTTPStatus) -> AnyResponse:
    page = render_template("club/pin.html", table=table, sentence=sentence)
    return make_response(page, status)
