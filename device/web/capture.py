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

from device.cameras.frames import STILL_JPEG_QUALITY, encode_jpeg
from device.cameras.protocol import Frame
from device.cameras.service import CameraService, Preview
from device.i18n.words import say
from device.intake import IncomingPhoto, StandaloneHand
from device.matches.match import GivenHand, Match
from device.matches.phones import may_own_camera_hand
from device.server.connection import LONG_ANSWER_KEY
from device.server.limits import AddressShares
from device.store.events import PhotoTaken
from device.views.box_health import describe_camera_fault
from device.web.box import box
from device.web.fields import form, query
from device.web.name_gate import name_gate
from device.web.own_address import then_or
from device.web.table.here import me, player_at, with_phone

pages = Blueprint("capture", __name__)

MOST_STREAMS = 12
"""Live pictures at the same time, on all phones. Each occupies one server thread."""

MOST_OF_CAMERA = 4
"""Live pictures of one camera: one for each player."""

MOST_OF_ONE = 2
"""Live pictures on one phone."""

STREAM_LIMIT = 600.0
"""Seconds. A phone that was put aside must not keep the camera running all evening."""

PATIENCE = 10.0
"""Seconds without a new picture after which a live picture ends. The script asks again."""

BY_ITSELF = "by_itself"
"""Key in a photograph's metadata: the box took it by itself."""

_BOUNDARY = "tongbox-picture"

_streams = AddressShares(MOST_STREAMS, MOST_OF_ONE)
_of_cameras = AddressShares(MOST_STREAMS, MOST_OF_CAMERA)


@pages.get("/camera/live.mjpg")
def live() -> Response:
    """Return the live picture, or a single frame if too many phones are watching."""
    camera, phone = the_camera(), request.remote_addr or ""
    is_live = _may_look(camera, phone)
    pictures = _pictures(camera, STREAM_LIMIT if is_live else 0)
    response = Response(pictures, mimetype=f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
    if is_live:
        request.environ.get(LONG_ANSWER_KEY, lambda: None)()
        response.call_on_close(lambda: _looked(camera, phone))
    return response


def _may_look(camera: CameraService, phone: str) -> bool:
    if not _of_cameras.take(camera.title):
        return False
    if _streams.take(phone):
        return True
    _of_cameras.give_back(camera.title)
    return False


def _looked(camera: CameraService, phone: str) -> None:
    _of_cameras.give_back(camera.title)
    _streams.give_back(phone)


@pages.get("/camera/now")
def now() -> dict[str, Any]:
    """Return the camera's `state`, and `hint` and `words` for the player, for the script.

    If the box takes photographs by itself, `snap` tells the script to ask for one. `hand` is then
    the page of the newest such photograph: at a player's seat, of that player's hand.
    """
    camera = the_camera()
    status = camera.status
    if status.state != "ready":
        return {
            "state": status.state,
            "words": describe_camera_fault(camera.title, status.sentence),
        }
    if busy := busy_in_words(camera):
        return {"state": "busy", "words": busy}
    preview = camera.look(timeout=0)
    hint = preview.hint if preview else "hold-still"
    said = {"state": "ready", "hint": hint, "words": say(f"camera.hint.{hint}")}
    return said | _by_itself(preview) if box().snapping.at(box().table) else said


@pages.post("/camera/photo")
def take() -> AnyResponse:
    """Take a photograph with the box's camera and begin a single hand with it."""
    hand = box().intake.take(the_still, _own_hand())
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/camera/photo-if-due")
def take_if_due() -> tuple[str, int]:
    """Take a photograph if the box has found the right moment. The script asks for it.

    If several phones ask, the first one triggers it. `now` then leads all of them to the hand.
    """
    box().intake.take_if_due(still_if_due, _own_hand())
    return "", 204


@pages.post("/camera/by-itself")
def choose_by_itself() -> AnyResponse:
    """Switch automatic photographs at this table on or off."""
    box().snapping.choose(box().table, on=form().flag("on"))
    return _back()


@pages.post("/camera/adjust")
def adjust() -> AnyResponse:
    """Make the camera focus and expose again."""
    the_camera().adjust()
    return _back()


def _own_hand() -> StandaloneHand:
    return StandaloneHand(box().rules_here, box().table)


def _back() -> AnyResponse:
    """Return a redirect to the live picture: of a seat, of a question, or as the form says."""
    if "ask" in form():
        return redirect(url_for("asking.show"), 303)
    seat = form().place("seat", default=None)
    page = url_for("home.single") if seat is None else url_for("deal.capture", number=seat)
    return redirect(then_or(page), 303)


def camera_in_words() -> dict[str, Any] | None:
    """Return what pages show of the camera; None without a camera.

    The hints before the shutter come from the script, because they change all the time.
    """
    camera = box().camera_here
    if camera is None or (status := camera.status).state == "absent":
        return None
    adjusts = status.info is not None and status.info.can_adjust
    return {
        "state": status.state,
        "words": describe_camera_fault(camera.title, status.sentence) or busy_in_words(camera),
        "can_adjust": adjusts,
        "by_itself": box().snapping.at(box().table),
        "hand": newest_by_itself(),
    }


def newest_by_itself(seat: int | None = None) -> str:
    """Return the page of the newest hand if the box photographed it by itself; else empty.

    On the page of a player's seat it must be that player's hand. Other phones handle the others.
    """
    newest = box().hands.newest_at(box().table)
    taken = newest.event if newest else None
    if newest is None or not isinstance(taken, PhotoTaken) or not taken.camera.get(BY_ITSELF):
        return ""
    match = box().matches.current()
    if seat is not None and match and newest.stream not in _given_at(match, seat).every:
        return ""
    page = "asking.hand" if taken.asked else "hand.show"
    return url_for(page, hand=newest.stream)


def may_be_by_itself(seat: int | None) -> bool:
    """Whether an automatic photograph may show the hand of this seat."""
    match = box().matches.current()
    if seat is None or match is None:
        return True
    return may_own_camera_hand(match, player_at(match, seat), with_phone(match))


def _given_at(match: Match, seat: int) -> GivenHand:
    return match.deal.given(player_at(match, seat))


def _by_itself(preview: Preview | None) -> dict[str, Any]:
    seat = query().place("seat", default=None)
    said = {"snap": False, "hand": newest_by_itself(seat)}
    if not may_be_by_itself(seat):
        return said
    match preview.moment if preview else "":
        case "now" if box().jobs.has_room:
            return said | {"snap": True, "words": say("camera.by-itself.now")}
        case "now":
            return said | {"words": say("error.503")}
        case "soon":
            return said | {"words": say("camera.by-itself.soon")}
        case "taken":
            return said | {"words": say("camera.by-itself.taken")}
    return said


def the_camera() -> CameraService:
    """Return the camera over the phone's table. Answer 404 if there is none."""
    camera = box().camera_here
    if camera is None:
        abort(404)
    return camera


def the_still() -> IncomingPhoto:
    """Take a photograph. Raise CameraBusyError while somebody else is taking one."""
    camera = the_camera()
    with camera.lease.held_by(_who()):
        frame = camera.still()
    return _sent(frame, frame.metadata)


def still_if_due() -> IncomingPhoto | None:
    """Take a photograph if the box has found the right moment and none is being taken.

    Answers 409 if automatic photographs are switched off at this table.
    """
    if not box().snapping.at(box().table):
        abort(409)
    camera = the_camera()
    with camera.lease.held_by(_who()):
        frame = camera.still_if_due()
    return _sent(frame, {**frame.metadata, BY_ITSELF: True}) if frame else None


def _sent(frame: Frame, said: Mapping[str, Any]) -> IncomingPhoto:
    data = encode_jpeg(
        frame.rgb, STILL_JPEG_QUALITY
    )  # needs a tenth of the memory that the pixels take
    return IncomingPhoto("camera.jpg", lambda: data, said)


def busy_in_words(camera: CameraService) -> str:
    """Return, in words, who is taking a photo with a camera right now; empty if nobody is."""
    who = camera.lease.holder
    if who is None:
        return ""
    return say("camera.busy", who=name_gate().player(who) or say("table.somebody"))


def _who() -> str:
    match = box().matches.current()
    return me(match) if match else ""


def _pictures(camera: CameraService, limit: float) -> Iterator[bytes]:
    ends = time.monotonic() + limit
    seq = 0
    while preview := camera.look(seq, PATIENCE):
        seq = preview.seq
        yield _part(preview.jpeg)
        if time.monotonic() > ends:
            break


def _part(picture: bytes) -> bytes:
    head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
    return head.encode() + picture + b"\r\n"
