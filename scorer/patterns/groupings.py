"""How the fourteen tiles of a hand may be meant: in sets and a pair, in pairs, in runs, knitted.

>>> tiles = ("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "O8", "O8", "O8", "C7", "C7")
>>> for unit in find_groupings(tiles)[0]:
...     print(unit.kind, *unit.codes)
run B1 B2 B3 B4 B5 B6 B7 B8 B9
pung O8 O8 O8
pair C7 C7
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, NamedTuple

from scorer.hand import HAND_SIZE, Codes
from scorer.patterns.frames import COPIES_PER_TILE, PLACE_BY_CODE
from scorer.patterns.notation import TILE_CLASSES
from scorer.tiles import RANKS, SUITS

UnitKind = Literal["run", "four", "chow", "pung", "couple", "triplet", "pair", "tile", "each"]
"""A run is four tiles or more in a row; `four` are four alike that are no kong; `each` is one of
each tile of a class."""

UNIT_KINDS: tuple[UnitKind, ...] = (
    "run", "four", "triplet", "couple", "chow", "pung", "pair", "tile", "each",
)  # fmt: skip
"""In the order in which a pattern has them."""

MIN_RUN_TILES = 4
"""A shorter run is a chow."""

MAX_GROUPINGS = 4

EACH_CLASSES = ("honour", "wind", "dragon")


class Unit(NamedTuple):
    """Tiles of a hand that belong together."""

    kind: UnitKind
    codes: Codes
    of: str = ""
    """The class that there is one each of."""


Grouping = tuple[Unit, ...]


def find_groupings(tiles: Codes) -> tuple[Grouping, ...]:
    """Return the ways in which these fourteen tiles may be meant, the likeliest first.

    Raises ValueError for other than fourteen playing tiles, or five of one.
    """
    counts = Counter(tiles)
    if len(tiles) != HAND_SIZE or max(counts.values()) > COPIES_PER_TILE:
        raise ValueError("a hand has fourteen tiles, and no more than four of each")
    ways = [
        *_as_majors(counts),
        *_as_pairs(counts),
        *_as_sets(counts),
        *_as_couples(counts),
        *(_as_rest(counts, runs_first=each) for each in (True, False)),
    ]
    different = dict.fromkeys(_in_order(way) for way in ways)
    return tuple(islice(sorted(different, key=_unlikeliness), MAX_GROUPINGS))


def _in_order(units: Iterable[Unit]) -> Grouping:
    return tuple(sorted(units, key=lambda e: (UNIT_KINDS.index(e.kind), PLACE_BY_CODE[e.codes[0]])))


def _unlikeliness(grouping: Grouping) -> tuple[int, int]:
    """Return what sorts the likeliest first: few single tiles, then few groups."""
    single = sum(unit.kind in ("tile", "four") for unit in grouping)
    all_pairs = all(unit.kind == "pair" for unit in grouping)
    return single, 0 if all_pairs else len(grouping)


def _as_majors(counts: Counter[str]) -> Iterator[list[Unit]]:
    """Yield one of each 1, 9 and honour, and one of them again."""
    rest = counts - Counter(TILE_CLASSES["major"])
    if rest.total() == 1:
        (tile,) = rest
        if tile in TILE_CLASSES["major"]:
            yield [Unit("each", TILE_CLASSES["major"], "major"), Unit("tile", (tile,))]


def _as_pairs(counts: Counter[str]) -> Iterator[list[Unit]]:
    if all(count % 2 == 0 for count in counts.values()):
        yield [Unit("pair", (tile, tile)) for tile in counts for _ in range(counts[tile] // 2)]


def _as_sets(counts: Counter[str]) -> Iterator[list[Unit]]:
    """Yield each way to put the tiles in four sets and a pair."""
    for pair in (tile for tile, count in counts.items() if count >= 2):
        for sets in _split_into_sets(counts - Counter((pair, pair))):
            yield [*sets, Unit("pair", (pair, pair))]


def _split_into_sets(counts: Counter[str]) -> Iterator[list[Unit]]:
    if not counts:
        yield []
        return
    first = min(counts, key=PLACE_BY_CODE.__getitem__)
    sets = [Unit("pung", (first,) * 3)]
    if first[0] in SUITS and int(first[1]) <= 7:
        sets.append(Unit("chow", tuple(f"{first[0]}{int(first[1]) + step}" for step in range(3))))
    for unit in sets:
        if counts >= Counter(unit.codes):
            for rest in _split_into_sets(counts - Counter(unit.codes)):
                yield [unit, *rest]


def _as_couples(counts: Counter[str]) -> Iterator[list[Unit]]:
    """Yield the tiles in seven couples, or in four triplets and a couple."""
    for triplets in (False, True):
        units = [unit for rank in RANKS["B"] for unit in _knit(rank, counts, triplets=triplets)]
        if sum(len(unit.codes) for unit in units) == HAND_SIZE:
            yield units


def _knit(rank: str, counts: Counter[str], *, triplets: bool) -> Iterator[Unit]:
    """Yield the triplets and couples of a rank; a tile that is left over is in none."""
    left = Counter({suit + rank: counts[suit + rank] for suit in SUITS})
    while triplets and min(left.values()) > 0:
        left.subtract(left.keys())
        yield Unit("triplet", tuple(suit + rank for suit in SUITS))
    while sum(count > 0 for count in left.values()) >= 2:
        two = sorted(code for code, _ in left.most_common(2))
        left.subtract(two)
        yield Unit("couple", tuple(two))


def _as_rest(counts: Counter[str], *, runs_first: bool) -> list[Unit]:
    """Return the tiles as groups of equal tiles, runs and single tiles.

    `runs_first` takes long runs out before equal tiles are grouped.
    """
    units: list[Unit] = []
    left = counts.copy()
    for unit in (*_find_each(left), *(_find_runs(left) if runs_first else ())):
        units.append(unit)
        left -= Counter(unit.codes)
    kinds: dict[int, UnitKind] = {2: "pair", 3: "pung", 4: "four"}
    for tile, count in left.items():
        if count in kinds:
            units.append(Unit(kinds[count], (tile,) * count))
    single = Counter(tile for tile, count in left.items() if count == 1)
    runs = [*_find_runs(single, min_tiles=3)]
    single -= Counter(tile for run in runs for tile in run.codes)
    return [*units, *runs, *(Unit("tile", (tile,)) for tile in single)]


def _find_each(counts: Counter[str]) -> Iterator[Unit]:
    """Yield the classes of honours that are complete once: each tile is there, not each twice."""
    for name in EACH_CLASSES:
        parts = [name] if name != "honour" else ["wind", "dragon"]
        if all(min(counts[tile] for tile in TILE_CLASSES[part]) == 1 for part in parts):
            yield Unit("each", TILE_CLASSES[name], name)
            if name == "honour":
                return


def _find_runs(counts: Counter[str], min_tiles: int = MIN_RUN_TILES) -> Iterator[Unit]:
    """Yield the longest run of each suit; one of three tiles is a chow."""
    for suit in SUITS:
        longest: Codes = ()
        row: Codes = ()
        for tile in (suit + rank for rank in RANKS[suit]):
            row = (*row, tile) if counts[tile] else ()
            longest = max(longest, row, key=len)
        if len(longest) >= min_tiles:
            yield Unit("run" if len(longest) >= MIN_RUN_TILES else "chow", longest)
