"""The box's own camera on the page: its live picture, what to do before the shutter, the shutter.

All of it works without the script: the picture is an <img> that the box keeps renewing, the shutter
a form. The script only keeps the words beside it up to date.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Blueprint, Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.frames import STILL_QUALITY, jpeg
from device.cameras.protocol import Frame
from device.cameras.service import CameraService, Preview
from device.i18n.words import say
from device.intake import OwnHand, Sent
from device.matches.duties import may_be_meant
from device.matches.match import GivenHand, Match
from device.server.connection import STAYS
from device.server.shares import Shares
from device.store.events import PhotoTaken
from device.views.cameras import wrong_in_words
from device.web.box import box
from device.web.fields import form, query
from device.web.name_gate import name_gate
from device.web.own_address import then_or
from device.web.table.here import me, player_at, with_phone

pages = Blueprint("capture", __name__)

MOST_STREAMS = 12
"""Live pictures at a time, in the whole room; each keeps one of the server's threads busy."""

MOST_OF_CAMERA = 4
"""Of one camera, one for each player."""

MOST_OF_ONE = 2
"""Of one address."""

STREAM_LIMIT = 600.0
"""Seconds. A phone that was put aside does not keep the camera at work all evening."""

PATIENCE = 10.0
"""Seconds without a new picture after which a live picture ends; the script asks for it again."""

BY_ITSELF = "by_itself"
"""Among what is kept of a photograph: that the box took it by itself."""

_BOUNDARY = "tongbox-picture"

_streams = Shares(MOST_STREAMS, MOST_OF_ONE)
_of_cameras = Shares(MOST_STREAMS, MOST_OF_CAMERA)


@pages.get("/camera/live.mjpg")
def live() -> Response:
    """Return the live picture; one that does not move when too many phones look at once."""
    camera, phone = the_camera(), request.remote_addr or ""
    is_live = _may_look(camera, phone)
    pictures = _pictures(camera, STREAM_LIMIT if is_live else 0)
    response = Response(pictures, mimetype=f"multipart/x-mixed-replace; boundary={_BOUNDARY}")
    if is_live:
        request.environ.get(STAYS, lambda: None)()
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
    """Return how the camera is and what to do, for the script: `state`, `hint` and `words`.

    Where the box takes photographs by itself, `snap` asks the script for one and `hand` is where
    the newest of these is to be seen; of a player's seat, as the address says, the player's own.
    """
    camera = the_camera()
    status = camera.status
    if status.state != "ready":
        return {"state": status.state, "words": wrong_in_words(camera.title, status.sentence)}
    if busy := busy_in_words(camera):
        return {"state": "busy", "words": busy}
    preview = camera.look(timeout=0)
    hint = preview.hint if preview else "hold-still"
    said = {"state": "ready", "hint": hint, "words": say(f"camera.hint.{hint}")}
    return said | _by_itself(preview) if box().snapping.at(box().table) else said


@pages.post("/camera/photo")
def take() -> AnyResponse:
    """Take a photograph with the box's camera and begin a hand with it."""
    hand = box().intake.take(the_still, _own_hand())
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/camera/photo-if-due")
def take_if_due() -> tuple[str, int]:
    """Take the photograph for which the box itself has found the moment; the script asks for it.

    Of several phones that ask, the first gets it done, and `now` leads all of them to the hand.
    """
    box().intake.take_if_due(still_if_due, _own_hand())
    return "", 204


@pages.post("/camera/by-itself")
def choose_by_itself() -> AnyResponse:
    """Let the box take photographs by itself at this table from now on, or not."""
    box().snapping.choose(box().table, on=form().flag("on"))
    return _back()


@pages.post("/camera/adjust")
def adjust() -> AnyResponse:
    """Let the camera focus and expose anew."""
    the_camera().adjust()
    return _back()


def _own_hand() -> OwnHand:
    return OwnHand(box().rules_here, box().table)


def _back() -> AnyResponse:
    """Return the way back to the live picture: of a seat, of a question, or where the form says."""
    if "ask" in form():
        return redirect(url_for("asking.show"), 303)
    seat = form().place("seat", default=None)
    page = url_for("home.single") if seat is None else url_for("deal.capture", number=seat)
    return redirect(then_or(page), 303)


def camera_in_words() -> dict[str, Any] | None:
    """Return what is said of the box's camera; None for a box that has none.

    What to do before the shutter is left to the script, which keeps it true.
    """
    camera = box().camera_here
    if camera is None or (status := camera.status).state == "absent":
        return None
    adjusts = status.info is not None and status.info.can_adjust
    return {
        "state": status.state,
        "words": wrong_in_words(camera.title, status.sentence) or busy_in_words(camera),
        "can_adjust": adjusts,
        "by_itself": box().snapping.at(box().table),
        "hand": newest_by_itself(),
    }


def newest_by_itself(seat: int | None = None) -> str:
    """Return where the newest hand is, if the box photographed it by itself, else nothing.

    On the page of a player's seat it has to be that player's: other phones see to the others'.
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
    """Whether a photograph that the box takes by itself may be of the hand of this seat."""
    match = box().matches.current()
    if seat is None or match is None:
        return True
    return may_be_meant(match, player_at(match, seat), with_phone(match))


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
    """Return the camera that sees the phone's table; answer 404 where none does."""
    camera = box().camera_here
    if camera is None:
        abort(404)
    return camera


def the_still() -> Sent:
    """Take a photograph; raise CameraBusyError while somebody else is taking one."""
    camera = the_camera()
    with camera.lease.held_by(_who()):
        frame = camera.still()
    return _sent(frame, frame.metadata)


def still_if_due() -> Sent | None:
    """Take the photograph for which the box has found the moment, unless one is being taken.

    Answers 409 where the players have not chosen that it does.
    """
    if not box().snapping.at(box().table):
        abort(409)
    camera = the_camera()
    with camera.lease.held_by(_who()):
        frame = camera.still_if_due()
    return _sent(frame, {**frame.metadata, BY_ITSELF: True}) if frame else None


def _sent(frame: Frame, said: Mapping[str, Any]) -> Sent:
    data = jpeg(frame.rgb, STILL_QUALITY)  # a tenth of its pixels, which need not wait in memory
    return Sent("camera.jpg", lambda: data, said)


def busy_in_words(camera: CameraService) -> str:
    """Return who is taking a photo with a camera at this moment; empty when nobody is."""
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
