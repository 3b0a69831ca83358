"""What each country's makers do, and the pictures that every maker draws otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from models.train.drawing.faces.beasts import BEASTS
from models.train.drawing.faces.brush import Hand
from models.train.drawing.faces.dice import Dice
from models.train.drawing.faces.face import draw_face
from models.train.drawing.faces.makers import MAKERS
from models.train.drawing.faces.odd_tiles import odd_faces
from models.train.drawing.faces.random_style import random_style
from models.train.drawing.faces.raster import Pixels, rasterise
from models.train.drawing.faces.shapes import Drawing, fit, move
from models.train.drawing.faces.style import (
    HOUSE_STYLE,
    BambooDesign,
    Bird,
    Bonus,
    CircleDesign,
    GreatCircle,
    IndexPlace,
    Style,
    WhiteDragon,
)

BARE = replace(HOUSE_STYLE, index="none", dragon_index="CFP", bend=1.0, seed=5)


def render(code: str, style: Style) -> Pixels:
    return rasterise(draw_face(code, style), 48, 64, 2)


@pytest.mark.parametrize(
    ("field", "designs", "code", "inkless"),
    [
        ("white", get_args(WhiteDragon), "DW", "blank"),
        ("circle", get_args(CircleDesign), "O4", ""),
        ("great_circle", get_args(GreatCircle), "O1", ""),
        ("bamboo", get_args(BambooDesign), "B3", ""),
        ("bonus", get_args(Bonus), "S2", ""),
        ("index", get_args(IndexPlace), "WE", ""),
        ("bird", get_args(Bird), "B1", ""),
    ],
    ids=["white dragons", "dots", "great dots", "sticks", "seasons", "indices", "birds"],
)
def test_every_design_has_ink_and_looks_like_no_other(
    field: str, designs: tuple[str, ...], code: str, inkless: str
) -> None:
    pictures = {
        design: render(code, replace(BARE, **{field: design}))  # type: ignore[arg-type]
        for design in designs
    }
    assert [design for design in designs if not pictures[design].any()] == (
        [inkless] if inkless else []
    )
    assert len({face.tobytes() for face in pictures.values()}) == len(designs)


NAVY = (22, 30, 82)


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("DG", {"fortune_ink": NAVY}),
        ("DG", {"fortune_hand": Hand(weight=16.0, slant=8.0)}),
        ("O4", {"circle_gather": 0.75}),
        ("O4", {"index": "gap"}),
        ("O6", {"circle_plan": "one ink"}),
        ("B6", {"bamboo_plan": "in turn"}),
    ],
    ids=["navy", "another hand", "close dots", "an index between dots", "one ink", "three inks"],
)
def test_a_maker_may_print_a_face_otherwise_than_all_others(
    code: str, changes: dict[str, object]
) -> None:
    usual = replace(BARE, fortune_ink=None)
    other = replace(usual, **changes)  # type: ignore[arg-type]
    assert not np.array_equal(render(code, usual), render(code, other))
    assert np.array_equal(
        render("C3", replace(usual, index="none")), render("C3", replace(other, index="none"))
    )


def test_a_green_dragon_in_navy_has_no_green() -> None:
    face = render("DG", replace(BARE, fortune_ink=NAVY))
    ink_colours = face[face[..., 3] > 200][:, :3].astype(int)
    assert len(ink_colours) > 100
    assert np.abs(ink_colours - NAVY).max() <= 6


def test_sets_differ_in_their_dragons() -> None:
    """Every ink and both wholly blank and framed white dragons are among a hundred sets."""
    styles = [random_style(np.random.default_rng(seed)) for seed in range(100)]
    dark = sum(style.fortune_ink is not None for style in styles)
    blank = sum(style.white == "blank" for style in styles)
    assert 40 <= dark <= 70
    assert 15 <= blank <= 50


@pytest.mark.parametrize(
    ("name", "keeps"),
    [
        ("export", lambda style: style.index != "none"),
        ("riichi", lambda style: style.index == "none" and not style.white_sign),
        ("taiwanese", lambda style: style.fill > 1 and style.bonus_number),
        ("american", lambda style: style.index != "none"),
        ("antique", lambda style: style.wear > 0 and style.bird_lines > 0),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_maker_keeps_to_its_manner(name: str, keeps: Callable[[Style], bool]) -> None:
    (maker,) = (maker for maker in MAKERS if maker.name == name)
    for seed in range(20):
        dice = Dice(np.random.default_rng(seed))
        assert keeps(maker.redraw(random_style(dice.rng), dice))


def test_a_quarter_of_the_sets_without_indices_have_a_blank_white_dragon() -> None:
    styles = [random_style(np.random.default_rng(seed)) for seed in range(160)]
    bare = [style.white == "blank" for style in styles if style.index == "none"]
    assert len(bare) > 30
    assert 0.25 <= np.mean(bare) < 0.7


def test_red_fives_are_red_and_other_numbers_are_not() -> None:
    style = replace(BARE, red_fives=True)
    for code in ("C5", "O5", "B5"):
        face = render(code, style)
        colours = face[face[..., 3] > 250][:, :3].astype(int)
        assert (colours[:, 0] > colours[:, 2]).mean() > 0.9, code
        assert (face != render(code, BARE)).any(), code
        assert (render(code[0] + "6", style) == render(code[0] + "6", BARE)).all(), code


def test_birds_differ_from_set_to_set_and_stay_on_the_tile() -> None:
    birds = [render("B1", replace(BARE, bird="invented", seed=k)) for k in range(12)]
    assert len({bird.tobytes() for bird in birds}) == 12
    for bird in birds:
        assert 0.05 < (bird[..., 3] > 128).mean() < 0.6
        assert not bird[:, :1, 3].any()
        assert not bird[:, -1:, 3].any()


def test_american_dragons_are_one_beast_in_two_inks() -> None:
    style = replace(BARE, beasts=True)
    red, green = render("DR", style), render("DG", style)
    assert np.abs(red[..., 3].astype(int) - green[..., 3]).max() <= 1
    assert (red != green).any()


def test_odd_tiles_have_ink_and_follow_their_set() -> None:
    for seed in range(10):
        style = random_style(np.random.default_rng(seed))
        odd = odd_faces(style)
        assert 3 <= len(odd) <= 5
        assert odd == odd_faces(style)
        assert all((rasterise(face, 48, 64, 2)[..., 3] > 100).sum() > 60 for face in odd)


@pytest.mark.parametrize("kind", sorted(BEASTS))
def test_beasts_differ_from_throw_to_throw(kind: str) -> None:
    pictures = {
        rasterise(
            Drawing(move(BEASTS[kind](BARE, Dice(np.random.default_rng(k))), fit((0, 0, 60, 60)))),
            48, 64, 2,
        ).tobytes()
        for k in range(3)
    }  # fmt: skip
    assert len(pictures) == 3
