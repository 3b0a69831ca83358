"""Measure what the hints before the shutter see in real photographs, as they are and degraded.

`python -m tests.prove.aiming [--photos N]` takes photographs of TONGBOX_DATA with eight tiles or
more, as small as a preview. The thresholds of `device.cameras.aiming` are chosen from this table.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.cameras.aiming import MAX_GLARE_SHARE, MIN_TILES_SEEN, measure_preview
from device.cameras.base import shrink
from vision.photo import open_photo
from vision.preprocess import RGB

PERCENTILES = (0, 1, 5, 25, 50, 75, 95, 99, 100)

LAMP_PHOTO_COUNT = 80
"""Photographs that lamps are drawn into."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=300)
    max_photos = parser.parse_args().photos
    folder = Path(os.environ.get("TONGBOX_DATA", "../shared")) / "data" / "tiles"
    lines = (folder / "labels.jsonl").read_text("utf-8").splitlines()
    labels = [each for each in map(json.loads, lines) if len(each["tiles"]) >= MIN_TILES_SEEN]
    random.Random(1).shuffle(labels)
    labels = labels[:max_photos]
    files = [folder / each["file"] for each in labels]
    previews = [shrink(open_photo(file.read_bytes(), file.name).rgb) for file in files]
    looks = [measure_preview(preview) for preview in previews]
    worst = [max(look.burnt_shares) for look in looks]
    print_row(f"{len(looks)} photographs", list(PERCENTILES))
    print_row("light", [look.light for look in looks], PERCENTILES)
    print_row("burnt, worst third", worst, PERCENTILES)
    print_row("blur", [look.blur for look in looks], PERCENTILES)
    for sigma in (2, 3, 5):
        blurs = [measure_preview(blur(preview, sigma)).blur for preview in previews]
        print_row(f"blur by {sigma} px", blurs, PERCENTILES)
    print_row("said to glare", [sum(each > MAX_GLARE_SHARE for each in worst)])
    rng = random.Random(2)
    for radius in (35, 45, 60, 80):
        with_reflection = [
            draw_reflection(p, each, radius, rng)
            for p, each in zip(previews[:LAMP_PHOTO_COUNT], labels, strict=False)
        ]
        print_row(
            f"lamp of {radius} px",
            [
                sum(max(measure_preview(p).burnt_shares) > MAX_GLARE_SHARE for p in with_reflection)
                / len(with_reflection)
            ],
        )


def blur(preview: RGB, sigma: float) -> RGB:
    """Return the preview out of focus."""
    return np.asarray(cv2.GaussianBlur(preview, (0, 0), sigma), np.uint8)


def draw_reflection(preview: RGB, label: dict[str, Any], radius: float, rng: random.Random) -> RGB:
    """Return the preview with a lamp's reflection, soft at its edge, over one of its tiles."""
    height, width = preview.shape[:2]
    x, y = np.mean(rng.choice(label["tiles"])["quad"], axis=0) * (width / label["w"])
    distances = np.hypot(*np.meshgrid(np.arange(width) - x, np.arange(height) - y))
    share = np.clip((radius * 1.3 - distances) / (radius * 0.6), 0, 1)[..., None]
    return np.asarray(np.clip(preview * (1 - share) + 260 * share, 0, 255), np.uint8)


def print_row(name: str, values: list[float], percentiles: tuple[int, ...] = ()) -> None:
    """Print one row of the table; of the values, if there are percentiles, these."""
    figures = np.nanpercentile(values, percentiles) if percentiles else values
    sys.stdout.write(f"{name:20}" + "".join(f"{value:8.3f}" for value in figures) + "\n")


if __name__ == "__main__":
    main()
