"""Convert between messages and their form in the log: a key with values, or plain words.

Old logs hold English sentences instead of keys. `english.toml` finds the key of such a sentence.
That file never changes, even if a sentence is reworded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from scorer.message import Message, Words, message, message_from_json, plain_text

StoredWords: TypeAlias = str | Mapping[str, Any]
"""The form in an event: a message as JSON, or plain words."""

_PLACEHOLDERS = re.compile(r"\{(\w+)\}|\d+")


def words_to_stored(words: Words) -> str | dict[str, Any]:
    """Return words in the form that events keep."""
    return words if isinstance(words, str) else words.to_json()


def words_from_stored(data: StoredWords) -> Words:
    """Read words from an event, old or new; raise KeyError or TypeError for an invalid message."""
    return (
        message_from_json(data)
        if isinstance(data, Mapping)
        else message_from_old_sentence(data) or data
    )


def message_from_stored(data: StoredWords) -> Message:
    """Read a message from an event. An old sentence without a key becomes plain words."""
    words = words_from_stored(data)
    return plain_text(words) if isinstance(words, str) else words


def message_from_old_sentence(text: str) -> Message | None:
    """Return the message of a sentence from an old log; None if it has no key.

    >>> message_from_old_sentence("I left out 3 tiles that lie apart from the hand.")
    Message(key='seen.left-out', fields=(('count', 3),))
    """
    key, names = _load_old_sentences().get(re.sub(r"\d+", "#", text), ("", ()))
    numbers = zip(names, re.findall(r"\d+", text), strict=True)
    return message(key, **{name: int(number) for name, number in numbers if name}) if key else None


@cache
def _load_old_sentences() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return key and field names of each old sentence, with # in place of numbers."""
    text = resources.files("device.store").joinpath("english.toml").read_text("utf-8")
    return {
        _PLACEHOLDERS.sub("#", said): (
            key,
            tuple(hole[1] or "" for hole in _PLACEHOLDERS.finditer(said)),
        )
        for said, key in tomllib.loads(text).items()
    }
