"""A box whose players give pictures away, step by step, and the command that writes them."""

from __future__ import annotations

import io
import json
import secrets
from pathlib import Path
from typing import Any

from msgspec import structs
from PIL import Image, ImageDraw

from device.giving.consent import GivingLog
from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store.events import HandGiven, PlayersRenamed, TilesConfirmed, WinnerEntered
from tests.device.command import Outcome, run_command
from tests.device.fake_reader import lay, picture
from tests.device.match_play import AGREED_TERMS
from vision.photo import open_photo
from vision.reading import LeftOut, Quad, Reading, TileReading

SECRET = (255, 0, 255)
"""A colour that nothing on the table has: all that lies around the tiles."""


def photo_of(reading: Reading, colour: tuple[int, int, int] = SECRET) -> bytes:
    """Return a picture of a reading's tiles amid what nobody is to see, and a line of names."""
    image = Image.open(io.BytesIO(picture(reading, f"rgb{colour}")))
    ImageDraw.Draw(image).text((300, 300), "Ann was here", "#00ff00", font_size=40)
    exif = Image.Exif()
    exif[0x013B] = "Ann Secret"  # artist
    exif[0x0132] = "2026:11:23 20:15:00"
    exif[0x010E] = "12 Privet Drive"
    output = io.BytesIO()
    image.save(output, "JPEG", exif=exif, comment=b"by Ann Secret", quality=95)
    return output.getvalue()


def add_face_down(reading: Reading, code: str = "S3") -> Reading:
    """Return a reading that also has a tile right beside the hand which is none of the hand's."""
    last = max(reading.sets[0].tiles)
    x, y = reading.tiles[last].quad[1]
    other = structs.replace(reading.tiles[0], code=code, quad=square(x + 3, y))
    place = len(reading.tiles)
    left_out = (*reading.left_out, LeftOut(place, "apart"))
    return structs.replace(reading, tiles=(*reading.tiles, other), left_out=left_out)


def square(x: float, y: float) -> Quad:
    """Return the quad of a small tile."""
    return ((x, y), (x + 20, y), (x + 20, y + 30), (x, y + 30))


class GivingBox:
    """The players of a box, what they do one after another, and the folder that comes of it."""

    def __init__(self, hands: HandRepository, folder: Path, url: str = "") -> None:
        self.hands, self.folder = hands, folder
        self._store = ["--store", url] if url else ["--data", str(hands.store.folder)]
        self.log = GivingLog(hands.store)
        self.matches = MatchRepository(hands.store)
        self.match = ""
        self._photo_count = 0
        self.outcome = Outcome(0, "", "")
        """What came of the last export."""

    def answer(self, is_agreed: bool) -> None:
        """Say yes or no."""
        self.log.answer(is_agreed=is_agreed)

    def take(self, reading: Reading | None = None, match: str = "", table: str = "") -> str:
        """Photograph a hand and read it; no two photographs are alike. Return its id."""
        self._photo_count += 1
        shown_reading = reading or lay()
        data = photo_of(shown_reading, (255, 6 * self._photo_count, 255))
        photo = open_photo(data, "IMG_Ann.jpg")
        stored_photo = self.hands.keep(photo, data)
        hand = self.hands.begin_kept(stored_photo, "bmja", None, match, table)
        self.hands.change(hand, reading_event(shown_reading))
        return hand

    def confirm(self, hand: str = "") -> str:
        """Say that all tiles of a hand, or of a new one, are right."""
        hand = hand or self.take()
        self.hands.change(hand, TilesConfirmed())
        return hand

    def begin(self) -> None:
        """Begin a match of Ann, Bob, Cy and Di."""
        self.match = self.matches.begin(AGREED_TERMS)
        self.matches.change(self.match, WinnerEntered(winner="Di"))

    def play(self, player: str) -> str:
        """Confirm a hand of the match, of this player, or of nobody by name."""
        hand = self.confirm(self.take(match=self.match))
        if player:
            self.matches.change(self.match, HandGiven(player=player, hand=hand))
        return hand

    def rename(self, old: str, new: str) -> None:
        """Call a player otherwise."""
        self.matches.change(self.match, PlayersRenamed(names={old: new}))

    def export(self, licence: str = "cc0", destination: Path | None = None) -> Outcome:
        """Run the command."""
        words = ("--dataset", str(destination or self.folder), "--licence", licence)
        self.outcome = run_command("export", *words, *self._store)
        return self.outcome

    def rows(self) -> list[dict[str, Any]]:
        """Return what the command writes into a new folder; nothing when it refuses."""
        target = self.folder.with_name(secrets.token_hex(4))
        if self.export(destination=target).status:
            return []
        text = (target / "labels.jsonl").read_text("utf-8")
        return [json.loads(line) for line in text.splitlines()]


def tile_reading(reading: Reading, place: int, **changes: Any) -> Reading:  # noqa: ANN401
    """Return a reading in which one tile is otherwise."""
    tiles: list[TileReading] = list(reading.tiles)
    tiles[place] = structs.replace(tiles[place], **changes)
    return structs.replace(reading, tiles=tuple(tiles))
