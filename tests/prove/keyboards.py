"""Count keys that are read as tiles: `python -m tests.prove.keyboards [--every N]`.

Each of the four photographs of a keyboard (TONGBOX_DATA) is read as it is and changed in some ways.
Then one is put above or below every Nth held-out photograph of a hand: the hand must stay as it is.
It ends with 1 where keys are tiles, or hands are spoilt, more often than the bounds allow.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping

import cv2
import numpy as np

from tests.prove.real_photos import load_photos, open_labelled
from tests.reporting import say
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reader import Reader
from vision.reading import Reading

MIN_HAND_TILES = 8
"""A photograph with fewer labelled tiles shows no hand."""

MAX_KEYS_ALONE, MAX_KEYS_BY_HAND, MIN_SAME_SHARE = 40, 0.8, 0.9
"""Keys read as tiles in the 32 pictures without a hand, and for each hand with a keyboard beside
it; and the share of these hands that are read as alone."""

SHARE_OF_LIGHT = 0.35
"""What is left of the light in a dark photograph."""

WAYS: Mapping[str, Callable[[RGB], RGB]] = {
    "as it is": lambda rgb: rgb,
    "mirrored": lambda rgb: rgb[:, ::-1],
    "a quarter turned": lambda rgb: np.rot90(rgb),
    "upside down": lambda rgb: rgb[::-1, ::-1],
    "the left half": lambda rgb: rgb[:, : rgb.shape[1] // 2],
    "the upper two thirds": lambda rgb: rgb[: rgb.shape[0] * 2 // 3],
    "dark": lambda rgb: (rgb * SHARE_OF_LIGHT).astype(np.uint8),
    "half as large": lambda rgb: rgb[::2, ::2],
}


def main() -> None:
    """Read the keyboards alone, then beside hands, and print how many keys are tiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=7, metavar="N", help="hands to take")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader.load()
    keyboards = [open_labelled(photo).rgb for photo in load_photos("chosen-by") if not photo.tiles]
    alone_count = 0
    for name, way in WAYS.items():
        readings = [reader.read(Photo(name, np.ascontiguousarray(way(k)))) for k in keyboards]
        key_counts = [len(reading.tiles) for reading in readings]
        alone_count += sum(key_counts)
        say(f"{name}: keys read as tiles {key_counts}")
    hands = [p for p in load_photos("held-out") if len(p.tiles) >= MIN_HAND_TILES][:: args.every]
    same_count = key_count = 0
    for number, photo in enumerate(hands):
        is_same, keys = read_beside(
            reader,
            open_labelled(photo).rgb,
            keyboards[number % len(keyboards)],
            is_above=number % 2 == 0,
        )
        same_count += is_same
        key_count += keys
    say(f"beside {len(hands)} hands: {same_count} read as alone, {key_count} keys read as tiles")
    sys.exit(
        alone_count > MAX_KEYS_ALONE
        or key_count > MAX_KEYS_BY_HAND * len(hands)
        or same_count < MIN_SAME_SHARE * len(hands)
    )


def read_beside(reader: Reader, hand: RGB, keyboard: RGB, *, is_above: bool) -> tuple[bool, int]:
    """Return whether a hand is read as it is alone, and how many keys beside it are tiles."""
    size = (hand.shape[1], round(keyboard.shape[0] * hand.shape[1] / keyboard.shape[1]))
    board = np.asarray(cv2.resize(keyboard, size), np.uint8)
    top = len(board) if is_above else 0
    reading = reader.read(Photo("both", np.vstack([board, hand] if is_above else [hand, board])))
    heights = [float(np.mean(tile.quad, axis=0)[1]) - top for tile in reading.tiles]
    keys = sum(not 0 <= height < len(hand) for height in heights)
    return _hand_codes(reading) == _hand_codes(reader.read(Photo("alone", hand))), keys


def _hand_codes(reading: Reading) -> list[str]:
    return sorted(reading.tiles[tile].code for laid in reading.sets for tile in laid.tiles)


if __name__ == "__main__":
    main()
