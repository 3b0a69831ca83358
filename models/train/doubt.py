"""What decoding repairs and spoils, and what doubt costs: `python -m models.train.doubt RUNS`.

Hands are made up (`deals`), and each of their tiles is read as one like it was read in
cross-validation (RUNS/fold-N/evidence.npz), by networks that knew neither its photograph nor its
set. All tiles of a hand come from one fold. Told for each gate, with and without decoding: the
share of hands right before any question, with an error that is not asked about, and questions.
The last two are drawn as well (models/doubt.svg), with the card's gate marked.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from models.train.deals import Laid, random_loser, random_winner
from models.train.doubt_curve import Point, doubt_svg
from models.train.evidence import Evidence, best_temperature
from vision.hand.joint_decoding import decode_jointly
from vision.networks.classifier import chances_of
from vision.preprocess import LABELS, NO_TILE
from vision.reading import MAX_ALTERNATIVES, TileReading

GATES = (0.5, 0.7, 0.8, 0.85, 0.9, 0.935, 0.954, 0.97, 0.98, 0.99, 0.995)

CARD, DIAGRAM = Path("models/classifier.json"), Path("models/doubt.svg")

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))

Pools = dict[str, list[TileReading]]
"""True code to readings of such tiles."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over hands."""

    hands: int
    right: int
    unflagged: int
    questions: int
    repaired: int
    spoiled: int

    def line(self) -> str:
        """Return the figures as shares of the hands, or as many a hand."""
        shares = (self.right, self.unflagged)
        told = [f"{100 * count / self.hands:7.2f} %" for count in shares]
        told.append(f"{self.questions / self.hands:7.2f}")
        return "  ".join([*told, f"{self.repaired:6d}", f"{self.spoiled:6d}"])

    def point(self, gate: float) -> Point:
        """Return this as a point of the curve."""
        return Point(gate, self.questions / self.hands, 1 - self.unflagged / self.hands)


def main() -> None:
    """Print one table for winners' hands and one for losers'."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--hands", type=int, default=2000)
    args = parser.parse_args()
    folds = [_pools(Evidence.load(file)) for file in sorted(args.runs.glob("fold-*/evidence.npz"))]
    makers: dict[str, Callable[[np.random.Generator], Laid]] = {
        "winners": random_winner,
        "losers": random_loser,
    }
    panels: dict[str, dict[str, list[Point]]] = {}
    for kind, make in makers.items():
        curves = panels.setdefault(f"{kind}’ hands, sets never seen", {"alone": [], "together": []})
        rng = np.random.default_rng(1)
        hands = [make(rng) for _ in range(args.hands)]
        seen = [_look(hand, folds[k % len(folds)], rng) for k, hand in enumerate(hands)]
        print(f"{kind:20}{'right':>9}  {'unflagged':>9}  questions  repaired  spoiled")
        for gate in GATES:
            alone = [tuple(_by_itself(tile, gate) for tile in tiles) for tiles in seen]
            both = [
                decode_jointly(tiles, hand.groups, gate)
                for hand, tiles in zip(hands, alone, strict=True)
            ]
            for name, after in (("alone", alone), ("together", both)):
                tally = _count(hands, alone, after)
                print(f"{gate:<10}{name:10}{tally.line()}", flush=True)
                curves[name].append(tally.point(gate))
    card = json.loads(CARD.read_text(encoding="utf-8"))
    DIAGRAM.write_text(doubt_svg(panels, card["settings"]["gate"]), encoding="utf-8")


def _pools(evidence: Evidence) -> Pools:
    """Return what was said of every tile in a fold, calibrated on the fold."""
    tiles = evidence.tiles
    logits, truth = evidence.logits[tiles], evidence.truth[tiles]
    chances = chances_of(logits, best_temperature(logits, truth))
    pools: Pools = {}
    for row, place in zip(chances[:, : LABELS.index(NO_TILE)], truth, strict=True):
        best = np.argsort(-row)[: MAX_ALTERNATIVES + 1]
        (code, sure), *others = [(LABELS[i], float(row[i])) for i in best]
        read = TileReading(code, sure, QUAD, 0, tuple(others), doubtful=False)
        pools.setdefault(LABELS[place], []).append(read)
    return pools


def _look(hand: Laid, pools: Pools, rng: np.random.Generator) -> tuple[TileReading, ...]:
    """Read each tile of a hand as some tile like it was read."""
    return tuple(pools[code][int(rng.integers(len(pools[code])))] for code in hand.codes)


def _by_itself(tile: TileReading, gate: float) -> TileReading:
    return replace(tile, doubtful=tile.confidence < gate)


def _count(
    hands: Sequence[Laid],
    before: Sequence[tuple[TileReading, ...]],
    after: Sequence[tuple[TileReading, ...]],
) -> Tally:
    right = unflagged = questions = repaired = spoiled = 0
    for hand, was, now in zip(hands, before, after, strict=True):
        errors = [t for t, code in zip(now, hand.codes, strict=True) if t.code != code]
        right += not errors
        unflagged += any(not tile.doubtful for tile in errors)
        questions += sum(tile.doubtful for tile in now)
        for code, a, b in zip(hand.codes, was, now, strict=True):
            repaired += a.code != code == b.code
            spoiled += a.code == code != b.code
    return Tally(len(hands), right, unflagged, questions, repaired, spoiled)


if __name__ == "__main__":
    main()
