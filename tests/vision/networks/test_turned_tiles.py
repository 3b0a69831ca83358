"""Tiles at every angle, by themselves and among upright ones: found, and outlined as they lie.

A ray tracer, deleted since, drew both pictures and said where the tiles lie: thirty-six well apart,
five degrees from one to the next, and eighteen, ten degrees apart, each between two upright ones.
What they prove is proved for its pictures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from vision.networks.classifier import (
    MIN_MEAN_LOG_ODDS,
    MIN_MIRROR_CONFIDENCE,
    MIN_MIRROR_LOG_ODDS,
    Classification,
    look_mirrored,
)
from vision.networks.locator import Locator
from vision.photo import open_photo

Array = npt.NDArray[np.float32]

FOLDER = Path(__file__).parents[2] / "goldens" / "angles"
PICTURES = ("alone", "among")

UPRIGHT, SIDEWAYS = 25.0, 25.0
"""How far, in degrees, a tile may lie from upright, and from sideways, to count as either."""


@cache
def errors(name: str) -> dict[float, list[float]]:
    """Return the mean error of the corners, in tile widths, of the tiles lying at each angle.

    It is infinite of a tile that is not found.
    """
    path = FOLDER / f"{name}.jpg"
    located_tiles = Locator.load().locate(open_photo(path.read_bytes(), path.name))
    quads = [tile.quad for tile in located_tiles.tiles]
    errors_by_angle: dict[float, list[float]] = {}
    for corners in json.loads(path.with_suffix(".json").read_text(encoding="utf-8")):
        quad = np.array(corners, np.float32)
        errors_by_angle.setdefault(angle(quad), []).append(
            min(corner_error(quad, other) for other in quads)
        )
    return errors_by_angle


def angle(quad: Array) -> float:
    """Return how far a quad (4, 2) is turned, 0 to 180 degrees."""
    upward = quad[0] + quad[1] - quad[2] - quad[3]
    return float(np.degrees(np.arctan2(upward[0], -upward[1])) % 180)


def corner_error(quad: Array, quads: Array) -> float:
    """Return the mean error of corners in tile widths; infinite of another tile's."""
    width = float(np.linalg.norm(quad[1] - quad[0]))
    if np.linalg.norm(quads.mean(0) - quad.mean(0)) > 0.5 * width:
        return float("inf")
    ways = [np.roll(quads, by, axis=0) - quad for by in (0, 2)]
    return min(float(np.linalg.norm(way, axis=1).mean()) for way in ways) / width


def errors_at(errors_by_angle: dict[float, list[float]], angles: Iterable[float]) -> list[float]:
    return [error for at in angles for error in errors_by_angle[at]]


@pytest.mark.parametrize("name", PICTURES)
def test_none_is_lost_at_any_angle(name: str) -> None:
    lost_angles = [round(at) for at, each in errors(name).items() if not np.isfinite(each).all()]
    assert not lost_angles, f"lost at these angles: {lost_angles}"


@pytest.mark.parametrize("name", PICTURES)
def test_a_sideways_tile_is_outlined_nearly_as_well_as_an_upright_one(name: str) -> None:
    errors_by_angle = errors(name)
    upright = errors_at(
        errors_by_angle, (at for at in errors_by_angle if min(at, 180 - at) < UPRIGHT)
    )
    sideways = errors_at(errors_by_angle, (at for at in errors_by_angle if abs(at - 90) < SIDEWAYS))
    assert np.median(sideways) <= 1.2 * np.median(upright) + 0.01
    assert np.max(sideways) < 0.3


@pytest.mark.parametrize("name", PICTURES)
def test_no_angle_collapses(name: str) -> None:
    """Half a tile's width off, and a neighbour's ink is in the crop."""
    worst = {round(at): max(each) for at, each in errors(name).items() if max(each) > 0.4}
    assert not worst, f"corners off, in tile widths, by angle: {worst}"


def tile(odds: float, confidence: float = 0.9) -> Classification:
    return Classification("B1", confidence, 1.0, (), 0, odds)


@pytest.mark.parametrize(
    ("odds", "is_asked", "reason"),
    [
        ([], False, "no tiles say nothing"),
        ([3.0] * 14, True, "every tile says it"),
        ([-3.0] * 14, False, "every tile denies it"),
        ([MIN_MIRROR_LOG_ODDS - 0.1], False, "one tile, however odd, is not enough"),
        ([MIN_MIRROR_LOG_ODDS / 4 + 0.01] * 4, True, "a few together are"),
        ([2.0] * 7 + [-2.0] * 7, False, "a bird that looks the other way is outvoted"),
        ([MIN_MEAN_LOG_ODDS * 0.9] * 60, False, "small errors of a whole table add up to nothing"),
    ],
)
def test_what_is_asked_about(odds: list[float], is_asked: bool, reason: str) -> None:
    assert look_mirrored([tile(each) for each in odds]) == is_asked, reason


def test_tiles_that_nobody_can_name_say_nothing() -> None:
    assert not look_mirrored([tile(3.0, MIN_MIRROR_CONFIDENCE - 0.01)] * 14)
