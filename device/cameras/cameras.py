"""The cameras of a box by their names: its own, and the webcams that tables have of their own.

The box's own is open from the start. A table's webcam is opened when a phone there first wants it,
and let go once nobody has for a minute: a socket carries the pictures of two or three at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from device.cameras.opencv import OpenCVCamera
from device.cameras.opening import Free, Open
from device.cameras.protocol import Camera, CameraNotFoundError, says
from device.cameras.service import CameraService, Status
from device.cameras.webcams import Webcam

BOX = ""
"""The name of the box's own camera."""

IDLE = 60.0
"""Seconds for which a table's webcam stays open when nobody looks."""


@dataclass(frozen=True, slots=True)
class OwnCamera:
    """A webcam that a table has of its own."""

    table: str
    """What the table is called."""
    title: str
    """What people call the webcam."""
    turned: bool = False
    """It hangs upside down."""


@dataclass(frozen=True, slots=True)
class CameraFound:
    """A camera that a table may have."""

    name: str
    title: str
    """Empty for the box's own."""


Serve = Callable[[Open, OwnCamera], CameraService]
"""Returns what serves a table's webcam, given how that is opened."""


def serves(opener: Open, own: OwnCamera) -> CameraService:
    """Return what serves a table's webcam and does no more."""
    return CameraService(opener, turned=own.turned, title=own.title)


@dataclass(frozen=True, slots=True)
class PluggedIn:
    """How the webcams are found that are plugged in, and how one is opened; by itself none is."""

    find: Callable[[], Sequence[Webcam]] = list
    open: Callable[[Webcam], Camera] = lambda webcam: OpenCVCamera(webcam.path)


class Cameras:
    """All cameras of a box; safe to share between threads."""

    def __init__(
        self,
        of_box: Callable[[Free], CameraService] | None = None,
        own: Mapping[str, OwnCamera] = MappingProxyType({}),
        *,
        takes_any: bool = False,
        plugged_in: PluggedIn | None = None,
        serve: Serve = serves,
        idle: float = IDLE,
    ) -> None:
        """Begin to open the box's own, if it has one; `own` are those of tables.

        With `takes_any` that is whichever webcam is free, and left to a table that chooses it.
        """
        self._of_box, self._takes_any = of_box, takes_any
        self._plugged_in = plugged_in or PluggedIn()
        self._serve, self._idle = serve, idle
        self._changing = threading.Lock()
        self._own = dict(own)
        self._services: dict[str, CameraService] = {}
        self._over = threading.Event()
        self._keeper: threading.Thread | None = None
        self._box = of_box(self.free) if of_box else None

    @property
    def any(self) -> bool:
        """Whether the box shall have any camera."""
        return self._of_box is not None

    @property
    def box(self) -> CameraService | None:
        """The box's own camera, None where it shall have none."""
        return self._box

    def of(self, name: str) -> CameraService | None:
        """Return the camera of this name, opened if nobody has wanted it lately.

        None for a box that shall have none, and for a webcam that hangs nowhere.
        """
        if name == BOX:
            return self._box
        with self._changing:
            if name not in self._own or self._over.is_set():
                return None
            self._leave_to_tables()  # it may have opened one that was being chosen
            if name not in self._services:
                self._services[name] = self._serve(partial(self._webcam, name), self._own[name])
                self._begin_to_keep()
            self._services[name].want()
            return self._services[name]

    def hang(self, own: Mapping[str, OwnCamera]) -> None:
        """Take note of which tables have which webcam of their own, by their names.

        Those that hang nowhere any more are let go, and by the box what is a table's from now on.
        """
        with self._changing:
            self._own = dict(own)
            gone = [self._services.pop(name) for name in (*self._services,) if name not in own]
            for name, service in self._services.items():
                service.turned = own[name].turned
            self._leave_to_tables()
        for each in gone:
            each.close()

    def hangs(self, name: str) -> bool:
        """Whether it is known of a webcam that it hangs over a table."""
        return name in self._own

    def found(self) -> list[CameraFound]:
        """Return what a table may choose: the box's own, then each webcam that is plugged in."""
        of_box = self._webcam_of_box()
        kept = of_box is not None and not self._takes_any
        shown = self._box is not None and self._box.status.state != "absent"
        box = [CameraFound(BOX, "")] if shown and (kept or of_box is None) else []
        others = (each for each in self._plugged_in.find() if not kept or each != of_box)
        return [*box, *(CameraFound(each.name, each.title) for each in others)]

    def same(self, name: str) -> frozenset[str]:
        """Return all names of the camera that has this one."""
        of_box = self._webcam_of_box()
        webcam = of_box if name == BOX else self._named(name)
        names = {name, *(webcam.names if webcam else ())}
        return frozenset(names | ({BOX} if webcam is not None and webcam == of_box else set()))

    def free(self) -> list[Webcam]:
        """Return the webcams that are plugged in and that no table has as its own."""
        own = self._own
        return [each for each in self._plugged_in.find() if not own.keys() & set(each.names)]

    def own(self) -> list[tuple[OwnCamera, Status | None]]:
        """Return how each table's webcam is; None for one that is plugged in and rests."""
        services = dict(self._services)
        plugged = (
            {name for each in self._plugged_in.find() for name in each.names}
            if self._own
            else set()
        )
        gone = Status("lost", says("webcam-gone"))
        return [
            (own, services[name].status if name in services else None if name in plugged else gone)
            for name, own in self._own.items()
        ]

    def close(self) -> None:
        """Let all of them go."""
        self._over.set()
        if self._keeper:
            self._keeper.join()
        for each in [*self._services.values(), *([self._box] if self._box else [])]:
            each.close()

    def _named(self, name: str) -> Webcam | None:
        return next((each for each in self._plugged_in.find() if name in each.names), None)

    def _webcam(self, name: str) -> Camera:
        """Return a table's webcam to open it; raise CameraNotFoundError."""
        found = self._named(name)
        if found is None:
            raise CameraNotFoundError(says("webcam-gone"))
        return self._plugged_in.open(found)

    def _webcam_of_box(self) -> Webcam | None:
        """Return the webcam that is the box's own camera at the moment, if it is one."""
        info = self._box.status.info if self._box else None
        device = info.device if info else ""
        return next((each for each in self._plugged_in.find() if each.device == device), None)

    def _leave_to_tables(self) -> None:
        """Let the box take another webcam for its own where what it has is a table's."""
        before = self._box
        if not (self._takes_any and self._of_box and before):
            return
        webcam = self._webcam_of_box()
        if webcam and webcam not in self.free():
            before.close()
            self._box = self._of_box(self.free)
            self._box.turned = before.turned

    def _begin_to_keep(self) -> None:
        if self._keeper is None:
            self._keeper = threading.Thread(target=self._keep, name="webcams", daemon=True)
            self._keeper.start()

    def _keep(self) -> None:
        """Let webcams go at which nobody looks any more."""
        while not self._over.wait(self._idle / 4):
            with self._changing:
                idle = [name for name, each in self._services.items() if each.idle > self._idle]
                gone = [self._services.pop(name) for name in idle]
            for each in gone:
                each.close()
