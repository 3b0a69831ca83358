"""At which of several tables a phone sits: what its cookie says, looked up once in a request."""

from __future__ import annotations

from typing import cast
from urllib.parse import urlencode

from flask import g, has_request_context, request
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable, ClubTables
from device.settings.pin import lets_in
from device.web.fields import of_cookie

COOKIE = "table"
"""Holds the table's id, and what lets the phone in there if the table has a PIN. A phone that never
scanned a table's code has none, and none is asked for on a box of one table."""

_YEAR = 365 * 24 * 3600


def table_of_phone(tables: ClubTables) -> ClubTable | None:
    """Return the table at which the phone sits that asks, as it was when that was first asked.

    None for one that sits at none: where only one table is, or where it scanned no code yet; and
    outside of a request.
    """
    if not has_request_context():
        return None
    if "table" not in g:
        g.table = _looked_up(tables)
    return cast("ClubTable | None", g.table)


def _looked_up(tables: ClubTables) -> ClubTable | None:
    said = of_cookie(COOKIE).get("table", "") if COOKIE in request.cookies else ""
    found = tables.ever(said)
    return found if found and not found.cleared and may_sit(found) else None


def may_sit(table: ClubTable) -> bool:
    """Whether the phone knows the table's PIN, if there is one."""
    said = of_cookie(COOKIE)
    return not table.pin or (said.get("table") == table.id and lets_in(table, said.get("key", "")))


def sit(answer: AnyResponse, table: ClubTable) -> AnyResponse:
    """Let the phone sit at a table from now on."""
    said = urlencode({"table": table.id, "key": table.pin_token})
    answer.set_cookie(COOKIE, said, max_age=_YEAR, httponly=True, samesite="Strict")
    return answer
