"""What cameras and the reading of photographs say is said in every language, to the last word."""

from __future__ import annotations

import re
from itertools import product
from string import Formatter

import pytest

from device.hands.manual_entry import check_copies, codes_of
from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, catalogue
from scorer.errors import HandError
from scorer.message import Message, Value, load_words, message
from scorer.tile_names import name_tile, name_tiles
from tests.device.hands.test_entering import enter_sets
from tests.device.i18n.test_sentences import left_in_english
from vision.geometry.places import describe_places

OTHER_LANGUAGES = LANGUAGES[1:]

ROWS = (tuple(range(14)), tuple(range(14, 24)), (24,), tuple(range(25, 30)))
PLACES: list[Value] = [
    *(describe_places(ROWS, [place]) for place in (*range(30), 99)),
    *(describe_places((tuple(range(24)),), [place]) for place in range(24)),
    describe_places(((0, 1),), [0, 1]),
    describe_places(ROWS, [3, 4, 5, 6]),
    describe_places(ROWS, [3, 15, 24, 25, 26, 27]),
]
VALUES: dict[str, list[Value]] = {
    "places": PLACES,
    "tile": [name_tile("B2"), name_tile("DR"), name_tile("WE"), name_tile("C9")],
    "other": [name_tile("O5")],
    "lack": [name_tiles(("B3",)), name_tiles(("DW", "F1", "S4"))],
    "what": [
        (message("row.bamboos"),), (message("row.characters"),), (message("row.circles"),),
        (message("row.winds"), message("row.dragons")),
        (message("row.flowers"), message("row.seasons")),
    ],
    "count": [1, 2],
    "folder": ["/data/5"],
    "picture": ["5.jpg"],
    "layout": ["BGR888"],
}  # fmt: skip
"""What fills the sentences; figures in all the others."""


def messages() -> list[Message]:
    """Return every sentence of a problem or a refusal, filled in every way."""
    sentences = []
    for key, text in {**load_words("vision"), **load_words("device.cameras")}.items():
        if text.endswith("."):
            names = sorted({name for _, name, _, _ in Formatter().parse(text) if name})
            for filled in product(*(VALUES.get(name, [5]) for name in names)):
                bare = key.removesuffix(".one").removesuffix(".other")
                sentences.append(message(bare, **dict(zip(names, filled, strict=True))))
    return sentences


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_nothing_that_a_reading_says_is_left_in_english(language: str) -> None:
    assert len(messages()) > 100, "the search itself works"
    assert [left for each in messages() if (left := left_in_english(language, each))] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_reading_is_whole(language: str) -> None:
    book = catalogue(language)
    assert [each.key for each in messages() if not book.has(each)] == []
    assert not [each.key for each in messages() if re.search(r"[{}]", book.say(each))]


TYPED_SETS = [
    ("chow", "B8", "a run past 9"),
    ("chow", "WE", "no suit"),
    ("chow", "JK", "no face"),
    ("pung", "F1", "one of a flower"),
    ("kong", "JK", "jokers alone"),
]

TOO_MANY_CODES = ["B3 B3", "C9 C9 C9 C9 C9", "F1 F1", "S1", "JK JK JK JK JK"]


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_nothing_said_of_a_hand_that_is_typed_is_left_in_english(
    hands: HandRepository, language: str
) -> None:
    sentences = []
    record = enter_sets(hands, hands.begin_by_hand("bmja"), "exposed pung B3, bonus loose S1")
    for kind, code, _ in TYPED_SETS:
        with pytest.raises(HandError) as error:
            codes_of(kind, code)
        sentences.append(error.value.problems[0].message)
    for codes in TOO_MANY_CODES:
        with pytest.raises(HandError) as error:
            check_copies(record, codes.split())
        sentences.append(error.value.problems[0].message)
    assert [left for each in sentences if (left := left_in_english(language, each))] == []
