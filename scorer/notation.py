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
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from scorer.errors import NotationError
from scorer.hand import Codes, Hand
from scorer.message import message
from scorer.notation_words import FLAGS, KEYS, WordError
from scorer.tiles import FACE_DOWN, JOKER, RANKS

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
    exposed, concealed, rest = _zones(text)
    is_key = [_key_name(word) is not None for word in rest]
    first_key = is_key.index(True) if True in is_key else len(rest)
    hand = Hand(
        exposed=tuple(_tiles(word) for word in exposed),
        declared_kongs=tuple(_tiles(_unbracketed(word)) for word in concealed if _bracketed(word)),
        concealed=_codes(word for word in concealed if not _bracketed(word)),
        bonus=_codes(iter(rest[:first_key])),
    )
    return _with_keys(hand, rest[first_key:])


def format_hand(hand: Hand) -> str:
    """Return the text of a hand; `parse_hand` returns the same hand again.

    Raises ValueError for a hand that text cannot describe: with a way of winning but no winner, or
    a set without tiles.
    """
    if hand.won_by and not hand.winner:
        raise ValueError("a hand that did not win has no way of winning")
    if not all(hand.laid_down):
        raise ValueError("a set without tiles has no text")
    keys = [(key.name, key.write(hand)) for key in KEYS]
    words = [
        *("+".join(_chunks(tiles)) for tiles in hand.exposed),
        "|",
        *_chunks(hand.concealed),
        *("[" + "+".join(_chunks(tiles)) + "]" for tiles in hand.declared_kongs),
        "|",
        *_chunks(hand.bonus),
        *(
            f"{name}={value}" if value or name not in FLAGS else name
            for name, value in keys
            if value is not None
        ),
    ]
    return " ".join(words)


def _zones(text: str) -> list[list[Word]]:
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


def _codes(words: Iterator[Word]) -> Codes:
    return tuple(code for word in words for code in _tiles(word))


def _tiles(word: Word) -> Codes:
    """Read one group of tiles: `B222`, or `B22+JK`."""
    codes: list[str] = []
    at = word.at
    for chunk in word.text.split("+"):
        codes += _chunk(Word(at, chunk.upper()))
        at += len(chunk) + 1
    return tuple(codes)


def _chunk(word: Word) -> list[str]:
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


def _chunks(codes: Codes) -> Iterator[str]:
    """Write codes as letters with their ranks; `_chunk` reads each back."""
    for family, run in groupby(codes, key=lambda code: code[0] if code[0] in RANKS else code):
        if family in RANKS:
            yield family + "".join(code[1] for code in run)
        else:
            yield from run


def _bracketed(word: Word) -> bool:
    return word.text.startswith("[")


def _unbracketed(word: Word) -> Word:
    if not word.text.endswith("]"):
        raise NotationError(word.at, message("text.brackets"))
    return Word(word.at + 1, word.text[1:-1])


def _key_name(word: Word) -> str | None:
    name, equals, _ = word.text.partition("=")
    return name if equals or name in FLAGS else None


def _with_keys(hand: Hand, words: list[Word]) -> Hand:
    keys = {key.name: key for key in KEYS}
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
        except WordError as fault:
            raise NotationError(word.at + len(word.text) - len(value), fault.reason) from None
    return replace(hand, **fields) if fields else hand
