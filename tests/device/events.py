"""Events as tests write them down: by their kind and fields, or raw, whatever they say."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from typing import Any, cast

from device.store import Store
from device.store.events import event_from_json
from device.store.sqlite_log import SqliteLog

EVENT_TIME = "2026-11-21T20:20:55.629+00:00"


def event_of(kind: str, data: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of whichever kind
    """Return the event that the log would have so; raise EventError."""
    return event_from_json(kind, json.dumps(data))


def write_raw(
    store: Store, stream: str, kind: str, data: object, created_at: str = EVENT_TIME
) -> int:
    """Write what is no event, as nothing of ours would; return its number."""
    text = data if isinstance(data, str) else json.dumps(data)
    with closing(sqlite3.connect(store.folder / "events.sqlite3")) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        cursor = db.execute(
            "INSERT INTO events (stream, kind, json, at) VALUES (?, ?, ?, ?)",
            (stream, kind, text, created_at),
        )
        db.commit()
        return int(cursor.lastrowid or 0)


def driver(store: Store) -> sqlite3.Connection:
    """Return the store's own connection, as Python's driver has it."""
    return cast(SqliteLog, store.log).driver
