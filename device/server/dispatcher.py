"""Dispatch requests to threads, in turn by address, with a limit for each address."""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Iterator
from typing import Protocol

from waitress.task import ThreadedTaskDispatcher


class Queued(Protocol):
    """A request that waits for a thread."""

    @property
    def client(self) -> str:
        """The address that the request comes from."""


class FairQueue:
    """A queue in which an address with many requests delays only itself."""

    def __init__(self, at_once: int) -> None:
        """Allow `at_once` requests of an address at the same time."""
        self._at_once = at_once
        # In the order of their turns.
        self._waiting: dict[str, deque[Queued]] = {}
        self._under_way: Counter[str] = Counter()

    def append(self, task: Queued) -> None:
        """Add a request."""
        self._waiting.setdefault(task.client, deque()).append(task)

    def popleft(self) -> Queued:
        """Return the next request, which begins now; raise IndexError without one."""
        client = next(self._ready(), None)
        if client is None:
            raise IndexError("no request may begin")
        tasks = self._waiting.pop(client)
        task = tasks.popleft()
        if tasks:
            self._waiting[client] = tasks  # behind all others
        self._under_way[client] += 1
        return task

    def finish_request(self, client: str) -> None:
        """End a request of an address."""
        self._under_way[client] -= 1
        if not self._under_way[client]:
            del self._under_way[client]

    def __len__(self) -> int:
        """Return how many requests may begin."""
        return sum(
            min(len(self._waiting[client]), self._at_once - self._under_way[client])
            for client in self._ready()
        )

    def __bool__(self) -> bool:
        """Whether a request may begin."""
        return next(self._ready(), None) is not None

    def _ready(self) -> Iterator[str]:
        return (client for client in self._waiting if self._under_way[client] < self._at_once)


class FairDispatcher(ThreadedTaskDispatcher):
    """Gives threads to requests in turn. A thread is started when all others are busy."""

    def __init__(self, max_threads: int, at_once: int) -> None:
        super().__init__()
        # Reentrant, so that counting the threads and starting one is a single step.
        self.lock = threading.RLock()
        self.queue_cv = threading.Condition(self.lock)
        self.thread_exit_cv = threading.Condition(self.lock)
        self.queue = FairQueue(at_once)
        self._max_threads = max_threads

    def add_task(self, task: Queued) -> None:
        """Add a request."""
        with self.lock:
            self.queue.append(task)
            self._let_begin()

    def finish_request(self, client: str) -> None:
        """Let the address's next request begin."""
        with self.lock:
            self.queue.finish_request(client)
            self._let_begin()

    def stop(self) -> None:
        """Begin no more requests. Each thread ends after its current request."""
        with self.lock:
            self._max_threads = 0
            self.set_thread_count(0)

    def _let_begin(self) -> None:
        """Wake a thread for the next request, or start one if all are busy."""
        self.queue_cv.notify()
        count = len(self.threads) - self.stop_count
        if len(self.queue) > count - self.active_count and count < self._max_threads:
            self.set_thread_count(count + 1)
