"""`tongbox snap`: read photographs of one hand and score it."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from device.commands.console import write
from device.commands.read import format_reading, load_photo
from device.commands.ruleset_options import load_rules
from device.commands.score import add_options, score_hand
from device.hands.readings import PhotoReader, load_reader
from scorer.message import plain_text
from scorer.notation import parse_hand
from vision.errors import PhotoError
from vision.reading import Reading


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Read one hand from one or more photographs, and score it. With "
        "--json it prints two lines: what `read` would print, then what `score` would."
    )
    parser.add_argument("photos", nargs="+", metavar="PHOTO", type=Path, help="a picture file")
    parser.add_argument(
        "--say",
        default="",
        metavar="WORDS",
        help='facts no photo shows, as in a hand text: "seat=S round=E won=wall with=C5"',
    )
    add_options(parser)


def run(args: argparse.Namespace) -> None:
    """Read and score a hand."""
    spoken_hand = parse_hand(f"| | {args.say}")
    rules = load_rules(args)
    reading = _read_photos(load_reader(), args.photos, spoken_hand.ruleset)
    write(json.dumps(reading.to_json()) if args.json else "\n".join(format_reading(reading)))
    write(score_hand(_replace_words(reading.hand_text, args.say), args, rules))


def _read_photos(reader: PhotoReader, paths: list[Path], rules: str) -> Reading:
    """Return the reading of one photograph, or of several merged; raise PhotoError."""
    readings = []
    for path in paths:
        try:
            readings.append(reader.read(load_photo(path), rules=rules))
        except PhotoError as error:
            raise PhotoError(error.code, plain_text(f"{path}: {error}")) from error
    if len(readings) == 1:
        return readings[0]
    from vision.merging.merge import merge  # loads OpenCV, which other commands do not need

    return merge(readings, rules).reading


def _replace_words(hand_text: str, spoken_words: str) -> str:
    """Return the hand text with these words; each overrides what the photograph gave."""
    names = {word.partition("=")[0] for word in spoken_words.split()}
    other_words = [word for word in hand_text.split() if word.partition("=")[0] not in names]
    return " ".join([*other_words, *spoken_words.split()])
