"""What cameras and the reading of photographs say in English is said in every language."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest

import vision
from device import cameras
from device.hands import scoring
from device.hands.by_hand import check_copies, codes_of
from device.hands.repository import Records
from device.i18n.languages import LANGUAGES, load
from scorer.errors import HandError
from tests.device.hands.test_entering import entered
from tests.device.i18n.test_sentences import Noted, Noting, left_in_english
from vision.geometry.places import places_words

CAMERAS = sorted(Path(cameras.__file__).parent.glob("*.py"))
SOURCES = [
    *sorted(Path(vision.__file__).parent.rglob("*.py")), Path(scoring.__file__), *CAMERAS
]  # fmt: skip

ROWS = (tuple(range(14)), tuple(range(14, 24)), (24,), tuple(range(25, 30)))
PLACES = [
    *(places_words(ROWS, [place]) for place in (*range(30), 99)),
    *(places_words((tuple(range(24)),), [place]) for place in range(24)),
    places_words(((0, 1),), [0, 1]),
    places_words(ROWS, [3, 4, 5, 6]),
    places_words(ROWS, [3, 15, 24, 25, 26, 27]),
]
HOLES: dict[str, list[str]] = {
    "{places}": PLACES,
    "megapixels": ["128", "well over 100"],
    "name": ["2 bamboo", "red dragon"],
    "other": ["5 circles"],
    "Tile.parse(kong.codes[0]).name": ["East wind", "9 characters"],
    "noun in read.py": ["tile that lies", "tiles that lie"],
    "noun in registering.py": ["tile lies", "tiles lie"],
    "what": ["bamboos", "characters", "circles", "winds and dragons", "flowers and seasons"],
    "lack": ["3 bamboo", "white dragon, flower 1 (plum) and season 4 (winter)"],
}
"""What stands in the holes; figures in all the others."""


def messages() -> Iterator[str]:
    """Yield every text of a problem or a refusal in the sources, its holes filled in every way."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            text: ast.expr | None = None
            if isinstance(node, ast.Call) and PROBLEMS.fullmatch(getattr(node.func, "id", "")):
                text = node.args[-1]
            elif isinstance(node, ast.Assign) and path in CAMERAS:
                text = node.value if ast.unparse(node.value)[-2:-1] == "." else None
            elif isinstance(node, ast.Return) and isinstance(node.value, ast.JoinedStr):
                text = node.value if "megapixels" in ast.unparse(node) else None
            if isinstance(text, ast.Constant):
                yield from (str(text.value).replace("{places}", place) for place in PLACES)
            elif isinstance(text, ast.JoinedStr):
                yield from map("".join, product(*(_filled(each, path) for each in text.values)))


PROBLEMS = re.compile(r"Problem|PhotoError|error|Camera\w+Error")


def _filled(piece: ast.expr, path: Path) -> list[str]:
    """Return what may stand in a hole of a text, or the text between two of them."""
    if isinstance(piece, ast.Constant):
        return [str(piece.value)]
    assert isinstance(piece, ast.FormattedValue)
    if isinstance(piece.value, ast.IfExp):
        return [ast.literal_eval(piece.value.body), ast.literal_eval(piece.value.orelse)]
    hole = ast.unparse(piece.value)
    return HOLES.get(f"{hole} in {path.name}") or HOLES.get(hole) or ["5"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_that_a_reading_says_is_left_in_english(language: str) -> None:
    texts = set(messages())
    assert len(texts) > 100, "the search itself works"
    assert [left for text in texts if (left := left_in_english(language, text))] == []


TYPED = [
    ("chow", "B8", "a run past 9"),
    ("chow", "WE", "no suit"),
    ("chow", "JK", "no face"),
    ("pung", "F1", "one of a flower"),
    ("kong", "JK", "jokers alone"),
]


TOO_MANY = ["B3 B3", "C9 C9 C9 C9 C9", "F1 F1", "S1", "JK JK JK JK JK"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_nothing_said_of_a_hand_that_is_typed_is_left_in_english(
    records: Records, language: str
) -> None:
    texts = list(_typed(records))
    assert [left for text in texts if (left := left_in_english(language, text))] == []


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("name", ["readings.toml", "cameras.toml"])
def test_every_row_is_for_something_that_is_said(
    records: Records, language: str, name: str
) -> None:
    file = files("device.i18n") / "strings" / language / name
    tables = tomllib.loads(file.read_text("utf-8"))
    words = Noted(load(language))
    book = Noting(words)
    for text in (*messages(), *_typed(records)):
        book.said(text)
    assert {f"{part}.{key}" for part in tables for key in tables[part]} - words.used == set()


def _typed(records: Records) -> Iterator[str]:
    record = entered(records, records.begin_by_hand("bmja"), "exposed pung B3, bonus loose S1")
    for kind, code, _ in TYPED:
        with pytest.raises(HandError) as caught:
            codes_of(kind, code)
        yield str(caught.value)
    for codes in TOO_MANY:
        with pytest.raises(HandError) as caught:
            check_copies(record, codes.split())
        yield str(caught.value)
