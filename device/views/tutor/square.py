"""The square of walls as shapes: where the picture has each tile and letter.

Everything is worked out for the wall at the bottom and turned about the middle, (0, 0), to its
side, so that letters stay upright.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from device.tutoring.square import SIDES, Square, SquareSide, SquareTile

HALF = 208
"""Half the picture, which is a square about (0, 0)."""

SEATS = 150
"""The same of a picture without walls."""

WALL = 324
"""How long a wall is."""

DEPTH = 34
"""How deep a wall is; the square's side is as much longer than a wall, one end being outside."""

TOP = 18
"""How much of that the upper tile takes: the lower one looks out behind it."""

OUT = 12
"""How far the kong box is moved out."""

EVERY = 5
"""Which of the counted pairs have their number beside them."""

_OUTER = (WALL + DEPTH) / 2
_INNER = _OUTER - DEPTH

_DEPTHS = {"top": (_INNER, TOP), "bottom": (_INNER + TOP, DEPTH - TOP), "loose": (_INNER + 1, TOP)}
"""How far from the middle each level begins, and how deep it is."""


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
    """When it is counted or dealt, from 1; 0 for a tile that is neither."""


@dataclass(frozen=True, slots=True)
class Letter:
    """Something written: a wind, or a number."""

    x: float
    y: float
    kind: str
    """`packet` and `single` for who is dealt tiles, else `order`, `count`, `last` or `loose`."""
    text: str
    """A wind's letter for the first two kinds, or a number."""


@dataclass(frozen=True, slots=True)
class SeatAt:
    """Who sits at one side."""

    wind: str
    side: SquareSide
    x: float
    y: float
    name: str
    """Empty where nobody sits."""
    tally: str
    """The numbers that come to this wall when walls are counted."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of the table from one's own seat."""

    tiles: tuple[DrawnTile, ...]
    letters: tuple[Letter, ...]
    seats: tuple[SeatAt, ...]
    turning: str
    """`clockwise` or `anticlockwise`: the arrow in the middle."""
    middle: str
    """The number in the middle."""

    @property
    def box(self) -> str:
        """The picture's extent, as SVG's viewBox has it; without walls it needs less."""
        half = HALF if self.tiles else SEATS
        return f"{-half} {-half} {2 * half} {2 * half}"


def shapes(square: Square) -> tuple[DrawnTile, ...]:
    """Return the tiles in the order in which they are painted."""
    order = ("bottom", "top", "loose")
    return tuple(
        _shape(tile, square.pairs)
        for tile in sorted(square.tiles, key=lambda tile: order.index(tile.level))
    )


def letters(square: Square) -> tuple[Letter, ...]:
    """Return what is written on and beside the tiles."""
    return (*_packets(square), *_counts(square), *_loose(square))


def seats(
    sides: Mapping[str, SquareSide], names: Mapping[str, str], walls: Iterable[str] = ()
) -> tuple[SeatAt, ...]:
    """Return the seats; `walls` are the winds in the order in which they were counted."""
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
    """Return where a point of the bottom side lies on another side."""
    for _ in range(SIDES.index(side)):
        x, y = y, -x
    return x, y


def _middle_of(tile: SquareTile, pairs: int) -> tuple[float, float]:
    """Return the middle of a tile as if it were at the bottom."""
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
    """Yield each packet's letter in its middle, twice where it lies round a corner, and its number.

    Of single tiles only the first and the last have theirs: there is no room for more.
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
    """Return a number outside the wall; at the sides a little further out, as it is broad."""
    return _letter(side, x, _OUTER + (16 if side in ("right", "left") else 12), kind, str(number))


def _letter(side: SquareSide, x: float, y: float, kind: str, text: str) -> Letter:
    x, y = turned(side, x, y)
    return Letter(round(x, 1), round(y, 1), kind, text)
