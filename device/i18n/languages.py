"""The languages that the page can speak, each from a folder of its own, loaded when first spoken.

English comes from the packages that say it: the scorer, the photo reading and the cameras have a
`words.toml` each. What the page itself says is in `strings/en-GB`; another language's folder has
all of it, under the same keys.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from babel import Locale

from scorer.message import Catalogue, flat, words

ENGLISH = "en-GB"

SAID_BY = ("scorer", "vision", "device.cameras")
"""Who says something in English that the page shows."""

SHIPPED = "shipped.toml"
"""What the data that comes with the box says, its rules and sample photographs: under a rule's id,
every text of it, and what is said instead."""

_STRINGS = files("device.i18n") / "strings"

LANGUAGES = tuple(sorted(
    (folder.name for folder in _STRINGS.iterdir() if folder.is_dir()),
    key=lambda language: (language != ENGLISH, language),
))  # fmt: skip
"""Every language that has a folder, English first."""


def load(language: str = ENGLISH) -> dict[str, str]:
    """Return every sentence by its dotted key, from all files of the language's folder."""
    sentences: dict[str, str] = {}
    if language == ENGLISH:
        for package in SAID_BY:
            sentences |= words(package)
    for file in sorted((_STRINGS / language).iterdir(), key=lambda file: file.name):
        if file.name != SHIPPED:
            sentences |= flat(tomllib.loads(file.read_text("utf-8")))
    return sentences


@cache
def catalogue(language: str) -> Catalogue:
    """Return what can be said in a language, its plural forms by CLDR's rules."""
    sentences = load(language)
    texts = shipped_texts(language)
    fishing = sentences["line.fishing"]
    lines = {
        words("scorer")["line.fishing"].format(special=text): fishing.format(special=said)
        for text, said in texts.items()
    }
    return Catalogue(sentences, locale(language).plural_form, {**lines, **texts})


@cache
def locale(language: str) -> Locale:
    """Return how the language counts and writes days."""
    return Locale.parse(language, sep="-")


def shipped_texts(language: str) -> Mapping[str, str]:
    """Return what the shipped data says, by the English text that stands in its files."""
    file = _STRINGS / language / SHIPPED
    return dict(_texts(tomllib.loads(file.read_text("utf-8")))) if file.is_file() else {}


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for text, said in table.items():
        if isinstance(said, str):
            yield text, said
        else:
            yield from _texts(said)
