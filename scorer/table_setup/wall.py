"""Build the wall, break it by dice, and deal from it (BMJA-P04 to BMJA-P09; SAF-S02 to S06).

The four walls form a ring. Tiles are taken clockwise (BMJA-P11): from East's wall, then North's,
West's and South's. In each wall, pairs are counted from its player's right end.

>>> from scorer.rulesets.builtin import load_builtin
>>> wall = break_wall((8, 12), wall_rules(load_builtin("bmja")))
>>> wall.side, wall.count, wall.broken_at
('N', 20, WallPair(wall='W', number=2))
>>> wall.live[0], len(wall.live)
(WallPlace(wall='W', pair=3, layer='top'), 130)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from scorer.errors import HandProblem, ScorerError, error
from scorer.hand import RULESETS
from scorer.message import message
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.table_setup.steps import Step, make_step
from scorer.tile_names import name_wind
from scorer.tiles import TILES, WINDS, copies_in_set

Layer = Literal["top", "bottom"]

CLOCKWISE_WALLS = "ENWS"
"""The walls in the order in which tiles are taken from them (BMJA-P06, BMJA-P11)."""


TWO_DICE_TOTALS = range(2, 13)
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
    pair: WallPair
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
    """The pairs, counted right of the break, that the loose tiles are put on, in drawing order.

    Where the box is too short, its last pair takes the place of a pair."""
    rules: Mapping[str, str]
    """The rule id of each step: `build`, `which`, `where`, `loose`, `box`, `deal`, and `bonus`
    when there are bonus tiles."""

    @property
    def tiles(self) -> int:
        """The number of tiles in the four walls."""
        return self.pairs * 2 * 4


_STEP_RULES: Mapping[str, Mapping[str, str]] = {
    "bmja": {
        "build": "BMJA-P04",
        "which": "BMJA-P05",
        "where": "BMJA-P06",
        "loose": "BMJA-P07",
        "box": "BMJA-P08",
        "deal": "BMJA-P09",
        "bonus": "BMJA-P10",
    },
    "safalra": {
        "build": "SAF-S02",
        "which": "SAF-S03",
        "where": "SAF-S03",
        "loose": "SAF-S05",
        "box": "SAF-S04",
        "deal": "SAF-S06",
    },
}
_THROWS = {"bmja": 2, "safalra": 1}
"""Throws of the dice: both are added (BMJA-P06), or one says both things (SAF-S03)."""

LOOSE_TOGETHER, LOOSE_SPREAD = (2, 1), (3, 1)
"""The pairs that loose tiles are put on, counted right of the break: as usual, or by BMJA-C10."""

MINIATURE = "miniature"
"""Names the wall of Safalra's short game for two."""

WALL_NAMES = (*RULESETS, MINIATURE)
"""The walls that a table may ask for: those of the shipped rulesets, and the miniature's."""

_MINIATURE_PAIRS = 8


def wall_rules(rules: Ruleset) -> WallRules:
    """Return how a ruleset's wall is built and broken."""
    game = rules.name if rules.name in RULESETS else RULESETS[0]
    steps = _STEP_RULES[game]
    tiles = sum(copies_in_set(tile) for tile in TILES if rules.bonus_tiles or not tile.is_bonus)
    return WallRules(
        pairs=tiles // (2 * len(WINDS)),
        throws=_THROWS[game],
        kong_box={int(players): tiles // 2 for players, tiles in rules.kong_box.items()},
        loose_on=LOOSE_SPREAD if rules.is_on("loose_tiles_spread") else LOOSE_TOGETHER,
        rules={step: steps[step] for step in steps if step != "bonus" or rules.bonus_tiles},
    )


def miniature_wall() -> WallRules:
    """Return the wall of Safalra's game for two without two of the suits: 64 tiles (SAF-N03)."""
    usual = wall_rules(load_builtin("safalra"))
    return replace(usual, pairs=_MINIATURE_PAIRS, kong_box={2: usual.kong_box[2]})


def usual_player_count(rules: WallRules) -> int:
    """Return the usual number of players: four if these rules allow it."""
    return 4 if 4 in rules.kong_box else max(rules.kong_box)


@dataclass(frozen=True, slots=True)
class Wall:
    """A broken wall. Each tile is either in the kong box or in the live wall."""

    rules: WallRules
    throws: tuple[int, ...]
    side: str
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


def break_wall(throws: Sequence[int], rules: WallRules, *, players: int = 4) -> Wall:
    """Break the wall by these sums of two dice: East's throw, then the wall owner's.

    Raises WallError for impossible sums, a wrong number of throws, or a number of players that the
    rules do not allow.
    """
    WallError.raise_for(_find_problems(throws, rules, players))
    count = sum(throws)
    side = choose_wall(throws[0])
    ring = [
        WallPair(wall, number) for wall in CLOCKWISE_WALLS for number in range(1, rules.pairs + 1)
    ]
    index = (ring.index(WallPair(side, 1)) + count - 1) % len(ring)
    # Turned so that the ring ends with the broken pair: what lies left of it comes first.
    ring = ring[index + 1 :] + ring[: index + 1]
    box = ring[: -rules.kong_box[players] - 1 : -1]
    loose = [
        LooseTile(place, box[min(on, len(box) - 1)])
        for place, on in zip(_tiles_of_pairs(box[:1]), rules.loose_on, strict=True)
    ]
    return Wall(
        rules=rules,
        throws=tuple(throws),
        side=side,
        count=count,
        broken_at=box[0],
        loose=(loose[0], loose[1]),
        kong_box=tuple(_tiles_of_pairs(box)),
        live=tuple(_tiles_of_pairs(ring[: -len(box)])),
        steps=tuple(_wall_steps(throws, rules, box)),
    )


def choose_wall(throw: int) -> str:
    """Return the owner of the chosen wall, counted anti-clockwise from East (BMJA-P05).

    >>> [choose_wall(throw) for throw in (5, 6, 7, 8)]
    ['E', 'S', 'W', 'N']
    """
    return tuple(WINDS)[(throw - 1) % len(WINDS)]


def _tiles_of_pairs(pairs: Sequence[WallPair]) -> Iterator[WallPlace]:
    """Yield the tiles of the pairs in drawing order: the top tile of each first."""
    for pair in pairs:
        yield WallPlace(pair.wall, pair.number, "top")
        yield WallPlace(pair.wall, pair.number, "bottom")


def _find_problems(throws: Sequence[int], rules: WallRules, players: int) -> Iterator[HandProblem]:
    if len(throws) != rules.throws:
        yield error("throws", message("wall.throws", count=rules.throws))
    for throw in throws:
        if throw not in TWO_DICE_TOTALS:
            yield error("dice", message("wall.dice", throw=throw))
    if players not in rules.kong_box:
        yield error("players", message("wall.players", players=players))


def _wall_steps(throws: Sequence[int], rules: WallRules, box: Sequence[WallPair]) -> Iterator[Step]:
    side, broken_pair, count = choose_wall(throws[0]), box[0], sum(throws)
    ids = rules.rules
    yield make_step(ids["build"], "build", pairs=rules.pairs)
    yield make_step(ids["which"], "which", throw=throws[0], wall=name_wind(side))
    yield make_step(
        ids["where"],
        f"where{'-adding' if throws[1:] else ''}{'' if broken_pair.wall == side else '-past'}",
        wall=name_wind(side),
        first=throws[0],
        second=throws[-1],
        count=count,
        pair=broken_pair.number,
        broken=name_wind(broken_pair.wall),
    )
    near_pair, far_pair = sorted(min(on, len(box) - 1) for on in rules.loose_on)
    key = "loose" if near_pair < far_pair else "loose-one"
    yield make_step(ids["loose"], key, near=near_pair, far=far_pair)
    yield make_step(ids["box"], "box", count=len(box) - 1, tiles=2 * len(box))


DEAL_SIZES = (4, 4, 4, 1)
"""Tiles dealt to each player in each turn, anti-clockwise from East; East then takes one more."""


@dataclass(frozen=True, slots=True)
class DealtPacket:
    """Tiles dealt to one player at once."""

    seat: str
    places: tuple[WallPlace, ...]


@dataclass(frozen=True, slots=True)
class DealtWall:
    """A wall after the deal."""

    packets: tuple[DealtPacket, ...]
    """In the order of dealing."""
    left: tuple[WallPlace, ...]
    """The rest of the live wall, in the order of drawing."""
    steps: tuple[Step, ...]

    @property
    def hands(self) -> dict[str, tuple[WallPlace, ...]]:
        """Each seat's tiles, in the order of dealing."""
        hands: dict[str, tuple[WallPlace, ...]] = {}
        for packet in self.packets:
            hands[packet.seat] = hands.get(packet.seat, ()) + packet.places
        return hands

    @property
    def counts(self) -> dict[str, int]:
        """The number of tiles of each seat: East 14, the others 13."""
        return {seat: len(places) for seat, places in self.hands.items()}


def deal(wall: Wall, seats: str = "ESWN") -> DealtWall:
    """Deal to these seats, clockwise along the wall from the break.

    Seats without a player (BMJA-N01) or with Safalra's dummy (SAF-N01) get no tiles. Two players
    who want dummy hands (BMJA-N02) name all four seats. Raises WallError for unknown or repeated
    seats, and without East.
    """
    if "E" not in seats or any(seats.count(seat) > 1 or seat not in WINDS for seat in seats):
        raise WallError((error("seats", message("wall.seats", seats=seats)),))
    dealing = [seat for seat in WINDS if seat in seats]
    live = iter(wall.live)
    packets = tuple(
        DealtPacket(seat, tuple(islice(live, size))) for seat, size in _deal_turns(dealing)
    )
    return DealtWall(packets, tuple(live), tuple(_deal_steps(wall, dealing)))


def _deal_turns(seats: list[str]) -> Iterator[tuple[str, int]]:
    for size in DEAL_SIZES:
        for seat in seats:
            yield seat, size
    yield "E", 1


def _deal_steps(wall: Wall, seats: list[str]) -> Iterator[Step]:
    ids = wall.rules.rules
    names = tuple(map(name_wind, seats))
    packet = max(DEAL_SIZES)
    yield make_step(ids["deal"], "deal", seats=names, packet=packet, times=DEAL_SIZES.count(packet))
    if "bonus" in ids:
        yield make_step(ids["bonus"], "bonus")
