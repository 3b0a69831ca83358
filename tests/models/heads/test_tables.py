"""The tables that looks are learnt on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from models.train.drawing.faces.bank import procedural_bank
from models.train.drawing.faces.style import HOUSE_STYLE
from models.train.drawing.flat_tiles import shrink_faces
from models.train.heads.tables import KNOWN_CROPS, PHOTOS_PER_SET, drawn_tables, random_episode
from scorer.tiles import CODES, FACE_DOWN
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX


def test_a_table_is_made_once_and_then_read(tmp_path: Path) -> None:
    sets, cache_folder = tmp_path / "sets", tmp_path / "kept"
    sets.mkdir()
    drawn_bank = shrink_faces(procedural_bank(HOUSE_STYLE))
    faces: dict[str, Any] = {code: drawn_bank[code] for code in CODES}
    np.savez(sets / "00000.npz", **faces)
    (table,) = drawn_tables(sets, cache_folder, 1)
    assert table.crops.shape == (len(table.codes), CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
    assert sorted(table.codes) == sorted([*CODES, FACE_DOWN] * PHOTOS_PER_SET)
    (cache_folder / "00000.npz").rename(
        cache_folder / "other"
    )  # made again from the seed, it is the same
    (second,) = drawn_tables(sets, cache_folder, 1)
    assert (second.crops == table.crops).all()
    np.savez(cache_folder / "00000.npz", codes=table.codes[:2], crops=table.crops[:2])
    (read,) = drawn_tables(sets, cache_folder, 1)
    assert len(read.codes) == 2, "what is kept is not made again"


@given(st.lists(st.sampled_from(["B1", "F3", "S3", "DW"]), min_size=1), st.integers(0, 99))
def test_an_episode_asks_for_other_crops_than_it_knows(codes: list[str], seed: int) -> None:
    table = np.array(codes)
    known_crops, asked_crops, answers = random_episode(table, np.random.default_rng(seed))
    assert known_crops.shape[1] == KNOWN_CROPS
    assert len(asked_crops) == len(answers) == len(set(codes)), "each face is asked about once"
    for crop, answer in zip(asked_crops, answers, strict=True):
        if answer < len(known_crops):
            assert set(table[known_crops[answer]]) == {table[crop]}
            assert crop not in known_crops[answer]
        else:
            assert table[crop] not in table[known_crops], "a strange tile's face is not known"
