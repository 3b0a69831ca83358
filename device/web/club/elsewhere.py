"""The page that says that something belongs to a table at which the phone does not sit."""

from __future__ import annotations

from http import HTTPStatus

from flask import make_response, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable


def elsewhere(table: ClubTable) -> AnyResponse:
    """Return the page, which leads to the table.

    What is played there may be looked at from everywhere in the club.
    """
    to_sit = url_for("at.sit_down", table=table.id)
    page = render_template("club/elsewhere.html", table=table, to_sit=to_sit)
    return make_response(page, HTTPStatus.CONFLICT)
