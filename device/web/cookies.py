"""The cookies that phones keep for the box, and the table at which a phone sits by its cookie."""

from __future__ import annotations

from typing import cast
from urllib.parse import parse_qsl, urlencode

from flask import g, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from device.access import has_access
from device.club.tables import ClubTable, ClubTables

TABLE_COOKIE = "table"
"""Holds the table's id, and the token of its PIN if it has one. A phone that never scanned a
table's code has no such cookie. A box with one table needs none."""

YEAR_S = 365 * 24 * 3600


def keep_cookie(
    answer: AnyResponse, name: str, value: str, *, age_s: int = YEAR_S, path: str = "/"
) -> AnyResponse:
    """Store a value on the phone, which sends it to the box's own pages alone; return the response.

    `path` is the page that may read it, with those below.
    """
    answer.set_cookie(name, value, age_s, path=path, httponly=True, samesite="Strict")
    return answer


def cookie_fields(name: str) -> dict[str, str]:
    """Return the fields in one of the box's cookies; empty if the box did not write it."""
    try:
        return dict(parse_qsl(request.cookies.get(name, ""), max_num_fields=20))
    except ValueError:  # too many fields
        return {}


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
    return keep_cookie(answer, TABLE_COOKIE, value)
