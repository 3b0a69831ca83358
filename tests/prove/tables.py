"""What becomes of four hands in one photograph of the whole table, before questions and after.

    python -m tests.prove.tables [--drawn N] [--pictures DIR]

Drawn tables are geometry alone (`tests.vision.table_laid`, seen by `tests.vision.seen`), named as
the classifier names tiles: a few in doubt, fewer not found. Pictures are those that
`tests.goldens.tables` renders, or any that have such a NN.json beside them; the real networks read
them.

After questions a hand is what an ideal player makes of it who looks at what he is asked about and
at nothing else: doubtful tiles, the notes, a count of tiles that his hand cannot have.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from scorer.tiles import CODES, FACE_DOWN
from tests.vision.laid import Laid, Rng
from tests.vision.seen import NOISE, View, photograph
from tests.vision.table_laid import lay_table
from tests.vision.truth import as_read, parts_laid, parts_of
from vision.hand.arrangement import is_bonus
from vision.hand.assembly import AssembledHand, LaidSet, assemble
from vision.hand.hand_doubts import count_excess_faces
from vision.hand.laid_hand import lay_hands_by_side
from vision.hand.questions import questions
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Side, TileReading

ARRANGED = {
    "which-way-up",
    "face-down-unknown",
    "exposed-or-concealed",
    "which-kong",
    "no-set-above",
    "kong-declared",
}
"""Notes that ask how sets lie: who looks puts them right."""

GATE = 0.9


@dataclass(frozen=True, slots=True)
class Read:
    """One hand as read."""

    tiles: Sequence[TileReading]
    sets: Sequence[LaidSet]
    notes: frozenset[str]
    """Codes of what is said of it."""


@dataclass(frozen=True, slots=True)
class TableCase:
    """A table, the tiles that lie there, and its hands as read."""

    name: str
    laid: Sequence[Laid]
    sides: Sequence[str]
    """Whose each of these is; empty for walls and discards."""
    middles: np.ndarray
    """Where each of them is in the photograph, nowhere for one that was not found."""
    hands: dict[Side, Read]


@dataclass(slots=True)
class Verdict:
    """What became of one hand."""

    before: bool = False
    after: bool = False
    questions: int = 0
    strangers: int = 0
    """Walls' tiles and discards taken in."""
    slips: list[tuple[str, bool]] = field(default_factory=list)
    """What went wrong, and whether it is asked about."""


def judge(case: TableCase, side: Side) -> Verdict:
    """Return what became of the hand on one side."""
    own = [k for k, whose in enumerate(case.sides) if whose == side]
    truth = parts_laid([case.laid[k] for k in own])
    read = case.hands.get(side)
    if read is None:
        return Verdict(slips=[("no hand seen", True)])
    said = Verdict()
    which = _which(case, read.tiles)
    in_hand = [k for laid in read.sets for k in laid.tiles]
    doubtful = [k for k in in_hand if read.tiles[k].doubtful]
    codes = [tile.code for tile in read.tiles]
    as_found = assemble(codes, read.sets)
    counted = _miscounted(as_found, won=any(case.laid[k].won for k in own))
    notes = read.notes | ({"tile-count"} if counted else set())
    said.questions = len(doubtful) + len(notes)
    said.before = parts_of(as_found) == truth
    gone: set[int] = set()
    for k in in_hand:
        at = which[k]
        asked = read.tiles[k].doubtful
        if at is None or case.sides[at] != side:
            stranger = at is None or not case.sides[at]
            said.strangers += stranger
            flower = is_bonus(codes[k])
            noted = "flowers-unclear" in notes if flower else "tile-count" in notes
            said.slips.append(("stranger" if stranger else "another's tile", asked or noted))
            gone.add(k)
        elif codes[k] != case.laid[at].shows:
            said.slips.append((f"misnamed {case.laid[at].shows} {codes[k]}", asked))
            codes[k] = case.laid[at].shows
    there = {which[k] for k in in_hand}
    missing = [k for k in own if k not in there]
    for k in missing:
        flower = case.laid[k].part == "bonus"
        asked = "flowers-apart" in notes if flower else bool({"tile-count", "kong-short"} & notes)
        what = "flower" if flower else "back" if case.laid[k].shows == FACE_DOWN else "tile"
        where = "left out" if k in which.values() else "given to another"
        where = "not found" if np.isnan(case.middles[k]).any() else where
        said.slips.append((f"{what} {where}", asked))
    sets = [replace(s, tiles=tuple(k for k in s.tiles if k not in gone)) for s in read.sets]
    mended = _with_missing(case, missing, which, codes, sets)
    if parts_of(mended) != truth:
        said.slips.append(("laid otherwise", bool(ARRANGED & notes)))
    said.after = all(asked for _, asked in said.slips)
    return said


def _which(case: TableCase, tiles: Sequence[TileReading]) -> dict[int, int | None]:
    """Return which tile of the table each of these is; None for none."""
    found: dict[int, int | None] = {}
    for k, tile in enumerate(tiles):
        quad = np.array(tile.quad)
        away = np.linalg.norm(case.middles - quad.mean(0), axis=1)
        near = int(np.nanargmin(away))
        width = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
        found[k] = near if away[near] < 0.5 * width else None
    return found


def _miscounted(hand: AssembledHand, *, won: bool) -> bool:
    playing = [s for s in hand.sets if s.row != "bonus"]
    kongs = sum(s.kind == "kong" and (s.row == "exposed" or s.is_declared_kong) for s in playing)
    return sum(len(s.tiles) for s in playing) - kongs != 13 + won


def _with_missing(
    case: TableCase,
    missing: Sequence[int],
    which: dict[int, int | None],
    codes: list[str],
    sets: list[LaidSet],
) -> AssembledHand:
    """Return the hand with the tiles that were missing added to the sets that they are of."""
    for at in missing:
        tile = case.laid[at]
        codes = [*codes, tile.shows]
        of = [
            n
            for n, laid in enumerate(sets)
            for k in laid.tiles
            if (near := which.get(k)) is not None and case.laid[near].group == tile.group
        ]
        if of and tile.part != "bonus":
            n = Counter(of).most_common(1)[0][0]
            sets[n] = replace(sets[n], tiles=_in_place(case, at, which, sets[n], len(codes) - 1))
        else:
            row = "concealed" if tile.part == "kong" else tile.part
            sets.append(LaidSet((len(codes) - 1,), row, placed_by_hand=True))  # type: ignore[arg-type]
        which = {**which, len(codes) - 1: at}
    return assemble(codes, sets)


def _in_place(
    case: TableCase, at: int, which: dict[int, int | None], laid: LaidSet, new: int
) -> tuple[int, ...]:
    order = [*laid.tiles, new]
    return tuple(sorted(order, key=lambda k: at if k == new else which[k] or 0))


def drawn(count: int, rng: Rng, missed: float, unsure: float) -> Iterator[TableCase]:
    """Yield tables as the networks might report them."""
    for number in range(count):
        table = lay_table(rng)
        sides = {id(tile): side for side, laid in table.hands.items() for tile in laid}
        laid = [tile for hand in table.hands.values() for tile in hand] + table.out
        view = View(rng.uniform(60, 90), rng.normal(0, 8), rng.normal(0, 3), -0.03, 0.85)
        seen = photograph(rng, laid, view, NOISE)
        kept = [
            k
            for k, tile in enumerate(seen.tiles)
            if rng.random() > missed * (3 if tile.shows == FACE_DOWN else 1)
        ]
        tiles = [_named(rng, as_read(seen.tiles[k], seen.quads[k]), unsure) for k in kept]
        middles = np.full((len(laid), 2), np.nan)
        places = {id(tile): k for k, tile in enumerate(laid)}
        for k in kept:
            middles[places[id(seen.tiles[k])]] = seen.quads[k].mean(0)
        whose = [sides.get(id(tile), "") for tile in laid]
        yield TableCase(f"drawn {number}", laid, whose, middles, _read(tiles))


def _read(tiles: Sequence[TileReading]) -> dict[Side, Read]:
    hands = {}
    for at in lay_hands_by_side(tiles, "bmja", GATE):
        codes = [tile.code for tile in at.laid.tiles]
        notes = {each.code for each in questions(codes, at.laid.hand, at.laid.layout)}
        notes |= {"too-many-of-a-tile"} if count_excess_faces(at.laid.hand) else set()
        sets = [LaidSet(s.tiles, s.row) for s in at.laid.fields()["sets"]]
        hands[at.side] = Read(at.laid.tiles, sets, frozenset(notes))
    return hands


def _named(rng: Rng, tile: TileReading, unsure: float) -> TileReading:
    """Return a tile as the classifier names it: now and then in doubt, seldom wrong."""
    if tile.code == FACE_DOWN or rng.random() > unsure:
        return tile
    sure, other = rng.uniform(0.4, 0.9), str(rng.choice(CODES))
    code, second = (tile.code, other) if rng.random() < 0.7 else (other, tile.code)
    return replace(tile, code=code, confidence=sure, alternatives=((second, 0.9 * (1 - sure)),),
                   doubtful=True)  # fmt: skip


def pictures(folder: Path) -> Iterator[TableCase]:
    """Yield the tables that pictures in a folder show, read by the real networks."""
    reader = Reader.load()
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        photo = open_photo(path.with_suffix(".jpg").read_bytes(), path.name)
        laid = [
            Laid(t["shows"], t["code"], 0, 0, 0, t["part"], t["group"], won=t["won"])
            for t in truth["tiles"]
        ]
        middles = np.array([np.mean(t["quad"], 0) for t in truth["tiles"]])
        middles *= photo.width / truth["width"]
        hands = {}
        for side, reading in reader.read_table(photo).items():
            notes = {each.code for each in reading.problems} - {"left-out"}
            sets = [LaidSet(s.tiles, s.row) for s in reading.sets]
            hands[side] = Read(reading.tiles, sets, frozenset(notes))
        yield TableCase(path.stem, laid, [t["side"] for t in truth["tiles"]], middles, hands)


def report(cases: Iterator[TableCase]) -> None:
    """Print what became of the hands, and of what kinds their slips are."""
    tally, slips, noted = Counter[str](), Counter[tuple[str, bool]](), Counter[str]()
    examples: dict[tuple[str, bool], list[str]] = defaultdict(list)
    for case in cases:
        for side in ("bottom", "right", "top", "left"):
            said = judge(case, side)
            tally.update(hands=1, before=said.before, after=said.after, unasked=not said.after)
            tally.update(questions=said.questions, strangers=said.strangers)
            if side in case.hands:
                noted.update(case.hands[side].notes)
            for slip in said.slips:
                slips[slip] += 1
                examples[slip].append(f"{case.name} {side}")
    of = tally["hands"]
    sys.stdout.write(
        f"{of} hands: {tally['before']} right before questions, {tally['after']} after"
        f" ({100 * tally['after'] / of:.1f} %), {tally['questions'] / of:.2f} questions a hand,"
        f" {tally['strangers']} of walls' tiles and discards taken in\n"
    )
    sys.stdout.write(f"notes: {dict(noted.most_common())}\n")
    for (what, asked), count in sorted(slips.items(), key=lambda each: (each[0][1], -each[1])):
        where = "; ".join(examples[what, asked][:4])
        sys.stdout.write(f"{count:5} {'asked  ' if asked else 'UNASKED'} {what:28} {where}\n")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawn", type=int, default=0, help="how many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missed", type=float, default=0.004, help="share; of backs three times")
    parser.add_argument("--unsure", type=float, default=0.02, help="share of names in doubt")
    parser.add_argument("--pictures", type=Path)
    args = parser.parse_args()
    if args.drawn:
        report(drawn(args.drawn, np.random.default_rng(args.seed), args.missed, args.unsure))
    if args.pictures:
        report(pictures(args.pictures))


if __name__ == "__main__":
    main()
