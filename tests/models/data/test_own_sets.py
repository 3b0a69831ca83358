"""The kept crops of drawn sets, which `make networks` is fitted on."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.train.data.photographed_sets import make_sheet, write_archive
from models.train.data.seen_sets import CROPS_FILE, LEARNT_PHOTOS, load_set_crops
from scorer.tiles import CODES, FACE_DOWN
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX

MAX_ARCHIVE_BYTES = 3_000_000


def test_crops_come_back_in_order(tmp_path: Path) -> None:
    shape = (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
    crops = [np.full(shape, (9 * k, 255 - 9 * k, 60), np.uint8) for k in range(21)]
    codes = [f"B{k % 9 + 1}" for k in range(21)]
    archive = tmp_path / "sets.npz"
    sheet = {"00-codes": np.array(codes), "00-photos": np.arange(21), "00-sheet": make_sheet(crops)}
    write_archive(archive, sheet)
    ((names, photos, seen_crops),) = load_set_crops(archive)
    assert (names, photos) == (codes, list(range(21)))
    losses = np.abs(np.array(seen_crops, int) - np.array(crops, int)).mean(axis=(1, 2, 3))
    assert losses.max() < 6, "WebP loses little, at the edges between two crops"


def test_every_kept_set_shows_each_face_to_learn_and_to_name() -> None:
    sets = list(load_set_crops(CROPS_FILE))
    assert len(sets) == 16
    for codes, photos, crops in sets:
        assert len(codes) == len(photos) == len(crops)
        for code in (*CODES, FACE_DOWN):
            times = [photo for name, photo in zip(codes, photos, strict=True) if name == code]
            assert times == list(range(len(times)))
            assert len(times) >= LEARNT_PHOTOS + 2, code
    assert CROPS_FILE.stat().st_size < MAX_ARCHIVE_BYTES
