"""Build the wall, break it by dice, and deal from it (BMJA-P04 to BMJA-P09; SAF-S02 to S06).

The four walls form a ring. Tiles are taken clockwise (BMJA-P11): from East's wall, then North's,
West's and South's. In each wall, pairs are counted from its player's right end.

>>> wall = break_wall((8, 12))
>>> wall.chosen, wall.count, wall.broken_at
('N', 20, WallPair(wall='W', number=2))
>>> wall.live[0], len(wall.live)
(WallPlace(wall='W', pair=3, layer='top'), 130)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from scorer.errors import HandProblem, ScorerError, error
from scorer.message import message
from scorer.naming import wind
from scorer.table_setup.steps import Step, step
from scorer.tiles import WINDS

Layer = Literal["top", "bottom"]

CLOCKWISE = "ENWS"
"""The walls in the order in which tiles are taken from them (BMJA-P06, BMJA-P11)."""


TWO_DICE = range(2, 13)
"""The possible sums of two dice."""


class WallError(ScorerError):
    """Raised for dice that cannot break a wall, or players who cannot be dealt to."""


@dataclass(frozen=True, slots=True)
class WallPair:
    """Two tiles of a wall, one on top of the other."""

    wall: str
    """The owner of the wall: E, S, W or N."""
    number: int
    """Counted from 1, from the right end as the owner sees it."""


@dataclass(frozen=True, slots=True)
class WallPlace:
    """The position of one tile in the built walls."""

    wall: str
    pair: int
    layer: Layer


@dataclass(frozen=True, slots=True)
class LooseTile:
    """One of the two tiles of the broken pair, which are put on top of the kong box."""

    place: WallPlace
    """Its position in the built wall."""
    on: WallPair
    """The pair that it is put on (BMJA-P07)."""


@dataclass(frozen=True, slots=True)
class WallRules:
    """One way to build and break the wall."""

    pairs: int
    """The length of each of the four walls, in pairs."""
    throws: int
    """The number of throws of two dice; the owner of the chosen wall throws the second."""
    kong_box: Mapping[int, int]
    """The length of the kong box in pairs, with the broken one, by number of players."""
    loose_on: tuple[int, int]
    """The pairs, counted right of the break, that the loose tiles are put on, in drawing order."""
    rules: Mapping[str, str]
    """The rule id of each step: `build`, `which`, `where`, `loose`, `box`, `deal`, and `bonus`
    when there are bonus tiles."""

    @property
    def tiles(self) -> int:
        """The number of tiles in the four walls."""
        return self.pairs * 2 * 4


BMJA = WallRules(
    pairs=18,
    throws=2,
    # Two and three players build all four walls too (BMJA-N01); no rule shrinks the box.
    kong_box=MappingProxyType({2: 7, 3: 7, 4: 7, 5: 7}),
    loose_on=(2, 1),
    rules=MappingProxyType(
        {
            "build": "BMJA-P04",
            "which": "BMJA-P05",
            "where": "BMJA-P06",
            "loose": "BMJA-P07",
            "box": "BMJA-P08",
            "deal": "BMJA-P09",
            "bonus": "BMJA-P10",
        }
    ),
)
"""British Mah-Jong: 144 tiles, and both throws are counted."""

BMJA_BY_THE_BOOK = replace(BMJA, loose_on=(3, 1))
"""The same with the loose tiles on the first and third pair, as in the book (BMJA-C10)."""

SAFALRA = WallRules(
    pairs=17,
    throws=1,
    kong_box=MappingProxyType({2: 4, 3: 6, 4: 8}),
    loose_on=(2, 1),
    rules=MappingProxyType(
        {
            "build": "SAF-S02",
            "which": "SAF-S03",
            "where": "SAF-S03",
            "loose": "SAF-S05",
            "box": "SAF-S04",
            "deal": "SAF-S06",
        }
    ),
)
"""Safalra's rules: 136 tiles, one throw, a smaller kong box for fewer players (SAF-N02)."""

SAFALRA_MINIATURE = replace(SAFALRA, pairs=8, kong_box=MappingProxyType({2: 4}))
"""Two players without two of the suits: 64 tiles (SAF-N03)."""


WALLS: Mapping[str, WallRules] = MappingProxyType(
    {"bmja": BMJA, "safalra": SAFALRA, "miniature": SAFALRA_MINIATURE}
)
"""The walls by ruleset; `miniature` is Safalra's short game for two."""


def wall_rules(name: str, *, spread: bool = False) -> WallRules:
    """Return one of `WALLS`; with `spread`, the BMJA's as in the book (BMJA-C10)."""
    return BMJA_BY_THE_BOOK if spread and name == "bmja" else WALLS[name]


def usual_players(rules: WallRules) -> int:
    """Return the usual number of players: four if these rules allow it."""
    return 4 if 4 in rules.kong_box else max(rules.kong_box)


@dataclass(frozen=True, slots=True)
class Wall:
    """A broken wall. Each tile is either in the kong box or in the live wall."""

    rules: WallRules
    throws: tuple[int, ...]
    chosen: str
    """The owner of the wall that the first throw chose (BMJA-P05)."""
    count: int
    """The number of pairs counted from its right end, possibly on into the next wall."""
    broken_at: WallPair
    loose: tuple[LooseTile, LooseTile]
    """In drawing order."""
    kong_box: tuple[WallPlace, ...]
    """Its tiles in drawing order, the loose ones first (BMJA-P08)."""
    live: tuple[WallPlace, ...]
    """All other tiles, in the order of dealing and drawing."""
    steps: tuple[Step, ...]


def break_wall(throws: Sequence[int], rules: WallRules = BMJA, *, players: int = 4) -> Wall:
    """Break the wall by these sums of two dice: East's throw, then the wall owner's.

    Raises WallError for impossible sums, a wrong number of throws, or a number of players that the
    rules do not allow.
    """
    problems = tuple(_problems(throws, rules, players))
    if problems:
        raise WallError(problems)
    count = sum(throws)
    chosen = wall_chosen(throws[0])
    ring = [WallPair(wall, number) for wall in CLOCKWISE for number in range(1, rules.pairs + 1)]
    at = (ring.index(WallPair(chosen, 1)) + count - 1) % len(ring)
    # Turned so that the ring ends with the broken pair: what lies left of it comes first.
    ring = ring[at + 1 :] + ring[: at + 1]
    box = ring[: -rules.kong_box[players] - 1 : -1]
    loose = [
        LooseTile(place, box[on]) for place, on in zip(_tiles(box[:1]), rules.loose_on, strict=True)
    ]
    return Wall(
        rules=rules,
        throws=tuple(throws),
        chosen=chosen,
        count=count,
        broken_at=box[0],
        loose=(loose[0], loose[1]),
        kong_box=tuple(_tiles(box)),
        live=tuple(_tiles(ring[: -len(box)])),
        steps=tuple(_steps(throws, rules, box)),
    )


def wall_chosen(throw: int) -> str:
    """Return the owner of the chosen wall, counted anti-clockwise from East (BMJA-P05).

    >>> [wall_chosen(throw) for throw in (5, 6, 7, 8)]
    ['E', 'S', 'W', 'N']
    """
    return tuple(WINDS)[(throw - 1) % len(WINDS)]


def _tiles(pairs: Sequence[WallPair]) -> Iterator[WallPlace]:
    """Yield the tiles of the pairs in drawing order: the top tile of each first."""
    for pair in pairs:
        yield WallPlace(pair.wall, pair.number, "top")
        yield WallPlace(pair.wall, pair.number, "bottom")


def _problems(throws: Sequence[int], rules: WallRules, players: int) -> Iterator[HandProblem]:
    if len(throws) != rules.throws:
        yield error("throws", message("wall.throws", count=rules.throws))
    for throw in throws:
        if throw not in TWO_DICE:
            yield error("dice", message("wall.dice", throw=throw))
    if players not in rules.kong_box:
        yield error("players", message("wall.players", players=players))


def _steps(throws: Sequence[int], rules: WallRules, box: Sequence[WallPair]) -> Iterator[Step]:
    chosen, broken, count = wall_chosen(throws[0]), box[0], sum(throws)
    ids = rules.rules
    yield step(ids["build"], "build", pairs=rules.pairs)
    yield step(ids["which"], "which", throw=throws[0], wall=wind(chosen))
    yield step(
        ids["where"],
        f"where{'-adding' if throws[1:] else ''}{'' if broken.wall == chosen else '-past'}",
        wall=wind(chosen),
        first=throws[0],
        second=throws[-1],
        count=count,
        pair=broken.number,
        broken=wind(broken.wall),
    )
    near, far = sorted(rules.loose_on)
    yield step(ids["loose"], "loose", near=near, far=far)
    yield step(ids["box"], "box", pairs=len(box) - 1, tiles=2 * len(box))
