"""Enforces who may do what, before any view runs: see `rows`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from flask import Flask, abort, jsonify, make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable, NoSuchTableError
from device.hands.hand import UnknownHandError
from device.i18n.words import say
from device.store import TornEventError
from device.web.box import box
from device.web.club.elsewhere import elsewhere
from device.web.club.organiser import ask, is_organiser
from device.web.permissions.rows import Role, permission_of
from device.web.sitting import may_sit

Refusal = Callable[[], AnyResponse]
"""Makes the page that a phone is shown that may not."""

_LOOKING = frozenset({"GET", "HEAD", "OPTIONS"})

_FOR_SCRIPTS = frozenset({"updating.begin", "updating.piece", "updating.finish"})
"""What a script asks for and shows the `words` of."""


def init_app(app: Flask) -> None:
    """Refuse what the phone may not do, and let templates ask what it may."""
    app.jinja_env.globals["may"] = may

    @app.before_request
    def check() -> AnyResponse | None:
        if request.endpoint is None:
            return None  # of no page: that is answered as ever
        refused = _refusal_of(request.endpoint, request.view_args or {}, request.method)
        return refused() if refused else None


def may(endpoint: str, **arguments: object) -> bool:
    """Whether this phone may use a route that changes something."""
    return _refusal_of(endpoint, arguments, "POST") is None


def require(role: Role, **arguments: object) -> None:
    """Answer the request with a refusal, unless the phone has this role.

    For a view that learns by itself who may do what it was asked for. The arguments say what it is
    about, as those of an address do: a match, a hand or a table.
    """
    if refused := _refusal(role, arguments):
        abort(refused())


def _refusal_of(endpoint: str, arguments: Mapping[str, object], method: str) -> Refusal | None:
    found = permission_of(endpoint, arguments)
    if found is None:
        return None if method in _LOOKING else _closed
    return _refusal(found.role, arguments)


def _refusal(role: Role, arguments: Mapping[str, object]) -> Refusal | None:
    """Return what refuses the phone; None where it may."""
    if role in (Role.ANYBODY, Role.ROOM):
        return None
    if role is not Role.TABLE and not is_organiser():
        return _ask
    if isinstance(table := arguments.get("table"), str):
        return _refusal_at(box().tables.get(table))
    return _refusal_in_match(arguments) if role is Role.TABLE else None


def _refusal_at(table: ClubTable) -> Refusal | None:
    """Return what refuses a change of one of the tables itself: who may sit there may.

    Where there is an organiser's PIN, only an organiser may and, in what is the table's own to say,
    who does sit there.
    """
    is_organised = bool(box().settings.now().organiser_pin)
    if is_organised and is_organiser():
        return None
    if not may_sit(table):
        return lambda: redirect(url_for("at.sit_down", table=table.id), 303)
    return partial(elsewhere, table) if is_organised and box().table != table.id else None


def _refusal_in_match(arguments: Mapping[str, object]) -> Refusal | None:
    """Return what refuses a change of another table's match, or of a hand in it."""
    match = str(arguments.get("match", "")) or _match_of(arguments.get("hand"))
    table = box().matches.table_of(match) if match else ""
    if not table or table == box().table:
        return None
    found = box().tables.ever(table)
    if found is None or found.cleared:
        if "match" in arguments:  # nobody sits there who could play on
            raise NoSuchTableError
        return None
    return partial(elsewhere, found)


def _match_of(hand: object) -> str:
    """Return the id of a hand's match; empty for one of its own, or that nobody can read."""
    if not hand:
        return ""
    try:
        return box().hands.by_itself(str(hand)).match
    except (TornEventError, UnknownHandError):  # which the page itself will say
        return ""


def _ask() -> AnyResponse:
    if request.endpoint in _FOR_SCRIPTS:
        return make_response(jsonify(words=say("club.organiser.ask")), 403)
    return ask()


def _closed() -> AnyResponse:
    abort(404)
