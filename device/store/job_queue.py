"""The queue of photographs to read, as rows of a database that the workers of all processes share.

A worker's own connection locks a row while its job is done. If the worker is killed, the lock ends
and another worker takes the job. The log accepts no reading twice. The log also says which jobs
wait, so lost rows can be made again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert

from device.store.log_schema import JOBS
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
        log.handlers[STAGES_CHANNEL] = self._heard

    def put(self, kind: str, of: str) -> None:
        """Add a job, unless the same is queued already."""
        row = insert(JOBS).values(kind=kind, of=of).on_conflict_do_nothing()
        with self._log.writing() as connection:
            connection.execute(row)
            connection.execute(select(func.pg_notify(JOBS_CHANNEL, of)))

    @contextmanager
    def take_job(self) -> Iterator[tuple[str, str] | None]:
        """Take the oldest free job (kind and id) for the block; None without one.

        The job is removed when the block ends without an error.
        """
        oldest = select(_J.id, _J.kind, _J.of).order_by(_J.id).limit(1)
        with self._log.writing() as connection:
            found = connection.execute(oldest.with_for_update(skip_locked=True)).first()
            if found is None:
                yield None
                return
            yield found.kind, found.of
            connection.execute(delete(JOBS).where(_J.id == found.id))
            connection.execute(select(func.pg_notify(STAGES_CHANNEL, f"{found.of} ")))

    def tell(self, of: str, stage: str) -> None:
        """Announce the stage of a job to all processes."""
        with self._log.writing() as connection:
            connection.execute(select(func.pg_notify(STAGES_CHANNEL, f"{of} {stage}")))

    def stage(self, of: str) -> str | None:
        """Return `waiting` or the last announced stage of a job; None if it is not queued."""
        is_there = self._log.rows(select(exists().where(_J.of == of)))[0][0]
        return self._stages.get(of, "waiting") if is_there else None

    def count(self) -> int:
        """Return the number of jobs, those under way included."""
        return int(self._log.rows(select(func.count()).select_from(JOBS))[0][0])

    def _heard(self, told: str) -> None:
        of, _, stage = told.partition(" ")
        if stage:
            self._stages[of] = stage
        else:
            self._stages.pop(of, None)
