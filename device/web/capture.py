"""The box's own camera on the page: its live picture, what to do before the shutter, the shutter.

All of it works without the script: the picture is an <img> that the box keeps renewing, the shutter
a form. The script only keeps the words beside it up to date.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, abort, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.cameras.frames import STILL_QUALITY, jpeg
from device.cameras.protocol import Frame
from device.cameras.service import CameraService
from device.web.box import box
from device.web.table.here import me
from device.web.words import say
from vision.photo import Photo

pages = Blueprint("capture", __name__)

MOST_STREAMS = 4
"""Live pictures at a time, one for each player; each keeps one of the server's threads busy."""

STREAM_LIMIT = 600.0
"""Seconds. A phone that was put aside does not keep the camera at work all evening."""

PATIENCE = 10.0
"""Seconds without a new picture after which a live picture ends; the script asks for it again."""

_BOUNDARY = "tongbox-picture"

_streams = threading.BoundedSemaphore(MOST_STREAMS)


@pages.get("/camera/live.mjpg")
def live() -> Response:
    """Return the live picture; one that does not move when too many phones look at once."""
    return Response(
        _pictures(the_camera()), mimetype=f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    )


@pages.get("/camera/now")
def now() -> dict[str, Any]:
    """Return how the camera is and what to do, for the script: `state`, `hint` and `words`."""
    camera = the_camera()
    status = camera.status
    if status.state != "ready":
        return {"state": status.state, "words": status.sentence}
    if busy := busy_in_words():
        return {"state": "busy", "words": busy}
    preview = camera.look(timeout=0)
    hint = preview.hint if preview else "hold-still"
    return {"state": "ready", "hint": hint, "words": say(f"camera.hint.{hint}")}


@pages.post("/camera/photo")
def take() -> AnyResponse:
    """Take a photograph with the box's camera and begin a hand with it."""
    the_camera()
    if not box().jobs.has_room:
        abort(503)
    frame = the_still()
    data = jpeg(frame.rgb, STILL_QUALITY)
    hand = box().records.begin(Photo("camera.jpg", frame.rgb), data, box().rules)
    box().jobs.submit(hand)
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/camera/adjust")
def adjust() -> AnyResponse:
    """Let the camera focus and expose anew."""
    the_camera().adjust()
    return redirect(url_for("home.index"), 303)


def the_camera() -> CameraService:
    """Return the box's camera; answer 404 for a box that has none."""
    camera = box().camera
    if camera is None:
        abort(404)
    return camera


def the_still() -> Frame:
    """Take a photograph; raise CameraBusyError while somebody else is taking one."""
    with box().lease.lent(_who()):
        return the_camera().still()


def busy_in_words() -> str:
    """Return who is taking a photo at this moment, in words; empty when nobody is."""
    who = box().lease.holder
    return "" if who is None else say("camera.busy", who=who or say("table.somebody"))


def _who() -> str:
    match = box().tables.current()
    return me(match) if match else ""


def _pictures(camera: CameraService) -> Iterator[bytes]:
    is_live = _streams.acquire(blocking=False)
    try:
        ends = time.monotonic() + (STREAM_LIMIT if is_live else 0)
        seq = 0
        while preview := camera.look(seq, PATIENCE):
            seq = preview.seq
            yield _part(preview.jpeg)
            if time.monotonic() > ends:
                break
    finally:
        if is_live:
            _streams.release()


def _part(picture: bytes) -> bytes:
    head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
    return head.encode() + picture + b"\r\n"
