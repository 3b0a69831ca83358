"""Draw the square of walls: positions of tiles and letters.

Positions are computed for the bottom wall and turned about the centre (0, 0) to the wall's
side. Letters stay upright.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from device.tutoring.square import SIDES, Square, SquareSide, SquareTile

HALF = 208
"""Half the picture's side; the picture is a square about (0, 0)."""

SEATS = 150
"""Half the side of a picture without walls."""

WALL = 324
"""Length of a wall."""

DEPTH = 34
"""Depth of a wall. The square's side exceeds a wall by this, as one end stands outside."""

TOP = 18
"""Part of the depth that the upper tile covers; the lower tile shows behind it."""

OUT = 12
"""Distance by which the kong box is moved outwards."""

EVERY = 5
"""Every pair at this interval has its number beside it."""

_OUTER = (WALL + DEPTH) / 2
_INNER = _OUTER - DEPTH

_DEPTHS = {"top": (_INNER, TOP), "bottom": (_INNER + TOP, DEPTH - TOP), "loose": (_INNER + 1, TOP)}
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
class Letter:
    """A wind or a number in the picture."""

    x: float
    y: float
    kind: str
    """`packet` or `single` for dealt tiles, else `order`, `count`, `last` or `loose`."""
    text: str
    """A wind's letter for `packet` and `single`, else a number."""


@dataclass(frozen=True, slots=True)
class SeatAt:
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
class Drawing:
    """A picture of the table from the viewer's seat."""

    tiles: tuple[DrawnTile, ...]
    letters: tuple[Letter, ...]
    seats: tuple[SeatAt, ...]
    turning: str
    """`clockwise` or `anticlockwise`: the arrow in the middle."""
    middle: str
    """The number in the middle."""

    @property
    def box(self) -> str:
        """Return the SVG viewBox; a picture without walls is smaller."""
        half = HALF if self.tiles else SEATS
        return f"{-half} {-half} {2 * half} {2 * half}"


def shapes(square: Square) -> tuple[DrawnTile, ...]:
    """Return the tiles in painting order."""
    order = ("bottom", "top", "loose")
    return tuple(
        _shape(tile, square.pairs)
        for tile in sorted(square.tiles, key=lambda tile: order.index(tile.level))
    )


def letters(square: Square) -> tuple[Letter, ...]:
    """Return the letters and numbers on and beside the tiles."""
    return (*_packets(square), *_counts(square), *_loose(square))


def seats(
    sides: Mapping[str, SquareSide], names: Mapping[str, str], walls: Iterable[str] = ()
) -> tuple[SeatAt, ...]:
    """Return the seats; `walls` are the winds in counting order."""
    counted = list(walls)
    return tuple(
        SeatAt(
            wind,
            side,
            *turned(side, 0, _INNER - 24),
            names.get(wind, ""),
            " · ".join(str(n) for n, each in enumerate(counted, 1) if each == wind),
            bool(counted) and counted[-1] == wind,
        )
        for wind, side in sides.items()
    )


def turned(side: SquareSide, x: float, y: float) -> tuple[float, float]:
    """Return a point of the bottom side as it lies on another side."""
    for _ in range(SIDES.index(side)):
        x, y = y, -x
    return x, y


def _middle_of(tile: SquareTile, pairs: int) -> tuple[float, float]:
    """Return the centre of a tile as if it were at the bottom."""
    width = WALL / pairs
    begins, depth = _DEPTHS[tile.level]
    out = OUT if tile.mark in ("box", "loose") else 0
    return _INNER - (tile.at + 0.5) * width, begins + depth / 2 + out


def _shape(tile: SquareTile, pairs: int) -> DrawnTile:
    x, y = turned(tile.side, *_middle_of(tile, pairs))
    width, height = WALL / pairs, _DEPTHS[tile.level][1]
    if tile.side in ("right", "left"):
        width, height = height, width
    left, above = round(x - width / 2, 2), round(y - height / 2, 2)
    turn = tile.number if tile.mark in ("counted", "break", "dealt") else 0
    return DrawnTile(left, above, round(width, 2), height, tile.mark, tile.level, tile.seat, turn)


def _packets(square: Square) -> Iterator[Letter]:
    """Yield the letter in the middle of each packet, and the packet's number.

    A packet round a corner has two letters. Of single tiles only the first and last are numbered.
    """
    dealt = [tile for tile in square.tiles if tile.mark == "dealt"]
    size = Counter(tile.number for tile in dealt)
    numbered = {number for number in size if size[number] > 1}
    numbered |= {len(numbered) + 1, len(size)}
    parts: dict[tuple[int, str, SquareSide], list[SquareTile]] = defaultdict(list)
    for tile in dealt:
        parts[tile.number, tile.seat, tile.side].append(tile)
    for (number, seat, side), tiles in parts.items():
        middles = [_middle_of(tile, square.pairs) for tile in tiles]
        x = sum(x for x, _ in middles) / len(tiles)
        # Two layers: the middle of the wall, not of the tiles' middles.
        y = middles[0][1] if len(tiles) == 1 else _INNER + DEPTH / 2
        yield _letter(side, x, y, "single" if len(tiles) == 1 else "packet", seat)
        if number in numbered:
            numbered.remove(number)
            yield _beside(side, x, "order", number)


def _counts(square: Square) -> Iterator[Letter]:
    counted = {tile.number: tile for tile in square.tiles if tile.mark in ("counted", "break")}
    last = max(counted, default=0)
    for number, tile in counted.items():
        at_end = tile.at == square.pairs - 1
        shown = number == 1 or number % EVERY == 0 or at_end
        close = any(abs(number - other) == 1 for other in (last, *_ends(counted, square.pairs)))
        if number == last or at_end or (shown and not close):
            x, _ = _middle_of(tile, square.pairs)
            kind = "last" if number == last else "count"
            yield _beside(tile.side, x, kind, number)


def _ends(counted: Mapping[int, SquareTile], pairs: int) -> Iterator[int]:
    yield from (number for number, tile in counted.items() if tile.at == pairs - 1)


def _loose(square: Square) -> Iterator[Letter]:
    for tile in square.tiles:
        if tile.level == "loose":
            x, y = _middle_of(tile, square.pairs)
            yield _letter(tile.side, x, y, "loose", str(tile.number))


def _beside(side: SquareSide, x: float, kind: str, number: int) -> Letter:
    """Return a number outside the wall; a little further out at the sides, where it is wide."""
    return _letter(side, x, _OUTER + (16 if side in ("right", "left") else 12), kind, str(number))


def _letter(side: SquareSide, x: float, y: float, kind: str, text: str) -> Letter:
    x, y = turned(side, x, y)
    return Letter(round(x, 1), round(y, 1), kind, text)
