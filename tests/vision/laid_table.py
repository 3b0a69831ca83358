"""Whole tables as people lay them: four hands dealt from one set, walls, discards in the middle.

Geometry alone, as in `tests.vision.laid_tiles`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scorer.tiles import CODES, FACE_DOWN, Tile, copies_in_set
from tests.vision.laid_tiles import (
    HEIGHT,
    NEAT,
    Group,
    Habit,
    LaidTile,
    Rng,
    at_side,
    line,
    one_row,
    turned_sideways,
    two_rows,
)
from vision.reading import Side

SIDES: tuple[Side, ...] = ("bottom", "right", "top", "left")

EDGE = 13.0
"""From the middle of the table to the near edges of the players' own rows."""

WALLS = 6.9
"""From there to the middle of what is left of a wall."""

DISCARD_REACH = 5.2
"""Discards lie within so much of the middle, each way."""


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on a table."""

    hands: dict[Side, list[LaidTile]]
    walls: list[LaidTile]
    """The upper tiles where two lie on each other."""
    discards: list[LaidTile]

    @property
    def tiles_out(self) -> list[LaidTile]:
        """What is in no hand."""
        return [*self.walls, *self.discards]


class Box:
    """The tiles that are not on the table yet."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._left = Counter({code: copies_in_set(Tile.parse(code)) for code in CODES})

    def take(self, codes: Sequence[str]) -> bool:
        """Take these tiles; False, and nothing is taken, if they are not all there."""
        counts = Counter(codes)
        if any(self._left[code] < count for code, count in counts.items()):
            return False
        self._left -= counts
        return True

    def take_any(self, letters: str = "BCOWD") -> str:
        """Take a tile whose code begins with one of these letters."""
        codes_left = [code for code in self._left.elements() if code[0] in letters]
        code = str(self._rng.choice(codes_left))
        self.take([code])
        return code


def deal_hand(rng: Rng, box: Box, *, is_winner: bool) -> list[Group]:
    """Deal a hand: one to four sets, some of them exposed, and a pair or loose tiles."""
    exposed = int(rng.choice((0, 1, 2, 3), p=(0.15, 0.3, 0.35, 0.2)))
    count = 4 if is_winner else int(rng.integers(max(exposed, 1), 4))
    chow = int(rng.integers(4))  # by the rules a hand that wins holds one at most (BMJA-H02)
    groups = [_set(rng, box, is_exposed=k < exposed, chow=k == chow) for k in range(count)]
    if is_winner:
        return [*groups, Group(_same_codes(rng, box, 2), "concealed")]
    loose = [box.take_any() for _ in range(13 - 3 * count)]
    # Sorted, as players hold them; tiles of a suit lie together.
    suits = [sorted(c for c in loose if c[0] == letter) for letter in "BCOWD"]
    return [*groups, *(Group(tuple(suit), "concealed") for suit in suits if suit)]


def _set(rng: Rng, box: Box, *, is_exposed: bool, chow: bool) -> Group:
    kind = "chow" if chow else str(rng.choice(("pung", "kong"), p=(0.75, 0.25)))
    if kind == "chow":
        return Group(_chow(rng, box), "exposed" if is_exposed else "concealed")
    codes = _same_codes(rng, box, 4 if kind == "kong" else 3)
    if kind == "kong":
        down_places = (3,) if is_exposed else (0, 3)
        down_places = (0,) if is_exposed and rng.random() < 0.3 else down_places
        shows = tuple(FACE_DOWN if k in down_places else code for k, code in enumerate(codes))
        return Group(codes, "exposed" if is_exposed else "kong", shows)
    if not is_exposed and rng.random() < 0.15:
        return Group(codes, "concealed", (codes[0], FACE_DOWN, codes[2]))
    return Group(codes, "exposed" if is_exposed else "concealed")


def _chow(rng: Rng, box: Box) -> tuple[str, ...]:
    while True:
        suit, low = rng.choice(("B", "C", "O")), int(rng.integers(1, 8))
        codes = tuple(f"{suit}{low + k}" for k in range(3))
        if box.take(codes):
            return codes


def _same_codes(rng: Rng, box: Box, count: int) -> tuple[str, ...]:
    plain = [code for code in CODES if code[0] not in "FS"]
    while True:
        codes = (str(rng.choice(plain)),) * count
        if box.take(codes):
            return codes


def lay_hand(
    rng: Rng, groups: Sequence[Group], flowers: Sequence[str], *, is_winner: bool
) -> list[LaidTile]:
    """Lay a hand as its owner does, in one row or two, and the flowers beside it."""
    habit = Habit(
        gap=float(rng.choice((0.0, 0.3, 0.6, 0.9), p=(0.15, 0.25, 0.4, 0.2))),
        wobble=float(abs(rng.normal(0, 1.3))),
        upside_down=float(rng.choice((0.0, 0.1, 0.5), p=(0.6, 0.3, 0.1))),
    )
    has_exposed = any(group.part == "exposed" for group in groups)
    if is_winner and rng.random() < 0.7:
        part = str(rng.choice(("exposed", "concealed"))) if has_exposed else "concealed"
        if any(g.part == part and len(g.codes) < 4 and not g.shows for g in groups):
            groups = turned_sideways(rng, groups, part)  # type: ignore[arg-type]
    tiles = (two_rows if has_exposed else one_row)(rng, groups, habit)
    return with_flowers(rng, tiles, flowers)


def with_flowers(rng: Rng, tiles: list[LaidTile], codes: Sequence[str]) -> list[LaidTile]:
    """Lay flowers in line at the right, or above the hand, or anyhow at its right or left."""
    if not codes:
        return tiles
    left, right = min(t.x for t in tiles) - 0.5, max(t.x for t in tiles) + 0.5
    top = max(t.y for t in tiles) + HEIGHT / 2
    group = Group(tuple(codes), "bonus")
    place = rng.choice(("in line", "above", "anyhow"), p=(0.5, 0.2, 0.3))
    if place == "in line":
        return [*tiles, *line(rng, [group], NEAT, right + rng.uniform(0.6, 1.8))]
    if place == "above":
        x = rng.uniform(left, right - len(codes))
        return [*tiles, *line(rng, [group], NEAT, x, top + rng.uniform(0.1, 0.5))]
    side = 1 if rng.random() < 0.6 else -1
    x = (right if side > 0 else left) + side * rng.uniform(1.2, 2.2)
    return [
        *tiles,
        *(
            LaidTile(
                c, c, x + side * rng.uniform(0, 0.4), 0.7 + 1.7 * k, rng.uniform(-50, 50), "bonus"
            )
            for k, c in enumerate(codes)
        ),
    ]


def lay_table(rng: Rng) -> Table:
    """Deal and lay a table."""
    box = Box(rng)
    winner = SIDES[rng.integers(4)]
    flowers = rng.permutation([code for code in CODES if code[0] in "FS"]).tolist()
    hands: dict[Side, list[LaidTile]] = {}
    for quarter, side in enumerate(SIDES):
        groups = deal_hand(rng, box, is_winner=side == winner)
        count = int(rng.choice((0, 1, 2, 3), p=(0.25, 0.35, 0.25, 0.15)))
        own_flowers, flowers = flowers[:count], flowers[count:]
        laid_tiles = lay_hand(rng, groups, own_flowers, is_winner=side == winner)
        hands[side] = at_side(laid_tiles, quarter, EDGE)
    hand_tiles = [tile for laid in hands.values() for tile in laid]
    walls = lay_walls(rng, box, hand_tiles)
    return Table(hands, walls, lay_discards(rng, box, [*hand_tiles, *walls]))


def lay_walls(rng: Rng, box: Box, taken_tiles: Sequence[LaidTile]) -> list[LaidTile]:
    """Lay what is left of two to four walls; return the tiles seen from above."""
    upper: list[LaidTile] = []
    single: list[LaidTile] = []
    for quarter in rng.permutation(4)[: rng.integers(2, 5)].tolist():
        length, slant = int(rng.integers(4, 9)), rng.normal(0, 2)
        rise = math.tan(math.radians(slant))
        last = length - int(rng.random() < 0.5)
        row = [
            LaidTile(FACE_DOWN, box.take_any(), 1.02 * k, EDGE - WALLS + rise * k, slant, "out", k)
            for k in range(length)
        ]
        shift = rng.uniform(length / 2 - 5.5, 5.5 - length / 2)
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
        for tile in at_side(row, quarter, EDGE):
            placed_tile = replace(tile, x=tile.x + c * shift, y=tile.y + s * shift)
            if all(math.hypot(placed_tile.x - t.x, placed_tile.y - t.y) > 1.6 for t in taken_tiles):
                (upper if tile.group < last else single).append(placed_tile)
    return [*upper, *single]


def lay_discards(rng: Rng, box: Box, taken_tiles: Iterable[LaidTile]) -> list[LaidTile]:
    """Strew discards in the middle, or lay them in lines there."""
    taken_places = [(tile.x, tile.y) for tile in taken_tiles]
    discard_count = int(rng.integers(12, 31))
    if rng.random() < 0.4:
        per_line = 6
        spots = [
            (1.05 * (k % per_line) - 2.6, 1.5 * (k // per_line) - 3.0, rng.normal(0, 2))
            for k in range(min(discard_count, 4 * per_line))
        ]
    else:
        spots = []
        for _ in range(400):
            x, y = rng.uniform(-DISCARD_REACH, DISCARD_REACH, 2)
            if len(spots) < discard_count and all(
                math.hypot(x - a, y - b) > 1.7 for a, b, _ in spots
            ):
                spots.append((float(x), float(y), float(rng.uniform(0, 360))))
    discards = []
    for x, y, turn in spots:
        if all(math.hypot(x - a, y - b) > 1.7 for a, b in taken_places):
            code = box.take_any()
            shows = FACE_DOWN if rng.random() < 0.04 else code
            discards.append(LaidTile(shows, code, x, y, turn, "out"))
    return discards
