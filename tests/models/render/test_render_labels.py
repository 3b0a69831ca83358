"""Labels lie where the picture shows the tiles, and say what can be seen of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from models.train.render.bodies import Lying, tile
from models.train.render.labels import Label, label_scene, quad_turn
from models.train.render.patterns import pattern
from models.train.render.render import render
from models.train.render.scene import Art, Body, Ground, Light, Scene, Sky, Solid, Surface, View

pytestmark = pytest.mark.slow

SIZE = (96, 72)
BODY = Body(2.4, 3.2, 1.7, 0.2, 0.4, (0.8, 0.8, 0.8), (0.02, 0.2, 0.6), 0.0, 0.0, 1.0, 0.0)
DISTANCE = 12.0


def _marked() -> Art:
    """Paint a blank face with a red square in its top left corner."""
    art = np.zeros((64, 48, 4), dtype=np.uint8)
    art[:20, :20] = (255, 0, 0, 255)
    return art


def _scene(*solids: Solid, elevation: float = 90.0) -> Scene:
    plain = Surface(pattern("plain", 0), (0.02, 0.1, 0.02), (0.02, 0.1, 0.02), 20.0, 0.0, 0.0)
    e = math.radians(elevation)
    eye = DISTANCE * np.array((0.0, -math.cos(e), math.sin(e)))
    return Scene(
        solids=solids,
        ground=Ground(plain, plain, (-50.0, -50.0, 50.0, 50.0)),
        lights=(
            Light(
                np.array((20.0, 30.0, 90.0)),
                np.array((4.0, 0.0, 0.0)),
                np.array((0.0, 4.0, 0.0)),
                (0.6, 0.6, 0.6),
            ),
        ),
        sky=Sky((0.3, 0.3, 0.3), (0.3, 0.3, 0.3)),
        view=View(eye + np.array((0.0, 0.0, 1.7)), np.array((0.0, 0.0, 1.7)), 0.0, 1.0),
    )


def _tile(x: float = 0.0, turn: float = 0.0, lies: Lying = "up", level: float = 0.0) -> Solid:
    return tile(BODY, "B1", _marked(), (x, 0.0, level), turn, lies)


def _only(scene: Scene) -> Label:
    (label,) = label_scene(scene, SIZE)
    return label


def test_a_tile_seen_from_above_lies_where_a_pinhole_puts_it() -> None:
    label = _only(_scene(_tile()))
    # Focal length 1 over the longer side: 96 px span 12 cm at the face, which is 12 cm away.
    scale = SIZE[0] / DISTANCE
    x, y = SIZE[0] / 2, SIZE[1] / 2
    half_w, half_h = BODY.width / 2 * scale, BODY.height / 2 * scale
    expected = [
        (x - half_w, y - half_h),
        (x + half_w, y - half_h),
        (x + half_w, y + half_h),
        (x - half_w, y + half_h),
    ]
    np.testing.assert_allclose(label.quad, expected, atol=0.02)
    assert (label.code, label.turn, label.visible, label.ignore) == ("B1", 0, 1.0, False)


@pytest.mark.parametrize(
    ("anticlockwise", "turn"),
    [
        (0.0, 0),
        (math.pi / 2, 270),
        (math.pi, 180),
        (-math.pi / 2, 90),
        (0.3, 0),
        (-1.2, 90),
    ],
)
def test_the_mark_in_the_art_shows_at_the_first_corner(anticlockwise: float, turn: int) -> None:
    scene = _scene(_tile(turn=anticlockwise), elevation=70.0)
    label = _only(scene)
    assert label.turn == turn
    light = render(scene, SIZE)
    quad = np.array(label.quad)
    middle = quad.mean(axis=0)
    reds = []
    for corner in quad:
        x, y = (middle + 0.72 * (corner - middle)).astype(int)
        r, g, _ = light[y, x]
        reds.append(r > 2 * g)
    assert reds == [True, False, False, False]


def test_corners_run_clockwise_in_the_picture_for_faces_and_backs() -> None:
    for lies in ("up", "down"):
        quad = np.array(_only(_scene(_tile(lies=lies, turn=0.4), elevation=60.0)).quad)
        ahead = np.roll(quad, -1, axis=0)
        # y grows downwards, so the shoelace sum of a clockwise outline is positive.
        assert (quad[:, 0] * ahead[:, 1] - ahead[:, 0] * quad[:, 1]).sum() > 0


def test_a_tile_lying_face_down_is_named_so_and_shows_its_back() -> None:
    scene = _scene(_tile(lies="down"))
    label = _only(scene)
    assert label.code == "??"
    x, y = np.array(label.quad).mean(axis=0).astype(int)
    r, _, b = render(scene, SIZE)[y, x]
    assert b > 3 * r


def test_a_tile_under_another_is_ignored_and_the_other_is_not() -> None:
    under, over = label_scene(_scene(_tile(0.0), _tile(1.0, level=1.7)), SIZE)
    assert under.ignore
    assert under.visible < 0.4
    assert (over.ignore, over.visible) == (False, 1.0)


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        (_scene(_tile(x=20.0)), "out of the picture"),
        (_scene(_tile(lies="standing", turn=math.pi), elevation=30.0), "turns its back on us"),
        (
            _scene(Solid(np.zeros(3), np.eye(3), (3.0, 3.0, 3.0), 0.1, (1, 1, 1), (1, 1, 1))),
            "a box",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_label_for_what_shows_no_face(scene: Scene, why: str) -> None:
    assert label_scene(scene, SIZE) == [], why


def test_a_tile_half_out_of_the_picture_is_about_half_visible() -> None:
    label = _only(_scene(_tile(x=6.0)))
    assert 0.35 < label.visible < 0.65


def test_a_standing_tile_facing_the_player_is_labelled_by_its_face() -> None:
    label = _only(_scene(_tile(lies="standing"), elevation=30.0))
    assert (label.code, label.turn, label.ignore) == ("B1", 0, False)


def test_a_tile_in_a_wall_is_ignored_however_well_it_is_seen() -> None:
    assert _only(_scene(replace(_tile(lies="down"), ignore=True))).ignore


@pytest.mark.parametrize(
    ("degrees", "turn"), [(0, 0), (44, 0), (46, 90), (134, 90), (-44, 0), (-46, 270), (179, 180)]
)
def test_turns_round_to_the_nearest_quarter(degrees: float, turn: int) -> None:
    a = math.radians(degrees)
    upright = np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    clockwise = np.array(((math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a))))
    assert quad_turn(upright @ clockwise) == turn
