"""A network between a phone and its box that fails: the box is away, or its answer is lost."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from urllib.parse import urlsplit


class Cut(Enum):
    """Where a connection is cut."""

    BEFORE = "before the box has the POST"
    NO_ANSWER = "before the answer"
    IN_THE_ANSWER = "in the answer's first line"
    IN_THE_ADDRESS = "in the address to which it leads"
    AFTER = "after the answer"

    def pass_bytes(self, answer: bytes) -> bytes:
        """Return what reaches the phone of an answer."""
        address = answer.find(b"X-Address")
        ends = {
            Cut.NO_ANSWER: 0,
            Cut.IN_THE_ANSWER: 20,
            Cut.IN_THE_ADDRESS: max(20, address + 15),
            Cut.AFTER: len(answer),
        }
        return answer[: ends[self]]


@dataclass(frozen=True)
class Delay:
    """Requests that wait: those by GET whose address begins so."""

    path: bytes
    arrived: threading.Event = field(default_factory=threading.Event)
    """Such a request has come."""
    over: threading.Event = field(default_factory=threading.Event)


class Outage:
    """A proxy in front of a box."""

    def __init__(self, box: str) -> None:
        self._box = (urlsplit(box).hostname or "", urlsplit(box).port or 0)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.is_away = False
        self.cut: Cut | None = None
        """Where the connection is cut at the next POST; the box is away from then on."""
        self.cut_path = ""
        """What the address of that POST ends with."""
        self.cuts_scripts = False
        """What scripts POST never reaches the box; what the browser itself does, does."""
        self.delays: list[Delay] = []
        self._unheard: tuple[socket.socket, ...] = ()
        """Phone and box of that POST, which may come in pieces: until it is answered all pass."""
        self._cutting = Cut.BEFORE
        """Where it is cut."""
        self._open: list[socket.socket] = []

    def fail(self) -> None:
        """Be away, for what is being answered too."""
        self.is_away = True
        for connection in self._open:
            if connection not in self._unheard:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def serve(self) -> None:
        """Pass connections on until `close`."""
        with suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(phone,), daemon=True).start()

    def close(self) -> None:
        for delay in self.delays:
            delay.over.set()
        self.fail()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pass_on(self, phone: socket.socket) -> None:
        with phone, suppress(OSError):
            if self.is_away:
                return
            with socket.create_connection(self._box) as box:
                self._open += [phone, box]
                answer_thread = threading.Thread(
                    target=self._answer, args=(box, phone), daemon=True
                )
                answer_thread.start()
                self._copy(phone, box)
                answer_thread.join()

    def _copy(self, phone: socket.socket, box: socket.socket) -> None:
        while data := phone.recv(65536):
            if data.startswith(b"POST ") and self.cuts_scripts and b"text/html" not in data:
                box.shutdown(socket.SHUT_RDWR)
                return
            for delay in self.delays:
                if data.startswith(b"GET " + delay.path):
                    delay.arrived.set()
                    delay.over.wait()
            if self.cut is not None and is_post_to(data, self.cut_path):
                self._cutting, self.cut, self.is_away = self.cut, None, True
                if self._cutting == Cut.BEFORE:
                    self.fail()
                    return
                self._unheard = (phone, box)
            box.sendall(data)

    def _answer(self, box: socket.socket, phone: socket.socket) -> None:
        with suppress(OSError):
            while data := box.recv(65536):
                if self.is_away:
                    if box in self._unheard:
                        self._unheard = ()
                        phone.sendall(self._cutting.pass_bytes(data))
                    self.fail()
                    return
                phone.sendall(data)
        with suppress(OSError):
            phone.shutdown(socket.SHUT_RDWR)


def is_post_to(data: bytes, path: str) -> bool:
    """Whether data begins a POST to an address that ends so."""
    line = data.partition(b"\r\n")[0].decode("latin-1")
    return line.startswith("POST ") and line.split(" ")[1].partition("?")[0].endswith(path)


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
