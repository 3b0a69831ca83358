"""Make up whole tables: a hand, what else lies there, the light and the camera."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.train.drawing.compose import games, household
from models.train.drawing.compose.bodies import (
    Body,
    Floats,
    Solid,
    jitter_colour,
    random_body,
    tile,
)
from models.train.drawing.compose.canvas import lens_matrix
from models.train.drawing.compose.colours import WOODS, Art, pick_colour, random_colour
from models.train.drawing.compose.grounds import random_kind, wood
from models.train.drawing.compose.household import paper, reaching_hand
from models.train.drawing.compose.layouts import (
    Spot,
    centre_spots,
    heap,
    rack,
    random_habit,
    random_layout,
    rotate_spots,
    shift_spots,
    standing_row,
    wall,
)
from models.train.drawing.compose.lighting import random_lighting
from models.train.drawing.compose.lofts import Loft, Place, tile_loft
from models.train.drawing.compose.paint import Sheet, Table
from models.train.drawing.compose.views import Stance, View, frame
from scorer.tiles import CODES

Rng = np.random.Generator

Bank = Mapping[str, Art]
"""The faces of one set by tile code."""


def place_tiles(spots: list[Spot], body: Body, bank: Bank, rng: Rng) -> list[Solid]:
    """Return tiles at these spots; each differs a little in colour from its neighbours."""
    solids = []
    for s in spots:
        art = bank.get(s.code) if s.lies != "down" else None
        solid = tile(body, s.code, art, (s.x, s.y, s.level), s.turn, s.lies)
        solids.append(replace(solid, front=jitter_colour(rng, body.front, 0.008), ignore=s.ignore))
    return solids


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of thing that may lie about."""

    make: Callable[[Rng, Place], list[Loft]]
    share: float
    reach: float
    """How far it spreads from its place, cm."""


THINGS: tuple[Thing, ...] = (
    Thing(games.dice, 2.4, 5.0),
    Thing(games.dominoes, 1.6, 12.0),
    Thing(games.cards, 1.6, 12.0),
    Thing(household.paper, 1.6, 15.0),
    Thing(household.notebook, 0.8, 11.0),
    Thing(household.packet, 0.8, 12.0),
    Thing(games.coins, 1.0, 9.0),
    Thing(games.tally_sticks, 0.8, 8.0),
    Thing(household.cup, 1.0, 9.0),
    Thing(household.biscuits, 0.6, 9.5),
    Thing(household.phone, 0.8, 8.5),
    Thing(household.keyboard, 1.2, 11.0),
    Thing(games.letters, 1.0, 9.0),
    Thing(games.bricks, 0.8, 7.0),
    Thing(games.rack, 0.8, 20.0),
    Thing(games.wind_marker, 1.2, 6.0),
    Thing(household.pencils, 0.7, 9.0),
    Thing(household.spectacles_or_cable, 0.8, 9.0),
)


def random_thing(rng: Rng) -> Thing:
    """Choose a thing as often as its share says."""
    shares = np.array([thing.share for thing in THINGS])
    return THINGS[rng.choice(len(THINGS), p=shares / shares.sum())]


BARE_SHARE = 0.1
"""Share of the pictures in which no tile lies."""
_MIN_DEPTH_SHARE = 0.45
"""Other things lie no nearer to the lens than this part of the hand's distance."""
_TILE_WIDTHS_PX = (15.0, 120.0)
"""Tiles appear about as wide as this, pixels of 640."""


_LOW_SHARE = 0.3
"""Share of the pictures taken by somebody who sits at the table."""
_LOW_DEGREES, _USUAL_DEGREES = (10.0, 35.0), (35.0, 89.0)
"""Above the horizontal, as seen from the tiles."""


def _stance(rng: Rng) -> Stance:
    """Hold the camera anywhere from straight above to 10 degrees from the horizontal."""
    degrees = _LOW_DEGREES if rng.random() < _LOW_SHARE else _USUAL_DEGREES
    return Stance(
        elevation=math.radians(rng.uniform(*degrees)),
        bearing=rng.normal(0.0, 0.15) if rng.random() < 0.75 else rng.uniform(-1.0, 1.0),
        roll=rng.normal(0.0, 0.05),
        focal=rng.uniform(0.7, 1.3),
        distortion=rng.normal(0.0, 0.03),
        fill=rng.uniform(0.4, 0.98),
    )


def _dress(rng: Rng, body: Body) -> tuple[Body, Art | None]:
    """Give a set's backs any colour, or the white of the front, or wood with its grain."""
    kind = rng.choice(("as made", "any", "white", "wood"), p=(0.4, 0.25, 0.15, 0.2))
    match kind:
        case "any":
            return replace(body, back_colour=random_colour(rng, (0.1, 0.95), (0.1, 0.95))), None
        case "white":
            return replace(body, back_colour=body.front), None
        case "wood":
            return _wooden(rng, body)
    return body, None


def _wooden(rng: Rng, body: Body) -> tuple[Body, Art]:
    grain = wood(rng)[:256, :192]
    colour = (
        pick_colour(rng, WOODS) if rng.random() < 0.3 else tuple(grain.mean(axis=(0, 1)).tolist())
    )
    rgb = np.clip(grain, 0.0, 1.0) ** (1 / 2.2) * 255
    alpha = np.zeros((256, 192, 1))
    alpha[16:-16, 12:-12] = rng.uniform(100.0, 255.0)
    share = max(body.back_share, 0.2)
    return (
        replace(body, back_colour=(colour[0], colour[1], colour[2]), back_share=share),
        np.dstack((rgb, alpha)).astype(np.uint8),
    )


def _hand(rng: Rng, body: Body) -> tuple[list[Spot], bool]:
    """Return where the hand's tiles lie, and whether they stand."""
    layout = random_layout(rng)
    straight = layout is rack or rng.random() < 0.7
    turn = rng.normal(0.0, 0.06) if straight else rng.uniform(0.0, 2 * math.pi)
    return rotate_spots(
        centre_spots(layout(rng, body, random_habit(rng))), float(turn)
    ), layout is rack


def _frame_points(
    rng: Rng, points: Floats, body: Body, size: tuple[int, int], stands: bool
) -> View:
    """Return a view of these points in which tiles are neither too large nor too small."""
    stance = _stance(rng)
    if stands:
        stance = replace(stance, elevation=math.radians(rng.uniform(22.0, 50.0)))
    place = (rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9))
    view = frame(stance, points, size, place)
    distance = float(np.linalg.norm(view.target - view.position))
    wide = body.width * view.focal * 640 / distance
    fit = float(np.clip(wide, *_TILE_WIDTHS_PX)) / wide
    return (
        view if fit == 1.0 else frame(replace(stance, fill=stance.fill * fit), points, size, place)
    )


class Room:
    """What of the table is still free, and not right below the lens."""

    def __init__(self, spots: Sequence[Spot], body: Body, edges: Floats, view: View) -> None:
        self._occupied: list[tuple[float, float, float]] = []
        self.fill(spots, math.hypot(body.width, body.height) / 2)
        self._edges = edges
        self._eye = view.position
        self._min_depth = _MIN_DEPTH_SHARE * float(np.linalg.norm(view.target - view.position))

    def fill(self, spots: Sequence[Spot], reach: float) -> None:
        """Take the places of tiles that lie together."""
        self._occupied += [(s.x, s.y, reach) for s in spots]

    def free(self, x: float, y: float, reach: float) -> bool:
        """Say whether a round place on the table, cm, is free."""
        low, high = self._edges.min(axis=0), self._edges.max(axis=0)
        if not (low[0] < x < high[0] and low[1] + 0.5 * reach < y < high[1]):
            return False
        if np.linalg.norm(self._eye - (x, y, 0.0)) < self._min_depth + reach:
            return False
        return all(math.hypot(x - a, y - b) >= reach + r for a, b, r in self._occupied)

    def take(self, x: float, y: float, reach: float) -> bool:
        """Take a round place, cm, if it is free; say whether it was."""
        if not self.free(x, y, reach):
            return False
        self._occupied.append((x, y, reach))
        return True


def _random_point(rng: Rng, view: View, size: tuple[int, int]) -> Floats:
    """Return a point of the table (3,) that appears anywhere in the picture, or near it."""
    pixel = rng.uniform(-0.05, 1.05, 2) * size
    forward = np.linalg.solve(lens_matrix(view, size), (*pixel, 1.0))
    return np.asarray(view.position - forward * view.position[2] / min(forward[2], -1e-9))


def _scatter_things(
    rng: Rng, view: View, size: tuple[int, int], room: Room, count: int
) -> list[Loft]:
    things: list[Loft] = []
    for _ in range(count):
        thing = random_thing(rng)
        for _ in range(12):
            x, y, _z = _random_point(rng, view, size).tolist()
            if room.take(x, y, thing.reach):
                things += thing.make(rng, Place(x, y, 0.0, rng.uniform(0.0, 2 * math.pi)))
                break
    return things


def _scatter_tiles(
    rng: Rng, body: Body, view: View, size: tuple[int, int], room: Room
) -> list[Spot]:
    """Return walls, other players' rows and discards, wherever the table is free."""
    half = math.hypot(body.width, body.height) / 2
    spots_of_others: list[Spot] = []
    for _ in range(rng.choice((0, 1, 2, 4), p=(0.5, 0.2, 0.2, 0.1))):
        kind = rng.choice(("wall", "row", "discards"), p=(0.45, 0.15, 0.4))
        make = {"wall": wall, "row": standing_row}.get(str(kind))
        spots = heap(rng, body, random_habit(rng)) if make is None else make(rng, body)
        turn = float(rng.choice((0.0, math.pi / 2)) + rng.normal(0.0, 0.1))
        x, y, _z = _random_point(rng, view, size).tolist()
        spots = shift_spots(rotate_spots(centre_spots(spots), turn), x, y)
        feet = [s for s in spots if s.level == 0.0 and room.free(s.x, s.y, 0.95 * half)]
        room.fill(feet, half)
        standing = {(s.x, s.y) for s in feet}
        spots_of_others += [_show_face(rng, s, view) for s in feet]
        spots_of_others += [s for s in spots if s.level > 0.0 and _rests_on_any(s, standing)]
    return spots_of_others


def _show_face(rng: Rng, spot: Spot, view: View) -> Spot:
    """Let another player's tile that stands with its front towards the camera have a face."""
    to_camera = view.position[:2] - (spot.x, spot.y)
    if spot.lies != "standing" or to_camera @ (math.sin(spot.turn), -math.cos(spot.turn)) <= 0:
        return spot
    return replace(spot, code=str(rng.choice(CODES)))


def _rests_on_any(spot: Spot, feet: set[tuple[float, float]]) -> bool:
    return any(math.hypot(spot.x - x, spot.y - y) < 0.5 for x, y in feet)


def _sheet(rng: Rng, polygon: Floats | None, level: float, thickness: float) -> Sheet:
    kind = random_kind(rng)
    return Sheet(
        picture=kind.draw(rng),
        extent=rng.uniform(*kind.extent),
        polygon=polygon,
        level=level,
        turn=float(rng.choice((0.0, math.pi / 2, rng.uniform(0.0, math.pi)))),
        gloss=rng.uniform(*kind.gloss),
        rim=random_colour(rng, (0.1, 0.7), (0.1, 0.6)),
        thickness=thickness,
    )


def _rectangle(low: Floats, high: Floats) -> Floats:
    """Return an upright rectangle (4, 3) on the table, anticlockwise."""
    x = (low[0], high[0], high[0], low[0])
    y = (low[1], low[1], high[1], high[1])
    return np.column_stack((x, y, np.zeros(4)))


def _sheets(rng: Rng, edges: Floats, points: Floats) -> tuple[Sheet, ...]:
    """Return the floor, the table and, on some, a mat below the tiles."""
    floor = _sheet(rng, None, -70.0, 0.0)
    table = _sheet(rng, edges, 0.0, rng.uniform(1.5, 4.0))
    if rng.random() > 0.2:
        return floor, table
    low, high = points.min(axis=0), points.max(axis=0)
    mat = _rectangle(low - rng.uniform(1.0, 12.0, 3), high + rng.uniform(1.0, 12.0, 3))
    mat[:, 1] = np.maximum(mat[:, 1], edges[:, 1].min())
    return floor, table, _sheet(rng, mat, 0.0, 0.2)


def random_table(rng: Rng, bank: Bank, size: tuple[int, int]) -> Table:
    """Return a made-up table framed for a picture of `size` pixels with these faces."""
    body, back_art = _dress(rng, random_body(rng))
    bare = rng.random() < BARE_SHARE
    spots, stands = ([], False) if bare else _hand(rng, body)
    points = np.array(
        [(s.x, s.y, 0.0) for s in spots] or rng.uniform(-22.0, 22.0, (4, 3)) * (1, 1, 0)
    )
    points = np.concatenate((points - 0.5 * body.height, points + 0.5 * body.height)) * (1, 1, 0)
    view = _frame_points(rng, points, body, size, stands)
    near_edge = float(points[:, 1].min()) - float(rng.choice((rng.uniform(0.5, 5.0), 40.0)))
    wide, deep = rng.uniform(35.0, 80.0), rng.uniform(60.0, 140.0)
    edges = _rectangle(np.array((-wide, near_edge)), np.array((wide, near_edge + deep)))
    room = Room(spots, body, edges, view)
    other_spots = [] if bare else _scatter_tiles(rng, body, view, size, room)
    count = (
        int(rng.integers(5, 14)) if bare else int(rng.choice((0, 1, 2, 4), p=(0.3, 0.3, 0.2, 0.2)))
    )
    lofts = paper(rng, Place(0.0, 0.0, 0.0, rng.normal(0, 1))) if rng.random() < 0.06 else []
    lofts += _scatter_things(rng, view, size, room, count)
    solids = place_tiles([*spots, *other_spots], body, bank, rng)
    lofts += [tile_loft(solid, back_art) for solid in solids]
    if rng.random() < 0.1:
        x, y, _z = _random_point(rng, view, size).tolist()
        lofts += reaching_hand(rng, x, y, body.depth)
    return Table(_sheets(rng, edges, points), tuple(lofts), random_lighting(rng), view)
