"""What Blender's pictures are labelled with, without Blender: hands, places and quads."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from models.train.cycles.camera import Stance, place_camera
from models.train.cycles.hands import COPIES_PER_TILE, PLAYING_CODES, Dealt, Mix, deal
from models.train.cycles.labels import MIN_VISIBLE_SHARE, label_line
from models.train.cycles.layouts import ANGLE_COUNT, LAYOUTS, Laid
from models.train.cycles.room import random_room
from models.train.cycles.spots import Shape, Spot, corners
from models.train.cycles.styles import STYLES
from scorer.notation import parse_hand
from scorer.tiles import CODES, FACE_DOWN
from tests.prove.laid_truth import overlap_share, read_cases
from vision.labels import read_labels

SHAPE = Shape(2.4, 3.2, 1.6, 0.2, 0.4)
SIZE = (960, 720)


def laid(kind: str, number: int) -> Laid:
    return LAYOUTS[kind](np.random.default_rng(number), number, STYLES[number % len(STYLES)], SHAPE)


def dealt(seed: int) -> Dealt:
    mix = Mix(kongs=0.2, marked=0.5)
    return deal(np.random.default_rng(seed), mix, [code for code in CODES if code[0] in "FS"])


@pytest.mark.parametrize("seed", range(20))
def test_a_hands_text_is_what_its_tiles_are(seed: int) -> None:
    laid_hand = dealt(seed)
    hand = parse_hand(laid_hand.text)
    marks = [m.code for row in (laid_hand.top, laid_hand.low) for g in row for m in g[2]]
    assert sorted(marks) == sorted(hand.tiles)
    assert sorted(mark.code for mark in laid_hand.bonus) == sorted(hand.bonus)
    kongs = sum(len(g[2]) == 4 and len({m.code for m in g[2]}) == 1 for g in laid_hand.top)
    assert len(marks) - kongs - len(hand.declared_kongs) == (14 if hand.winner else 13)


@pytest.mark.parametrize("seed", range(20))
def test_the_winning_tile_lies_in_the_row_that_says_how_it_won(seed: int) -> None:
    laid_hand = dealt(seed)
    hand = parse_hand(laid_hand.text)
    top, low = (
        [m.code for g in row for m in g[2] if m.won] for row in (laid_hand.top, laid_hand.low)
    )
    assert (top, low) == {
        (): ([], []),
        ("discard",): ([hand.winning_tile], []),
        ("wall",): ([], [hand.winning_tile]),
    }[hand.won_by]
    down = [m for row in (laid_hand.top, laid_hand.low) for g in row for m in g[2] if m.down]
    assert not any(mark.won for mark in down)


def test_face_down_tiles_lie_as_the_rules_have_it() -> None:
    """One end of an exposed kong, both ends of a concealed one, a concealed pung's middle."""
    seen: set[tuple[str, tuple[bool, ...]]] = set()
    for seed in range(80):
        hand = dealt(seed)
        seen |= {(g[0], tuple(m.down for m in g[2])) for g in (*hand.top, *hand.low)
                 if any(m.down for m in g[2])}  # fmt: skip
    assert seen == {
        ("exposed", (True, False, False, False)),
        ("exposed", (False, False, False, True)),
        ("concealed", (True, False, False, True)),
        ("concealed", (False, True, False)),
    }


@pytest.mark.parametrize("kind", LAYOUTS)
def test_no_tile_lies_in_another(kind: str) -> None:
    for number in range(4):
        quads = [corners(s, SHAPE)[:, :2].astype(np.float32) for s in laid(kind, number).spots]
        near = [(a, b) for a, b in combinations(quads, 2) if _apart(a, b) < 2 * SHAPE.height]
        assert max((overlap_share(a, b) for a, b in near), default=0.0) < 0.08, (kind, number)


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.linalg.norm(one.mean(0) - other.mean(0)))


def test_a_table_holds_no_more_of_a_tile_than_a_set() -> None:
    spots = [s for s in laid("table", 1).spots if not (s.down and s.part == "other")]
    assert (
        max(Counter(s.code for s in spots if s.code in PLAYING_CODES).values()) <= COPIES_PER_TILE
    )
    assert {s.owner for s in spots} == {"", "bottom", "right", "top", "left"}


def test_nine_pictures_hold_every_angle_twice() -> None:
    turns = Counter(s.degrees for n in range(9) for s in laid("angle", n).spots)
    del turns[None]
    assert turns == {5 * k: 2 for k in range(ANGLE_COUNT)}


@pytest.mark.parametrize("turn", [0, 35, 90, 180, 270])
def test_a_quad_begins_at_the_tiles_own_top_left_and_goes_clockwise(turn: int) -> None:
    spot = Spot("B1", 0.0, 0.0, math.radians(turn))
    view = place_camera(Stance(math.pi / 2), corners(spot, SHAPE), SIZE)
    quad = view.project(corners(spot, SHAPE)) - view.project(corners(spot, SHAPE)).mean(axis=0)
    angle = math.radians(turn)
    c, s = math.cos(angle), math.sin(angle)
    upright = quad @ np.array(((c, s), (-s, c)))
    signs = np.sign(upright).tolist()
    assert signs == [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    assert sides[1] / sides[0] == pytest.approx(SHAPE.height / SHAPE.width, rel=1e-6)


def test_what_is_near_is_larger_and_lower_in_the_picture() -> None:
    near, far = Spot("B1", 0.0, -8.0), Spot("B2", 0.0, 8.0)
    points = np.concatenate([corners(s, SHAPE) for s in (near, far)])
    view = place_camera(Stance(math.radians(50)), points, SIZE)
    low, high = (view.project(corners(s, SHAPE)) for s in (near, far))
    assert low[:, 1].min() > high[:, 1].max()
    assert np.ptp(low[:, 0]) > 1.1 * np.ptp(high[:, 0])


@pytest.mark.parametrize("kind", LAYOUTS)
def test_a_view_holds_all_tiles_and_is_filled_by_them(kind: str) -> None:
    stance = random_room(np.random.default_rng(5), kind).stance
    points = np.concatenate([corners(s, SHAPE) for s in laid(kind, 2).spots])
    view = place_camera(stance, points, SIZE)
    reach = np.abs((view.project(points) + 0.5) / SIZE * 2 - 1).max()
    assert reach == pytest.approx(stance.fill, abs=0.02)


def test_a_label_is_read_by_both_programs_that_measure(tmp_path: Path) -> None:
    scene = laid("special", 4)
    points = np.concatenate([corners(s, SHAPE) for s in scene.spots])
    view = place_camera(Stance(1.2), points, SIZE)
    shares = [0.0, MIN_VISIBLE_SHARE - 0.1, *[1.0] * (len(scene.spots) - 2)]
    line = label_line("a.jpg", "special", "navy", scene, (SHAPE, view, shares))
    assert json.loads(line)["w"] == SIZE[0]
    (tmp_path / "labels.jsonl").write_text(line + "\n", encoding="utf-8")
    (photo,) = read_labels(tmp_path / "labels.jsonl")
    (case,) = read_cases(tmp_path)
    assert len(case.tiles) == len(photo.tiles) + 1 == len(scene.spots) - 1
    assert all(tile.exact for tile in photo.tiles)
    assert [t.code for t in case.tiles if not t.ignore] == [t.code for t in photo.tiles]
    assert FACE_DOWN in {tile.code for tile in case.tiles}
    assert case.hands == dict(scene.hands)
    assert [tile.ignore for tile in case.tiles].count(True) == 1


def test_the_sets_have_the_faces_that_they_name() -> None:
    assert len({style.name for style in STYLES}) == len(STYLES) == 10
    for style in STYLES:
        assert set(PLAYING_CODES) <= set(style.codes)
        assert bool(style.art) != bool(style.drawing)
