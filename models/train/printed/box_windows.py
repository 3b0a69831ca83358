"""What the box reads of photographs: `python -m models.train.printed.box_windows --out DIR`.

Tiles in doubt, flowers and unfamiliar tiles differ from tiles of chance. So the teacher reads print
of whole training photographs here, several times: dark, flat and small. The shards are like those
of `models.train.printed.teach`, with the teacher's own answers. A stopped run begins anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.train.printed.teach import WINDOWS_PER_SHARD, Pictures, print_photos, write_shard
from models.train.printed.windows import dim
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator
from vision.networks.print_reader import WINDOW_SIDE_PX, IsUnsure, PrintReader, run_batches
from vision.photo import Photo, open_photo
from vision.preprocess import RGB, Float32s
from vision.reader import Reader

SMALL_SHARE, SMALL_SIDES_PX = 0.7, (900, 1800)
"""Share of photographs that are shrunk, and to what longer side."""

FLAT_SHARE, FLAT_HEIGHTS = 0.5, (0.4, 1.0)
"""Share of these that are squashed, as a low camera sees tiles, and how much height is left."""

DIM_SHARE, LIGHTS = 0.5, (0.6, 1.2)
"""Share of photographs taken in a dim room, and the light of the others."""


class TeacherReader(PrintReader):
    """Reads print as the box does, but with the teacher, and keeps what it was shown."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.windows: list[tuple[RGB, Float32s]] = []
        self.strips: list[tuple[RGB, Float32s]] = []
        """Each with the teacher's answer."""

    def _read_parts(self, parts: Sequence[RGB], is_unsure: IsUnsure) -> Float32s:
        answers = run_batches(self._large, parts)
        store = self.windows if parts[0].shape[1] == WINDOW_SIDE_PX else self.strips
        store.extend(zip(parts, answers, strict=True))
        return answers

    def write_shards(self, folder: Path, name: str) -> None:
        """Write what was read, the strips, which are few, in every shard."""
        count = -(-len(self.windows) // WINDOWS_PER_SHARD)
        for number in range(count):
            part = slice(number, None, count)
            write_shard(
                folder / f"{name}-{number:04d}.npz",
                _stack(self.windows[part]),
                _stack(self.strips),
            )


def _stack(read_parts: Sequence[tuple[RGB, Float32s]]) -> Pictures:
    pictures, answers = zip(*read_parts, strict=True)
    return np.stack(pictures), np.stack(answers)


def main() -> None:
    """Read every training photograph of a hand, and write the shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for SEED-NNNN.npz")
    parser.add_argument("--passes", type=int, default=8, help="how often each is read")
    parser.add_argument("--teacher", type=Path, default=Path("models"), help="its folder")
    parser.add_argument("--seed", type=int, default=2)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    print_reader = TeacherReader(args.teacher)
    reader = Reader(Locator.load(), Classifier.load(), 0.0, print_reader)
    rng = np.random.default_rng(args.seed)
    photos = [photo for photo in print_photos() if photo.kind == "photo"]
    for _ in range(args.passes):
        for each in photos:
            photo = open_photo(each.path.read_bytes(), each.path.name)
            reader.read(_take_again(photo, rng))
    print_reader.write_shards(args.out, str(args.seed))


def _take_again(photo: Photo, rng: np.random.Generator) -> Photo:
    """Return a photograph as from further away, from lower down, or in other light."""
    rgb = photo.rgb
    if rng.random() < SMALL_SHARE:
        scale = min(1.0, rng.uniform(*SMALL_SIDES_PX) / max(photo.width, photo.height))
        flatness = rng.uniform(*FLAT_HEIGHTS) if rng.random() < FLAT_SHARE else 1.0
        size = round(photo.width * scale), round(photo.height * scale * flatness)
        rgb = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    if rng.random() < DIM_SHARE:
        rgb = dim(rgb, rng)
    else:
        rgb = np.clip(rgb * np.float32(rng.uniform(*LIGHTS)), 0, 255).astype(np.uint8)
    return replace(photo, rgb=rgb)


if __name__ == "__main__":
    main()
