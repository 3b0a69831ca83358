"""HTTPS in front of the page, for who wants it: a door beside the plain one, to the same page.

The page's server speaks no TLS. So what comes through this door is passed on to it, byte by byte,
on a connection of its own; which phone that is, and that it came by HTTPS, is told beside it, by
the number of the connection's port. All phones share one thread, and one that hangs holds up none.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from device.host.address import LOOPBACK
from device.host.certificate import Certificate

HANDSHAKE = 10.0
"""Seconds for a phone to agree on a key: a phone on a weak Wi-Fi takes two or three."""

_PIECE = 2**16
"""Bytes passed on at a time."""

_EVERYWHERE = "0.0.0.0"  # noqa: S104

WsgiPage = Callable[[dict[str, Any], Any], Iterable[bytes]]
"""A WSGI application."""


class Door:
    """The door for HTTPS. Raises ssl.SSLError for a certificate that is none."""

    def __init__(
        self, listener: socket.socket, plain: tuple[str, int], certificate: Certificate
    ) -> None:
        """Listen on a socket; `plain` is where the page's own server listens."""
        host, port = plain
        self._plain = (LOOPBACK if host == _EVERYWHERE else host, port)
        self._listener = listener
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate.chain, certificate.key)
        self._phones: dict[tuple[str, str], str] = {}
        """Addresses of phones, by the address and the port from which their words are passed on."""
        self._loop = asyncio.new_event_loop()
        self._closing = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="https")

    @property
    def port(self) -> int:
        """Where phones knock."""
        return int(self._listener.getsockname()[1])

    def open(self) -> None:
        """Let phones in, in a thread of its own."""
        self._thread.start()

    def close(self) -> None:
        """Let no phone in any more, and end what is under way."""
        self._loop.call_soon_threadsafe(self._closing.set_result, None)
        self._thread.join()

    def telling(self, page: WsgiPage) -> WsgiPage:
        """Return the page, told of phones that come by this door what they are."""

        def marked(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:  # noqa: ANN401
            came_from = (environ["REMOTE_ADDR"], environ["REMOTE_PORT"])
            if phone := self._phones.get(came_from):
                environ |= {"REMOTE_ADDR": phone, "wsgi.url_scheme": "https"}
            return page(environ, start_response)

        return marked

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())  # and, at the end, stops what is under way

    async def _serve(self) -> None:
        server = await asyncio.start_server(
            self._let_in, sock=self._listener, ssl=self._context, ssl_handshake_timeout=HANDSHAKE
        )
        await self._closing
        server.close()

    async def _let_in(self, phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter) -> None:
        try:
            page, to_page = await asyncio.open_connection(*self._plain)
        except OSError:  # the page is being closed
            to_phone.transport.abort()
            return
        address, port = to_page.get_extra_info("sockname")
        came_from = (address, str(port))
        self._phones[came_from] = to_phone.get_extra_info("peername")[0]
        try:
            await asyncio.gather(_pass_on(phone, to_page), _pass_on(page, to_phone))
        finally:
            del self._phones[came_from]
            for end in (to_phone, to_page):
                end.transport.abort()  # both are closed, unless this was cancelled


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Pass on what comes, no faster than it is taken; then close what it was passed to."""
    try:
        with suppress(OSError):  # either end may go at any time
            while piece := await source.read(_PIECE):
                target.write(piece)
                await target.drain()
    finally:
        target.close()
