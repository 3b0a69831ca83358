"""How a deal begins: who plays, by which rules, and where every tile lies.

All chance comes from the seed: the order of the tiles and the dice. Small games have fewer tiles.

>>> from scorer.rulesets.builtin import load_builtin
>>> start = place_tiles(DealSetup(seed=7), load_builtin("bmja"))
>>> {seat: len(tiles) for seat, tiles in start.hands.items()}, len(start.live), len(start.box)
({'E': 14, 'S': 13, 'W': 13, 'N': 13}, 77, 14)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import chain
from random import Random
from typing import Any

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.hand import HAND_SIZE, RULESETS, Codes, Hand
from scorer.play.moves import refuse
from scorer.ruleset import DEFAULT_LIMIT_POINTS, Ruleset
from scorer.sets import classify_set
from scorer.table_setup.east import throw_dice
from scorer.table_setup.wall import CLOCKWISE_WALLS, WallPlace, break_wall, deal, wall_rules
from scorer.tile_names import name_tile, name_tiles
from scorer.tiles import BY_CODE, RANKS, SUITS, TILES, WINDS, copies_in_set
from scorer.validate.circumstance_checks import choose_rules

WHOLE_GAME_TILES = HAND_SIZE - 1
"""Tiles that a player holds between two turns."""

SMALL_GAME_SUITS: Mapping[int, str] = {4: "B", 7: "".join(SUITS), 10: "".join(SUITS)}
"""The suits of each small game, by the tiles of a player: one set, two or three, and a pair."""

SMALL_GAME_BOX_TILES = 8

TABLE_KINDS = ("chow", "pung", "kong")
"""The sets that may lie on the table before somebody wins."""

STORED_VERSION = 1
"""The version of the stored form."""


@dataclass(frozen=True, slots=True)
class DealSetup:
    """What a deal is played with. With the moves it says all that happens."""

    seed: int
    seats: str = "ESWN"
    """The seats that play, East among them."""
    players: int = 4
    """The number of players; of five, one sits out (BMJA-N03)."""
    prevailing_wind: str = "E"
    goulash: bool = False
    hand_size: int = WHOLE_GAME_TILES
    """Tiles that a player holds between two turns: fewer in a small game."""
    rack: Codes = ()
    """Tiles that a player begins with, as from a photograph; the rest is dealt."""
    rack_exposed: tuple[Codes, ...] = ()
    """Exposed sets that this player begins with."""
    rack_kongs: tuple[Codes, ...] = ()
    """Concealed kongs that this player has declared."""
    rack_seat: str = "E"
    ruleset: str = RULESETS[0]
    """The shipped ruleset that a hand names; `rules` of a table come with it."""
    limit: int | None = DEFAULT_LIMIT_POINTS
    house: Codes = ()
    """The table's choices, as in `Hand.house`."""

    @property
    def is_small(self) -> bool:
        """Whether it is a small game, for the first time."""
        return self.hand_size != WHOLE_GAME_TILES

    @property
    def sets_per_hand(self) -> int:
        """The sets of a complete hand, besides the pair."""
        return (self.hand_size - 1) // 3

    @property
    def rack_sets(self) -> tuple[Codes, ...]:
        """The sets that lie on the table at the beginning, exposed ones first."""
        return self.rack_exposed + self.rack_kongs

    @property
    def rack_bonus(self) -> Codes:
        """The rack's flowers and seasons."""
        return tuple(code for code in self.rack if BY_CODE[code].is_bonus)

    @property
    def rack_size(self) -> int:
        """The rack's tiles as a hand is counted: three in a set, bonus tiles none."""
        return len(_playing_tiles(self.rack)) + 3 * len(self.rack_sets)

    def to_goulash(self, seed: int) -> DealSetup:
        """Return the setup of the goulash after a wash-out, with the same seats."""
        return replace(self, seed=seed, goulash=True, rack=(), rack_exposed=(), rack_kongs=())

    def to_json(self) -> dict[str, Any]:
        """Return the setup as plain values, for the log."""
        return {"version": STORED_VERSION, **asdict(self)}

    def make_hand(self, seat: str, concealed: Codes = ()) -> Hand:
        """Return a hand of this seat with the circumstances of the deal."""
        return Hand(
            concealed=concealed,
            seat_wind=seat,
            prevailing_wind=self.prevailing_wind,
            ruleset=self.ruleset,
            players=self.players,
            goulash=self.goulash,
            limit=self.limit,
            house=self.house,
        )


def setup_from_json(data: Mapping[str, Any]) -> DealSetup:
    """Return a setup as `DealSetup.to_json` wrote it; raise PlayError for anything else."""
    names = {field.name for field in fields(DealSetup)}
    try:
        values = {name: data[name] for name in names & data.keys()}
        for name in ("rack", "house"):
            values[name] = tuple(map(str, values.get(name, ())))
        for name in ("rack_exposed", "rack_kongs"):
            values[name] = tuple(tuple(map(str, each)) for each in values.get(name, ()))
        if data["version"] == STORED_VERSION:
            return DealSetup(**values)
    except (KeyError, TypeError, AttributeError):
        pass
    raise refuse("old-version")


@dataclass(frozen=True, slots=True)
class StartingTiles:
    """Where each tile lies after the deal, before bonus tiles are laid out."""

    hands: dict[str, list[str]]
    live: list[str]
    """The live wall, the next tile last."""
    box: list[str]
    """The kong box, the next loose tile last."""
    bonus: tuple[str, ...] = ()
    """Bonus tiles of the rack, which lie open already."""
    throws: tuple[int, ...] = ()
    """The sums of the dice; none in a small game."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Where the tiles of the hands, the live wall and the box lie in a shuffled set."""

    hands: Mapping[str, tuple[int, ...]]
    live: tuple[int, ...]
    box: tuple[int, ...]


def place_tiles(setup: DealSetup, rules: Ruleset) -> StartingTiles:
    """Shuffle, break the wall and deal; raise PlayError for a setup that cannot be."""
    check_setup(setup, rules)
    chance = Random(f"practice-deal-{setup.seed}")
    tiles = _set_of_tiles(setup, rules)
    chance.shuffle(tiles)
    throws: tuple[int, ...] = ()
    if setup.is_small:
        places = _small_places(setup.seats, setup.hand_size, len(tiles))
    else:
        throw_count = wall_rules(rules).throws
        throws = tuple(sum(throw_dice(chance)) for _ in range(throw_count))
        places = _whole_places(throws, rules, setup.seats, setup.players)
    box = list(places.box)
    bonus = setup.rack_bonus
    if setup.rack_size or bonus:
        _fill_rack(tiles, places.hands[setup.rack_seat], setup, box)
    return StartingTiles(
        {seat: [tiles[index] for index in of_seat] for seat, of_seat in places.hands.items()},
        [tiles[index] for index in reversed(places.live)],
        [tiles[index] for index in reversed(box)],
        bonus,
        throws,
    )


def check_setup(setup: DealSetup, rules: Ruleset) -> None:
    """Raise PlayError for a setup that cannot be."""
    seats = setup.seats
    sits_out = setup.players == 5 and len(seats) == 4
    is_known = set(seats) <= WINDS.keys() and len(set(seats)) == len(seats) and "E" in seats
    if not is_known or not 2 <= len(seats) <= 4 or not (setup.players == len(seats) or sits_out):
        raise refuse("seats", known=rules.players)
    if setup.players not in rules.players or setup.prevailing_wind not in WINDS:
        raise refuse("seats", known=rules.players)
    if setup.hand_size not in (WHOLE_GAME_TILES, *SMALL_GAME_SUITS):
        raise refuse("old-version")
    if setup.goulash and (setup.is_small or not rules.goulash):
        raise refuse("no-goulash")
    _check_rack(setup, Counter(_set_of_tiles(setup, rules)))
    count, box_size = len(_list_replaced_tiles(setup)), _count_box_tiles(setup, rules)
    if count > box_size:
        raise refuse("rack-box", count=count, most=box_size)
    _check_sets(setup, rules)


def _check_rack(setup: DealSetup, in_set: Counter[str]) -> None:
    if setup.rack_seat not in setup.seats:
        raise refuse("seats", known=(len(setup.seats),))
    for code, count in Counter(chain(setup.rack, *setup.rack_sets)).items():
        if code not in in_set:
            name = name_tile(code)
            raise refuse("rack-unknown", tile=name)
        if count > in_set[code]:
            raise refuse("rack-too-often", tile=name_tile(code), most=in_set[code])
    if setup.rack_size > setup.hand_size + 1:
        raise refuse("rack-too-many", here=setup.rack_size, size=setup.hand_size)
    if setup.rack_size > setup.hand_size and setup.rack_seat != "E":
        raise refuse("rack-is-east", here=setup.rack_size)


def _check_sets(setup: DealSetup, rules: Ruleset) -> None:
    """Raise PlayError for sets that cannot lie on the table."""
    for sets, kinds in ((setup.rack_exposed, TABLE_KINDS), (setup.rack_kongs, ("kong",))):
        for codes in sets:
            if classify_set(codes) not in kinds:
                raise refuse("rack-no-set", tiles=name_tiles(codes))
    rules = choose_rules(setup.make_hand("E"), rules)
    max_chows = count_claimable_chows(setup, rules)
    if sum(classify_set(codes) == "chow" for codes in setup.rack_exposed) <= max_chows:
        return
    if max_chows:
        raise refuse("rack-chows", most=max_chows)
    games = [replace(setup, players=players) for players in rules.players]
    may_be_claimed = any(count_claimable_chows(each, rules) for each in games)
    raise refuse("rack-chows-players" if may_be_claimed else "rack-chows-none")


def count_chows_allowed(setup: DealSetup, rules: Ruleset) -> int:
    """Return how many chows an ordinary hand may have."""
    if setup.is_small:
        return max(rules.chows.values(), default=0)
    return rules.chows_for(setup.make_hand("E"))


def count_claimable_chows(setup: DealSetup, rules: Ruleset) -> int:
    """Return how many chows may lie on the table: special hands may allow more."""
    max_chows = max(count_chows_allowed(setup, rules), rules.chows_in_specials)
    return max_chows if rules.chow_claims else 0


def _set_of_tiles(setup: DealSetup, rules: Ruleset) -> list[str]:
    if setup.is_small:
        suits = SMALL_GAME_SUITS[setup.hand_size]
        return [suit + rank for suit in suits for rank in RANKS[suit] for _ in range(4)]
    return [
        tile.code
        for tile in TILES
        if rules.bonus_tiles or not tile.is_bonus
        for _ in range(copies_in_set(tile))
    ]


def _count_box_tiles(setup: DealSetup, rules: Ruleset) -> int:
    return SMALL_GAME_BOX_TILES if setup.is_small else rules.kong_box[str(setup.players)]


def _list_replaced_tiles(setup: DealSetup) -> list[str]:
    """Return the bonus tiles and the fourth tiles of kongs: the box gives a tile for each."""
    return [*setup.rack_bonus, *(code for codes in setup.rack_sets for code in codes[3:])]


def _playing_tiles(rack: Codes) -> list[str]:
    return [code for code in rack if code not in BY_CODE or not BY_CODE[code].is_bonus]


def _fill_rack(tiles: list[str], hand: tuple[int, ...], setup: DealSetup, box: list[int]) -> None:
    """Exchange tiles so that the hand holds the rack, and the rest stays as it was shuffled.

    Bonus tiles and the fourth tiles of kongs were replaced already: for each, the box is one
    tile shorter.
    """
    playing_tiles = _playing_tiles(setup.rack)
    for codes in setup.rack_sets:
        playing_tiles += codes[:3]
    for place, code in enumerate(playing_tiles):
        source = next(
            index for index, tile in enumerate(tiles) if tile == code and index not in hand[:place]
        )
        tiles[hand[place]], tiles[source] = tiles[source], tiles[hand[place]]
    rack_places = hand[: len(playing_tiles)]
    for code in _list_replaced_tiles(setup):
        spare = box.pop()
        source = next(i for i, tile in enumerate(tiles) if tile == code and i not in rack_places)
        tiles[source], tiles[spare] = tiles[spare], ""


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _whole_places(throws: tuple[int, ...], rules: Ruleset, seats: str, players: int) -> _Places:
    wall = break_wall(throws, wall_rules(rules), players=players)
    after = deal(wall, seats)
    return _Places(
        {
            seat: tuple(_index(place, wall.rules.pairs) for place in places)
            for seat, places in after.hands.items()
        },
        tuple(_index(place, wall.rules.pairs) for place in after.left),
        tuple(_index(place, wall.rules.pairs) for place in wall.kong_box),
    )


def _index(place: WallPlace, pairs: int) -> int:
    pair = CLOCKWISE_WALLS.index(place.wall) * pairs + place.pair - 1
    return 2 * pair + (place.layer == "bottom")


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _small_places(seats: str, hand_size: int, tiles: int) -> _Places:
    sizes = {seat: hand_size + (seat == "E") for seat in WINDS if seat in seats}
    hands, begin = {}, 0
    for seat, size in sizes.items():
        hands[seat] = tuple(range(begin, begin + size))
        begin += size
    end = tiles - SMALL_GAME_BOX_TILES
    return _Places(hands, tuple(range(begin, end)), tuple(range(end, tiles)))
