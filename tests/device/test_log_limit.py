"""What goes wrong all evening is in the system's log, and does not fill the card."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable
from typing import cast

import pytest

from device.cli import main
from device.log_limit import LINES_PER_WINDOW, WINDOW_S, LimitedHandler
from device.store.errors import UnreachableError
from device.store.postgresql_log import HEARTBEAT_INTERVAL_S, DatabaseConnection, PostgresqlLog

EVENING_S = 4 * 3600.0


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def log_text(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Return what the root logger's one handler writes."""
    stream = io.StringIO()
    monkeypatch.setattr(logging.getLogger(), "handlers", [LimitedHandler(stream, clock)])
    return stream


class Evening(threading.Event):
    """An event that waits by a set clock, and is set when an evening is over."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock, self.waits = clock, 0

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout
        self.waits += 1
        self.clock.now += timeout
        if self.clock.now >= EVENING_S:
            self.set()
        return self.is_set()


class AwayLog(PostgresqlLog):
    """A log whose database is away."""

    def __init__(self, evening: Evening) -> None:
        self._closing = evening

    def _open_connection(self) -> DatabaseConnection:
        raise UnreachableError("nothing was heard of it")

    def _hear_until_cut(self, tell: Callable[[int], None], _: DatabaseConnection) -> None:
        raise UnreachableError("nothing was heard of it")


def test_a_database_that_is_away_all_evening_writes_few_lines(
    log_text: io.StringIO, clock: Clock
) -> None:
    evening = Evening(clock)
    lost_connection = cast("DatabaseConnection", io.StringIO())  # it is closed, and no more
    AwayLog(evening)._hear(lambda number: None, lost_connection)
    lines = log_text.getvalue().splitlines()
    assert evening.waits == EVENING_S / HEARTBEAT_INTERVAL_S
    assert all("Cannot listen to the database" in line for line in lines)
    assert len(lines) <= LINES_PER_WINDOW * (EVENING_S / WINDOW_S + 1)
    assert (
        f"({round(WINDOW_S / HEARTBEAT_INTERVAL_S) - LINES_PER_WINDOW} more like it before)"
        in (lines[LINES_PER_WINDOW])
    )


def test_other_places_are_written_all_the_same(log_text: io.StringIO) -> None:
    log = logging.getLogger("a")
    for number in range(100):
        log.error("one fault, %d", number)
        if number == 50:
            log.error("another fault")
    lines = log_text.getvalue().splitlines()
    assert lines == [*(f"one fault, {n}" for n in range(LINES_PER_WINDOW)), "another fault"]


def test_exceptions_of_another_kind_are_written_all_the_same(log_text: io.StringIO) -> None:
    for number in range(40):
        try:
            raise ValueError(number) if number % 20 else KeyError(number)
        except (ValueError, KeyError):
            logging.getLogger("a").exception("failed")
    text = log_text.getvalue()
    assert text.count("\nValueError: ") == LINES_PER_WINDOW
    assert text.count("\nKeyError: ") == 2


def test_the_program_writes_its_log_so(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    assert main(["rules"]) == 0
    assert [type(each) for each in root.handlers] == [LimitedHandler]
