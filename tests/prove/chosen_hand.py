"""Measure which tiles are taken for the hand: `python -m tests.prove.chosen_hand`.

Geometry alone: `rendered/layouts-seed-N.npz` holds 1,000 hands of ten habits as a made-up camera
sees them, with corners a little off, one tile in a hundred not found and one in a hundred misread.
The rules were made looking at hands of seed 1; those of seed 7 are held out.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from scorer.tiles import CODES, FACE_DOWN
from vision.hand.laid_hand import LaidHand, lay_hand
from vision.hand.questions import questions
from vision.reading import RowName, TileReading, turn_of

FOLDER = Path(__file__).parent / "rendered"

HAND_KINDS = (
    *("tidy", "careless", "rotated", "cluttered", "special"),
    *("blocks", "stacked", "staggered", "neighbour", "discards"),
)
"""Habits, in the order in which the files number them."""

Part = RowName | Literal["other"]

PARTS: tuple[Part, ...] = ("exposed", "concealed", "bonus", "other")
"""Where a tile lies, in the order in which the files number them; `other` is of no hand."""

TILE_CODES = (*CODES, FACE_DOWN)

CONFIDENCE = 0.98

write = sys.stdout.write


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand on a table as read, and what is true of each tile."""

    kind: str
    parts: tuple[Part, ...]
    tiles: tuple[TileReading, ...]


def load_hands(seed: int) -> Iterator[SeenHand]:
    """Yield the hands of a seed, kind by kind.

    The file has two arrays of an entry a hand, `kinds` and `counts` of its tiles, and three of a
    row a tile: `codes`, `parts` and `quads` (8), tenths of a pixel.
    """
    with np.load(FOLDER / f"layouts-seed-{seed}.npz") as arrays:
        ends = np.cumsum(arrays["counts"], dtype=np.int64).tolist()
        kinds, codes, parts = (arrays[name].tolist() for name in ("kinds", "codes", "parts"))
        quads = (arrays["quads"].reshape(-1, 4, 2) / 10).tolist()
    for kind, start, end in zip(kinds, [0, *ends], ends, strict=False):
        yield SeenHand(
            HAND_KINDS[kind],
            tuple(PARTS[number] for number in parts[start:end]),
            tuple(
                _read(TILE_CODES[code], quad)
                for code, quad in zip(codes[start:end], quads[start:end], strict=True)
            ),
        )


def _read(code: str, quad: Sequence[Sequence[float]]) -> TileReading:
    a, b, c, d = ((x, y) for x, y in quad)
    return TileReading(code, CONFIDENCE, (a, b, c, d), turn_of((a, b, c, d)), (), doubtful=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """How the choice of a hand came out."""

    right: bool
    """Just the hand's tiles that were found are in the hand."""
    rows_right: bool
    """And each of them is exposed or concealed as it lies."""
    is_asked: bool
    """The page asks which tiles are the hand's."""
    silent: bool
    """Something is wrong and the page asks nothing."""
    right_after: bool
    """Just the hand's tiles, once that is answered."""
    lost_count: int
    foreign_count: int


def judge(hand: SeenHand) -> Choice:
    """Return how the hand came out."""
    arrangement = lay_hand(hand.tiles, "bmja")
    parts = [hand.parts[k] for k in arrangement.order]
    chosen_tiles = {tile for each in arrangement.hand.sets for tile in each.tiles}
    hand_tiles = {k for k, part in enumerate(parts) if part != "other"}
    rows = {tile: each.row for each in arrangement.hand.sets for tile in each.tiles}
    playing_tiles = [
        k for k in hand_tiles & chosen_tiles if parts[k] != "bonus" and rows[k] != "bonus"
    ]
    rows_right = all(rows[k] == parts[k] for k in playing_tiles)
    offers = _offers(arrangement, chosen_tiles)
    return Choice(
        right=chosen_tiles == hand_tiles,
        rows_right=chosen_tiles == hand_tiles and rows_right,
        is_asked=bool(arrangement.blocks),
        silent=not (chosen_tiles == hand_tiles and rows_right) and not _questions(arrangement),
        right_after=hand_tiles in offers,
        lost_count=len(hand_tiles - chosen_tiles),
        foreign_count=len(chosen_tiles - hand_tiles),
    )


def _questions(arrangement: LaidHand) -> list[str]:
    codes = [tile.code for tile in arrangement.tiles]
    problem_codes = [
        p.code for p in questions(codes, arrangement.hand, arrangement.layout, arrangement.blocks)
    ]
    return problem_codes + ["tile" for tile in arrangement.tiles if tile.doubtful]


def _offers(arrangement: LaidHand, chosen_tiles: set[int]) -> list[set[int]]:
    """Return the choices that the page offers: with and without each block."""
    offers = [chosen_tiles]
    for block in arrangement.blocks:
        block_tiles = set(block.tiles)
        offers += [block_tiles] if block.instead else [offer ^ block_tiles for offer in offers]
    return offers


def print_table(choices: dict[str, list[Choice]]) -> None:
    """Print a line for each kind, all of them last."""
    write(
        "| kind | n | right tiles | and rows | wrong, not asked | asked | right after | lost "
        "| taken in |\n"
    )
    write("|---|---|---|---|---|---|---|---|---|\n")
    for name, choices_of_kind in {
        **choices,
        "all": [c for each in choices.values() for c in each],
    }.items():
        shares = [
            sum(getattr(c, key) for c in choices_of_kind) / len(choices_of_kind)
            for key in ("right", "rows_right", "silent", "is_asked", "right_after")
        ]
        cells = " | ".join(f"{share:.1%}" for share in shares)
        lost_count, foreign_count = (
            sum(c.lost_count for c in choices_of_kind),
            sum(c.foreign_count for c in choices_of_kind),
        )
        write(f"| {name} | {len(choices_of_kind)} | {cells} | {lost_count} | {foreign_count} |\n")


def main(argv: Sequence[str] | None = None) -> None:
    """Arrange, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, choices=(1, 7), default=7)
    parser.add_argument("--kinds", nargs="+", choices=HAND_KINDS, default=HAND_KINDS)
    parser.add_argument("--wrong", action="store_true", help="name the hands that come out wrong")
    args = parser.parse_args(argv)
    choices: dict[str, list[Choice]] = defaultdict(list)
    for number, hand in enumerate(load_hands(args.seed)):
        if hand.kind in args.kinds:
            choices[hand.kind].append(judge(hand))
            if args.wrong and choices[hand.kind][-1].silent:
                write(f"{hand.kind} {number}: {choices[hand.kind][-1]}\n")
    print_table(choices)


if __name__ == "__main__":
    main()
