"""Parse the fields of a request: numbers, names and choices, each checked against its limits.

All views use this module. `form()`, `query()` and `either()` return the fields of a request. Their
methods read one field, and raise FieldError for values that no page of the box sends. A missing or
empty field gives the `default`, if there is one. `init_app` adds converters for addresses.

>>> said = FieldsSent(MultiDict({"score": " 120 ", "who": "-1", "name": " Ann   Lee "}))
>>> said.number("score"), said.place("who", min_value=-1), said.text("name", 20)
(120, -1, 'Ann Lee')
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TypeVar

from flask import Flask, request
from werkzeug.datastructures import MultiDict
from werkzeug.routing import BaseConverter, IntegerConverter

from device.i18n.names import tidy_name
from scorer.match.settlement import MAX_SCORE_POINTS
from scorer.message import Message, message
from scorer.parsing import MAX_PARSED_INT, parse_int

_T = TypeVar("_T")

MAX_SEQ = 10**15
"""Largest number of an event. No log ever had so many, and SQLite can count further."""

_MAX_NUMBER_CHARS = 20
"""Characters of a typed number that a page repeats."""

MAX_NUMBERS = 50
"""Most numbers in one field: more than a hand has tiles."""

MAX_PHOTO_TILES = 1000
"""Most tiles in one photograph, far more than a table holds. Tile numbers stay below it."""


class FieldError(Exception):
    """A field has an invalid value; carries the message for the player."""

    def __init__(self, problem: Message) -> None:
        super().__init__(problem.key)
        self.message = problem


class _NoDefault:
    """Marks a field without a default."""


REQUIRED_FIELD = _NoDefault()


class FieldsSent:
    """The fields of a request, by name."""

    def __init__(self, values: MultiDict[str, str]) -> None:
        self._values = values

    def __contains__(self, name: str) -> bool:
        return name in self._values

    @property
    def names(self) -> frozenset[str]:
        """The names of all fields."""
        return frozenset(self._values)

    def number(self, name: str, default: _T | _NoDefault = REQUIRED_FIELD) -> int | _T:
        """Return a number that a player typed. The scorer checks whether a table can reach it."""
        wrong = message("field.number", most=MAX_SCORE_POINTS)
        return self._number(name, -MAX_PARSED_INT, MAX_PARSED_INT, default, wrong)

    def count(self, name: str, max_value: int, default: int) -> int:
        """Return a number from 0 on that a player typed."""
        return self._number(name, 0, max_value, default, message("field.number", most=max_value))

    def typed_number(self, name: str) -> str:
        """Return what was typed for a number, to show it again beside what is wrong with it."""
        return self.text(name, _MAX_NUMBER_CHARS)

    def place(
        self,
        name: str,
        max_value: int = MAX_PHOTO_TILES,
        *,
        min_value: int = 0,
        default: _T | _NoDefault = REQUIRED_FIELD,
    ) -> int | _T:
        """Return a number that a page wrote: of a player, a tile or an event."""
        return self._number(name, min_value, max_value, default, message("error.400"))

    def _number(
        self, name: str, min_value: int, max_value: int, default: _T | _NoDefault, wrong: Message
    ) -> int | _T:
        text = self._values.get(name, "")
        if not text.strip() and not isinstance(default, _NoDefault):
            return default
        number = parse_int(text, min_value, max_value)
        if number is None:
            raise FieldError(wrong)
        return number

    def seq(self, name: str = "seq", default: _T | _NoDefault = REQUIRED_FIELD) -> int | _T:
        """Return the number of an event, or the version that a page showed."""
        return self.place(name, MAX_SEQ, default=default)

    def numbers(self, name: str, max_value: int = MAX_PHOTO_TILES) -> tuple[int, ...]:
        """Return one or more numbers separated by spaces."""
        return self._numbers(self._single_field(name), max_value)

    def groups(self, name: str, max_value: int = MAX_PHOTO_TILES) -> tuple[tuple[int, ...], ...]:
        """Return groups of numbers separated by bars."""
        words = self._single_field(name).split("|")
        if len(words) > MAX_NUMBERS:
            raise FieldError(message("error.400"))
        return tuple(self._numbers(word, max_value) for word in words)

    def _numbers(self, text: str, max_value: int) -> tuple[int, ...]:
        words = text.split(" ")
        parsed_numbers = tuple(parse_int(word, 0, max_value) for word in words if word)
        numbers = tuple(number for number in parsed_numbers if number is not None)
        if not numbers or len(numbers) < len(parsed_numbers) or len(parsed_numbers) > MAX_NUMBERS:
            raise FieldError(message("error.400"))
        return numbers

    def choice(self, name: str, choices: Collection[str], default: str | None = None) -> str:
        """Return one of the allowed words. Without a default the field is required."""
        word = self._values.get(name, "" if default is None else default)
        if word not in choices:
            raise FieldError(message("error.400"))
        return word

    def word(self, name: str, default: str | None = "") -> str:
        """Return a word that the caller looks up. None as the default makes the field required."""
        return self._single_field(name) if default is None else self._values.get(name, default)

    def text(self, name: str, longest: int, default: str | None = "") -> str:
        """Return free text, tidied and cut to the `longest` number of characters.

        None as the default makes the field required.
        """
        text = tidy_name(self._values.get(name, ""))[:longest].strip()
        if text or default is not None:
            return text or str(default)
        raise FieldError(message("field.empty"))

    def texts(self, name: str, longest: int, max_count: int) -> tuple[str, ...]:
        """Return the texts of a repeated field, `max_count` of them at the most."""
        return tuple(
            tidy_name(each)[:longest].strip() for each in self._values.getlist(name)[:max_count]
        )

    def lines(self, name: str, longest: int, max_count: int) -> tuple[str, ...]:
        """Return the lines of a field that are not empty, `max_count` of them at the most."""
        lines = (
            tidy_name(line)[:longest].strip() for line in self._values.get(name, "").splitlines()
        )
        return tuple(islice(filter(None, lines), max_count))

    def words(self, name: str, choices: Collection[str]) -> tuple[str, ...]:
        """Return the words of a repeated field that are allowed."""
        return tuple(each for each in self._values.getlist(name) if each in choices)

    def flag(self, name: str) -> bool:
        """Whether a switch is on (`yes`). A switch that was not sent is off."""
        return self.choice(name, ("yes", "no", "off", ""), default="") == "yes"

    def _single_field(self, name: str) -> str:
        if name not in self._values:
            raise FieldError(message("error.400"))
        return self._values[name]


def form() -> FieldsSent:
    """Return the fields of the form."""
    return FieldsSent(request.form)


def query() -> FieldsSent:
    """Return the fields of the address."""
    return FieldsSent(request.args)


def form_or_query() -> FieldsSent:
    """Return the fields of the address and of the form; those of the address come first."""
    return FieldsSent(request.values)


class _NumberConverter(IntegerConverter):
    """A number in an address, of at most nine digits."""

    regex = "[0-9]{1,9}"


class _IdConverter(BaseConverter):
    """An id as the box makes them. Nothing else reaches the log."""

    regex = "[0-9A-Za-z-]{1,40}"


class _StreamConverter(_IdConverter):
    """The name of a stream of the log: an id, for some sorts with a prefix that names the sort."""

    regex = "(?:[a-z]{1,20}:)?[0-9A-Za-z-]{1,40}"


def init_app(app: Flask) -> None:
    """Add the converters, before any route uses them, and the highest score for templates."""
    app.url_map.converters |= {
        "int": _NumberConverter,
        "id": _IdConverter,
        "stream": _StreamConverter,
    }
    app.jinja_env.globals["most_points"] = MAX_SCORE_POINTS
