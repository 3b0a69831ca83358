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
class Laid:
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
    won: bool = False
    """The tile that completed the hand, turned sideways."""

    @property
    def corners(self) -> np.ndarray:
        """(4, 3) from the tile's own top left, clockwise as one looks at its face."""
        flat = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * (0.5, HEIGHT / 2, 0)
        if self.standing:  # leaning back a little, its lower edge where the flat tile's middle is
            lean = math.radians(75)
            up = flat[:, 1] + HEIGHT / 2
            raised = [flat[:, 0], up * math.cos(lean), up * math.sin(lean)]
            return np.asarray(np.stack(raised, 1) + self._place)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        turned = flat @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return np.asarray(turned + self._place + (0, 0, DEPTH))

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
TOUCHING = Habit(gap=0.0)

_SUITS = ("B", "C", "O")
_PLAIN = [code for code in CODES if code[0] not in "FS"]
_BONUS = [code for code in CODES if code[0] in "FS"]


def deal(rng: Rng, exposed: int, rules: str | None = None, winner: bool = True) -> list[Group]:
    """Make up a hand of four sets and a pair; without `winner` the last ones are loose tiles.

    With `rules`, its kongs and concealed pungs are laid with face-down tiles (BMJA-V03 to V05,
    SAF-V02 and V03), and there is one of each at least.
    """
    groups: list[Group] = []
    used: set[str] = set()
    for number in range(4):
        part: Part = "exposed" if number < exposed else "concealed"
        marked = rules is not None and number in (0, 3)
        groups.append(_set(rng, part, used, rules, "kong" if marked else None))
    pair = str(rng.choice([code for code in _PLAIN if code not in used]))
    if winner:
        return [*groups, Group((pair,) * 2, "concealed")]
    loose = [code for code in _PLAIN if code not in used and code[0] in "WD"]
    ends = rng.choice(loose, 4, replace=False)
    return [*groups[:3], *(Group((str(code),), "concealed") for code in ends)]


def _set(rng: Rng, part: Part, used: set[str], rules: str | None, kind: str | None) -> Group:
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
        if not used & set(codes):
            break
    used.update(codes)
    shape = _SHAPES.get((rules, kind, part))
    if kind == "kong" and part == "concealed":
        part = "kong"
    if shape is None:
        return Group(codes, part)
    return Group(codes, part, tuple(_seen(codes, shape)))


_SHAPES: dict[tuple[str | None, str, Part], str] = {
    ("bmja", "kong", "exposed"): "XXX?",
    ("bmja", "kong", "concealed"): "?XX?",
    ("bmja", "pung", "concealed"): "X?X",
    ("safalra", "kong", "concealed"): "XXX?",
    ("safalra", "pung", "concealed"): "XX?",
}


def _seen(codes: Iterable[str], shape: str) -> Iterable[str]:
    return (FACE_DOWN if mark == "?" else code for code, mark in zip(codes, shape, strict=True))


def bonus(rng: Rng, count: int) -> Group:
    """Make up some flowers and seasons."""
    return Group(tuple(str(code) for code in rng.choice(_BONUS, count, replace=False)), "bonus")


def line(
    rng: Rng, groups: Sequence[Group], habit: Habit, x: float = 0.0, y: float = 0.0
) -> list[Laid]:
    """Lay groups from left to right with their near edges on one line."""
    row: list[Laid] = []
    for group in groups:
        number = int(rng.integers(1 << 40))
        for place, (code, shows) in enumerate(
            zip(group.codes, group.shows or group.codes, strict=True)
        ):
            won = place == group.sideways
            wide, tall = (HEIGHT, 1.0) if won else (1.0, HEIGHT)
            turn = float(rng.choice((90, 270))) if won else 0.0
            if rng.random() < habit.upside_down:
                turn += 180
            x += rng.exponential(habit.slack)
            at = y + tall / 2 + rng.normal(0, 0.02)
            turn += rng.normal(0, habit.wobble)
            row.append(Laid(shows, code, x + wide / 2, at, turn, group.part, number, won=won))
            x += wide
        x += habit.gap * rng.uniform(0.7, 1.3)
    return row


def _split(groups: Sequence[Group]) -> tuple[list[Group], list[Group]]:
    far = [group for group in groups if group.part == "exposed"]
    return far, [group for group in groups if group.part != "exposed"]


def two_rows(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[Laid]:
    """Lay the exposed sets above and the others below, close or well apart."""
    far, near = _split(groups)
    step = HEIGHT + rng.choice((0.03, 0.4, 1.0, 1.6))
    return line(rng, far, habit, rng.uniform(-0.5, 4.0), step) + line(rng, near, habit)


def own_lines(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[Laid]:
    """Lay each exposed set on a line of its own above the others."""
    far, near = _split(groups)
    laid = line(rng, near, habit)
    y = 0.0
    for group in far:
        y += HEIGHT + rng.uniform(0.1, 0.6)
        laid += line(rng, [group], habit, rng.uniform(0, 3), y)
    return laid


def one_row(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[Laid]:
    """Lay everything in one line."""
    return line(rng, groups, habit)


def on_a_rack(rng: Rng, groups: Sequence[Group], habit: Habit) -> list[Laid]:
    """Stand the concealed tiles on edge, with the exposed sets lying before them."""
    far, near = _split(groups)
    standing = [replace(tile, standing=True, turn=0.0) for tile in line(rng, near, habit)]
    return standing + line(rng, far, habit, rng.uniform(0, 3), HEIGHT + rng.uniform(0.4, 1.0))


def with_bonus(rng: Rng, laid: Sequence[Laid], where: str, habit: Habit = NEAT) -> list[Laid]:
    """Add one to four flowers to the right of the hand, above it or below it."""
    group = bonus(rng, int(rng.integers(1, 5)))
    left, right = min(t.x for t in laid), max(t.x for t in laid)
    top, low = max(t.y for t in laid) + HEIGHT / 2, min(t.y for t in laid) - HEIGHT / 2
    places = {
        "right": (right + rng.uniform(1.1, 2.6), low + rng.uniform(-0.2, 0.2)),
        "above": (rng.uniform(left, max(right - 4, left)), top + rng.uniform(0.1, 0.8)),
        "below": (rng.uniform(left, max(right - 4, left)), low - HEIGHT - rng.uniform(0.1, 0.8)),
    }
    return [*laid, *line(rng, [group], habit, *places[where])]


def turned_sideways(rng: Rng, groups: Sequence[Group], part: Part) -> list[Group]:
    """Turn one tile of a set of this part sideways: it completed the hand."""
    which = [k for k, g in enumerate(groups) if g.part == part and len(g.codes) < 4 and not g.shows]
    won = int(rng.choice(which))
    place = int(rng.integers(len(groups[won].codes)))
    return [replace(g, sideways=place) if k == won else g for k, g in enumerate(groups)]


def discards(rng: Rng, laid: Sequence[Laid]) -> list[Laid]:
    """Strew tiles beyond the hand, turned anyhow, from two tile heights away."""
    top = max(t.y for t in laid) + HEIGHT / 2
    found: list[Laid] = []
    for _ in range(int(rng.integers(60, 200))):
        x, y = rng.uniform(-4, 18), top + rng.uniform(2.0, 12.0) * HEIGHT
        if all(math.hypot(x - t.x, y - t.y) > 1.6 for t in found):
            found.append(_out(rng, x, y, rng.uniform(0, 360)))
    return found


def wall(rng: Rng, laid: Sequence[Laid]) -> list[Laid]:
    """Build what is left of a wall, face down, before the hand."""
    y = max((t.y for t in laid), default=0.0) + HEIGHT * rng.uniform(1.3, 3.0)
    start, slant = rng.uniform(-3, 3), rng.normal(0, 3)
    rise = math.tan(math.radians(slant))
    built = [
        replace(_out(rng, start + 1.02 * k, y + rise * k, slant), shows=FACE_DOWN)
        for k in range(int(rng.integers(5, 18)))
    ]
    room = 1.2 * HEIGHT
    return [t for t in built if all(math.hypot(t.x - o.x, t.y - o.y) > room for o in laid)]


def neighbour(rng: Rng, laid: Sequence[Laid]) -> list[Laid]:
    """Lay another player's exposed sets at the right, turned towards that player."""
    x = max(t.x for t in laid) + rng.uniform(5.5, 8.0)
    start = rng.uniform(0, 5)
    return [_out(rng, x, start + 1.03 * k, 90 + rng.normal(0, 1.5)) for k in range(6)]


def _out(rng: Rng, x: float, y: float, turn: float) -> Laid:
    code = str(rng.choice(_PLAIN))
    return Laid(code, code, x, y, turn, "out")


Layout = Callable[[Rng], list[Laid]]


def _sideways(rng: Rng, part: Part) -> list[Laid]:
    return two_rows(rng, turned_sideways(rng, deal(rng, 2), part), NEAT)


def _cluttered(rng: Rng) -> list[Laid]:
    laid = two_rows(rng, deal(rng, 2), NEAT)
    built = wall(rng, laid)
    return [*laid, *built, *discards(rng, built), *neighbour(rng, laid)]


LAYOUTS: dict[str, Layout] = {
    "two rows with gaps": lambda rng: two_rows(rng, deal(rng, int(rng.integers(1, 4))), NEAT),
    "two rows, narrow gaps": lambda rng: two_rows(rng, deal(rng, 2), Habit(gap=0.25, slack=0.02)),
    "two rows without gaps": lambda rng: two_rows(rng, deal(rng, 2), TOUCHING),
    "one row with gaps": lambda rng: one_row(rng, deal(rng, 0), NEAT),
    "one row without gaps": lambda rng: one_row(rng, deal(rng, 0), TOUCHING),
    "exposed sets on lines of their own": lambda rng: own_lines(rng, deal(rng, 3), NEAT),
    "flowers at the right": lambda rng: with_bonus(rng, two_rows(rng, deal(rng, 2), NEAT), "right"),
    "flowers above": lambda rng: with_bonus(rng, two_rows(rng, deal(rng, 2), NEAT), "above"),
    "flowers below": lambda rng: with_bonus(rng, two_rows(rng, deal(rng, 2), NEAT), "below"),
    "face-down tiles, BMJA": lambda rng: two_rows(rng, deal(rng, 2, "bmja"), NEAT),
    "face-down tiles, BMJA, no gaps": lambda rng: two_rows(rng, deal(rng, 2, "bmja"), TOUCHING),
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
    "among wall, discards and another's": _cluttered,
    "concealed tiles on a rack": lambda rng: on_a_rack(rng, deal(rng, 2), NEAT),
}


def at_side(laid: Sequence[Laid], quarters: int, distance: float) -> list[Laid]:
    """Move a hand to the table's edge, turned by quarters anticlockwise round its middle."""
    middle = (min(t.x for t in laid) + max(t.x for t in laid)) / 2
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    return [
        replace(
            t,
            x=c * (t.x - middle) - s * (t.y - distance),
            y=s * (t.x - middle) + c * (t.y - distance),
            turn=t.turn + 90 * quarters,
        )
        for t in laid
    ]


def middle_of_table(rng: Rng) -> list[Laid]:
    """Strew discards in the middle and build the rest of a wall along one side of them."""
    found = [tile for tile in wall(rng, [Laid("", "", 0.0, 4.0)]) if abs(tile.x) < 7]
    for _ in range(60):
        x, y = rng.uniform(-5, 5, 2)
        if all(math.hypot(x - t.x, y - t.y) > 1.7 for t in found):
            found.append(_out(rng, x, y, rng.uniform(0, 360)))
    return found
