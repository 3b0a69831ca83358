"""A reader that reads nothing, and the picture of the hand that it says it saw."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from msgspec import structs
from PIL import Image, ImageDraw

from device.hands.readings import STAGES
from device.views.tiles import ROWS
from scorer.layings import classify_group
from scorer.notation import parse_hand
from scorer.tiles import Tile
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import (
    BlockReading,
    LeftOut,
    LooseTiles,
    Reading,
    RowName,
    SetReading,
    Side,
    TileReading,
    Timings,
)
from vision.stored_form import newest_form

TILE_WIDTH, TILE_HEIGHT = 60, 80

Group = tuple[RowName, str]
"""A row and the codes of the tiles that lie together in it: ("exposed", "B2 B2 B2")."""

WINNING: tuple[Group, ...] = (
    ("exposed", "B2 B2 B2"),
    ("exposed", "O9 O9 O9 ??"),
    ("concealed", "C3 C4 C5"),
    ("concealed", "DR ?? DR"),
    ("concealed", "WE WE"),
    ("bonus", "F1"),
)
"""East's winning hand, its kong and concealed pung laid as BMJA-V03 and V05 have it."""

WINNING_ON_WOOD: tuple[Group, ...] = (
    *WINNING,
    ("concealed", "B7"),
    ("concealed", "O4"),
    ("concealed", "C1"),
)
"""The same, with three gaps of bare wood read as tiles: the last three."""


def lay(
    groups: Iterable[Group] = WINNING, doubtful: Iterable[int] = (), sideways: int | None = None
) -> Reading:
    """Return the reading of these groups; `doubtful` and `sideways` name tiles by position."""
    tiles: list[TileReading] = []
    sets: list[SetReading] = []
    x = {"exposed": 40.0, "concealed": 40.0, "bonus": 1080.0}
    for row, text in groups:
        codes = text.split()
        places = tuple(range(len(tiles), len(tiles) + len(codes)))
        y = 60.0 if row == "exposed" else 220.0
        for place, code in zip(places, codes, strict=True):
            tile = _tile(code, x[row], y, place in doubtful)
            tiles.append(structs.replace(tile, turn=90) if place == sideways else tile)
            x[row] += TILE_WIDTH + 4
        x[row] += 24
        sets.append(SetReading(places, row, "loose" if row == "bonus" else classify_group(codes)))
    ms = Timings(load=0.0, locate=1.0, classify=1.0, arrange=1.0, total=3.0)
    return Reading(
        "hand.jpg",
        1200,
        360,
        tuple(tiles),
        tuple(sets),
        "",
        (),
        ms,
        winning_tile=sideways,
        form=newest_form(),
    )


def lay_two_blocks() -> Reading:
    """Return the reading of a player's own five tiles, with eleven more left out beside them."""
    melds: tuple[Group, ...] = (
        ("exposed", "B2 B2 B2"),
        ("exposed", "O9 O9 O9"),
        ("exposed", "WS WS WS"),
        ("bonus", "F1 S1"),
    )
    reading = lay((*melds, ("concealed", "C3 C4 C5"), ("concealed", "WE WE")))
    block = BlockReading("left", reading.sets[: len(melds)])
    left_out = tuple(LeftOut(place, "apart") for place in block.tiles)
    return structs.replace(
        reading, sets=reading.sets[len(melds) :], left_out=left_out, blocks=(block,)
    )


def lay_among_discards(
    groups: Sequence[Group], discards: str, doubtful: Iterable[int] = ()
) -> Reading:
    """Return the reading of a hand, and of discards that lie apart from it."""
    reading = lay((*groups, ("bonus", discards)), doubtful)
    left_out = tuple(LeftOut(place, "far") for place in reading.sets[-1].tiles)
    return structs.replace(reading, sets=reading.sets[:-1], left_out=left_out)


def lay_on_checks() -> Reading:
    """Return the reading of a winning hand, and of two squares of the cloth beside it."""
    reading = lay((*WINNING, ("bonus", "F4"), ("bonus", "F4")))
    squares = tuple(LeftOut(place, "pattern") for laid in reading.sets[-2:] for place in laid.tiles)
    return structs.replace(reading, sets=reading.sets[:-2], left_out=squares)


def lay_text(text: str) -> tuple[Reading, dict[str, object]]:
    """Return the reading of a hand text, and the answers that say what no photograph can tell.

    Each word of the text lies as a group of its own; a declared kong has both ends down.
    """
    hand = parse_hand(text)
    zones = dict(zip(ROWS, text.split("|"), strict=False))
    groups = [
        (row, " ".join(_codes(word)))
        for row, zone in zones.items()
        for word in zone.split()
        if "=" not in word
    ]
    reading = lay(groups)
    answers: dict[str, object] = {
        "winner": hand.winner,
        "seat_wind": hand.seat_wind,
        "prevailing_wind": hand.prevailing_wind,
        "original_call": hand.original_call,
    }
    if hand.winner:
        answers["won_by"] = hand.won_by[0]
    if hand.winning_tile:
        places = [t.code for t in reading.tiles]
        answers["winning_tile"] = len(places) - 1 - places[::-1].index(hand.winning_tile)
    return reading, answers


def _codes(word: str) -> list[str]:
    letters = word.strip("[]")
    codes = [letters[0] + rank for rank in letters[1:]]
    return ["??", *codes[1:3], "??"] if word.startswith("[") else codes


def _tile(code: str, x: float, y: float, doubtful: bool) -> TileReading:
    right, bottom = x + TILE_WIDTH, y + TILE_HEIGHT
    return TileReading(
        code=code,
        confidence=0.58 if doubtful else 0.99,
        quad=((x, y), (right, y), (right, bottom), (x, bottom)),
        turn=0,
        alternatives=(("B4", 0.21), ("B3", 0.11), ("O2", 0.04), ("C2", 0.02), ("S2", 0.01)),
        doubtful=doubtful,
    )


@cache
def picture(reading: Reading, cloth: str = "#20573f") -> bytes:
    """Return a JPEG in which the tiles of a reading lie: ivory on baize, named in plain letters."""
    image = Image.new("RGB", (reading.width, reading.height), cloth)
    draw = ImageDraw.Draw(image)
    for tile in reading.tiles:
        box = (*tile.quad[0], *tile.quad[2])
        is_face_down = tile.code == "??"
        draw.rounded_rectangle(box, 8, "#2f6f8f" if is_face_down else "#f6eed6", "#5d5540", 2)
        if not is_face_down:
            draw.text((tile.quad[0][0] + 8, tile.quad[0][1] + 10), tile.code, "#222", font_size=30)
            draw.text(
                (tile.quad[0][0] + 8, tile.quad[0][1] + 52),
                Tile.parse(tile.code).name[:9],
                "#555",
                font_size=11,
            )
    output = io.BytesIO()
    image.save(output, "JPEG")
    return output.getvalue()


class FakeReader:
    """Says that every photograph shows the same hand."""

    def __init__(self, reading: Reading | None = None, fault: BaseException | None = None) -> None:
        self.reading = reading or lay()
        self.fault = fault
        self.go_on = threading.Event()
        """Cleared, it holds the reader up between two stages."""
        self.go_on.set()
        self.table: dict[Side, Reading] = {}
        self.says_whose: str | None = None
        self.registered_sets: dict[str, tuple[str, tuple[int, ...]]] = {}

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        """Pass through the stages; raise the fault, if there is one."""
        for stage in STAGES:
            if progress:
                progress(stage)
            assert self.go_on.wait(20)
        if self.fault:
            raise self.fault
        return structs.replace(self.reading, photo=photo.name)

    def read_table(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> dict[Side, Reading]:
        """Say what lies round the table; by itself, that the same hand lies at two sides."""
        reading = self.read(photo, rules, progress)
        return dict(self.table) or {"bottom": reading, "top": reading}

    def read_set(self, photo: Photo, progress: Callable[[str], None] | None = None) -> LooseTiles:
        """Say that the same tiles lie there, in no hand; raise the fault, if there is one."""
        for stage in STAGES[:2]:
            if progress:
                progress(stage)
            assert self.go_on.wait(20)
        if self.fault:
            raise self.fault
        return LooseTiles(self.reading.tiles)

    def find_other_set(
        self,
        photo: Photo,
        tiles: Sequence[TileReading],
        sets: Mapping[str, Mapping[str, str]],
        chosen_set: str,
        crop: Callable[[str], RGB],
    ) -> str | None:
        """Say what the test wants, if that is not the chosen set; look at every crop."""
        assert all(crop(name).size for codes in sets.values() for name in codes)
        return self.says_whose if self.says_whose != chosen_set else None

    def use_tile_set(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Look at every crop, and remember what each is said to show."""
        self.registered_sets = {name: (code, crop(name).shape) for name, code in codes.items()}

    def count(self, photo: Photo) -> int:
        """Count the tiles of the hand that it says it sees."""
        assert self.go_on.wait(20)
        return len(self.reading.tiles)

    def read_crop(self, photo: Photo) -> Reading:
        """Return the first tile alone."""
        tile = self.reading.tiles[0]
        return structs.replace(self.reading, photo=photo.name, tiles=(tile,), sets=())
