"""A kong's tile that the locator missed is asked about: no count of tiles tells of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.networks.classifier import Classifier
from vision.networks.locator import LocatedTiles, Locator
from vision.networks.model import Model
from vision.photo import Photo, open_photo
from vision.reader import Reader
from vision.reading import Reading

FOLDER = Path(__file__).with_name("hands")


class Overlooks(Locator):
    """Finds all but the tile at one place."""

    place: np.ndarray | None = None

    def locate(self, photo: Photo) -> LocatedTiles:
        located_tiles = super().locate(photo)
        if self.place is None:
            return located_tiles
        tiles = [t for t in located_tiles.tiles if np.linalg.norm(t.quad.mean(0) - self.place) > 10]
        return LocatedTiles(tiles, located_tiles.faint)


@pytest.mark.parametrize(
    ("name", "face", "missed_tile", "reason"),
    [
        ("kongs-declared", "O9", -1, "the back at the end of an exposed kong"),
        ("kongs-declared", "O9", 0, "a face at its other end, with the back still there"),
        ("a-kong-with-its-last-tile-down", "WS", -1, "its back, in the player's own row"),
    ],
)
def test_a_kong_with_a_tile_that_was_not_found_asks(
    name: str, face: str, missed_tile: int, reason: str
) -> None:
    locator = Overlooks(Model.load("locator"))
    reader = Reader(locator, Classifier.load())
    photo = open_photo((FOLDER / f"{name}.jpg").read_bytes(), name)
    whole_reading = reader.read(photo)
    assert asked_codes(whole_reading) == [], reason
    kong = next(
        s
        for s in whole_reading.sets
        if s.kind == "kong" and whole_reading.tiles[s.tiles[1]].code == face
    )
    locator.place = np.mean(whole_reading.tiles[kong.tiles[missed_tile]].quad, 0)
    assert asked_codes(reader.read(replace(photo))), reason


def asked_codes(reading: Reading) -> list[str]:
    """Return what the reading asks about the hand's tiles and how they lie."""
    notes = [problem.code for problem in reading.problems if problem.code != "left-out"]
    return notes + [tile.code for tile in reading.tiles if tile.doubtful]
