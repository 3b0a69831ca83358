"""News for all phones: the number of the newest event, as soon as there is one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from flask import Blueprint, Response

from device.store import Store
from device.web.box import box

pages = Blueprint("live", __name__, url_prefix="/news")

MOST_LISTENERS = 10
"""Phones that are told; each keeps a thread busy. Any further one asks every other second."""

HEARTBEAT = 10.0
"""Seconds after which something is said though there is no news: a phone that is gone is noticed,
and a phone notices that the box is gone."""

LISTEN_LIMIT = 15 * 60.0
"""Seconds after which a phone has to ask anew; its browser does so by itself."""

_listeners = threading.BoundedSemaphore(MOST_LISTENERS)


@pages.get("/now")
def now() -> dict[str, int]:
    """Return the number of the newest event."""
    return {"version": box().records.store.newer(-1, 0)}


@pages.get("/")
def listen() -> Response | tuple[str, int]:
    """Tell of every new event as server-sent events; 503 when too many listen."""
    if not _listeners.acquire(blocking=False):
        return "", 503
    response = Response(_told(box().records.store), mimetype="text/event-stream")
    response.call_on_close(_listeners.release)
    return response


def _told(store: Store) -> Iterator[str]:
    ends = time.monotonic() + LISTEN_LIMIT
    version = store.newer(-1, 0)
    yield f"retry: 1000\n\ndata: {version}\n\n"
    while time.monotonic() < ends:
        newest = store.newer(version, HEARTBEAT)
        yield f"data: {newest}\n\n" if newest != version else ": still here\n\n"
        version = newest
