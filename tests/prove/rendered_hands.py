"""Measure how hands that Blender rendered are read: `python -m tests.prove.rendered_hands`.

`rendered/` holds the pictures; another folder like it may be named. Printed are hands before and
after the page's questions, tiles, and how well corners are found. `--networks` takes other networks
than those in `models/`, `--kinds` and `--styles` take a part, `--wrong` lists the hands that are
wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from scorer.hand import Hand
from scorer.notation import format_hand, parse_hand
from scorer.tiles import FACE_DOWN
from tests.prove.ideal_player import AnsweredHand, answer_questions, as_read
from tests.prove.laid_truth import Case, TrueTile, corner_error, match_tiles, read_cases
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Reading

FOLDER = Path(__file__).parent / "rendered"

write = sys.stdout.write


@dataclass(frozen=True, slots=True)
class HandResult:
    """How one hand was read."""

    truth: str
    before: Hand
    after: AnsweredHand

    @property
    def tiles_right(self) -> bool:
        """Sets, concealed and bonus tiles came out as laid, before any question."""
        return hand_key(self.before) == hand_key(parse_hand(self.truth))

    @property
    def right(self) -> bool:
        """The tiles are right, and whether and how it won."""
        return self.tiles_right and winning_words(self.before) == winning_words(
            parse_hand(self.truth)
        )

    @property
    def right_after(self) -> bool:
        """Everything is right once the questions are answered."""
        true = parse_hand(self.truth)
        return (hand_key(self.after.hand), winning_words(self.after.hand)) == (
            hand_key(true),
            winning_words(true),
        )


@dataclass(frozen=True, slots=True)
class TileResult:
    """What became of one tile."""

    tile: TrueTile
    code: str | None
    """What it was read as; None where it was not found."""
    doubtful: bool = False
    error: float = 0.0
    """Of its corners, tile widths."""
    in_hand: bool = False
    taken_for_winning_tile: bool = False


@dataclass(slots=True)
class Result:
    """How one picture was read."""

    case: Case
    hands: list[HandResult] = field(default_factory=list)
    tiles: list[TileResult] = field(default_factory=list)
    invented_count: int = 0
    """Tiles of the hand, or of a picture of no hand, that are none."""


def hand_key(hand: Hand) -> tuple[list[str], ...]:
    """Return a hand's tiles and sets in a fixed order, to compare hands."""
    exposed = ["".join(sorted(each)) for each in hand.exposed]
    kongs = ["".join(each) for each in hand.declared_kongs]
    return sorted(exposed), sorted(kongs), sorted(hand.concealed), sorted(hand.bonus)


def winning_words(hand: Hand) -> tuple[bool, tuple[str, ...], str | None]:
    """Return whether a hand won, how, and with which tile."""
    return hand.winner, hand.won_by, hand.winning_tile


def measure(case: Case, reader: Reader) -> Result:
    """Read one picture and compare."""
    photo = open_photo(case.path.read_bytes(), case.path.name)
    reading = reader.read(photo)
    result = compare(case, reading)
    for owner, text in case.hands.items():
        matches = match_tiles(case.tiles, [tile.quad for tile in reading.tiles])
        answers = answer_questions(reading, case.tiles, owner, matches)
        result.hands.append(HandResult(text, as_read(reading), answers))
    return result


def compare(case: Case, reading: Reading, owner: str = "bottom") -> Result:
    """Return what became of the tiles of a hand; of all tiles where the picture is of none."""
    matches = match_tiles(case.tiles, [tile.quad for tile in reading.tiles])
    place_of = {i: j for j, i in matches.items()}
    set_places = {place for laid in reading.sets for place in laid.tiles}
    places = set_places if case.hands else set(range(len(reading.tiles)))
    result = Result(case, invented_count=len(places - matches.keys()))
    for number, tile in enumerate(case.tiles):
        if tile.ignore or (case.hands and tile.owner != owner):
            continue
        j = place_of.get(number)
        if j is None:
            result.tiles.append(TileResult(tile, None))
            continue
        read = reading.tiles[j]
        error = corner_error(tile, read.quad)
        is_won = reading.winning_tile == j
        result.tiles.append(
            TileResult(tile, read.code, read.doubtful, error, j in set_places, is_won)
        )
    return result


def hands_table(groups: dict[str, list[Result]]) -> None:
    """Print how hands were read, a line for each group."""
    write("| hands | n | tiles right | right | right after | questions | wrong, never asked |\n")
    write("|---|---|---|---|---|---|---|\n")
    for name, results in groups.items():
        hands = [hand for each in results for hand in each.hands]
        if hands:
            mean_questions = sum(len(hand.after.questions) for hand in hands) / len(hands)
            silent = sum(not h.right_after and not h.after.questions for h in hands)
            shares = [sum(getattr(h, key) for h in hands) / len(hands)
                      for key in ("tiles_right", "right", "right_after")]  # fmt: skip
            cells = " | ".join(f"{share:.0%}" for share in shares)
            write(f"| {name} | {len(hands)} | {cells} | {mean_questions:.2f} | {silent} |\n")
    write("\n")


def _kind(tile: TrueTile) -> str:
    if tile.code == FACE_DOWN:
        return "face down"
    return "bonus" if tile.code[0] in "FS" else "playing"


def tiles_table(groups: dict[str, list[Result]]) -> None:
    """Print what became of tiles, a line for each group."""
    write("| tiles | n | found | invented | playing right | bonus right | face down right")
    write(" | wrong, not asked | corners (90 %) | sideways: lost, not taken for won |\n")
    write("|---|---|---|---|---|---|---|---|---|---|\n")
    for name, results in groups.items():
        tiles = [tile for each in results for tile in each.tiles]
        if not tiles:
            continue
        found_tiles = [t for t in tiles if t.code is not None]
        naming_shares = []
        for kind in ("playing", "bonus", "face down"):
            tiles_of_kind = [t for t in found_tiles if _kind(t.tile) == kind]
            right = sum(t.code == t.tile.code for t in tiles_of_kind)
            naming_shares.append(f"{right}/{len(tiles_of_kind)}")
        sure = sum(t.code != t.tile.code and not t.doubtful for t in found_tiles)
        winning_tiles = [t for t in tiles if t.tile.won]
        lost_count = sum(t.code is None or not t.in_hand for t in winning_tiles)
        missed_count = sum(not t.taken_for_winning_tile for t in winning_tiles)
        write(f"| {name} | {len(tiles)} | {len(found_tiles) / len(tiles):.1%} ")
        write(f"| {sum(r.invented_count for r in results)} | {' | '.join(naming_shares)} | {sure} ")
        write(
            f"| {corner_errors(found_tiles)} "
            f"| {lost_count}, {missed_count} of {len(winning_tiles)} |\n"
        )
    write("\n")


def corner_errors(tiles: Iterable[TileResult]) -> str:
    """Return median and ninetieth percentile of the corners' errors, tile widths."""
    errors = [tile.error for tile in tiles if tile.code is not None]
    if not errors:
        return "–"
    return f"{np.median(errors):.3f} ({np.quantile(errors, 0.9):.3f})"


def corners_table(results: Sequence[Result]) -> None:
    """Print the corners' errors by how tiles lie."""
    tiles = [tile for each in results for tile in each.tiles]
    write("| corners, tile widths: median (90 %) | n | |\n|---|---|---|\n")
    for name, tiles_of_group in (
        ("sideways (won)", [t for t in tiles if t.tile.won]),
        ("the others of these hands", [t for t in tiles if t.tile.owner and not t.tile.won]),
    ):
        write(f"| {name} | {len(tiles_of_group)} | {corner_errors(tiles_of_group)} |\n")
    write("\n")


def print_confusions(results: Sequence[Result]) -> None:
    """Print the most frequent misreadings, doubtful or not."""
    wrong = Counter(
        (t.tile.code, t.code) for each in results for t in each.tiles if t.code != t.tile.code
    )
    misreadings = ", ".join(f"{a} as {b or 'nothing'} ×{n}" for (a, b), n in wrong.most_common(24))
    write(f"wrong: {misreadings}\n\n")


def name_wrong(results: Sequence[Result]) -> None:
    """Print each hand that is still wrong after its questions, with the questions."""
    for result in results:
        for hand in result.hands:
            if not hand.right_after:
                questions = " ".join(hand.after.questions)
                write(f"{result.case.path.name} ({result.case.style}): {hand.truth}\n")
                write(
                    f"    read {_text(hand.before)}\n"
                    f"    then {_text(hand.after.hand)} [{questions}]\n"
                )


def _text(hand: Hand) -> str:
    try:
        return format_hand(hand)
    except ValueError:
        return str(hand)


def group_results(results: Sequence[Result], key: str) -> dict[str, list[Result]]:
    """Return the results by `kind` or `style`, all of them last."""
    groups: dict[str, list[Result]] = defaultdict(list)
    for each in results:
        groups[getattr(each.case, key)].append(each)
    return {**dict(sorted(groups.items())), "all": list(results)}


def main() -> None:
    """Read, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--networks", type=Path)
    parser.add_argument("--kinds", nargs="+")
    parser.add_argument("--styles", nargs="+")
    parser.add_argument("--wrong", action="store_true")
    args = parser.parse_args()
    reader = Reader.load(args.networks)
    results = [
        measure(case, reader)
        for case in read_cases(args.folder)
        if case.kind in (args.kinds or (case.kind,))
        and case.style in (args.styles or (case.style,))
    ]
    for key in ("kind", "style"):
        hands_table(group_results([r for r in results if r.hands], key))
        tiles_table(group_results(results, key))
    corners_table(results)
    print_confusions(results)
    if args.wrong:
        name_wrong(results)


if __name__ == "__main__":
    main()
