"""Register a whole tile set laid out in printed order: the order names the tiles.

The network checks the order; neither is trusted alone. Rows may come in any order, and the
photograph any way up. The most likely assignment of all rows together decides which row is which.
Within a row, tiles are aligned with the expected names as two strings are. One tile that is
missing, repeated or misplaced therefore does not shift the other names. Where order and network
disagree, the player is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, permutations

import numpy as np

from scorer.message import message
from scorer.tile_names import name_tiles
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.geometry.plane import quads_of
from vision.geometry.rows import lay_out, reading_order
from vision.merging.alignment import FACES, chances
from vision.preprocess import Float64s
from vision.reading import NamedSetTile, NameStanding, Problem, TileReading, make_problem

SET_PARTS: dict[str, tuple[str, ...]] = {
    name: tuple(code for code in CODES if code[0] == family)
    for name, family in {
        "bamboos": "B", "characters": "C", "circles": "O", "winds": "W", "dragons": "D",
        "flowers": "F", "seasons": "S",
    }.items()
}  # fmt: skip
"""Tiles that are laid side by side in this order. A row holds one suit, or one or two of the other
parts."""

SHOWN_ROWS = (
    ("bamboos",), ("characters",), ("circles",), ("winds", "dragons"), ("flowers", "seasons"),
)  # fmt: skip
"""Rows that the page asks for. Other pairs of parts in one row need clear evidence from the
faces."""

MISREAD_CHANCE = 0.02
"""Chance that the network is wrong however confident it is. It limits what one tile can prove."""

MISSING_NAME_COST_NATS = -5.0
"""Score of a name of the row that no tile has, in nats."""

NAMED_BY_LOOK_COST_NATS = -4.0
"""Score of naming a tile by its look alone where there is no order, in nats."""

UNKNOWN_TILE_COST_NATS = -4.4
"""The same for a tile that nothing is known of: the network has no name for a joker."""

MISPLACED_TILE_COST_NATS = -3.0
"""Additional score of naming a tile by its look in a row that has an order. With
NAMED_BY_LOOK_COST_NATS and MISSING_NAME_COST_NATS it outweighs one mistake of the network (at most
ln of MISREAD_CHANCE / 43, -7.7), but not two. One misread tile keeps its place; two swapped tiles
do not."""

UNUSUAL_ROW_COST_NATS = -8.0
"""Score of two parts in one row that the page does not ask for: several faces must prove it. At -3
one drawn set of 16 had its flowers taken for its seasons."""

MIN_AGREEING_CHANCE, MIN_DISAGREEING_CHANCE = 0.5, 0.8
"""The network agrees with the order from the first chance of the row's name. It disagrees from the
second chance of another name. Between them it does not know: an unfamiliar flower."""

MAX_DISAGREEING_TILES = 1
"""Of a row whose tiles all have a place: the network misreads one now and then. More, and it may be
another row: two winds and two dragons are as many tiles as the winds."""

_INDEX_BY_FACE = {code: k for k, code in enumerate(FACES)}
_FACE_DOWN_INDEX = _INDEX_BY_FACE[FACE_DOWN]


@dataclass(frozen=True, slots=True)
class RegisteredSet:
    """A photograph of a set, or of part of one, with named tiles."""

    tiles: tuple[NamedSetTile, ...]
    """Row by row, in reading order."""
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _RowFit:
    """One way to assign parts to a row of N tiles."""

    score: float
    """Its log likelihood."""
    parts: tuple[str, ...]
    names: tuple[str | None, ...]
    """(N,): name of each tile by the order; None where the order gives none."""
    missing: tuple[str, ...] = ()


def name_by_order(tiles: Sequence[TileReading]) -> RegisteredSet:
    """Name the tiles of a set laid out in rows; `tiles` as the network named them."""
    quads = quads_of(tiles)
    layout = lay_out(quads)
    rows = [[tiles[i] for i in row.tiles] for row in layout.rows]
    turned_rows = [row[::-1] for row in rows[::-1]]
    fits, rows = max(((_assign_parts(way), way) for way in (rows, turned_rows)), key=_total_score)
    named_tiles = [
        NamedSetTile(code, standing, read)
        for fit, row in zip(fits, rows, strict=True)
        for (code, standing), read in zip(_name_row(fit, row), row, strict=True)
    ]
    in_rows = {i for row in layout.rows for i in row.tiles}
    order = reading_order(layout.rows, quads) if len(quads) else ()
    loose_tiles = [tiles[i] for i in order if i not in in_rows]
    named_tiles += [NamedSetTile(tile.code, "ask", tile) for tile in loose_tiles]
    problems = [
        problem
        for number, (fit, row) in enumerate(zip(fits, rows, strict=True))
        for problem in _row_problems(number + 1, fit, row)
    ]
    return RegisteredSet(
        tuple(named_tiles),
        (*problems, *_left_out_problems(len(loose_tiles)), *_no_tiles_problems(named_tiles)),
    )


def _total_score(ways: tuple[list[_RowFit], object]) -> float:
    return sum(fit.score for fit in ways[0])


def _assign_parts(rows: Sequence[Sequence[TileReading]]) -> list[_RowFit]:
    """Return the most likely assignment of parts to rows, each part at most once."""
    best: dict[frozenset[str], tuple[float, list[_RowFit]]] = {frozenset(): (0.0, [])}
    for row in rows:
        fits = [*_possible_fits(row)]
        after: dict[frozenset[str], tuple[float, list[_RowFit]]] = {}
        for used_parts, (score, before) in best.items():
            for fit in fits:
                parts = used_parts.union(fit.parts)
                if (
                    used_parts.isdisjoint(fit.parts)
                    and score + fit.score > after.get(parts, (-np.inf,))[0]
                ):
                    after[parts] = (score + fit.score, [*before, fit])
        best = after
    return max(best.values(), key=lambda candidate: candidate[0])[1]


def _possible_fits(row: Sequence[TileReading]) -> Iterator[_RowFit]:
    """Yield every assignment that is possible for a row."""
    log_chances = np.array([_log_chances(tile) for tile in row])
    lone_scores = np.array(
        [_score_without_order(tile, logs) for tile, logs in zip(row, log_chances, strict=True)]
    )
    yield _RowFit(float(lone_scores.sum()), (), (None,) * len(row))
    for parts in _row_orders():
        names = [*chain.from_iterable(SET_PARTS[part] for part in parts)]
        if len(names) <= 1.5 * len(row):  # a row without a third of its names is another row
            likely = log_chances[:, [_INDEX_BY_FACE[name] for name in names]]
            yield _align_names(likely, lone_scores + MISPLACED_TILE_COST_NATS, parts, names)


def _log_chances(tile: TileReading) -> Float64s:
    """Return the log chances (43,) of what a tile may be, by FACES.

    A hesitating network has not met such a face, so its low chances say little.
    """
    look_chances = chances(tile) ** tile.confidence
    return np.asarray(
        np.log(
            (1 - MISREAD_CHANCE) * look_chances / look_chances.sum() + MISREAD_CHANCE / len(FACES)
        )
    )


@cache
def _row_orders() -> tuple[tuple[str, ...], ...]:
    short = [part for part, codes in SET_PARTS.items() if len(codes) <= 4]
    return (*((part,) for part in SET_PARTS), *permutations(short, 2))


def _score_without_order(tile: TileReading, log_chances: Float64s) -> float:
    """Return the score of a tile that no order names; face-down tiles may lie anywhere."""
    if tile.code == FACE_DOWN:
        return float(log_chances[_FACE_DOWN_INDEX])
    known_score = (
        np.log(tile.confidence)
        if tile.code == JOKER
        else log_chances.max() + NAMED_BY_LOOK_COST_NATS
    )
    return float(max(known_score, UNKNOWN_TILE_COST_NATS))


def _align_names(
    likely: Float64s, lone_scores: Float64s, parts: tuple[str, ...], names: list[str]
) -> _RowFit:
    """Return the best match of tiles with names in order; `likely` is (tiles, names)."""
    tiles, name_count = likely.shape
    best = np.zeros((tiles + 1, name_count + 1))
    best[1:, 0] = np.cumsum(lone_scores)
    best[0, 1:] = MISSING_NAME_COST_NATS * np.arange(1, name_count + 1)
    for i in range(tiles):
        for j in range(name_count):
            best[i + 1, j + 1] = max(
                best[i, j] + likely[i, j],
                best[i, j + 1] + lone_scores[i],
                best[i + 1, j] + MISSING_NAME_COST_NATS,
            )
    matched_names: list[str | None] = [None] * tiles
    i, j = tiles, name_count
    while i and j:
        if best[i, j] == best[i - 1, j - 1] + likely[i - 1, j - 1]:
            i, j = i - 1, j - 1
            matched_names[i] = names[j]
        elif best[i, j] == best[i - 1, j] + lone_scores[i - 1]:
            i -= 1
        else:
            j -= 1
    odd = 0.0 if len(parts) == 1 or parts in SHOWN_ROWS else UNUSUAL_ROW_COST_NATS
    missing = tuple(name for name in names if name not in matched_names)
    return _RowFit(float(best[-1, -1]) + odd, parts, tuple(matched_names), missing)


def _name_row(fit: _RowFit, row: Sequence[TileReading]) -> Iterator[tuple[str, NameStanding]]:
    """Yield the name of each tile of a row, and how far to trust it."""
    strange_tiles = _unnamed_tiles(fit, row)
    in_order = not fit.missing and not strange_tiles
    jokers = _are_jokers(fit, strange_tiles)
    for name, tile in zip(fit.names, row, strict=True):
        if name is not None:
            yield name, _judge_standing(name, tile, in_order)
        elif tile.code == FACE_DOWN:
            # If a tile is missing, this may be a blank white dragon.
            yield (
                FACE_DOWN,
                "ask" if fit.missing or tile.confidence < MIN_AGREEING_CHANCE else "sure",
            )
        elif jokers:
            yield JOKER, "look"
        else:
            yield tile.code, "ask" if tile.doubtful else "look"


def _judge_standing(name: str, tile: TileReading, in_order: bool) -> NameStanding:
    if tile.code == name and not tile.doubtful:
        return "sure"
    if not in_order:
        return "ask"
    if chances(tile)[_INDEX_BY_FACE[name]] >= MIN_AGREEING_CHANCE:
        return "sure"
    return "look" if tile.confidence < MIN_DISAGREEING_CHANCE else "ask"


def _unnamed_tiles(fit: _RowFit, row: Sequence[TileReading]) -> list[TileReading]:
    """Return the face-up tiles that the order does not name."""
    return [
        tile
        for name, tile in zip(fit.names, row, strict=True)
        if name is None and tile.code != FACE_DOWN
    ]


def _count_disagreeing(fit: _RowFit, row: Sequence[TileReading]) -> int:
    """Return how many tiles the network is sure of and the order names otherwise."""
    return sum(
        name is not None and name != tile.code and not tile.doubtful
        for name, tile in zip(fit.names, row, strict=True)
    )


def _are_jokers(fit: _RowFit, strangers: Sequence[TileReading]) -> bool:
    """Return whether these are jokers: a row of their own, all unknown to the network."""
    return not fit.parts and all(tile.code == JOKER or tile.doubtful for tile in strangers)


def _row_problems(number: int, fit: _RowFit, row: Sequence[TileReading]) -> Iterator[Problem]:
    """Yield what the player should know about a row, counted from the top."""
    strange_tiles = _unnamed_tiles(fit, row)
    parts = tuple(message(f"row.{part}") for part in fit.parts)
    misplaced_codes = {tile.code for tile in strange_tiles}
    missing = [code for code in fit.missing if code not in misplaced_codes]
    if missing:
        count = len(fit.missing) + sum(name is not None for name in fit.names)
        lack = name_tiles(missing)
        text = message("row.incomplete", row=number, what=parts, wanted=count, lack=lack)
        yield make_problem("row-incomplete", text)
    elif fit.parts and (strange_tiles or _count_disagreeing(fit, row) > MAX_DISAGREEING_TILES):
        yield make_problem("row-order", message("row.order", row=number, what=parts))
    elif strange_tiles and _are_jokers(fit, strange_tiles):
        yield make_problem("row-unknown", message("row.jokers", row=number))
    elif strange_tiles:
        yield make_problem("row-order", message("row.unknown-order", row=number))


def _left_out_problems(count: int) -> Iterator[Problem]:
    if count:
        yield make_problem("left-out", message("row.apart", count=count))


def _no_tiles_problems(tiles: Sequence[NamedSetTile]) -> Iterator[Problem]:
    if not tiles:
        yield make_problem("no-tiles", message("seen.no-tiles"))
