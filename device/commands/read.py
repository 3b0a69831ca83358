"""`tongbox read`: read the tiles in photographs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from device.commands.console import progress_bar, write, write_beside_progress
from device.hands.readings import PhotoReader, load_reader
from scorer.message import plain_text
from vision.errors import PhotoError
from vision.photo import Photo, open_photo
from vision.reading import REASONS_FAR_OFF, Reading, Side


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("photos", nargs="+", metavar="PHOTO", type=Path, help="a picture file")
    parser.add_argument("--json", action="store_true", help="one JSON object per photo and line")
    parser.add_argument(
        "--rules",
        choices=("bmja", "safalra"),
        default="bmja",
        help="rules by which the tiles were laid out (bmja)",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--crop", action="store_true", help="each picture is one upright tile")
    choice.add_argument(
        "--table", action="store_true", help="each photo is of the whole table: one line per side"
    )


def run(args: argparse.Namespace, reader: PhotoReader | None = None) -> int:
    """Read each photograph; return 1 if one of them cannot be read."""
    reader = reader or load_reader()
    status = 0
    paths, say = iter(args.photos), write
    if len(args.photos) > 1:
        paths = progress_bar("Read", "photos")(args.photos)
        say = write_beside_progress
    for path in paths:
        try:
            readings = _read(reader, path, args)
        except PhotoError as error:
            status = 1
            problem = {"code": error.code, "message": str(error)}
            failure: dict[str, Any] = {"photo": str(path), "problems": [problem]}
            say(json.dumps(failure) if args.json else f"{path}: {error}")
            continue
        for side, reading in readings:
            if args.json:
                say(json.dumps(({"side": side} if side else {}) | reading.to_json()))
            else:
                say("\n".join(format_reading(reading, side)))
    return status


def _read(
    reader: PhotoReader, path: Path, args: argparse.Namespace
) -> Iterable[tuple[Side | None, Reading]]:
    """Return the readings of a photo; with `--table` one for each side."""
    photo = load_photo(path)
    if args.table:
        hands = reader.read_table(photo, rules=args.rules)
        if not hands:
            raise PhotoError(
                "no-hands", plain_text("I found no row of tiles along any side of this table.")
            )
        return hands.items()
    read = reader.read_crop(photo) if args.crop else reader.read(photo, rules=args.rules)
    return [(None, read)]


def load_photo(path: Path) -> Photo:
    """Return the photograph in a file; raise PhotoError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PhotoError(
            "no-file", plain_text(f"The file cannot be opened: {error.strerror}.")
        ) from error
    return open_photo(data, str(path))


def format_reading(reading: Reading, side: Side | None = None) -> Iterator[str]:
    """Yield a reading as readable lines."""
    side_text = f", {side}" if side else ""
    yield f"{reading.photo}{side_text}: {len(reading.tiles)} tiles in {reading.ms.total:.0f} ms"
    for row in ("exposed", "concealed", "bonus"):
        sets = [
            " ".join(reading.tiles[t].code for t in s.tiles) for s in reading.sets if s.row == row
        ]
        if sets:
            yield f"  {row:<10}{'  |  '.join(sets)}"
    yield from _describe_doubts(reading)
    for problem in reading.problems:
        yield f"  note      {problem.text}"
    yield f"  hand      {reading.hand_text}"


def _describe_doubts(reading: Reading) -> Iterator[str]:
    """Yield a line for each doubtful tile of the hand, then the number of others near it."""
    hand_tiles = {index for tile_set in reading.sets for index in tile_set.tiles}
    far_tiles = {each.tile for each in reading.left_out if each.why in REASONS_FAR_OFF}
    other_count = 0
    for index, tile in enumerate(reading.tiles):
        if tile.doubtful and index in hand_tiles:
            pairs = [f"{code} {chance:.0%}" for code, chance in tile.alternatives[:3]]
            alternatives = f" (or {', '.join(pairs)})" if pairs else ""
            yield f"  doubtful  tile {index + 1}: {tile.code} {tile.confidence:.0%}{alternatives}"
        else:
            other_count += tile.doubtful and index not in far_tiles
    if other_count:
        yield f"  doubtful  {other_count} more beside the hand"
