"""Notes what is asked of the log: each question is a wait, behind all other phones' questions."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from device.store.log import Log
from device.store.queries import Query


@contextmanager
def asked() -> Iterator[list[Query]]:
    """Keep what this thread asks of all logs in the block."""
    us = threading.get_ident()
    seen: list[Query] = []
    rows, some = Log.rows, Log.some

    def note(query: Query) -> None:
        if threading.get_ident() == us:
            seen.append(query)

    def all_rows(log: Log, query: Query, **values: object) -> list[tuple[Any, ...]]:
        note(query)
        return rows(log, query, **values)

    def some_rows(log: Log, query: Query, at_once: int) -> Generator[tuple[Any, ...]]:
        note(query)
        return some(log, query, at_once)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Log, "rows", all_rows)
        patched.setattr(Log, "some", some_rows)
        yield seen
