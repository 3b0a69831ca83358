"""The square of walls as one player sees it: where each tile lies, and what it is marked as.

`device.views.tutor.wall_drawing` draws it as shapes, and this module as text for a terminal. All
rules are the scorer's, in its wall and deal. In the text, a tile is two columns wide. Pairs of the
top and bottom walls take two rows, those of the side walls one. The kong box is moved outwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from scorer.table_setup.wall import CLOCKWISE_WALLS, DealtWall, Wall, WallPair, WallPlace, WallRules
from scorer.tiles import WINDS

SquareSide = Literal["bottom", "right", "top", "left"]

SIDES: tuple[SquareSide, ...] = ("bottom", "right", "top", "left")
"""The sides in order of play from the viewer's seat: the next player sits at the right."""

SquareStage = Literal["built", "chosen", "counted", "broken", "dealt", "played"]
"""The stages of setting up the table. Each shows the result of the step before."""

SquareMark = Literal["wall", "chosen", "counted", "break", "loose", "box", "dealt", "gone", "next"]


@dataclass(frozen=True, slots=True)
class SquareTile:
    """One tile of the square."""

    place: WallPlace
    """Where it was built."""
    side: SquareSide
    at: int
    """Number of pairs to its right, as the player of that side sees it: 0 at the right end."""
    level: Literal["bottom", "top", "loose"]
    """Loose tiles lie on top of others."""
    mark: SquareMark
    seat: str = ""
    """The seat that it is dealt to."""
    number: int = 0
    """The number of its pair in the count, of its packet in the deal, or of the loose tile."""


@dataclass(frozen=True, slots=True)
class Square:
    """All tiles, each once, clockwise from the viewer's right end as they were built."""

    pairs: int
    """Length of each wall in pairs."""
    sides: Mapping[str, SquareSide]
    """The side of each wind."""
    tiles: tuple[SquareTile, ...]


def sides(seat: str) -> dict[str, SquareSide]:
    """Return the side of each wind, as seen from a seat (BMJA-P02)."""
    order = "".join(WINDS)
    first = order.index(seat)
    return dict(zip(order[first:] + order[:first], SIDES, strict=True))


def built_square(rules: WallRules, seat: str) -> Square:
    """Return the complete walls, seen from a seat."""
    return _square(rules, seat, {})


def chosen_square(rules: WallRules, seat: str, wall: str) -> Square:
    """Return the walls with the chosen wall marked."""
    return _square(rules, seat, {p: ("chosen", "", 0) for p in _places(rules) if p.wall == wall})


def broken_square(
    wall: Wall, seat: str, stage: SquareStage, dealt_wall: DealtWall | None = None
) -> Square:
    """Return the walls at a stage after the dice are known, with the tiles of a deal marked."""
    marks: dict[WallPlace, _TileMark] = {}
    if stage == "counted":
        marks |= dict(_counted_marks(wall))
    elif stage in ("broken", "dealt", "played"):
        marks |= dict.fromkeys(wall.kong_box, ("box", "", 0))
        marks |= {each.place: ("loose", "", n) for n, each in enumerate(wall.loose, 1)}
    if dealt_wall and stage in ("dealt", "played"):
        mark: SquareMark = "dealt" if stage == "dealt" else "gone"
        for number, packet in enumerate(dealt_wall.packets, 1):
            marks |= dict.fromkeys(packet.places, (mark, packet.seat, number))
        if stage == "played":
            marks[dealt_wall.left[0]] = ("next", "", 0)
    pairs_on_top = (
        {each.place: each.pair for each in wall.loose} if stage not in ("chosen", "counted") else {}
    )
    return _square(wall.rules, seat, marks, pairs_on_top)


_TileMark = tuple[SquareMark, str, int]


def counted_pairs(wall: Wall) -> tuple[WallPair, ...]:
    """Return the pairs that are counted, from the right end of the chosen wall to the break."""
    # Backwards from the break, anticlockwise: first the kong box, then the end of the live wall.
    backwards = dict.fromkeys(
        WallPair(place.wall, place.pair) for place in chain(wall.kong_box, reversed(wall.live))
    )
    return tuple(backwards)[: wall.count][::-1]


def _counted_marks(wall: Wall) -> Iterator[tuple[WallPlace, _TileMark]]:
    for number, pair in enumerate(counted_pairs(wall), 1):
        mark: SquareMark = "break" if pair == wall.broken_at else "counted"
        yield WallPlace(pair.wall, pair.number, "top"), (mark, "", number)
        yield WallPlace(pair.wall, pair.number, "bottom"), (mark, "", number)


def _places(rules: WallRules) -> Iterator[WallPlace]:
    for wall in CLOCKWISE_WALLS:
        for pair in range(1, rules.pairs + 1):
            yield WallPlace(wall, pair, "top")
            yield WallPlace(wall, pair, "bottom")


def _square(
    rules: WallRules,
    seat: str,
    marks: Mapping[WallPlace, _TileMark],
    pairs_on_top: Mapping[WallPlace, WallPair] | None = None,
) -> Square:
    seen_sides = sides(seat)
    first = CLOCKWISE_WALLS.index(seat)
    clockwise = CLOCKWISE_WALLS[first:] + CLOCKWISE_WALLS[:first]
    tiles = []
    for place in sorted(_places(rules), key=lambda place: clockwise.index(place.wall)):
        mark, owner, number = marks.get(place, ("wall", "", 0))
        lies = (pairs_on_top or {}).get(place)
        wall, pair = (lies.wall, lies.number) if lies else (place.wall, place.pair)
        level: Literal["bottom", "top", "loose"] = "loose" if lies else place.layer
        tiles.append(SquareTile(place, seen_sides[wall], pair - 1, level, mark, owner, number))
    return Square(rules.pairs, seen_sides, tuple(tiles))


TILE_SIGNS: dict[SquareMark, str] = {
    "wall": "░░",
    "chosen": "▒▒",
    "counted": "▒▒",
    "break": "▓▓",
    "box": "▓▓",
    "gone": "··",
    "next": "»»",
}
"""The sign of a tile. A loose tile shows its number, a dealt one its player's wind."""

KONG_BOX_OFFSET_CELLS = 1
"""How far the kong box is moved outwards, in rows, or in tiles at the sides."""


def draw_square(square: Square) -> list[str]:
    """Return the lines from the top, two columns per tile and four tiles wider than a wall."""
    size = square.pairs + 2 + 2 * KONG_BOX_OFFSET_CELLS
    rows = [["  "] * size for _ in range(size)]
    for tile in sorted(square.tiles, key=lambda tile: tile.level == "loose"):
        row, column = _cell(tile, square.pairs)
        rows[row][column] = _sign(tile)
    lines = ["".join(row) for row in rows]
    return [line.rstrip() for line in _write_winds(lines, square)]


def write_legend(square: Square) -> str:
    """Return the meanings of the signs in use."""
    marks = {tile.mark for tile in square.tiles}
    meanings: dict[SquareMark, str] = {
        "dealt": "E S W N: dealt to",
        "loose": "1 2: loose tiles",
        "box": f"{TILE_SIGNS['box']} kong box",
        "counted": f"{TILE_SIGNS['counted']} counted",
        "break": f"{TILE_SIGNS['break']} the break",
        "next": f"{TILE_SIGNS['next']} drawn next",
        "wall": f"{TILE_SIGNS['wall']} wall",
    }
    return "   ".join(words for mark, words in meanings.items() if mark in marks)


def _sign(tile: SquareTile) -> str:
    if tile.mark == "dealt":
        return tile.seat * 2
    if tile.mark == "loose":
        return f"{tile.number}{tile.number}"
    return TILE_SIGNS[tile.mark]


def _cell(tile: SquareTile, pairs: int) -> tuple[int, int]:
    """Return row and column, computed for the bottom wall and rotated to the tile's side."""
    end = pairs + 1
    row = end - (tile.level != "bottom") + KONG_BOX_OFFSET_CELLS * (tile.mark in ("box", "loose"))
    column = pairs - 1 - tile.at
    places = {
        "bottom": (row, column),
        "right": (end - column, row),
        "top": (end - row, end - column),
        "left": (column, end - row),
    }
    row_down, column_across = places[tile.side]
    return row_down + KONG_BOX_OFFSET_CELLS, column_across + KONG_BOX_OFFSET_CELLS


def _write_winds(lines: list[str], square: Square) -> list[str]:
    """Write each wind inside its wall."""
    height, width, inner_size = len(lines), len(lines[0]), 4 * KONG_BOX_OFFSET_CELLS + 4
    for wind, side in square.sides.items():
        name = WINDS[wind]
        row = {
            "bottom": height - 2 * KONG_BOX_OFFSET_CELLS - 4,
            "top": 2 * KONG_BOX_OFFSET_CELLS + 3,
        }.get(side, height // 2)
        start = {"left": inner_size, "right": width - inner_size - len(name)}.get(
            side, (width - len(name)) // 2
        )
        lines[row] = lines[row][:start] + name + lines[row][start + len(name) :]
    return lines
