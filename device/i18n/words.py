"""What is said on the page, in the language and the words of the phone that asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import cache

from device.i18n.languages import ENGLISH, catalogue, locale
from scorer.message import Message, Value, Words
from scorer.naming import tile, wind
from scorer.tiles import FACE_DOWN, JOKER, Tile

_vocabulary: ContextVar[tuple[str, ...]] = ContextVar("vocabulary", default=())
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def use_words(language: str, vocabulary: Iterable[str] = ()) -> None:
    """Speak this language from now on, in this request, and with these words of its vocabulary."""
    _language.set(language)
    _vocabulary.set(tuple(vocabulary))


def language() -> str:
    """Return the language in use by its tag: `en-GB`."""
    return _language.get()


def words() -> Mapping[str, str]:
    """Return every sentence of the language in use."""
    return catalogue(_language.get()).sentences


def say(what: str | Message, /, **values: object) -> str:
    """Return a message, or the sentence of this key with its {placeholders} filled.

    A `count` among the values chooses the sentence's form. KeyError for a key that there is not.
    """
    if isinstance(what, str):
        what = Message(what, tuple((name, _value(value)) for name, value in values.items()))
    return catalogue(_language.get()).say(what)


def spoken(words: Words) -> str:
    """Return a message in the language in use, and somebody's own words as they are."""
    return words if isinstance(words, str) else say(words)


def in_a_row(messages: Iterable[Message]) -> str:
    """Return sentences behind one another, each once."""
    return say("listing.next").join(dict.fromkeys(map(say, messages)))


def _value(value: object) -> Value:
    """Return what fills a placeholder: a text of the scorer's is said in the language in use."""
    if isinstance(value, Message | int):
        return value
    return str(translated(value))


def translated(value: object) -> object:
    """Return a message, or a text of the shipped rules, in the language in use.

    Anything else is returned as it is, and so is the `Name` of somebody.
    """
    if isinstance(value, Message):
        return say(value)
    return catalogue(_language.get()).of_rules(value) if type(value) is str else value


def in_vocabulary(text: str) -> str:
    """Return a text in the words of this phone's players: pong for pung, dots for circles.

    The language's file says under `vocabulary` what stands for what; a capital stays a capital.
    """
    for old, new in _replaced(_language.get(), _vocabulary.get()):
        text = old.sub(new, text)
    return text


@cache
def _replaced(language: str, chosen: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what stands for what; a page asks for each of its texts, most phones replace none."""
    said = catalogue(language).sentences
    pairs = (
        pair.partition(" → ")
        for name in chosen
        for pair in said.get(f"vocabulary.{name}", "").split("; ")
    )
    return tuple(
        (re.compile(rf"\b{word}\b"), put)
        for old, _, new in pairs
        if new
        for word, put in ((old, new), (old.capitalize(), new.capitalize()))
    )


def finalized(value: object) -> object:
    """Return what a template writes in the players' own words, unless it is markup already."""
    said = translated(value)
    return in_vocabulary(said) if type(said) is str else said


def say_count(key: str, count: int, /, **values: object) -> str:
    """Return a sentence about `count` things, in the form that the language has for so many."""
    return say(key, count=count, **values)


def day_of(at: datetime) -> str:
    """Return the day of a moment as the box's clock has it: `22 November 2026`."""
    from babel.dates import format_date  # few pages have a day

    here = at.astimezone()
    pattern = say_count("date.day", here.day)
    return format_date(here.date(), pattern, locale(_language.get()))


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
    return say(tile(Tile.parse(code).code))


def wind_name(letter: str) -> str:
    """Return what a wind is called: `East` for E."""
    return say(wind(letter))


def wind_sign(letter: str) -> str:
    """Return what stands on a wind's disc: `E` for East, and its own letter in other languages."""
    return wind_name(letter)[0]
