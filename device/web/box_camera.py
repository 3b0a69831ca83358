"""The box's camera: its live picture, hints before the shutter, and the shutter itself.

Everything works without the script: the picture is an <img> that the box keeps renewing, and the
shutter is a form. The script only updates the words beside the picture.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.base import STILL_JPEG_QUALITY, Frame, encode_jpeg
from device.cameras.service import CameraService, Preview
from device.i18n.words import say
from device.intake import IncomingPhoto, StandaloneHand
from device.matches.match import GivenHand, Match
from device.matches.seats import may_own_camera_hand
from device.server.connection import LONG_ANSWER_KEY
from device.store.events import PhotoTaken
from device.views.box_health import describe_camera_fault
from device.web.contexts import camera_desk, photo_desk, records, room
from device.web.fields import form, query
from device.web.links import next_url, redirect_to
from device.web.name_gate import name_gate
from device.web.table.current_match import phone_player, player_at, players_with_phone

pages = Blueprint("capture", __name__)

MAX_STREAM_S = 600.0
"""Seconds. A phone that was put aside must not keep the camera running all evening."""

PICTURE_TIMEOUT_S = 10.0
"""Seconds without a new picture after which a live picture ends. The script asks again."""

AUTOMATIC_KEY = "by_itself"
"""Key in a photograph's metadata: the box took it by itself."""

_BOUNDARY = "tongbox-picture"


@pages.get("/camera/live.mjpg")
def live() -> Response:
    """Return the live picture, or a single frame if too many phones are watching."""
    camera, phone = require_camera(), request.remote_addr or ""
    shares = camera_desk().shares
    is_live = shares.take_stream(camera.title, phone)
    pictures = _stream_pictures(camera, MAX_STREAM_S if is_live else 0)
    response = Response(pictures, mimetype=f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
    if is_live:
        request.environ.get(LONG_ANSWER_KEY, lambda: None)()
        response.call_on_close(lambda: shares.release_stream(camera.title, phone))
    return response


@pages.get("/camera/now")
def show_state() -> dict[str, Any]:
    """Return the camera's `state`, and `hint` and `words` for the player, for the script.

    If the box takes photographs by itself, `snap` tells the script to ask for one. `hand` is then
    the page of the newest such photograph: at a player's seat, of that player's hand.
    """
    camera = require_camera()
    status = camera.status
    if status.state != "ready":
        return {
            "state": status.state,
            "words": describe_camera_fault(camera.title, status.sentence),
        }
    if busy := describe_busy_camera(camera):
        return {"state": "busy", "words": busy}
    preview = camera.look(timeout=0)
    hint = preview.hint if preview else "hold-still"
    answer = {"state": "ready", "hint": hint, "words": say(f"camera.hint.{hint}")}
    return (
        answer | _automatic_status(preview)
        if camera_desk().snapping.is_on_at(room().table)
        else answer
    )


@pages.post("/camera/photo")
def take() -> AnyResponse:
    """Take a photograph with the box's camera and begin a single hand with it."""
    hand = photo_desk().intake.take(take_still, _single_hand())
    return redirect_to("hand.show", hand=hand)


@pages.post("/camera/photo-if-due")
def take_if_due() -> tuple[str, int]:
    """Take a photograph if the box has found the right moment. The script asks for it.

    If several phones ask, the first one triggers it. `now` then leads all of them to the hand.
    """
    photo_desk().intake.take_if_due(take_still_if_due, _single_hand())
    return "", 204


@pages.post("/camera/by-itself")
def choose_by_itself() -> AnyResponse:
    """Switch automatic photographs at this table on or off."""
    camera_desk().snapping.choose(room().table, is_on=form().flag("on"))
    return _redirect_to_picture()


@pages.post("/camera/adjust")
def adjust() -> AnyResponse:
    """Make the camera focus and expose again."""
    require_camera().adjust()
    return _redirect_to_picture()


def _single_hand() -> StandaloneHand:
    return StandaloneHand(room().agreement_here, room().table)


def _redirect_to_picture() -> AnyResponse:
    """Return a redirect to the live picture: of a seat, of a question, or as the form says."""
    if "ask" in form():
        return redirect_to("asking.show")
    seat = form().place("seat", default=None)
    page = url_for("home.single") if seat is None else url_for("deal.capture", number=seat)
    return redirect(next_url(page), 303)


def camera_view() -> dict[str, Any] | None:
    """Return what pages show of the camera; None without a camera.

    The hints before the shutter come from the script, because they change all the time.
    """
    camera = camera_desk().camera_here
    if camera is None or (status := camera.status).state == "absent":
        return None
    return {
        "state": status.state,
        "words": describe_camera_fault(camera.title, status.sentence)
        or describe_busy_camera(camera),
        "can_adjust": status.info is not None and status.info.can_adjust,
        "is_stored": status.info is not None and status.info.is_stored,
        "by_itself": camera_desk().snapping.is_on_at(room().table),
        "hand": newest_automatic_hand(),
    }


def newest_automatic_hand(seat: int | None = None) -> str:
    """Return the page of the newest hand if the box photographed it by itself; else empty.

    On the page of a player's seat it must be that player's hand. Other phones handle the others.
    """
    newest_hand = records().hands.newest_at(room().table)
    photo_event = newest_hand.event if newest_hand else None
    if (
        newest_hand is None
        or not isinstance(photo_event, PhotoTaken)
        or not photo_event.camera.get(AUTOMATIC_KEY)
    ):
        return ""
    match = room().matches.current()
    if seat is not None and match and newest_hand.stream not in _given_hand(match, seat).all_ids:
        return ""
    page = "asking.hand" if photo_event.asked else "hand.show"
    return url_for(page, hand=newest_hand.stream)


def may_photograph_automatically(seat: int | None) -> bool:
    """Whether an automatic photograph may show the hand of this seat."""
    match = room().matches.current()
    if seat is None or match is None:
        return True
    return may_own_camera_hand(match, player_at(match, seat), players_with_phone(match))


def _given_hand(match: Match, seat: int) -> GivenHand:
    return match.deal.given_hand(player_at(match, seat))


def _automatic_status(preview: Preview | None) -> dict[str, Any]:
    seat = query().place("seat", default=None)
    answer = {"snap": False, "hand": newest_automatic_hand(seat)}
    if not may_photograph_automatically(seat):
        return answer
    match preview.moment if preview else "":
        case "now" if photo_desk().jobs.has_room:
            return answer | {"snap": True, "words": say("camera.by-itself.now")}
        case "now":
            return answer | {"words": say("error.503")}
        case "soon":
            return answer | {"words": say("camera.by-itself.soon")}
        case "taken":
            return answer | {"words": say("camera.by-itself.taken")}
    return answer


def require_camera() -> CameraService:
    """Return the camera over the phone's table. Answer 404 if there is none."""
    camera = camera_desk().camera_here
    if camera is None:
        abort(404)
    return camera


def take_still() -> IncomingPhoto:
    """Take a photograph. Raise CameraBusyError while somebody else is taking one."""
    camera = require_camera()
    with camera.lease.held_by(_photographer()):
        frame = camera.take_still()
    return _sent_frame(frame, frame.metadata)


def take_still_if_due() -> IncomingPhoto | None:
    """Take a photograph if the box has found the right moment and none is being taken.

    Answers 409 if automatic photographs are switched off at this table.
    """
    if not camera_desk().snapping.is_on_at(room().table):
        abort(409)
    camera = require_camera()
    with camera.lease.held_by(_photographer()):
        frame = camera.still_if_due()
    return _sent_frame(frame, {**frame.metadata, AUTOMATIC_KEY: True}) if frame else None


def _sent_frame(frame: Frame, answer: Mapping[str, Any]) -> IncomingPhoto:
    data = encode_jpeg(
        frame.rgb, STILL_JPEG_QUALITY
    )  # needs a tenth of the memory that the pixels take
    return IncomingPhoto("camera.jpg", lambda: data, answer)


def describe_busy_camera(camera: CameraService) -> str:
    """Return, in words, who is taking a photo with a camera right now; empty if nobody is."""
    holder = camera.lease.holder
    if holder is None:
        return ""
    return say("camera.busy", who=name_gate().player(holder) or say("table.somebody"))


def _photographer() -> str:
    match = room().matches.current()
    return phone_player(match) if match else ""


def _stream_pictures(camera: CameraService, limit: float) -> Iterator[bytes]:
    ends = time.monotonic() + limit
    seq = 0
    while preview := camera.look(seq, PICTURE_TIMEOUT_S):
        seq = preview.seq
        yield _multipart_part(preview.jpeg)
        if time.monotonic() > ends:
            break


def _multipart_part(picture: bytes) -> bytes:
    head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
    return head.encode() + picture + b"\r\n"
