"""Read and write hand text: one ASCII line that describes a whole hand.

    exposed sets | concealed tiles | bonus tiles   key=value ...

A family letter comes first, then its ranks. `[O5555]` among the concealed tiles is a declared
kong. `+` joins tiles of different families in one set. The keys at the end give what tiles do not
show; a flag is a key without a value.

>>> hand = parse_hand("B222 O5555 | C345 DRRR WE WE | F1 S2 seat=E round=E won=wall with=C5")
>>> hand.exposed[0], hand.winning_tile
(('B2', 'B2', 'B2'), 'C5')
>>> format_hand(hand)
'B222 O5555 | C345 DRRR WEE | F1 S2 seat=E round=E won=wall with=C5'
>>> parse_hand("B222 | C34X |")
Traceback (most recent call last):
scorer.errors.NotationError: At character 11: there is no tile CX.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scorer.errors import NotationError
from scorer.hand import PLAYER_COUNTS, RULESETS, WAYS_OF_WINNING, Codes, Hand
from scorer.message import Message, Value, message
from scorer.parsing import parse_int
from scorer.tiles import CODES, FACE_DOWN, JOKER, RANKS, WINDS

__all__ = ["NotationError", "format_hand", "parse_hand"]


Word = tuple[int, str]
"""The position in the line of a run of characters between blanks and bars, and the run."""


def parse_hand(text: str) -> Hand:
    """Return the hand that a line describes; raise NotationError where it cannot be read.

    `scorer.score` checks whether the tiles make a hand.
    """
    if not text.isascii():
        position, sign = next((at, sign) for at, sign in enumerate(text) if not sign.isascii())
        raise NotationError(position, message("text.no-meaning", said=sign))
    exposed, concealed, rest = _split_zones(text)
    first_key = next((place for place, word in enumerate(rest) if _is_key(word)), len(rest))
    return Hand(
        exposed=tuple(_read_group(word) for word in exposed),
        declared_kongs=tuple(
            _read_group(_strip_brackets(word)) for word in concealed if _is_bracketed(word)
        ),
        concealed=_read_codes(word for word in concealed if not _is_bracketed(word)),
        bonus=_read_codes(rest[:first_key]),
        **_read_keys(rest[first_key:]),
    )


def format_hand(hand: Hand) -> str:
    """Return the text of a hand; `parse_hand` returns the same hand again.

    Raises ValueError for a hand that text cannot describe: with a way of winning but no winner, or
    a set without tiles.
    """
    if hand.won_by and not hand.winner:
        raise ValueError("a hand that did not win has no way of winning")
    if not all(hand.sets_on_table):
        raise ValueError("a set without tiles has no text")
    keys = [(key.name, key.write(hand)) for key in NOTATION_KEYS]
    words = [
        *("+".join(_write_chunks(tiles)) for tiles in hand.exposed),
        "|",
        *_write_chunks(hand.concealed),
        *("[" + "+".join(_write_chunks(tiles)) + "]" for tiles in hand.declared_kongs),
        "|",
        *_write_chunks(hand.bonus),
        *(
            f"{name}={value}" if value or name not in FLAG_KEYS else name
            for name, value in keys
            if value is not None
        ),
    ]
    return " ".join(words)


def _split_zones(text: str) -> list[list[Word]]:
    """Split a line at its two bars, and each zone into words."""
    first = text.find("|") + 1
    second = text.find("|", first) + 1
    if not first or not second:
        raise NotationError(len(text), message("text.two-bars"))
    third = text.find("|", second)
    if third >= 0:
        raise NotationError(third, message("text.third-bar"))
    zones = ((0, first - 1), (first, second - 1), (second, len(text)))
    return [
        [(match.start(), match[0]) for match in _WORD.finditer(text, start, end)]
        for start, end in zones
    ]


_WORD = re.compile(r"\S+")


def _read_codes(words: Iterable[Word]) -> Codes:
    return tuple([code for word in words for code in _read_group(word)])


def _read_group(word: Word) -> Codes:
    """Read one group of tiles: `B222`, or `B22+JK`."""
    position, text = word
    if "+" not in text:
        return tuple(_read_chunk(position, text.upper()))
    codes: list[str] = []
    for chunk in text.split("+"):
        codes += _read_chunk(position, chunk.upper())
        position += len(chunk) + 1
    return tuple(codes)


def _read_chunk(position: int, text: str) -> list[str]:
    """Read a letter and its ranks."""
    if text in (FACE_DOWN, JOKER):
        return [text]
    family, ranks = text[:1], text[1:]
    if family not in RANKS:
        raise NotationError(position, message("text.no-group", known=", ".join(RANKS)))
    if not ranks:
        raise NotationError(position + 1, message("text.no-rank", letter=family))
    for offset, rank in enumerate(ranks, start=1):
        if rank not in RANKS[family]:
            raise NotationError(position + offset, message("text.no-tile", code=family + rank))
    return [family + rank for rank in ranks]


def _write_chunks(codes: Codes) -> Iterator[str]:
    """Write codes as letters with their ranks; `_read_chunk` reads each back."""
    for family, run in groupby(codes, key=lambda code: code[0] if code[0] in RANKS else code):
        if family in RANKS:
            yield family + "".join(code[1] for code in run)
        else:
            yield from run


def _is_bracketed(word: Word) -> bool:
    return word[1].startswith("[")


def _strip_brackets(word: Word) -> Word:
    position, text = word
    if not text.endswith("]"):
        raise NotationError(position, message("text.brackets"))
    return position + 1, text[1:-1]


def _is_key(word: Word) -> bool:
    return "=" in word[1] or word[1] in FLAG_KEYS


def _read_keys(words: Iterable[Word]) -> Fields:
    left = dict(_KEY_BY_NAME)
    fields: Fields = {}
    for position, text in words:
        if not _is_key((position, text)):
            raise NotationError(position, message("text.tiles-after-words"))
        name, _, value = text.partition("=")
        key = left.pop(name, None)
        if key is None:
            raise NotationError(
                position, message("text.unknown-word", said=name, known=", ".join(left))
            )
        try:
            fields |= key.read(value)
        except NotationValueError as fault:
            raise NotationError(position + len(text) - len(value), fault.reason) from None
    return fields


Fields = dict[str, Any]
"""Fields of a `Hand` by their names."""


class NotationValueError(ValueError):
    """Raised for a value that its key does not accept."""

    def __init__(self, key: str, **values: Value) -> None:
        super().__init__(key, values)
        self.reason: Message = message(key, **values)


@dataclass(frozen=True, slots=True)
class NotationKey:
    """One key of the text."""

    name: str
    read: Callable[[str], Fields]
    """Return the fields that a value sets; raise NotationValueError for a bad value."""
    write: Callable[[Hand], str | None]
    """Return the value; None for the default, which is not written."""


def _check_allowed(value: str, choices: Collection[str]) -> str:
    if value not in choices:
        raise NotationValueError("text.not-one-of", said=value, known=", ".join(choices))
    return value


def _read_ways(value: str) -> Fields:
    """Read the ways of winning, joined by +; an empty value is a win with nothing else known."""
    ways = tuple(value.split("+")) if value else ()
    for way in ways:
        _check_allowed(way, WAYS_OF_WINNING)
    if len(set(ways)) < len(ways):
        raise NotationValueError("text.way-twice")
    return {"winner": True, "won_by": ways}


def _read_winning_tile(value: str) -> Fields:
    code = value.upper()
    if code not in (*CODES, FACE_DOWN, JOKER):
        raise NotationValueError("text.no-code", said=value)
    return {"winning_tile": code}


def _read_limit(value: str) -> Fields:
    if value == "off":
        return {"limit": None}
    limit = parse_int(value, 1)
    if limit is None:
        raise NotationValueError("text.limit")
    return {"limit": limit}


def _read_choices(value: str) -> Fields:
    """Read the table's own choices, `name:on` or `name:off`, joined by +."""
    words = tuple(value.split("+"))
    for word in words:
        name, _, state = word.partition(":")
        if not name or state not in ("on", "off"):
            raise NotationValueError("text.choice", said=word)
    return {"house": words}


def _read_flag(value: str) -> bool:
    if value:
        raise NotationValueError("text.no-value")
    return True


NOTATION_KEYS: tuple[NotationKey, ...] = (
    NotationKey(
        "seat",
        lambda value: {"seat_wind": _check_allowed(value.upper(), WINDS)},
        lambda hand: hand.seat_wind,
    ),
    NotationKey(
        "round",
        lambda value: {"prevailing_wind": _check_allowed(value.upper(), WINDS)},
        lambda hand: hand.prevailing_wind,
    ),
    NotationKey("won", _read_ways, lambda hand: "+".join(hand.won_by) if hand.winner else None),
    NotationKey("with", _read_winning_tile, lambda hand: hand.winning_tile),
    NotationKey(
        "rules",
        lambda value: {"ruleset": _check_allowed(value, RULESETS)},
        lambda hand: None if hand.ruleset == "bmja" else hand.ruleset,
    ),
    NotationKey(
        "players",
        lambda value: {"players": int(_check_allowed(value, [*map(str, PLAYER_COUNTS)]))},
        lambda hand: None if hand.players == 4 else str(hand.players),
    ),
    NotationKey(
        "limit",
        _read_limit,
        lambda hand: {None: "off", 1000: None}.get(hand.limit, str(hand.limit)),
    ),
    NotationKey("house", _read_choices, lambda hand: "+".join(hand.house) or None),
    NotationKey(
        "goulash",
        lambda value: {"goulash": _read_flag(value)},
        lambda hand: "" if hand.goulash else None,
    ),
    NotationKey(
        "original-call",
        lambda value: {"original_call": _read_flag(value)},
        lambda hand: "" if hand.original_call else None,
    ),
)
"""Every key, in the order in which they are written."""

_KEY_BY_NAME = {key.name: key for key in NOTATION_KEYS}

FLAG_KEYS = frozenset({"goulash", "original-call"})
"""The keys without a value."""
