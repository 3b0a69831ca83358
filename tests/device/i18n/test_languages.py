"""A second language is only a folder: each says all that the English one says."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import UTC, datetime
from importlib.resources import files

import pytest
from flask.testing import FlaskClient

from device.i18n.words import LANGUAGES, day_of, load, say, use_words, wind_sign
from scorer.rulesets.shipped import shipped
from scorer.tiles import CODES, WINDS
from tests.printed import text_of

ENGLISH = load()
OTHERS = LANGUAGES[1:]

SCORERS = ("phrases.", "parts.", "sentences.")
"""What says in a language what the scorer says in English; test_sentences looks at it."""

TILES = {f"tile.{code}" for code in CODES}
"""What the English file leaves to the scorer."""


def _phrases() -> set[str]:
    """Return the texts that the scorer says in English and the page shows as they are."""
    rules = shipped("bmja")
    said = {*WINDS.values(), *(special.name for special in rules.specials)}
    for rule in rules.every_rule:
        said |= {rule.label_for(concealed=concealed) for concealed in (False, True)}
    said |= {rule.sentence for rule in rules.every_rule}
    said |= {special.sentence for special in rules.specials}
    return said | {option.sentence for option in rules.options}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_part_of_the_page_has_its_words_in_two_files(language: str) -> None:
    folder = files("device.i18n") / "strings" / language
    parts = Counter(
        part
        for file in folder.iterdir()
        for part in tomllib.loads(file.read_text("utf-8"))
        if f"{part}." not in SCORERS
    )
    assert [part for part, count in parts.items() if count > 1] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_there(language: str) -> None:
    keys = {key for key in load(language) if not key.startswith(SCORERS)}
    assert keys - TILES == ENGLISH.keys() - TILES
    assert keys >= TILES


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_filled_in_is_the_same(language: str) -> None:
    words = load(language)
    for key, english in ENGLISH.items():
        fields = [set(re.findall(r"\{(\w+)\}", text)) for text in (english, words[key])]
        assert fields[0] == fields[1], key


@pytest.mark.parametrize("language", OTHERS)
def test_winds_rules_and_special_hands_have_their_names(language: str) -> None:
    words = load(language)
    assert {phrase for phrase in _phrases() if f"phrases.{phrase}" not in words} == set()


@pytest.mark.parametrize("language", OTHERS)
def test_a_phone_speaks_its_language(client: FlaskClient, language: str) -> None:
    client.post("/phone/", data={"language": language})
    page = client.get("/").text
    assert f'<html lang="{language}"' in page
    assert load(language)["home.question"] in page
    assert ENGLISH["home.question"] not in page
    use_words("en-GB")


@pytest.mark.parametrize("language", OTHERS)
def test_the_scorers_names_are_spoken_within_sentences(language: str) -> None:
    use_words(language)
    assert "East" not in say("at-table.prevailing", wind="East")
    use_words("en-GB")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_winds_have_the_same_sign(language: str) -> None:
    use_words(language)
    assert len({wind_sign(wind) for wind in WINDS}) == len(WINDS)
    use_words("en-GB")


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_a_choice_where_the_language_has_two(client: FlaskClient, language: str) -> None:
    client.post("/phone/", data={"language": language})
    words, page = load(language), client.get("/phone/").text
    for choice, other in (("pung", "pong"), ("seat", "own")):
        assert (f'name="{choice}"' in page) == bool(words[f"vocabulary.{other}"])
    use_words("en-GB")


def test_english_is_spoken_unless_another_is_chosen() -> None:
    assert [wind_sign(wind) for wind in WINDS] == ["E", "S", "W", "N"]
    assert LANGUAGES[0] == "en-GB"
    assert say("table.title") == ENGLISH["table.title"]


@pytest.mark.parametrize(
    ("language", "title"), [("fr", load("fr")["paper.hands"]), ("zh-Hant", ENGLISH["paper.hands"])]
)
def test_what_is_printed_is_in_letters_that_can_be(
    client: FlaskClient, read_hand: str, language: str, title: str
) -> None:
    client.post("/phone/", data={"language": language})
    (page,) = text_of(client.get("/print/hands.pdf").data)
    assert title in " ".join(page.split())
    use_words("en-GB")


DAYS = [
    ("en-GB", 1, "1 November 2026"),
    ("fr", 1, "1er novembre 2026"),
    ("fr", 22, "22 novembre 2026"),
    ("zh-Hant", 22, "2026年11月22日"),
]


@pytest.mark.parametrize(("language", "day", "said"), DAYS)
def test_a_day_is_said_as_people_say_it(language: str, day: int, said: str) -> None:
    use_words(language)
    assert day_of(datetime(2026, 11, day, 12, tzinfo=UTC)) == said
    use_words("en-GB")
