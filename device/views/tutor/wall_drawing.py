"""Draw the square of walls: positions of tiles and letters.

Positions are computed for the bottom wall and turned about the centre (0, 0) to the wall's
side. Letters stay upright.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from device.tutoring.square import SIDES, Square, SquareSide, SquareTile

HALF_PICTURE = 208
"""Half the picture's side; the picture is a square about (0, 0)."""

HALF_PICTURE_WITHOUT_WALLS = 150
"""Half the side of a picture without walls."""

WALL_LENGTH = 324
"""Length of a wall."""

WALL_DEPTH = 34
"""Depth of a wall. The square's side exceeds a wall by this, as one end stands outside."""

TOP_TILE_DEPTH = 18
"""Part of the depth that the upper tile covers; the lower tile shows behind it."""

KONG_BOX_OFFSET = 12
"""Distance by which the kong box is moved outwards."""

NUMBERED_PAIR_INTERVAL = 5
"""Every pair at this interval has its number beside it."""

_OUTER_EDGE = (WALL_LENGTH + WALL_DEPTH) / 2
_INNER_EDGE = _OUTER_EDGE - WALL_DEPTH

_LEVEL_DEPTHS = {
    "top": (_INNER_EDGE, TOP_TILE_DEPTH),
    "bottom": (_INNER_EDGE + TOP_TILE_DEPTH, WALL_DEPTH - TOP_TILE_DEPTH),
    "loose": (_INNER_EDGE + 1, TOP_TILE_DEPTH),
}
"""Distance of each level from the centre, and its depth."""


@dataclass(frozen=True, slots=True)
class DrawnTile:
    """A rectangle: one tile."""

    x: float
    y: float
    width: float
    height: float
    mark: str
    level: str
    seat: str
    turn: int
    """Its number in counting or dealing, from 1; 0 for other tiles."""


@dataclass(frozen=True, slots=True)
class DrawnLetter:
    """A wind or a number in the picture."""

    x: float
    y: float
    kind: str
    """`packet` or `single` for dealt tiles, else `order`, `count`, `last` or `loose`."""
    text: str
    """A wind's letter for `packet` and `single`, else a number."""


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """The seat at one side."""

    wind: str
    side: SquareSide
    x: float
    y: float
    name: str
    """Empty for an empty seat."""
    tally: str
    """The numbers that fall on this wall when walls are counted."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class WallDrawing:
    """A picture of the table from the viewer's seat."""

    tiles: tuple[DrawnTile, ...]
    letters: tuple[DrawnLetter, ...]
    seats: tuple[DrawnSeat, ...]
    turn_direction: str
    """`clockwise` or `anticlockwise`: the arrow in the middle."""
    middle: str
    """The number in the middle."""

    @property
    def box(self) -> str:
        """Return the SVG viewBox; a picture without walls is smaller."""
        half = HALF_PICTURE if self.tiles else HALF_PICTURE_WITHOUT_WALLS
        return f"{-half} {-half} {2 * half} {2 * half}"


def draw_tiles(square: Square) -> tuple[DrawnTile, ...]:
    """Return the tiles in painting order."""
    order = ("bottom", "top", "loose")
    return tuple(
        _draw_tile(tile, square.pairs)
        for tile in sorted(square.tiles, key=lambda tile: order.index(tile.level))
    )


def draw_letters(square: Square) -> tuple[DrawnLetter, ...]:
    """Return the letters and numbers on and beside the tiles."""
    return (*_packet_letters(square), *_count_letters(square), *_loose_letters(square))


def draw_seats(
    sides: Mapping[str, SquareSide], names: Mapping[str, str], walls: Iterable[str] = ()
) -> tuple[DrawnSeat, ...]:
    """Return the seats; `walls` are the winds in counting order."""
    counted_walls = list(walls)
    return tuple(
        DrawnSeat(
            wind,
            side,
            *turn_point(side, 0, _INNER_EDGE - 24),
            names.get(wind, ""),
            " · ".join(str(n) for n, each in enumerate(counted_walls, 1) if each == wind),
            bool(counted_walls) and counted_walls[-1] == wind,
        )
        for wind, side in sides.items()
    )


def turn_point(side: SquareSide, x: float, y: float) -> tuple[float, float]:
    """Return a point of the bottom side as it lies on another side."""
    for _ in range(SIDES.index(side)):
        x, y = y, -x
    return x, y


def _tile_middle(tile: SquareTile, pairs: int) -> tuple[float, float]:
    """Return the centre of a tile as if it were at the bottom."""
    width = WALL_LENGTH / pairs
    begins, depth = _LEVEL_DEPTHS[tile.level]
    offset = KONG_BOX_OFFSET if tile.mark in ("box", "loose") else 0
    return _INNER_EDGE - (tile.at + 0.5) * width, begins + depth / 2 + offset


def _draw_tile(tile: SquareTile, pairs: int) -> DrawnTile:
    x, y = turn_point(tile.side, *_tile_middle(tile, pairs))
    width, height = WALL_LENGTH / pairs, _LEVEL_DEPTHS[tile.level][1]
    if tile.side in ("right", "left"):
        width, height = height, width
    left, top = round(x - width / 2, 2), round(y - height / 2, 2)
    turn = tile.number if tile.mark in ("counted", "break", "dealt") else 0
    return DrawnTile(left, top, round(width, 2), height, tile.mark, tile.level, tile.seat, turn)


def _packet_letters(square: Square) -> Iterator[DrawnLetter]:
    """Yield the letter in the middle of each packet, and the packet's number.

    A packet round a corner has two letters. Of single tiles only the first and last are numbered.
    """
    dealt_tiles = [tile for tile in square.tiles if tile.mark == "dealt"]
    size = Counter(tile.number for tile in dealt_tiles)
    numbered_packets = {number for number in size if size[number] > 1}
    numbered_packets |= {len(numbered_packets) + 1, len(size)}
    parts: dict[tuple[int, str, SquareSide], list[SquareTile]] = defaultdict(list)
    for tile in dealt_tiles:
        parts[tile.number, tile.seat, tile.side].append(tile)
    for (number, seat, side), tiles in parts.items():
        middles = [_tile_middle(tile, square.pairs) for tile in tiles]
        x = sum(x for x, _ in middles) / len(tiles)
        # Two layers: the middle of the wall, not of the tiles' middles.
        y = middles[0][1] if len(tiles) == 1 else _INNER_EDGE + WALL_DEPTH / 2
        yield _draw_letter(side, x, y, "single" if len(tiles) == 1 else "packet", seat)
        if number in numbered_packets:
            numbered_packets.remove(number)
            yield _letter_outside(side, x, "order", number)


def _count_letters(square: Square) -> Iterator[DrawnLetter]:
    counted_tiles = {
        tile.number: tile for tile in square.tiles if tile.mark in ("counted", "break")
    }
    last = max(counted_tiles, default=0)
    for number, tile in counted_tiles.items():
        at_end = tile.at == square.pairs - 1
        is_shown = number == 1 or number % NUMBERED_PAIR_INTERVAL == 0 or at_end
        close = any(
            abs(number - other) == 1
            for other in (last, *_wall_end_numbers(counted_tiles, square.pairs))
        )
        if number == last or at_end or (is_shown and not close):
            x, _ = _tile_middle(tile, square.pairs)
            kind = "last" if number == last else "count"
            yield _letter_outside(tile.side, x, kind, number)


def _wall_end_numbers(counted_tiles: Mapping[int, SquareTile], pairs: int) -> Iterator[int]:
    yield from (number for number, tile in counted_tiles.items() if tile.at == pairs - 1)


def _loose_letters(square: Square) -> Iterator[DrawnLetter]:
    for tile in square.tiles:
        if tile.level == "loose":
            x, y = _tile_middle(tile, square.pairs)
            yield _draw_letter(tile.side, x, y, "loose", str(tile.number))


def _letter_outside(side: SquareSide, x: float, kind: str, number: int) -> DrawnLetter:
    """Return a number outside the wall; a little further out at the sides, where it is wide."""
    return _draw_letter(
        side, x, _OUTER_EDGE + (16 if side in ("right", "left") else 12), kind, str(number)
    )


def _draw_letter(side: SquareSide, x: float, y: float, kind: str, text: str) -> DrawnLetter:
    x, y = turn_point(side, x, y)
    return DrawnLetter(round(x, 1), round(y, 1), kind, text)
