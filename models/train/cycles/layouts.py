"""Where the tiles of a picture lie, kind by kind; `hands` says which tiles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.train.cycles.habit_layouts import (
    MELDS_SHOWN,
    discards_near,
    neighbour_row,
    random_habit,
    stacked_above,
    staggered_row,
    two_blocks,
)
from models.train.cycles.hands import COPIES_PER_TILE, PLAYING_CODES, Dealt, Group, Mix, deal
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
from models.train.cycles.styles import Style
from scorer.tiles import CODES

ANGLE_COUNT = 36
"""Every five degrees from 0 to 175."""


@dataclass(frozen=True, slots=True)
class Laid:
    """Tiles on a table and what the photograph is to be read as."""

    spots: tuple[Spot, ...]
    hands: Mapping[str, str] = field(default_factory=dict)
    """Hand texts by the owner's side of the picture; the one of a lone hand under `bottom`."""
    things: int = 0
    """How many other things lie about."""


Layout = Callable[[Rng, int, Style, Shape], Laid]

TIDY = Mix()
SPECIAL = Mix(chows=0.2, kongs=0.35, marked=0.8)


def tidy(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay a hand as the page asks: exposed sets above, concealed below, flowers at the right."""
    habit = Habit(rng.uniform(0.3, 0.7), rng.uniform(0.0, 0.05), 0.008)
    dealt = deal(rng, TIDY, style.bonus)
    return _lone_hand(two_rows(rng, dealt, shape, habit), dealt, things=int(rng.integers(0, 2)))


def careless(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay a hand in a hurry: askew, with uneven gaps, some tiles upside down."""
    habit = Habit(
        rng.uniform(0.12, 0.4),
        rng.uniform(0.05, 0.2),
        rng.uniform(0.03, 0.075),
        rng.uniform(0.1, 0.45),
    )
    dealt = deal(rng, TIDY, style.bonus)
    return _lone_hand(two_rows(rng, dealt, shape, habit), dealt, things=int(rng.integers(0, 2)))


def rotated(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay a hand that is photographed from anywhere but its owner's seat."""
    habit = Habit(rng.uniform(0.3, 0.6), rng.uniform(0.0, 0.06), 0.012, 0.05)
    dealt = deal(rng, TIDY, style.bonus)
    angle = math.radians((25, 335, 50, 310, 90, 270, 180, 15, 345, 35, 325, 135)[number % 12])
    spots = rotate_spots(
        centre_spots(two_rows(rng, dealt, shape, habit)), angle + rng.normal(0.0, 0.07)
    )
    return _lone_hand(spots, dealt, things=0)


def cluttered(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay a hand amid discards, the rest of a wall and other things."""
    habit = Habit(
        rng.uniform(0.3, 0.6),
        rng.uniform(0.0, 0.1),
        rng.uniform(0.008, 0.035),
        rng.uniform(0.0, 0.2),
    )
    dealt = deal(rng, TIDY, style.bonus)
    hand = centre_spots(two_rows(rng, dealt, shape, habit))
    top = max(s.y for s in hand) + shape.height
    wide = max(abs(s.x) for s in hand)
    wall = shift_spots(
        _wall(rng, int(rng.integers(4, 9)), shape),
        rng.uniform(-wide, 0.0),
        top + 1.3 * shape.height,
    )
    left = _unheld_codes(rng, hand)[: rng.integers(8, 18)]
    loose = strew(rng, left, shape, (wide, 2.2 * shape.height))
    loose = shift_spots(loose, 0.0, top + 5.2 * shape.height)
    return _lone_hand([*hand, *wall, *loose], dealt, things=int(rng.integers(3, 6)))


def special(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay kongs and marked pungs; every third in one row, every third without gaps."""
    gap = 0.0 if number % 3 == 1 else rng.uniform(0.3, 0.6)
    habit = Habit(gap, rng.uniform(0.0, 0.03), 0.008)
    dealt = deal(rng, SPECIAL, style.bonus)
    if number % 3 != 2:
        return _lone_hand(two_rows(rng, dealt, shape, habit), dealt, things=0)
    dealt = deal(
        rng, replace(SPECIAL, exposed=0.0, kongs=0.1, winners=1.0, claimed=0.0), style.bonus
    )
    return _lone_hand(
        _with_bonus(rng, lay_row(rng, [*dealt.top, *dealt.low], shape, habit), dealt, shape, habit),
        dealt,
    )


def single(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay one to three tiles."""
    codes = rng.choice(style.codes, 1 + number % 3)
    marks = tuple(Mark(str(code)) for code in codes)
    row = lay_row(rng, [("other", 0, marks)], shape, Habit(0.0, 0.15, 0.03))
    return Laid(tuple(rotate_spots(centre_spots(row), rng.normal(0.0, 0.2))))


def angle(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Turn tiles by every five degrees: twelve alone a picture, or six amid upright neighbours.

    Three pictures of the former, six of the latter, and so on in turn.
    """
    playing = [code for code in style.codes if code[0] in "BCOW" or code in ("DR", "DG")]
    part = number % 9
    alone = part < 3
    count, columns, first = (12, 4, part) if alone else (6, 2, part - 3)
    spots: list[Spot] = []
    for k in range(count):
        degrees = (first + k * ANGLE_COUNT // count) * 5
        x, y = (
            k % columns * (2.2 if alone else 4.2) * shape.height,
            k // columns * 2.0 * shape.height,
        )
        spots += _turned_tile(rng, playing, degrees, (x, y), shape, alone=alone)
    return Laid(tuple(centre_spots(spots)))


def _turned_tile(
    rng: Rng,
    playing: Sequence[str],
    degrees: int,
    place: tuple[float, float],
    shape: Shape,
    *,
    alone: bool,
) -> list[Spot]:
    """Lay one tile turned, an upright one each side of it unless it is to be alone."""
    codes = [str(code) for code in rng.choice(playing, 3, replace=False)]
    turn = math.radians(degrees)
    tile = Spot(codes[0], *place, turn, degrees=degrees)
    reach = abs(math.cos(turn)) * shape.width + abs(math.sin(turn)) * shape.height
    away = reach / 2 + 0.55 * shape.width
    beside = [(place[0] + side * away, place[1], float(rng.normal(0.0, 0.01))) for side in (-1, 1)]
    return [tile, *(() if alone else map(Spot, codes[1:], *zip(*beside, strict=True)))]


def pile(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Strew eight to twenty tiles, turned at random, some of them face down."""
    count = int(rng.integers(8, 21))
    reach = shape.height * math.sqrt(count) * rng.uniform(0.62, 0.85)
    codes = [str(code) for code in rng.choice(style.codes, count)]
    spots = strew(rng, codes, shape, (reach, reach * 0.8))
    return Laid(tuple(replace(s, down=bool(rng.random() < 0.12)) for s in spots))


_SIDES = (("bottom", 0.0), ("right", 90.0), ("top", 180.0), ("left", 270.0))


def table(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay four players' hands round a table, discards and what is left of the walls amid them."""
    hands: dict[str, str] = {}
    spots: list[Spot] = []
    for seat, (side, degrees) in enumerate(_SIDES):
        mix = replace(TIDY, winners=1.0 if seat == number % 4 else 0.0)
        dealt = deal(rng, mix, style.bonus[seat::4], [s.code for s in spots if s.owner])
        habit = Habit(rng.uniform(0.25, 0.5), 0.05, 0.015, 0.08)
        own = shift_spots(
            centre_spots(two_rows(rng, dealt, shape, habit)), 0.0, -9.0 * shape.height
        )
        if rng.random() < 0.6:
            own += shift_spots(
                _wall(rng, int(rng.integers(4, 10)), shape), -4 * shape.width, -5.6 * shape.height
            )
        turn = math.radians(degrees)
        spots += rotate_spots(
            [replace(s, owner=side if s.part != "other" else "") for s in own], turn
        )
        hands[side] = dealt.text
    left = _unheld_codes(rng, spots)[: rng.integers(16, 30)]
    spots += strew(rng, left, shape, (3.2 * shape.height, 3.2 * shape.height))
    return Laid(tuple(spots), hands, things=0)


def blocks(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay melds and flowers in a block of their own, the rest at the other side."""
    dealt = deal(rng, MELDS_SHOWN, style.bonus)
    return _lone_hand(two_blocks(rng, dealt, shape, random_habit(rng)), dealt)


def stacked(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay the melds one above another."""
    dealt = deal(rng, MELDS_SHOWN, style.bonus)
    return _lone_hand(stacked_above(rng, dealt, shape, random_habit(rng)), dealt)


def staggered(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay all sets side by side, the exposed ones pushed forward."""
    dealt = deal(rng, MELDS_SHOWN, style.bonus)
    return _lone_hand(staggered_row(rng, dealt, shape, random_habit(rng)), dealt)


def neighbour(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay a hand in two rows, with another player's row behind or beside it."""
    dealt = deal(rng, MELDS_SHOWN, style.bonus)
    hand = centre_spots(two_rows(rng, dealt, shape, random_habit(rng)))
    row = neighbour_row(rng, style.bonus, hand, shape)
    return _lone_hand([*hand, *row], dealt)


def discards(rng: Rng, number: int, style: Style, shape: Shape) -> Laid:
    """Lay a hand with discards one or two tiles from it."""
    dealt = deal(rng, TIDY, style.bonus)
    hand = centre_spots(two_rows(rng, dealt, shape, random_habit(rng)))
    left = _unheld_codes(rng, hand)[: rng.integers(1, 16)]
    return _lone_hand([*hand, *discards_near(rng, left, hand, shape)], dealt)


LAYOUTS: Mapping[str, Layout] = {
    each.__name__: each
    for each in (
        *(tidy, careless, rotated, cluttered, special, single, angle, pile, table),
        *(blocks, stacked, staggered, neighbour, discards),
    )
}


def _lone_hand(spots: Sequence[Spot], dealt: Dealt, things: int = 0) -> Laid:
    owned = tuple(replace(s, owner="bottom" if s.part != "other" else "") for s in spots)
    return Laid(owned, {"bottom": dealt.text}, things)


def two_rows(rng: Rng, dealt: Dealt, shape: Shape, habit: Habit) -> list[Spot]:
    """Return a hand in the two rows that the page asks for; near row at y = 0."""
    low = lay_row(rng, dealt.low, shape, habit)
    if not dealt.top:
        return _with_bonus(rng, low, dealt, shape, habit)
    top = lay_row(rng, dealt.top, shape, habit)
    shift = rng.uniform(0.0, 1.5) * shape.width
    step = shape.height * (1.12 + 2 * habit.wobble) + rng.uniform(0.1, 0.6) * shape.width
    return _with_bonus(rng, low + shift_spots(top, shift, step), dealt, shape, habit)


def _with_bonus(rng: Rng, hand: list[Spot], dealt: Dealt, shape: Shape, habit: Habit) -> list[Spot]:
    """Lay flowers and seasons apart at the right, as players do."""
    if not dealt.bonus:
        return hand
    group: Group = ("bonus", 9, dealt.bonus)
    row = lay_row(rng, [group], shape, habit)
    right = max(s.x for s in hand) + shape.height / 2 + rng.uniform(0.5, 1.2) * shape.width
    top = max(s.y for s in hand) - shape.height / 2
    return hand + shift_spots(row, right, rng.choice((0.0, 0.0, max(top, 0.0))))


def _wall(rng: Rng, count: int, shape: Shape) -> list[Spot]:
    """Lay a row of face-down tiles, side by side."""
    return [
        Spot(str(rng.choice(CODES)), k * shape.width * 1.01, 0.0, float(rng.normal(0, 0.008)), True)
        for k in range(count)
    ]


def _unheld_codes(rng: Rng, held: Sequence[Spot]) -> list[str]:
    """Return the playing tiles of the set that nobody holds, shuffled: flowers are not thrown."""
    there = Counter(spot.code for spot in held)
    left = [code for code in PLAYING_CODES for _ in range(COPIES_PER_TILE - there[code])]
    return [str(code) for code in rng.permutation(left)]


def strew(rng: Rng, codes: Sequence[str], shape: Shape, reach: tuple[float, float]) -> list[Spot]:
    """Strew tiles within `reach` of the origin, turned at random, none upon another."""
    apart = math.hypot(shape.width, shape.height) * 0.98
    spots: list[Spot] = []
    for _ in range(len(codes) * 40):
        x, y = rng.uniform(-reach[0], reach[0]), rng.uniform(-reach[1], reach[1])
        if len(spots) < len(codes) and all(math.hypot(x - s.x, y - s.y) > apart for s in spots):
            spots.append(Spot(codes[len(spots)], x, y, rng.uniform(0, 2 * math.pi)))
    return spots
