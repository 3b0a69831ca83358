"""Read the pattern of a special hand: parts with commas between them, versions with semicolons.

A part is tiles alone, which are all needed, or groups: their number, their kind, and the tiles that
each may be of. `docs/special-hands.md` explains the notation with examples.

>>> [str(part) for part in parse_pattern("4 pungs/kongs x/honour, pair x/honour")[0]]
['4 pung/kong x/honour', 'pair x/honour']
>>> parse_pattern("x1-9, pung y, pare z")
Traceback (most recent call last):
scorer.patterns.notation.PatternError: "pare" is no kind of group and no tiles. Did you mean "pair"?
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from scorer.errors import RefusalError
from scorer.message import Message, message, to_english
from scorer.tiles import CODES, RANKS, SUITS, Tile

GroupKind = Literal["tile", "pair", "couple", "triplet", "chow", "pung", "kong"]
"""A group of tiles. A couple is one rank in two suits, a triplet one rank in all three."""

GROUP_KINDS: tuple[GroupKind, ...] = get_args(GroupKind)

TILES_BY_KIND = MappingProxyType[GroupKind, int](
    {"tile": 1, "pair": 2, "couple": 2, "triplet": 3, "chow": 3, "pung": 3, "kong": 4}
)
"""The tiles of each kind of group."""

SUIT_VARIABLES = ("x", "y", "z")
"""Letters for suits; each stands for another suit, the same throughout the hand."""

RANK_VARIABLES = ("n", "m")
"""Letters for ranks; each stands for another rank, the same throughout the hand."""

GREEN_CODES = frozenset({"DG", "B2", "B3", "B4", "B6", "B8"})
"""The tiles of Imperial jade (BMJA-S18)."""

_PLAYING_TILES = tuple(tile for tile in map(Tile.parse, CODES) if not tile.is_bonus)

TILE_CLASSES = MappingProxyType[str, tuple[str, ...]](
    {
        name: tuple(tile.code for tile in _PLAYING_TILES if belongs(tile))
        for name, belongs in (
            ("any", lambda tile: True),
            ("suit", lambda tile: tile.is_suit),
            ("honour", lambda tile: tile.is_honour),
            ("wind", lambda tile: tile.family == "W"),
            ("dragon", lambda tile: tile.family == "D"),
            ("terminal", lambda tile: tile.is_terminal),
            ("major", lambda tile: tile.is_major),
            ("minor", lambda tile: tile.is_minor),
            ("green", lambda tile: tile.code in GREEN_CODES),
        )
    }
)
"""The words for classes of tiles, and the tiles of each in the order of a hand."""

MAX_PATTERN_CHARS = 500
MAX_GROUPS_OF_A_PART = 14


class PatternError(RefusalError, ValueError):
    """Raised for a text that is no pattern, with everything that is wrong with it."""

    def __init__(self, *faults: Message) -> None:
        super().__init__(faults)
        self.faults = faults

    def __str__(self) -> str:
        return " ".join(map(to_english, self.faults))


def _refuse(kind: str, **values: str | int) -> PatternError:
    return PatternError(message(f"pattern-fault.{kind}", **values))


def suggest(text: Message, word: object, known_words: Iterable[str]) -> Message:
    """Return a sentence about a wrong word, with the nearest known word where one is near."""
    matches = get_close_matches(word, list(known_words), n=1) if isinstance(word, str) else []
    return message("ruleset-file.did-you-mean", what=text, near=matches[0]) if matches else text


class WrittenTiles(NamedTuple):
    """Some tiles as written: a class, tiles of a suit, winds or dragons."""

    text: str
    codes: tuple[str, ...] = ()
    """The tiles of a class, or winds and dragons, with repeats; empty for tiles of a suit."""
    suit: str = ""
    """A suit letter or a suit variable."""
    ranks: str = ""
    """The ranks in that suit, with repeats; empty when a variable says the rank."""
    rank_variable: str = ""
    step: int = 0
    """How far above the rank variable."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a pattern."""

    kinds: tuple[GroupKind, ...]
    """What each group may be; empty for tiles that are all needed."""
    tiles: tuple[WrittenTiles, ...]
    """Groups may be of any of these; a part without a kind needs all of them."""
    count: int = 1
    each: bool = False
    """One group for each of the tiles."""

    def __str__(self) -> str:
        """Return the part in its shortest form."""
        words = [str(self.count)] if self.count > 1 else []
        words += ["/".join(self.kinds)] if self.kinds else []
        words += ["each"] if self.each else []
        separator = "/" if self.kinds else " "
        words += [separator.join(each.text for each in self.tiles)] if self.tiles else []
        return " ".join(words)


def parse_pattern(text: str) -> tuple[tuple[Part, ...], ...]:
    """Return the parts of each version of a pattern; raise PatternError when it is none."""
    if len(text) > MAX_PATTERN_CHARS:
        raise _refuse("too-long", most=MAX_PATTERN_CHARS)
    faults: dict[Message, None] = {}
    versions = tuple(tuple(_parse_version(each, faults)) for each in text.split(";"))
    if faults:
        raise PatternError(*faults)
    return versions


def _parse_version(text: str, faults: dict[Message, None]) -> Iterator[Part]:
    """Yield the parts of a version; what is wrong with a part is added to the faults."""
    for piece in text.split(","):
        try:
            yield _parse_part(piece.split())
        except PatternError as failure:
            faults.update(dict.fromkeys(failure.faults))


def _parse_part(words: list[str]) -> Part:
    if not words:
        raise _refuse("no-part")
    count = 1
    if words[0].isdecimal():
        count = int(words[0])
        words = words[1:]
        if not 1 <= count <= MAX_GROUPS_OF_A_PART or not words or words[0] == "each":
            raise _refuse("number-alone", count=count)
    kinds = _parse_kinds(words[0])
    if not kinds:
        if count > 1:
            raise _unknown_word(words[0])
        return _parse_all_needed(words)
    is_each = words[1:2] == ["each"]
    rest = words[2:] if is_each else words[1:]
    if len(rest) > 1:
        raise _refuse("no-sign-between", words="/".join(rest))
    tiles = tuple(map(_parse_tiles, rest[0].split("/"))) if rest else ()
    part = Part(kinds, tiles, count, is_each)
    _check_part(part)
    return part


def _parse_kinds(word: str) -> tuple[GroupKind, ...]:
    """Return the kinds of group that a word names, with or without a plural s."""
    names = [name.removesuffix("s") for name in word.split("/")]
    kinds = tuple(kind for kind in GROUP_KINDS if kind in names)
    if kinds and len(kinds) < len(names):
        unknown_name = next(name for name in names if name not in GROUP_KINDS)
        raise _unknown_word(unknown_name)
    return kinds


def _parse_all_needed(words: list[str]) -> Part:
    if words[0] == "each":
        if len(words) != 2:
            raise _refuse("each-of-nothing")
        return Part((), (_parse_tiles(words[1]),), each=True)
    tiles = tuple(map(_parse_tiles, words))
    for each in tiles:
        if each.text in TILE_CLASSES or (each.suit and not each.ranks + each.rank_variable):
            raise _refuse("no-certain-tiles", word=each.text)
    return Part((), tiles)


def _check_part(part: Part) -> None:
    knitted_kinds = {"couple", "triplet"} & set(part.kinds)
    name = "/".join(part.kinds)
    if knitted_kinds and len(part.kinds) > 1:
        raise _refuse("couple-or-other", kinds=name)
    if knitted_kinds and (
        part.each or any(t.codes or t.ranks or t.rank_variable for t in part.tiles)
    ):
        raise _refuse("couple-of-suits", kinds=name)
    if not knitted_kinds and not part.tiles:
        raise _refuse("no-tiles", kinds=name)
    if {"tile", "pair"} & set(part.kinds) and len(part.kinds) > 1:
        raise _refuse("no-choice", kinds=name)


_SUIT_TILES = re.compile(r"([BCOxyz])(?:([nm])(?:\+([1-8]))?|([1-9](?:-?[1-9])*))?")
_HONOUR_TILES = re.compile(r"W([ESWN]+)|D([RGW]+)")


def _parse_tiles(word: str) -> WrittenTiles:
    """Return tiles: a class, `x`, `x1-9`, `xn+1`, `B1579`, `WESWN`, `DRG`."""
    if word.removesuffix("s") in TILE_CLASSES:
        name = word.removesuffix("s")
        return WrittenTiles(name, TILE_CLASSES[name])
    if match := _SUIT_TILES.fullmatch(word):
        suit, variable, step, ranks = match.groups(default="")
        return WrittenTiles(word, (), suit, "".join(_spread_ranks(ranks)), variable, int(step or 0))
    if match := _HONOUR_TILES.fullmatch(word):
        return WrittenTiles(word, tuple(word[0] + rank for rank in word[1:]))
    raise _unknown_word(word)


def _spread_ranks(text: str) -> Iterator[str]:
    """Yield the ranks of a text such as `1112-8999`, where `2-8` stands for all from 2 to 8."""
    for first, last in re.findall(r"([1-9])(?:-([1-9]))?", text):
        if last and last <= first:
            raise _refuse("downwards", first=first, last=last)
        yield from RANKS["B"][int(first) - 1 : int(last or first)]


def _unknown_word(word: str) -> PatternError:
    text, known_words = (
        message("pattern-fault.unknown-word", word=word),
        (*GROUP_KINDS, *TILE_CLASSES),
    )
    for other in (word.lower(), word.upper()):  # x1-9 for X1-9, and B1-9 for b1-9
        if _SUIT_TILES.fullmatch(other) or _HONOUR_TILES.fullmatch(other):
            return PatternError(suggest(text, other, (other,)))
    return PatternError(suggest(text, word, (*known_words, "each")))


def is_suit_variable(letter: str) -> bool:
    """Return whether a letter stands for any suit."""
    return letter in SUIT_VARIABLES


def suits_named(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return the suit variables of a pattern."""
    suits = {tiles.suit for part in parts for tiles in part.tiles} - {*SUITS}
    return tuple(letter for letter in SUIT_VARIABLES if letter in suits)


def ranks_named(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return the rank variables of a pattern."""
    ranks = {tiles.rank_variable for part in parts for tiles in part.tiles}
    return tuple(letter for letter in RANK_VARIABLES if letter in ranks)
