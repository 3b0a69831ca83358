"""Two tables with different tile sets: each hand is read by one who was taught its table's set."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from flask import Flask
from msgspec import structs
from PIL import Image

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.services import Services
from device.store.events import TilesConfirmed
from device.tilesets.tile_sets import TileSets
from device.web import Box, create_app
from tests.device.club.rooms import begin, lay, phone_at, post
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, picture
from tests.device.fake_reader import lay as reading_of
from vision.photo import Photo, open_photo
from vision.preprocess import RGB
from vision.reading import Reading

IVORY, JADE = (246, 238, 214), (150, 205, 160)
"""Of what the tiles of two sets are made."""

RIGHT, WRONG = reading_of(), reading_of([("concealed", "S1 S2 S3 S4 F1 F2")])


class TaughtReader(FakeReader):
    """Reads a photograph right if it knows the set in it, by the colour of its tiles.

    What stands for a network that takes one set's faces for another's: taught the wrong set, or
    none, it sees other tiles.
    """

    def __init__(self) -> None:
        super().__init__()
        self.colour = np.zeros(3)
        self.looked_at: list[str] = []

    def use_tile_set(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Know the colour of the tiles."""
        self.looked_at += codes
        crops = [np.median(crop(name), axis=(0, 1)) for name in codes]
        self.colour = np.median(crops, axis=0) if crops else np.zeros(3)

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        """Read a hand."""
        super().read(photo, rules, progress)
        tile = RIGHT.tiles[0].quad
        (x, y), _, (right, bottom), _ = tile
        colour = np.median(photo.rgb[int(y) : int(bottom), int(x) : int(right)], axis=(0, 1))
        knows = np.abs(colour - self.colour).max() < 20
        return structs.replace(RIGHT if knows else WRONG, photo=photo.name)


def photograph(colour: tuple[int, int, int], number: int) -> bytes:
    """Return a picture of the hand with tiles of that colour; no two numbers are alike."""
    with Image.open(io.BytesIO(picture(RIGHT, f"#2057{number:02x}"))) as image:
        rgb = np.asarray(image.convert("RGB")).copy()
    ivory = np.abs(rgb.astype(int) - IVORY).max(axis=2) < 20
    rgb[ivory] = colour
    output = io.BytesIO()
    Image.fromarray(rgb).save(output, "JPEG", quality=95)
    return output.getvalue()


@pytest.fixture
def reader() -> TaughtReader:
    return TaughtReader()


@pytest.fixture
def app(services: Services) -> Flask:
    return create_app(Box(services))


@pytest.fixture
def taught_sets(hands: HandRepository, sets: TileSets) -> dict[str, str]:
    """Let the box learn two sets, each by a hand that was said to be right; return their ids."""
    sets.allow(is_allowed=True)
    set_ids = {}
    for number, (name, colour) in enumerate((("Ivory", IVORY), ("Jade", JADE))):
        sets.begin(name)
        data = photograph(colour, number)
        photo = open_photo(data, "hand.jpg")
        hand = hands.begin(photo, data, "bmja")
        hands.change(hand, reading_event(RIGHT))
        hands.change(hand, TilesConfirmed())
        sets.learn(hands.get(hand), photo)
        set_ids[name] = sets.chosen_set().id
    return set_ids


def test_each_hand_is_read_by_its_own_tables_set(
    app: Flask,
    hands: HandRepository,
    reader: TaughtReader,
    sets: TileSets,
    taught_sets: dict[str, str],
    wait_settled: Wait,
) -> None:
    """Their photographs wait in one queue, turn by turn: four of them, and two questions."""
    phones = {}
    for name, colour in (("Ivory", IVORY), ("Jade", JADE)):
        phones[colour] = phone_at(app, table := lay(app, f"Table of {name}"))
        post(phones[colour], f"/club/tables/{table}/set", set=taught_sets[name])
        begin(phones[colour], ("Ann", "Bob", "Cy", "Di"))
        post(phones[colour], "/table/winner", who="0", won_by="wall")
    reader.go_on.clear()
    pending_hands = []
    for number, path in enumerate(("/table/hand/0", "/table/hand/1", "/learn/ask/")):
        for colour, phone in phones.items():
            photo = (io.BytesIO(photograph(colour, 16 + number)), "hand.jpg")
            answer = phone.post(path, data={"photo": photo})
            assert answer.status_code == 303, answer.text
            pending_hands.append(answer.headers["Location"].rstrip("/").rsplit("/", 1)[1])
    reader.go_on.set()
    read = [[tile.code for tile in wait_settled(hand).tiles] for hand in pending_hands]
    assert read == [[tile.code for tile in RIGHT.tiles]] * 6
    assert sets.chosen_set().id == taught_sets["Jade"], (
        "what the box's own table plays with is not changed"
    )


@pytest.mark.parametrize(
    ("own_set", "boxs", "expected", "reason"),
    [
        ("", "Ivory", "Ivory", "a table that has none of its own has the box's"),
        ("Jade", "Ivory", "Jade", "its own counts more"),
        ("Ivory", "Jade", "Ivory", "be that the older one"),
    ],
)
def test_a_table_plays_with_its_own_set_or_the_boxs(
    app: Flask,
    sets: TileSets,
    taught_sets: dict[str, str],
    own_set: str,
    boxs: str,
    expected: str,
    reason: str,
) -> None:
    table, other = lay(app, "Table 1"), lay(app, "Table 2")
    phone = phone_at(app, table)
    if own_set:
        post(
            phone, "/sets/choose", set=taught_sets[own_set]
        )  # as on a box of one table, from its own page
    post(app.test_client(), "/sets/choose", set=taught_sets[boxs])
    assert sets.chosen_set(table).id == taught_sets[expected], reason
    assert sets.chosen_set(other).id == taught_sets[boxs]


def test_one_sets_hands_push_no_other_sets_out(
    hands: HandRepository,
    sets: TileSets,
    taught_sets: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two sets played with turn by turn, each keeps as many hands as one alone would."""
    monkeypatch.setattr("device.tilesets.tile_sets.MAX_LEARNT_HANDS", 1)
    assert all(sets.codes(tile_set) for tile_set in taught_sets.values())
