"""Writing with the machine's fonts: real signs only, and our own strokes where there are none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.train.drawing.faces import lettering
from models.train.drawing.faces.brush import Hand
from models.train.drawing.faces.lettering import (
    LETTERS,
    WRITING,
    Font,
    has_signs,
    installed_fonts,
    sign_outline,
    sign_shapes,
    text_shapes,
    text_width,
)
from models.train.drawing.faces.random_style import random_style
from models.train.drawing.faces.raster import rasterise
from models.train.drawing.faces.shapes import Drawing, fit, move

RED = (200, 10, 20)
LATIN = Font("truetype/dejavu/DejaVuSans-Bold.ttf")
BOX = (6.0, 6.0, 54.0, 74.0)
SIGNS = "一二三四五六七八九東南西北中白梅菊竹春夏秋冬"
"""What every style writes in this one form."""

needs_writing = pytest.mark.skipif(
    not installed_fonts(WRITING), reason="no font with Chinese signs"
)
needs_latin = pytest.mark.skipif(not installed_fonts((LATIN,)), reason="no DejaVu font")


def ink(sign: str, font: Font) -> float:
    """Return how much of the box a sign covers."""
    outline = move(sign_outline(sign, font, RED), fit(BOX))
    return float(rasterise(Drawing(outline), 90, 120)[..., 3].mean()) / 255


@needs_writing
@pytest.mark.parametrize(
    "font", installed_fonts(WRITING), ids=lambda font: f"{font.file}:{font.face}"
)
def test_a_writing_font_has_every_sign_and_no_two_look_alike(font: Font) -> None:
    """A box in place of what is missing would be the same for two signs."""
    assert has_signs(font, SIGNS)
    contours_by_sign = {sign: sign_outline(sign, font, RED)[0].contours for sign in SIGNS}
    assert len(set(contours_by_sign.values())) == len(SIGNS)
    assert all(ink(sign, font) > 0.015 for sign in "一中春")


@needs_latin
def test_the_box_for_a_missing_sign_is_never_drawn() -> None:
    assert has_signs(LATIN, "E9")
    assert not has_signs(LATIN, "萬")
    assert not has_signs(LATIN, " "), "a space has no ink"
    with pytest.raises(KeyError):
        sign_outline("萬", LATIN, RED)
    assert sign_shapes("萬", LATIN, RED) == sign_shapes("萬", Hand(weight=11.5), RED)


@needs_writing
@pytest.mark.parametrize(
    ("change", "low", "high"),
    [
        ({"growth": 6.0}, 1.2, 3.0),
        ({"growth": -1.5}, 0.3, 0.95),
        ({"hollow": 1.2}, 0.2, 0.9),
        ({"stretch": 0.75}, 0.55, 0.9),
        ({"slant": 12.0}, 0.9, 1.1),
    ],
    ids=["bolder", "finer", "outlined", "narrower", "slanted"],
)
def test_what_a_maker_changes_shows_in_the_ink(
    change: dict[str, float], low: float, high: float
) -> None:
    font = installed_fonts(WRITING)[0]
    changed_font = replace(font, **change)  # type: ignore[arg-type]
    assert low < ink("東", changed_font) / ink("東", font) < high


@needs_latin
@pytest.mark.parametrize("text", ["1", "W", "F4", "EAST"])
def test_letters_of_a_font_are_as_high_and_wide_as_said(text: str) -> None:
    wide = text_width(text, 12.0, LATIN)
    alpha = rasterise(Drawing(text_shapes(text, 12.0, LATIN, RED)), 240, 320)[..., 3]
    ys, xs = np.nonzero(alpha > 128)
    assert xs.max() + 1 == pytest.approx(4 * wide, abs=3)
    assert ys.max() + 1 == pytest.approx(48, abs=3)


def test_without_fonts_sets_are_written_with_our_own_strokes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lettering, "FONTS_FOLDER", tmp_path)
    assert not installed_fonts(WRITING + LETTERS)
    for seed in range(5):
        style = random_style(np.random.default_rng(seed))
        assert isinstance(style.hand, Hand)
        assert not isinstance(style.index_type, Font)


@needs_writing
def test_most_invented_sets_are_written_with_a_font() -> None:
    hands = [random_style(np.random.default_rng(seed)).hand for seed in range(40)]
    assert 24 < sum(isinstance(hand, Font) for hand in hands) < 40
