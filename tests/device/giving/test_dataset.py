"""What is written of the hands that players gave: tiles and their names, and nothing else."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from device.giving.folder import TILE_LABELS
from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.matches.repository import open_hands
from device.store import Store
from device.store.events import (
    HandEvent,
    MirrorAnswered,
    PhotosRemoved,
    SetAdded,
    SetRemoved,
    TileAdded,
    TileCorrected,
    TileMoved,
)
from device.tilesets.tile_sets import TileSets
from scorer.tiles import CODES
from tests.device.fake_reader import lay
from tests.device.giving.giving_box import (
    GivingBox,
    add_face_down,
    photo_of,
    square,
    tile_reading,
)
from tests.device.giving.readers import read_coco, read_yolo
from tests.device.shared_decoder import DECODER
from vision.labels import FACE_DOWN_LABEL, read_labels
from vision.photo import open_photo
from vision.reader import MIRRORED_PHOTO
from vision.reading import Reading


def written_files(giving_box: GivingBox) -> dict[str, bytes]:
    """Return all files that the command writes, by their paths."""
    assert giving_box.export().status == 0
    paths = (path for path in giving_box.folder.rglob("*") if path.is_file())
    return {str(path.relative_to(giving_box.folder)): path.read_bytes() for path in paths}


def pixels(file: Path) -> np.ndarray[Any, np.dtype[np.int16]]:
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"), np.int16)


@pytest.fixture
def agreed_box(giving_box: GivingBox) -> GivingBox:
    giving_box.answer(True)
    return giving_box


def test_a_hand_is_written_as_it_was_confirmed(agreed_box: GivingBox) -> None:
    hand = agreed_box.take(lay(doubtful=(4,)))
    agreed_box.hands.change(hand, TileCorrected(0, "B3"))
    agreed_box.confirm(hand)
    (row,) = agreed_box.rows()
    tiles = row["tiles"]
    codes = " ".join(tile["code"] for tile in tiles)
    assert codes == "B3 B2 B2 O9 O9 O9 BACK C3 C4 C5 DR BACK DR WE WE F1"
    assert [tile["row"] for tile in tiles] == (["exposed"] * 7 + ["concealed"] * 8 + ["bonus"])
    assert [tile["stands_for"] for tile in tiles if tile["code"] == FACE_DOWN_LABEL] == ["O9", "DR"]
    assert [tile["read"] for tile in tiles if tile["read"] != tile["code"]] == ["B2"]
    assert len({tile["set"] for tile in tiles[7:10]}) == 1, "the chow lies together"
    assert row["complete"] is True
    assert (row["group"], row.get("scene")) == ("set-1", None)


def test_all_around_the_tiles_is_painted_over(agreed_box: GivingBox) -> None:
    agreed_box.confirm(agreed_box.take(add_face_down(lay())))
    (row,) = agreed_box.rows()
    (file,) = agreed_box.folder.parent.glob("*/images/*")
    picture_pixels = pixels(file)
    assert picture_pixels.shape == (row["h"], row["w"], 3)
    ys, xs = np.mgrid[: row["h"], : row["w"]]
    distances = np.full(ys.shape, 1e9)
    for tile in row["tiles"]:
        (x0, y0), _, (x1, y1), _ = tile["quad"]
        dx, dy = np.maximum(np.maximum(x0 - xs, xs - x1), 0), np.maximum(y0 - ys, ys - y1)
        distances = np.minimum(distances, np.hypot(dx, np.maximum(dy, 0)))
    far_pixels = picture_pixels[
        distances > 0.15 * 60 + 9
    ]  # a margin of so much of the tiles' width, and JPEG's ripples
    assert len(far_pixels) > 0.2 * distances.size, "there is much to paint over"
    assert np.abs(far_pixels - 128).max() < 25, "grey, and nothing of the cloth or of who was here"
    secret = (np.abs(picture_pixels - (255, 6, 255)) < 60).all(2)
    assert secret.mean() < 0.25, "of the cloth, a margin"
    x, y = np.rint(row["tiles"][2]["quad"][1]).astype(int)
    assert np.abs(picture_pixels[y + 15, x + 6] - 128).max() < 40, (
        "the tile beside the hand is gone, too"
    )


def test_a_tile_that_is_no_tile_is_painted_over(agreed_box: GivingBox) -> None:
    hand = agreed_box.take()
    agreed_box.hands.change(hand, TileCorrected(15, None))
    agreed_box.confirm(hand)
    (row,) = agreed_box.rows()
    assert len(row["tiles"]) == 15
    assert row["w"] < 1000, "the flower lay far off at the right"


def test_nothing_leads_back(agreed_box: GivingBox, store: Store, sets: TileSets) -> None:
    agreed_box.begin()
    sets.begin("Grandmother Ann's")
    hand = agreed_box.play("Ann")
    agreed_box.confirm()
    record = agreed_box.hands.get(hand)
    files = written_files(agreed_box)
    assert record.photo is not None
    telling_words = [
        "Ann", "Bob", "Cy", "Di ", "IMG_", "Privet", "Secret", "was here", "Exif", "2026", "20:15",
        hand, agreed_box.match, record.photo.original[:12], record.photo.display[:12],
        str(store.folder), "Grandmother",
    ]  # fmt: skip
    for name, data in files.items():
        for each in telling_words:
            assert each.encode() not in data, f"{each} in {name}"
            assert each not in name
    for name in files:
        if name.endswith(".jpg"):
            with Image.open(io.BytesIO(files[name])) as image:
                assert not image.getexif()
                assert image.info.keys() <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


def test_the_order_is_none_of_playing_and_the_bytes_are_always_the_same(
    agreed_box: GivingBox,
) -> None:
    agreed_box.begin()
    for player in ("Ann", "Bob", "Cy", "Di"):
        agreed_box.play(player)
    files = written_files(agreed_box)
    agreed_box.folder = agreed_box.folder.with_name("again")
    assert written_files(agreed_box) == files
    rows = [json.loads(line) for line in files["labels.jsonl"].splitlines()]
    names = [row["file"] for row in rows]
    assert names == sorted(names), "as the hashes fall"
    assert {row["scene"] for row in rows} == {"set-1-match-1"}


def test_it_is_written_out_of_either_store(
    either_store: Store, store_url: str, tmp_path: Path
) -> None:
    giving_box = GivingBox(open_hands(either_store), tmp_path / "given", store_url)
    giving_box.begin()
    giving_box.play("Bob")
    giving_box.answer(True)
    giving_box.log.keep_out("Ann", is_kept_out=True)
    giving_box.play("Ann")
    giving_box.play("Cy")
    (row,) = giving_box.rows()
    assert (row["scene"], len(row["tiles"])) == ("set-1-match-1", 16)
    giving_box.answer(False)
    assert giving_box.rows() == []


def test_every_form_says_the_same(agreed_box: GivingBox) -> None:
    for code in ("F1", "JK", "??"):
        hand = agreed_box.take()
        agreed_box.hands.change(hand, TileCorrected(15, code))
        agreed_box.confirm(hand)
    assert agreed_box.export().status == 0
    labelled_photos = {
        str(photo.path.relative_to(agreed_box.folder)): photo
        for photo in read_labels(agreed_box.folder / "labels.jsonl")
    }
    coco, yolo = (
        read_coco(agreed_box.folder / "coco.json"),
        read_yolo(agreed_box.folder / "data.yaml"),
    )
    assert coco.keys() == yolo.keys() == labelled_photos.keys()
    assert len(coco) == 3
    for name, photo in labelled_photos.items():
        codes = [FACE_DOWN_LABEL if tile.code == "??" else tile.code for tile in photo.tiles]
        assert [tile for tile, _ in coco[name]] == [tile for tile, _ in yolo[name]] == codes
        for tile, (_, coco_corners), (_, other) in zip(
            photo.tiles, coco[name], yolo[name], strict=True
        ):
            np.testing.assert_allclose(tile.quad, coco_corners, atol=0.051)
            np.testing.assert_allclose(tile.quad, other, atol=0.051)
            assert tile.exact
            assert not tile.approximate
    categories = json.loads((agreed_box.folder / "coco.json").read_text("utf-8"))["categories"]
    assert [each["id"] for each in categories] == list(range(1, 45))
    assert (
        [each["name"] for each in categories]
        == [*CODES, FACE_DOWN_LABEL, "JK"]
        == list(TILE_LABELS)
    )


def test_a_readme_counts_and_a_licence_lies_there(agreed_box: GivingBox, sets: TileSets) -> None:
    agreed_box.confirm()
    sets.begin("Travelling set")
    hand = agreed_box.take()
    agreed_box.hands.change(hand, TileCorrected(15, "F2"))
    agreed_box.confirm(hand)
    files = written_files(agreed_box)
    readme = files["README.md"].decode()
    assert "2 photographs of hands with 32 tiles of 2 tile sets. Licence: CC0-1.0" in readme
    assert "1 of the tiles had been read wrongly" in readme
    rows = dict(line[2:-2].split(" | ", 1) for line in readme.splitlines() if line[:2] == "| ")
    assert rows[""] == "set-1 | set-2"
    assert (rows["photographs"], rows["B2"], rows["F1"], rows["F2"], rows["BACK"]) == (
        "1 | 1", "3 | 3", "1 | 0", "0 | 1", "2 | 2",
    )  # fmt: skip
    assert files["LICENSE"].startswith(b"SPDX-License-Identifier: CC0-1.0\n")


SETS: list[tuple[tuple[str, ...], list[str], str]] = [
    (("hand",), ["set-1"], "the set that every box begins with"),
    (("begin Old", "begin New", "choose first", "hand"), ["set-1"], "and back"),
    (("hand", "begin Old", "hand"), ["set-1", "set-2"], "as it was when each was confirmed"),
    (("begin Old 7", "hand", "hand 7"), ["set-1", "set-2"], "another table has its own"),
    (("begin Old", "hand 7"), ["set-2"], "a table without an own has what all have"),
    (("learn", "begin Old", "hand", "choose first"), ["set-2"], "the set that the hand taught"),
]
"""What is done, of which sets the hands written then are, and why."""


@pytest.mark.parametrize(("steps", "groups", "reason"), SETS)
def test_a_hand_is_of_the_set_that_lay_there(
    agreed_box: GivingBox, sets: TileSets, steps: tuple[str, ...], groups: list[str], reason: str
) -> None:
    for step in steps:
        action, *words = step.split(" ")
        table = words[-1] if words and words[-1].isdigit() else ""
        if action == "begin":
            sets.begin(words[0], table)
        elif action == "choose":
            sets.choose(words[0])
        elif action == "learn":
            sets.allow(is_allowed=True)
        else:
            hand = agreed_box.confirm(agreed_box.take(table=table))
            record = agreed_box.hands.get(hand)
            assert record.photo is not None
            sets.learn(record, agreed_box.hands.open(record.photo, DECODER))
    assert sorted(row["group"] for row in agreed_box.rows()) == groups, reason


@pytest.mark.parametrize(
    ("word", "spdx"),
    [
        ("cc0", "CC0-1.0"),
        ("cc-by", "CC-BY-4.0"),
        ("cc-by-sa", "CC-BY-SA-4.0"),
        ("cc-by-nc", "CC-BY-NC-4.0"),
    ],
)
def test_the_licence_is_the_one_that_was_chosen(
    agreed_box: GivingBox, word: str, spdx: str
) -> None:
    agreed_box.confirm()
    assert agreed_box.export(word).status == 0
    assert spdx in (agreed_box.folder / "LICENSE").read_text("utf-8")
    assert json.loads((agreed_box.folder / "labels.jsonl").read_text("utf-8"))["licence"] == spdx


LEFT_OUT: list[tuple[Reading, list[HandEvent], str, str]] = [
    (lay(), [], "", "as it was read"),
    (lay(), [TileMoved(0, "concealed", 3)], "", "so does one that lies elsewhere"),
    (lay(), [TileCorrected(0, "??")], "", "a face misread: it lies face down"),
    (lay(), [TileAdded("B2", "exposed", 0)], "by hand", "missed: nobody knows where it lies"),
    (
        lay(),
        [SetRemoved((0, 1, 2)), SetAdded(("B3", "B3", "B3"), "exposed")],
        "by hand",
        "struck out and entered anew: the same places, perhaps",
    ),
    (lay(), [TileAdded("B2", "exposed", 0), TileCorrected(16, None)], "", "and taken back"),
    (lay(), [TileCorrected(6, "O9")], "face down", "named by who knows what lies there"),
    (lay(), [SetRemoved(tuple(range(16)))], "no tile", "nothing is left"),
    (tile_reading(lay(), 15, quad=square(1190, 20)), [], "", "cut by the photo's edge"),
    (tile_reading(lay(), 15, quad=square(1400, 20)), [], "out of the photo", "beyond it"),
    (tile_reading(lay(), 15, quad=square(-1e9, 1e9)), [], "out of the photo", "nowhere"),
]
"""A reading, what players change, part of the reason for which the hand is left out, and why."""


@pytest.mark.parametrize(("reading", "changes", "error_text", "reason"), LEFT_OUT)
def test_a_hand_whose_tiles_have_no_place_is_left_out_and_counted(
    agreed_box: GivingBox,
    reading: Reading, changes: list[HandEvent], error_text: str, reason: str,
) -> None:  # fmt: skip
    agreed_box.confirm()
    hand = agreed_box.take(reading)
    for each in changes:
        agreed_box.hands.change(hand, each)
    agreed_box.confirm(hand)
    assert len(agreed_box.rows()) == (1 if error_text else 2), reason
    output = agreed_box.outcome.output
    assert ("Left out: 1: " in output) == bool(error_text)
    assert error_text in output


def test_a_photo_that_has_gone_is_counted(agreed_box: GivingBox, store: Store) -> None:
    agreed_box.confirm()
    for fate in ("made room", "lost", "damaged"):
        hand = agreed_box.confirm()
        photo = agreed_box.hands.get(hand).photo
        assert photo is not None
        if fate == "made room":
            agreed_box.hands.change(hand, PhotosRemoved((photo.original, photo.display)))
        elif fate == "lost":
            (store.folder / "photos" / photo.original).unlink()
        else:
            (store.folder / "photos" / photo.original).write_bytes(b"no picture")
    agreed_box.take()
    assert len(agreed_box.rows()) == 1
    output = agreed_box.outcome.output
    assert "3: the photo is gone or damaged" in output
    assert "1: nobody said that all tiles are right" in output


def test_a_mirror_image_is_turned_back(agreed_box: GivingBox, hands: HandRepository) -> None:
    straight = lay()
    photo = open_photo(photo_of(straight), "hand.jpg").mirrored_copy
    output = io.BytesIO()
    Image.fromarray(photo.rgb).save(output, "JPEG", quality=95)
    hand = hands.begin(open_photo(output.getvalue(), "hand.jpg"), output.getvalue(), "bmja")
    reading = lay()
    hands.change(
        hand, reading_event(Reading(**{**_fields(reading), "problems": (MIRRORED_PHOTO,)}))
    )
    hands.change(hand, MirrorAnswered(mirrored=True))
    hands.change(hand, reading_event(straight.mirrored_copy()))
    agreed_box.confirm(hand)
    (row,) = agreed_box.rows()
    for tile in row["tiles"]:
        (ax, ay), (bx, second_y), (cx, cy), _ = tile["quad"]
        assert (bx - ax) * (cy - second_y) - (second_y - ay) * (cx - bx) > 0, (
            "clockwise, as faces are read"
        )
    lefts = [tile["quad"][0][0] for tile in row["tiles"][:7]]
    assert lefts == sorted(lefts), "and as the hand was laid"
    (file,) = agreed_box.folder.parent.glob("*/images/*")
    (x0, y0), _, (x1, y1), _ = row["tiles"][0]["quad"]
    ink = np.argwhere((pixels(file)[round(y0) : round(y1), round(x0) : round(x1)] < 100).all(2))
    assert ink[:, 1].mean() < (x1 - x0) / 2, "the sign stands at the tile's left again"


def _fields(reading: Reading) -> dict[str, Any]:
    return {name: getattr(reading, name) for name in reading.__struct_fields__}


def test_one_picture_confirmed_twice_is_written_once_and_in_dispute_not_at_all(
    agreed_box: GivingBox, hands: HandRepository
) -> None:
    data = photo_of(lay())

    def confirm_again(*changes: HandEvent) -> None:
        hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
        hands.change(hand, reading_event(lay()))
        for change in changes:
            hands.change(hand, change)
        agreed_box.confirm(hand)

    agreed_box.confirm()
    confirm_again()
    confirm_again()
    assert len(agreed_box.rows()) == 2
    confirm_again(TileCorrected(0, "B3"))
    assert len(agreed_box.rows()) == 1
    assert "2: the same picture was confirmed as different tiles" in agreed_box.outcome.output
    assert len(list(agreed_box.folder.parent.glob("*/images/*"))) == 3


def test_a_large_photograph_is_shrunk(agreed_box: GivingBox, hands: HandRepository) -> None:
    reading = lay()
    large = Image.open(io.BytesIO(photo_of(reading))).resize((3600, 1080))
    output = io.BytesIO()
    large.save(output, "JPEG")
    tiles = reading.tiles
    for place, tile in enumerate(tiles):
        a, b, c, d = ((x * 3, y * 3) for x, y in tile.quad)
        reading = tile_reading(reading, place, quad=(a, b, c, d))
    hand = hands.begin(open_photo(output.getvalue(), "hand.jpg"), output.getvalue(), "bmja")
    hands.change(
        hand, reading_event(Reading(**{**_fields(reading), "width": 3600, "height": 1080}))
    )
    agreed_box.confirm(hand)
    (row,) = agreed_box.rows()
    assert row["w"] == 1600
    xs = [x for tile in row["tiles"] for x, _ in tile["quad"]]
    assert min(xs) > 0
    assert max(xs) < 1600
    assert max(xs) > 1570, "the quads shrink with it"
