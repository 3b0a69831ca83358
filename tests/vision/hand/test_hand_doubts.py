"""A set that looks strange is doubted as a whole."""

from __future__ import annotations

import pytest
from msgspec import structs

from scorer.tiles import FACE_DOWN
from tests.vision.laid_hand import read_rows
from vision.hand.hand_doubts import measure_unfamiliarity, reduce_confidence
from vision.hand.laid_hand import lay_hand
from vision.reading import TileReading

GATE = 0.954


QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def named_tiles(*tiles: tuple[str, float]) -> list[TileReading]:
    """Return tiles with the circles' 9 as the next best name."""
    return [
        TileReading(code, sure, QUAD, 0, (("O9", round(1 - sure, 4)),), sure < GATE)
        for code, sure in tiles
    ]


SURE = [(f"C{k}", 0.9995) for k in range(1, 10)]

WAVERING = [("O5", 0.99), *((f"B{k}", 0.8) for k in range(2, 6)), *SURE[:5]]
"""Of a strange style: 4 circles, surely taken for 5, two in five of the other tiles in doubt."""

HARDLY_KNOWN = [(f"B{k}", 0.7) for k in range(2, 8)]


@pytest.mark.parametrize(
    ("tiles", "asked_count", "reason"),
    [
        ([("O5", 0.99), *SURE], 0, "a set like those learnt from: all stays sure"),
        ([("O5", 0.99), ("F1", 0.5), ("S3", 0.6), *SURE], 2, "flowers alone: every set's differ"),
        ([("O5", 0.99), ("DW", 0.5), ("B1", 0.6), *SURE], 2, "so do birds and white dragons"),
        ([("O5", 0.995), ("B7", 0.6), *SURE], 1, "one tile in doubt is no strange set"),
        (WAVERING, 5, "two in five in doubt: a strange set, so the 5 is asked about, too"),
        ([*HARDLY_KNOWN, *SURE[:5]], 11, "half of them guesses: no name of the set is sure"),
        ([("O5", 0.97)], 0, "a single tile says nothing of its set"),
    ],
)
def test_what_is_asked(tiles: list[tuple[str, float]], asked_count: int, reason: str) -> None:
    tiles_seen = named_tiles(*tiles)
    tiles_after = reduce_confidence(tiles_seen, measure_unfamiliarity(tiles_seen), GATE)
    assert sum(tile.doubtful for tile in tiles_after) == asked_count, reason
    assert [tile.code for tile in tiles_after] == [code for code, _ in tiles], "no name changes"


def test_nothing_becomes_surer() -> None:
    before = named_tiles(*WAVERING)
    for was, now in zip(before, reduce_confidence(before, 0.1, GATE), strict=True):
        assert 0.5 < now.confidence < was.confidence
        assert now.doubtful


def test_what_is_printed_is_as_sure_on_a_strange_set() -> None:
    look, printed_tile = named_tiles(("C3", 0.8), ("C3", 0.9998))
    read = structs.replace(printed_tile, print_odds=1000.0)
    by_look, by_print, both_together = reduce_confidence([look, printed_tile, read], 0.1, GATE)
    assert (by_look.doubtful, by_print.doubtful, both_together.doubtful) == (True, True, False)
    assert by_print.confidence < both_together.confidence < read.confidence


def test_strangeness_grows_with_every_doubt() -> None:
    doubts = [
        measure_unfamiliarity(named_tiles(*[(f"B{k}", 0.7) for k in range(2, 2 + count)], *SURE))
        for count in range(6)
    ]
    assert doubts == sorted(set(doubts))
    assert doubts[0] < 0.001
    assert measure_unfamiliarity([]) == 0


@pytest.mark.parametrize("wall_rows", [1, 2, 3])
def test_backs_of_a_wall_are_no_question(wall_rows: int) -> None:
    """Nothing of the hand depends on them; those of its own sets stay in doubt."""
    rows = [*[" ".join([FACE_DOWN] * 17)] * wall_rows, "B2 B2 B2 C4 C5 C6 WE ?? ?? WE O9 O9"]
    tiles = [
        structs.replace(tile, confidence=0.8, doubtful=True) if tile.code == FACE_DOWN else tile
        for tile in read_rows(rows).tiles
    ]
    laid_hand = lay_hand(tiles, "bmja")
    asked_places = {k for k, tile in enumerate(laid_hand.tiles) if tile.doubtful}
    assert asked_places == {k for k in laid_hand.hand_tiles if laid_hand.tiles[k].code == FACE_DOWN}
    assert len(asked_places) == 2
