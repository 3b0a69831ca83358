"""Measure which tiles are taken for the hand: `python -m tests.prove.chosen_hand`.

Geometry alone, nothing is rendered: tiles as `models.train.cycles` lays them, seen by its camera,
with corners a little off, one tile in a hundred not found and one in a hundred misread. The rules
were made looking at hands of seed 1; other seeds are held out.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from models.train.cycles.camera import Stance, place_camera
from models.train.cycles.layouts import LAYOUTS, Laid
from models.train.cycles.room import random_room
from models.train.cycles.spots import Shape, Spot, corners
from models.train.cycles.styles import STYLES
from scorer.tiles import CODES, FACE_DOWN
from vision.hand.laid_hand import LaidHand, lay_hand
from vision.hand.questions import questions
from vision.reading import TileReading, turn_of

HAND_KINDS = (
    *("tidy", "careless", "rotated", "cluttered", "special"),
    *("blocks", "stacked", "staggered", "neighbour", "discards"),
)
SIZE_PX = (960, 720)
CORNER_ERROR_WIDTHS = 0.035
"""Deviation of a corner's place, in tile widths."""
MISSED_SHARE, MISREAD_SHARE = 0.01, 0.01

Rng = np.random.Generator
write = sys.stdout.write


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand on a table as read, and what is true of each tile."""

    kind: str
    spots: tuple[Spot, ...]
    """The tiles that were found."""
    missed_spots: tuple[Spot, ...]
    tiles: tuple[TileReading, ...]


def draw_hands(kind: str, count: int, seed: int) -> Iterator[SeenHand]:
    """Yield hands of one kind as they are seen."""
    for number in range(count):
        rng = np.random.default_rng((seed, zlib.crc32(kind.encode()), number))
        style = STYLES[(number * 3 + zlib.crc32(kind.encode())) % len(STYLES)]
        room = random_room(rng, kind, two_coloured=style.blank)
        layout = LAYOUTS[kind](rng, number, style, room.body.shape)
        yield _see(rng, kind, layout, room.body.shape, room.stance)


def _see(rng: Rng, kind: str, layout: Laid, shape: Shape, stance: Stance) -> SeenHand:
    hand_spots = [s for s in layout.spots if s.part != "other"]
    framed_spots = list(layout.spots) if kind in ("cluttered", "discards") else hand_spots
    points = np.concatenate([corners(s, shape) for s in framed_spots])
    view = place_camera(stance, points, SIZE_PX)
    spots: list[Spot] = []
    missed_spots: list[Spot] = []
    tiles: list[TileReading] = []
    for spot in layout.spots:
        quad = view.project(corners(spot, shape))
        middle = quad.mean(0)
        is_inside = bool(((middle > 0) & (middle < SIZE_PX)).all())
        if not is_inside or rng.random() < MISSED_SHARE:
            missed_spots += [spot] if is_inside and spot.part != "other" else []
            continue
        wide = np.linalg.norm(quad[1] - quad[0])
        quad = quad + rng.normal(0.0, CORNER_ERROR_WIDTHS * wide, (4, 2))
        spots.append(spot)
        tiles.append(_read(rng, spot, quad))
    return SeenHand(kind, tuple(spots), tuple(missed_spots), tuple(tiles))


def _read(rng: Rng, spot: Spot, quad: np.ndarray) -> TileReading:
    code = FACE_DOWN if spot.down else spot.code
    if rng.random() < MISREAD_SHARE:
        code = str(rng.choice(CODES))
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in quad)
    return TileReading(code, 0.98, (a, b, c, d), turn_of((a, b, c, d)), (), doubtful=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """How the choice of a hand came out."""

    right: bool
    """Just the hand's tiles that were found are in the hand."""
    rows_right: bool
    """And each of them is exposed or concealed as it lies."""
    asked: bool
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
    spot_of = [hand.spots[k] for k in arrangement.order]
    chosen_tiles = {tile for each in arrangement.hand.sets for tile in each.tiles}
    hand_tiles = {k for k, spot in enumerate(spot_of) if spot.part != "other"}
    rows = {tile: each.row for each in arrangement.hand.sets for tile in each.tiles}
    playing_tiles = [
        k for k in hand_tiles & chosen_tiles if spot_of[k].part != "bonus" and rows[k] != "bonus"
    ]
    rows_right = all(rows[k] == spot_of[k].part for k in playing_tiles)
    offers = _offers(arrangement, chosen_tiles)
    return Choice(
        right=chosen_tiles == hand_tiles,
        rows_right=chosen_tiles == hand_tiles and rows_right,
        asked=bool(arrangement.blocks),
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
        "| kind | n | right tiles | and rows | wrong, not asked | right after | lost | taken in |\n"
    )
    write("|---|---|---|---|---|---|---|---|\n")
    for name, choices_of_kind in {
        **choices,
        "all": [c for each in choices.values() for c in each],
    }.items():
        shares = [
            sum(getattr(c, key) for c in choices_of_kind) / len(choices_of_kind)
            for key in ("right", "rows_right", "silent", "asked", "right_after")
        ]
        cells = " | ".join(f"{share:.1%}" for share in shares)
        lost_count, foreign_count = (
            sum(c.lost_count for c in choices_of_kind),
            sum(c.foreign_count for c in choices_of_kind),
        )
        write(f"| {name} | {len(choices_of_kind)} | {cells} | {lost_count} | {foreign_count} |\n")


def main(argv: Sequence[str] | None = None) -> None:
    """Draw, arrange, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="hands of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=HAND_KINDS, default=HAND_KINDS)
    parser.add_argument("--wrong", action="store_true", help="name the hands that come out wrong")
    args = parser.parse_args(argv)
    choices: dict[str, list[Choice]] = defaultdict(list)
    for kind in args.kinds:
        for number, hand in enumerate(draw_hands(kind, args.count, args.seed)):
            choices[kind].append(judge(hand))
            if args.wrong and choices[kind][-1].silent:
                write(f"{kind} {number}: {choices[kind][-1]}\n")
    print_table(choices)


if __name__ == "__main__":
    main()
