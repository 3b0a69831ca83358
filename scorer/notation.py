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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from scorer.errors import NotationError
from scorer.hand import PLAYER_COUNTS, RULESETS, WAYS_OF_WINNING, Codes, Hand
from scorer.message import Message, Value, message
from scorer.parsing import parse_int
from scorer.tiles import CODES, FACE_DOWN, JOKER, RANKS, WINDS

__all__ = ["NotationError", "format_hand", "parse_hand"]


class Word(NamedTuple):
    """A run of characters between blanks and bars, and its position in the line."""

    at: int
    text: str


def parse_hand(text: str) -> Hand:
    """Return the hand that a line describes; raise NotationError where it cannot be read.

    `scorer.score` checks whether the tiles make a hand.
    """
    for at, character in enumerate(text):
        if not character.isascii():
            raise NotationError(at, message("text.no-meaning", said=character))
    exposed, concealed, rest = _split_zones(text)
    is_key = [_key_name(word) is not None for word in rest]
    first_key = is_key.index(True) if True in is_key else len(rest)
    hand = Hand(
        exposed=tuple(_read_group(word) for word in exposed),
        declared_kongs=tuple(
            _read_group(_strip_brackets(word)) for word in concealed if _is_bracketed(word)
        ),
        concealed=_read_codes(word for word in concealed if not _is_bracketed(word)),
        bonus=_read_codes(iter(rest[:first_key])),
    )
    return _apply_keys(hand, rest[first_key:])


def format_hand(hand: Hand) -> str:
    """Return the text of a hand; `parse_hand` returns the same hand again.

    Raises ValueError for a hand that text cannot describe: with a way of winning but no winner, or
    a set without tiles.
    """
    if hand.won_by and not hand.winner:
        raise ValueError("a hand that did not win has no way of winning")
    if not all(hand.laid_down):
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
    zones: list[list[Word]] = [[]]
    for match in re.finditer(r"\||[^\s|]+", text):
        if match[0] != "|":
            zones[-1].append(Word(match.start(), match[0]))
        elif len(zones) < 3:
            zones.append([])
        else:
            raise NotationError(match.start(), message("text.third-bar"))
    if len(zones) < 3:
        raise NotationError(len(text), message("text.two-bars"))
    return zones


def _read_codes(words: Iterator[Word]) -> Codes:
    return tuple(code for word in words for code in _read_group(word))


def _read_group(word: Word) -> Codes:
    """Read one group of tiles: `B222`, or `B22+JK`."""
    codes: list[str] = []
    at = word.at
    for chunk in word.text.split("+"):
        codes += _read_chunk(Word(at, chunk.upper()))
        at += len(chunk) + 1
    return tuple(codes)


def _read_chunk(word: Word) -> list[str]:
    """Read a letter and its ranks."""
    if word.text in (FACE_DOWN, JOKER):
        return [word.text]
    family, ranks = word.text[:1], word.text[1:]
    if family not in RANKS:
        kinds = ", ".join(RANKS)
        raise NotationError(word.at, message("text.no-group", known=kinds))
    if not ranks:
        raise NotationError(word.at + 1, message("text.no-rank", letter=family))
    for offset, rank in enumerate(ranks, start=1):
        if rank not in RANKS[family]:
            raise NotationError(word.at + offset, message("text.no-tile", code=family + rank))
    return [family + rank for rank in ranks]


def _write_chunks(codes: Codes) -> Iterator[str]:
    """Write codes as letters with their ranks; `_read_chunk` reads each back."""
    for family, run in groupby(codes, key=lambda code: code[0] if code[0] in RANKS else code):
        if family in RANKS:
            yield family + "".join(code[1] for code in run)
        else:
            yield from run


def _is_bracketed(word: Word) -> bool:
    return word.text.startswith("[")


def _strip_brackets(word: Word) -> Word:
    if not word.text.endswith("]"):
        raise NotationError(word.at, message("text.brackets"))
    return Word(word.at + 1, word.text[1:-1])


def _key_name(word: Word) -> str | None:
    name, equals, _ = word.text.partition("=")
    return name if equals or name in FLAG_KEYS else None


def _apply_keys(hand: Hand, words: list[Word]) -> Hand:
    keys = {key.name: key for key in NOTATION_KEYS}
    fields: dict[str, Any] = {}
    for word in words:
        name = _key_name(word)
        if name is None:
            raise NotationError(word.at, message("text.tiles-after-words"))
        if name not in keys:
            left = ", ".join(keys)
            raise NotationError(word.at, message("text.unknown-word", said=name, known=left))
        value = word.text[len(name) + 1 :]
        try:
            fields |= keys.pop(name).read(value)
        except NotationValueError as fault:
            raise NotationError(word.at + len(word.text) - len(value), fault.reason) from None
    return replace(hand, **fields) if fields else hand


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


def _check_allowed(value: str, allowed: Iterable[str]) -> str:
    allowed = list(allowed)
    if value not in allowed:
        raise NotationValueError("text.not-one-of", said=value, known=", ".join(allowed))
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
        lambda value: {"players": int(_check_allowed(value, map(str, PLAYER_COUNTS)))},
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

FLAG_KEYS = frozenset({"goulash", "original-call"})
"""The keys without a value."""
