"""Windows and what the teacher reads in them: `python -m models.train.printed.teach --out DIR`.

The teacher is `models.train.printed.teacher`'s network. Each shard holds as many windows and strips
as SHARD says; a stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.train.data.photos import training_photos
from models.train.data.scenes import load_photo
from models.train.drawing.sets import load_sets
from models.train.printed.windows import (
    TileSource,
    draw_strip,
    draw_window,
    from_faces,
    from_pictures,
    write_strip,
    write_window,
)
from models.train.tiled_picture import TiledPicture
from vision.networks.model import Model
from vision.networks.print_reader import run_batches

WINDOWS_PER_SHARD, STRIPS_PER_SHARD = 1600, 240

WRITTEN_WINDOW_SHARE, WRITTEN_STRIP_SHARE = 0.2, 0.5
"""Share of windows and of strips with signs written here; the others show whole tiles."""


def main() -> None:
    """Draw the shards that are missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for NNNN.npz")
    parser.add_argument("--count", type=int, required=True, help="how many shards in all")
    parser.add_argument("--teacher", type=Path, default=Path("models"), help="its folder")
    parser.add_argument("--sets", type=Path, default=Path("var/sets"), help="drawn tile sets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", type=int, nargs=2, default=(0, 1), help="K N: every Nth shard")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    teacher = Model.load("printed", args.teacher, threads=1)
    sources = _sources(args.sets)
    first, step = args.part
    for number in range(first, args.count, step):
        path = args.out / f"{number:04d}.npz"
        if not path.exists():
            rng = np.random.default_rng((args.seed, number))
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                np.savez(file, **draw_shard(sources, teacher, rng))
            part.replace(path)


def draw_shard(
    sources: Sequence[tuple[float, TileSource]], teacher: Model, rng: np.random.Generator
) -> dict[str, Any]:
    """Return windows (N, 48, 48, 3), strips (M, 48, 112, 3), and the teacher's answers to both."""
    shares = np.array([share for share, _ in sources])

    def source() -> TileSource:
        return sources[int(rng.choice(len(sources), p=shares / shares.sum()))][1]

    windows = [
        write_window(rng) if rng.random() < WRITTEN_WINDOW_SHARE else draw_window(source(), rng)
        for _ in range(WINDOWS_PER_SHARD)
    ]
    strips = [
        write_strip(rng) if rng.random() < WRITTEN_STRIP_SHARE else draw_strip(source(), rng)
        for _ in range(STRIPS_PER_SHARD)
    ]
    return {
        "windows": np.stack(windows),
        "strips": np.stack(strips),
        "window_answers": run_batches(teacher, windows).astype(np.float16),
        "strip_answers": run_batches(teacher, strips).astype(np.float16),
    }


def _sources(sets: Path) -> list[tuple[float, TileSource]]:
    """Return where tiles come from, each with its share: photographs, single tiles, drawn sets."""
    hands: list[TiledPicture] = []
    singles: list[TiledPicture] = []
    for photo in training_photos():
        if photo.tiles:
            (hands if photo.kind == "photo" else singles).append(load_photo(photo))
    return [
        (0.5, from_pictures(hands)),
        (0.2, from_pictures(singles)),
        (0.3, from_faces(load_sets(sets))),
    ]


if __name__ == "__main__":
    main()
