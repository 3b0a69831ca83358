"""Where tiles lie: a hand's rows, melds, grids and heaps, walls, and other players' rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from models.train.drawing.compose.bodies import Body, Pose
from scorer.tiles import CODES

Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Spot:
    """One tile: its code, its middle (cm), its turn (radians, anticlockwise) and how it lies."""

    code: str
    x: float
    y: float
    turn: float = 0.0
    lies: Pose = "up"
    level: float = 0.0
    ignore: bool = False
    """In a wall or an opponent's hand: nobody is asked to read it."""


@dataclass(frozen=True, slots=True)
class Habit:
    """How tidily one person lays tiles."""

    slack: float
    """Mean gap between neighbours, in tile widths."""
    set_gap: float
    """Gap between sets, in tile widths."""
    wobble: float
    """Deviation of a tile's turn, radians, and of its place along its own height, widths."""
    upside_down: float
    """Share of tiles that lie upside down."""
    sideways: float
    """Share of tiles that lie sideways."""
    askew: float
    """Share of tiles that lie at any angle among the others."""
    face_down: float
    """Share of face-down tiles."""


Group = list[tuple[str, Pose]]


def random_habit(rng: Rng) -> Habit:
    """Make up a person."""
    return Habit(
        slack=0.0 if rng.random() < 0.35 else rng.uniform(0.0, 0.25) ** 1.5,
        set_gap=0.0 if rng.random() < 0.45 else rng.uniform(0.1, 1.1),
        wobble=abs(rng.normal(0.0, 0.014)),
        upside_down=float(rng.choice((0.0, 0.06, 0.15, 0.5), p=(0.35, 0.3, 0.2, 0.15))),
        sideways=float(rng.choice((0.0, 0.06, 0.15), p=(0.45, 0.4, 0.15))),
        askew=float(rng.choice((0.0, 0.03, 0.12), p=(0.6, 0.25, 0.15))),
        face_down=float(rng.choice((0.0, 0.04, 0.12), p=(0.6, 0.25, 0.15))),
    )


_PLAYING_CODES = [c for c in CODES if c[0] not in "FS"]
_BONUS = [c for c in CODES if c[0] in "FS"]


def random_set(rng: Rng) -> Group:
    """Make up a chow, pung, kong or pair, face down in it what the rules lay face down."""
    kind = rng.choice(("chow", "pung", "kong", "pair"), p=(0.3, 0.35, 0.2, 0.15))
    if kind == "chow":
        low = int(rng.integers(1, 8))
        suit = rng.choice(("B", "C", "O"))
        return [(f"{suit}{low + k}", "up") for k in range(3)]
    code = str(rng.choice(_PLAYING_CODES))
    count = {"pung": 3, "kong": 4, "pair": 2}[str(kind)]
    lies: list[Pose] = ["up"] * count
    face_down_places = {
        "pung": (1,),
        "kong": ((0,), (3,), (0, 3), (1, 2))[rng.integers(4)],
        "pair": (),
    }
    if rng.random() < 0.35:
        for k in face_down_places[str(kind)]:
            lies[k] = "down"
    return [(code, way) for way in lies]


def random_codes(rng: Rng, count: int) -> Group:
    """Make up loose tiles, bonus tiles among them."""
    return [(str(rng.choice(CODES)), "up") for _ in range(count)]


def lay_row(rng: Rng, groups: list[Group], body: Body, habit: Habit) -> list[Spot]:
    """Lay groups from left to right, their near edges on one line at y = 0, from x = 0."""
    spots: list[Spot] = []
    x = 0.0
    for group in groups:
        for code, lies in group:
            quarter = 0
            if rng.random() < habit.upside_down:
                quarter = 2
            if rng.random() < habit.sideways:
                quarter = 1 if rng.random() < 0.5 else 3
            if rng.random() < habit.face_down:
                lies = "down"
            turn = quarter * math.pi / 2 + rng.normal(0.0, habit.wobble)
            if rng.random() < habit.askew:
                turn = rng.uniform(0.0, 2 * math.pi)
            wide, tall = _extent(body, turn)
            gap = rng.exponential(habit.slack) * body.width if habit.slack else 0.0
            x += min(gap, 0.5 * body.width) + 0.012 * body.width + habit.wobble * tall * 0.5
            y = tall / 2 + rng.normal(0.0, habit.wobble) * body.width * 1.5
            spots.append(Spot(code, x + wide / 2, float(y), float(turn), lies))
            x += wide
        x += habit.set_gap * body.width * rng.uniform(0.7, 1.3)
    return spots


def _extent(body: Body, turn: float) -> tuple[float, float]:
    """Return the width and height that a tile takes when turned by `turn` radians."""
    cos, sin = abs(math.cos(turn)), abs(math.sin(turn))
    return body.width * cos + body.height * sin, body.width * sin + body.height * cos


def shift_spots(spots: list[Spot], dx: float, dy: float) -> list[Spot]:
    """Shift spots."""
    return [replace(s, x=s.x + dx, y=s.y + dy) for s in spots]


def rotate_spots(spots: list[Spot], angle: float) -> list[Spot]:
    """Turn spots together about the origin."""
    c, s = math.cos(angle), math.sin(angle)
    return [
        replace(p, x=c * p.x - s * p.y, y=s * p.x + c * p.y, turn=p.turn + angle) for p in spots
    ]


def centre_spots(spots: list[Spot]) -> list[Spot]:
    """Bring the middle of the spots' extent to the origin."""
    xs, ys = [s.x for s in spots], [s.y for s in spots]
    return shift_spots(spots, -(min(xs) + max(xs)) / 2, -(min(ys) + max(ys)) / 2)


def _sets(rng: Rng, tiles: int) -> list[Group]:
    groups: list[Group] = []
    while sum(len(g) for g in groups) < tiles:
        groups.append(random_set(rng) if rng.random() < 0.75 else random_codes(rng, 1))
    return groups


def one_row(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Lay the whole hand in one row, bonus tiles perhaps at its end."""
    groups = _sets(rng, int(rng.integers(11, 17)))
    if rng.random() < 0.6:
        bonus = rng.choice(_BONUS, size=rng.integers(1, 4), replace=False)
        groups.append([(str(c), "up") for c in bonus])
    return lay_row(rng, groups, body, habit)


def two_rows(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Lay the mat's layout: exposed sets above, concealed below, bonus tiles at the right."""
    habit = replace(habit, set_gap=max(habit.set_gap, rng.uniform(0.05, 0.6)))
    top = lay_row(rng, [random_set(rng) for _ in range(rng.integers(1, 4))], body, habit)
    low = lay_row(rng, _sets(rng, int(rng.integers(4, 12))), body, habit)
    gap = body.height + body.width * rng.choice((0.03, 0.4, 1.0, 1.6)) * rng.uniform(0.8, 1.2)
    spots = shift_spots(top, rng.uniform(-0.5, 4.0) * body.width, gap) + low
    if rng.random() < 0.7:
        bonus = rng.choice(_BONUS, size=rng.integers(1, 5), replace=False)
        extra = lay_row(rng, [[(str(c), "up") for c in bonus]], body, habit)
        right = max(s.x for s in spots) + body.height * rng.uniform(0.7, 1.8)
        spots += shift_spots(extra, right, rng.uniform(0.0, gap))
    return spots


def brick_rows(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Lay two to five rows set close above each other, as hands are laid to save width."""
    spots: list[Spot] = []
    y = 0.0
    for _ in range(rng.integers(2, 6)):
        row = lay_row(
            rng, _sets(rng, int(rng.integers(3, 9))), body, replace(habit, sideways=0.0, askew=0.0)
        )
        spots += shift_spots(row, rng.choice((0.0, rng.uniform(-1.0, 2.0) * body.width)), y)
        y += body.height * (1.02 + 2 * habit.wobble)
    return spots


def grid(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Lay rows and columns, touching or well apart, as a set is shown."""
    columns, rows = int(rng.integers(2, 10)), int(rng.integers(2, 6))
    step_x = body.width * (1.01 + rng.choice((0.0, rng.uniform(0.0, 1.6))))
    step_y = body.height * (1.01 + rng.choice((0.0, rng.uniform(0.0, 1.0))))
    spots = []
    for r in range(rows):
        for c in range(columns):
            quarter = rng.integers(4) if rng.random() < habit.upside_down else 0
            if step_x < body.height * 1.02 and quarter % 2:
                quarter -= 1
            lies: Pose = "down" if rng.random() < habit.face_down else "up"
            turn = float(quarter) * math.pi / 2 + rng.normal(0.0, habit.wobble)
            spots.append(Spot(str(rng.choice(CODES)), c * step_x, r * step_y, turn, lies))
    return spots


def heap(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Strew tiles about, turned at random, none overlapping."""
    count = int(rng.integers(3, 40))
    radius = body.height * math.sqrt(count) * rng.uniform(0.62, 1.3)
    spots: list[Spot] = []
    min_distance = math.hypot(body.width, body.height) * 0.92
    face_down_chance = rng.choice((0.0, 0.15, 0.5))
    for _ in range(count * 12):
        if len(spots) == count:
            break
        x, y = rng.uniform(-radius, radius, 2)
        if all(math.hypot(x - s.x, y - s.y) > min_distance for s in spots):
            lies: Pose = "down" if rng.random() < face_down_chance else "up"
            turn = rng.uniform(0.0, 2 * math.pi)
            spots.append(Spot(str(rng.choice(CODES)), float(x), float(y), turn, lies))
    return spots


def few_tiles(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Lay one set, or one to six tiles, seen from near."""
    group = random_set(rng) if rng.random() < 0.5 else random_codes(rng, int(rng.integers(1, 7)))
    return lay_row(rng, [group], body, habit)


def rack(rng: Rng, body: Body, habit: Habit) -> list[Spot]:
    """Stand a row on edge, faces to the player."""
    plain = replace(habit, upside_down=0.03, sideways=0.0, askew=0.0, face_down=0.0)
    row = lay_row(rng, _sets(rng, int(rng.integers(10, 15))), body, plain)
    standing = [replace(s, lies="standing", y=rng.normal(0.0, 0.02) * body.width) for s in row]
    return [replace(s, turn=0.0) for s in standing]


def wall(rng: Rng, body: Body) -> list[Spot]:
    """Return face-down tiles side by side, one or two high, along x from the origin."""
    high = 2 if rng.random() < 0.75 else 1
    return [
        Spot("??", k * body.width * 1.01, rng.normal(0.0, 0.05), rng.normal(0.0, 0.01), "down",
             level * body.depth, ignore=True)
        for k in range(rng.integers(4, 18)) for level in range(high)
    ]  # fmt: skip


def standing_row(rng: Rng, body: Body) -> list[Spot]:
    """Return another player's hand: it stands with its back to us."""
    return [
        Spot("??", k * body.width * 1.01, rng.normal(0.0, 0.03), math.pi, "standing", ignore=True)
        for k in range(rng.integers(6, 14))
    ]


Layout = Callable[[Rng, Body, Habit], list[Spot]]

LAYOUTS: dict[Layout, float] = {
    one_row: 0.36,
    two_rows: 0.22,
    brick_rows: 0.09,
    grid: 0.07,
    heap: 0.12,
    few_tiles: 0.09,
    rack: 0.05,
}
"""How often each layout is photographed."""


def random_layout(rng: Rng) -> Layout:
    """Choose a layout as often as it is photographed."""
    ways = list(LAYOUTS)
    return ways[rng.choice(len(ways), p=np.array(list(LAYOUTS.values())))]
