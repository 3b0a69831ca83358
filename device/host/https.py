"""Serve the page by HTTPS as well, through a proxy with the box's own certificate.

The page's server has no TLS. The proxy decrypts each phone's connection and passes it on to the
server through a connection of its own. The port of that connection tells the server which phone it
is. All phones share one thread, and a phone that hangs does not block others.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from device.host.certificate import Certificate, CertificateError
from device.server.connection import WsgiPage
from device.server.server import peer_address

HANDSHAKE_TIMEOUT_S = 10.0
"""Limit for the TLS handshake: a phone on a weak Wi-Fi takes two or three seconds."""

MAX_CONNECTIONS, MAX_ADDRESS_CONNECTIONS = 512, 64
"""Connections in all, and of one address. When all are taken, the address with the most connections
loses the one that was quiet longest, as without HTTPS (`device.server.limits`)."""

_OUT_OF_FILES_PAUSE_S = 1.0
"""Pause when the system does not let the box open more files."""

RENEWAL_CHECK_S = 24 * 3600.0
"""Seconds between two looks at the certificate's end."""

_READ_CHUNK_BYTES = 2**16
"""Bytes passed on at once."""

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _PhoneLine:
    """A phone's connection."""

    address: str
    last_heard: float
    """When data was last passed on, by the loop's clock."""


class HttpsProxy:
    """The HTTPS proxy. Raises ssl.SSLError for an invalid certificate."""

    def __init__(
        self,
        listener: socket.socket,
        plain: tuple[str, int],
        certificate: Certificate,
        renew: Callable[[], Certificate] | None = None,
    ) -> None:
        """Listen on a socket; `plain` is where the page's own server is reached.

        `renew` returns the certificate once a day, after renewing it if it ends soon.
        """
        self._plain = plain
        self._listener = listener
        self._renew = renew or (lambda: certificate)
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate.server)
        self._phones: dict[tuple[str, int], str] = {}
        """Addresses of phones, by the address and port of the proxy's own connections."""
        self._open: dict[_PhoneLine, asyncio.Task[None]] = {}
        self._counts = Counter[str]()
        """Number of open connections of each address."""
        self._loop = asyncio.new_event_loop()
        self._closing = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="https")

    @property
    def port(self) -> int:
        """The port for phones."""
        return int(self._listener.getsockname()[1])

    def open(self) -> None:
        """Accept connections in a thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop accepting, and end all connections."""
        self._loop.call_soon_threadsafe(self._closing.set_result, None)
        self._thread.join()

    def phone_of(self, peer: tuple[str, int]) -> str:
        """Return the phone's address for a connection to the server, through the proxy or not."""
        return self._phones.get(peer, peer[0])

    def with_phone_address(self, page: WsgiPage) -> WsgiPage:
        """Wrap the page so that it sees the addresses of phones instead of the proxy's."""

        def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
            peer = (environ["REMOTE_ADDR"], int(environ["REMOTE_PORT"]))
            if phone := self._phones.get(peer):
                environ |= {"REMOTE_ADDR": phone, "wsgi.url_scheme": "https"}
            return page(environ, start_response)

        return answer

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())  # cancels all other tasks at the end

    async def _serve(self) -> None:
        self._listener.setblocking(False)
        tasks = [asyncio.create_task(each) for each in (self._accept(), self._renew_daily())]
        await self._closing
        for task in tasks:
            task.cancel()
        self._listener.close()

    async def _renew_daily(self) -> None:
        """Use the renewed certificate for all later connections."""
        while True:
            await asyncio.sleep(RENEWAL_CHECK_S)
            try:
                certificate = await asyncio.to_thread(self._renew)
                self._context.load_cert_chain(certificate.server)
            except (CertificateError, OSError) as error:
                _log.error("Cannot renew the certificate for HTTPS: %s", error)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(self._listener)
            except OSError:
                await asyncio.sleep(_OUT_OF_FILES_PAUSE_S)
                continue
            address = peer_address(peer)
            if self._has_room(address):
                line = _PhoneLine(address, loop.time())
                self._open[line] = loop.create_task(self._let_in(connection, line))
                self._counts[address] += 1
                self._open[line].add_done_callback(partial(self._forget_line, line))
            else:
                connection.close()
            await asyncio.sleep(0)  # let open connections run too

    def _has_room(self, address: str) -> bool:
        """Whether an address may open a connection, after making room if all are taken."""
        if self._counts[address] >= MAX_ADDRESS_CONNECTIONS:
            return False
        if len(self._open) >= MAX_CONNECTIONS:
            greedy = max(self._counts, key=self._counts.__getitem__)
            quiet = min(
                (line for line in self._open if line.address == greedy),
                key=lambda line: line.last_heard,
            )
            self._open[quiet].cancel()
            self._let_go(quiet)
        return True

    def _forget_line(self, line: _PhoneLine, _: asyncio.Task[None]) -> None:
        if line in self._open:  # not closed to make room
            self._let_go(line)

    def _let_go(self, line: _PhoneLine) -> None:
        del self._open[line]
        self._counts[line.address] -= 1
        if not self._counts[line.address]:
            del self._counts[line.address]

    async def _let_in(self, connection: socket.socket, line: _PhoneLine) -> None:
        with suppress(OSError):  # the handshake failed, or the proxy is being closed
            phone, to_phone = await self._shake_hands(connection)
            try:
                await self._lead_on(phone, to_phone, line)
            finally:
                to_phone.transport.abort()  # closed already unless cancelled

    async def _lead_on(
        self, phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter, line: _PhoneLine
    ) -> None:
        """Pass data on between a phone and the page's server. Raises OSError."""
        family = socket.AF_INET6 if ":" in self._plain[0] else socket.AF_INET
        inner_socket = socket.socket(family)
        inner_socket.setblocking(False)
        inner_socket.bind((self._plain[0], 0))
        peer = inner_socket.getsockname()[:2]
        # Registered before connecting, because the server asks at once whose connection it is.
        self._phones[peer] = line.address
        try:
            await asyncio.get_running_loop().sock_connect(inner_socket, self._plain)
            page, to_page = await asyncio.open_connection(sock=inner_socket)
            try:
                await asyncio.gather(_pass_on(phone, to_page, line), _pass_on(page, to_phone, line))
            finally:
                to_page.transport.abort()
        finally:
            del self._phones[peer]
            inner_socket.close()

    async def _shake_hands(
        self, line: socket.socket
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Do the TLS handshake with a phone. Raises OSError."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(_READ_CHUNK_BYTES, loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            line,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE_TIMEOUT_S,
            ssl_shutdown_timeout=HANDSHAKE_TIMEOUT_S,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _pass_on(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, line: _PhoneLine
) -> None:
    """Pass data on, no faster than it is accepted; at the end, close the target."""
    try:
        with suppress(OSError):  # either end may close at any time
            while piece := await source.read(_READ_CHUNK_BYTES):
                line.last_heard = asyncio.get_running_loop().time()
                target.write(piece)
                await target.drain()
    finally:
        target.close()
