"""Draw the square of walls as lines of text, for a terminal."""

from __future__ import annotations

from device.tutoring.square import Square, SquareMark, SquareTile
from scorer.tiles import WINDS

SIGNS: dict[SquareMark, str] = {
    "wall": "░░",
    "chosen": "▒▒",
    "counted": "▒▒",
    "break": "▓▓",
    "box": "▓▓",
    "gone": "··",
    "next": "»»",
}
"""The sign of a tile. A loose tile shows its number, a dealt one its player's wind."""

OUT = 1
"""How far the kong box is moved outwards, in rows, or in tiles at the sides."""


def picture(square: Square) -> list[str]:
    """Return the lines from the top, two columns per tile and four tiles wider than a wall."""
    size = square.pairs + 2 + 2 * OUT
    rows = [["  "] * size for _ in range(size)]
    for tile in sorted(square.tiles, key=lambda tile: tile.level == "loose"):
        row, column = _cell(tile, square.pairs)
        rows[row][column] = _sign(tile)
    lines = ["".join(row) for row in rows]
    return [line.rstrip() for line in _with_names(lines, square)]


def legend(square: Square) -> str:
    """Return the meanings of the signs in use."""
    there = {tile.mark for tile in square.tiles}
    said: dict[SquareMark, str] = {
        "dealt": "E S W N: dealt to",
        "loose": "1 2: loose tiles",
        "box": f"{SIGNS['box']} kong box",
        "counted": f"{SIGNS['counted']} counted",
        "break": f"{SIGNS['break']} the break",
        "next": f"{SIGNS['next']} drawn next",
        "wall": f"{SIGNS['wall']} wall",
    }
    return "   ".join(words for mark, words in said.items() if mark in there)


def _sign(tile: SquareTile) -> str:
    if tile.mark == "dealt":
        return tile.seat * 2
    if tile.mark == "loose":
        return f"{tile.number}{tile.number}"
    return SIGNS[tile.mark]


def _cell(tile: SquareTile, pairs: int) -> tuple[int, int]:
    """Return row and column, computed for the bottom wall and rotated to the tile's side."""
    end = pairs + 1
    row = end - (tile.level != "bottom") + OUT * (tile.mark in ("box", "loose"))
    column = pairs - 1 - tile.at
    turned = {
        "bottom": (row, column),
        "right": (end - column, row),
        "top": (end - row, end - column),
        "left": (column, end - row),
    }
    down, across = turned[tile.side]
    return down + OUT, across + OUT


def _with_names(lines: list[str], square: Square) -> list[str]:
    """Write each wind inside its wall."""
    height, width, inside = len(lines), len(lines[0]), 4 * OUT + 4
    for wind, side in square.sides.items():
        name = WINDS[wind]
        row = {"bottom": height - 2 * OUT - 4, "top": 2 * OUT + 3}.get(side, height // 2)
        start = {"left": inside, "right": width - inside - len(name)}.get(
            side, (width - len(name)) // 2
        )
        lines[row] = lines[row][:start] + name + lines[row][start + len(name) :]
    return lines
