"""Measures arranging: how many laid hands come out exactly right, by layout and view.

    .venv/bin/python -m tests.bench.arrangement [HANDS]

Nothing is rendered: hands are laid by `tests.vision.laid_tiles` and seen by
`tests.vision.pinhole_camera`, from anywhere round the table, the camera turned anyhow, with the
locator's noise on every corner. Beside each share stands that of the hands that come out wrong and
with no question to the player.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from tests.vision.laid_tiles import (
    LAYOUTS,
    NEAT,
    Layout,
    Rng,
    deal,
    discards,
    two_rows,
    with_bonus,
)
from tests.vision.pinhole_camera import View, photograph, random_view
from tests.vision.thrown_flowers import THROWN_LAYOUTS
from tests.vision.truth import verdict

VIEWS: dict[str, Callable[[Rng], View]] = {
    "above": lambda rng: random_view(rng, 90),
    "60°": lambda rng: random_view(rng, 60),
    "45°": lambda rng: random_view(rng, 45),
    "35°": lambda rng: random_view(rng, 35),
}
MISSED_TILE_LAYOUT = "two rows, a tile not found"
"""The rest of the hand must be arranged rightly, without the tile."""

TIMED_TILES = 22
"""In the photograph whose arranging is timed."""

RACK_VIEWS: dict[str, Callable[[Rng], View]] = {
    "60°": lambda rng: random_view(rng, 60, 40),
    "45°": lambda rng: random_view(rng, 45, 40),
    "35°": lambda rng: random_view(rng, 35, 40),
}
"""What stands on a rack is seen from its owner's side alone."""


def main(hands: int) -> None:
    """Print the table."""
    write = sys.stdout.write
    write(f"{hands} hands a figure: right, wrong and not asked about\n{'':<36}")
    write("".join(f"{view:>14}" for view in VIEWS) + "\n")
    layouts = LAYOUTS | THROWN_LAYOUTS | {MISSED_TILE_LAYOUT: LAYOUTS["two rows with gaps"]}
    for name, layout in layouts.items():
        views = RACK_VIEWS if "rack" in name else VIEWS
        shares = {v: measure_shares(name, layout, view, hands) for v, view in views.items()}
        cells = [f"{shares[v][0]:.1%} {shares[v][1]:.1%}" if v in shares else "–" for v in VIEWS]
        write(f"{name:<36}" + "".join(f"{cell:>14}" for cell in cells) + "\n")
        sys.stdout.flush()
    write(f"\narranging {TIMED_TILES} tiles, processor time: {measure_milliseconds():.1f} ms\n")


def measure_shares(
    name: str, layout: Layout, view: Callable[[Rng], View], hands: int
) -> tuple[float, float]:
    """Return the shares of hands arranged exactly right, and wrong without a question."""
    rules = "safalra" if "Safalra" in name else "bmja"
    verdicts: Counter[str] = Counter()
    for seed in range(hands):
        rng = np.random.default_rng([seed, len(name)])
        tiles = layout(rng)
        photo = photograph(rng, tiles, view(rng), missed_count=int(name == MISSED_TILE_LAYOUT))
        verdicts[verdict(photo, photo.tiles if name == MISSED_TILE_LAYOUT else tiles, rules)] += 1
    return verdicts["right"] / hands, verdicts["wrong"] / hands


def measure_milliseconds(times: int = 60) -> float:
    """Return the median time of the process that arranging a hand and its surroundings takes."""
    rng = np.random.default_rng(2)
    tiles = with_bonus(rng, two_rows(rng, deal(rng, 2, "bmja"), NEAT), "right")
    tiles += discards(rng, tiles)[: TIMED_TILES - len(tiles)]
    photo = photograph(rng, tiles, View(50.0, fill=0.4))
    times_taken = []
    for _ in range(times):
        start = time.process_time()
        verdict(photo, tiles, "bmja")
        times_taken.append((time.process_time() - start) * 1000)
    return float(np.median(times_taken))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
