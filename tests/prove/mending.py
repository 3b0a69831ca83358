"""How often the box blames the right tile where the hands of a deal hold a face too many.

    python -m tests.prove.named NAMED.jsonl
    python -m tests.prove.mending NAMED.jsonl [--deals N]

The tiles are dealt and grouped by `tests.vision.table_laid`; how each is read is drawn from what
the reader made of real tiles of that face in photographs that nothing learned from. In each deal
one tile is read as a real one of its face was misread; the others are readings that were right.
Then each hand is decoded as the reader does, so that what a hand's own sets put right is right.

`asked` are deals in which a doubtful tile is wrong: somebody is asked about it anyway. Of those in
which the counts cannot be, it is told how often a mend is proposed and how often that is the truth.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

import numpy as np

from device.hands.record import HandRecord
from device.matches.tile_counts import TileMend, find_excess_tiles, propose_mends
from scorer.tiles import FACE_DOWN
from tests.device.read_hands import hand_read
from tests.vision.laid import Group
from tests.vision.table_laid import Box, dealt
from vision.hand.assembly import LaidSet
from vision.hand.joint_decoding import TileGroup, decode_jointly
from vision.reading import Reading, RowName, TileReading, Timings

GATE = 0.9
PLAYERS = ("Ann", "Bob", "Cy", "Di")
_ROWS: dict[str, RowName] = {
    "exposed": "exposed",
    "concealed": "concealed",
    "kong": "concealed",
    "bonus": "bonus",
}
Pool = dict[str, list[TileReading]]
"""Readings that were right, by the tile."""

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Named:
    """A real tile and its reading."""

    label: str
    read: TileReading
    size: float


def main() -> None:
    """Print a line for each size of the photographs, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("named", type=Path)
    parser.add_argument("--deals", type=int, default=40, help="for each tile that was misread")
    args = parser.parse_args()
    by_size: dict[float, list[Named]] = defaultdict(list)
    for each in named(args.named):
        by_size[each.size].append(each)
    total = Counter[str]()
    for size, those in by_size.items():
        tally = measured(those, args.deals)
        total += tally
        told(f"at {size:g}", tally)
    told("all", total)


def named(path: Path) -> Iterator[Named]:
    """Yield what `tests.prove.named` wrote."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        others = tuple((code, chance) for code, chance in row["alternatives"])
        read = TileReading(row["code"], row["confidence"], QUAD, 0, others, row["doubtful"])
        yield Named(row["label"], read, row["size"])


def measured(tiles: Sequence[Named], deals: int) -> Counter[str]:
    """Deal with each of the tiles that were misread, and count what comes of it."""
    right: Pool = defaultdict(list)
    for each in tiles:
        if each.read.code == each.label and not each.read.doubtful:
            right[each.label].append(each.read)
    tally = Counter[str]()
    for number, wrong in enumerate(each for each in tiles if each.read.code != each.label):
        for turn in range(deals):
            tally += one_deal(wrong, right, number * 10_000 + turn)
    return tally


def one_deal(wrong: Named, right: Pool, seed: int) -> Counter[str]:
    """Deal until somebody holds the tile that is misread; return what is said of the hands."""
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    spots: list[tuple[str, int]] = []
    while not spots:
        hands = {player: tuple(four) for player, four in zip(PLAYERS, _dealt(rng), strict=True)}
        truth = {
            (player, place): code
            for player, groups in hands.items()
            for place, code in enumerate(code for each in groups for code in _shown(each))
        }
        spots = [at for at, code in truth.items() if code == wrong.label]
    spot = chance.choice(spots)
    reads = {
        at: wrong.read if at == spot else _read(code, right, chance) for at, code in truth.items()
    }
    records = {
        player: _record([reads[at] for at in truth if at[0] == player], groups, won=player == "Ann")
        for player, groups in hands.items()
    }
    return judged(records, truth)


def _dealt(rng: np.random.Generator) -> Iterator[list[Group]]:
    """Yield four hands, the first of which has won, each with its flowers behind it."""
    box = Box(rng)
    for number in range(4):
        flowers = [Group((box.any("FS"),), "bonus") for _ in range(rng.integers(0, 3))]
        yield [*dealt(rng, box, won=number == 0), *flowers]


def _shown(group: Group) -> tuple[str, ...]:
    return group.shows or group.codes


def _read(code: str, right: Pool, chance: random.Random) -> TileReading:
    if code == FACE_DOWN or not right[code]:
        return TileReading(code, 0.999, QUAD, 0, (), doubtful=False)
    return chance.choice(right[code])


def _record(tiles: Sequence[TileReading], groups: Sequence[Group], *, won: bool) -> HandRecord:
    """Return a hand that was read as this, decoded as the reader does."""
    ends = list(accumulate(len(each.codes) for each in groups))
    sets = [
        LaidSet(tuple(range(end - len(each.codes), end)), _ROWS[each.part])
        for each, end in zip(groups, ends, strict=True)
    ]
    together = [
        TileGroup(each.tiles, each.row == "exposed") for each in sets if each.row != "bonus"
    ]
    return record(decode_jointly(tiles, together, GATE), sets, won=won)


def record(tiles: Sequence[TileReading], sets: Sequence[LaidSet], *, won: bool) -> HandRecord:
    """Return a hand that was read as this."""
    reading = Reading("", 1, 1, tuple(tiles), (), "", (), Timings(0, 0, 0, 0, 0))
    return replace(hand_read(reading, won=won), sets=tuple(sets))


def judged(records: dict[str, HandRecord], truth: dict[tuple[str, int], str]) -> Counter[str]:
    """Count what is said of four hands as they were read."""
    slips = {
        (player, place): (tile.code, tile.doubtful)
        for player, hand in records.items()
        for place, tile in enumerate(hand.tiles)
        if tile.code != truth[player, place]
    }
    tally = Counter(deals=1)
    if not slips:
        return tally + Counter(decoded=1)
    asked = all(doubtful for _, doubtful in slips.values())
    tally[f"wrong{' asked' if asked else ''}"] += 1
    if not find_excess_tiles(records):
        return tally
    ways = [_as_set(way) for way in propose_mends(records)]
    true = {(player, place, truth[player, place]) for player, place in slips}
    which = " asked" if asked else ""
    tally[f"told{which}"] += 1
    if ways:
        tally[f"proposed{which}"] += 1
        tally[f"tile right{which}"] += {at[:2] for at in ways[0]} == {at[:2] for at in true}
        tally[f"first right{which}"] += ways[0] == true
        tally[f"among three{which}"] += true in ways
    return tally


def _as_set(way: TileMend) -> set[tuple[str, int, str]]:
    return {(each.player, each.place, each.code) for each in way}


def told(name: str, tally: Counter[str]) -> None:
    """Print a line for what nobody is asked about, and one for what somebody is."""
    for which in ("", " asked"):
        wrong, impossible, ways = (tally[f"{key}{which}"] for key in ("wrong", "told", "proposed"))
        if wrong:
            sys.stdout.write(
                f"{name}{which}: {wrong} deals with a wrong tile, {impossible} cannot be,"
                f" {ways} mends; the tile {tally[f'tile right{which}']},"
                f" its face first {tally[f'first right{which}']},"
                f" among three {tally[f'among three{which}']}\n"
            )


if __name__ == "__main__":
    main()
