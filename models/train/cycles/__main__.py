"""Render hands in Blender: `python -m models.train.cycles --out DIR --count N --seed S`.

A stopped run goes on. Seed, kind and number decide everything in a picture.
"""

from __future__ import annotations

import argparse
import json
import time
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from models.train.cycles.camera import Size, develop, place_camera
from models.train.cycles.labels import label_line
from models.train.cycles.layouts import LAYOUTS
from models.train.cycles.room import random_room
from models.train.cycles.spots import corners
from models.train.cycles.styles import STYLES
from models.train.cycles.things import place_things

HAND_KINDS = ("tidy", "careless", "rotated", "cluttered", "special")
SIZES: dict[str, Size] = {
    "single": (640, 480), "table": (1600, 1200),
}  # fmt: skip
DEFAULT_SIZE: Size = (960, 720)
LABELS_FILE = "labels.jsonl"


def main(argv: Sequence[str] | None = None) -> None:
    """Render what is missing, kind by kind in turn."""
    parser = argparse.ArgumentParser(prog="models.train.cycles", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=12, help="pictures of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=LAYOUTS, default=HAND_KINDS)
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    for kind, number in _missing(args.out, args.kinds, args.count):
        began, wall = time.process_time(), time.monotonic()
        make_one(args.out, args.seed, kind, number)
        spent = time.process_time() - began
        print(f"{kind}-{number:03d} {spent:.1f} s of a core, {time.monotonic() - wall:.1f} s",
              flush=True)  # fmt: skip


def _missing(out: Path, kinds: Sequence[str], count: int) -> Iterator[tuple[str, int]]:
    labels = out / LABELS_FILE
    lines = labels.read_text(encoding="utf-8").splitlines() if labels.exists() else []
    there = {json.loads(line)["file"] for line in lines}
    for number in range(count):
        for kind in kinds:
            if file_name(kind, number) not in there:
                yield kind, number


def file_name(kind: str, number: int) -> str:
    """Return the name of a picture's file."""
    return f"{kind}-{number:03d}.jpg"


def make_one(out: Path, seed: int, kind: str, number: int) -> None:
    """Render one picture, write its file and then its line of labels."""
    from models.train.cycles.blend import photograph

    rng = np.random.default_rng((seed, zlib.crc32(kind.encode()), number))
    style = STYLES[(number * 3 + zlib.crc32(kind.encode())) % len(STYLES)]
    room = random_room(rng, kind, two_coloured=style.blank)
    laid = LAYOUTS[kind](rng, number, style, room.body.shape)
    things = place_things(rng, laid.things, laid.spots) if laid.things else []
    framed = [s for s in laid.spots if s.part != "other"] or list(laid.spots)
    if kind == "cluttered" or kind == "table":
        framed = list(laid.spots)
    points = np.concatenate([corners(s, room.body.shape) for s in framed])
    view = place_camera(room.stance, points, SIZES.get(kind, DEFAULT_SIZE))
    picture = photograph(laid.spots, things, style, room, view)
    name = file_name(kind, number)
    (out / name).write_bytes(develop(picture.light, rng))
    line = label_line(name, kind, style.name, laid, (room.body.shape, view, picture.visible))
    with (out / LABELS_FILE).open("a", encoding="utf-8") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    main()
