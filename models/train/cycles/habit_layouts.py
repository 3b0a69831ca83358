"""Hands as people lay them who never read how: in blocks, stacks, staggered, amid others' tiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from models.train.cycles.hands import Dealt, Group, Mix, deal
from models.train.cycles.spots import (
    Habit,
    Mark,
    Rng,
    Shape,
    Spot,
    centre_spots,
    lay_row,
    rotate_spots,
    shift_spots,
)

MELDS_SHOWN = Mix(exposed=0.7)
"""Players with melds: where there are none, there is nothing to lay apart."""


def random_habit(rng: Rng) -> Habit:
    """Return how an ordinary player lays tiles, neither tidy nor careless."""
    return Habit(
        rng.uniform(0.2, 0.6),
        rng.uniform(0.0, 0.1),
        rng.uniform(0.008, 0.035),
        rng.choice((0.0, 0.1, 0.3)),
    )


def two_blocks(rng: Rng, dealt: Dealt, shape: Shape, habit: Habit) -> list[Spot]:
    """Lay melds and flowers in a block at one side, the player's own tiles at the other."""
    groups, own = _own_row(rng, dealt, shape, habit)
    if not groups:
        return own
    block = stack_rows(rng, groups, shape, habit, int(rng.integers(1, 3)))
    side = rng.choice((-1, 1))
    room = rng.uniform(1.5, 6.0) * shape.width
    away = _reach(own, shape) + _reach(block, shape) + room
    return [*own, *shift_spots(block, side * away, rng.normal(0.0, 0.7) * shape.height)]


def stack_rows(
    rng: Rng, groups: Sequence[Group], shape: Shape, habit: Habit, sets_per_row: int
) -> list[Spot]:
    """Lay sets in short rows, one above another, centred at the origin."""
    spots: list[Spot] = []
    y = 0.0
    for start in range(0, len(groups), sets_per_row):
        row = lay_row(rng, groups[start : start + sets_per_row], shape, habit)
        spots += shift_spots(row, rng.normal(0.0, 0.3) * shape.width, y)
        y += shape.height * (1.0 + 2 * habit.wobble) + rng.uniform(0.05, 0.5) * shape.width
    return centre_spots(spots)


def stacked_above(rng: Rng, dealt: Dealt, shape: Shape, habit: Habit) -> list[Spot]:
    """Lay each meld in a row of its own above the player's tiles, flowers on top or beside."""
    groups, own = _own_row(rng, dealt, shape, habit)
    if not groups:
        return own
    column = stack_rows(rng, groups, shape, habit, 1)
    low = max(s.y for s in own) + shape.height * rng.uniform(1.1, 1.6)
    lift = low - min(s.y for s in column)
    aside = rng.uniform(-1.0, 1.0) * max(_reach(own, shape) - _reach(column, shape), 0.0)
    return [*own, *shift_spots(column, aside, lift)]


def staggered_row(rng: Rng, dealt: Dealt, shape: Shape, habit: Habit) -> list[Spot]:
    """Lay all sets side by side, exposed ones pushed forward, each set turned a little."""
    groups = [*dealt.top, *dealt.low]
    forward = shape.height * rng.uniform(0.35, 0.9)
    spots: list[Spot] = []
    x = 0.0
    for group in [*groups, *_bonus_group(dealt)]:
        row = centre_spots(lay_row(rng, [group], shape, habit))
        row = rotate_spots(row, rng.normal(0.0, 0.06))
        wide = _reach(row, shape)
        ahead = forward if group[0] == "exposed" else 0.0
        spots += shift_spots(row, x + wide, ahead + rng.normal(0.0, 0.06) * shape.height)
        x += 2 * wide + rng.uniform(0.15, 0.8) * shape.width
    return centre_spots(spots)


def neighbour_row(rng: Rng, bonus: Sequence[str], hand: Sequence[Spot], shape: Shape) -> list[Spot]:
    """Return another player's row behind or beside a hand."""
    dealt = deal(rng, Mix(winners=0.0, exposed=0.3), bonus, [s.code for s in hand])
    habit = random_habit(rng)
    groups = [*dealt.top, *dealt.low] if rng.random() < 0.5 else list(dealt.low)
    row = centre_spots(lay_row(rng, groups, shape, habit))
    side = str(rng.choice(("top", "top", "left", "right")))
    turn = {"top": math.pi, "left": -math.pi / 2, "right": math.pi / 2}[side]
    row = rotate_spots(row, turn + rng.normal(0.0, 0.05))
    room = shape.height * rng.uniform(0.6, 3.5)
    if side == "top":
        dy = max(s.y for s in hand) + shape.height + room
        row = shift_spots(row, rng.normal(0.0, 2.0) * shape.width, dy)
    else:
        dx = (max if side == "right" else min)(s.x for s in hand)
        sign = 1 if side == "right" else -1
        row = shift_spots(
            row, dx + sign * (shape.height + room), rng.uniform(0.0, 5.0) * shape.height
        )
    return [replace(s, part="other", group=-1, won=False, owner="") for s in row]


def discards_near(rng: Rng, codes: Sequence[str], hand: Sequence[Spot], shape: Shape) -> list[Spot]:
    """Lay discards in rows of six above a hand, or some strewn one to two tiles from its rows."""
    top = max(s.y for s in hand) + shape.height / 2
    if rng.random() < 0.5:
        habit = Habit(0.0, 0.08, 0.03, 0.0)
        lift = top + rng.uniform(0.9, 2.2) * shape.height
        rows = [
            shift_spots(
                lay_row(rng, [("other", -1, [Mark(c) for c in codes[k : k + 6]])], shape, habit),
                rng.uniform(-4.0, 0.0) * shape.width,
                lift + (k // 6) * shape.height * 1.08,
            )
            for k in range(0, len(codes), 6)
        ]
        turned = rng.random() < 0.3
        return [replace(s, turn=s.turn + (math.pi if turned else 0.0)) for row in rows for s in row]
    return _strew_round(rng, codes, hand, shape)


def _strew_round(rng: Rng, codes: Sequence[str], hand: Sequence[Spot], shape: Shape) -> list[Spot]:
    """Strew tiles above and beside a hand, none nearer than a tile to any of it."""
    apart = math.hypot(shape.width, shape.height)
    wide = max(abs(s.x) for s in hand) + 2.5 * shape.height
    low, high = min(s.y for s in hand), max(s.y for s in hand) + 4.0 * shape.height
    spots: list[Spot] = []
    for _ in range(len(codes) * 60):
        x, y = rng.uniform(-wide, wide), rng.uniform(low, high)
        clear = all(math.hypot(x - s.x, y - s.y) > apart * 1.15 for s in (*hand, *spots))
        if len(spots) < len(codes) and clear:
            spots.append(Spot(codes[len(spots)], x, y, rng.uniform(0, 2 * math.pi)))
    return spots


def _own_row(rng: Rng, dealt: Dealt, shape: Shape, habit: Habit) -> tuple[list[Group], list[Spot]]:
    """Return the groups that lie apart, and the row of the others, centred at the origin."""
    groups = [*dealt.top, *_bonus_group(dealt)]
    low = dealt.low or (groups.pop(0),)
    return groups, centre_spots(lay_row(rng, low, shape, habit))


def _bonus_group(dealt: Dealt) -> list[Group]:
    return [("bonus", 9, dealt.bonus)] if dealt.bonus else []


def _reach(spots: Sequence[Spot], shape: Shape) -> float:
    """Return half of what spots cover from left to right."""
    return (max(s.x for s in spots) - min(s.x for s in spots)) / 2 + shape.width / 2
