"""Answer the queries of a request from memory, as long as nothing was added to what they read.

A request asks the log once which events are new, and again after this process adds an event or
hears of one. Answers that no new event concerns stay valid. Jobs and commands always read the log
itself.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from device.store.log import Log
from device.store.queries import LAST_NUMBER, keys_after

MAX_ANSWERS = 512
"""Answers in memory: those of some forty pages."""

MAX_ANSWER_EVENTS = 64
"""Longer answers are not remembered: who asks for them remembers what follows from them."""

MAX_NEW_EVENTS = 500
"""After more new events than this, everything is forgotten."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a query reads: all events of some streams, or of some kinds."""

    streams: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    def is_changed_by(self, streams: set[str], kinds: set[str]) -> bool:
        """Whether an event of one of these streams, or of one of these kinds, concerns it."""
        return not (self.streams.isdisjoint(streams) and self.kinds.isdisjoint(kinds))


@dataclass(slots=True)
class _Request:
    """The request of one thread."""

    additions: int = -1
    """The additions that were known when the log was asked; -1 before it was asked."""


class AnswerCache:
    """Remembers the answers to queries of one log; safe to share between threads."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._thread = threading.local()
        self._answers: OrderedDict[Hashable, tuple[Scope, tuple[object, ...]]] = OrderedDict()
        self._last_numbers: dict[str, int] = {}
        """The last event of each stream that has had one since the first request."""
        self._position: int | None = None
        """Number of the newest event that the answers take into account; None before the first."""
        self._additions = 0
        """How often this process has added an event, or was told of one."""

    @contextmanager
    def request(self) -> Iterator[None]:
        """Let this thread's queries in the block be answered from memory."""
        self.begin_request()
        try:
            yield
        finally:
            self.end_request()

    def begin_request(self) -> None:
        """Begin a request in this thread; another may be open, as after a failure."""
        self._thread.request = _Request()

    def end_request(self) -> None:
        """End the request of this thread, if one is open."""
        self._thread.request = None

    def clear(self) -> None:
        """Forget all answers."""
        with self._lock:
            self._answers.clear()
            self._last_numbers.clear()
            self._position = None

    def note_addition(self) -> None:
        """Ask the log again before the next answer: an event was added."""
        with self._lock:
            self._additions += 1

    @property
    def newest_number(self) -> int:
        """Number of the newest event of all that is known; there may be newer ones."""
        return self._position or 0

    def is_last(self, stream: str, number: int) -> bool:
        """Whether this is known to be the number of the last event of a stream."""
        request: _Request | None = getattr(self._thread, "request", None)
        if request is None:
            return False
        self._find_position(request)
        return self._last_numbers.get(stream) == number

    def get(
        self, key: Hashable, scope: Scope, ask: Callable[[], Iterable[_Item]]
    ) -> tuple[_Item, ...]:
        """Return what `ask` returns, or returned when it was asked for the same last.

        The items must not be changed. Raises StoreError.
        """
        request: _Request | None = getattr(self._thread, "request", None)
        if request is None:
            return tuple(ask())
        position = self._find_position(request)
        with self._lock:
            if known_answer := self._answers.get(key):
                self._answers.move_to_end(key)
                return cast("tuple[_Item, ...]", known_answer[1])
        answer = tuple(ask())
        if len(answer) <= MAX_ANSWER_EVENTS:
            with self._lock:
                # Else it may be older than what another request has taken into account meanwhile.
                if self._position == position:
                    self._answers[key] = (scope, answer)
                    while len(self._answers) > MAX_ANSWERS:
                        self._answers.popitem(last=False)
        return answer

    def _find_position(self, request: _Request) -> int:
        """Return the number of the newest event, and forget the answers that newer ones concern."""
        with self._lock:
            position, additions = self._position, self._additions
        if position is not None and request.additions == additions:
            return position
        position = self._ask_position(position)
        request.additions = additions
        return position

    def _ask_position(self, position: int | None) -> int:
        if position is None:
            last_number = int(self._log.rows(LAST_NUMBER)[0][0])
            with self._lock:
                self._position = last_number if self._position is None else self._position
                return self._position
        new = self._log.rows(keys_after(MAX_NEW_EVENTS), after=position)
        if not new:
            return position
        with self._lock:
            self._forget({row[1] for row in new}, {row[2] for row in new})
            for number, stream, _ in new:
                self._last_numbers[stream] = max(number, self._last_numbers.get(stream, 0))
            if len(new) == MAX_NEW_EVENTS or len(self._last_numbers) > MAX_ANSWERS:
                self._answers.clear()
                self._last_numbers.clear()
            self._position = max(new[-1][0], self._position or 0)
            return self._position

    def _forget(self, streams: set[str], kinds: set[str]) -> None:
        changed_keys = [
            key for key, (scope, _) in self._answers.items() if scope.is_changed_by(streams, kinds)
        ]
        for key in changed_keys:
            del self._answers[key]
