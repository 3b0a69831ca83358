"""When a photograph had better be taken again, and what is said then."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from scorer.message import message
from tests.device.fake_reader import lay, picture
from vision.photo import Photo, open_photo
from vision.quality import NOT_A_HAND
from vision.reading import Problem, Quad, Reading, SetReading, make_problem
from vision.retake_advice import reasons_to_retake, table_reasons_to_retake
from vision.words import to_english

DARK = make_problem("too-dark", message("seen.too-dark"))
GLARE = make_problem("glare", message("seen.glare", places=()))
COUNT = make_problem("tile-count", message("lies.tile-count", count=12, due=13, won=14))

LAST, FLOWER = 13, 15
"""The rightmost tile of the lower row, and the flower."""


def shift_tiles(
    reading: Reading, *places: int, offset: tuple[float, float], doubtful: bool = False
) -> Reading:
    """Return the reading with these tiles moved so that they lie partly outside the picture."""
    tiles = list(reading.tiles)
    for place in places:
        a, b, c, d = ((x + offset[0], y + offset[1]) for x, y in tiles[place].quad)
        quad: Quad = (a, b, c, d)
        tiles[place] = structs.replace(tiles[place], quad=quad, doubtful=doubtful)
    return structs.replace(reading, tiles=tuple(tiles))


def photo_of(reading: Reading) -> Photo:
    """Return a photograph in which the tiles lie as they were read."""
    return open_photo(picture(reading), "hand.jpg")


def says(*problems: Problem) -> Reading:
    return structs.replace(lay(), problems=problems)


def offset_beyond(place: int, edge: str, share: float) -> tuple[float, float]:
    """Return by what a tile is moved to lie beyond an edge with a share of it."""
    reading = lay()
    (x, y), (right, bottom) = reading.tiles[place].quad[0], reading.tiles[place].quad[2]
    width, height = right - x, bottom - y
    return {
        "left": (-x - share * width, 0.0),
        "right": (reading.width - right + share * width, 0.0),
        "top": (0.0, -y - share * height),
        "bottom": (0.0, reading.height - bottom + share * height),
    }[edge]


@pytest.mark.parametrize(
    ("reading", "codes", "reason"),
    [
        (lay(), (), "a fit photograph"),
        (says(DARK), ("too-dark",), "all of it is dark"),
        (says(GLARE, COUNT), (), "which is asked of single tiles"),
        (shift_tiles(lay(), LAST, offset=offset_beyond(LAST, "right", 0.4)), (),
         "a tile is cut off, and read surely all the same"),
        (shift_tiles(lay(), LAST, offset=offset_beyond(LAST, "right", 0.4), doubtful=True),
         ("cut-right",), "a tile is cut off and in doubt"),
        (shift_tiles(says(COUNT), LAST, offset=offset_beyond(LAST, "right", 0.4)), ("cut-right",),
         "a tile is cut off, and another is missing"),
        (shift_tiles(lay(), LAST, offset=offset_beyond(LAST, "right", 0.1), doubtful=True), (),
         "a tenth of a tile does no harm"),
        (
            shift_tiles(
                says(NOT_A_HAND), LAST, offset=offset_beyond(LAST, "right", 0.4), doubtful=True
            ),
            (),
            "other players' hands are in the picture, which is asked by itself",
        ),
        (shift_tiles(lay(), FLOWER, offset=offset_beyond(FLOWER, "right", 0.4), doubtful=True), (),
         "a flower alone may be anybody's"),
        (shift_tiles(says(DARK), 0, 1, offset=offset_beyond(0, "top", 0.4), doubtful=True),
         ("cut-top", "too-dark"), "the edge first, then the light"),
    ],
)  # fmt: skip
def test_what_stops_a_photograph(reading: Reading, codes: tuple[str, ...], reason: str) -> None:
    assert tuple(each.code for each in reasons_to_retake(reading, photo_of(reading))) == codes, (
        reason
    )


@pytest.mark.parametrize("edge", ["left", "right", "top", "bottom"])
def test_the_edge_is_named(edge: str) -> None:
    cut = shift_tiles(lay(), LAST, offset=offset_beyond(LAST, edge, 0.4), doubtful=True)
    (problem,) = reasons_to_retake(cut, photo_of(cut))
    text = to_english(problem.message)
    assert text == f"The tiles at the {edge} edge are cut off. Please step back a little."


def test_of_the_whole_table_each_thing_is_said_once() -> None:
    readings = {"bottom": says(DARK), "left": says(DARK), "top": lay()}
    problems = table_reasons_to_retake(readings, photo_of(lay()))  # type: ignore[arg-type]
    assert [each.code for each in problems] == ["too-dark"]
    assert [each.code for each in table_reasons_to_retake({}, photo_of(lay()))] == ["no-tiles"]


@pytest.mark.parametrize(
    ("share", "cloth", "codes", "reason"),
    [
        (0.65, "#20573f", ("cut-left",), "the greater part of a tile is outside, so none is found"),
        (0.55, "#20573f", ("cut-left",), "a little less of it"),
        (1.3, "#20573f", (), "all of it is, and nothing of it can be seen"),
        (0.65, "#f6eed6", (), "on a cloth of the tiles' colour nobody can say"),
    ],
)
def test_a_tile_of_which_a_sliver_is_seen(
    share: float, cloth: str, codes: tuple[str, ...], reason: str
) -> None:
    whole_reading = lay((("concealed", "B1 B2 B3 C4 C5 C6 O7 O8 O9 WE WE DR DR DR"),))
    left = whole_reading.tiles[0].quad[0][0] + share * 60
    photo = open_photo(picture(whole_reading, cloth), "hand.jpg")
    cut = Photo("hand.jpg", np.ascontiguousarray(photo.rgb[:, int(left) :]))
    moved_tiles = [
        structs.replace(tile, quad=tuple((x - int(left), y) for x, y in tile.quad))
        for tile in whole_reading.tiles
    ]
    sets = (SetReading(tuple(range(13)), "concealed", "loose"),)
    reading = structs.replace(
        whole_reading, tiles=tuple(moved_tiles[1:]), sets=sets, width=cut.width
    )
    assert tuple(each.code for each in reasons_to_retake(reading, cut)) == codes, reason
