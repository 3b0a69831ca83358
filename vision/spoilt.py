"""Decide whether a photograph should be taken again, and say why.

The remarks of `vision.quality` still leave a hand to look at. These reasons interrupt the players
while the tiles still lie there, so false alarms must be rare. `python -m tests.prove.asking_again`
measures false alarms and what is caught.

Tiles mostly outside the picture are not found, so nothing else reports them as missing. Where a row
reaches the picture's edge, one more tile may lie beyond its last one. A tile is assumed there when
the visible part has the tiles' colour and the rest of the table does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from scorer.message import message
from vision.beyond import mostly_outside
from vision.photo import Photo
from vision.preprocess import Float32s
from vision.quality import CUT, NOT_A_HAND, share_outside
from vision.reading import Problem, Reading, RowName, Side

WHOLE = frozenset({"no-tiles", "too-dark", "too-far", "blurred"})
"""Codes of faults of the whole photograph: tiles are then missed and misread without any sign."""

_MISCOUNTED = frozenset({"tile-count", "tile-count-kongs"})
"""Codes of the questions about a hand with too few or too many tiles."""


def why_take_again(reading: Reading, photo: Photo) -> tuple[Problem, ...]:
    """Return why a photograph of a hand should be taken again; empty if it is good enough."""
    cut = _cut(reading, photo)
    why = [_cut_off(reading, cut)] if cut else []
    why += [problem for problem in reading.problems if problem.code in WHOLE]
    return tuple(why)


def why_take_table_again(found: Mapping[Side, Reading], photo: Photo) -> tuple[Problem, ...]:
    """Return the same for a photograph of the whole table, each reason once."""
    if not found:
        return (NO_TILES,)
    why = [problem for reading in found.values() for problem in why_take_again(reading, photo)]
    return tuple({problem.code: problem for problem in why}.values())


NO_TILES = Problem("no-tiles", message("seen.no-tiles"))


def _cut(reading: Reading, photo: Photo) -> list[Float32s]:
    """Return the quads (4, 2) of the hand's tiles that are cut off so that it matters.

    Empty where other players' hands are in the picture: that is a question of its own.
    """
    codes = {problem.code for problem in reading.problems}
    if NOT_A_HAND.code in codes:
        return []
    rows = {tile: laid.row for laid in reading.sets for tile in laid.tiles}
    quads = {place: np.array(reading.tiles[place].quad, np.float32) for place in rows}
    size = reading.width, reading.height
    found = {place: rows[place] for place in rows if share_outside(quads[place], *size) > CUT}
    seen = [quads[place] for place in found] if _harms(reading, found, codes) else []
    return seen + mostly_outside(photo, reading.tiles, rows)


def _harms(reading: Reading, cut: Mapping[int, RowName], codes: Set[str]) -> bool:
    """Return whether it matters that these tiles are cut off.

    It does not when they are read with confidence and the hand is complete. Nor does it for a
    single flower, which may belong to anybody.
    """
    if [*cut.values()] == ["bonus"]:
        return False
    miscounted = bool(cut and codes & _MISCOUNTED)
    return miscounted or any(reading.tiles[place].doubtful for place in cut)


def _cut_off(reading: Reading, quads: Sequence[Float32s]) -> Problem:
    """Return the problem that names the edge at which tiles are cut off."""
    corners = np.concatenate(quads)
    (left, top), (x, y) = -corners.min(0), corners.max(0)
    overhang = {"left": left, "right": x - reading.width, "top": top, "bottom": y - reading.height}
    edge = max(overhang, key=lambda side: float(overhang[side]))
    return Problem(f"cut-{edge}", message(f"again.cut-{edge}"))
