"""What the locator is asked to say of a picture."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from models.train.locator.views import VIEW_SIDE_PX, draw_batch, make_target, random_view
from models.train.tiled_picture import TiledPicture
from vision.networks.locator import decode
from vision.networks.outline import OUTLINE_NUMBERS
from vision.preprocess import CELL_SIDE_PX

Array = npt.NDArray[np.float32]


def quad(x: float, y: float, turn: float = 0.0, width: float = 30, height: float = 40) -> Array:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    turned_corners = corners @ np.array([[cos, sin], [-sin, cos]]) + np.array([x, y])
    return np.asarray(turned_corners, np.float32)


def answered_quads(quads: list[Array], turn: float = 0.0) -> list[Array]:
    """Return the quads that a locator finds which answers exactly as it should."""
    known_mask = np.ones((160, 160), np.uint8)
    target = make_target(np.stack(quads), np.ones(len(quads), bool), known_mask, turn)
    logits = np.where(target.heat > 0.999, 4.0, -9.0).astype(np.float32)
    return [tile.quad for tile in decode(logits, target.outline, 0.3)]


@pytest.mark.parametrize("turn", [0, 20, 89, 130, 180, 250, 340])
def test_what_is_asked_for_is_what_decoding_gives_back(turn: float) -> None:
    (quad_read,) = answered_quads([quad(80, 70, turn)])
    ways = [np.roll(quad(80, 70, turn), shift, axis=0) for shift in (0, 2)]
    assert min(float(np.abs(quad_read - way).max()) for way in ways) < 0.01
    assert quad_read[:2, 1].mean() <= quad_read[2:, 1].mean(), "the higher short side comes first"


def test_touching_tiles_stay_apart() -> None:
    assert len(answered_quads([quad(50, 70), quad(80, 70), quad(110, 70), quad(80, 110)])) == 4


def test_where_nothing_is_known_nothing_is_asked() -> None:
    known_mask = np.zeros((160, 160), np.uint8)
    known_mask[:, :80] = 1
    target = make_target(np.stack([quad(40, 80)]), np.array([True]), known_mask, 0.0)
    assert target.weight[:, : 80 // CELL_SIDE_PX].all()
    assert not target.weight[:, 80 // CELL_SIDE_PX :].any()


def picture(code: str = "B1") -> TiledPicture:
    """Return grey cloth with one white tile, its top left quarter red."""
    rgb = np.full((200, 240, 3), 90, np.uint8)
    rgb[80:120, 100:130] = 255
    rgb[80:100, 100:115] = (255, 0, 0)
    outline = np.array([[[100, 80], [130, 80], [130, 120], [100, 120]]], np.float32)
    return TiledPicture(rgb, outline, (code,), np.array([True]), np.ones((200, 240), np.uint8))


def test_a_view_and_its_answer_agree() -> None:
    """Wherever the answer says that a tile lies, the view shows something bright."""
    rng = np.random.default_rng(5)
    bright_cells = 0
    for _ in range(40):
        view, target = random_view(picture(), rng)
        assert view.shape == (VIEW_SIDE_PX, VIEW_SIDE_PX, 3)
        for row, column in np.argwhere(target.heat > 0.999):
            offsets = target.outline[:, row, column]
            assert np.abs(offsets).max() > 0.1
            patch = view[
                row * CELL_SIDE_PX : row * CELL_SIDE_PX + CELL_SIDE_PX,
                column * CELL_SIDE_PX : column * CELL_SIDE_PX + CELL_SIDE_PX,
            ]
            assert patch.max() > np.median(view) - 40
            bright_cells += 1
    assert bright_cells > 20


def test_batches_follow_their_seed() -> None:
    first, second, other = (
        draw_batch([(1.0, [picture()])], 3, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert all((first[name] == second[name]).all() for name in first)
    assert (first["picture"] != other["picture"]).any()
    assert first["outline"].shape == (
        3,
        OUTLINE_NUMBERS,
        VIEW_SIDE_PX // CELL_SIDE_PX,
        VIEW_SIDE_PX // CELL_SIDE_PX,
    )
