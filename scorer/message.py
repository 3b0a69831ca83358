"""Messages: a key and values that become a sentence only where somebody reads them.

The scorer, the photo reading and the cameras never build sentences. They name a sentence and the
values in it. This package's English is in `words.toml`; other packages and languages have their
own catalogues.

>>> to_english(message("the-set.pung", tiles=message("tiles.DR")))
'the pung of red dragons'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

Value: TypeAlias = "str | int | Message | tuple[Value, ...]"
"""A value in a sentence: text that is never translated (a player's name, a hand text), a number,
another message, or a list of these."""


OUTSIDE_KEYS = PLAIN_KEY, RULE_TEXT_KEY = "plain", "of-rules"
"""The keys of text that comes from outside the catalogues."""

Words: TypeAlias = "str | Message"
"""A message, or text that is shown unchanged: a table's own words, a sum in signs, a label."""


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence, or part of one, independent of any language."""

    key: str
    """Stable, dotted: `not-counted.claimed`. Rewording a sentence never changes it."""
    fields: tuple[tuple[str, Value], ...] = ()
    """The placeholder names and their values, in the order given."""

    @property
    def values(self) -> dict[str, Value]:
        """The values by placeholder name."""
        return dict(self.fields)

    def __str__(self) -> str:
        raise TypeError("a message is put into a text only in a language: see `english`")

    def __format__(self, spec: str) -> str:
        return str(self)

    def to_json(self) -> dict[str, Any]:
        """Return the message as plain values, for the log."""
        return {
            "key": self.key,
            "values": {name: _value_to_json(value) for name, value in self.fields},
        }


def message(key: str, /, **values: Value) -> Message:
    """Return a message."""
    return Message(key, tuple(values.items()))


def plain_text(text: str) -> Message:
    """Return text that is shown unchanged: what a person wrote, or logs from before keys."""
    return message(PLAIN_KEY, text=text)


def rule_text(text: str) -> Message:
    """Return words of a data file: the shipped ones are translated, a table's own stay."""
    return message(RULE_TEXT_KEY, text=text)


def message_from_json(data: Mapping[str, Any]) -> Message:
    """Return a message as `Message.to_json` wrote it; raise KeyError or TypeError for another."""
    values = {name: _value_from_json(value) for name, value in data["values"].items()}
    return Message(str(data["key"]), tuple(values.items()))


def _value_to_json(value: Value) -> object:
    if isinstance(value, Message):
        return value.to_json()
    return [_value_to_json(each) for each in value] if isinstance(value, tuple) else value


def _value_from_json(data: object) -> Value:
    if isinstance(data, Mapping):
        return message_from_json(data)
    if isinstance(data, list):
        return tuple(map(_value_from_json, data))
    if isinstance(data, str | int):
        return data
    raise TypeError(data)


class _FieldText(str):
    """The text of a placeholder: `{set:capital}` makes the first letter a capital, `:small` lower.

    Names such as Mah-Jong and Purity keep their capital in both. `{most:grouped}` is a number with
    the language's sign between thousands.
    """

    __slots__ = ("_proper", "_thousands")
    _proper: tuple[str, ...]
    _thousands: str

    def __new__(cls, text: str, proper: tuple[str, ...] = (), thousands: str = ",") -> _FieldText:
        field_text = super().__new__(cls, text)
        field_text._proper = proper
        field_text._thousands = thousands
        return field_text

    def __format__(self, spec: str) -> str:
        if spec == "capital":
            return self[:1].upper() + self[1:]
        if spec == "small":
            return str(self) if self.startswith(self._proper) else self[:1].lower() + self[1:]
        if spec == "grouped":
            return f"{int(self):,}".replace(",", self._thousands)
        return super().__format__(spec)


def english_plural(count: int) -> str:
    """Return the CLDR plural form for a count: `one` or `other`."""
    return "one" if count == 1 else "other"


class Catalogue:
    """The sentences of one language by key.

    A sentence about `{count}` things may have plural forms, `KEY.one` and `KEY.other`. Lists of
    values are joined by `listing.comma` and `listing.and`. `listing.proper` has the beginnings of
    names that are never written with a small letter, `listing.thousands` the sign in 1,000.
    """

    def __init__(
        self,
        sentences: Mapping[str, str],
        plural: Callable[[int], str] = english_plural,
        rules: Callable[[str], str] = str,
    ) -> None:
        self.sentences = sentences
        self._plural = plural
        self._rules = rules
        """What a text of the shipped data is in this language; others stay as they are."""
        self._proper = tuple(sentences.get("listing.proper", "").split())
        self._thousands = sentences.get("listing.thousands", ",")

    def say(self, message: Message) -> str:
        """Return a message in this language; raise KeyError when the catalogue lacks it."""
        if message.key in OUTSIDE_KEYS:
            ((_, text),) = message.fields
            text = str(text)
            return text if message.key == PLAIN_KEY else self._rules(text)
        return self._template(message).format_map(
            {
                name: _FieldText(self._render_value(value), self._proper, self._thousands)
                for name, value in message.fields
            }
        )

    def has(self, message: Message) -> bool:
        """Return whether the catalogue has the sentence and all messages in it."""
        has_sentence = message.key in self.sentences or f"{message.key}.other" in self.sentences
        inner = (each for _, value in message.fields for each in _find_messages(value))
        return (has_sentence or message.key in OUTSIDE_KEYS) and all(map(self.has, inner))

    def _template(self, message: Message) -> str:
        if message.key in self.sentences:
            return self.sentences[message.key]
        count = message.values.get("count")
        form = self._plural(count) if isinstance(count, int) else "other"
        one_of_a_kind = f"{message.key}.{form}"
        return self.sentences.get(one_of_a_kind) or self.sentences[f"{message.key}.other"]

    def _render_value(self, value: Value) -> str:
        if isinstance(value, Message):
            return self.say(value)
        return self._join_list(value) if isinstance(value, tuple) else str(value)

    def _join_list(self, values: tuple[Value, ...]) -> str:
        parts = [self._render_value(value) for value in values]
        first = self.sentences["listing.comma"].join(parts[:-1])
        return self.sentences["listing.and"].join([*filter(None, [first]), *parts[-1:]])


def _find_messages(value: Value) -> Iterator[Message]:
    if isinstance(value, Message):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _find_messages(each)


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Flatten nested TOML tables to one mapping by dotted keys."""
    sentences: dict[str, str] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        sentences |= flatten(value, f"{name}.") if isinstance(value, dict) else {name: str(value)}
    return sentences


@cache
def load_words(package: str = "scorer") -> Mapping[str, str]:
    """Return a package's English sentences by key, from its `words.toml`."""
    import tomllib  # imported late: many callers never need a sentence
    from importlib.util import find_spec
    from pathlib import Path

    # Found, not imported: reading a package's words must not load its camera drivers.
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    return flatten(tomllib.loads(Path(spec.origin).with_name("words.toml").read_text("utf-8")))


@cache
def english_catalogue(*packages: str) -> Catalogue:
    """Return one English catalogue for several packages."""
    return Catalogue({key: text for each in packages for key, text in load_words(each).items()})


def to_english(words: Words) -> str:
    """Return a message of this package in English, for terminals, programs and log files."""
    return words if isinstance(words, str) else english_catalogue("scorer").say(words)
