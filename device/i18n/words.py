"""All words of the page, from one folder, so that they can be read through and translated."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any

from flask import Flask

from device.i18n.sentences import NOBODY, Phrasebook
from scorer.message import Message, english
from scorer.table_setup.steps import Step
from scorer.tiles import FACE_DOWN, JOKER, WINDS, Tile


def load(language: str = "en-GB") -> dict[str, str]:
    """Return every sentence by its dotted key, from all files of the language's folder."""
    folder = files("device.i18n") / "strings" / language
    sentences: dict[str, str] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        sentences |= _flat(tomllib.loads(file.read_text("utf-8")), "")
    return sentences


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        pairs += _flat(value, f"{name}.") if isinstance(value, dict) else [(name, str(value))]
    return pairs


LANGUAGES = tuple(sorted(
    (folder.name for folder in (files("device.i18n") / "strings").iterdir() if folder.is_dir()),
    key=lambda language: (language != "en-GB", language),
))  # fmt: skip
"""Every language that has a folder, English first."""

_WORDS = {language: load(language) for language in LANGUAGES}

_BOOKS = {language: Phrasebook(of_language) for language, of_language in _WORDS.items()}

_vocabulary: ContextVar[tuple[str, ...]] = ContextVar("vocabulary", default=())
_language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])


def use_words(language: str, vocabulary: Iterable[str] = ()) -> None:
    """Speak this language from now on, in this request, and with these words of its vocabulary."""
    _language.set(language)
    _vocabulary.set(tuple(vocabulary))


def use_printable_words() -> None:
    """Speak English from now on in this request, if the language is not written in western letters.

    What is printed has letters that every PDF reader brings along, and no others.
    """
    if b"?" in say("paper.hands").encode("cp1252", "replace"):
        use_words(LANGUAGES[0])


def language() -> str:
    """Return the language in use by its tag: `en-GB`."""
    return _language.get()


def words() -> Mapping[str, str]:
    """Return every sentence of the language in use."""
    return _WORDS[_language.get()]


def say(key: str, **values: object) -> str:
    """Return a sentence of the strings file, its {placeholders} filled; KeyError without it."""
    return words()[key].format_map({name: translated(value) for name, value in values.items()})


def translated(value: object) -> object:
    """Return what the scorer says in English in the language in use, where its file has it.

    Anything else is returned as it is, and so is the `Name` of somebody.
    """
    if isinstance(value, Message):
        value = english(value)
    return _said(_language.get(), value, NOBODY) if type(value) is str else value


def about(players: Iterable[str], text: str) -> str:
    """Return a text of the scorer's that may name these players, who need not be winds.

    Who pays whom is such a text: a player who is called West stays West in every language.
    """
    return _said(_language.get(), text, frozenset(players))


@lru_cache(maxsize=8192)
def _said(language: str, text: str, players: frozenset[str]) -> str:
    return _BOOKS[language].said(text, players) or text


def in_words(step: Step) -> str:
    """Return a step of the scorer's in the language in use."""
    values = {
        name: listed(value) if isinstance(value, tuple) else translated(value)
        for name, value in step.values.items()
    }
    return str(translated(step.says)).format_map(values)


def listed(names: Iterable[str]) -> str:
    """Return names in a row, as the language writes a list."""
    return say("walls.comma").join(str(translated(name)) for name in names)


def in_vocabulary(text: str) -> str:
    """Return a text in the words of this phone's players: pong for pung, dots for circles.

    The language's file says under `vocabulary` what stands for what; a capital stays a capital.
    """
    for chosen in _vocabulary.get():
        for pair in words().get(f"vocabulary.{chosen}", "").split("; "):
            old, _, new = pair.partition(" → ")
            if new:
                text = re.sub(rf"\b{old}\b", new, text)
                text = re.sub(rf"\b{old.capitalize()}\b", new.capitalize(), text)
    return text


def _finalize(value: object) -> object:
    """Return what a template writes in the players' own words, unless it is markup already."""
    said = translated(value)
    return in_vocabulary(said) if type(said) is str else said


def say_count(key: str, count: int, **values: object) -> str:
    """Return the `one` or the `many` form of a sentence about `count` things."""
    return say(f"{key}.{'one' if count == 1 else 'many'}", count=count, **values)


def day_of(at: datetime) -> str:
    """Return the day of a moment as the box's clock has it: `22 November 2026`."""
    here = at.astimezone()
    return say_count("date.day", here.day, month=say(f"date.month.{here.month}"), year=here.year)


def signed(amount: int) -> str:
    """Return a gain or a loss as it is written on a score sheet, with a true minus sign."""
    return f"{amount:+d}".replace("-", "\N{MINUS SIGN}")


def is_said(key: str) -> bool:
    """Whether the strings file has this key: for sentences that not every rule needs."""
    return key in words()


def tile_name(code: str) -> str:
    """Return the spoken name of a tile code, face down and joker included."""
    said = {FACE_DOWN: "tile.face-down", JOKER: "tile.wild"}.get(code)
    if said:
        return say(said)
    key = f"tile.{code}"
    return say(key) if is_said(key) else Tile.parse(code).name


def wind_sign(wind: str) -> str:
    """Return what stands on a wind's disc: `E` for East, and its own letter in other languages."""
    return str(translated(WINDS[wind]))[0]


def init_app(app: Flask) -> None:
    """Give the templates their words."""
    app.jinja_env.finalize = _finalize
    app.jinja_env.globals.update(t=say, tn=say_count, has_words=is_said, tile_name=tile_name)
    app.jinja_env.globals.update(wind_sign=wind_sign)
