"""News for all phones: a number that grows with every event, and with what becomes of the box."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request

from device.server.connection import STAYS
from device.server.shares import Shares
from device.store import Store
from device.web.box import box

pages = Blueprint("live", __name__, url_prefix="/news")

MOST_LISTENERS = 10
"""Phones that are told; each keeps a thread busy. Any further one asks every other second."""

HEARTBEAT = 10.0
"""Seconds after which something is said though there is no news: a phone that is gone is noticed,
and a phone notices that the box is gone."""

MOST_OF_ONE = 3
"""Of one address, so that one phone with many pages open leaves room for others."""

GONE = 1.0
"""Seconds after which a phone that has left the page is noticed. Each page listens anew."""

LISTEN_LIMIT = 15 * 60.0
"""Seconds after which a phone has to ask anew; its browser does so by itself."""

_listeners = Shares(MOST_LISTENERS, MOST_OF_ONE)


@pages.get("/now")
def now() -> dict[str, int | bool]:
    """Return the number of the news, and whether the box is being switched off."""
    version = box().hands.store.newer(-1, 0) + box().care.changes
    lost = not box().hands.store.log.answers
    return {"version": version, "off": box().switch.is_off, "lost": lost}


@pages.get("/")
def listen() -> Response | tuple[str, int]:
    """Tell of every new event as server-sent events; when too many listen already, 204.

    That is how an event stream says "do not ask again": the page then asks now and then instead,
    and its browser reports no fault.
    """
    phone = request.remote_addr or ""
    if not _listeners.take(phone):
        return "", 204
    request.environ.get(STAYS, lambda: None)()
    # What the server knows of the phone's end of the line, if it is asked to keep an eye on it.
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    switch, care = box().switch, box().care
    stream = news_stream(box().hands.store, gone, lambda: switch.is_off, lambda: care.changes)
    response = Response(stream, mimetype="text/event-stream")
    response.call_on_close(lambda: _listeners.give_back(phone))
    return response


def news_stream(
    store: Store,
    gone: Callable[[], bool],
    is_off: Callable[[], bool] = lambda: False,
    changes: Callable[[], int] = lambda: 0,
) -> Iterator[str]:
    """Yield the number of all news, until the phone is gone; or that the box is off, or its store.

    `changes` says how often something has changed of which no event tells.
    """
    ends = time.monotonic() + LISTEN_LIMIT
    version, beside, state = store.newer(-1, 0), changes(), _state(store, is_off)
    said = time.monotonic()
    yield f"retry: 1000\n\n{_told(version + beside, state)}"
    while time.monotonic() < ends and not gone():
        newest = store.newer(version, GONE)
        if (newest, changes(), _state(store, is_off)) != (version, beside, state):
            beside, state = changes(), _state(store, is_off)
            yield _told(newest + beside, state)
        elif time.monotonic() - said > HEARTBEAT:
            yield ": still here\n\n"
        else:
            continue
        version, said = newest, time.monotonic()


def _state(store: Store, is_off: Callable[[], bool]) -> str:
    """Return `off` while the box goes, `lost` while its store does not answer, nothing else."""
    return "off" if is_off() else "" if store.log.answers else "lost"


def _told(version: int, state: str) -> str:
    """Return one of the stream's messages: the state there is, and else what is the newest."""
    return f"event: {state}\ndata: yes\n\n" if state else f"data: {version}\n\n"
