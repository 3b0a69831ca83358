"""A phone that listens for news, without a server: what it was told, one message after another."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue

from flask import Flask
from flask.testing import FlaskClient

from device.server.connection import LISTEN_KEY
from device.store import Store
from device.web.contexts import find_context
from device.web.news import ALL_TABLES, Newsroom

PATIENCE = 10


class Phone:
    """An ear that keeps what it is told."""

    def __init__(self) -> None:
        self._messages = SimpleQueue[str]()
        self.leave: Callable[[], None] = lambda: None
        """Hang up."""
        self.slow = False
        """It takes nothing more."""

    def hears(self, on_end: Callable[[], None]) -> Phone:
        """Begin to listen."""
        self.leave = on_end
        return self

    def tell(self, words: bytes) -> bool:
        """Keep what is said."""
        if not self.slow:
            self._messages.put(words.decode())
        return not self.slow

    def end(self) -> None:
        """Be told that this was all, as by a line that is hung up."""
        self._messages.put("")
        self.leave()

    def next(self) -> str:
        """Return what it is told next."""
        return self._messages.get(timeout=PATIENCE)

    @property
    def has_heard(self) -> bool:
        """Whether there is something that was not looked at yet."""
        return not self._messages.empty()


def listening(room: Newsroom, table: str = ALL_TABLES) -> Phone:
    """Return a phone that listens, and was told how things are."""
    phone = Phone()
    phone.tell((room.listen(table, phone.hears) or "refused").encode())
    return phone


def listening_at(client: FlaskClient, address: str = "/news/") -> Phone:
    """Return a phone that listens by the page."""
    phone = Phone()
    answer = client.get(address, environ_overrides={LISTEN_KEY: phone.hears})
    assert answer.status_code == 200
    phone.tell(answer.data)
    return phone


def newsroom(
    store: Store,
    box_state: Callable[[], str] = lambda: "",
    changes: Callable[[], int] = lambda: 0,
) -> Newsroom:
    """Return where the news of a store alone are told."""
    return Newsroom(store, box_state, changes)


def news_of(app: Flask) -> Newsroom:
    """Return where a box tells its news."""
    return find_context(Newsroom, app)
