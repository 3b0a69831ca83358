"""Enforce the permissions before any view runs; see `rows`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from flask import Flask, abort, jsonify, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable, NoSuchTableError
from device.hands.record import UnknownHandError
from device.i18n.words import say
from device.store import TornEventError
from device.web.box import box
from device.web.club.organiser import ask_for_pin, is_organiser
from device.web.club.table_choice import other_table_page
from device.web.permissions.catalogue import Role, permission_of
from device.web.phone_table import may_sit

Refusal = Callable[[], AnyResponse]
"""Returns the page for a phone that may not use a route."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_SCRIPT_ENDPOINTS = frozenset({"updating.begin", "updating.piece", "updating.finish"})
"""The endpoints that scripts call. Scripts show the `words` of the answer."""


def init_app(app: Flask) -> None:
    """Refuse routes that the phone may not use. Give templates the test `may`."""
    app.jinja_env.globals["may"] = may_use

    @app.before_request
    def check() -> AnyResponse | None:
        if request.endpoint is None:
            return None  # no such page: answered with 404 as usual
        refused = _refusal_of(request.endpoint, request.view_args or {}, request.method)
        return refused() if refused else None


def may_use(endpoint: str, **arguments: object) -> bool:
    """Whether the phone that asks may use a route that changes something."""
    return _refusal_of(endpoint, arguments, "POST") is None


def require_role(role: Role, **arguments: object) -> None:
    """Abort the request with a refusal, unless the phone has this role.

    For views that must decide the role themselves. The arguments name a match, a hand or a table,
    like those of an address.
    """
    if refused := _refusal(role, arguments):
        abort(refused())


def _refusal_of(endpoint: str, arguments: Mapping[str, object], method: str) -> Refusal | None:
    found = permission_of(endpoint, arguments)
    if found is None:
        return None if method in _SAFE_METHODS else _refuse_unlisted
    return _refusal(found.role, arguments)


def _refusal(role: Role, arguments: Mapping[str, object]) -> Refusal | None:
    """Return the refusal for the phone; None if it has the role."""
    if role in (Role.ANYBODY, Role.ROOM):
        return None
    if role is not Role.TABLE and not is_organiser():
        return _ask_for_pin
    if isinstance(table := arguments.get("table"), str):
        return _refusal_at(box().tables.get(table))
    return _refusal_in_match(arguments) if role is Role.TABLE else None


def _refusal_at(table: ClubTable) -> Refusal | None:
    """Return the refusal for changing a table; None for a phone that may sit there.

    If there is an organiser's PIN, only an organiser may change the table, or a phone that sits
    there.
    """
    is_organised = bool(box().settings.now().organiser_pin)
    if is_organised and is_organiser():
        return None
    if not may_sit(table):
        return lambda: redirect(url_for("at.sit_down", table=table.id), 303)
    return partial(other_table_page, table) if is_organised and box().table != table.id else None


def _refusal_in_match(arguments: Mapping[str, object]) -> Refusal | None:
    """Return the refusal for changing a match, or a hand in it, of another table."""
    match = str(arguments.get("match", "")) or _match_of(arguments.get("hand"))
    table = box().matches.table_of(match) if match else ""
    if not table or table == box().table:
        return None
    found = box().tables.find_even_cleared(table)
    if found is None or found.cleared:
        if "match" in arguments:  # the table is gone, so nobody can continue the match
            raise NoSuchTableError
        return None
    return partial(other_table_page, found)


def _match_of(hand: object) -> str:
    """Return the id of a hand's match; empty for a single hand or an unreadable one."""
    if not hand:
        return ""
    try:
        return box().hands.by_itself(str(hand)).match
    except (TornEventError, UnknownHandError):  # the view itself reports this
        return ""


def _ask_for_pin() -> AnyResponse:
    if request.endpoint in _SCRIPT_ENDPOINTS:
        return make_response(jsonify(words=say("club.organiser.ask")), 403)
    return ask_for_pin()


def _refuse_unlisted() -> AnyResponse:
    abort(404)
