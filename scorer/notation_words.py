"""The `key=value` words at the end of a hand text.

Each key reads its value as fields of a hand and writes it from a hand. A flag has an empty value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from scorer.hand import PLAYERS, RULESETS, WON_BY, Hand
from scorer.message import Message, Value, message
from scorer.tiles import CODES, FACE_DOWN, JOKER, WINDS
from scorer.whole import whole

Fields = dict[str, Any]
"""Fields of a `Hand` by their names."""


class WordError(ValueError):
    """Raised for a value that its key does not accept."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key, values)
        self.reason: Message = message(key, **values)


@dataclass(frozen=True, slots=True)
class HandWord:
    """One key of the text."""

    name: str
    read: Callable[[str], Fields]
    """Return the fields that a value sets; raise NotationValueError for a bad value."""
    write: Callable[[Hand], str | None]
    """Return the value; None for the default, which is not written."""


def _one_of(value: str, allowed: Iterable[str]) -> str:
    allowed = list(allowed)
    if value not in allowed:
        raise WordError("text.not-one-of", said=value, known=", ".join(allowed))
    return value


def _won(value: str) -> Fields:
    """Read the ways of winning, joined by +; an empty value is a win with nothing else known."""
    ways = tuple(value.split("+")) if value else ()
    for way in ways:
        _one_of(way, WON_BY)
    if len(set(ways)) < len(ways):
        raise WordError("text.way-twice")
    return {"winner": True, "won_by": ways}


def _winning_tile(value: str) -> Fields:
    code = value.upper()
    if code not in (*CODES, FACE_DOWN, JOKER):
        raise WordError("text.no-code", said=value)
    return {"winning_tile": code}


def _limit(value: str) -> Fields:
    if value == "off":
        return {"limit": None}
    limit = whole(value, 1)
    if limit is None:
        raise WordError("text.limit")
    return {"limit": limit}


def _house(value: str) -> Fields:
    """Read the table's own choices, `name:on` or `name:off`, joined by +."""
    words = tuple(value.split("+"))
    for word in words:
        name, _, state = word.partition(":")
        if not name or state not in ("on", "off"):
            raise WordError("text.choice", said=word)
    return {"house": words}


def _flag(value: str) -> bool:
    if value:
        raise WordError("text.no-value")
    return True


KEYS: tuple[HandWord, ...] = (
    HandWord(
        "seat",
        lambda value: {"seat_wind": _one_of(value.upper(), WINDS)},
        lambda hand: hand.seat_wind,
    ),
    HandWord(
        "round",
        lambda value: {"prevailing_wind": _one_of(value.upper(), WINDS)},
        lambda hand: hand.prevailing_wind,
    ),
    HandWord("won", _won, lambda hand: "+".join(hand.won_by) if hand.winner else None),
    HandWord("with", _winning_tile, lambda hand: hand.winning_tile),
    HandWord(
        "rules",
        lambda value: {"ruleset": _one_of(value, RULESETS)},
        lambda hand: None if hand.ruleset == "bmja" else hand.ruleset,
    ),
    HandWord(
        "players",
        lambda value: {"players": int(_one_of(value, map(str, PLAYERS)))},
        lambda hand: None if hand.players == 4 else str(hand.players),
    ),
    HandWord(
        "limit",
        _limit,
        lambda hand: {None: "off", 1000: None}.get(hand.limit, str(hand.limit)),
    ),
    HandWord("house", _house, lambda hand: "+".join(hand.house) or None),
    HandWord(
        "goulash",
        lambda value: {"goulash": _flag(value)},
        lambda hand: "" if hand.goulash else None,
    ),
    HandWord(
        "original-call",
        lambda value: {"original_call": _flag(value)},
        lambda hand: "" if hand.original_call else None,
    ),
)
"""Every key, in the order in which they are written."""

FLAGS = frozenset({"goulash", "original-call"})
"""The keys without a value."""
