"""Windows and what the teacher reads in them: `python -m models.train.printed.teach --out DIR`.

The teacher is `models.train.printed.teacher`'s network. Each shard holds as many windows and strips
as SHARD says; a stopped run goes on where it was.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from models.train.data.photos import photos_by_scene
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
from scorer.tiles import CODES
from vision.labels import LabelledPhoto
from vision.networks.model import Model
from vision.networks.print_reader import NAMING_INDEXES, run_batches
from vision.networks.print_signs import (
    CHINESE_NUMERALS,
    CODE_BY_CHARACTER,
    NUMERALS,
    OTHER_SIGN,
    SIGNS,
)
from vision.preprocess import RGB, Float32s

WINDOWS_PER_SHARD, STRIPS_PER_SHARD = 1600, 240

JUDGES = frozenset({"couch", "laptop", "keyboard-desk"})
"""Training scenes that this network does not see, so that it can be judged by them, too."""

Pictures = tuple[npt.NDArray[np.uint8], Float32s]
"""Windows or strips (N, height, width, 3), and an answer (N, steps, SIGNS) to each."""

OTHER_INDEX = SIGNS.index(OTHER_SIGN)

MIN_LEGIBLE = 0.4
"""The teacher's chance of a sign from which one that should be there is legible."""

WRITTEN_WINDOW_SHARE, WRITTEN_STRIP_SHARE = 0.5, 0.5
"""Share of windows and of strips with signs written here; the others show whole tiles."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of the print in a window."""

    real: frozenset[str] = frozenset()
    """The signs that it shows, if they are legible."""
    possible: frozenset[str] | None = None
    """The naming signs that it may show; none where nothing is known."""


def truth_of_tile(code: str) -> Truth:
    """Return what may be printed on a tile: flowers and seasons may have other numerals."""
    if code not in CODES:
        return Truth()
    kind, n = code[0], code[1]
    signs = {sign for sign, of in CODE_BY_CHARACTER.items() if of == code}
    if n.isdigit():
        signs |= {n, CHINESE_NUMERALS[int(n) - 1]}
    possible = set(signs)
    if kind in "FS":
        possible |= {*NUMERALS[:4], *CHINESE_NUMERALS[:4]}
    elif code in ("C2", "C3"):  # parts of a 三 are a 二 and an 一
        possible |= {*CHINESE_NUMERALS[: int(n)]}
    elif n in "69":  # the photographs' labels do not say which way up
        possible |= {"6", "9"}
    return Truth(frozenset(signs), frozenset(possible))


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
            write_shard(
                path, *draw_shard(sources, teacher, np.random.default_rng((args.seed, number)))
            )


def write_shard(path: Path, windows: Pictures, strips: Pictures) -> None:
    """Write windows (N, 48, 48, 3) and strips (M, 48, 112, 3), each with the answers to them."""
    part = path.with_suffix(".part")
    arrays: dict[str, Any] = {}
    for name, (pictures, answers) in (("window", windows), ("strip", strips)):
        arrays |= {f"{name}s": pictures, f"{name}_answers": answers.astype(np.float16)}
    with part.open("wb") as file:
        np.savez(file, **arrays)
    part.replace(path)


def draw_shard(
    sources: Sequence[tuple[float, TileSource]], teacher: Model, rng: np.random.Generator
) -> tuple[Pictures, Pictures]:
    """Return windows (N, 48, 48, 3) and strips (M, 48, 112, 3), each with what is to be learned."""
    shares = np.array([share for share, _ in sources])

    def source() -> TileSource:
        return sources[int(rng.choice(len(sources), p=shares / shares.sum()))][1]

    windows, truths = zip(
        *(_draw_window(source, rng) for _ in range(WINDOWS_PER_SHARD)), strict=True
    )
    strips = [
        write_strip(rng) if rng.random() < WRITTEN_STRIP_SHARE else draw_strip(source(), rng)
        for _ in range(STRIPS_PER_SHARD)
    ]
    answers = correct(run_batches(teacher, windows), truths)
    return (np.stack(windows), answers), (np.stack(strips), run_batches(teacher, strips))


def _draw_window(source: Callable[[], TileSource], rng: np.random.Generator) -> tuple[RGB, Truth]:
    if rng.random() < WRITTEN_WINDOW_SHARE:
        window, signs = write_window(rng)
        return window, Truth(signs.intersection(SIGNS))
    window, code = draw_window(source(), rng)
    return window, truth_of_tile(code)


def correct(answers: Float32s, truths: Sequence[Truth]) -> Float32s:
    """Return answers (N, steps, SIGNS) without the signs that cannot be there, sure of others.

    A sign that should be there counts for sure at the step where the teacher sees it best, if no
    other is seen better: of a 三 cut in half, 二 is left.
    """
    result = answers.copy()
    for steps, of_teacher, truth in zip(result, answers, truths, strict=True):
        best = max(NAMING_INDEXES, key=lambda k: float(of_teacher[:, k].max()))
        if truth.possible is not None:
            wrong = [k for k in NAMING_INDEXES if SIGNS[k] not in truth.possible]
            steps[:, OTHER_INDEX] += steps[:, wrong].sum(1)
            steps[:, wrong] = 0
        if SIGNS[best] in truth.real and of_teacher[:, best].max() >= MIN_LEGIBLE:
            steps[int(of_teacher[:, best].argmax())] = np.arange(len(SIGNS)) == best
    return result


def print_photos() -> list[LabelledPhoto]:
    """Return the photographs that this network learns from."""
    scenes = photos_by_scene(wants_held_out=False)
    return [photo for scene in sorted(scenes.keys() - JUDGES) for photo in scenes[scene]]


def _sources(sets: Path) -> list[tuple[float, TileSource]]:
    """Return where tiles come from, each with its share: photographs, single tiles, drawn sets."""
    hands: list[TiledPicture] = []
    singles: list[TiledPicture] = []
    for photo in print_photos():
        if photo.tiles:
            (hands if photo.kind == "photo" else singles).append(load_photo(photo))
    return [
        (0.5, from_pictures(hands)),
        (0.2, from_pictures(singles)),
        (0.3, from_faces(load_sets(sets))),
    ]


if __name__ == "__main__":
    main()
