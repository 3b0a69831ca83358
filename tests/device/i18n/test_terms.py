"""One thing has one word in each language, in Hong Kong's words and in Taiwan's."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from device.i18n.words import (
    ENGLISH,
    LANGUAGES,
    PHONE_PREFIX,
    in_vocabulary,
    load,
    own_texts,
    shipped_texts,
)
from scorer.message import rule_text

OTHER_LANGUAGES = [each for each in LANGUAGES if each != ENGLISH]

TERMS = tomllib.loads((files("device.i18n") / "strings" / "terms.toml").read_text("utf-8"))
"""Each thing: its words and the words not used, by language."""

NOT_SENTENCES = ("vocabulary.", PHONE_PREFIX)


def sentences(language: str) -> dict[str, str]:
    """Return all texts of a language, by key; those of the shipped rules by their English."""
    texts = own_texts(language) | dict(shipped_texts(language))
    if language == ENGLISH:
        texts |= {text: text for text in shipped_texts(OTHER_LANGUAGES[0])}
    return {key: text for key, text in texts.items() if not key.startswith(NOT_SENTENCES)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_thing_has_a_second_word(language: str) -> None:
    wrong = [
        f"{thing}: {key} = {text} (not {pattern}: see terms.toml)"
        for thing, words in TERMS.items()
        for pattern in words.get(f"{language}-not", ())
        for key, text in sentences(language).items()
        if re.search(pattern, text)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_each_word_of_the_list_is_in_use(language: str) -> None:
    texts = "\n".join(sentences(language).values())
    missing_words = [
        word for each in TERMS.values() for word in each.get(language, ()) if word not in texts
    ]
    assert missing_words == []


def test_the_list_knows_only_its_languages() -> None:
    allowed_keys = {"note", *OTHER_LANGUAGES, *(f"{each}-not" for each in LANGUAGES)}
    assert {key for words in TERMS.values() for key in words} <= allowed_keys


def swaps() -> Iterator[tuple[str, str]]:
    """Yield each Hong Kong word that Taiwan says otherwise, and Taiwan's."""
    for pair in load("zh-Hant")["vocabulary.taiwan"].split("; "):
        old, _, new = pair.partition(" → ")
        if old != new:
            yield old, new


def test_hong_kongs_texts_have_none_of_taiwans_words() -> None:
    texts = sentences("zh-Hant")
    wrong = [
        f"{key}: {text} (has {new}, not {old})"
        for old, new in swaps()
        for key, text in texts.items()
        if len(new) > 1 and new in text
    ]
    assert wrong == []


def test_each_word_of_hong_kong_is_in_use_and_gone_in_taiwans_texts() -> None:
    usual, taiwan = "\n".join(sentences("zh-Hant").values()), "\n".join(taiwan_sentences())
    for old, _ in swaps():
        assert old in usual, f"{old} is swapped, but no text has it"
        assert old not in taiwan, old


def taiwan_sentences() -> list[str]:
    catalogue = in_vocabulary("zh-Hant", ("taiwan",))
    texts = [catalogue.sentences[key] for key in own_texts("zh-Hant")
             if not key.startswith(NOT_SENTENCES)]  # fmt: skip
    return texts + [catalogue.say(rule_text(text)) for text in shipped_texts("zh-Hant")]


TAIWAN_SENTENCES = [
    ("winner.title", "誰胡牌？", "a word within a sentence"),
    ("how.discard", "別家放槍", "at the end of one"),
    ("tiles.B2", "二條", "a tile"),
    ("run.B", "{ranks}條", "beside what is filled in"),
    (
        "seen.blurred",
        "這張照片模糊。請勿移動，等鏡頭對好焦，再拍一張。",
        "糊 within another word stays",
    ),
    ("print.title", "列印", "a word of the machine"),
    ("join.show", "顯示QR碼", "letters keep their capitals"),
]


@pytest.mark.parametrize(("key", "expected", "reason"), TAIWAN_SENTENCES)
def test_what_is_said_in_taiwans_words(key: str, expected: str, reason: str) -> None:
    assert in_vocabulary("zh-Hant", ("taiwan",)).sentences[key] == expected, reason
