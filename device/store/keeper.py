"""Copy the log while the box runs, and check one that was too long for the start."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from device.store import integrity
from device.store.copies import copy, copy_all, second_place
from device.store.errors import StoreError, TornLogError, telling_files
from device.store.events import MatchEnded
from device.store.files import whole
from device.store.restoring import LOG
from device.store.store import Store

SOON, EVERY = 60.0, 60.0
"""Seconds from the start to the first look, and between two looks."""

QUIET = 15 * 60.0
"""Seconds without an event after which nobody is playing."""

_STATE = "state.json"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LastCopy:
    """The state of the copies."""

    seq: int = 0
    """The newest event of the newest copy."""
    at: str = ""
    """When it was made, by the box's clock, ISO 8601; empty without one."""
    second: str = ""
    """The second place; empty without one."""
    second_at: str = ""
    """When the last copy was made there; empty without one."""
    trouble: str = ""
    """What went wrong last time; empty if all is well."""


def kept(folder: Path) -> LastCopy:
    """Return the state of a data folder's copies; the empty state if it is unknown."""
    with suppress(OSError, ValueError, TypeError):
        return LastCopy(**json.loads((folder / integrity.COPIES / _STATE).read_text("utf-8")))
    return LastCopy()


class Keeper:
    """Makes copies in a thread of its own, so that nobody waits for them."""

    def __init__(
        self,
        store: Store,
        place: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`place` is the folder named for copies; without it, USB sticks are searched."""
        self._store = store
        self._place = place
        self._now = now
        self._clock = clock
        self._newest = store.newer(0, 0)
        self._since = -QUIET  # nobody is playing when a box is switched on
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)

    def __enter__(self) -> Self:
        """Start the thread."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop after the copy that is being made."""
        self._closing.set()
        self._thread.join()

    def look(self) -> bool:
        """Copy the log if a copy is due; return whether it was."""
        newest, before = self._store.newer(0, 0), kept(self._store.folder)
        if newest != self._newest:
            self._newest, self._since = newest, self._clock()
        if not self._is_due(newest, before):
            return False
        made = self._copy(newest, before)
        if made.trouble:
            _log.error("The log was not copied: %s", made.trouble)
        with telling_files("What was copied cannot be noted"):
            (self._store.folder / integrity.COPIES).mkdir(exist_ok=True)
            with whole(self._store.folder / integrity.COPIES / _STATE) as file:
                file.write(json.dumps(asdict(made)).encode())
        return True

    def _is_due(self, newest: int, before: LastCopy) -> bool:
        """Whether there are new events, and a match has ended or the day's copy is missing."""
        if newest == before.seq:
            return False
        ended = self._store.latest(MatchEnded)
        if ended and ended.seq > before.seq:
            return True
        is_quiet = self._clock() - self._since >= QUIET
        return is_quiet and before.at[:10] != self._now().date().isoformat()

    def _copy(self, newest: int, before: LastCopy) -> LastCopy:
        folder, today, at = self._store.folder, self._now().date(), self._now().isoformat()
        made = replace(before, seq=newest, trouble="")
        place = self._place or second_place(folder)
        try:
            copy(folder, folder, today)
            made = replace(made, at=at)
            if place:
                made = replace(made, second=str(place))
                copy_all(folder, place, today)
                made = replace(made, second_at=at)
        except TornLogError as error:
            integrity.mark(folder)
            return replace(made, trouble=str(error))
        except StoreError as error:
            return replace(made, at=made.at or at, trouble=str(error))
        return made

    def _run(self) -> None:
        with suppress(StoreError):
            if integrity.is_for_later(self._store.folder / LOG):
                self._examine()
        wait = SOON
        while not self._closing.wait(wait):
            wait = EVERY
            try:
                self.look()
            except StoreError as error:
                if isinstance(error, TornLogError):
                    integrity.mark(self._store.folder)
                _log.error("The log is not looked after: %s", error)

    def _examine(self) -> None:
        """Check a long log that was not checked at the start."""
        try:
            found = integrity.torn_pages(self._store.folder / LOG)
        except TornLogError as error:
            found = str(error)
        if found:
            _log.error("The log is torn, and will be salvaged at the next start: %s", found)
            integrity.mark(self._store.folder)
