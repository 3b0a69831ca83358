"""A process that starts while its store cannot be used: how soon it tries again, and phones do."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import pytest

from device.doctor import Machine
from device.store import DiskFullError, StoreError, UnwritableError
from device.store.errors import UnreachableError
from device.web import storage_outage
from tests.device.page import Page


@pytest.mark.parametrize(
    ("reason", "waits", "looks", "why"),
    [
        (UnreachableError("gone"), 0.5, 2, "a database may be back at once: nobody is stale long"),
        (DiskFullError(), 10.0, 10, "somebody has to do something first"),
        (UnwritableError("a card"), 10.0, 10, "and so here"),
    ],
)
def test_how_soon_it_is_tried_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reason: StoreError,
    waits: float,
    looks: int,
    why: str,
) -> None:
    waited, machine = [], Machine(tmp_path)
    troubles = [reason] * 3

    def opening() -> str:
        if troubles:
            raise troubles.pop()
        return "open"

    monkeypatch.setattr(storage_outage, "_serve_for", lambda _, seconds: waited.append(seconds))
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        assert storage_outage.open_with_retries(opening, listener, machine) == "open"
    assert waited == [waits] * 3, why
    page = storage_outage.create_outage_app(lambda: reason, machine).test_client().get("/table/")
    assert Page(page.text).all(f'meta[http-equiv="refresh"][content="{looks}"]')
