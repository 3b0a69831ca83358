"""The values that several events have in common: words, photographs, problems and readings.

A reading stands here in the log's own shape; `vision.reading` has the reader's.

Words are stored as a key with values. Old logs hold English sentences instead. `english.toml` finds
the key of such a sentence. That file never changes, even if a sentence is reworded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

from device.store.events.catalogue import EventPart
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


_Point = tuple[float, float]


class Trouble(EventPart, frozen=True):
    """Something that is wrong with a photograph or its reading."""

    code: str
    """Stable, for programs: `too-dark`, `no-tiles`, `five-of-a-kind`."""
    message: StoredWords
    """What is wrong and what to do."""


class HandPhoto(EventPart, frozen=True):
    """A photograph that is kept: names of files in the store, and its size."""

    original: str
    """The file as it came."""
    display: str
    """The picture that the page shows."""
    thumbnail: str
    """The small picture for lists."""
    width: int
    """In pixels after EXIF rotation."""
    height: int
    """In pixels after EXIF rotation."""
    name: str
    """What the player's phone called the file."""
    likeness: str = ""
    """What stays of the picture when it is encoded anew; empty where that was not written down."""
    met: str = ""
    """Id of the hand of the same match whose photograph it was already; empty for a new one."""
    by_phone: bool = False
    """A phone sent it, whose player may take it again at once: one that is spoilt is asked about
    before it is read."""


class TileAsRead(EventPart, frozen=True):
    """One tile as read."""

    code: str
    """What it is taken for: a tile's code, or `??` for one lying face down."""
    confidence: float
    """Probability, 0 to 1, that the code is right."""
    quad: tuple[_Point, _Point, _Point, _Point]
    """Its corners in pixels of the photograph, clockwise from the tile's own top left."""
    turn: int
    """Its clockwise rotation in the photograph: 0, 90, 180 or 270 degrees."""
    alternatives: tuple[tuple[str, float], ...]
    """The next best codes with their probabilities, best first."""
    doubtful: bool
    """To be asked about."""
    seen: str = ""
    """What it looks like by itself, where the other tiles say that it must be `code`."""


class SetAsRead(EventPart, frozen=True):
    """Tiles that lie together."""

    tiles: tuple[int, ...]
    """Places among the reading's tiles, left to right."""
    row: str
    """`exposed`, `concealed` or `bonus`."""
    kind: str
    """`chow`, `pung`, `kong`, `pair` or `loose`."""


class TileLeftOut(EventPart, frozen=True):
    """A tile that was found but is not taken for one of the hand's."""

    tile: int
    """Its place among the reading's tiles."""
    why: str
    """`size`, `askew`, `backs`, `apart`, `far` or `pattern`."""


class StageTimes(EventPart, frozen=True):
    """Milliseconds that each stage took."""

    load: float
    """Opening the file."""
    locate: float
    """Finding the tiles."""
    classify: float
    """Naming them."""
    arrange: float
    """Finding rows and sets."""
    total: float
    """Everything."""


class KeptReading(EventPart, frozen=True):
    """A whole photograph as read."""

    photo: str
    """What the file was called."""
    width: int
    """In pixels after EXIF rotation."""
    height: int
    """In pixels after EXIF rotation."""
    tiles: tuple[TileAsRead, ...]
    """Every tile that was found."""
    sets: tuple[SetAsRead, ...]
    """Which of them lie together."""
    hand_text: str
    """The hand in the notation."""
    problems: tuple[Trouble, ...]
    """What the player should know of the photograph or the reading."""
    ms: StageTimes
    """How long it took."""
    left_out: tuple[TileLeftOut, ...] = ()
    """Tiles that are not the hand's."""
    winning_tile: int | None = None
    """Place of the one tile that lies across its row."""
