"""Run a camera in its own thread, and answer requests for pictures.

A camera may hang inside its driver, where it cannot be interrupted. Only the owner thread therefore
touches it, and every wait has a timeout. A watchdog checks how long the owner has been busy. A
camera that fails is closed and opened again, after growing pauses. An owner that hangs is abandoned
and replaced.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

from device.cameras import OpenCamera
from device.cameras.aiming import COUNT_INTERVAL_S, CountTiles, Hint, PreviewJudge, TileCounter
from device.cameras.base import (
    PREVIEW_JPEG_QUALITY,
    Camera,
    CameraError,
    CameraInfo,
    CameraNotFoundError,
    CameraTimeoutError,
    CameraUnavailableError,
    Frame,
    camera_message,
    encode_jpeg,
    rotate_half_turn,
)
from device.cameras.shutter import AutoShutter, CameraLease, SnapMoment
from scorer.message import Message

_log = logging.getLogger(__name__)

_Answer = TypeVar("_Answer")

CameraState = Literal["absent", "starting", "ready", "lost"]
"""`absent`: no camera was found so far, and none was asked for by name."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """The state of a camera."""

    state: CameraState
    sentence: Message | None = None
    """What is wrong, for the player; None if nothing is."""
    info: CameraInfo | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """The newest picture from the camera, encoded once for all viewers."""

    seq: int
    jpeg: bytes
    hint: Hint
    moment: SnapMoment = ""
    """Whether the box would photograph by itself now."""


@dataclass(frozen=True, slots=True)
class CameraTiming:
    """Intervals and timeouts in seconds."""

    preview: float = 1 / 6
    """Between two frames while somebody watches: enough to aim by."""
    count: float = COUNT_INTERVAL_S
    """Between two counts of the tiles."""
    probe: float = 5.0
    """Between two frames while nobody watches, to notice a lost camera."""
    watch_timeout: float = 4.0
    """How long somebody counts as watching after the last look."""
    preview_limit: float = 2.0
    """For a frame; after that the camera counts as lost. A phone that asks every 0.7 seconds then
    shows it within the promised three seconds."""
    still_limit: float = 5.0
    start_limit: float = 20.0
    """For opening and adjusting: a Pi's camera focuses for up to five of them."""
    give_up: float = 10.0
    """Time beyond a timeout after which the owner is replaced. OpenCV returns from a dead webcam in
    ten."""
    pauses: tuple[float, ...] = (1.0, 2.0, 5.0, 10.0)
    """Before the camera is opened again; the last one is repeated."""
    tick: float = 0.25
    """Between two checks of the watchdog."""
    clock: Callable[[], float] = time.monotonic
    """Tells in seconds when somebody last used it."""


MAX_STUCK_OWNERS = 3
"""Owners that may hang in a driver at a time; each keeps a thread and its memory forever."""

_HANGS_MESSAGE, _STARTING_MESSAGE, _CLOSED_MESSAGE = (
    camera_message("hangs"),
    camera_message("starting"),
    camera_message("switched-off"),
)


class CameraService:
    """A camera that always answers, whatever the real one is doing."""

    def __init__(
        self,
        opener: OpenCamera,
        *,
        optional: bool = False,
        count: CountTiles | None = None,
        pace: CameraTiming | None = None,
        is_turned: bool = False,
        title: str = "",
    ) -> None:
        """Begin to open the camera; with `optional`, a missing camera is no problem."""
        self.is_turned = is_turned
        """The camera is mounted upside down; takes effect with the next picture."""
        self.title = title
        """Name for people if it is one of several; empty for the box's own."""
        self.lease = CameraLease()
        """Who is taking a photo with it."""
        self._release = AutoShutter()
        self._open = opener
        self._optional = optional
        self._pace = pace or CameraTiming()
        self._tiles = TileCounter(count, self._pace.count)
        self._requests: queue.Queue[_Request[Any] | None] = queue.Queue()
        self._news = threading.Condition()
        self._status = CameraStatus("starting", _STARTING_MESSAGE)
        self._latest_preview: Preview | None = None
        self._seq = 0
        self._look_time = -float("inf")
        self._wanted_time = self._pace.clock()
        self._closing = threading.Event()
        self._stuck_terms: list[_OwnerTerm] = []
        self._term = _OwnerTerm()
        self._begin_term(0)
        self._watchdog = threading.Thread(target=self._watch, name="camera watchdog", daemon=True)
        self._watchdog.start()

    @property
    def status(self) -> CameraStatus:
        """The state of the camera; never waits."""
        if self._status.state in ("ready", "starting") and self._term.overdue() > 0:
            return CameraStatus("lost", _HANGS_MESSAGE, self._status.info)
        return self._status

    @property
    def idle(self) -> float:
        """Seconds since somebody last used it."""
        return self._pace.clock() - max(self._look_time, self._wanted_time)

    def want(self) -> None:
        """Note that somebody is about to use it."""
        self._wanted_time = self._pace.clock()

    def take_still(self) -> Frame:
        """Return a photograph taken after this call; raise CameraError within the timeout."""
        return self._ask(self._take, self._pace.still_limit)

    def still_if_due(self) -> Frame | None:
        """Return a photograph as `still` does, if an automatic one is due now; else None."""
        return self._ask(
            lambda camera: self._take(camera) if self._release.moment == "now" else None,
            self._pace.still_limit,
        )

    def adjust(self) -> None:
        """Focus and expose for the current scene; raise CameraError."""
        self._ask(lambda camera: camera.adjust(), self._pace.start_limit)

    def look(self, after: int = 0, timeout: float = 1.0) -> Preview | None:
        """Wait for a preview newer than number `after`; return it, or None if none comes."""
        self._want_previews()
        with self._news:
            self._news.wait_for(
                lambda: (
                    self._closing.is_set()
                    or (self._latest_preview and self._latest_preview.seq > after)
                ),
                timeout,
            )
            preview = self._latest_preview
        return preview if preview and preview.seq > after else None

    def close(self) -> None:
        """Close the camera."""
        self._closing.set()
        self._watchdog.join()
        self._term.is_over.set()
        self._requests.put(None)
        with self._news:
            self._status = CameraStatus("lost", _CLOSED_MESSAGE)
            self._news.notify_all()
        self._term.thread.join(self._pace.preview_limit)

    def _ask(self, do: Callable[[Camera], _Answer], limit: float) -> _Answer:
        status = self.status
        if status.state != "ready":
            raise CameraUnavailableError(status.sentence or _STARTING_MESSAGE)
        request = _Request(do, limit, Future())
        self._requests.put(request)
        try:
            return request.answer.result(limit + self._pace.preview_limit)
        except TimeoutError as error:
            request.answer.cancel()
            raise CameraTimeoutError(_HANGS_MESSAGE) from error

    def _want_previews(self) -> None:
        with self._news:
            was_watched, self._look_time = self._is_watched(), self._pace.clock()
            if not was_watched:
                self._latest_preview = None  # it shows an old scene
                self._requests.put(None)  # wakes the owner

    def _is_watched(self) -> bool:
        return self._pace.clock() - self._look_time < self._pace.watch_timeout

    # --- the owner's thread ------------------------------------------------------------------

    def _begin_term(self, pause: float) -> None:
        term = self._term
        term.thread = threading.Thread(
            target=self._run_owner, args=(term, pause), name="camera", daemon=True
        )
        term.thread.start()

    def _run_owner(self, term: _OwnerTerm, pause: float) -> None:
        term.is_over.wait(pause)
        failures = 0
        while not term.is_over.is_set():
            try:
                with self._camera(term) as camera:
                    failures = 0
                    self._serve(term, camera)
            except CameraError as error:
                absent = isinstance(error, CameraNotFoundError) and self._was_never_there()
                self._set_status(term, CameraStatus("absent" if absent else "lost", error.message))
                _log.log(logging.DEBUG if absent else logging.WARNING, "Camera: %s", error)
            term.is_over.wait(self._pace.pauses[min(failures, len(self._pace.pauses) - 1)])
            failures += 1

    def _was_never_there(self) -> bool:
        return self._optional and self._status.state in ("starting", "absent")

    @contextmanager
    def _camera(self, term: _OwnerTerm) -> Iterator[Camera]:
        """Open and start the camera; close it at the end."""
        camera: Camera | None = None
        try:
            with term.busy(self._pace.start_limit):
                camera = self._open()
                info = camera.start()
            self._set_status(term, CameraStatus("ready", None, info))
            try:
                yield camera
            except CameraError as error:  # report it now, because closing may take long
                self._set_status(term, CameraStatus("lost", error.message))
                raise
        finally:
            if camera is not None:
                with term.busy(self._pace.preview_limit):
                    camera.close()

    def _take(self, camera: Camera) -> Frame:
        frame = self._upright(camera.take_still(self._pace.still_limit))
        self._release.record_photo(frame.rgb)
        return frame

    def _upright(self, frame: Frame) -> Frame:
        return replace(frame, rgb=rotate_half_turn(frame.rgb)) if self.is_turned else frame

    def _serve(self, term: _OwnerTerm, camera: Camera) -> None:
        """Answer requests and take previews until the camera fails or the term is over."""
        aim = PreviewJudge()
        last = -float("inf")
        while not term.is_over.is_set():
            due = last + (self._pace.preview if self._is_watched() else self._pace.probe)
            try:
                request = self._requests.get(timeout=max(0.001, due - time.monotonic()))
            except queue.Empty:
                last = time.monotonic()
                with term.busy(self._pace.preview_limit):
                    frame = camera.preview(self._pace.preview_limit)
                if self._is_watched():
                    self._show(term, self._upright(frame), aim)
            else:
                if request:
                    request.done_by(camera, term)

    def _show(self, term: _OwnerTerm, frame: Frame, aim: PreviewJudge) -> None:
        tiles = self._tiles.look(frame.rgb)
        jpeg, hint = (
            encode_jpeg(frame.rgb, PREVIEW_JPEG_QUALITY),
            aim.judge(frame.rgb, tiles),
        )
        moment = self._release.see(frame.rgb, hint, tiles)
        with self._news:
            if term is self._term:
                self._seq += 1
                self._latest_preview = Preview(self._seq, jpeg, hint, moment)
                self._news.notify_all()

    def _set_status(self, term: _OwnerTerm, status: CameraStatus) -> None:
        with self._news:
            if term is self._term and not term.is_over.is_set():
                self._status = status
                self._latest_preview = None  # a lost camera has no live picture

    # --- the watchdog's thread ---------------------------------------------------------------

    def _watch(self) -> None:
        while not self._closing.wait(self._pace.tick):
            term = self._term
            hangs = term.overdue() > self._pace.give_up
            self._stuck_terms = [stuck for stuck in self._stuck_terms if stuck.thread.is_alive()]
            if (hangs and len(self._stuck_terms) < MAX_STUCK_OWNERS) or not term.thread.is_alive():
                _log.error("The camera's thread %s", "hangs" if hangs else "has ended")
                term.is_over.set()
                self._stuck_terms.append(term)
                with self._news:
                    self._status = CameraStatus("lost", _HANGS_MESSAGE)
                self._term = _OwnerTerm()
                self._begin_term(self._pace.pauses[0])


class _OwnerTerm:
    """The time of one owner: how long it has been busy, and whether it is over."""

    thread: threading.Thread

    def __init__(self) -> None:
        self.is_over = threading.Event()
        self._due = float("inf")

    @contextmanager
    def busy(self, limit: float) -> Iterator[None]:
        """Mark an action that may hang; the limit is in seconds."""
        self._due = time.monotonic() + limit
        try:
            yield
        finally:
            self._due = float("inf")

    def overdue(self) -> float:
        """Return by how many seconds the owner is late; not above zero if it is not."""
        return time.monotonic() - self._due


@dataclass(frozen=True, slots=True)
class _Request(Generic[_Answer]):
    """A request to the owner, and the future for its answer."""

    do: Callable[[Camera], _Answer]
    limit: float
    answer: Future[_Answer]

    def done_by(self, camera: Camera, term: _OwnerTerm) -> None:
        """Do it; raise CameraError after reporting it to the caller."""
        if not self.answer.set_running_or_notify_cancel():
            return  # the caller has given up
        try:
            with term.busy(self.limit):
                self.answer.set_result(self.do(camera))
        except CameraError as error:
            self.answer.set_exception(error)
            raise
