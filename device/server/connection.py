"""A phone's connection: receive its requests within their limits, and answer them.

A body is received into a buffer, and discarded once it is too large or there is no room.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from io import BytesIO
from typing import Any, BinaryIO, Protocol

from waitress.buffers import OverflowableBuffer
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import WSGITask
from waitress.utilities import BadRequest

from device.server.limits import AddressShares, ServerLimits

REFUSED_STATUS_KEY = "tongbox.refused"
"""Environment key: the status to refuse the request with, if its body was discarded."""

LONG_ANSWER_KEY = "tongbox.long_answer"
"""Environment key: a function for pages that answer as long as a phone looks, with limits of their
own. After a call, the phone's other requests are answered at the same time."""

LISTEN_KEY = "tongbox.listener"
"""Environment key: a function for pages whose answer goes on without a thread. It takes a callback
for when the phone is gone, and returns a `NewsListener`; None if too many listen already."""

_BODY_READ_KEY = "tongbox.read"
"""Environment key: a function to call when the body was read."""

WsgiPage = Callable[[dict[str, Any], Any], Iterable[bytes]]
"""A WSGI application."""

MaySend = Callable[[str, str, str], int]
"""Returns the limit of a body in bytes, by method, path and Cookie header."""

_MAX_CHUNK_LINE_BYTES = 1000
"""Limit of the line with the length of the next chunk; ten bytes are enough."""

_TOO_LARGE_STATUS, _NO_ROOM_STATUS = 413, 503


class RequestParser(HTTPRequestParser):
    """Parses a request. Its body is kept if it is within the limit and there is room."""

    refused = 0
    """The HTTP status, once the request is refused."""

    def __init__(
        self, adj: Any, *, client: str, may_send: MaySend, parking: AddressShares  # noqa: ANN401
    ) -> None:  # fmt: skip
        super().__init__(adj)
        self._client, self._may_send, self._parking = client, may_send, parking
        self._max_bytes = self._reserved_bytes = 0

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers, and decide whether to keep the body."""
        super().parse_header(header_plus)
        if self.body_rcv is None:
            return
        self._max_bytes = self._may_send(self.command, self.path, self.headers.get("COOKIE", ""))
        # Room for a body of known length is reserved at once, otherwise piece by piece.
        keep = self._take if self.chunked else self._is_kept
        if not self.chunked and not self._take(self.content_length):
            self.headers["CONTENT_LENGTH"] = "0"
        self.body_rcv.buf = RequestBody(keep, self.adj.inbuf_overflow)

    def received(self, data: bytes) -> int:
        """Receive the next bytes; return how many belong to this request."""
        byte_count = int(super().received(data))
        body = self.body_rcv if self.chunked else None
        # waitress does not limit the line between two chunks of a body.
        if body is not None and len(body.control_line) + len(body.trailer) > _MAX_CHUNK_LINE_BYTES:
            self.error = BadRequest("A part of the body begins with no length")
            self.completed = True
        return byte_count

    def close(self) -> None:
        """Discard the body; may be called twice."""
        super().close()
        self.give_back()

    def _take(self, count: int) -> bool:
        if not self.refused:
            if self._reserved_bytes + count > self._max_bytes:
                self.refused = _TOO_LARGE_STATUS
            elif not self._parking.take(self._client, count):
                self.refused = _NO_ROOM_STATUS
            else:
                self._reserved_bytes += count
        if self.refused:
            self.give_back()
        return not self.refused

    def _is_kept(self, _: int) -> bool:
        return not self.refused

    def give_back(self) -> None:
        """Release the reserved room: the body has been read, or never will be."""
        byte_count, self._reserved_bytes = self._reserved_bytes, 0
        if byte_count:
            self._parking.give_back(self._client, byte_count)


def release_body_first(page: WsgiPage) -> WsgiPage:
    """Wrap a page so that the body's room is released before the answer is sent.

    So a phone that has its answer may send the next photograph at once.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
        answer = page(environ, start_response)
        environ[_BODY_READ_KEY]()
        return answer

    return answer


class NewsListener:
    """A phone that keeps listening for news, without a thread; safe to share between threads."""

    def __init__(self, connection: Connection, on_close: Callable[[], None]) -> None:
        self._connection = connection
        self._on_close = on_close
        self._is_left = threading.Lock()
        self.is_chunked: bool | None = None
        """Whether the answer is chunked; None until its beginning has been sent."""

    def tell(self, words: bytes) -> bool:
        """Send more of the answer; return whether that worked: the phone may be slow or gone."""
        line = self._connection
        if self.is_chunked is None or line.total_outbufs_len or line.will_close:
            return False
        try:
            line.write_soon(b"%X\r\n%s\r\n" % (len(words), words) if self.is_chunked else words)
        except ClientDisconnected:
            return False
        return True

    def end(self) -> None:
        """End the answer; the phone may ask again."""
        if self.is_chunked is None or (self.is_chunked and not self.tell(b"")):
            return
        self._connection.close_when_flushed = True
        self._connection.server.pull_trigger()

    def leave(self) -> None:
        """Call `_on_close` once, whoever notices that the phone is gone."""
        if self._is_left.acquire(blocking=False):
            self._on_close()


class ConnectionHost(Protocol):
    """What a connection needs of the server that accepted it."""

    may_send: MaySend
    parking: AddressShares
    """Room for bodies that are on their way."""
    adj: Any
    """The settings of waitress."""
    _map: dict[int, Any]
    """The open sockets by file number."""


class RequestTask(WSGITask):
    """Answers a request, with the page's extra keys in its environment."""

    def finish(self) -> None:
        """End the answer, unless the phone keeps listening."""
        ear: NewsListener | None = self.channel.ear
        if ear is None or not self.wrote_header or len(self.channel.requests) > 1:
            super().finish()
            return
        self.close_on_finish = False
        ear.is_chunked = self.chunked_response

    def get_environment(self) -> dict[str, Any]:
        """Return the WSGI environment."""
        environ: dict[str, Any] = super().get_environment()
        environ[LONG_ANSWER_KEY] = self.channel.stays
        environ[LISTEN_KEY] = self.channel.hears
        environ[_BODY_READ_KEY] = self.request.give_back
        if self.request.refused:
            environ[REFUSED_STATUS_KEY] = self.request.refused
        return environ


class Connection(HTTPChannel):
    """A connection, which belongs to an address."""

    task_class = RequestTask

    def __init__(self, server: ConnectionHost, sock: socket.socket, addr: Any, client: str) -> None:  # noqa: ANN401
        """`client` is the phone's address, `addr` the origin of the connection itself."""
        self.client = client
        self.parser_class = partial(
            RequestParser, client=client, may_send=server.may_send, parking=server.parking
        )
        self._request_start = self._last_heard = time.time()
        self._counts = False
        self.ear: NewsListener | None = None
        super().__init__(server, sock, addr, server.adj, map=server._map)

    def received(self, data: bytes) -> bool:
        """Receive data, and note when a request begins."""
        if self.ear is not None:
            self.will_close = True  # a listener may send nothing
            return False
        before = self.request
        if before is None and not data.strip():
            return False  # blank lines between requests are no request
        self._last_heard = time.time()
        is_received: bool = super().received(data)
        if self.request is not before:
            self._request_start = self._last_heard
        return is_received

    @property
    def is_idle(self) -> bool:
        """Whether no request waits for its answer."""
        return not (self.requests or self.total_outbufs_len or self.ear)

    @property
    def eviction_key(self) -> tuple[bool, float]:
        """Sort key of idle connections: the one whose loss matters least comes first."""
        return self.request is not None, self._last_heard

    def is_overdue(self, current_time: float, limits: ServerLimits) -> bool:
        """Whether the phone has exceeded a time limit."""
        quiet, request_seconds = current_time - self._last_heard, current_time - self._request_start
        if self.requests:  # the phone waits for the box
            return False
        if self.total_outbufs_len:
            return bool(current_time - self.last_activity > limits.idle)
        if self.ear is not None:
            return False
        if self.request is None:
            return quiet > limits.idle
        if not self.request.headers_finished:
            return request_seconds > limits.headers
        return quiet > limits.stall or request_seconds > limits.arriving

    def service(self) -> None:
        """Answer one request, in a thread."""
        self._counts = True
        try:
            super().service()
        finally:
            self._last_heard = time.time()
            self.stays()

    def stays(self) -> None:
        """Let the address's next request begin while this one goes on."""
        if self._counts:
            self._counts = False
            self.server.task_dispatcher.finish_request(self.client)

    def hears(self, on_close: Callable[[], None]) -> NewsListener | None:
        """Let the phone keep listening after its request has been answered."""
        listening: AddressShares = self.server.listening
        if not listening.take(self.client):
            return None

        def close_listener() -> None:
            listening.give_back(self.client)
            on_close()

        self.ear = ear = NewsListener(self, close_listener)
        if not self.connected:  # the phone has gone meanwhile
            ear.leave()
        return ear

    def _flush_some(self, do_close: bool = True) -> bool:
        """Send waiting data under a lock: a listener has no task's thread that does it alone."""
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close))

    def handle_close(self) -> None:
        """Close the connection, and discard an incomplete request."""
        if self.request is not None:
            self.request.close()
        super().handle_close()
        if self.ear is not None:
            self.ear.leave()


class RequestBody:
    """A body that is being received. It is discarded once it may not be kept."""

    def __init__(self, keep: Callable[[int], bool], in_memory: int) -> None:
        """`keep` decides on each piece by its size; bytes above `in_memory` go to a file."""
        self._keep = keep
        self._buffer = OverflowableBuffer(in_memory)

    def append(self, piece: bytes) -> None:
        """Add the next piece."""
        if self._keep(len(piece)):
            self._buffer.append(piece)
        else:
            self.close()

    def getfile(self) -> BinaryIO:
        """Return the body as a file, at its beginning."""
        file: BinaryIO = self._buffer.getfile() if len(self._buffer) else BytesIO()
        return file

    def getbuf(self) -> RequestBody:
        """Return the buffer that waitress closes."""
        return self

    def close(self) -> None:
        """Discard the body."""
        if len(self._buffer):
            self._buffer.close()
            self._buffer = OverflowableBuffer(0)

    def __len__(self) -> int:
        return len(self._buffer)
