"""A network between a phone and its box that fails: the box is away, or its answer is lost."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Outage:
    """A proxy in front of a box."""

    def __init__(self, box: str) -> None:
        self._box = (urlsplit(box).hostname or "", urlsplit(box).port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.is_away = False
        self.loses_answer = False
        """The next POST reaches the box. Its answer is lost, and the box is away from then on."""
        self.cuts_scripts = False
        """What scripts POST never reaches the box; what the browser itself does, does."""
        self._unheard: tuple[socket.socket, ...] = ()
        """Phone and box of that POST, which may come in pieces: until it is answered all pass."""
        self._open: list[socket.socket] = []

    def fail(self) -> None:
        """Be away, for what is being answered too."""
        self.is_away = True
        for each in self._open:
            if each not in self._unheard:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def serve(self) -> None:
        """Pass connections on until `close`."""
        with suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(phone,), daemon=True).start()

    def close(self) -> None:
        self.fail()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pass_on(self, phone: socket.socket) -> None:
        with phone, suppress(OSError):
            if self.is_away:
                return
            with socket.create_connection(self._box) as box:
                self._open += [phone, box]
                back = threading.Thread(target=self._answer, args=(box, phone), daemon=True)
                back.start()
                self._copy(phone, box)
                back.join()

    def _copy(self, phone: socket.socket, box: socket.socket) -> None:
        while data := phone.recv(65536):
            if data.startswith(b"POST ") and self.cuts_scripts and b"text/html" not in data:
                box.shutdown(socket.SHUT_RDWR)
                return
            if data.startswith(b"POST ") and self.loses_answer:
                self.loses_answer, self.is_away, self._unheard = False, True, (phone, box)
            box.sendall(data)

    def _answer(self, box: socket.socket, phone: socket.socket) -> None:
        with suppress(OSError):
            while data := box.recv(65536):
                if self.is_away:
                    if box in self._unheard:
                        self._unheard = ()
                    self.fail()
                    return
                phone.sendall(data)
        with suppress(OSError):
            phone.shutdown(socket.SHUT_RDWR)


@contextmanager
def outage(box: str) -> Iterator[Outage]:
    """Give a network in front of a box that can fail."""
    network = Outage(box)
    thread = threading.Thread(target=network.serve)
    thread.start()
    try:
        yield network
    finally:
        network.close()
        thread.join()
