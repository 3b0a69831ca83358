"""Say messages in the language and vocabulary of the phone that asks.

Each language is loaded from its own folder when first used. The scorer, the photo reading and the
cameras each have a `words.toml` with their English texts. `strings/en-GB` has the page's own texts.
Another language's folder has all texts under the same keys. A text that it lacks is said in
English; no release is made until it has all (`device.i18n.missing`).
"""

from __future__ import annotations

import logging
import os
import re
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from babel.numbers import format_decimal

from scorer.message import Catalogue, Message, Value, Words, flatten, load_words, rule_text
from scorer.ruleset import Ruleset
from scorer.tile_names import name_tile, name_wind
from scorer.tiles import FACE_DOWN, JOKER, Tile

_log = logging.getLogger(__name__)

ENGLISH = "en-GB"

SAID_BY = ("scorer", "vision", "device.cameras")
"""The packages with English texts of their own."""

SHIPPED_FILE = "shipped.toml"
"""Translations of the shipped data, such as rules and sample photographs: for each rule id, the
English text and its translation."""

PHONE_PREFIX = "phone."
"""Begins the keys of the page where a vocabulary is chosen: it offers both words as they are."""

_STRINGS = files("device.i18n") / "strings"

LANGUAGES = tuple(sorted(
    (folder.name for folder in _STRINGS.iterdir() if folder.is_dir()),
    key=lambda language: (language != ENGLISH, language),
))  # fmt: skip
"""All languages with a folder, English first."""


@cache
def load(language: str = ENGLISH) -> Mapping[str, str]:
    """Return every text by its dotted key: in English where the language lacks it."""
    texts = own_texts(language)
    return texts if language == ENGLISH else {**load(), **texts}


@cache
def language_name(language: str) -> str:
    """Return what a language calls itself; without a text of its own, what CLDR calls it."""
    own_name = own_texts(language).get("phone.language.name")
    return own_name or locale(language).get_display_name() or language


def own_texts(language: str) -> dict[str, str]:
    """Return every text by its dotted key, from all files of a language."""
    texts = load_files(language).values()
    return {key: text for of_file in texts for key, text in of_file.items()}


def load_files(language: str) -> dict[str, dict[str, str]]:
    """Return the texts of each file of a language, by the file's name without its ending."""
    said_by = SAID_BY if language == ENGLISH else ()
    texts = {package.removeprefix("device."): dict(load_words(package)) for package in said_by}
    for file in sorted((_STRINGS / language).iterdir(), key=lambda file: file.name):
        if file.name != SHIPPED_FILE:
            name = file.name.removesuffix(".toml")
            texts[name] = dict(flatten(tomllib.loads(file.read_text("utf-8"))))
    return texts


@cache
def catalogue(language: str) -> Catalogue:
    """Return what can be said in a language, its plural forms by CLDR's rules."""
    texts = shipped_texts(language)
    plural, sentences = locale(language).plural_form, load(language)
    by_shape = {_shape(text): text for text in texts}

    def translate(text: str) -> str:
        present = _present_words(text)
        if present in texts:
            return texts[present]
        usual = by_shape.get(_shape(present))
        return _swap_figures(usual, texts[usual], present, sentences) if usual else text

    return Catalogue(sentences, plural, translate)


FORMER_WORDS = {
    "own wind": "seat wind",
    "final discard": "last discard",
    "unaltered since": "unchanged since",
    "dearest hand": "highest hand",
    "(?<!Safalra's )Mah Jong": "Mah-Jong",
    r"\b([Gg]oing|[Gg]oe?s?) Mah-Jong": r"\1 out",
}
"""Patterns of what shipped rules said before, as custom copies still do, and what they say now."""


def _present_words(text: str) -> str:
    """Return a text in the words that shipped rules have now.

    >>> _present_words("A pair of the player's own wind scores 2")
    "A pair of the player's seat wind scores 2"
    """
    for former, present in FORMER_WORDS.items():
        text = re.sub(former, present, text)
    return text


_FIGURE_PATTERN = re.compile(r"\b(?:once|twice|\d+ times|\d+)\b")


NUMERALS = dict(zip("一二三四五六七八九", "123456789", strict=True))
"""The numbers of tiles in Chinese; points have digits."""

_SAID_FIGURE = re.compile(r"\d+|[一二三四五六七八九](?![元張對組款番門手家種次個副])")
"""A figure in a translation. A numeral before a word for things counts them, and names no tile."""


def _digits(figure: str) -> str:
    return NUMERALS.get(figure, figure)


def _numeral(digits: str) -> str:
    return next(sign for sign, figure in NUMERALS.items() if figure == digits)


def _shape(text: str) -> str:
    """Return a text without its figures.

    >>> _shape("All 4 double the score twice.")
    'All # double the score # times.'
    """
    return _FIGURE_PATTERN.sub(lambda figure: "#" if figure[0].isdecimal() else "# times", text)


def _swap_figures(usual: str, translation: str, text: str, sentences: Mapping[str, str]) -> str:
    """Return the translation of a custom ruleset's text that is a shipped one with other figures.

    It stays as it is where the translation says a changed figure in words.

    >>> _swap_figures("2, besides the 2", "2 points, outre les 2", "4, besides the 2", {})
    '4 points, outre les 2'
    >>> _swap_figures("scores 20", "得20分", "scores 25", {})
    '得25分'
    >>> _swap_figures("2 to 8 score 8", "二至八的槓得8分", "2 to 7 score 8", {})
    '二至七的槓得8分'
    >>> _swap_figures("doubles once", "double une fois", "doubles 3 times", load("fr"))
    'double 3 fois'
    """
    figures = map(_FIGURE_PATTERN.findall, (usual, text))
    left: list[tuple[str, str]] = list(zip(*figures, strict=True))
    swapped_figures = list[tuple[str, str]]()
    translated_figures = list(map(_digits, _SAID_FIGURE.findall(translation)))

    def swap(figure: re.Match[str]) -> str:
        value = _digits(figure[0])
        equal_pairs = [pair for pair in left if pair[0] == value]
        if not equal_pairs:
            return figure[0]
        if len(equal_pairs) > translated_figures.count(value):  # one of them is said in words
            equal_pairs.sort(key=lambda pair: pair[0] == pair[1])
        left.remove(equal_pairs[0])
        new = equal_pairs[0][1]
        if figure[0] not in NUMERALS:
            return new
        if new not in NUMERALS.values():  # no tile has such a number
            swapped_figures.append(equal_pairs[0])
            return figure[0]
        return _numeral(new)

    new_translation = _SAID_FIGURE.sub(swap, translation)
    for old, new in ((old, new) for old, new in (*left, *swapped_figures) if old != new):
        if old.isdecimal():  # it is said in words, as no number of times
            return text
        before, after = (_say_times(each, sentences) for each in (old, new))
        if before not in new_translation:
            return text
        new_translation = new_translation.replace(before, after, 1)
    return new_translation


def _say_times(english: str, sentences: Mapping[str, str]) -> str:
    """Return `once`, `twice` or `3 times` in the language of these sentences."""
    count = {"once": "1", "twice": "2"}.get(english, english.partition(" ")[0])
    key = f"custom-rules.times.{count}"
    return sentences.get(key) or sentences["custom-rules.times.more"].format(count=count)


@cache
def in_vocabulary(language: str, vocabulary: tuple[str, ...]) -> Catalogue:
    """Return what can be said in the words that players prefer: pong for pung, 胡牌 for 食糊.

    The language's file says under `vocabulary` what stands for what. A capital stays a capital, and
    what fills a sentence's braces stays as it is.
    """
    usual = catalogue(language)
    reworded_sentences = _rewording(usual.sentences, vocabulary)
    return Catalogue(
        {
            key: text if key.startswith(PHONE_PREFIX) else reworded_sentences(text)
            for key, text in usual.sentences.items()
        },
        locale(language).plural_form,
        lambda text: reworded_sentences(usual.say(rule_text(text))),
    )


_FIRST_CHINESE_SIGN = "\u2e80"
"""Chinese signs, and all others of East Asia, come from here on in Unicode."""


def _rewording(sentences: Mapping[str, str], vocabulary: tuple[str, ...]) -> Callable[[str], str]:
    """Return what puts the words of a vocabulary into a text."""
    pairs = (
        pair.partition(" → ")
        for name in vocabulary
        for pair in sentences.get(f"vocabulary.{name}", "").split("; ")
    )
    swaps = {old: new for old, _, new in pairs if new}
    swaps = {_capital(old): _capital(new) for old, new in swaps.items()} | swaps
    if not swaps:
        return str
    longest_first = sorted(swaps, key=len, reverse=True)
    pattern = re.compile("|".join([r"\{[^}]*\}", *map(_word_pattern, longest_first)]))
    return lambda text: pattern.sub(lambda word: swaps.get(word[0], word[0]), text)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _word_pattern(word: str) -> str:
    """Return the pattern of a whole word. Chinese has no spaces: there it may stand anywhere."""
    return re.escape(word) if word[0] >= _FIRST_CHINESE_SIGN else rf"\b{re.escape(word)}\b"


@cache
def locale(language: str) -> Locale:
    """Return the locale: how the language counts and writes dates."""
    _drop_unusable_zone()
    return Locale.parse(language, sep="-")


def _drop_unusable_zone() -> None:
    """Remove a TZ that names a file or folder and no time zone: the system's own holds then.

    Babel 2.17 cannot be loaded with such a TZ. What is read from its files loads its dates, too.
    """
    name = os.environ.get("TZ", "").removeprefix(":")
    if not name or not Path(name).exists():
        return
    try:
        with Path(name).open("rb") as file:
            ZoneInfo.from_file(file)
    except (OSError, ValueError):
        _log.error("TZ names no time zone (%r); using the system's", os.environ.pop("TZ"))
        time.tzset()


@cache
def shipped_texts(language: str) -> Mapping[str, str]:
    """Return the translations of the shipped data by their English text."""
    file = _STRINGS / language / SHIPPED_FILE
    return dict(_texts(tomllib.loads(file.read_text("utf-8")))) if file.is_file() else {}


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for text, translation in table.items():
        if isinstance(translation, str):
            yield text, translation
        else:
            yield from _texts(translation)


_vocabulary: ContextVar[tuple[str, ...]] = ContextVar("vocabulary", default=())
_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def use_words(language: str, vocabulary: Iterable[str] = ()) -> None:
    """Set the language and vocabulary for this request."""
    _language.set(language)
    _vocabulary.set(tuple(vocabulary))


def language() -> str:
    """Return the tag of the language in use: `en-GB`."""
    return _language.get()


def vocabulary() -> tuple[str, ...]:
    """Return the words that this phone's player prefers."""
    return _vocabulary.get()


def words() -> Mapping[str, str]:
    """Return every sentence of the language in use."""
    return _catalogue().sentences


def _catalogue() -> Catalogue:
    language, vocabulary = _language.get(), _vocabulary.get()
    return in_vocabulary(language, vocabulary) if vocabulary else catalogue(language)


def say(text: str | Message, /, **values: object) -> str:
    """Return a message, or the text of this key, with its {placeholders} filled.

    A `count` among the values chooses the plural form. Raises KeyError for an unknown key.
    """
    if isinstance(text, str):
        text = Message(text, tuple([(name, _value(value)) for name, value in values.items()]))
    return _catalogue().say(text)


def spoken(words: Words) -> str:
    """Return a message in the language in use, and people's own words unchanged."""
    return words if isinstance(words, str) else say(words)


def join_sentences(sentences: Iterable[str]) -> str:
    """Return whole sentences one after the other: Chinese has no space between them."""
    return say("listing.next").join(sentences)


def in_a_row(messages: Iterable[Message]) -> str:
    """Return the sentences joined, each once."""
    return join_sentences(dict.fromkeys(map(say, messages)))


def _value(value: object) -> Value:
    return value if isinstance(value, Message | int | tuple) else str(value)


def say_count(key: str, count: int, /, **values: object) -> str:
    """Return a sentence about `count` things in the right plural form."""
    return say(key, count=count, **values)


def day_of(moment: datetime) -> str:
    """Return the date by the box's clock: `22 November 2026`."""
    local_time, language_locale = moment.astimezone(), locale(_language.get())
    pattern = say_count("date.day", local_time.day)
    from babel.dates import format_date  # few pages need it

    return format_date(local_time.date(), pattern, language_locale)


def moment_of(moment: datetime) -> str:
    """Return the date and time by the box's clock: `22 November 2026, 14:05`."""
    return f"{day_of(moment)}, {moment.astimezone():%H:%M}"


def group_digits(number: int) -> str:
    """Return a number with the language's thousands separator: `12,000`."""
    return format_decimal(number, locale=locale(_language.get()))


def sign_amount(amount: int) -> str:
    """Return a gain or loss with a true minus sign; nothing has no sign."""
    return write_total(amount) if amount < 0 else f"{amount:+d}" if amount else "0"


def write_total(total: int) -> str:
    """Return a total with a true minus sign where it is below zero."""
    return str(total).replace("-", "\N{MINUS SIGN}")


def say_figures(key: str, figures: Mapping[str, int], /, **values: object) -> str:
    """Return the text of this key with those figures grouped that it asks for, of many.

    Other values stand before figures of the same name.
    """
    grouped_keys = (figures.keys() & _placeholders(words()[key])) - values.keys()
    return say(key, **{name: group_digits(figures[name]) for name in grouped_keys}, **values)


@cache
def _placeholders(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name)


def is_said(key: str) -> bool:
    """Return whether a text has this key: some texts are optional."""
    return key in words()


def tile_name(code: str) -> str:
    """Return the name of a tile code; face-down tiles and jokers have names, too."""
    key = {FACE_DOWN: "tile.face-down", JOKER: "tile.wild"}.get(code)
    if key:
        return say(key)
    return say(name_tile(Tile.parse(code).code))


def ruleset_title(rules: Ruleset) -> str:
    """Return what a ruleset is called, with its version if it is a custom one."""
    if not rules.version:
        return say(rules.title)
    return say("rules.version", title=rules.title, version=rules.version)


def say_limit(rules: Ruleset) -> str:
    """Return the limit of a table's rules, and the lower one of ordinary hands if there is one."""
    if rules.limit is None:
        return say("rules.no-limit")
    if rules.has_lower_limit:
        return say("rules.limits", limit=rules.limit, ordinary=rules.ordinary_limit)
    return say("rules.limit", limit=rules.limit)


def describe_rules(rules: Ruleset) -> str:
    """Return the title and the limit of a table's rules."""
    return f"{ruleset_title(rules)} · {say_limit(rules)}"


def wind_name(letter: str) -> str:
    """Return the name of a wind: `East` for E."""
    return say(name_wind(letter))


def wind_sign(letter: str) -> str:
    """Return the first letter of the wind's name in the current language: `E` for East."""
    return wind_name(letter)[0]
