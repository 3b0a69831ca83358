"""A data folder that takes nothing: the port answers with why, and the box goes on by itself."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from device.doctor import Machine
from device.store import DiskFullError, Store, StoreError, UnwritableError
from device.store.errors import UnreachableError
from device.store.store import RESERVED_BYTES
from device.web import storage_outage
from tests.device import evening
from tests.device.page import Page
from tests.device.serving import ServedBox, serve_box
from tests.prove import card_in_play
from tests.prove.card_in_play import Undo, fill_disk
from tests.prove.full_disk import small_disk


def read_only(disk: Path) -> Undo:
    """Let a disk take nothing any more, as a worn card does."""
    _mount("-o", "remount,ro", disk)
    return lambda: _mount("-o", "remount,rw", disk)


def forbid(disk: Path) -> Undo:
    """Put somebody else's file where the log is: one that nobody may change."""
    subprocess.run(("mount", "--bind", "-o", "ro", disk / "box", disk / "box"), check=True)
    _mount("-o", "remount,ro,bind", disk / "box")

    def permit() -> None:
        subprocess.run(("umount", disk / "box"), check=True)

    return permit


@pytest.fixture(scope="module")
def played_box(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evening") / "played"
    evening.play(folder, 1)
    return folder


@pytest.fixture
def disk(played_box: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a small disk with a box on it on which a match is being played."""
    (tmp_path / "disk").mkdir()
    with small_disk(tmp_path / "disk", RESERVED_BYTES + 2**24) as is_mounted:
        if not is_mounted:
            pytest.skip("disks may not be mounted here")
        shutil.copytree(played_box, tmp_path / "disk" / "box")
        yield tmp_path / "disk"


def says(box: ServedBox, path: str) -> tuple[int, str]:
    status, html = box.get(path)
    return status, Page(html).text


@pytest.mark.slow
def test_the_page_says_why_and_the_box_goes_on_by_itself(disk: Path) -> None:
    with ExitStack() as undo:
        mend = fill_disk(disk)
        undo.callback(mend)
        with serve_box(disk / "box", retry_s="0.2") as box:
            for path in ("/", "/table/", "/no/such/page"):
                answer, page = says(box, path)
                assert (answer, "card is full" in page) == (503, True), path
            answer, health = box.health()
            assert (answer, health["troubles"], health["alive"]) == (503, ["no room"], True)
            undo.pop_all()
            mend()
            for _ in range(200):
                if box.health()[1]["status"] == "ok":
                    break
                time.sleep(0.05)
            assert "The table" in says(box, "/")[1]


@pytest.mark.prove
@pytest.mark.parametrize("name", card_in_play.FAILURES)
def test_play_goes_on_whatever_becomes_of_the_card(name: str, tmp_path: Path) -> None:
    counts = card_in_play.play(name, tmp_path / "card", seconds=8.0, rounds=2)
    if not counts:
        pytest.skip("disks may not be mounted here")
    assert min(counts["scores confirmed"], counts["photographs confirmed"]) > 4


@pytest.mark.parametrize(
    ("spoil", "kind", "reason"),
    [
        (read_only, UnwritableError, "a card that has turned read-only"),
        (fill_disk, DiskFullError, "not one byte of room"),
        (forbid, UnwritableError, "the folder alone takes nothing"),
    ],
)
def test_what_is_wrong_is_told_apart(
    disk: Path, spoil: Callable[[Path], Undo], kind: type[StoreError], reason: str
) -> None:
    mend = spoil(disk)
    try:
        with pytest.raises(kind), open_box(disk / "box") as store:
            store.try_write()
    finally:
        mend()
    with open_box(disk / "box") as store:
        store.try_write()


def test_a_card_that_fills_up_while_the_box_runs_is_found_by_trying(disk: Path) -> None:
    with open_box(disk / "box") as store:
        store.try_write()
        mend = fill_disk(disk)
        with pytest.raises(DiskFullError) as error_info:
            store.try_write()
        assert not list((disk / "box").rglob(".half-*")), f"while somebody still holds {error_info}"
        mend()
        store.try_write()
    assert not list((disk / "box").rglob(".half-*"))


@contextmanager
def open_box(folder: Path) -> Iterator[Store]:
    store = Store(folder)
    try:
        yield store
    finally:
        store.close()


def _mount(*words: object) -> None:
    subprocess.run(("mount", *map(str, words)), check=True)


@pytest.mark.parametrize(
    ("reason", "waits", "looks", "trouble"),
    [
        # A database may be back at once: nobody is stale long.
        (UnreachableError("gone"), 0.5, 2, "no database"),
        # Somebody has to do something first.
        (DiskFullError(), 10.0, 10, "no room"),
        (UnwritableError("a card"), 10.0, 10, "no write"),
    ],
)
def test_how_soon_it_is_tried_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reason: StoreError,
    waits: float,
    looks: int,
    trouble: str,
) -> None:
    delays, machine = [], Machine(tmp_path)
    troubles = [reason] * 3

    def opening() -> str:
        if troubles:
            raise troubles.pop()
        return "open"

    monkeypatch.setattr(storage_outage, "serve_for", lambda _, seconds: delays.append(seconds))
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        assert storage_outage.open_with_retries(opening, listener, machine) == "open"
    assert delays == [waits] * 3
    phone = storage_outage.create_outage_app(lambda: reason, machine).test_client()
    page = Page(phone.get("/table/").text)
    assert page.all(f'meta[http-equiv="refresh"][content="{looks}"]')
    assert ("cannot write to its card" in page.text) == (trouble == "no write")
    assert phone.get("/health").json["troubles"] == [trouble]  # type: ignore[index]
