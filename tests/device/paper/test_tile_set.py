"""The sheet of the table's own tiles: each picture in its size, above its own number and name."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pypdfium2
import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, say, tile_name, use_words
from device.paper.tile_set import PICTURE_HEIGHT_MM, PICTURE_WIDTH_MM, print_tile_set
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from scorer.tiles import CODES, FACE_DOWN
from tests.device.page import get_page
from tests.device.tilesets.test_tile_sets import teach
from tests.pdf_pages import MM, letters_on, sizes, text_of
from tests.readers import NEEDS_FONT
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB

pytestmark = [pytest.mark.slow, NEEDS_FONT]

COLUMN_POINTS, CAPTION_POINTS = 96, 48
"""Room of a number and of two lines of a name."""


def paint(code: str) -> RGB:
    """Return a picture of one grey, a different one for each tile."""
    grey = 20 + 5 * ((*CODES, FACE_DOWN).index(code))
    return np.full((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), grey, np.uint8)


def captions(pdf: bytes) -> list[tuple[int, str]]:
    """Return the grey of each picture and the words below it; check its size in millimetres."""
    labelled_greys = []
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            letters = letters_on(page)
            for picture in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE]):
                left, bottom, right, top = picture.get_bounds()
                size = (right - left) * MM, (top - bottom) * MM
                assert size == pytest.approx((PICTURE_WIDTH_MM, PICTURE_HEIGHT_MM), abs=0.1)
                words = "".join(
                    letter.text
                    for letter in letters
                    if abs(letter.left + letter.right - left - right) < COLUMN_POINTS
                    and bottom - CAPTION_POINTS < letter.top < bottom
                )
                grey = round(float(picture.get_bitmap().to_numpy().mean()))
                labelled_greys.append((grey, "".join(words.split())))
    return labelled_greys


def caption(code: str) -> str:
    """Return the number and the name of a tile, without spaces."""
    return "".join((code[1] * code[1].isdigit() + tile_name(code)).split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_picture_stands_above_its_own_number_and_name(language: str) -> None:
    use_words(language)
    codes = (*CODES, FACE_DOWN)
    pdf = print_tile_set("Ivory", {code: paint(code) for code in codes})
    labelled_greys = captions(pdf)
    assert len(labelled_greys) == len(codes)
    for grey, words in labelled_greys:  # a JPEG may be off by one
        code = min(codes, key=lambda code: abs(int(paint(code).mean()) - grey))
        assert words.startswith(caption(code))
    assert np.allclose(sizes(pdf), [(210.0, 297.0)] * 3, atol=0.1)


def test_a_tile_that_was_not_learnt_has_its_name_and_no_picture() -> None:
    pdf = print_tile_set("Ivory", {"O3": paint("O3")})
    assert [words for _, words in captions(pdf)] == [caption("O3")]
    text = " ".join(" ".join(text_of(pdf)).split())
    assert [code for code in CODES if tile_name(code) not in text] == []
    assert tile_name(FACE_DOWN) not in text, "no set has to have others"


def test_the_page_prints_the_set_on_the_table_once_it_is_learnt(
    client: FlaskClient, sets: TileSets, hands: HandRepository, read_hand: str
) -> None:
    assert "/sets/register/" in get_page(client, "/settings/print/").links()
    assert client.get("/print/tile-set.pdf").location == "/sets/register/"
    sets.allow(is_allowed=True)
    teach(sets, hands, read_hand)
    assert "/print/tile-set.pdf" in get_page(client, "/settings/print/").links()
    pdf = client.get("/print/tile-set.pdf").data
    learnt_codes = set(sets.codes(FIRST_SET_ID).values())
    labelled_greys = [words for _, words in captions(pdf)]
    assert len(labelled_greys) == len(learnt_codes) > 5
    assert [
        code
        for code in learnt_codes
        if not any(w.startswith(caption(code)) for w in labelled_greys)
    ] == []
    assert say("paper.set") in text_of(pdf)[0]
    sets.begin("Ivory")
    assert client.get("/print/tile-set.pdf").location == "/sets/register/", "nothing of this one"
