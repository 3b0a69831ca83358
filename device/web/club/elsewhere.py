"""What belongs to one table is changed by phones that sit there, and by no other's.

A match at a table, and the hands in it, may be looked at from everywhere in the club.
"""

from __future__ import annotations

from flask import Flask, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable, NoSuchTableError
from device.hands.hand import UnknownHandError
from device.store import TornEventError
from device.web.box import box

_CONFLICT = 409


def init_app(app: Flask) -> None:
    """Refuse what a phone sends about another table's match."""

    @app.before_request
    def check() -> AnyResponse | None:
        if request.method != "POST" or not request.view_args:
            return None
        match = str(request.view_args.get("match", "")) or _match_of(request.view_args.get("hand"))
        table = box().matches.table_of(match) if match else ""
        if not table or table == box().table:
            return None
        found = box().tables.ever(table)
        if found is None or found.cleared:
            if "match" in request.view_args:  # nobody sits there who could play on
                raise NoSuchTableError
            return None
        return elsewhere(found)


def elsewhere(table: ClubTable) -> AnyResponse:
    """Return the page that says that something belongs to a table at which the phone does not sit.

    It leads there.
    """
    to_sit = url_for("at.sit_down", table=table.id)
    page = render_template("club/elsewhere.html", table=table, to_sit=to_sit)
    return make_response(page, _CONFLICT)


def _match_of(hand: object) -> str:
    """Return the id of a hand's match; empty for one of its own, or that nobody can read."""
    if not hand:
        return ""
    try:
        return box().hands.by_itself(str(hand)).match
    except (TornEventError, UnknownHandError):  # which the page itself will say
        return ""
