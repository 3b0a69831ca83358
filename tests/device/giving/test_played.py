"""The player of `tests.prove.giving`: puts right what the labels say is wrong, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from device.hands.readings import reading_event
from device.store.events import TilesConfirmed
from tests.device.fake_reader import lay
from tests.device.giving.given_away import Giving, beside, photo_of, tile_reading
from tests.prove.giving import player_corrections
from vision.labels import LabelledPhoto, LabelledTile
from vision.photo import open_photo
from vision.reading import LeftOut, Reading

LAID = lay()


def labelled(reading: Reading) -> LabelledPhoto:
    """Return the labels of a photograph in which these tiles lie."""
    tiles = tuple(
        LabelledTile(tile.code, np.asarray(tile.quad, np.float32), exact=False, approximate=False)
        for tile in reading.tiles
    )
    return LabelledPhoto(Path("hand.jpg"), "photo", (0, 0, 1200, 360), tiles)


READINGS: list[tuple[Reading, int, str, str]] = [
    (LAID, 0, "B2", "as it lies"),
    (tile_reading(LAID, 0, code="B3"), 1, "B2", "a name put right"),
    (tile_reading(LAID, 0, code="??"), 1, "left out", "a face taken for a back"),
    (beside(LAID), 0, "B2", "what is left out and no tile of the hand stays so"),
    (
        replace(
            LAID,
            sets=(structs.replace(LAID.sets[0], tiles=(1, 2)), *LAID.sets[1:]),
            left_out=(LeftOut(0, "apart"),),
        ),
        1,
        "B2",
        "what is left out and one of the hand's is taken in",
    ),
    (
        replace(
            LAID,
            tiles=LAID.tiles[:15],
            sets=LAID.sets[:-1],
        ),
        1,
        "left out",
        "a tile that was missed is added, so the hand has no place for it",
    ),
]
"""What is read where `LAID` lies, how many changes that takes, what is written, and why."""


@pytest.mark.parametrize(("reading", "changes", "written", "why"), READINGS)
def test_a_hand_is_put_right(
    giving: Giving, reading: Reading, changes: int, written: str, why: str
) -> None:
    giving.answer(True)
    giving.confirm()
    data = photo_of(LAID)
    hand = giving.hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    giving.hands.change(hand, reading_event(reading))
    made = list(player_corrections(labelled(LAID), reading))
    assert len(made) == changes, why
    for each in made:
        giving.hands.change(hand, each)
    giving.hands.change(hand, TilesConfirmed())
    rows = giving.rows()
    assert len(rows) == (1 if written == "left out" else 2), why
    for row in rows:
        found = sorted(tile["code"] for tile in row["tiles"])
        assert found == sorted(tile.code.replace("??", "BACK") for tile in LAID.tiles), why
