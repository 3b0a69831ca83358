"""The table at which a phone sits, which its cookie says."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode

from flask import g, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from device.access import has_access
from device.club.tables import ClubTable, ClubTables
from device.web.fields import cookie_fields

TABLE_COOKIE = "table"
"""Holds the table's id, and the token of its PIN if it has one. A phone that never scanned a
table's code has no such cookie. A box with one table needs none."""

_COOKIE_AGE_S = 365 * 24 * 3600


def table_of_phone(tables: ClubTables) -> ClubTable | None:
    """Return the table of the phone that asks, as it was when the request first looked it up.

    None if the phone sits at no table: the box has only one, or the phone has scanned no code yet.
    None outside a request, too.
    """
    if not has_request_context():
        return None
    if "table" not in g:
        g.table = _find_table(tables)
    return cast("ClubTable | None", g.table)


def _find_table(tables: ClubTables) -> ClubTable | None:
    table_id = (
        cookie_fields(TABLE_COOKIE).get("table", "") if TABLE_COOKIE in request.cookies else ""
    )
    table = tables.find_even_cleared(table_id)
    return table if table and not table.cleared and may_sit(table) else None


def may_sit(table: ClubTable) -> bool:
    """Whether the phone has given the table's PIN, or the table has none."""
    cookie = cookie_fields(TABLE_COOKIE)
    return not table.pin or (
        cookie.get("table") == table.id and has_access(table, cookie.get("key", ""))
    )


def seat_phone(answer: AnyResponse, table: ClubTable) -> AnyResponse:
    """Seat the phone at a table from now on; return the response."""
    value = urlencode({"table": table.id, "key": table.pin_token})
    answer.set_cookie(TABLE_COOKIE, value, max_age=_COOKIE_AGE_S, httponly=True, samesite="Strict")
    return answer
