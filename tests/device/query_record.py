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
def record_queries() -> Iterator[list[Query]]:
    """Keep what this thread asks of all logs in the block."""
    us = threading.get_ident()
    queries: list[Query] = []
    rows, in_parts = Log.rows, Log.fetch_in_parts

    def note(query: Query) -> None:
        if threading.get_ident() == us:
            queries.append(query)

    def all_rows(log: Log, query: Query, **values: object) -> list[tuple[Any, ...]]:
        note(query)
        return rows(log, query, **values)

    def some_rows(log: Log, query: Query, row_count: int) -> Generator[tuple[Any, ...]]:
        note(query)
        return in_parts(log, query, row_count)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(Log, "rows", all_rows)
        patches.setattr(Log, "fetch_in_parts", some_rows)
        yield queries
