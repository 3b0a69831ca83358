"""Say messages in the language and vocabulary of the phone that asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from datetime import datetime

from device.i18n.languages import ENGLISH, catalogue, in_vocabulary, locale
from scorer.message import Catalogue, Message, Value, Words
from scorer.tile_names import name_tile, name_wind
from scorer.tiles import FACE_DOWN, JOKER, Tile

_vocabulary: ContextVar[tuple[str, ...]] = ContextVar("vocabulary", default=())
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def use_words(language: str, vocabulary: Iterable[str] = ()) -> None:
    """Set the language and vocabulary for this request."""
    _language.set(language)
    _vocabulary.set(tuple(vocabulary))


def language() -> str:
    """Return the tag of the language in use: `en-GB`."""
    return _language.get()


def words() -> Mapping[str, str]:
    """Return every sentence of the language in use."""
    return _catalogue().sentences


def _catalogue() -> Catalogue:
    language, vocabulary = _language.get(), _vocabulary.get()
    return in_vocabulary(language, vocabulary) if vocabulary else catalogue(language)


def say(what: str | Message, /, **values: object) -> str:
    """Return a message, or the text of this key, with its {placeholders} filled.

    A `count` among the values chooses the plural form. Raises KeyError for an unknown key.
    """
    if isinstance(what, str):
        what = Message(what, tuple((name, _value(value)) for name, value in values.items()))
    return _catalogue().say(what)


def spoken(words: Words) -> str:
    """Return a message in the language in use, and people's own words unchanged."""
    return words if isinstance(words, str) else say(words)


def in_a_row(messages: Iterable[Message]) -> str:
    """Return the sentences joined, each once."""
    return say("listing.next").join(dict.fromkeys(map(say, messages)))


def _value(value: object) -> Value:
    return value if isinstance(value, Message | int) else str(value)


def say_count(key: str, count: int, /, **values: object) -> str:
    """Return a sentence about `count` things in the right plural form."""
    return say(key, count=count, **values)


def day_of(at: datetime) -> str:
    """Return the date by the box's clock: `22 November 2026`."""
    from babel.dates import format_date  # few pages have a day

    here = at.astimezone()
    pattern = say_count("date.day", here.day)
    return format_date(here.date(), pattern, locale(_language.get()))


def signed(amount: int) -> str:
    """Return a gain or loss with a true minus sign."""
    return f"{amount:+d}".replace("-", "\N{MINUS SIGN}")


def is_said(key: str) -> bool:
    """Return whether a text has this key: some texts are optional."""
    return key in words()


def tile_name(code: str) -> str:
    """Return the name of a tile code; face-down tiles and jokers have names, too."""
    said = {FACE_DOWN: "tile.face-down", JOKER: "tile.wild"}.get(code)
    if said:
        return say(said)
    return say(name_tile(Tile.parse(code).code))


def wind_name(letter: str) -> str:
    """Return the name of a wind: `East` for E."""
    return say(name_wind(letter))


def wind_sign(letter: str) -> str:
    """Return the first letter of the wind's name in the current language: `E` for East."""
    return wind_name(letter)[0]
