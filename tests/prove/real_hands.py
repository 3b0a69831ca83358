"""Measure which tiles of real photographs become the hand: `python -m tests.prove.real_hands`.

`real_hands.tsv` has the hands of 114 held-out photographs of real tables (`dark-felt` of
`models/train/data/scenes.tsv`): blocks from the far left to the near right, parted by `|`. They
were put together from the photographs' labels, and from readings where a label is missing, and
checked by eye. A whole photograph also has walls and discards, so it may be read wrongly where the
hand is right. One more photograph, whose true proportions are lost, is left out.
`--wrong` lists the hands that are wrong.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from models.train.shared_data import data_folder
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Reading

HANDS = Path(__file__).with_suffix(".tsv")

write = sys.stdout.write


@dataclass(frozen=True, slots=True)
class RealHand:
    """A hand as it lies in a photograph."""

    file: str
    blocks: tuple[tuple[str, ...], ...]
    """Tile codes."""

    @property
    def tiles(self) -> Counter[str]:
        """How often the hand holds each code."""
        return Counter(code for block in self.blocks for code in block)


def load_hands() -> list[RealHand]:
    """Return the hands as they were written down."""
    with HANDS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        RealHand(row["file"], tuple(tuple(block.split()) for block in row["hand"].split("|")))
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand was read before any question."""

    hand: RealHand
    read: Counter[str]
    doubtful_tiles: int
    asked_blocks: int

    @property
    def is_right(self) -> bool:
        """Whether the hand holds the tiles that lie there."""
        return self.read == self.hand.tiles

    @property
    def is_wrong_unasked(self) -> bool:
        """Whether it is wrong and nobody is asked about a tile or a block."""
        return not self.is_right and not self.doubtful_tiles and not self.asked_blocks


def measure(hand: RealHand, reading: Reading) -> HandResult:
    """Compare a reading with the hand that lies there."""
    hand_tiles = [reading.tiles[place] for laid in reading.sets for place in laid.tiles]
    return HandResult(
        hand,
        Counter(tile.code for tile in hand_tiles),
        sum(tile.doubtful for tile in hand_tiles),
        len(reading.blocks),
    )


def print_results(results: list[HandResult]) -> None:
    """Print a line for the hands of each number of blocks, and one for all."""
    groups: dict[str, list[HandResult]] = defaultdict(list)
    for each in results:
        groups[str(len(each.hand.blocks))].append(each)
    write("| blocks | hands | right before questions | wrong and unasked | tiles asked about")
    write(" | blocks asked about |\n|---|---|---|---|---|---|\n")
    for name, group_results in [*sorted(groups.items()), ("all", results)]:
        right, wrong_unasked = (
            sum(getattr(r, k) for r in group_results) for k in ("is_right", "is_wrong_unasked")
        )
        tiles, blocks = (
            sum(r.doubtful_tiles for r in group_results),
            sum(r.asked_blocks for r in group_results),
        )
        write(
            f"| {name} | {len(group_results)} | {right} ({right / len(group_results):.1%}) "
            f"| {wrong_unasked} | {tiles} "
        )
        write(f"| {blocks} |\n")


def read_hands() -> list[HandResult]:
    """Read the photographs; end the program if they are not at hand."""
    reader, folder = Reader.load(), data_folder() / "data/tiles/images"
    if not folder.is_dir():
        sys.exit(f"There are no photographs in {folder}. Set TONGBOX_DATA to where they are.")
    return [
        measure(hand, reader.read(open_photo((folder / hand.file).read_bytes(), hand.file)))
        for hand in load_hands()
    ]


def main() -> None:
    """Read the photographs and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    results = read_hands()
    print_results(results)
    for result in results:
        if args.wrong and not result.is_right:
            extra, less = result.read - result.hand.tiles, result.hand.tiles - result.read
            write(f"{result.hand.file}: also {dict(extra)}, not {dict(less)}\n")


if __name__ == "__main__":
    main()
