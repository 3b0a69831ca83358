"""Hands as people lay them: boxes on a table plane, with the truth of what each tile is part of.

Geometry alone, nothing is rendered. Lengths are in tile widths, y away from the player.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from scorer.tiles import CODES, FACE_DOWN

HEIGHT, DEPTH = 1.35, 0.8
"""Of a tile, in its widths; usual sets have 1.28 to 1.42 and 0.3 to 0.65 times that."""

Part = Literal["exposed", "concealed", "kong", "bonus", "out"]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class LaidTile:
    """One tile on the table."""

    shows: str
    """What can be seen of it: its code, or `??`."""
    code: str
    x: float
    y: float
    turn: float = 0.0
    """Degrees, anticlockwise as seen from above."""
    part: Part = "concealed"
    group: int = 0
    """Tiles of one set share it."""
    standing: bool = False
    is_winning: bool = False
    """The tile that completed the hand, turned sideways."""

    @property
    def corners(self) -> np.ndarray:
        """(4, 3) from the tile's own top left, clockwise as one looks at its face."""
        flat = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * (0.5, HEIGHT / 2, 0)
        if self.standing:  # leaning back a little, its lower edge where the flat tile's middle is
            lean = math.radians(75)
            heights = flat[:, 1] + HEIGHT / 2
            raised_points = [flat[:, 0], heights * math.cos(lean), heights * math.sin(lean)]
            return np.asarray(np.stack(raised_points, 1) + self._place)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        turned_points = flat @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return np.asarray(turned_points + self._place + (0, 0, DEPTH))

    @property
    def _place(self) -> np.ndarray:
        return np.array([self.x, self.y, 0.0])


@dataclass(frozen=True, slots=True)
class Group:
    """A set to be laid: its tiles, what they show, and what it is part of."""

    codes: tuple[str, ...]
    part: Part
    shows: tuple[str, ...] = ()
    sideways: int | None = None
    """The place of the winning tile."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How a person lays tiles."""

    gap: float = 0.6
    """Between sets."""
    slack: float = 0.03
    """Between tiles of a set, on average."""
    wobble: float = 1.2
    """Deviation of a tile's turn, degrees."""
    upside_down: float = 0.0


NEAT = Habit()
TOUCHING_HABIT = Habit(gap=0.0)

_SUITS = ("B", "C", "O")
_PLAIN = [code for code in CODES if code[0] not in "FS"]
_BONUS = [code for code in CODES if code[0] in "FS"]


def deal(rng: Rng, exposed: int, rules: str | None = None, winner: bool = True) -> list[Group]:
    """Make up a hand of four sets and a pair; without `winner` the last ones are loose tiles.

    With `rules`, its kongs and concealed pungs are laid with face-down tiles (BMJA-V03 to V05,
    SAF-V02 and V03), and there is one of each at least.
    """
    groups: list[Group] = []
    used_codes: set[str] = set()
    for number in range(4):
        part: Part = "exposed" if number < exposed else "concealed"
        is_marked = rules is not None and number in (0, 3)
        groups.append(_set(rng, part, used_codes, rules, "kong" if is_marked else None))
    pair = str(rng.choice([code for code in _PLAIN if code not in used_codes]))
    if winner:
        return [*groups, Group((pair,) * 2, "concealed")]
    loose = [code for code in _PLAIN if code not in used_codes and code[0] in "WD"]
    ends = rng.choice(loose, 4, replace=False)
    return [*groups[:3], *(Group((str(code),), "concealed") for code in ends)]


def _set(rng: Rng, part: Part, used_codes: set[str], rules: str | None, kind: str | None) -> Group:
    """Make up a set of faces that no other set of the hand has."""
    if kind is None:
        kind = str(rng.choice(("chow", "pung", "kong"), p=(0.45, 0.45, 0.1)))
        kind = "pung" if kind == "kong" and rules is None else kind
    while True:
        if kind == "chow":
            suit, low = rng.choice(_SUITS), int(rng.integers(1, 8))
            codes = tuple(f"{suit}{low + k}" for k in range(3))
        else:
            codes = (str(rng.choice(_PLAIN)),) * (4 if kind == "kong" else 3)
        if not used_codes & set(codes):
            break
    used_codes.update(codes)
    shape = _SHAPES.get((rules, kind, part))
    if kind == "kong" and part == "concealed":
        part = "kong"
    if shape is None:
        return Group(codes, part)
    return Group(codes, part, tuple(_fitting_codes(codes, shape)))


_SHAPES: dict[tuple[str | None, str, Part], str] = {
    ("bmja", "kong", "exposed"): "XXX?",
    ("bmja", "kong", "concealed"): "?XX?",
    ("bmja", "pung", "concealed"): "X?X",
    ("safalra", "kong", "concealed"): "XXX?",
    ("safalra", "pung", "concealed"): "XX?",
}


def _fitting_codes(codes: Iterable[str], shape: str) -> Iterable[str]:
    return (FACE_DOWN if mark == "?" else code for code, mark in zip(codes, shape, strict=True))


def bonus(rng: Rng, count: int) -> Group:
    """Make up some flowers and seasons."""
    return Group(tuple(str(code) for code in rng.choice(_BONUS, count, replace=False)), "bonus")


def line(
    rng: Rng, groups: Sequence[Group], habit: Habit, x: float = 0.0, y: float = 0.0
) -> list[LaidTile]:
    """Lay groups from left to right with their near edges on one line."""
    row: list[LaidTile] = []
    for group in groups:
        number = int(rng.integers(1 << 40))
        for place, (code, shows) in enumerate(
            zip(group.codes, group.shows or group.codes, strict=True)
        ):
            is_winning = place == group.sideways
            wide, tall = (HEIGHT, 1.0) if is_winning else (1.0, HEIGHT)
            turn = float(rng.choice((90, 270))) if is_winning else 0.0
            if rng.random() < habit.upside_down:
                turn += 180
            x += rng.exponential(habit.slack)
            middle_y = y + tall / 2 + rng.normal(0, 0.02)
            turn += rng.normal(0, habit.wobble)
            row.append(
                LaidTile(
                    shows,
                    code,
                    x + wide / 2,
                    middle_y,
                    turn,
                    group.part,
                    number,
                    is_winning=is_winning,
                )
            )
            x += wide
        x += habit.gap * rng.uniform(0.7, 1.3)
    return row


def _split(groups: Sequence[Group]) -> tuple[list[Group], list[Group]]:
    far_groups = [group for group in groups if group.part == "exposed"]
    return far_groups, [group for group in groups if group.part != "exposed"]


def two_rows(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[LaidTile]:
    """Lay the exposed sets above and the others below, close or well apart."""
    far_groups, near_groups = _split(groups)
    step = HEIGHT + rng.choice((0.03, 0.4, 1.0, 1.6))
    return line(rng, far_groups, habit, rng.uniform(-0.5, 4.0), step) + line(
        rng, near_groups, habit
    )


def own_lines(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[LaidTile]:
    """Lay each exposed set on a line of its own above the others."""
    far_groups, near_groups = _split(groups)
    tiles = line(rng, near_groups, habit)
    y = 0.0
    for group in far_groups:
        y += HEIGHT + rng.uniform(0.1, 0.6)
        tiles += line(rng, [group], habit, rng.uniform(0, 3), y)
    return tiles


def one_row(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[LaidTile]:
    """Lay everything in one line."""
    return line(rng, groups, habit)


def on_a_rack(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[LaidTile]:
    """Stand the concealed tiles on edge, with the exposed sets lying before them."""
    far_groups, near_groups = _split(groups)
    standing = [replace(tile, standing=True, turn=0.0) for tile in line(rng, near_groups, habit)]
    return standing + line(
        rng, far_groups, habit, rng.uniform(0, 3), HEIGHT + rng.uniform(0.4, 1.0)
    )


def with_bonus(
    rng: Rng, tiles: Sequence[LaidTile], place: str, habit: Habit = NEAT
) -> list[LaidTile]:
    """Add one to four flowers to the right of the hand, above it or below it."""
    group = bonus(rng, int(rng.integers(1, 5)))
    left, right = min(t.x for t in tiles), max(t.x for t in tiles)
    top, low = max(t.y for t in tiles) + HEIGHT / 2, min(t.y for t in tiles) - HEIGHT / 2
    places = {
        "right": (right + rng.uniform(1.1, 2.6), low + rng.uniform(-0.2, 0.2)),
        "above": (rng.uniform(left, max(right - 4, left)), top + rng.uniform(0.1, 0.8)),
        "below": (rng.uniform(left, max(right - 4, left)), low - HEIGHT - rng.uniform(0.1, 0.8)),
    }
    return [*tiles, *line(rng, [group], habit, *places[place])]


def turned_sideways(rng: Rng, groups: Sequence[Group], part: Part) -> list[Group]:
    """Turn one tile of a set of this part sideways: it completed the hand."""
    choices = [
        k for k, g in enumerate(groups) if g.part == part and len(g.codes) < 4 and not g.shows
    ]
    winning_place = int(rng.choice(choices))
    place = int(rng.integers(len(groups[winning_place].codes)))
    return [replace(g, sideways=place) if k == winning_place else g for k, g in enumerate(groups)]


def discards(rng: Rng, tiles: Sequence[LaidTile]) -> list[LaidTile]:
    """Strew tiles beyond the hand, turned anyhow, from two tile heights away."""
    top = max(t.y for t in tiles) + HEIGHT / 2
    strewn_tiles: list[LaidTile] = []
    for _ in range(int(rng.integers(60, 200))):
        x, y = rng.uniform(-4, 18), top + rng.uniform(2.0, 12.0) * HEIGHT
        if all(math.hypot(x - t.x, y - t.y) > 1.6 for t in strewn_tiles):
            strewn_tiles.append(_lay_out_of_hand(rng, x, y, rng.uniform(0, 360)))
    return strewn_tiles


def wall(rng: Rng, tiles: Sequence[LaidTile]) -> list[LaidTile]:
    """Build what is left of a wall, face down, before the hand."""
    y = max((t.y for t in tiles), default=0.0) + HEIGHT * rng.uniform(1.3, 3.0)
    start, slant = rng.uniform(-3, 3), rng.normal(0, 3)
    rise = math.tan(math.radians(slant))
    wall_tiles = [
        replace(_lay_out_of_hand(rng, start + 1.02 * k, y + rise * k, slant), shows=FACE_DOWN)
        for k in range(int(rng.integers(5, 18)))
    ]
    room = 1.2 * HEIGHT
    return [t for t in wall_tiles if all(math.hypot(t.x - o.x, t.y - o.y) > room for o in tiles)]


def neighbour(rng: Rng, tiles: Sequence[LaidTile]) -> list[LaidTile]:
    """Lay another player's exposed sets at the right, turned towards that player."""
    x = max(t.x for t in tiles) + rng.uniform(5.5, 8.0)
    start = rng.uniform(0, 5)
    return [_lay_out_of_hand(rng, x, start + 1.03 * k, 90 + rng.normal(0, 1.5)) for k in range(6)]


def _lay_out_of_hand(rng: Rng, x: float, y: float, turn: float) -> LaidTile:
    code = str(rng.choice(_PLAIN))
    return LaidTile(code, code, x, y, turn, "out")


Layout = Callable[[Rng], list[LaidTile]]


def _sideways(rng: Rng, part: Part) -> list[LaidTile]:
    return two_rows(rng, turned_sideways(rng, deal(rng, 2), part), NEAT)


def _cluttered_hand(rng: Rng) -> list[LaidTile]:
    tiles = two_rows(rng, deal(rng, 2), NEAT)
    wall_tiles = wall(rng, tiles)
    return [*tiles, *wall_tiles, *discards(rng, wall_tiles), *neighbour(rng, tiles)]


LAYOUTS: dict[str, Layout] = {
    "two rows with gaps": lambda rng: two_rows(rng, deal(rng, int(rng.integers(1, 4))), NEAT),
    "two rows, narrow gaps": lambda rng: two_rows(rng, deal(rng, 2), Habit(gap=0.25, slack=0.02)),
    "two rows without gaps": lambda rng: two_rows(rng, deal(rng, 2), TOUCHING_HABIT),
    "one row with gaps": lambda rng: one_row(rng, deal(rng, 0), NEAT),
    "one row without gaps": lambda rng: one_row(rng, deal(rng, 0), TOUCHING_HABIT),
    "exposed sets on lines of their own": lambda rng: own_lines(rng, deal(rng, 3), NEAT),
    "flowers at the right": lambda rng: with_bonus(rng, two_rows(rng, deal(rng, 2), NEAT), "right"),
    "flowers above": lambda rng: with_bonus(rng, two_rows(rng, deal(rng, 2), NEAT), "above"),
    "flowers below": lambda rng: with_bonus(rng, two_rows(rng, deal(rng, 2), NEAT), "below"),
    "face-down tiles, BMJA": lambda rng: two_rows(rng, deal(rng, 2, "bmja"), NEAT),
    "face-down tiles, BMJA, no gaps": lambda rng: two_rows(
        rng, deal(rng, 2, "bmja"), TOUCHING_HABIT
    ),
    "face-down tiles, Safalra": lambda rng: two_rows(rng, deal(rng, 2, "safalra"), NEAT),
    "winning tile sideways, claimed": lambda rng: _sideways(rng, "exposed"),
    "winning tile sideways, drawn": lambda rng: _sideways(rng, "concealed"),
    "a fifth of the tiles upside down": lambda rng: two_rows(
        rng, deal(rng, 2), Habit(upside_down=0.2)
    ),
    "laid carelessly": lambda rng: two_rows(
        rng, deal(rng, 2), Habit(gap=0.8, slack=0.08, wobble=4.0)
    ),
    "a hand that did not win": lambda rng: two_rows(rng, deal(rng, 1, winner=False), NEAT),
    "among wall, discards and another's": _cluttered_hand,
    "concealed tiles on a rack": lambda rng: on_a_rack(rng, deal(rng, 2), NEAT),
}


def at_side(tiles: Sequence[LaidTile], quarters: int, distance: float) -> list[LaidTile]:
    """Move a hand to the table's edge, turned by quarters anticlockwise round its middle."""
    middle = (min(t.x for t in tiles) + max(t.x for t in tiles)) / 2
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    return [
        replace(
            t,
            x=c * (t.x - middle) - s * (t.y - distance),
            y=s * (t.x - middle) + c * (t.y - distance),
            turn=t.turn + 90 * quarters,
        )
        for t in tiles
    ]


def middle_of_table(rng: Rng) -> list[LaidTile]:
    """Strew discards in the middle and build the rest of a wall along one side of them."""
    wall_tiles = [tile for tile in wall(rng, [LaidTile("", "", 0.0, 4.0)]) if abs(tile.x) < 7]
    for _ in range(60):
        x, y = rng.uniform(-5, 5, 2)
        if all(math.hypot(x - t.x, y - t.y) > 1.7 for t in wall_tiles):
            wall_tiles.append(_lay_out_of_hand(rng, x, y, rng.uniform(0, 360)))
    return wall_tiles
