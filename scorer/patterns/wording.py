"""What a pattern says, in words.

>>> from scorer.message import to_english
>>> to_english(describe_pattern("x1-9, pung/kong y, pair z"))
'1 to 9 of one suit, a pung or kong of a second suit and a pair of the third suit.'
>>> to_english(describe_pattern("each major, tile major"))
'One of each 1, 9 and honour and one tile of 1s, 9s or honours.'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import groupby

from scorer.message import Message, message
from scorer.patterns.notation import (
    TILE_CLASSES,
    Part,
    WrittenTiles,
    parse_pattern,
    ranks_named,
    suits_named,
)
from scorer.tiles import SUITS

MIN_RUN_RANKS = 3
"""Fewer ranks in a row are said one by one."""


def describe_pattern(text: str) -> Message:
    """Return what a pattern says, in a sentence; raise PatternError when it is none."""
    versions = parse_pattern(text)
    sentence = message("pattern.sentence", what=reduce(_or_else, map(_describe_version, versions)))
    for note in _notes(versions):
        sentence = message("pattern.with-note", sentence=sentence, note=message(f"pattern.{note}"))
    return sentence


def _notes(versions: Sequence[tuple[Part, ...]]) -> Iterator[str]:
    """Yield the keys of what the parts of a pattern do not say by themselves."""
    parts = [part for version in versions for part in version]
    if any(tiles.step for part in parts for tiles in part.tiles):
        yield "no-rank-above"
    if any("chow" in part.kinds for part in parts) and all(map(_may_be_pungs, versions)):
        yield "chows-as-usual"


def _may_be_pungs(parts: tuple[Part, ...]) -> bool:
    """Whether each part of a version is a pair, or a set that may be a pung or a kong."""
    return all(
        part.kinds == ("pair",) or {"pung", "kong"}.intersection(part.kinds) for part in parts
    )


def _or_else(first: Message, other: Message) -> Message:
    return message("pattern.or-else", first=first, other=other)


def _describe_version(parts: tuple[Part, ...]) -> Message:
    variables = _Variables(parts)
    return message("pattern.parts", parts=tuple(_describe_part(part, variables) for part in parts))


class _Variables:
    """The suits and ranks that letters stand for: `one suit`, and later `the first suit`."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._counts = {"suit": len(suits_named(parts)), "rank": len(ranks_named(parts))}
        self._letters: dict[str, list[str]] = {"suit": [], "rank": []}

    def suit(self, letter: str) -> Message:
        """Return the name of a suit."""
        if letter in SUITS:
            return message(f"pattern.suit.{letter}")
        return self._mention("suit", letter)

    def rank(self, letter: str, step: int) -> Message:
        """Return the name of a rank, or of the one so far above it."""
        rank = self._mention("rank", letter)
        if not step:
            return rank
        place = self._letters["rank"].index(letter) + 1
        return message(f"pattern.rank-above.{place}", count=step)

    def _mention(self, subject: str, letter: str) -> Message:
        letters = self._letters[subject]
        if letter not in letters:
            letters.append(letter)
            return message(f"pattern.{subject}-new.{len(letters)}")
        place = str(letters.index(letter) + 1) if self._counts[subject] > 1 else "alone"
        return message(f"pattern.{subject}-again.{place}")


def _describe_part(part: Part, variables: _Variables) -> Message:
    if part.kinds:
        kinds = "-".join(part.kinds)
        tile_names = [
            _describe_tiles(each, variables, is_choice=not part.each) for each in part.tiles
        ]
        tiles = _join_by_or(tile_names) if tile_names else message("pattern.class.suit")
        if part.each:
            tiles = _describe_each(part.tiles, tiles)
        return message(f"pattern.groups.{kinds}", count=part.count, tiles=tiles)
    if part.each:
        tiles = _describe_tiles(part.tiles[0], variables, is_choice=False)
        return message("pattern.one-of-each", tiles=_describe_each(part.tiles, tiles))
    needed_names = tuple(_describe_tiles(each, variables, is_choice=False) for each in part.tiles)
    return message("pattern.all", tiles=needed_names)


def _describe_each(tiles: tuple[WrittenTiles, ...], text: Message) -> Message:
    if len(tiles) == 1 and tiles[0].text in TILE_CLASSES:
        return message(f"pattern.each-class.{tiles[0].text}")
    return message("pattern.each", tiles=text)


def _describe_tiles(tiles: WrittenTiles, variables: _Variables, *, is_choice: bool) -> Message:
    """Return the name of tiles; of ranks and honours all are meant, or any of them."""
    if tiles.text in TILE_CLASSES:
        return message(f"pattern.class.{tiles.text}")
    if tiles.codes and is_choice:
        code_names = _join_by_or([message(f"tiles.{code}") for code in tiles.codes])
        return message("pattern.any-of-these", tiles=code_names)
    if tiles.codes:
        return message("pattern.all", tiles=tuple(message(f"tile.{code}") for code in tiles.codes))
    if tiles.rank_variable:
        ranks = variables.rank(tiles.rank_variable, tiles.step)
    elif tiles.ranks:
        names = [*_name_ranks(tiles.ranks)]
        ranks = _join_by_or(names) if is_choice else message("pattern.all", tiles=tuple(names))
    else:
        return variables.suit(tiles.suit)
    key = "any-of-suit" if is_choice else "of-suit"
    return message(f"pattern.{key}", ranks=ranks, suit=variables.suit(tiles.suit))


def _name_ranks(ranks: str) -> Iterator[Message]:
    """Yield ranks, those in a row together and equal ones together: `1 to 9`, `3 times 1`."""
    if len(set(ranks)) == 1 < len(ranks):
        yield message("pattern.copies", count=len(ranks), rank=_name_rank(ranks[0]))
        return
    rows = groupby(enumerate(map(int, ranks)), key=lambda place: place[1] - place[0])
    for row in ([rank for _, rank in places] for _, places in rows):
        if len(row) >= MIN_RUN_RANKS:
            yield message("pattern.run", first=_name_rank(row[0]), last=_name_rank(row[-1]))
        else:
            yield from map(_name_rank, row)


def _name_rank(rank: int | str) -> Message:
    return message(f"pattern.rank.{rank}")


def _join_by_or(texts: Sequence[Message]) -> Message:
    """Return these joined by `or`."""
    *rest, last = texts
    return message("pattern.or", first=reduce(_comma, rest), other=last) if rest else last


def _comma(first: Message, other: Message) -> Message:
    return message("pattern.comma", first=first, other=other)
