"""A second reading of the notation of special hands, by brute force over the tiles.

It shares nothing with `scorer.patterns`: every choice of suits and ranks is tried, and within it
every way to take the groups out of the tiles, one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, permutations
from random import Random

from tests.scorer.oracle.groups import (
    DRAGON_TILES,
    HONOURS,
    MAJORS,
    PLAYING_CODES,
    SUIT_TILES,
    TERMINALS,
    WIND_TILES,
    shapes,
)

CLASSES = {
    "any": PLAYING_CODES,
    "suit": SUIT_TILES,
    "honour": HONOURS,
    "wind": WIND_TILES,
    "dragon": DRAGON_TILES,
    "terminal": TERMINALS,
    "major": MAJORS,
    "minor": tuple(tile for tile in SUIT_TILES if tile not in TERMINALS),
    "green": ("B2", "B3", "B4", "B6", "B8", "DG"),
}
ORACLE_KIND = {"couple": "knit-pair", "triplet": "knit-triplet"}
Need = tuple[tuple[str, ...], tuple[str, ...]]
"""Kinds and tiles of one group; the kind `tile` is one tile."""


def is_of_pattern(pattern: str, tiles: tuple[str, ...]) -> bool:
    """Return whether these tiles, without wild ones, are a hand of the pattern."""
    return any(_is_of_version(version, tiles) for version in pattern.split(";"))


def _is_of_version(pattern: str, tiles: tuple[str, ...]) -> bool:
    return any(
        set(tiles) <= allowed
        and _has_each_suit(pattern, letters, tiles)
        and _take(list(needs), Counter(tiles))
        for letters, needs, allowed in _readings(pattern)
    )


@cache
def _readings(pattern: str) -> list[tuple[Mapping[str, str], list[Need], set[str]]]:
    """Return each choice of letters, the groups with the fewest tiles first, and all its tiles."""
    return [
        (letters, sorted(needs, key=lambda need: len(need[1])), {t for _, of in needs for t in of})
        for letters in choices_of_letters(pattern)
        for needs in [needs_of(pattern, letters)]
        if needs is not None
    ]


def choices_of_letters(pattern: str) -> Iterator[Mapping[str, str]]:
    """Yield every choice of suits, and of ranks if the pattern names any."""
    ranks = [*permutations("123456789", 2)] if re.search("[BCOxyz][nm]", pattern) else [("1", "2")]
    for suits in permutations("BCO"):
        for pair in ranks:
            yield dict(zip("xyznm", (*suits, *pair), strict=True))


def _has_each_suit(pattern: str, letters: Mapping[str, str], tiles: tuple[str, ...]) -> bool:
    return named_suits(pattern, letters) <= {tile[0] for tile in tiles}


def named_suits(pattern: str, letters: Mapping[str, str]) -> set[str]:
    """Return the suits that the pattern's letters stand for."""
    return {letters[letter] for letter in re.findall(r"(?<![a-z])[xyz]", pattern)}


def needs_of(pattern: str, letters: Mapping[str, str]) -> list[Need] | None:
    """Return every group of the pattern; None when a rank would be above 9."""
    needs: list[Need] = []
    for part in pattern.split(","):
        words = part.split()
        count = int(words.pop(0)) if words[0].isdigit() else 1
        kinds = tuple(word.rstrip("s") for word in words[0].split("/"))
        if kinds[0] not in ("tile", "pair", "couple", "triplet", "chow", "pung", "kong"):
            for word in words[words[0] == "each" :]:
                tiles = tiles_of(word, letters)
                if tiles is None:
                    return None
                needs += [(("tile",), (tile,)) for tile in tiles]
            continue
        is_each = words[1:2] == ["each"]
        faces: list[str] = []
        for word in words[-1].split("/") if len(words) > 1 else ["suit"]:
            tiles = tiles_of(word, letters)
            if tiles is None:
                return None
            faces += tiles
        needs += (
            [(kinds, (tile,)) for tile in faces] if is_each else [(kinds, tuple(faces))] * count
        )
    return needs


def tiles_of(word: str, letters: Mapping[str, str]) -> list[str] | None:
    """Return the tiles that a word stands for."""
    if word.rstrip("s") in CLASSES:
        return list(CLASSES[word.rstrip("s")])
    if word[0] in "WD":
        return [word[0] + rank for rank in word[1:]]
    suit, rest = letters.get(word[0], word[0]), word[1:]
    if rest[:1] in letters:
        rank = int(letters[rest[0]]) + int(rest[2:] or 0)
        return [f"{suit}{rank}"] if rank <= 9 else None
    for first, last in re.findall(r"(\d)-(\d)", rest):
        run = "".join(str(rank) for rank in range(int(first), int(last) + 1))
        rest = rest.replace(f"{first}-{last}", run)
    return [suit + rank for rank in rest or "123456789"]


def _take(needs: list[Need], left: Counter[str]) -> bool:
    """Return whether the first group can be taken out, and then all others."""
    if not needs:
        return not left.total()
    kinds, faces = needs[0]
    tiles_left = tuple(tile for tile in faces if tile in left)
    return any(
        _take(needs[1:], left - group)
        for tiles in {tiles for kind in kinds for tiles in _groups(kind, tiles_left)}
        for group in [Counter(tiles)]
        if group <= left
    )


def _groups(kind: str, faces: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for tile in dict.fromkeys(faces):
        if kind == "tile":
            yield (tile,)
        for tiles in shapes(tile, ORACLE_KIND.get(kind, kind)):
            if kind != "tile" and set(tiles) <= set(faces):
                yield tuple(sorted(tiles))


def deal_hand(pattern: str, rng: Random) -> tuple[str, ...] | None:
    """Return a random hand of the pattern, without kongs; None when the dice are unlucky."""
    letters = rng.choice([*choices_of_letters(pattern)])
    tiles: list[str] = []
    for kinds, faces in needs_of(pattern, letters) or ():
        choices = [group for kind in kinds if kind != "kong" for group in _groups(kind, faces)]
        if not choices:
            return None
        tiles += rng.choice(choices)
    hand = tuple(tiles)
    is_full = len(hand) == 14 and max(Counter(hand).values()) <= 4
    return hand if is_full and _has_each_suit(pattern, letters, hand) else None


PARTS = (
    "x11, x2-9", "x1-9", "y1-7", "x1-7", "each wind", "each dragon", "each honour", "tile wind",
    "tile x", "pung y", "pung/kong z", "pair z", "pair x", "pair any", "4 pungs x/honour",
    "pair x/honour", "3 couples", "couple x/y", "2 triplets", "4 triplets", "couple", "chow x",
    "chow y", "chow z", "B1111", "pair each B23468", "pung xn", "pung yn", "pung zn", "pung any",
    "3 pungs terminal", "pair green", "2 pairs major", "7 pairs minor", "xn", "xn+1", "yn+2",
    "pung xm", "pair ym+1", "x13579", "y2468", "WESWN", "DRG", "tile major", "each major",
    "2 pungs honour", "pair dragon", "pung O5", "7 pairs x/honour", "5 pairs y/wind",
    "pair C19/DW", "4 pungs/kongs suit",
)  # fmt: skip
"""Parts that random patterns are made of."""


def random_pattern(rng: Random) -> str:
    """Return some parts, which need not make fourteen tiles."""
    return ", ".join(rng.sample(PARTS, rng.randint(1, 5)))


WILDS_OF_KIND = {"tile": 1, "chow": 3, "kong": 2}
"""Wild tiles that a group may hold (BMJA-G05); of any other kind one."""


def is_of_pattern_with_wilds(pattern: str, tiles: tuple[str, ...], wilds: int) -> bool:
    """Return whether these tiles, with so many wild ones, are a hand of the pattern.

    Single tiles of one face count as a pair, a pung or a kong.
    """
    return any(
        set(tiles) <= allowed
        and _fill(needs, Counter(tiles), wilds, (), named_suits(version, letters))
        for version in pattern.split(";")
        for letters, needs, allowed in _readings(version)
    )


def _fill(
    needs: list[Need],
    left: Counter[str],
    wilds: int,
    groups: tuple[tuple[str, ...], ...],
    names: set[str],
    last_group: tuple[str, ...] = (),
) -> bool:
    """Return whether the groups can be filled one by one; single tiles are judged at the end.

    Of equal groups, none has tiles before those of the one that was filled last: `last_group`.
    """
    if not needs:
        suits = {tile[0] for tiles in groups for tile in tiles}
        return not left.total() and not wilds and names <= suits and _may_be_wild(groups)
    kinds, faces = needs[0]
    if not left.keys() <= {tile for _, faces in needs for tile in faces}:
        return False
    equal = len(needs) > 1 and needs[1] == needs[0]
    for kind in kinds:
        if kind == "kong":
            continue  # four alike that nobody declared are no kong
        for tiles in dict.fromkeys(_groups(kind, faces)):
            for shortage in _choose_missing(tiles, left, min(wilds, WILDS_OF_KIND.get(kind, 1))):
                rest, wilds_left = left - (Counter(tiles) - shortage), wilds - shortage.total()
                single = (tiles[0], "wild" if shortage else "natural")
                next_groups = (*groups, single if kind == "tile" else tiles)
                if tiles >= last_group and _fill(
                    needs[1:], rest, wilds_left, next_groups, names, tiles if equal else ()
                ):
                    return True
    return False


def _choose_missing(
    tiles: tuple[str, ...], left: Counter[str], maximum: int
) -> Iterator[Counter[str]]:
    """Yield every choice of the tiles of a group that wild tiles stand for."""
    for count in range(maximum + 1):
        for chosen in {tuple(sorted(each)) for each in combinations(tiles, count)}:
            if Counter(tiles) - Counter(chosen) <= left:
                yield Counter(chosen)


def _may_be_wild(groups: tuple[tuple[str, ...], ...]) -> bool:
    """Return whether equal single tiles, taken as a group, are not wild too often."""
    singles = Counter(tiles[0] for tiles in groups if tiles[1:] in (("natural",), ("wild",)))
    return all(
        held == 1 or (held <= 4 and groups.count((face, "wild")) <= (2 if held == 4 else 1))
        for face, held in singles.items()
    )
