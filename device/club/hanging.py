"""Over which table each camera hangs: the box's own, and webcams that tables have of their own.

A camera hangs over one table at a time, and a table has one at most. Until somebody has said so,
the box's own hangs over the table that was laid first; the one that has no name keeps it, too.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import structs

from device.cameras.cameras import BOX as BOX_CAMERA
from device.cameras.cameras import OwnCamera
from device.club.tables import ClubTable, ClubTables
from device.settings.settings import append_to_box
from device.store import Store
from device.store.events import CameraHung


class Hanging:
    """Where the cameras of a box hang, and every change to that."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables = ClubTables(store)

    def hang(
        self,
        table: str,
        camera: str = BOX_CAMERA,
        title: str = "",
        *,
        turned: bool | None = None,
    ) -> None:
        """Let a camera hang over a table, or over none; raise NoSuchTableError.

        What hung over that table hangs nowhere from then on. With None for `turned` it hangs as it
        did.
        """
        if table:
            self._tables.get(table)
        said = self._said()
        if table and camera != BOX_CAMERA and BOX_CAMERA not in said and table == self._first():
            append_to_box(self._store, CameraHung(""))  # so far it hung there without a word
        before = said.get(camera)
        if turned is None:
            turned = before is not None and before.turned
        hung = CameraHung(table, camera, title, turned)
        if hung != before:
            append_to_box(self._store, hung)

    def over(self, table: str) -> CameraHung | None:
        """Return how the camera hangs that phones at a table are offered; None for none."""
        said = self._said()
        if not table:
            is_kept = BOX_CAMERA not in said or not self._tables.are_laid()
            return CameraHung(table) if is_kept else None
        hung = next((each for each in said.values() if each.table == table), None)
        if hung is None and BOX_CAMERA not in said and table == self._first():
            return CameraHung(table)
        return hung

    def holder(self, names: Collection[str]) -> ClubTable | None:
        """Return the table over which the camera hangs that has these names; None for none."""
        laid = self._tables.laid()
        said = self._said()
        over = {each.table for name, each in said.items() if name in names}
        if BOX_CAMERA in names and BOX_CAMERA not in said and laid:
            has_another = laid[0].id in {each.table for each in said.values()}
            over |= set() if has_another else {laid[0].id}
        return next((each for each in laid if each.id in over), None)

    def own(self) -> dict[str, OwnCamera]:
        """Return the webcams that tables have of their own, by their names."""
        names = {each.id: each.name for each in self._tables.laid()}
        return {
            camera: OwnCamera(names[each.table], each.title, each.turned)
            for camera, each in self._said().items()
            if camera != BOX_CAMERA and each.table in names
        }

    def _first(self) -> str:
        return next((each.id for each in self._tables.laid()), "")

    def _said(self) -> dict[str, CameraHung]:
        """Return how each camera hangs of which somebody has said so, by its name."""
        said: dict[str, CameraHung] = {}
        for hung in (each.event for each in self._store.of_kinds(CameraHung)):
            for name, each in said.items():
                if each.table == hung.table:
                    said[name] = structs.replace(each, table="")
            said[hung.camera] = hung
        return said
