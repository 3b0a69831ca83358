"""The box's cameras by name: its own, and webcams that belong to tables.

The box's own camera is always open. A table's webcam is opened when a phone first needs it, and
closed after a minute without use: one USB port can carry two or three video streams at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from device.cameras import FreeWebcams, OpenCamera
from device.cameras.base import Camera, CameraNotFoundError, camera_message
from device.cameras.service import CameraService, CameraStatus
from device.cameras.webcams import OpenCVCamera, Webcam

BOX_CAMERA = ""
"""The name of the box's own camera."""

IDLE_TIMEOUT_S = 60.0
"""Time after which an unused webcam of a table is closed."""


@dataclass(frozen=True, slots=True)
class TableWebcam:
    """A webcam that belongs to a table."""

    table: str
    """Name of the table."""
    title: str
    """Name of the webcam for people."""
    is_turned: bool = False
    """Whether it is mounted upside down."""


@dataclass(frozen=True, slots=True)
class CameraOffer:
    """A camera that a table may choose."""

    name: str
    title: str
    """Empty for the box's own."""


MakeService = Callable[[OpenCamera, TableWebcam], CameraService]
"""Creates the service of a table's webcam from the function that opens it."""


def serve_webcam(opener: OpenCamera, webcam: TableWebcam) -> CameraService:
    """Return a plain service for a table's webcam."""
    return CameraService(opener, is_turned=webcam.is_turned, title=webcam.title)


@dataclass(frozen=True, slots=True)
class WebcamSource:
    """How to find and open plugged-in webcams; by default there are none."""

    find: Callable[[], Sequence[Webcam]] = list
    open: Callable[[Webcam], Camera] = lambda webcam: OpenCVCamera(webcam.path)


class Cameras:
    """All cameras of a box; safe to share between threads."""

    def __init__(
        self,
        of_box: Callable[[FreeWebcams], CameraService] | None = None,
        webcams: Mapping[str, TableWebcam] = MappingProxyType({}),
        *,
        takes_any: bool = False,
        source: WebcamSource | None = None,
        serve: MakeService = serve_webcam,
        idle: float = IDLE_TIMEOUT_S,
    ) -> None:
        """Begin to open the box's camera, if it has one; `webcams` are the tables' webcams.

        With `takes_any` the box uses any free webcam, and gives it up when a table chooses it.
        """
        self._of_box, self._takes_any = of_box, takes_any
        self._source = source or WebcamSource()
        self._serve, self._idle = serve, idle
        self._changing = threading.Lock()
        self._webcams = dict(webcams)
        self._services: dict[str, CameraService] = {}
        self._is_closed = threading.Event()
        self._keeper: threading.Thread | None = None
        self._box = of_box(self.free) if of_box else None

    @property
    def has_camera(self) -> bool:
        """Whether the box is to have a camera."""
        return self._of_box is not None

    @property
    def box(self) -> CameraService | None:
        """The box's own camera; None if it is to have none."""
        return self._box

    def open_camera(self, name: str) -> CameraService | None:
        """Return the camera with this name; opens it if needed.

        None if the box has no camera, or no table has the webcam.
        """
        if name == BOX_CAMERA:
            return self._box
        with self._changing:
            if name not in self._webcams or self._is_closed.is_set():
                return None
            self._leave_to_tables()  # the box may have opened this one
            if name not in self._services:
                self._services[name] = self._serve(
                    partial(self._open_webcam, name), self._webcams[name]
                )
                self._start_closing_idle()
            self._services[name].want()
            return self._services[name]

    def assign(self, webcams: Mapping[str, TableWebcam]) -> None:
        """Set the tables' webcams, by camera name.

        Webcams that no table has any more are closed. The box gives up a webcam that now belongs to
        a table.
        """
        with self._changing:
            self._webcams = dict(webcams)
            removed_services = [
                self._services.pop(name) for name in (*self._services,) if name not in webcams
            ]
            for name, service in self._services.items():
                service.is_turned = webcams[name].is_turned
            self._leave_to_tables()
        for each in removed_services:
            each.close()

    def is_assigned(self, name: str) -> bool:
        """Whether a table has this webcam."""
        return name in self._webcams

    def list_offers(self) -> list[CameraOffer]:
        """Return the cameras that a table may choose: the box's own, then plugged-in webcams."""
        of_box = self._webcam_of_box()
        shows_chosen = of_box is not None and not self._takes_any
        is_box_shown = self._box is not None and self._box.status.state != "absent"
        box = (
            [CameraOffer(BOX_CAMERA, "")]
            if is_box_shown and (shows_chosen or of_box is None)
            else []
        )
        other_webcams = (each for each in self._source.find() if not shows_chosen or each != of_box)
        return [*box, *(CameraOffer(each.name, each.title) for each in other_webcams)]

    def names_of_same(self, name: str) -> frozenset[str]:
        """Return all names of a camera."""
        of_box = self._webcam_of_box()
        webcam = of_box if name == BOX_CAMERA else self._find_webcam(name)
        names = {name, *(webcam.names if webcam else ())}
        return frozenset(
            names | ({BOX_CAMERA} if webcam is not None and webcam == of_box else set())
        )

    def free(self) -> list[Webcam]:
        """Return the plugged-in webcams that no table has."""
        table_webcams = self._webcams
        return [each for each in self._source.find() if not table_webcams.keys() & set(each.names)]

    def list_table_webcams(self) -> list[tuple[TableWebcam, CameraStatus | None]]:
        """Return the status of each table's webcam; None if it is plugged in and closed."""
        services = dict(self._services)
        plugged_names = (
            {name for each in self._source.find() for name in each.names}
            if self._webcams
            else set()
        )
        lost_status = CameraStatus("lost", camera_message("webcam-gone"))
        return [
            (
                own,
                services[name].status
                if name in services
                else None
                if name in plugged_names
                else lost_status,
            )
            for name, own in self._webcams.items()
        ]

    def close(self) -> None:
        """Close all cameras."""
        self._is_closed.set()
        if self._keeper:
            self._keeper.join()
        for each in [*self._services.values(), *([self._box] if self._box else [])]:
            each.close()

    def _find_webcam(self, name: str) -> Webcam | None:
        return next((each for each in self._source.find() if name in each.names), None)

    def _open_webcam(self, name: str) -> Camera:
        """Open a table's webcam; raise CameraNotFoundError."""
        webcam = self._find_webcam(name)
        if webcam is None:
            raise CameraNotFoundError(camera_message("webcam-gone"))
        return self._source.open(webcam)

    def _webcam_of_box(self) -> Webcam | None:
        """Return the webcam that currently is the box's own camera, if it is one."""
        info = self._box.status.info if self._box else None
        device = info.device if info else ""
        return next((each for each in self._source.find() if each.device == device), None)

    def _leave_to_tables(self) -> None:
        """Choose another webcam for the box if a table has taken the current one."""
        before = self._box
        if not (self._takes_any and self._of_box and before):
            return
        webcam = self._webcam_of_box()
        if webcam and webcam not in self.free():
            before.close()
            self._box = self._of_box(self.free)
            self._box.is_turned = before.is_turned

    def _start_closing_idle(self) -> None:
        if self._keeper is None:
            self._keeper = threading.Thread(target=self._close_idle, name="webcams", daemon=True)
            self._keeper.start()

    def _close_idle(self) -> None:
        """Close webcams that nobody uses, until all are closed."""
        while not self._is_closed.wait(self._idle / 4):
            with self._changing:
                idle = [name for name, each in self._services.items() if each.idle > self._idle]
                idle_services = [self._services.pop(name) for name in idle]
            for each in idle_services:
                each.close()
