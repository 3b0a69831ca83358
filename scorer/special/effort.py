"""Whether a hand near a pattern is scored quickly: made, waited for, and what it lacks.

Nobody can see from a pattern how long a search for it takes. So some hands near it are tried, and
the steps of the search counted: the same on any computer.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from random import Random

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.hand import NO_TILES, Codes, Hand
from scorer.message import message
from scorer.patterns.examples import example_hands
from scorer.patterns.frames import COPIES_PER_TILE, PLAYING_CODES, SETS_PER_HAND, compile_pattern
from scorer.patterns.notation import PatternError
from scorer.special.base import Effort, TooLongError, count_tiles, tiles_of_player
from scorer.special.group_search import MissingSearch
from scorer.special.tile_patterns import faces_of_wild, is_made_of

MAX_STEPS = 6_000
"""Steps that one hand may take; they take some 35 ms here, four times as long on a Raspberry Pi."""

MIN_MEASURED_FACES = 300
"""Patterns with fewer open faces take far fewer steps, and are not measured."""

HANDS_TRIED = 4
"""Hands of the pattern; of each, one to three tiles are taken away or changed."""


def check_it_is_quick(text: str) -> None:
    """Raise PatternError when a hand near a pattern takes too long to compare with it."""
    if compile_pattern(text).open_faces >= MIN_MEASURED_FACES and _count_steps(text) > MAX_STEPS:
        raise PatternError(message("pattern-fault.too-open"))


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _count_steps(text: str) -> int:
    """Return the most steps that one of the tried hands takes; no more than one too many."""
    rng = Random(text)
    max_steps = 0
    for tiles in example_hands(compile_pattern(text), HANDS_TRIED, rng):
        for changes in range(3):
            effort = Effort(MAX_STEPS)
            try:
                _score_once(text, _change_some(tiles, changes, rng), effort)
            except TooLongError:
                return effort.steps
            max_steps = max(max_steps, effort.steps)
    return max_steps


def _change_some(tiles: Codes, changes: int, rng: Random) -> Codes:
    """Return all tiles but one, with others in place of some."""
    rest = rng.sample(tiles, len(tiles) - 1)
    for place in range(changes):
        new = rng.choice(PLAYING_CODES)
        if Counter(rest)[new] < COPIES_PER_TILE:
            rest[place] = new
    return tuple(rest)


def _score_once(text: str, tiles: Codes, effort: Effort) -> None:
    """Find out what a hand waits for, whether it is made with that, and what it lacks."""
    pattern = compile_pattern(text)
    tile_counts = count_tiles(tiles, NO_TILES, spare=True, total=len(tiles) + 1)
    faces = faces_of_wild(pattern, tile_counts, effort=effort)
    for place, code in enumerate(PLAYING_CODES):
        if faces >> place & 1:
            full = count_tiles((*tiles, code), NO_TILES, spare=False, total=len(tiles) + 1)
            is_made_of(pattern, full, effort=effort)
    MissingSearch(tiles_of_player(Hand(concealed=tiles)), effort).find_missing(
        pattern, SETS_PER_HAND
    )
