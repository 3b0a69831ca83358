"""Assign cameras to tables.

The cameras are the box's own camera and webcams that belong to tables. A camera serves at most one
table, and a table has at most one camera. Until somebody assigns it, the box's own camera serves
the first table. A box without named tables keeps its own camera.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import structs

from device.cameras.cameras import BOX_CAMERA, TableWebcam
from device.club.tables import ClubTable, ClubTables
from device.settings import append_to_box
from device.store import Store
from device.store.appending import append_if_unchanged
from device.store.events import CameraAssigned
from device.store.log import KindsSeen


class CameraHeldError(Exception):
    """The camera serves another table."""

    def __init__(self, holder: ClubTable) -> None:
        super().__init__(holder.name)
        self.holder = holder


class CameraAssignments:
    """Which table each camera serves, and all changes to it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables = ClubTables(store)

    def assign(
        self,
        table: str,
        camera: str = BOX_CAMERA,
        title: str = "",
        *,
        turned: bool | None = None,
        names: Collection[str] = (),
        other: str = "",
    ) -> None:
        """Assign a camera to a table, or to none; raise NoSuchTableError.

        The table's previous camera is no longer assigned. `turned` says that the camera is mounted
        upside down; None keeps the current value. With `names`, all names of the camera, raises
        CameraHeldError if it serves a table that is neither this one nor the `other`.
        """

        def attempt(kinds_seen: KindsSeen) -> None:
            if table:
                self._tables.get(table)
            holder = self.holder(names)
            if holder and holder.id not in (table, other):
                raise CameraHeldError(holder)
            assignments = self._newest_assignments()
            before = assignments.get(camera)
            is_turned = before is not None and before.turned if turned is None else turned
            assignment = CameraAssigned(table, camera, title, is_turned)
            if assignment == before:
                return
            is_implied = BOX_CAMERA not in assignments and table == self._first_table() != ""
            if camera != BOX_CAMERA and is_implied:
                append_to_box(self._store, CameraAssigned(""), kinds_seen)
            append_to_box(self._store, assignment, kinds_seen)

        append_if_unchanged(self._store, (CameraAssigned,), attempt)

    def find_assignment(self, table: str) -> CameraAssigned | None:
        """Return the camera assignment of a table; None when it has no camera."""
        assignments = self._newest_assignments()
        if not table:
            is_kept = BOX_CAMERA not in assignments or not self._tables.are_laid()
            return CameraAssigned(table) if is_kept else None
        assignment = next((each for each in assignments.values() if each.table == table), None)
        if assignment is None and BOX_CAMERA not in assignments and table == self._first_table():
            return CameraAssigned(table)
        return assignment

    def holder(self, names: Collection[str]) -> ClubTable | None:
        """Return the table that a camera serves, by all names of the camera; None without one."""
        tables = self._tables.list_tables()
        assignments = self._newest_assignments()
        served_tables = {each.table for name, each in assignments.items() if name in names}
        if BOX_CAMERA in names and BOX_CAMERA not in assignments and tables:
            has_another = tables[0].id in {each.table for each in assignments.values()}
            served_tables |= set() if has_another else {tables[0].id}
        return next((each for each in tables if each.id in served_tables), None)

    def list_webcams(self) -> dict[str, TableWebcam]:
        """Return the webcams that belong to tables, by camera name."""
        names = {each.id: each.name for each in self._tables.list_tables()}
        return {
            camera: TableWebcam(names[each.table], each.title, each.turned)
            for camera, each in self._newest_assignments().items()
            if camera != BOX_CAMERA and each.table in names
        }

    def _first_table(self) -> str:
        return next((each.id for each in self._tables.list_tables()), "")

    def _newest_assignments(self) -> dict[str, CameraAssigned]:
        """Return the newest explicit assignment of each camera, by camera name."""
        assignments: dict[str, CameraAssigned] = {}
        for assignment in (each.event for each in self._store.of_kinds(CameraAssigned)):
            for name, each in assignments.items():
                if each.table == assignment.table:
                    assignments[name] = structs.replace(each, table="")
            assignments[assignment.camera] = assignment
        return assignments
