"""The page that says that something belongs to another table than the phone's."""

from __future__ import annotations

from http import HTTPStatus

from flask import make_response, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable


def elsewhere(table: ClubTable) -> AnyResponse:
    """Return the page that says so and links to the table.

    Any phone in the club may look at that table's match.
    """
    to_sit = url_for("at.sit_down", table=table.id)
    page = render_template("club/elsewhere.html", table=table, to_sit=to_sit)
    return make_response(page, HTTPStatus.CONFLICT)
