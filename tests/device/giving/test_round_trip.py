"""Hands read by the real networks, given, and evaluated as the folder lies: nothing is lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.commands import evaluate
from device.giving.consent import GivingLog
from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.matches.repository import open_hands
from device.samples import load_samples
from device.store import Store
from device.store.events import TileCorrected, TilesConfirmed
from tests.device.command import output_of
from vision.photo import open_photo
from vision.reader import Reader


@pytest.fixture(scope="module")
def real() -> Reader:
    return Reader.load()


@pytest.fixture(scope="module")
def played_folder(real: Reader, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a box that read the project's samples; all hands were confirmed."""
    folder = tmp_path_factory.mktemp("box") / "data"
    store = Store(folder)
    hands = open_hands(store)
    GivingLog(store).answer(is_agreed=True)
    for sample in load_samples():
        data = sample.path.read_bytes()
        photo = open_photo(data, sample.name)
        hand = hands.begin(photo, data, "bmja")
        hands.change(hand, reading_event(real.read(photo)))
        hands.change(hand, TilesConfirmed())
    store.close()
    return folder


@pytest.fixture
def box(played_folder: Path, tmp_path: Path) -> Iterator[HandRepository]:
    shutil.copytree(played_folder, tmp_path / "data")
    store = Store(tmp_path / "data")
    yield open_hands(store)
    store.close()


def evaluate_folder(
    box: HandRepository, real: Reader, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Any]:
    """Export what was confirmed and evaluate it; return what that says."""
    monkeypatch.setattr(evaluate, "load_reader", lambda: real)
    folder = box.store.folder.parent / "given"
    data = ("--data", str(box.store.folder))
    output_of("export", "--dataset", str(folder), "--licence", "cc-by", *data)
    result: dict[str, Any] = json.loads(
        output_of("evaluate", str(folder / "labels.jsonl"), "--json")
    )
    return result


def test_what_was_confirmed_is_read_so_again_but_for_what_was_put_right(
    box: HandRepository, real: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sum(len(laid.tiles) for hand in box.recent(9) for laid in hand.sets) == 79
    hand = box.recent(1)[0]
    read = hand.tiles[0].code
    other = "B9" if read != "B9" else "B8"
    box.change(hand.id, TileCorrected(0, other))
    result = evaluate_folder(box, real, monkeypatch)
    assert result["photographs"]["all"]["pictures"] == len(load_samples())
    (error,) = result["errors"]
    assert (error["outcome"], error["label"], error["read"]) == ("wrong", other, read)
