"""How surely mirrored photographs are told: `python -m models.train.mirror.measure`.

Every photograph of the held-out scenes is read as it is and mirrored, whole; and so are hands of
TILES tiles drawn from each, since a photograph may show a table full of tiles.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from models.train.data.photos import photos_by_scene
from models.train.data.scenes import read_rgb
from vision.networks.classifier import MIN_MIRROR_CONFIDENCE, Classifier, is_mirrored
from vision.networks.locator import Locator
from vision.photo import Photo
from vision.preprocess import straighten

FEWEST = 8
"""A photograph with fewer labelled tiles is no hand's."""

TILES, DRAWN = 13, 20

Odds = npt.NDArray[np.float64]


def main() -> None:
    """Print the shares refused, as photographed and mirrored."""
    seen = [*_odds(mirrored=False)], [*_odds(mirrored=True)]
    for name, draw in (("photographs", False), (f"hands of {TILES} tiles", True)):
        for way, photos in zip(("as photographed", "mirrored"), seen, strict=True):
            groups = [*_hands(photos)] if draw else photos
            sums = np.array([odds.sum() for odds in groups])
            refused = np.mean([is_mirrored(odds.tolist()) for odds in groups])
            sys.stdout.write(
                f"{len(groups)} {name} {way}: refused {refused:.2%}; "
                f"sums from {sums.min():.1f} to {sums.max():.1f}, median {np.median(sums):.1f}\n"
            )


def _odds(*, mirrored: bool) -> Iterator[Odds]:
    """Yield the log odds of each photograph's surely named tiles."""
    locator, classifier = Locator.load(), Classifier.load()
    for photos in photos_by_scene(held_out=True).values():
        for labelled in photos:
            if labelled.kind == "photo" and len(labelled.tiles) >= FEWEST:
                rgb = read_rgb(labelled.path)
                photo = Photo(
                    labelled.path.name, np.ascontiguousarray(rgb[:, ::-1]) if mirrored else rgb
                )
                found = locator.locate(photo)
                named = classifier.classify([straighten(photo.rgb, t.quad) for t in found])
                whole = zip(found, named, strict=True)
                yield np.array(
                    [
                        n.mirrored
                        for t, n in whole
                        if t.score * n.tile_chance >= classifier.floor
                        and n.confidence >= MIN_MIRROR_CONFIDENCE
                    ]
                )


def _hands(photos: list[Odds]) -> Iterator[Odds]:
    rng = np.random.default_rng(0)
    for odds in photos:
        if len(odds) >= TILES:
            for _ in range(DRAWN):
                yield rng.choice(odds, TILES, replace=False)


if __name__ == "__main__":
    main()
