"""The languages of the pages, each loaded from its own folder when first used.

The scorer, the photo reading and the cameras each have a `words.toml` with their English texts.
`strings/en-GB` has the page's own texts. Another language's folder has all texts under the
same keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from babel import Locale

from scorer.message import Catalogue, flatten, load_words

ENGLISH = "en-GB"

SAID_BY = ("scorer", "vision", "device.cameras")
"""The packages with English texts of their own."""

SHIPPED = "shipped.toml"
"""Translations of the shipped data, such as rules and sample photographs: for each rule id, the
English text and its translation."""

_STRINGS = files("device.i18n") / "strings"

LANGUAGES = tuple(sorted(
    (folder.name for folder in _STRINGS.iterdir() if folder.is_dir()),
    key=lambda language: (language != ENGLISH, language),
))  # fmt: skip
"""All languages with a folder, English first."""


def load(language: str = ENGLISH) -> dict[str, str]:
    """Return every text by its dotted key, from all files of a language."""
    sentences: dict[str, str] = {}
    if language == ENGLISH:
        for package in SAID_BY:
            sentences |= load_words(package)
    for file in sorted((_STRINGS / language).iterdir(), key=lambda file: file.name):
        if file.name != SHIPPED:
            sentences |= flatten(tomllib.loads(file.read_text("utf-8")))
    return sentences


@cache
def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, with plural forms by CLDR's rules."""
    sentences = load(language)
    texts = shipped_texts(language)
    fishing = sentences["line.fishing"]
    lines = {
        load_words("scorer")["line.fishing"].format(special=text): fishing.format(special=said)
        for text, said in texts.items()
    }
    return Catalogue(sentences, locale(language).plural_form, {**lines, **texts})


@cache
def locale(language: str) -> Locale:
    """Return the locale: how the language counts and writes dates."""
    return Locale.parse(language, sep="-")


def shipped_texts(language: str) -> Mapping[str, str]:
    """Return the translations of the shipped data by their English text."""
    file = _STRINGS / language / SHIPPED
    return dict(_texts(tomllib.loads(file.read_text("utf-8")))) if file.is_file() else {}


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for text, said in table.items():
        if isinstance(said, str):
            yield text, said
        else:
            yield from _texts(said)
