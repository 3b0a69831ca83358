"""More of a face than a set holds: the likeliest misread are asked about, with the next guesses."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.vision.laid_hand import GATE, TILE_HEIGHT, TILE_WIDTH
from vision.hand.laid_hand import lay_hand
from vision.reading import TileReading


@dataclass(frozen=True)
class Case:
    """A row of tiles, and which of them are asked about."""

    reason: str
    tiles: str
    """Codes; `B2:.93` is how sure the reading is of it."""
    asked_codes: str
    """One mark for each tile: ? or -."""


CASES = [
    Case("five, all as sure: any may be wrong", "O6 O6 O6 O6 O6", "?????"),
    Case("five, one less sure than the others", "O6 O6:.95 O6 O6 O6", "-?---"),
    Case("five, two about as unsure", "O6 O6:.95 O6:.96 O6 O6", "-??--"),
    Case("six: the two least sure", "O6:.97 O6 O6 O6:.92 O6 O6", "?--?--"),
    Case("six, only one unsure: it and whichever else", "O6:.95 O6 O6 O6 O6 O6", "??????"),
    Case("four are as many as there are", "O6 O6 O6 O6 C1", "-----"),
    Case("one flower of each", "B1 B2 B3 F2 F2", "---??"),
    Case("the less sure of two like flowers", "B1 B2 B3 F2 F2:.95", "----?"),
    Case("two faces too many, each by itself", "O6 O6 O6 O6 O6:.95 | S1 S1", "----???"),
    Case("a back is what its neighbours are, and nothing to ask", "?? O6 O6 ?? | O6:.95", "----?"),
    Case("jokers are not counted", "JK JK JK JK JK", "-----"),
    Case("backs that nothing tells of are not counted", "?? B1 ?? B2 ?? B3 ??", "-------"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
def test_which_tiles_are_asked_about(case: Case) -> None:
    laid_hand = lay_hand(_row(case.tiles), "bmja", GATE)
    assert "".join("?" if tile.doubtful else "-" for tile in laid_hand.tiles) == case.asked_codes
    assert all(tile.alternatives for tile in laid_hand.tiles if tile.doubtful), (
        "there is what to choose"
    )


def _row(text: str) -> list[TileReading]:
    tiles: list[TileReading] = []
    x = 200.0
    for word in text.split():
        if word == "|":
            x += TILE_WIDTH
            continue
        code, _, sure = word.partition(":")
        right, low = x + TILE_WIDTH, 300.0 + TILE_HEIGHT
        quad = ((x, 300.0), (right, 300.0), (right, low), (x, low))
        tiles.append(TileReading(code, float(sure or 0.999), quad, 0, (("WN", 0.0005),), False))
        x += TILE_WIDTH + 2
    return tiles
