"""A plug that pulls itself, put into the served program: right after something was kept.

What is killed at random moments seldom meets the few that matter: an event is committed, and what
was to follow is not, nor has anybody been told.
"""

from __future__ import annotations

import os
import random
import signal
from typing import Any

from device.store import Event, Store
from device.store.events import (
    HandEvent,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    PhotoTaken,
    SeasonEvent,
    TableLaid,
    TablePhotographed,
    TableRead,
    TournamentEvent,
)

OFTEN, READ, SELDOM = 0.2, 0.04, 0.005
"""After how many of them: of those in rows, of what is read, of all others."""

IN_ROWS = (
    TournamentEvent,
    SeasonEvent,
    TableLaid,
    MatchBegun,
    MatchEnded,
)
"""Kinds of events of which several follow on one tap, or that begin something."""

PICTURED = (TablePhotographed, TableRead)

OTHERS = (MatchEvent, HandEvent)


def put_in(wanted: str) -> None:
    """Let this process be killed now and then; not where nothing is wanted."""
    if not wanted:
        return
    append = Store.append

    def pulled(self: Store, stream: str, event: Event, **named: Any) -> int:  # noqa: ANN401
        seq = append(self, stream, event, **named)
        if random.random() < _chance(event):
            os.kill(os.getpid(), signal.SIGKILL)
        return seq

    Store.append = pulled  # type: ignore[method-assign]


def _chance(event: Event) -> float:
    if isinstance(event, IN_ROWS):
        return OFTEN
    if isinstance(event, PICTURED) or (isinstance(event, PhotoTaken) and event.reading):
        return READ
    return SELDOM if isinstance(event, OTHERS) else 0.0
