"""Whole tables as people lay them: four hands dealt from one set, walls, discards in the middle.

Geometry alone, as in `tests.vision.laid`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scorer.tiles import CODES, FACE_DOWN, Tile, copies_in_set
from tests.vision.laid import (
    HEIGHT,
    NEAT,
    Group,
    Habit,
    Laid,
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

DISCARDED = 5.2
"""Discards lie within so much of the middle, each way."""


@dataclass(frozen=True, slots=True)
class Table:
    """What lies on a table."""

    hands: dict[Side, list[Laid]]
    walls: list[Laid]
    """The upper tiles where two lie on each other."""
    discards: list[Laid]

    @property
    def out(self) -> list[Laid]:
        """What is in no hand."""
        return [*self.walls, *self.discards]


class Box:
    """The tiles that are not on the table yet."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._left = Counter({code: copies_in_set(Tile.parse(code)) for code in CODES})

    def take(self, codes: Sequence[str]) -> bool:
        """Take these tiles; False, and nothing is taken, if they are not all there."""
        wanted = Counter(codes)
        if any(self._left[code] < count for code, count in wanted.items()):
            return False
        self._left -= wanted
        return True

    def any(self, of: str = "BCOWD") -> str:
        """Take a tile whose code begins with one of these letters."""
        there = [code for code in self._left.elements() if code[0] in of]
        code = str(self._rng.choice(there))
        self.take([code])
        return code


def dealt(rng: Rng, box: Box, *, won: bool) -> list[Group]:
    """Deal a hand: one to four sets, some of them exposed, and a pair or loose tiles."""
    exposed = int(rng.choice((0, 1, 2, 3), p=(0.15, 0.3, 0.35, 0.2)))
    count = 4 if won else int(rng.integers(max(exposed, 1), 4))
    chow = int(rng.integers(4))  # by the rules a hand that wins holds one at most (BMJA-H02)
    groups = [_set(rng, box, shown=k < exposed, chow=k == chow) for k in range(count)]
    if won:
        return [*groups, Group(_alike(rng, box, 2), "concealed")]
    loose = [box.any() for _ in range(13 - 3 * count)]
    # Sorted, as players hold them; tiles of a suit lie together.
    suits = [sorted(c for c in loose if c[0] == letter) for letter in "BCOWD"]
    return [*groups, *(Group(tuple(suit), "concealed") for suit in suits if suit)]


def _set(rng: Rng, box: Box, *, shown: bool, chow: bool) -> Group:
    kind = "chow" if chow else str(rng.choice(("pung", "kong"), p=(0.75, 0.25)))
    if kind == "chow":
        return Group(_chow(rng, box), "exposed" if shown else "concealed")
    codes = _alike(rng, box, 4 if kind == "kong" else 3)
    if kind == "kong":
        down = (3,) if shown else (0, 3)
        down = (0,) if shown and rng.random() < 0.3 else down
        shows = tuple(FACE_DOWN if k in down else code for k, code in enumerate(codes))
        return Group(codes, "exposed" if shown else "kong", shows)
    if not shown and rng.random() < 0.15:
        return Group(codes, "concealed", (codes[0], FACE_DOWN, codes[2]))
    return Group(codes, "exposed" if shown else "concealed")


def _chow(rng: Rng, box: Box) -> tuple[str, ...]:
    while True:
        suit, low = rng.choice(("B", "C", "O")), int(rng.integers(1, 8))
        codes = tuple(f"{suit}{low + k}" for k in range(3))
        if box.take(codes):
            return codes


def _alike(rng: Rng, box: Box, count: int) -> tuple[str, ...]:
    plain = [code for code in CODES if code[0] not in "FS"]
    while True:
        codes = (str(rng.choice(plain)),) * count
        if box.take(codes):
            return codes


def lay_hand(rng: Rng, groups: Sequence[Group], flowers: Sequence[str], *, won: bool) -> list[Laid]:
    """Lay a hand as its owner does, in one row or two, and the flowers beside it."""
    habit = Habit(
        gap=float(rng.choice((0.0, 0.3, 0.6, 0.9), p=(0.15, 0.25, 0.4, 0.2))),
        wobble=float(abs(rng.normal(0, 1.3))),
        upside_down=float(rng.choice((0.0, 0.1, 0.5), p=(0.6, 0.3, 0.1))),
    )
    shown = any(group.part == "exposed" for group in groups)
    if won and rng.random() < 0.7:
        part = str(rng.choice(("exposed", "concealed"))) if shown else "concealed"
        if any(g.part == part and len(g.codes) < 4 and not g.shows for g in groups):
            groups = turned_sideways(rng, groups, part)  # type: ignore[arg-type]
    laid = (two_rows if shown else one_row)(rng, groups, habit)
    return with_flowers(rng, laid, flowers)


def with_flowers(rng: Rng, laid: list[Laid], codes: Sequence[str]) -> list[Laid]:
    """Lay flowers in line at the right, or above the hand, or anyhow at its right or left."""
    if not codes:
        return laid
    left, right = min(t.x for t in laid) - 0.5, max(t.x for t in laid) + 0.5
    top = max(t.y for t in laid) + HEIGHT / 2
    group = Group(tuple(codes), "bonus")
    where = rng.choice(("in line", "above", "anyhow"), p=(0.5, 0.2, 0.3))
    if where == "in line":
        return [*laid, *line(rng, [group], NEAT, right + rng.uniform(0.6, 1.8))]
    if where == "above":
        x = rng.uniform(left, right - len(codes))
        return [*laid, *line(rng, [group], NEAT, x, top + rng.uniform(0.1, 0.5))]
    side = 1 if rng.random() < 0.6 else -1
    x = (right if side > 0 else left) + side * rng.uniform(1.2, 2.2)
    return [
        *laid,
        *(
            Laid(c, c, x + side * rng.uniform(0, 0.4), 0.7 + 1.7 * k, rng.uniform(-50, 50), "bonus")
            for k, c in enumerate(codes)
        ),
    ]


def lay_table(rng: Rng) -> Table:
    """Deal and lay a table."""
    box = Box(rng)
    winner = SIDES[rng.integers(4)]
    flowers = rng.permutation([code for code in CODES if code[0] in "FS"]).tolist()
    hands: dict[Side, list[Laid]] = {}
    for quarter, side in enumerate(SIDES):
        groups = dealt(rng, box, won=side == winner)
        count = int(rng.choice((0, 1, 2, 3), p=(0.25, 0.35, 0.25, 0.15)))
        mine, flowers = flowers[:count], flowers[count:]
        laid = lay_hand(rng, groups, mine, won=side == winner)
        hands[side] = at_side(laid, quarter, EDGE)
    own = [tile for laid in hands.values() for tile in laid]
    walls = lay_walls(rng, box, own)
    return Table(hands, walls, lay_discards(rng, box, [*own, *walls]))


def lay_walls(rng: Rng, box: Box, taken: Sequence[Laid]) -> list[Laid]:
    """Lay what is left of two to four walls; return the tiles seen from above."""
    upper: list[Laid] = []
    single: list[Laid] = []
    for quarter in rng.permutation(4)[: rng.integers(2, 5)].tolist():
        length, slant = int(rng.integers(4, 9)), rng.normal(0, 2)
        rise = math.tan(math.radians(slant))
        last = length - int(rng.random() < 0.5)
        row = [
            Laid(FACE_DOWN, box.any(), 1.02 * k, EDGE - WALLS + rise * k, slant, "out", k)
            for k in range(length)
        ]
        along = rng.uniform(length / 2 - 5.5, 5.5 - length / 2)
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarter]
        for tile in at_side(row, quarter, EDGE):
            placed = replace(tile, x=tile.x + c * along, y=tile.y + s * along)
            if all(math.hypot(placed.x - t.x, placed.y - t.y) > 1.6 for t in taken):
                (upper if tile.group < last else single).append(placed)
    return [*upper, *single]


def lay_discards(rng: Rng, box: Box, taken: Iterable[Laid]) -> list[Laid]:
    """Strew discards in the middle, or lay them in lines there."""
    blocked = [(tile.x, tile.y) for tile in taken]
    wanted = int(rng.integers(12, 31))
    if rng.random() < 0.4:
        per_line = 6
        spots = [
            (1.05 * (k % per_line) - 2.6, 1.5 * (k // per_line) - 3.0, rng.normal(0, 2))
            for k in range(min(wanted, 4 * per_line))
        ]
    else:
        spots = []
        for _ in range(400):
            x, y = rng.uniform(-DISCARDED, DISCARDED, 2)
            if len(spots) < wanted and all(math.hypot(x - a, y - b) > 1.7 for a, b, _ in spots):
                spots.append((float(x), float(y), float(rng.uniform(0, 360))))
    laid = []
    for x, y, turn in spots:
        if all(math.hypot(x - a, y - b) > 1.7 for a, b in blocked):
            code = box.any()
            shows = FACE_DOWN if rng.random() < 0.04 else code
            laid.append(Laid(shows, code, x, y, turn, "out"))
    return laid
