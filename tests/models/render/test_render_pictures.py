"""Rendering: light in range, the same from the same seed, shadows where something stands."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.train.faces.bank import procedural_bank
from models.train.faces.style import Style
from models.train.render.__main__ import main
from models.train.render.bodies import random_body
from models.train.render.camera import Look, expose, random_look
from models.train.render.labels import label_scene
from models.train.render.layouts import LAYOUTS, Layout, random_habit
from models.train.render.recipe import Bank, random_scene
from models.train.render.render import Quality, render
from models.train.render.samples import HANDS_FILE, lay, load_setting
from scorer.notation import parse_hand

pytestmark = pytest.mark.slow

SIZE = (96, 72)


@pytest.fixture(scope="module")
def bank() -> Bank:
    return procedural_bank(Style())


@pytest.mark.parametrize("seed", range(6))
def test_light_is_finite_and_neither_black_nor_blinding(bank: Bank, seed: int) -> None:
    light = render(random_scene(np.random.default_rng(seed), bank, SIZE), SIZE)
    assert light.shape == (72, 96, 3)
    assert light.dtype == np.float32
    assert np.isfinite(light).all()
    assert light.min() >= 0.0
    assert 0.005 < light.mean() < 3.0


def test_the_same_seed_gives_the_same_picture_and_labels(bank: Bank) -> None:
    first, again = (random_scene(np.random.default_rng(5), bank, SIZE) for _ in range(2))
    np.testing.assert_array_equal(render(first, SIZE), render(again, SIZE))
    assert label_scene(first, SIZE) == label_scene(again, SIZE)


def test_more_samples_change_the_grain_and_not_the_picture(bank: Bank) -> None:
    scene = random_scene(np.random.default_rng(2), bank, SIZE)
    rough = render(scene, SIZE)
    fine = render(scene, SIZE, Quality(grid=3, samples=8, every=1, smoothing=(1,)))
    signed = (rough - fine).reshape(6, 12, 8, 12, 3).mean(axis=(1, 3))
    assert np.abs(signed).mean() < 0.02 * fine.mean()
    assert not np.array_equal(rough, fine)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_every_layout_lays_tiles_that_do_not_overlap(layout: Layout) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        body = random_body(rng)
        spots = layout(rng, body, random_habit(rng))
        assert spots
        for k, s in enumerate(spots):
            for t in spots[:k]:
                # Neighbours in a column of sideways tiles are the closest that can lie flat.
                assert np.hypot(s.x - t.x, s.y - t.y) > 0.93 * body.width


@pytest.mark.parametrize("seed", range(4))
def test_a_photograph_keeps_the_shape_and_has_bytes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    light = rng.random((40 + seed, 31, 3), dtype=np.float32)
    photo = expose(light, random_look(rng), rng)
    assert photo.shape == light.shape
    assert photo.dtype == np.uint8


def test_the_same_seed_makes_the_same_photograph() -> None:
    light = np.full((24, 32, 3), 0.4, dtype=np.float32)
    first, again = (
        expose(light, random_look(rng), rng) for rng in map(np.random.default_rng, (3, 3))
    )
    np.testing.assert_array_equal(first, again)


def test_a_plain_look_leaves_black_white_and_hue_alone() -> None:
    rng = np.random.default_rng(1)
    light = np.zeros((8, 24, 3), dtype=np.float32)
    light[:, 8:16] = (0.5, 0.1, 0.1)
    light[:, 16:] = 1.4
    photo = expose(light, Look(), rng)
    assert photo[4, 2].max() == 0
    assert photo[4, 22].min() > 245
    r, g, b = photo[4, 12].astype(int)
    assert r > 1.5 * g
    assert g == b


def test_looks_stay_within_what_jpeg_and_eyes_bear() -> None:
    rng = np.random.default_rng(9)
    for _ in range(200):
        look = random_look(rng)
        assert 55 <= look.jpeg <= 95
        assert 0.15 < look.exposure < 2.5


def test_the_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--seed", "4", "--size", "96x72"]
    main([*arguments, "--count", "1"])
    first = (tmp_path / "00000.jpg").read_bytes()
    main([*arguments, "--count", "2"])
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert [row["file"] for row in rows] == ["00000.jpg", "00001.jpg"]
    assert (tmp_path / "00000.jpg").read_bytes() == first
    assert (rows[0]["w"], rows[0]["h"]) == (96, 72)
    assert set(rows[0]["tiles"][0]) == {"code", "quad", "turn", "visible", "ignore"}


@pytest.mark.parametrize(
    "entry", tomllib.loads(HANDS_FILE.read_text())["sample"], ids=lambda entry: entry["name"]
)
def test_the_samples_show_the_tiles_that_their_hand_text_names(
    entry: dict[str, Any],
) -> None:
    hand = parse_hand(entry["hand"])
    spots = lay(np.random.default_rng(0), entry, load_setting(entry["setting"]))
    named = [code for group in hand.exposed + hand.declared_kongs for code in group]
    assert sorted(s.code for s in spots) == sorted([*named, *hand.concealed, *hand.bonus])
    sideways = [s.code for s in spots if abs(abs(s.turn) - np.pi / 2) < 0.3]
    assert sideways == ([hand.winning_tile] if hand.winning_tile else [])
