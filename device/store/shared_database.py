"""Pictures and waiting jobs in a PostgreSQL database that several processes share.

A worker's own connection locks a job's row while the job is done. If the worker is killed, the lock
ends and another worker takes the job. The log accepts no reading twice. The log also says which
jobs wait, so lost rows can be made again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import ColumnElement, and_, delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert

from device.store.errors import PictureNotFoundError
from device.store.files import is_picture_name
from device.store.log import Log
from device.store.log_schema import EVENTS, JOBS, PICTURES
from device.store.pictures import CROPS_FOLDER, PHOTOS_FOLDER, PicturePlace
from device.store.postgresql_log import OTHER_CHANNELS, PostgresqlLog

JOBS_CHANNEL, STAGES_CHANNEL = OTHER_CHANNELS
"""Notification channels: one for new jobs, one for the stage of a job, as `ID STAGE`."""

_J = JOBS.c


class JobQueue:
    """The queue as one process sees it; safe to share between threads."""

    def __init__(self, log: PostgresqlLog) -> None:
        self._log = log
        self._stages: dict[str, str] = {}
        self.to_do = threading.Event()
        """Set when there may be a job."""
        log.handlers[JOBS_CHANNEL] = lambda _: self.to_do.set()
        log.handlers[STAGES_CHANNEL] = self._take_notification

    def put(self, kind: str, job_id: str) -> None:
        """Add a job, unless the same is queued already."""
        row = insert(JOBS).values(kind=kind, of=job_id).on_conflict_do_nothing()
        with self._log.writing() as connection:
            connection.execute(row)
            connection.execute(select(func.pg_notify(JOBS_CHANNEL, job_id)))

    @contextmanager
    def take_job(self) -> Iterator[tuple[str, str] | None]:
        """Take the oldest free job (kind and id) for the block; None without one.

        The job is removed when the block ends without an error.
        """
        oldest = select(_J.id, _J.kind, _J.of).order_by(_J.id).limit(1)
        with self._log.writing() as connection:
            job_row = connection.execute(oldest.with_for_update(skip_locked=True)).first()
            if job_row is None:
                yield None
                return
            yield job_row.kind, job_row.of
            connection.execute(delete(JOBS).where(_J.id == job_row.id))
            connection.execute(select(func.pg_notify(STAGES_CHANNEL, f"{job_row.of} ")))

    def tell(self, job_id: str, stage: str) -> None:
        """Announce the stage of a job to all processes."""
        with self._log.writing() as connection:
            connection.execute(select(func.pg_notify(STAGES_CHANNEL, f"{job_id} {stage}")))

    def stage(self, job_id: str) -> str | None:
        """Return `waiting` or the last announced stage of a job; None if it is not queued."""
        is_there = self._log.rows(select(exists().where(_J.of == job_id)))[0][0]
        return self._stages.get(job_id, "waiting") if is_there else None

    def count(self) -> int:
        """Return the number of jobs, those under way included."""
        return int(self._log.rows(select(func.count()).select_from(JOBS))[0][0])

    def _take_notification(self, payload: str) -> None:
        job_id, _, stage = payload.partition(" ")
        if stage:
            self._stages[job_id] = stage
        else:
            self._stages.pop(job_id, None)


_P = PICTURES.c


class DatabasePictures:
    """Pictures as rows of the database, each written in one transaction."""

    folder = None

    def __init__(self, log: PostgresqlLog) -> None:
        self._log = log

    def keep(self, place: PicturePlace, data: bytes) -> None:
        """Write the row, unless the same picture is there already."""
        folder, name = _folder_and_name(place)
        row = insert(PICTURES).values(folder=folder, name=name, data=data)
        with self._log.writing() as connection:
            connection.execute(row.on_conflict_do_update(
                index_elements=[_P.folder, _P.name], set_={"data": data}, where=_P.data != data
            ))  # fmt: skip

    def read(self, place: PicturePlace) -> bytes:
        """Return the row's bytes."""
        rows = self._log.rows(select(_P.data).where(_row_of(place)))
        if not rows:
            raise PictureNotFoundError("/".join(place))
        return bytes(rows[0][0])

    def names(self, tile_set: str) -> frozenset[str]:
        """Return the names of the set's rows."""
        if not is_picture_name(tile_set):
            return frozenset()
        rows = self._log.rows(select(_P.name).where(_P.folder == f"{CROPS_FOLDER}/{tile_set}"))
        return frozenset(str(name) for (name,) in rows)

    def photographs(self) -> frozenset[str]:
        """Return the names of the photographs' rows."""
        rows = self._log.rows(select(_P.name).where(_P.folder == PHOTOS_FOLDER))
        return frozenset(str(name) for (name,) in rows)

    def places(self) -> Iterator[PicturePlace]:
        """Yield the places of all rows."""
        for folder, name in self._log.rows(select(_P.folder, _P.name).order_by(_P.folder, _P.name)):
            yield (*str(folder).split("/")[1:], str(name))

    def size(self, place: PicturePlace) -> int:
        """Return the length of the row's bytes, without reading them."""
        if not is_picture_name(*place):
            return 0
        rows = self._log.rows(select(func.length(_P.data)).where(_row_of(place)))
        return int(rows[0][0]) if rows else 0

    def delete(self, place: PicturePlace) -> None:
        """Delete the row."""
        with self._log.writing() as connection:
            connection.execute(delete(PICTURES).where(_row_of(place)))

    def try_write(self) -> None:
        """Do nothing: the log in the same database is checked."""


def _row_of(place: PicturePlace) -> ColumnElement[bool]:
    folder, name = _folder_and_name(place)
    return and_(_P.folder == folder, _P.name == name)


def _folder_and_name(place: PicturePlace) -> tuple[str, str]:
    """Return folder and name; raise PictureNotFoundError for a name that no box gives."""
    if not is_picture_name(*place):
        raise PictureNotFoundError("/".join(place))
    *tile_set, name = place
    return "/".join((CROPS_FOLDER, *tile_set)) if tile_set else PHOTOS_FOLDER, name


def measure_database(log: Log) -> tuple[int, int, int]:
    """Return the bytes of photographs, pictures of tiles and log in a database."""
    size = func.coalesce(func.sum(func.length(PICTURES.c.data)), 0)
    is_photo = PICTURES.c.folder == PHOTOS_FOLDER
    photos, crops = (log.rows(select(size).where(each))[0][0] for each in (is_photo, ~is_photo))
    events = log.rows(select(func.pg_total_relation_size(EVENTS.name)))[0][0]
    return int(photos), int(crops), int(events)
