"""An evening at the table, played by the pages that phones ask for: what a real log holds."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask.testing import FlaskClient

from device.jobs import PhotoQueue
from device.services import open_services
from device.store import Store
from device.web import Box, create_app
from tests.device.fake_reader import FakeReader, picture
from tests.device.shared_decoder import DECODER

PLAYERS = ("Ann", "Bob", "Cy", "Di")

_FORM = {f"player{seat}": name for seat, name in enumerate(PLAYERS)} | {
    "ruleset": "bmja", "limit": "1000", "house-bmja": "clean_hand",
}  # fmt: skip


@contextmanager
def box(folder: Path) -> Iterator[tuple[FlaskClient, PhotoQueue]]:
    """Give a phone that asks a box with its hands in a folder, and the box's worker."""
    store = Store(folder, reserve=0)
    services = open_services(store, FakeReader(), DECODER)
    try:
        yield create_app(Box(services)).test_client(), services.jobs
    finally:
        services.close()
        store.close()


def play(
    folder: Path, deals: int = 4, *, end: bool = False, plug_pulled: Path | None = None
) -> None:
    """Play a match of so many deals, each with four photographs that are read and said right.

    `plug_pulled` is where the folder is copied while the box still runs.
    """
    with box(folder) as (phone, _):
        _post(phone, "/match/new", **_FORM)
    play_on(folder, deals, plug_pulled=plug_pulled)
    if end:
        with box(folder) as (phone, _):
            _post(phone, "/table/end")


def play_on(folder: Path, deals: int, *, plug_pulled: Path | None = None) -> None:
    """Play so many more deals of the match that is on the table."""
    with box(folder) as (phone, jobs):
        for deal in range(deals):
            address = _post(phone, "/table/winner", who=str(deal % 4), won_by="wall")
            while "/hand/" in address:
                address = _give_in(phone, jobs, address, deal)
            _post(phone, "/table/settle")
        if plug_pulled:
            shutil.copytree(folder, plug_pulled, ignore=shutil.ignore_patterns("*-shm", ".half-*"))


def _give_in(phone: FlaskClient, jobs: PhotoQueue, address: str, deal: int) -> str:
    """Photograph a player's hand, or, every fourth deal, write its score down; return what next."""
    if deal % 4 == 3:
        return _post(phone, f"{address}/score", score=str(16 * (1 + int(address[-1]))))
    photo = picture(FakeReader().reading, cloth=f"#2057{16 + deal % 200:02x}")
    answer = phone.post(address, data={"photo": (io.BytesIO(photo), "hand.jpg")})
    hand = answer.headers["Location"].split("/")[2]
    while jobs.stage(hand):
        time.sleep(0.002)
    return _post(phone, f"{address}/right", hand=hand)


def _post(phone: FlaskClient, url: str, **fields: str) -> str:
    answer = phone.post(url, data=fields)
    assert answer.status_code == 303, f"{url}: {answer.text}"
    return answer.headers["Location"]
