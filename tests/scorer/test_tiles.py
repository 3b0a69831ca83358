"""The 42 faces."""

from __future__ import annotations

from scorer.tiles import CODES, TILES, copies


def test_a_full_set_has_144_tiles() -> None:
    assert sum(copies(tile) for tile in TILES) == 144  # BMJA-T01
    assert len(CODES) == 42
