"""Whether a photograph is so bad that who took it had better take it again, and why.

What `vision.quality` says of a photograph is a remark, with which its hand can still be looked at.
Here is what stops everything else, while the tiles still lie there: so it must not cry wolf.
`python -m tests.prove.asking_again` measures how often it does, and what it catches.
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
"""What is wrong with all of a photograph: with one of these, tiles are missed and misread that
nothing else tells of."""

_MISCOUNTED = frozenset({"tile-count", "tile-count-kongs"})
"""Codes of what is asked where the hand has too few tiles, or too many."""


def why_take_again(reading: Reading, photo: Photo) -> tuple[Problem, ...]:
    """Return why a photograph of a hand had better be taken again; nothing where it is fit."""
    cut = _cut(reading, photo)
    why = [_cut_off(reading, cut)] if cut else []
    why += [problem for problem in reading.problems if problem.code in WHOLE]
    return tuple(why)


def why_take_table_again(found: Mapping[Side, Reading], photo: Photo) -> tuple[Problem, ...]:
    """Return the same of a photograph of the whole table, each thing once."""
    if not found:
        return (NO_TILES,)
    why = [problem for reading in found.values() for problem in why_take_again(reading, photo)]
    return tuple({problem.code: problem for problem in why}.values())


NO_TILES = Problem("no-tiles", message("seen.no-tiles"))


def _cut(reading: Reading, photo: Photo) -> list[Float32s]:
    """Return the quads (4, 2) of the hand's tiles that the picture's edge cuts off to its harm.

    None where other players' hands are in the picture, which is asked by itself.
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
    """Whether it matters that these tiles are cut off.

    It does not where they are read surely and the hand has all its tiles, nor of a flower alone,
    which may be anybody's.
    """
    if [*cut.values()] == ["bonus"]:
        return False
    miscounted = bool(cut and codes & _MISCOUNTED)
    return miscounted or any(reading.tiles[place].doubtful for place in cut)


def _cut_off(reading: Reading, quads: Sequence[Float32s]) -> Problem:
    """Return at which edge of the picture tiles are cut off."""
    corners = np.concatenate(quads)
    (left, top), (x, y) = -corners.min(0), corners.max(0)
    beyond = {"left": left, "right": x - reading.width, "top": top, "bottom": y - reading.height}
    edge = max(beyond, key=lambda side: float(beyond[side]))
    return Problem(f"cut-{edge}", message(f"again.cut-{edge}"))
