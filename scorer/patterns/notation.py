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
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

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

MAX_PATTERN_CHARS = 200
MAX_GROUPS_OF_A_PART = 14


class PatternError(ValueError):
    """Raised for a text that is no pattern; the message says what is wrong."""


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
        between = "/" if self.kinds else " "
        words += [between.join(each.text for each in self.tiles)] if self.tiles else []
        return " ".join(words)


def parse_pattern(text: str) -> tuple[tuple[Part, ...], ...]:
    """Return the parts of each version of a pattern; raise PatternError when it is none."""
    if len(text) > MAX_PATTERN_CHARS:
        raise PatternError(f"A pattern has at most {MAX_PATTERN_CHARS} characters.")
    return tuple(map(_parse_version, text.split(";")))


def _parse_version(text: str) -> tuple[Part, ...]:
    pieces = [piece.split() for piece in text.split(",")]
    if not all(pieces):
        raise PatternError("A part is missing: write parts with a comma between each two of them.")
    return tuple(map(_parse_part, pieces))


def _parse_part(words: list[str]) -> Part:
    count = 1
    if words[0].isdecimal():
        count = int(words[0])
        words = words[1:]
        if not 1 <= count <= MAX_GROUPS_OF_A_PART or not words or words[0] == "each":
            raise PatternError(f'"{count}" needs a kind of group behind it, such as 4 pungs any.')
    kinds = _parse_kinds(words[0])
    if not kinds:
        if count > 1:
            raise PatternError(_unknown_word(words[0]))
        return _parse_all_needed(words)
    each = words[1:2] == ["each"]
    rest = words[2:] if each else words[1:]
    if len(rest) > 1:
        raise PatternError(f'Write "{"/".join(rest)}" with / for "or", or a comma between parts.')
    tiles = tuple(map(_parse_tiles, rest[0].split("/"))) if rest else ()
    part = Part(kinds, tiles, count, each)
    _check_part(part)
    return part


def _parse_kinds(word: str) -> tuple[GroupKind, ...]:
    """Return the kinds of group that a word names, with or without a plural s."""
    names = [name.removesuffix("s") for name in word.split("/")]
    kinds = tuple(kind for kind in GROUP_KINDS if kind in names)
    if kinds and len(kinds) < len(names):
        unknown = next(name for name in names if name not in GROUP_KINDS)
        raise PatternError(_unknown_word(unknown))
    return kinds


def _parse_all_needed(words: list[str]) -> Part:
    if words[0] == "each":
        if len(words) != 2:
            raise PatternError('"each" needs one class of tiles behind it, such as each wind.')
        return Part((), (_parse_tiles(words[1]),), each=True)
    tiles = tuple(map(_parse_tiles, words))
    for each in tiles:
        if each.text in TILE_CLASSES or (each.suit and not each.ranks + each.rank_variable):
            raise PatternError(
                f'"{each.text}" says no certain tiles: write each {each.text} for one of each, or '
                f"tile {each.text} for any one."
            )
    return Part((), tiles)


def _check_part(part: Part) -> None:
    knitted = {"couple", "triplet"} & set(part.kinds)
    name = "/".join(part.kinds)
    if knitted and len(part.kinds) > 1:
        raise PatternError(f'"{name}": a couple or a triplet stands alone, without another kind.')
    if knitted and (part.each or any(t.codes or t.ranks or t.rank_variable for t in part.tiles)):
        raise PatternError(f'"{name}" may be of suits only, such as couple x/y, or of any.')
    if not knitted and not part.tiles:
        raise PatternError(f'"{name}" needs tiles behind it, such as {name} any.')
    if {"tile", "pair"} & set(part.kinds) and len(part.kinds) > 1:
        raise PatternError(f'"{name}": only chow, pung and kong may be chosen between.')


_SUIT_TILES = re.compile(r"([BCOxyz])(?:([nm])(?:\+([1-8]))?|([1-9](?:-?[1-9])*))?")
_HONOUR_TILES = re.compile(r"W([ESWN]+)|D([RGW]+)")


def _parse_tiles(word: str) -> WrittenTiles:
    """Return tiles: a class, `x`, `x1-9`, `xn+1`, `B1579`, `WESWN`, `DRG`."""
    if word.removesuffix("s") in TILE_CLASSES:
        name = word.removesuffix("s")
        return WrittenTiles(name, TILE_CLASSES[name])
    if found := _SUIT_TILES.fullmatch(word):
        suit, variable, step, ranks = found.groups(default="")
        return WrittenTiles(word, (), suit, "".join(_spread_ranks(ranks)), variable, int(step or 0))
    if found := _HONOUR_TILES.fullmatch(word):
        return WrittenTiles(word, tuple(word[0] + rank for rank in word[1:]))
    raise PatternError(_unknown_word(word))


def _spread_ranks(text: str) -> Iterator[str]:
    """Yield the ranks of a text such as `1112-8999`, where `2-8` stands for all from 2 to 8."""
    for first, last in re.findall(r"([1-9])(?:-([1-9]))?", text):
        if last and last <= first:
            raise PatternError(f'"{first}-{last}" must run upwards, such as {last}-{first}.')
        yield from RANKS["B"][int(first) - 1 : int(last or first)]


def _unknown_word(word: str) -> str:
    known = [*GROUP_KINDS, *TILE_CLASSES, "each"]
    near = get_close_matches(word, known, n=1)
    return f'"{word}" is no kind of group and no tiles.' + (
        f' Did you mean "{near[0]}"?' if near else ""
    )


def is_suit_variable(letter: str) -> bool:
    """Return whether a letter stands for any suit."""
    return letter in SUIT_VARIABLES


def suits_named(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return the suit variables of a pattern."""
    named = {tiles.suit for part in parts for tiles in part.tiles} - {*SUITS}
    return tuple(letter for letter in SUIT_VARIABLES if letter in named)


def ranks_named(parts: tuple[Part, ...]) -> tuple[str, ...]:
    """Return the rank variables of a pattern."""
    named = {tiles.rank_variable for part in parts for tiles in part.tiles}
    return tuple(letter for letter in RANK_VARIABLES if letter in named)
