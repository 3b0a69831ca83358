"""The one way to read what a request says: numbers, names and choices, each within its bounds.

`form()`, `query()` and `either()` are what a page sends; their methods read a field, and raise
FieldError with a sentence for what no page of the box sends. What was left out or is empty is the
`default`, where there is one. `init_app` gives addresses converters with bounds of their own.

>>> said = FieldsSent(MultiDict({"score": " 120 ", "who": "-1", "name": " Ann   Lee "}))
>>> said.number("score"), said.place("who", least=-1), said.text("name", 20)
(120, -1, 'Ann Lee')
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TypeVar
from urllib.parse import parse_qsl

from flask import Flask, request
from werkzeug.datastructures import MultiDict
from werkzeug.routing import BaseConverter, IntegerConverter

from device.i18n.names import tidied
from scorer.match.settle import MOST
from scorer.message import Message, message
from scorer.whole import BEYOND, whole

_T = TypeVar("_T")

MOST_SEQ = 10**15
"""Of events in a log: more than were ever written, and SQLite counts farther."""

MOST_NUMBERS = 50
"""Numbers in one field: more than a hand has tiles."""

MOST_TILES = 1000
"""Tiles of one photograph, far more than a table holds: numbers of places are below it."""


class FieldError(Exception):
    """A field that makes no sense, with the sentence that says so."""

    def __init__(self, what: Message) -> None:
        super().__init__(what.key)
        self.message = what


class _Required:
    """Stands in for a default where there is none."""


REQUIRED = _Required()


class FieldsSent:
    """Named fields as they were sent."""

    def __init__(self, said: MultiDict[str, str]) -> None:
        self._said = said

    def __contains__(self, name: str) -> bool:
        return name in self._said

    @property
    def names(self) -> frozenset[str]:
        """The names of all."""
        return frozenset(self._said)

    def number(self, name: str, default: _T | _Required = REQUIRED) -> int | _T:
        """Return a number that a player typed. What a table can reach is the scorer's to say."""
        return self._number(name, -BEYOND, BEYOND, default, message("field.number", most=MOST))

    def place(
        self,
        name: str,
        most: int = MOST_TILES,
        *,
        least: int = 0,
        default: _T | _Required = REQUIRED,
    ) -> int | _T:
        """Return a number that a page put there: of a player, a tile, an event."""
        return self._number(name, least, most, default, message("error.400"))

    def _number(
        self, name: str, least: int, most: int, default: _T | _Required, wrong: Message
    ) -> int | _T:
        text = self._said.get(name, "")
        if not text.strip() and not isinstance(default, _Required):
            return default
        number = whole(text, least, most)
        if number is None:
            raise FieldError(wrong)
        return number

    def seq(self, name: str = "seq", default: _T | _Required = REQUIRED) -> int | _T:
        """Return the number of an event, or the version of what a page showed."""
        return self.place(name, MOST_SEQ, default=default)

    def numbers(self, name: str, most: int = MOST_TILES) -> tuple[int, ...]:
        """Return numbers with spaces between them, at least one."""
        return self._numbers(self._one(name), most)

    def groups(self, name: str, most: int = MOST_TILES) -> tuple[tuple[int, ...], ...]:
        """Return groups of numbers, a bar between two of them."""
        words = self._one(name).split("|")
        if len(words) > MOST_NUMBERS:
            raise FieldError(message("error.400"))
        return tuple(self._numbers(word, most) for word in words)

    def _numbers(self, text: str, most: int) -> tuple[int, ...]:
        words = text.split(" ")
        found = tuple(whole(word, 0, most) for word in words if word)
        known = tuple(number for number in found if number is not None)
        if not known or len(known) < len(found) or len(found) > MOST_NUMBERS:
            raise FieldError(message("error.400"))
        return known

    def choice(self, name: str, allowed: Collection[str], default: str | None = None) -> str:
        """Return one of the words that there are; None for a default is none."""
        word = self._said.get(name, "" if default is None else default)
        if word not in allowed:
            raise FieldError(message("error.400"))
        return word

    def word(self, name: str, default: str | None = "") -> str:
        """Return a word that is looked up somewhere, where any other means nothing."""
        return self._one(name) if default is None else self._said.get(name, default)

    def text(self, name: str, longest: int, default: str | None = "") -> str:
        """Return somebody's own words, tidied and cut where a page's field ends.

        None for a default asks for some.
        """
        said = tidied(self._said.get(name, ""))[:longest].strip()
        if said or default is not None:
            return said or str(default)
        raise FieldError(message("field.empty"))

    def texts(self, name: str, longest: int, most: int) -> tuple[str, ...]:
        """Return the first texts of a field that stands there several times."""
        return tuple(tidied(each)[:longest].strip() for each in self._said.getlist(name)[:most])

    def lines(self, name: str, longest: int, most: int) -> tuple[str, ...]:
        """Return the first texts of a field that has one a line; empty lines say nothing."""
        said = (tidied(line)[:longest].strip() for line in self._said.get(name, "").splitlines())
        return tuple(islice(filter(None, said), most))

    def words(self, name: str, allowed: Collection[str]) -> tuple[str, ...]:
        """Return those of the words of a field that there are."""
        return tuple(each for each in self._said.getlist(name) if each in allowed)

    def flag(self, name: str) -> bool:
        """Whether a switch is on: `yes` or `no`; a switch that was not sent is off."""
        return self.choice(name, ("yes", "no", "off", ""), default="") == "yes"

    def _one(self, name: str) -> str:
        if name not in self._said:
            raise FieldError(message("error.400"))
        return self._said[name]


def form() -> FieldsSent:
    """Return the fields of the form that was sent."""
    return FieldsSent(request.form)


def query() -> FieldsSent:
    """Return the fields of the address."""
    return FieldsSent(request.args)


def either() -> FieldsSent:
    """Return those of the address and of the form, the address's first."""
    return FieldsSent(request.values)


def of_cookie(name: str) -> dict[str, str]:
    """Return the fields that a cookie of ours holds; none of one that nobody of ours wrote."""
    try:
        return dict(parse_qsl(request.cookies.get(name, ""), max_num_fields=20))
    except ValueError:  # too many of them
        return {}


class _Number(IntegerConverter):
    """A number in an address: one of more digits is the address of nothing."""

    regex = "[0-9]{1,9}"


class _Id(BaseConverter):
    """An id, as the box makes them: no address of anything else leads to the log."""

    regex = "[0-9A-Za-z-]{1,40}"


class _Stream(_Id):
    """The name of a stream of the log: an id, and for some sorts what sort it is before it."""

    regex = "(?:[a-z]{1,20}:)?[0-9A-Za-z-]{1,40}"


def init_app(app: Flask) -> None:
    """Give addresses their converters, before any are registered, and pages the largest number."""
    app.url_map.converters |= {"int": _Number, "id": _Id, "stream": _Stream}
    app.jinja_env.globals["most_points"] = MOST
