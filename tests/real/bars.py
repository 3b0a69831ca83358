"""Check that a photograph shows the test picture of the kernel's vivid camera in its colours."""

from __future__ import annotations

import argparse
import sys

from PIL import Image

BAR_COLOURS = {
    "white": (255, 255, 255), "yellow": (255, 255, 0), "cyan": (0, 255, 255), "green": (0, 255, 0),
    "magenta": (255, 0, 255), "red": (255, 0, 0), "blue": (0, 0, 255), "black": (0, 0, 0),
}  # fmt: skip
"""From left to right."""

MAX_COLOUR_DISTANCE = 90
"""Levels of 255. Narrow video levels and compression move a colour by 40, swapped ones by 255."""


def main() -> int:
    """Say what stands where; return 1 for a bar of another colour."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photograph")
    with Image.open(parser.parse_args().photograph) as image:
        picture = image.convert("RGB")
    width, height = picture.size
    pixels_seen = {}
    for place, name in enumerate(BAR_COLOURS):
        # Low in the picture: the camera writes its settings over the upper part.
        colour = picture.getpixel(
            (round((place + 0.5) / len(BAR_COLOURS) * width), round(height * 0.9))
        )
        assert isinstance(colour, tuple)
        pixels_seen[name] = colour
    wrong = {
        name: colour
        for name, colour in pixels_seen.items()
        if max(abs(a - b) for a, b in zip(colour, BAR_COLOURS[name], strict=True))
        > MAX_COLOUR_DISTANCE
    }
    sys.stdout.write(f"{width} x {height}, " + (f"wrong: {wrong}" if wrong else "all bars right"))
    return 1 if wrong else 0


def _distance(colour: tuple[int, ...], other: tuple[int, ...]) -> int:
    return max(abs(a - b) for a, b in zip(colour, other, strict=True))


if __name__ == "__main__":
    sys.exit(main())
