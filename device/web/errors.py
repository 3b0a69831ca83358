"""Answer every error with a page of one sentence that a player understands."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from flask import Flask, current_app, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.wrappers import Response as AnyResponse

from device.cameras import CameraError
from device.cameras.shutter import CameraTakenError
from device.club import ClubError
from device.club.tables import NoSuchTableError
from device.club.tournament.replay import TournamentRefusedError
from device.damage import find_damage
from device.hands.record import UnknownHandError
from device.hands.repository import ChangeRefusedError
from device.i18n.words import in_a_row, is_said, say
from device.jobs import QueueFullError
from device.matches.repository import OvertakenError, TableClearedError
from device.store import (
    DiskFullError,
    StoreError,
    TornEventError,
    TornLogError,
    UnwritableError,
)
from device.store.errors import (
    ConcurrentChangeError,
    EventRefusedError,
    UnknownStreamError,
    UnreachableError,
)
from device.store.integrity import mark_torn
from device.tilesets.tile_sets import UnknownSetError
from device.views.box_health import describe_camera_fault, describe_torn_event
from device.views.table.history import last_done, last_undone
from device.web.club.table_choice import ask_for_table, other_table_page
from device.web.contexts import camera_desk, records
from device.web.fields import FieldError
from device.web.links import redirect_to
from device.web.log_damage import render_damage
from device.web.name_gate import HiddenNamesError, name_gate
from device.web.request_guard import takes_photos
from device.web.table.current_match import (
    NoCurrentMatchError,
    OtherMatchError,
    OtherTableError,
    has_identified,
)
from scorer.errors import ScorerError
from scorer.teach.practice.exercises import NoExerciseError, NoHandsError
from vision.errors import PhotoError

PHOTO_STATUSES = {
    "empty-file": 400,
    "no-photo": 400,
    "too-large": 413,
    "not-a-photo": 415,
    "busy": 503,
}
"""HTTP status by the code of a PhotoError. Any other code: well-formed, but unreadable."""

ERROR_SENTENCES: dict[type[Exception], tuple[str, int]] = {
    UnknownHandError: ("error.no-hand", 404),
    UnknownSetError: ("error.no-set", 404),
    UnknownStreamError: ("error.404", 404),
    NoExerciseError: ("error.404", 404),
    NoHandsError: ("exercise.no-hands", 404),
    NoSuchTableError: ("club.at.none", 404),
    TableClearedError: ("club.at.none", 404),
    HiddenNamesError: ("final.names-hidden", 403),
    ChangeRefusedError: ("error.stale", 409),
    ConcurrentChangeError: ("error.stale", 409),
    EventRefusedError: ("error.stale", 409),
    DiskFullError: ("error.507", 507),
    UnwritableError: ("error.unwritable", 507),
    UnreachableError: ("error.unreachable", 503),
    QueueFullError: ("error.503", 503),
}
"""The errors with one fixed sentence each, and its status."""

_UNREADABLE_STATUS = 422

MESSAGE_STATUSES: dict[type[FieldError | ClubError], int] = {
    FieldError: 400,
    ClubError: _UNREADABLE_STATUS,
    TournamentRefusedError: 409,
}
"""Statuses of the errors that carry their own sentence."""

_log = logging.getLogger(__name__)

_Page = tuple[str, int]
_Answer = str | AnyResponse | _Page


def init_app(app: Flask) -> None:
    """Register a handler for every exception that a view may raise."""
    for message_kind, its_status in MESSAGE_STATUSES.items():
        app.register_error_handler(message_kind, partial(_own_sentence, its_status))
    for kind, (key, status) in ERROR_SENTENCES.items():
        app.register_error_handler(kind, partial(_fixed_sentence, key, status))
    for kind_of_its_own, answer in ERROR_HANDLERS.items():
        app.register_error_handler(kind_of_its_own, _answering_store_errors(app, answer))


def _answering_store_errors(
    app: Flask, answer: Callable[..., _Answer]
) -> Callable[..., AnyResponse]:
    """Return the handler; a store error within it is answered like one in a view."""

    def handle_error(error: Exception) -> AnyResponse:
        try:
            return app.make_response(answer(error))
        except StoreError as failure:
            if type(failure) is type(error):  # its own handler fails again
                raise
            return app.make_response(app.handle_user_exception(failure))

    return handle_error


def _bad_photo(error: PhotoError) -> _Page:
    return error_page(say(error.message), PHOTO_STATUSES.get(error.code, _UNREADABLE_STATUS))


def _camera_error(error: CameraError) -> _Page:
    camera = camera_desk().camera_here
    return error_page(describe_camera_fault(camera.title if camera else "", error.message), 503)


def _busy_camera(error: CameraTakenError) -> _Page:
    holder = name_gate().player(error.player) or say("table.somebody")
    return error_page(say("error.camera-busy", who=holder), 409)


def _overtaken(error: OvertakenError) -> _Page:
    match = name_gate().match(error.match)
    last_action = last_undone(match) or last_done(match)
    sentence = say("error.overtaken", done=last_action.says if last_action else "")
    return render_template("error.html", sentence=sentence, to_table=True), 409


def _no_current_match(error: NoCurrentMatchError) -> _Answer:
    """Lead on to the final table of the match that is over, or ask at which table the phone is."""
    ended_match = error.ended_match
    if (ended_match is None or not has_identified(ended_match)) and (
        choice_page := ask_for_table()
    ):
        return choice_page
    if ended_match is None:
        return error_page(say("error.404"), 404)
    if request.method == "POST":  # the change is not saved; the page says so
        return redirect_to("over.final", match=ended_match.id, late="yes")
    return redirect(url_for("over.final", match=ended_match.id))


def _other_match(error: OtherMatchError) -> _Page:
    players = " · ".join(name_gate().match(error.match).game.players)
    sentence = say("error.other-match", players=players)
    return render_template("error.html", sentence=sentence, to_table=True), 409


def _impossible_hand(error: ScorerError) -> _Page:
    return error_page(in_a_row(each.message for each in error.problems), _UNREADABLE_STATUS)


def _torn_stream(error: TornEventError) -> _Page:
    _log.error("%s %s: %s", request.method, request.path, error)
    damage = find_damage(records().store, error.stream)
    return (render_damage(damage), 409) if damage else error_page(describe_torn_event(error), 409)


def _http_error(error: HTTPException) -> _Page:
    status = error.code or 500
    is_form = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and not takes_photos(request.endpoint)
    key = "error.too-long" if is_form else f"error.{status}"
    return error_page(say(key if is_said(key) else "error.other"), status)


def _form_address(error: MethodNotAllowed) -> _Answer:
    """Lead from an address that only takes forms, which Back or a reload opens, to its page."""
    if request.method not in ("GET", "HEAD"):
        return _http_error(error)
    return redirect(_page_above(request.path))


def _page_above(path: str) -> str:
    """Return the nearest address above a path that ends in a slash and has a page."""
    adapter = current_app.url_map.bind("")
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        try:
            adapter.match(path, method="GET")
        except HTTPException:
            continue
        break
    return path


def _own_sentence(status: int, error: FieldError | ClubError) -> _Page:
    return error_page(say(error.message), status)


def _fixed_sentence(key: str, status: int, error: Exception) -> _Page:
    return error_page(say(key), status)


def _store_error(error: StoreError) -> _Page:
    _log.error("%s %s: %s", request.method, request.path, error)
    if not isinstance(error, TornLogError):
        return error_page(say("error.500"), 500)
    mark_torn(records().store.folder)
    return error_page(say("error.torn-log"), 500)


def error_page(sentence: str, status: int) -> _Page:
    """Return the error page with this sentence, and its status."""
    return render_template("error.html", sentence=sentence), status


ERROR_HANDLERS: dict[type[Exception], Callable[..., _Answer]] = {
    PhotoError: _bad_photo,
    CameraError: _camera_error,
    CameraTakenError: _busy_camera,
    OvertakenError: _overtaken,
    NoCurrentMatchError: _no_current_match,
    OtherMatchError: _other_match,
    OtherTableError: lambda error: other_table_page(error.table),
    ScorerError: _impossible_hand,
    TornEventError: _torn_stream,
    StoreError: _store_error,
    MethodNotAllowed: _form_address,
    HTTPException: _http_error,
}
"""The errors that are answered by a function of their own."""
