"""The drawing over the photograph: where numbers, windows and crops fall."""

from __future__ import annotations

import pytest

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.hands.scoring import locate_tiles
from device.views import photo_overlay
from tests.device.fake_reader import lay
from vision.hand.assembly import LaidSet, assemble
from vision.reading import Quad

UPRIGHT: Quad = ((100, 100), (160, 100), (160, 180), (100, 180))


@pytest.mark.parametrize("turns", range(4))
def test_the_number_stands_above_the_tile_however_the_tile_lies(turns: int) -> None:
    first, second, third, fourth = (UPRIGHT * 2)[turns : turns + 4]
    x, y = photo_overlay.find_label_point((first, second, third, fourth), size=20)
    assert x == pytest.approx(130)
    assert y == pytest.approx(100 - 15), "three quarters of its height off the edge"


@pytest.mark.parametrize(("turns", "degrees"), [(0, 0), (1, -90), (2, 180), (3, 90)])
def test_a_crop_turns_the_tile_upright(turns: int, degrees: float) -> None:
    first, second, third, fourth = (UPRIGHT * 2)[turns : turns + 4]
    crop = photo_overlay.tile_crop((first, second, third, fourth))
    assert abs(crop.turn) == pytest.approx(abs(degrees))
    assert crop.centre == (130, 140)


def test_few_tiles_in_a_wide_photo_are_shown_closer(
    hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay([("concealed", "B1 B2 B3")])))
    record = hands.get(unread_hand)
    window = photo_overlay.close_up(record)
    assert window.width < photo_overlay.whole_photo(record).width / 3
    assert window.x <= 40
    assert window.x + window.width >= 40 + 3 * 64
    assert window.y >= 0
    assert window.y + window.height <= photo_overlay.whole_photo(record).height


def test_a_photo_that_is_all_tiles_is_shown_whole(hands: HandRepository, read_hand: str) -> None:
    record = hands.get(read_hand)
    assert photo_overlay.close_up(record) == photo_overlay.whole_photo(record)


@pytest.mark.parametrize(
    ("line", "places", "reason"),
    [
        ("B2 B2 B2", (3, 4, 5), "the pung, not the same tile in the chow"),
        ("B1 B2 B3", (0, 1, 2), "the chow"),
        ("DR", (6,), "any tile of that face"),
        ("", (), "a line without tiles"),
    ],
)
def test_a_line_finds_its_tiles(line: str, places: tuple[int, ...], reason: str) -> None:
    codes = ["B1", "B2", "B3", "B2", "B2", "B2", "DR", "DR"]
    sets = [LaidSet((0, 1, 2), "concealed"), LaidSet((3, 4, 5), "exposed"),
            LaidSet((6, 7), "concealed")]  # fmt: skip
    assert locate_tiles(line.split(), assemble(codes, sets)) == places, reason
