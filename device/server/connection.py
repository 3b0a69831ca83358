"""A phone's connection: what it asks is read here, and no more of it than may be sent."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import WSGITask
from waitress.utilities import BadRequest

from device.server.body import Body
from device.server.limits import Limits
from device.server.shares import Shares

if TYPE_CHECKING:
    from device.server.server import Server

REFUSED = "tongbox.refused"
"""In a request's environment: the status to refuse it with, where its body was thrown away."""

STAYS = "tongbox.stays"
"""In a request's environment: what a page calls that answers for as long as a phone looks at it,
and limits that itself. The phone's other requests are then answered beside it."""

HEARS = "tongbox.hears"
"""In a request's environment: what a page calls whose answer goes on after the thread is done with
it. It takes what is called once the phone is gone, and returns an `Ear`; None where too many
listen already."""

_READ = "tongbox.read"
"""In a request's environment: called when its body was read."""

WsgiPage = Callable[[dict[str, Any], Any], Iterable[bytes]]
"""A WSGI application."""

MaySend = Callable[[str, str, str], int]
"""Returns how many bytes of a body are taken, by method, path and the Cookie header."""

_LONGEST_LINE = 1000
"""Bytes that say how long the next part of a body is; ten are enough."""

_TOO_LARGE, _NO_ROOM = 413, 503


class Arriving(HTTPRequestParser):
    """A request as it comes. Its body is kept if it may be sent and there is room for it."""

    refused = 0
    """The status, once it is refused."""

    def __init__(
        self, adj: Any, *, client: str, may_send: MaySend, parking: Shares  # noqa: ANN401
    ) -> None:  # fmt: skip
        super().__init__(adj)
        self._client, self._may_send, self._parking = client, may_send, parking
        self._most = self._taken = 0

    def parse_header(self, header_plus: bytes) -> None:
        """Read the headers, and decide on the body before any of it is kept."""
        super().parse_header(header_plus)
        if self.body_rcv is None:
            return
        self._most = self._may_send(self.command, self.path, self.headers.get("COOKIE", ""))
        # Room for a body whose length is known is taken at once, else piece by piece.
        keep = self._take if self.chunked else self._is_kept
        if not self.chunked and not self._take(self.content_length):
            self.headers["CONTENT_LENGTH"] = "0"
        self.body_rcv.buf = Body(keep, self.adj.inbuf_overflow)

    def received(self, data: bytes) -> int:
        """Take the next bytes; return how many of them are this request's."""
        took = int(super().received(data))
        body = self.body_rcv if self.chunked else None
        # Between two parts of a body, waitress keeps a line for as long as it goes on.
        if body is not None and len(body.control_line) + len(body.trailer) > _LONGEST_LINE:
            self.error = BadRequest("A part of the body begins with no length")
            self.completed = True
        return took

    def close(self) -> None:
        """Throw the body away; no harm if that is done twice."""
        super().close()
        self.give_back()

    def _take(self, count: int) -> bool:
        if not self.refused:
            if self._taken + count > self._most:
                self.refused = _TOO_LARGE
            elif not self._parking.take(self._client, count):
                self.refused = _NO_ROOM
            else:
                self._taken += count
        if self.refused:
            self.give_back()
        return not self.refused

    def _is_kept(self, _: int) -> bool:
        return not self.refused

    def give_back(self) -> None:
        """Give back its share: the body has been read, or nobody will."""
        taken, self._taken = self._taken, 0
        if taken:
            self._parking.give_back(self._client, taken)


def giving_back(page: WsgiPage) -> WsgiPage:
    """Return the page; before any of its answer is sent, the body's share is given back.

    So a phone that has its answer may send the next photograph at once.
    """

    def answered(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
        answer = page(environ, start_response)
        environ[_READ]()
        return answer

    return answered


class Ear:
    """A phone that goes on listening, without a thread; safe to share between threads."""

    def __init__(self, connection: Connection, when_gone: Callable[[], None]) -> None:
        self._connection = connection
        self._when_gone = when_gone
        self._is_left = threading.Lock()
        self.chunked: bool | None = None
        """How its answer is written; None until the beginning has been said."""

    def tell(self, words: bytes) -> bool:
        """Say more; return whether it could be said: the phone may be slow, or gone."""
        line = self._connection
        if self.chunked is None or line.total_outbufs_len or line.will_close:
            return False
        try:
            line.write_soon(b"%X\r\n%s\r\n" % (len(words), words) if self.chunked else words)
        except ClientDisconnected:
            return False
        return True

    def end(self) -> None:
        """Say that this was all; the phone may ask anew."""
        if self.chunked is None or (self.chunked and not self.tell(b"")):
            return
        self._connection.close_when_flushed = True
        self._connection.server.pull_trigger()

    def leave(self) -> None:
        """Tell once that the phone is gone, whoever finds out."""
        if self._is_left.acquire(blocking=False):
            self._when_gone()


class RequestTask(WSGITask):
    """The answer to a request; the page is told of one that is refused."""

    def finish(self) -> None:
        """End the answer, unless the phone goes on listening."""
        ear: Ear | None = self.channel.ear
        if ear is None or not self.wrote_header or len(self.channel.requests) > 1:
            super().finish()
            return
        self.close_on_finish = False
        ear.chunked = self.chunked_response

    def get_environment(self) -> dict[str, Any]:
        """Return what the page is told."""
        environ: dict[str, Any] = super().get_environment()
        environ[STAYS] = self.channel.stays
        environ[HEARS] = self.channel.hears
        environ[_READ] = self.request.give_back
        if self.request.refused:
            environ[REFUSED] = self.request.refused
        return environ


class Connection(HTTPChannel):
    """A connection of an address."""

    task_class = RequestTask

    def __init__(self, server: Server, sock: socket.socket, addr: Any, client: str) -> None:  # noqa: ANN401
        """`client` is the phone's address, `addr` where the connection itself comes from."""
        self.client = client
        self.parser_class = partial(
            Arriving, client=client, may_send=server.may_send, parking=server.parking
        )
        self._begun = self._heard = time.time()
        self._counts = False
        self.ear: Ear | None = None
        super().__init__(server, sock, addr, server.adj, map=server._map)

    def received(self, data: bytes) -> bool:
        """Take what came, and note when a request begins."""
        if self.ear is not None:
            self.will_close = True  # it listens, and has nothing to say
            return False
        before = self.request
        if before is None and not data.strip():
            return False  # blank lines between requests: whoever sends them asks nothing
        self._heard = time.time()
        took: bool = super().received(data)
        if self.request is not before:
            self._begun = self._heard
        return took

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked on it that is yet to be answered."""
        return not (self.requests or self.total_outbufs_len or self.ear)

    @property
    def for_long(self) -> tuple[bool, float]:
        """Sorts idle connections: that whose loss matters least comes first."""
        return self.request is not None, self._heard

    def is_overdue(self, now: float, limits: Limits) -> bool:
        """Whether the phone has had time enough for what it is to do."""
        quiet, since = now - self._heard, now - self._begun
        if self.requests:  # it waits for the box
            return False
        if self.total_outbufs_len:
            return bool(now - self.last_activity > limits.idle)
        if self.ear is not None:
            return False
        if self.request is None:
            return quiet > limits.idle
        if not self.request.headers_finished:
            return since > limits.headers
        return quiet > limits.stall or since > limits.arriving

    def service(self) -> None:
        """Answer one request, in a thread."""
        self._counts = True
        try:
            super().service()
        finally:
            self._heard = time.time()
            self.stays()

    def stays(self) -> None:
        """Let the address's next request begin, though this one goes on."""
        if self._counts:
            self._counts = False
            self.server.task_dispatcher.done(self.client)

    def hears(self, when_gone: Callable[[], None]) -> Ear | None:
        """Let the phone go on listening when its request has been answered."""
        listening: Shares = self.server.listening
        if not listening.take(self.client):
            return None

        def gone() -> None:
            listening.give_back(self.client)
            when_gone()

        self.ear = ear = Ear(self, gone)
        if not self.connected:  # it went while it was asked for
            ear.leave()
        return ear

    def _flush_some(self, do_close: bool = True) -> bool:
        """Send what waits, alone: where a phone listens, that is no task's thread as elsewhere."""
        with self.outbuf_lock:
            return bool(super()._flush_some(do_close))

    def handle_close(self) -> None:
        """Close it, and what came of a request that will not be whole."""
        if self.request is not None:
            self.request.close()
        super().handle_close()
        if self.ear is not None:
            self.ear.leave()
