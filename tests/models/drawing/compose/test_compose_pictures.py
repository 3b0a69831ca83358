"""Composing: the same from the same seed, labels that fit, and things that are never tiles."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.train.drawing.compose import __main__ as command
from models.train.drawing.compose import games, recipe
from models.train.drawing.compose.bodies import Body, Pose, tile
from models.train.drawing.compose.canvas import bend_picture
from models.train.drawing.compose.grounds import KINDS, TEXTURE_SIDE_PX, Kind
from models.train.drawing.compose.household import hand
from models.train.drawing.compose.labels import label_table
from models.train.drawing.compose.lighting import Lighting
from models.train.drawing.compose.lofts import Loft, Place, tile_loft
from models.train.drawing.compose.paint import Sheet, Table, compose
from models.train.drawing.compose.recipe import THINGS, Bank, Thing, random_table
from models.train.drawing.compose.views import View
from scorer.tiles import CODES
from vision.preprocess import NO_TILE

pytestmark = pytest.mark.slow

SIZE = (96, 72)
GOLDEN = Path(__file__).with_name("golden.png")

BODY = Body(
    width=2.4,
    height=3.2,
    depth=1.6,
    radius=0.25,
    back_share=0.4,
    front=(0.8, 0.8, 0.76),
    back_colour=(0.02, 0.25, 0.1),
    gloss=0.5,
    wear=0.2,
)
LIGHT = Lighting(
    lamp_direction=np.array((-0.48, 0.36, 0.8)),
    lamp=np.full(3, 0.7),
    sky=np.full(3, 0.4),
    softness=0.1,
    contact=0.5,
    slope=(0.1, 0.1),
)
VIEW = View(np.array((2.0, -14.0, 18.0)), np.array((0.0, 0.0, 0.5)), 0.03, 1.4)
GREEN = Sheet(np.full((16, 16, 3), (0.02, 0.15, 0.05), np.float32), 10.0, None)


def _bank() -> Bank:
    """Return faces with a blue field each: cheap, and no other part's business."""
    face = np.zeros((64, 48, 4), np.uint8)
    face[10:30, 8:40] = (20, 40, 160, 255)
    return dict.fromkeys(CODES, face)


def _tile(x: float, y: float, code: str = "B1", lies: Pose = "up", turn: float = 0.0) -> Loft:
    return tile_loft(tile(BODY, code, _bank()["B1"], (x, y, 0.0), turn, lies))


def _table(*lofts: Loft, view: View = VIEW) -> Table:
    return Table((GREEN,), lofts, LIGHT, view)


@pytest.fixture
def own_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "series_bank", lambda *key: _bank())


def test_the_same_seed_gives_the_same_bytes_and_another_one_others() -> None:
    first, second = (command.make_one(4, 2, SIZE, _bank()) for _ in range(2))
    assert first == second
    assert command.make_one(5, 2, SIZE, _bank())[0] != first[0]


@pytest.mark.parametrize("seed", range(3))
def test_every_quad_is_convex_clockwise_and_in_or_near_the_picture(seed: int) -> None:
    table = random_table(np.random.default_rng(seed), _bank(), SIZE)
    light, owner = compose(table, SIZE)
    assert light.shape == (72, 96, 3)
    assert np.isfinite(light).all()
    assert light.min() >= 0.0
    assert 0.003 < light.mean() < 3.0
    for label in label_table(table, owner, SIZE):
        quad = np.array(label.quad)
        sides = np.roll(quad, -1, axis=0) - quad
        after = np.roll(sides, -1, axis=0)
        assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all(), label
        assert ((quad > -np.array(SIZE)) & (quad < 2 * np.array(SIZE))).all(), label
        assert 0.0 < label.visible <= 1.0


@pytest.mark.usefixtures("own_faces")
def test_the_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    arguments = ["--out", str(tmp_path), "--seed", "4", "--size", "96x72"]
    command.main([*arguments, "--count", "1"])
    first = (tmp_path / "00000.jpg").read_bytes()
    command.main([*arguments, "--count", "2"])
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    assert [row["file"] for row in rows] == ["00000.jpg", "00001.jpg"]
    assert (tmp_path / "00000.jpg").read_bytes() == first
    assert (rows[0]["w"], rows[0]["h"]) == (96, 72)
    for labelled in (row["tiles"] for row in rows if row["tiles"]):
        assert set(labelled[0]) == {"code", "quad", "visible", "ignore"}


@pytest.mark.parametrize("thing", [*THINGS, Thing(hand, 0, 0)], ids=lambda t: t.make.__name__)
def test_what_is_no_tile_is_seen_and_said_to_be_none(thing: Thing) -> None:
    table = _table(*thing.make(np.random.default_rng(1), Place(0.0, 0.0)))
    light, owner = compose(table, SIZE)
    bare, _ = compose(_table(), SIZE)
    assert np.count_nonzero(np.abs(light - bare).max(axis=2) > 0.02) > 40
    assert {label.code for label in label_table(table, owner, SIZE)} <= {NO_TILE}


def test_dice_are_said_to_be_no_tile() -> None:
    table = _table(*games.dice(np.random.default_rng(1), Place(0.0, 0.0)))
    labels = label_table(table, compose(table, (640, 480))[1], (640, 480))
    assert [label.code for label in labels] == [NO_TILE] * len(table.lofts)


def test_a_bare_table_holds_things_and_no_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "BARE_SHARE", 1.1)
    for seed in range(2):
        table = random_table(np.random.default_rng(seed), _bank(), SIZE)
        assert table.lofts
        assert not any(loft.code for loft in table.lofts)


def _quarter_turn(quad: tuple[tuple[float, float], ...]) -> int:
    """Return how far a quad is turned clockwise, to the nearest quarter, degrees."""
    corners = np.array(quad)
    horizontal, vertical = corners[2] + corners[3] - corners[0] - corners[1]
    return round(math.degrees(math.atan2(-horizontal, vertical)) / 90) % 4 * 90


@pytest.mark.parametrize(
    ("loft", "code", "turn", "reason"),
    [
        (_tile(0, 0), "B1", 0, "it lies as the player sees it"),
        (_tile(0, 0, turn=math.pi), "B1", 180, "it lies upside down"),
        (_tile(0, 0, turn=-math.pi / 2), "B1", 90, "it lies sideways"),
        (_tile(0, 0, lies="down"), "??", 0, "only its back shows"),
        (_tile(0, 0, lies="standing"), "B1", 0, "it stands and faces the player"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_tile_is_labelled_with_what_shows_of_it(
    loft: Loft, code: str, turn: int, reason: str
) -> None:
    table = _table(loft)
    (label,) = label_table(table, compose(table, SIZE)[1], SIZE)
    assert (label.code, _quarter_turn(label.quad)) == (code, turn), reason
    assert label.visible > 0.9
    assert not label.ignore


def test_a_standing_tile_seen_from_behind_has_no_label() -> None:
    table = _table(_tile(0, 0, lies="standing", turn=math.pi))
    assert label_table(table, compose(table, SIZE)[1], SIZE) == []


def test_what_stands_before_a_tile_hides_it_and_what_stands_behind_does_not() -> None:
    lying_tile, hidden_tile = _tile(0, 0), _tile(0, -2.2, lies="standing", turn=math.pi)
    low = replace(VIEW, position=np.array((0.0, -20.0, 14.0)))
    shares = []
    for other in (hidden_tile, _tile(0, 2.6, lies="standing", turn=math.pi)):
        table = _table(other, lying_tile, view=low)
        labels = label_table(table, compose(table, SIZE)[1], SIZE)
        shares.append(next(label.visible for label in labels if label.code == "B1"))
    assert shares[0] < 0.6
    assert shares[1] > 0.9


def test_shadows_fall_away_from_the_lamp() -> None:
    lit_picture, _ = compose(_table(), SIZE)
    light, owner = compose(_table(_tile(0, 0)), SIZE)
    small = cv2.resize((owner >= 0).astype(np.uint8), SIZE, interpolation=cv2.INTER_AREA)
    light_loss = np.where(small > 0, 0.0, (lit_picture - light).mean(axis=2))
    columns = np.nonzero(small.any(axis=0))[0]
    assert light_loss[:, columns[-1] + 1 :].sum() > 3 * light_loss[:, : columns[0]].sum()


def test_the_lens_bends_the_picture_as_it_bends_the_labels() -> None:
    view = replace(VIEW, distortion=0.5)
    corner = np.array(((7.0, 4.5, 0.0),))
    picture = np.zeros((72, 96, 3), np.float32)
    x, y = replace(view, distortion=0.0).project(corner, SIZE)[0]
    picture[round(y - 0.5), round(x - 0.5)] = 1.0
    bent_picture = bend_picture(picture, view)[..., 0]
    rows, columns = np.mgrid[0:72, 0:96]
    middle = (
        np.array(((columns + 0.5) * bent_picture, (rows + 0.5) * bent_picture)).sum(axis=(1, 2))
        / bent_picture.sum()
    )
    expected = view.project(corner, SIZE)[0]
    assert np.linalg.norm(middle - expected) < 0.9
    assert np.linalg.norm(expected - (x, y)) > 1.5


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.draw.__name__)
def test_grounds_are_colours_and_no_two_alike(kind: Kind) -> None:
    first, other = (kind.draw(np.random.default_rng(seed)) for seed in (1, 2))
    assert first.shape == (TEXTURE_SIDE_PX, TEXTURE_SIDE_PX, 3)
    assert first.dtype == np.float32
    assert first.min() >= 0.0
    assert first.max() <= 1.0
    assert np.abs(first - other).mean() > 0.005


def _golden() -> NDArray[np.uint8]:
    lofts = [_tile(-3.0, 0.5), _tile(-0.5, 0.5), _tile(3.0, 0.0, lies="down", turn=0.4)]
    light, _ = compose(_table(*lofts, _tile(0.0, 5.0, lies="standing")), SIZE)
    return np.asarray(255 * np.clip(light, 0.0, 1.0) ** (1 / 2.2)).astype(np.uint8)


def test_a_small_picture_looks_as_it_did() -> None:
    golden = cv2.imread(str(GOLDEN), cv2.IMREAD_COLOR)
    assert golden is not None
    assert np.abs(_golden().astype(float) - golden[..., ::-1]).mean() < 1.5
