"""What the hints before the shutter measure on real photographs, as they come and blurred.

`python -m tests.prove.aiming [--photos N]`: photographs of TONGBOX_DATA, as small as a preview.
The thresholds of `device.cameras.aiming` are chosen from this table.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

import cv2
import numpy as np

from device.cameras.aiming import measure
from device.cameras.frames import shrunk
from vision.photo import open_photo
from vision.preprocess import RGB

PERCENTILES = (0, 1, 5, 25, 50, 75, 95, 99, 100)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=150)
    wanted = parser.parse_args().photos
    folder = Path(os.environ.get("TONGBOX_DATA", "../shared")) / "data" / "tiles" / "images"
    files = sorted(folder.iterdir())
    random.Random(1).shuffle(files)
    previews = [shrunk(open_photo(file.read_bytes(), file.name).rgb) for file in files[:wanted]]
    looks = [measure(preview) for preview in previews]
    row(f"{len(looks)} photographs", list(PERCENTILES))
    row("light", [look.light for look in looks], PERCENTILES)
    row("burnt, worst third", [max(look.burnt) for look in looks], PERCENTILES)
    row("blur", [look.blur for look in looks], PERCENTILES)
    for sigma in (2, 3, 5):
        blurs = [measure(blurred(preview, sigma)).blur for preview in previews]
        row(f"blur by {sigma} px", blurs, PERCENTILES)


def blurred(preview: RGB, sigma: float) -> RGB:
    """Return the preview out of focus."""
    return np.asarray(cv2.GaussianBlur(preview, (0, 0), sigma), np.uint8)


def row(name: str, values: list[float], percentiles: tuple[int, ...] = ()) -> None:
    """Print one row of the table; of the values, if there are percentiles, these."""
    shown = np.nanpercentile(values, percentiles) if percentiles else values
    sys.stdout.write(f"{name:20}" + "".join(f"{value:8.3f}" for value in shown) + "\n")


if __name__ == "__main__":
    main()
