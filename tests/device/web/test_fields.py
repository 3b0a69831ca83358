"""The one way to read a field: what it takes, what it refuses, and that it never does a third."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from device import web
from device.i18n.names import fold_name, tidy_name
from device.matches.repository import MatchRepository
from device.store import Store
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from device.web.fields import MAX_NUMBERS, MAX_PHOTO_TILES, MAX_SEQ, FieldError, FieldsSent
from scorer.parsing import MAX_PARSED_INT
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page
from tests.device.walking import odd

ODD = [each for each in {**odd.NUMBERS, **odd.TEXTS}.values() if isinstance(each, str)]

field_texts = st.one_of(
    st.text(),
    st.integers().map(str),
    st.sampled_from(ODD),
    st.text(st.characters(categories=["Nd", "No", "Nl"]), min_size=1),
    st.lists(st.integers(-3, 2000).map(str), max_size=60).map(" ".join),
)
"""What may stand in a field: anything at all."""


def read(text: str, read_field: Callable[[FieldsSent], object]) -> object:
    """Return what was read; None where the field was refused."""
    try:
        return read_field(FieldsSent(MultiDict({"x": text})))
    except FieldError:
        return None


@pytest.mark.parametrize(
    "other",
    [
        r",\s*int\)",
        r"type=int\b",
        r"\bint\(request",
        r"\.is(decimal|digit|numeric)\(",
        r"request\.json",
    ],
)
def test_no_page_reads_a_number_in_another_way(other: str) -> None:
    files = list(Path(web.__file__).parent.rglob("*.py"))
    assert len(files) > 40, "the search itself works"
    paths = [str(file) for file in files if re.search(other, file.read_text("utf-8"))]
    assert paths == []


@given(field_texts)
def test_a_number_is_read_as_it_stands_or_refused(text: str) -> None:
    bounds: dict[Callable[[FieldsSent], object], tuple[int, int]] = {
        lambda fields: fields.number("x"): (-MAX_PARSED_INT, MAX_PARSED_INT),
        lambda fields: fields.place("x"): (0, MAX_PHOTO_TILES),
        lambda fields: fields.seq("x"): (0, MAX_SEQ),
    }
    for read_field, (min_value, max_value) in bounds.items():
        number = read(text, read_field)
        plain = text.strip()
        digits = plain[1:] if plain[:1] in ("+", "-") else plain
        is_plain = digits.isascii() and digits.isdecimal() and len(digits) <= 18
        if is_plain and min_value <= int(plain) <= max_value:
            assert number == int(plain)
        else:
            assert number is None


@given(field_texts)
def test_numbers_in_a_row_are_all_read_or_none(text: str) -> None:
    numbers = read(text, lambda fields: fields.numbers("x"))
    words = [word for word in text.split(" ") if word]
    if numbers is None:
        plain = [word for word in words if word.isascii() and word.isdecimal() and len(word) < 19]
        fits = [word for word in plain if int(word) <= MAX_PHOTO_TILES]
        assert not words or len(fits) < len(words) or len(words) > MAX_NUMBERS
    else:
        assert numbers == tuple(map(int, words))
    groups = read(text, lambda fields: fields.groups("x"))
    if "|" not in text:
        assert groups == (None if numbers is None else (numbers,))


@given(field_texts, st.integers(1, 80))
def test_words_are_kept_as_they_are_seen(typed_text: str, longest: int) -> None:
    text = read(typed_text, lambda fields: fields.text("x", longest))
    assert isinstance(text, str)
    assert len(text) <= longest
    assert text.isprintable()
    assert text == text.strip()
    assert "  " not in text
    assert text.encode() is not None
    assert tidy_name(text) == text == unicodedata.normalize("NFC", text)


@given(field_texts, st.sets(field_texts, min_size=1))
def test_a_choice_is_one_of_those_there_are(text: str, allowed: set[str]) -> None:
    word = read(text, lambda fields: fields.choice("x", allowed))
    assert word == (text if text in allowed else None)


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("  Ann  \t Lee ", "Ann Lee", "needless spaces"),
        ("Zoe\u0308", "Zo\u00eb", "one sign for a letter and its accent"),
        ("Zoe\u200b\u0308", "Zo\u00eb", "also where something unseen stood between them"),
        ("\u202eAnn", "Ann", "turns the reading direction round"),
        ("A\u200dn\ufeffn\u2060", "Ann", "of no width"),
        ("A\0n\x07n\x7f", "Ann", "controls"),
        ("A\ud800nn", "Ann", "half a sign"),
        ("A\uffffnn\ue000", "Ann", "signs of nobody's"),
        ("\u200b\u3164\u2800", "", "nothing to be seen"),
        ("\u0308\u0308", "", "accents on nothing"),
        ("Z" + "\u0335\u0338" * 40, "Z\u0335\u0338\u0335", "a heap of accents"),
        ("Nguyễn Thị", "Nguyễn Thị", "two marks on a letter"),
        ("अंकिता", "अंकिता", "Hindi"),
        ("陳大文", "陳大文", "Chinese"),
        ("אבג", "אבג", "Hebrew"),
        ("O'Brien-Smith", "O'Brien-Smith", "punctuation"),
        ("\U0001f004", "\U0001f004", "a tile"),
    ],
)
def test_a_name_is_what_can_be_seen_of_it(text: str, expected: str, reason: str) -> None:
    assert tidy_name(text) == expected, reason


def test_names_are_compared_as_people_do() -> None:
    assert fold_name("ANN") == fold_name("ann") == fold_name("Ａnn") != fold_name("Anna")


@pytest.fixture
def match(matches: MatchRepository) -> str:
    return matches.begin(AGREED_TERMS)


NUMBER = "a whole number up to"
NO_SENSE = "did not understand"


INVALID_FIELDS: list[tuple[str, dict[str, str], int, str]] = [
    ("/table/hand/0/score", {"score": "9" * 4300}, 422, NUMBER),
    ("/table/hand/0/score", {"score": "٣٤"}, 422, NUMBER),
    ("/table/hand/0/score", {"score": ""}, 422, NUMBER),
    ("/table/hand/0/score", {"score": "100000001"}, 422, "more than any hand can score"),
    ("/table/charge/", {"payer": "0", "amount1": "9" * 4300}, 422, NUMBER),
    (
        "/table/charge/",
        {"payer": "0", "amount1": "100000001", "why": "x"},
        422,
        "receives too much: a payment can be 100000000 at most",
    ),
    ("/table/charge/", {"payer": "x", "amount1": "1", "why": "x"}, 400, NO_SENSE),
    ("/table/charge/", {"payer": "0", "amount1": "2", "why": "\u200b"}, 422, "in a few words"),
    ("/table/winner", {"who": "٣"}, 400, NO_SENSE),
    ("/table/winner", {"who": "0", "won_by": "luck"}, 400, NO_SENSE),
    ("/table/undo", {"seq": "9" * 30}, 400, NO_SENSE),
    ("/table/join", {"number": "²"}, 400, NO_SENSE),
    ("/sets/choose", {"name": "\u200b \u3164"}, 422, "Please type a name"),
    ("/setup/switch/camera_turned", {"on": "maybe"}, 400, NO_SENSE),
    ("/setup/pin", {"pin": "12"}, 400, NO_SENSE),
    (
        "/match/new",
        {"player0": "Ann", "player1": "\u200bAnn"},
        422,
        "Two players have the same name",
    ),
    ("/hand/none/group", {"groups": "1 x"}, 400, NO_SENSE),
    ("/hand/none/group", {"groups": "|"}, 400, NO_SENSE),
    ("/hand/none/enter/remove", {"tiles": "²"}, 400, NO_SENSE),
    ("/hand/none/enter/remove", {}, 400, NO_SENSE),
    ("/hand/none/enter/remove", {"tiles": "1 " * 60}, 400, NO_SENSE),
]


@pytest.mark.usefixtures("match")
def test_what_no_page_sends_is_refused_in_a_sentence(client: FlaskClient, store: Store) -> None:
    before = store.newer(-1, 0)
    for path, form, status, says in INVALID_FIELDS:
        answer = client.post(path, data=form)
        assert answer.status_code == status, (path, form)
        assert says in answer.text
    assert store.newer(-1, 0) == before, "nothing is kept"


FORMS_TO_MEND = [
    ("/table/hand/0/score", {"score": "5.0"}, "a number field of a browser lets it through"),
    ("/table/charge/", {"payer": "0", "amount1": "1e2", "amount2": "7", "why": "x"}, "nor this"),
    ("/club/tournaments/new", {"minutes": "1e2", "rounds": "7", "name": "Cup"}, "of an afternoon"),
]


@pytest.mark.usefixtures("match")
def test_a_number_that_cannot_be_read_leads_back_to_its_form(client: FlaskClient) -> None:
    for path, fields, reason in FORMS_TO_MEND:
        answer = client.post(path, data=fields)
        page = Page(answer.text)
        assert answer.status_code == 422, reason
        assert NUMBER in page.single(".problem[role=alert]").text, reason
        shown_texts = {name: page.values(name)[0] for name in fields}
        assert shown_texts == fields, f"what was typed stays: {reason}"


ODD_COOKIES = [
    ("player", "9" * 5000, "more digits than Python makes a number of"),
    ("player", quote("٣"), "digits of another script"),
    ("player", "4", "a player that there is not"),
    ("look", "&".join(f"a{k}=b" for k in range(21)), "more fields than ours has"),
    ("look", "language=%ff&theme=%00", "no words"),
    ("pupil", "%ed%a0%80", "half a sign"),
    ("pupil", "x" * 5000, "too long"),
    ("tongbox-phone", "\xff", "no token"),
]


@pytest.mark.usefixtures("match")
def test_an_odd_cookie_is_as_none(client: FlaskClient) -> None:
    for cookie, expected_text, reason in ODD_COOKIES:
        for page in ("/table/", "/practise/", "/phone/"):
            headers = {"Cookie": f"{cookie}={expected_text}"}
            assert client.get(page, headers=headers).status_code == 200, reason


MISSING_PAGES = [
    ("/hand/{match}/", "a match is no hand"),
    ("/hand/box/", "nor is the box"),
    ("/match/{hand}/", "a hand is no match"),
    ("/match/box/", "nor is the box"),
    ("/sets/register/{hand}/", "nor a registration"),
    ("/table/whole/{hand}", "nor a photograph of the table"),
    ("/hand/" + "a" * 5000 + "/", "too long"),
    ("/hand/%ff%fe/", "no UTF-8"),
    ("/hand/{hand}/tile/" + "9" * 5000, "no number that is read"),
    ("/table/hand/" + "9" * 5000, "nor that"),
    ("/table/hand/%D9%A3", "digits of another script"),
]


def test_an_address_of_nothing_is_not_found(
    client: FlaskClient, match: str, read_hand: str, sets: TileSets
) -> None:
    sets.choose(FIRST_SET_ID)  # so that the box has a stream of its own
    for path, why in MISSING_PAGES:
        assert client.get(path.format(match=match, hand=read_hand)).status_code == 404, why


def test_a_form_larger_than_any_is_refused(client: FlaskClient, match: str) -> None:
    fields = {f"a{k}": "1" for k in range(100_000)}
    assert client.post("/table/winner", data=fields).status_code == 413
