"""The server: accepts connections by address, closes overdue ones, and runs until interrupted.

Requests go to threads in turn by address, with a limit for each address. Garbage collection is made
rare, because all phones wait during a collection.
"""

from __future__ import annotations

import gc
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from device.server.connection import Connection, MaySend, WsgiPage, release_body_first
from device.server.limits import AddressShares, ServerLimits


class QueuedTask(Protocol):
    """A request that waits for a thread."""

    @property
    def client(self) -> str:
        """The address that the request comes from."""


class FairQueue:
    """A queue in which an address with many requests delays only itself."""

    def __init__(self, max_per_address: int) -> None:
        """Allow `max_per_address` requests of an address at the same time."""
        self._max_per_address = max_per_address
        # In the order of their turns.
        self._tasks_by_address: dict[str, deque[QueuedTask]] = {}
        self.under_way: Counter[str] = Counter()

    def append(self, task: QueuedTask) -> None:
        """Add a request."""
        self._tasks_by_address.setdefault(task.client, deque()).append(task)

    def popleft(self) -> QueuedTask:
        """Return the next request, which begins now; raise IndexError without one."""
        client = next(self._ready(), None)
        if client is None:
            raise IndexError("no request may begin")
        tasks = self._tasks_by_address.pop(client)
        task = tasks.popleft()
        if tasks:
            self._tasks_by_address[client] = tasks  # behind all others
        self.under_way[client] += 1
        return task

    def finish_request(self, client: str) -> None:
        """End a request of an address."""
        self.under_way[client] -= 1
        if not self.under_way[client]:
            del self.under_way[client]

    def __len__(self) -> int:
        """Return how many requests may begin."""
        return sum(
            min(len(self._tasks_by_address[client]), self._max_per_address - self.under_way[client])
            for client in self._ready()
        )

    def __bool__(self) -> bool:
        """Whether a request may begin."""
        return next(self._ready(), None) is not None

    def _ready(self) -> Iterator[str]:
        return (
            client
            for client in self._tasks_by_address
            if self.under_way[client] < self._max_per_address
        )


class FairDispatcher(ThreadedTaskDispatcher):
    """Gives threads to requests in turn. A thread is started when all others are busy."""

    def __init__(self, max_threads: int, max_per_address: int) -> None:
        super().__init__()
        # Reentrant, so that counting the threads and starting one is a single step.
        self.lock = threading.RLock()
        self.queue_cv = threading.Condition(self.lock)
        self.thread_exit_cv = threading.Condition(self.lock)
        self.queue = FairQueue(max_per_address)
        self._max_threads = max_threads

    def add_task(self, task: QueuedTask) -> None:
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


MAINTENANCE_INTERVAL_S = 2
"""Seconds between two searches for overdue connections."""

SHUTDOWN_GRACE_S = 1.0
"""Seconds to finish an answer when the server is stopped."""

ClientOf = Callable[[tuple[str, int]], str]
"""Returns the phone's address for the address and port that a connection comes from."""


_MAPPED_PREFIX = "::ffff:"
"""Beginning of the address of an IPv4 phone that reaches a listener by IPv6."""


def peer_address(address: tuple[Any, ...]) -> str:
    """Return the address that a connection comes from, which is the phone's without a proxy."""
    return str(address[0]).removeprefix(_MAPPED_PREFIX)


class Server(TcpWSGIServer):
    """Answers phones on one port; `run` does so until interrupted."""

    def __init__(
        self,
        page: WsgiPage,
        listener: socket.socket,
        limits: ServerLimits,
        may_send: MaySend,
        client_of: ClientOf = peer_address,
    ) -> None:
        """`page` is a WSGI application; `listener` is bound."""
        self._is_stop_requested = threading.Event()
        self.limits, self.may_send, self.client_of = limits, may_send, client_of
        self.parking = AddressShares(limits.max_parked_bytes, limits.parked_per_address)
        max_listeners = min(limits.listeners, limits.connections // 2)
        self.listening = AddressShares(max_listeners, limits.listeners_per_address)
        adjustments = Adjustments(
            sockets=[listener],
            ident=None,
            max_request_header_size=limits.header_bytes,
            max_request_body_size=limits.body_read,
            recv_bytes=2**16,
            outbuf_high_watermark=limits.max_unsent_bytes,
            channel_request_lookahead=1,  # notices a phone that is gone while it is answered
            connection_limit=2**31,  # see `channel_class`
            cleanup_interval=MAINTENANCE_INTERVAL_S,
            asyncore_use_poll=True,  # select() knows no more than 1024 files
            log_socket_errors=False,  # phones disappear all the time
        )
        super().__init__(
            release_body_first(page),
            {},
            _sock=listener,
            dispatcher=FairDispatcher(limits.threads, limits.threads_per_address),
            adj=adjustments,
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )

    def channel_class(
        self, _: Server, sock: socket.socket, addr: tuple[str, int], *__: Any, **___: Any  # noqa: ANN401
    ) -> None:  # fmt: skip
        """Accept a connection if its address may have one more. waitress calls this for each."""
        addr = (peer_address(addr), addr[1])
        client = self.client_of(addr)
        if self._has_room(client):
            Connection(self, sock, addr, client)
        else:
            sock.close()

    def maintenance(self, moment: float) -> None:
        """Close overdue connections, and those that ask and do not read."""
        open_now = self._open()
        for connection in open_now:
            if connection.is_overdue(moment, self.limits):
                connection.handle_close()
        unsent_bytes: Counter[str] = Counter()
        for connection in sorted(
            open_now, key=lambda connection: connection.last_activity, reverse=True
        ):
            unsent_bytes[connection.client] += connection.total_outbufs_len
            if (
                connection.total_outbufs_len
                and unsent_bytes[connection.client] > self.limits.unsent_per_address
            ):
                connection.handle_close()

    def stop(self) -> None:
        """Give current answers a moment to end; then close all connections."""
        ends = time.monotonic() + SHUTDOWN_GRACE_S
        self.task_dispatcher.stop()
        while self.task_dispatcher.threads and time.monotonic() < ends:
            time.sleep(0.02)
        for each in self._open():
            each.handle_close()
        self.task_dispatcher.shutdown()
        self.asyncore.close_all(self._map)

    def request_stop(self) -> None:
        """Let `run` end, from any thread."""
        self._is_stop_requested.set()
        self.pull_trigger()

    def run(self) -> None:
        """Answer until interrupted, or until a stop is requested."""
        adj = self.adj
        timeout, uses_poll = adj.asyncore_loop_timeout, adj.asyncore_use_poll
        try:
            while self._map and not self._is_stop_requested.is_set():
                self.asyncore.loop(timeout, uses_poll, self._map, count=1)
        except (SystemExit, KeyboardInterrupt):
            pass
        finally:
            self.stop()

    def _open(self) -> tuple[Connection, ...]:
        return tuple(self.active_channels.values())

    def _has_room(self, client: str) -> bool:
        """Whether an address may open a connection, after closing an idle one if necessary."""
        open_now = self._open()
        own_connections = [each for each in open_now if each.client == client]
        if len(own_connections) >= self.limits.connections_per_address:
            return _let_go(own_connections)
        if len(open_now) < self.limits.connections:
            return True
        counts = Counter(each.client for each in open_now)
        return any(
            _let_go(each for each in open_now if each.client == greedy)
            for greedy, _ in counts.most_common()
        )


def _let_go(connections: Iterable[Connection]) -> bool:
    """Close one idle connection of these; return whether there was one."""
    idle = [connection for connection in connections if connection.is_idle]
    if idle:
        min(idle, key=lambda connection: connection.eviction_key).handle_close()
    return bool(idle)


COLLECTION_THRESHOLDS = (10_000, 10, 10)
"""New objects before the youngest generation is collected; then collections before the next."""


def collect_less_often() -> None:
    """Collect garbage less often than by default.

    By default, a correction in a long match makes Python scan everything that the box remembers,
    while all phones wait. Unused objects are still freed at once; only reference cycles wait.
    """
    gc.set_threshold(*COLLECTION_THRESHOLDS)


def freeze_objects() -> None:
    """Exclude all present objects from garbage collection."""
    gc.collect()
    gc.freeze()
