"""How the log keeps what is said: a key with values, and somebody's own words as they are.

Before there were keys the log kept English sentences. Those are found again by their words, in
`english.toml`, which is never changed: rewording a sentence does not reword what was kept.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from scorer.message import Message, Words, message, message_from_json, plain

Kept: TypeAlias = str | Mapping[str, Any]
"""What stands in an event."""

_HOLES = re.compile(r"\{(\w+)\}|\d+")


def kept(words: Words) -> str | dict[str, Any]:
    """Return words as an event has them."""
    return words if isinstance(words, str) else words.to_json()


def words_from(data: Kept) -> Words:
    """Return what an event has, old or new; raise KeyError or TypeError for what is no message."""
    return message_from_json(data) if isinstance(data, Mapping) else of_old(data) or data


def message_from(data: Kept) -> Message:
    """Return the same as a message; an old sentence without a key is said as it was kept."""
    words = words_from(data)
    return plain(words) if isinstance(words, str) else words


def of_old(text: str) -> Message | None:
    """Return the message that a sentence was kept for before there were keys.

    >>> of_old("I left out 3 tiles that lie apart from the hand.")
    Message(key='seen.left-out', fields=(('count', 3),))
    """
    key, names = _old().get(re.sub(r"\d+", "#", text), ("", ()))
    numbers = zip(names, re.findall(r"\d+", text), strict=True)
    return message(key, **{name: int(number) for name, number in numbers if name}) if key else None


@cache
def _old() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the old sentences, # for a number: each one's key, and what its numbers are called."""
    text = resources.files("device.store").joinpath("english.toml").read_text("utf-8")
    return {
        _HOLES.sub("#", said): (key, tuple(hole[1] or "" for hole in _HOLES.finditer(said)))
        for said, key in tomllib.loads(text).items()
    }
