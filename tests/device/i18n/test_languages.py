"""A second language is only a folder: it says nothing that the English one does not."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from datetime import UTC, datetime
from importlib.resources import files

import pytest
from flask.testing import FlaskClient

from device.i18n import missing
from device.i18n.missing import english_text, wanted_keys
from device.i18n.words import ENGLISH as ENGLISH_TAG
from device.i18n.words import (
    LANGUAGES,
    SAID_BY,
    SHIPPED_FILE,
    day_of,
    load,
    own_texts,
    say,
    shipped_texts,
    use_words,
    wind_sign,
)
from device.samples import load_samples
from scorer.hand import RULESETS
from scorer.message import Words, flatten, load_words, to_english
from scorer.rulesets.builtin import load_builtin
from scorer.tile_names import name_wind
from scorer.tiles import WINDS
from tests.device.page import get_page
from tests.pdf_pages import text_of

ENGLISH = load()
OTHER_LANGUAGES = LANGUAGES[1:]


def _shipped_texts() -> set[str]:
    """Return the texts of the data that comes with the box, as the page shows them."""
    texts: set[Words] = set()
    for name in RULESETS:
        rules = load_builtin(name)
        texts |= {rules.title, rules.notice} - {""}
        for rule in rules.every_rule:
            texts |= {rule.label_for(concealed=concealed) for concealed in (False, True)}
            texts |= {rule.heading, rule.sentence}
        texts |= {text for special in rules.specials for text in (special.name, special.sentence)}
        texts |= {option.sentence for option in rules.options}
        texts |= {foreign.label for foreign in rules.every_foreign_rule}
    texts |= {text for sample in load_samples() for text in (sample.title, sample.line)}
    return set(map(to_english, texts))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_in_two_files(language: str) -> None:
    folder = files("device.i18n") / "strings" / language
    keys = Counter(
        key
        for file in folder.iterdir()
        if file.name != SHIPPED_FILE
        for key in flatten(tomllib.loads(file.read_text("utf-8")))
    )
    for package in SAID_BY if language == ENGLISH_TAG else ():
        keys.update(load_words(package).keys())
    assert [key for key, count in keys.items() if count > 1] == []


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_no_sentence_is_left_over(language: str) -> None:
    assert own_texts(language).keys() <= wanted_keys(language)


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("fr", "one other"),  # and one for millions, which nobody counts here
        ("zh-Hant", "other"),
        ("pl", "one few many other"),
        ("ar", "zero one two few many other"),
    ],
)
def test_a_language_has_a_text_for_each_plural_form_that_it_counts_with(
    language: str, forms: str
) -> None:
    keys = {key for key in wanted_keys(language) if key.startswith("backup.matches.")}
    assert keys == {f"backup.matches.{form}" for form in forms.split()}


def test_what_is_missing_is_a_file_to_translate(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(missing, "own_texts", lambda _: {})
    assert missing.main(["zh-Hant"]) == 1
    texts = dict(flatten(tomllib.loads(capsys.readouterr().out)))
    assert texts == {key: english_text(key) for key in wanted_keys("zh-Hant")}


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_what_is_filled_in_is_the_same(language: str) -> None:
    for key, text in own_texts(language).items():
        fields = [
            set(re.findall(r"\{(\w+)(?::\w+)?\}", each)) for each in (english_text(key), text)
        ]
        is_counted = key.endswith(".one") or f"{key.rpartition('.')[0]}.one" in ENGLISH
        optional_names = {"count"} if is_counted else set()
        assert fields[0] - optional_names == fields[1] - optional_names, key


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_the_data_that_comes_with_the_box_is_translated_and_nothing_else(language: str) -> None:
    assert set(shipped_texts(language)) == _shipped_texts()
    assert shipped_texts(language) is shipped_texts(language), "a file is read once"


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_a_phone_speaks_its_language(client: FlaskClient, language: str) -> None:
    client.post("/phone/", data={"language": language})
    page = get_page(client, "/single/")
    assert page.all(f'html[lang="{language}"]')
    assert load(language)["home.question"] in page.words
    assert ENGLISH["home.question"] not in page.text
    use_words("en-GB")


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_the_scorers_names_are_spoken_within_sentences(language: str) -> None:
    use_words(language)
    assert "East" not in say("at-table.prevailing", wind=name_wind("E"))
    use_words("en-GB")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_winds_have_the_same_sign(language: str) -> None:
    use_words(language)
    assert len({wind_sign(wind) for wind in WINDS}) == len(WINDS)
    use_words("en-GB")


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_a_choice_where_the_language_has_two(client: FlaskClient, language: str) -> None:
    client.post("/phone/", data={"language": language})
    texts, page = load(language), get_page(client, "/phone/")
    for choice, other in (("pung", "pong"), ("seat", "own"), ("region", "taiwan")):
        assert bool(page.fields(choice)) == bool(texts[f"vocabulary.{other}"])
    use_words("en-GB")


def test_english_is_spoken_unless_another_is_chosen() -> None:
    assert [wind_sign(wind) for wind in WINDS] == ["E", "S", "W", "N"]
    assert LANGUAGES[0] == "en-GB"
    assert say("table.title") == ENGLISH["table.title"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_printed_is_in_the_language(
    client: FlaskClient, read_hand: str, language: str
) -> None:
    client.post("/phone/", data={"language": language})
    (page,) = text_of(client.get("/print/hands.pdf").data)
    assert load(language)["paper.hands"] in " ".join(page.split())
    use_words("en-GB")


DAYS = [
    ("en-GB", 1, "1 November 2026"),
    ("fr", 1, "1er novembre 2026"),
    ("fr", 22, "22 novembre 2026"),
    ("zh-Hant", 22, "2026年11月22日"),
]


@pytest.mark.parametrize(("language", "day", "expected_day"), DAYS)
def test_a_day_is_said_as_people_say_it(language: str, day: int, expected_day: str) -> None:
    use_words(language)
    assert day_of(datetime(2026, 11, day, 12, tzinfo=UTC)) == expected_day
    use_words("en-GB")
