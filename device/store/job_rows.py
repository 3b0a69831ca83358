"""What is to be read, as rows that the workers of many processes take one by one.

A row is locked as long as its job is done, by the very connection of who does it. A worker that is
killed lets go of it, and another takes it; what has been written down by then is in the log, which
takes no reading twice. The log says what waits, so rows that were lost can be made again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert

from device.store.postgresql import OTHERS, PostgresqlLog
from device.store.schema import JOBS

TO_DO, STAGES = OTHERS
"""Channels: that there is something to do, and `OF STAGE` of what is being done."""

_J = JOBS.c


class JobRows:
    """The rows, as one process sees them; safe to share between threads."""

    def __init__(self, log: PostgresqlLog) -> None:
        self._log = log
        self._stages: dict[str, str] = {}
        self.to_do = threading.Event()
        """Set when there may be something."""
        log.handlers[TO_DO] = lambda _: self.to_do.set()
        log.handlers[STAGES] = self._heard

    def put(self, kind: str, of: str) -> None:
        """Let somebody read what waits under an id, unless that is asked for already."""
        row = insert(JOBS).values(kind=kind, of=of).on_conflict_do_nothing()
        with self._log.writing() as connection:
            connection.execute(row)
            connection.execute(select(func.pg_notify(TO_DO, of)))

    @contextmanager
    def taken(self) -> Iterator[tuple[str, str] | None]:
        """Have the oldest job that nobody has, kind and id, until it is done; None without one.

        It is gone when the block ends without an error.
        """
        oldest = select(_J.id, _J.kind, _J.of).order_by(_J.id).limit(1)
        with self._log.writing() as connection:
            found = connection.execute(oldest.with_for_update(skip_locked=True)).first()
            if found is None:
                yield None
                return
            yield found.kind, found.of
            connection.execute(delete(JOBS).where(_J.id == found.id))
            connection.execute(select(func.pg_notify(STAGES, f"{found.of} ")))

    def tell(self, of: str, stage: str) -> None:
        """Tell all processes which stage a reading has reached."""
        with self._log.writing() as connection:
            connection.execute(select(func.pg_notify(STAGES, f"{of} {stage}")))

    def stage(self, of: str) -> str | None:
        """Return `waiting` or the stage that was told last; None where nothing is to be done."""
        is_there = self._log.rows(select(exists().where(_J.of == of)))[0][0]
        return self._stages.get(of, "waiting") if is_there else None

    def count(self) -> int:
        """Return how many wait or are being done."""
        return int(self._log.rows(select(func.count()).select_from(JOBS))[0][0])

    def _heard(self, told: str) -> None:
        of, _, stage = told.partition(" ")
        if stage:
            self._stages[of] = stage
        else:
            self._stages.pop(of, None)
