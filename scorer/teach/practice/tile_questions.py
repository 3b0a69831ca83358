"""Rounds of questions about single tiles: their names, and the owners of flowers and seasons.

>>> question = make_tile_round("suits", 7)[0]
>>> question.choices[question.right] == question.code
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random
from types import MappingProxyType
from typing import Literal

from scorer.hand import Codes
from scorer.predicates.bonus_tests import own_bonus_number
from scorer.tiles import BY_CODE, CODES, RANKS, SUITS, WINDS, Tile

QUESTIONS_PER_ROUND = 10
"""The number of questions of a round."""

CHOICES_PER_QUESTION = 4

_TileAsked = Literal["name", "whose"]
"""What is asked about a tile: its name, or the owner of a flower or season."""


@dataclass(frozen=True, slots=True)
class TileLevel:
    """Tiles that are practised together."""

    key: str
    codes: Codes
    subject: _TileAsked = "name"


@dataclass(frozen=True, slots=True)
class TileQuestion:
    """One tile, and four answers, one of them right."""

    code: str
    subject: _TileAsked
    choices: Codes
    """Tile codes; or the letters of the winds, when the owner is asked."""
    right: int
    """The index of the right answer."""


def _codes_of_families(families: str) -> Codes:
    return tuple(code for code in CODES if code[0] in families)


LOOK_ALIKE_CODES: tuple[Codes, ...] = (
    ("B1", "S1", "F1", "F4"),  # the bird is taken for a picture of a season or a flower
    ("C1", "C2", "C3"),  # one, two, three strokes
    ("C4", "C5", "C6"),
    ("C6", "C8"),  # the same two feet, with a hat and without
    ("C7", "C9"),
    ("B6", "B7", "B8", "B9"),  # too many sticks to be counted at a glance
    ("O6", "O7", "O8", "O9"),
    ("F1", "S1"),  # flowers and seasons have the same numbers
    ("F2", "S2"),
    ("F3", "S3"),
    ("F4", "S4"),
)
"""Tiles that newcomers confuse."""

_CONFUSED_CODES = tuple(code for code in CODES if any(code in group for group in LOOK_ALIKE_CODES))

_TILE_LEVELS = (
    TileLevel("suits", _codes_of_families("BCO")),
    TileLevel("honours", _codes_of_families("WD")),
    TileLevel("alike", _CONFUSED_CODES),
    TileLevel("bonus", _codes_of_families("FS"), "whose"),
    TileLevel("all", CODES),
)


def _without_bonus(level: TileLevel) -> TileLevel:
    codes = tuple(code for code in level.codes if not BY_CODE[code].is_bonus)
    return TileLevel(level.key, codes, level.subject)


def _index_levels(levels: tuple[TileLevel, ...]) -> Mapping[str, TileLevel]:
    return MappingProxyType({level.key: level for level in levels if level.codes})


_LEVELS_BY_BONUS = {
    True: _index_levels(_TILE_LEVELS),
    False: _index_levels(tuple(map(_without_bonus, _TILE_LEVELS))),
}


def tile_levels(*, bonus_tiles: bool = True) -> Mapping[str, TileLevel]:
    """Return the levels by key, easiest first, for a game with or without flowers and seasons."""
    return _LEVELS_BY_BONUS[bonus_tiles]


def make_tile_round(level: str, seed: int, *, bonus_tiles: bool = True) -> tuple[TileQuestion, ...]:
    """Return a round, the same for the same seed; raise KeyError for an unknown level."""
    level_data = tile_levels(bonus_tiles=bonus_tiles)[level]
    rng = Random(f"tile {level} {seed}")
    codes = islice(
        cycle(_shuffle(rng, level_data.codes)), QUESTIONS_PER_ROUND
    )  # never twice in a row
    return tuple(_make_question(code, level_data, rng) for code in codes)


def find_owner(code: str) -> str:
    """Return the letter of the wind whose own flower or season this is (BMJA-T03).

    >>> find_owner("F2"), find_owner("S4")
    ('S', 'N')
    """
    rank = BY_CODE[code].rank
    return next(wind for wind in WINDS if own_bonus_number(wind) == rank)


def _make_question(code: str, level: TileLevel, rng: Random) -> TileQuestion:
    if level.subject == "whose":
        winds = tuple(WINDS)  # in the order of play, so that each wind keeps its place
        return TileQuestion(code, level.subject, winds, winds.index(find_owner(code)))
    choices = _shuffle(rng, (code, *_draw_wrong_answers(code, level.codes, rng)))
    return TileQuestion(code, level.subject, choices, choices.index(code))


def _draw_wrong_answers(code: str, candidates: Codes, rng: Random) -> Codes:
    """Return plausible wrong names: look-alikes first, then the nearest tiles."""
    group = tuple(
        c for group in LOOK_ALIKE_CODES if code in group for c in group if c in candidates
    )
    look_alikes = [each for each in _shuffle(rng, group) if each != code]
    neighbours = _shuffle(rng, _related_codes(BY_CODE[code]))
    answers = dict.fromkeys(
        (*look_alikes[: CHOICES_PER_QUESTION - 2], *neighbours, *_shuffle(rng, candidates))
    )
    return tuple(each for each in answers if each != code and each in candidates)[
        : CHOICES_PER_QUESTION - 1
    ]


def _related_codes(tile: Tile) -> Codes:
    """Return the neighbours in its family, and tiles of the same number in other families."""
    ranks = RANKS[tile.family]
    place = ranks.index(tile.rank)
    if tile.is_honour:
        return _codes_of_families(tile.family)
    families = SUITS if tile.is_suit else ("F", "S")
    neighbours = [tile.family + rank for rank in ranks[max(place - 2, 0) : place + 3]]
    return (*neighbours, *(family + tile.rank for family in families))


def _shuffle(rng: Random, codes: Codes) -> Codes:
    """Return the codes in an order that depends only on the seed."""
    return tuple(rng.sample(sorted(set(codes), key=CODES.index), len(set(codes))))
