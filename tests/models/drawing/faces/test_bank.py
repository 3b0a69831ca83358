"""Banks of faces for training: our own, and free art where it is at hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from models.train.drawing.faces.art import ART_STYLES, art_folders, load_art
from models.train.drawing.faces.bank import (
    FACE_SIZE_PX,
    FaceBank,
    art_bank,
    procedural_bank,
    training_banks,
)
from models.train.drawing.faces.random_style import random_style
from scorer.tiles import CODES

pytestmark = pytest.mark.slow

GREY_ART = "noto-symbols2"


@pytest.fixture
def art(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of black art, two dots on each face, without F4 and with an empty DW."""
    folder = tmp_path / "art" / GREY_ART
    folder.mkdir(parents=True)
    for code in CODES:
        if code == "F4":
            continue
        picture = Image.new("RGBA", (120, 160))
        pen = ImageDraw.Draw(picture)
        if code != "DW":
            pen.ellipse((35, 10, 85, 60), fill=(0, 0, 0, 255))
            pen.ellipse((35, 100, 85, 150), fill=(0, 0, 0, 255))
        picture.save(folder / f"{code}.png")
    monkeypatch.setenv("TONGBOX_DATA", str(tmp_path))
    load_art.cache_clear()
    return folder


def are_same(first: FaceBank, second: FaceBank) -> bool:
    odd = len(first.odd) == len(second.odd) and all(
        (a == b).all() for a, b in zip(first.odd, second.odd, strict=True)
    )
    return odd and all((first[code] == second[code]).all() for code in CODES)


def check(bank: FaceBank) -> None:
    assert set(bank) == set(CODES)
    assert 3 <= len(bank.odd) <= 5
    assert all(face.shape == (FACE_SIZE_PX[1], FACE_SIZE_PX[0], 4) for face in bank.odd)
    for code, face in bank.items():
        assert face.shape == (FACE_SIZE_PX[1], FACE_SIZE_PX[0], 4), code
        assert face.dtype == np.uint8, code
        if code != "DW":
            assert (face[..., 3] > 100).sum() > 200, code


def test_procedural_bank_holds_all_faces_and_depends_on_its_style_alone() -> None:
    style = random_style(np.random.default_rng(3))
    bank = procedural_bank(style)
    check(bank)
    assert are_same(bank, procedural_bank(style))


def test_black_art_takes_the_colours_of_the_standard_layout(art: Path) -> None:
    inks = set()
    for seed in range(3):
        bank = art_bank(art, np.random.default_rng(seed))
        check(bank)
        upper, lower = (bank["C1"][rows][..., :3][bank["C1"][rows][..., 3] > 200].mean(axis=0)
                        for rows in (slice(30, 128), slice(128, 256)))  # fmt: skip
        inks.add(bool(np.abs(upper - lower).max() > 60))
    assert True in inks, "the numeral and the sign below it mostly differ in ink"


def test_missing_faces_are_drawn_but_a_white_dragon_may_stay_blank(art: Path) -> None:
    banks = [art_bank(art, np.random.default_rng(seed)) for seed in range(6)]
    assert all(bank["F4"].any() for bank in banks)
    assert any(not bank["DW"].any() for bank in banks)


def test_only_cleared_art_is_used(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not cleared for training"):
        load_art(tmp_path / "kde-default")
    names = {style.name for style in ART_STYLES}
    assert not names & {"kde-default", "kde-traditional", "freeserif", "taksuyu", "xmahjongg-real"}


def test_training_banks_mix_art_and_drawings_and_follow_the_seed(art: Path) -> None:
    assert list(art_folders()) == [art]
    first = list(training_banks(np.random.default_rng(2), 3))
    second_banks = list(training_banks(np.random.default_rng(2), 3))
    assert {bank.source for bank in first} == {GREY_ART, "procedural"}
    assert all(are_same(a, b) for a, b in zip(first, second_banks, strict=True))


def test_without_art_every_bank_is_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TONGBOX_DATA", str(tmp_path))
    banks = list(training_banks(np.random.default_rng(1), 3))
    assert {bank.source for bank in banks} == {"procedural"}
