"""The log says which files are shown and deleted; a log from elsewhere may say anything."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.hands import retention
from device.hands.repository import HandRepository
from device.hands.retention import RemovalRule, make_room
from device.store import Store, StoreError
from device.store.events import TilesConfirmed
from tests.device.events import write_raw

NAMES = [
    ("ABSOLUTE", "an absolute path leads anywhere"),
    ("../secret", "and so does one that climbs"),
    ("../photos/../secret", "or goes round about"),
    ("events.sqlite3", "the log is no photograph"),
    ("", "the folder itself"),
    (".", "and again"),
    ("a" * 64 + ".JPG", "never written so"),
    ("a" * 63, "too short"),
    ("a" * 64 + "\n", "a line more"),
    ("\0", "no name of a file"),
]


@pytest.fixture
def secret(store: Store) -> Path:
    """Return a file that is no photograph of the box."""
    path = store.folder / "secret"
    path.write_bytes(b"nobody else's")
    return path


@pytest.mark.parametrize(("name", "why"), NAMES)
def test_no_name_leads_out_of_the_photographs(
    store: Store, secret: Path, name: str, why: str
) -> None:
    name = name.replace("ABSOLUTE", str(secret))
    with pytest.raises(StoreError, match="not in the data folder"):
        store.photo(name)
    assert store.photo_size(name) == 0, why
    assert store.delete_photo(name) == 0, why
    assert secret.exists(), why
    assert (store.folder / "events.sqlite3").exists(), why


@pytest.mark.parametrize("tile_set", ["..", "../photos", "/etc", "", "a/b", ".", "\0"])
def test_no_tile_set_leads_out_of_the_crops(store: Store, secret: Path, tile_set: str) -> None:
    name = store.keep_photo(b"x" * 10) + ".png"
    (store.folder / "photos" / name).write_bytes(b"a photograph")
    with pytest.raises(StoreError):
        store.crop(tile_set, name)
    assert store.crops(tile_set) == frozenset()
    store.delete_crops(tile_set, [name])
    with pytest.raises(StoreError):
        store.keep_crop(tile_set, b"a tile")
    assert (store.folder / "photos" / name).read_bytes() == b"a photograph"


def test_no_page_shows_a_file_that_a_log_names(
    client: FlaskClient, store: Store, hands: HandRepository, secret: Path, read_hand: str
) -> None:
    _, _, kind, text, at = store.raw_rows(read_hand)[0]
    photo = hands.get(read_hand).photo
    assert photo is not None
    for name in (photo.original, photo.display, photo.thumbnail):
        text = text.replace(name, str(secret))
    write_raw(store, "elsewhere", kind, text, at)
    for page in ("photo.jpg", "thumbnail.jpg", "original"):
        answer = client.get(f"/hand/elsewhere/{page}")
        assert answer.status_code == 404, page
        assert b"nobody else's" not in answer.data


def test_a_log_that_says_that_a_file_was_removed_removes_none(
    store: Store,
    hands: HandRepository,
    secret: Path,
    read_hand: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "MIN_KEPT_HANDS", 0)
    hands.change(read_hand, TilesConfirmed())
    write_raw(store, "elsewhere", "photos-removed", {"names": [str(secret), "../secret"]})
    assert make_room(hands, RemovalRule(math.inf, lambda _: True)).hands == 1
    assert secret.exists()
