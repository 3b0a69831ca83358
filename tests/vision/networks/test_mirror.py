"""When a photograph is suspected to be a mirror image; tests/goldens mirrors some."""

from __future__ import annotations

import pytest

from vision.networks.classifier import (
    MIN_MEAN_LOG_ODDS,
    MIN_MIRROR_CONFIDENCE,
    MIN_MIRROR_LOG_ODDS,
    Classification,
    look_mirrored,
)


def tile(odds: float, confidence: float = 0.9) -> Classification:
    return Classification("B1", confidence, 1.0, (), 0, odds)


@pytest.mark.parametrize(
    ("odds", "asked", "why"),
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
def test_what_is_asked_about(odds: list[float], asked: bool, why: str) -> None:
    assert look_mirrored([tile(each) for each in odds]) == asked, why


def test_tiles_that_nobody_can_name_say_nothing() -> None:
    assert not look_mirrored([tile(3.0, MIN_MIRROR_CONFIDENCE - 0.01)] * 14)
