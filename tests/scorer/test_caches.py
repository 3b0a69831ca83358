"""What the scorer remembers does not grow with the hands that were played."""

from __future__ import annotations

from itertools import combinations, islice

from scorer.hand import Hand
from scorer.score import score
from scorer.scoring import pricing

DISTANT_TILES = tuple(f"{suit}{rank}" for suit in "BCO" for rank in (1, 4, 7))
HONOURS = ("WE", "WS", "WW", "WN", "DR", "DG", "DW")
"""With these, tiles of which no two are in a set."""


def test_hands_of_loose_tiles_are_not_remembered_one_by_one() -> None:
    hands = [*islice(combinations((*DISTANT_TILES, *HONOURS), 13), 50)]
    score(Hand(concealed=hands[0]))  # the first of a process loads what all share
    before = pricing.cached_set_awards.cache_info().currsize
    for tiles in hands:
        score(Hand(concealed=tiles))
    assert pricing.cached_set_awards.cache_info().currsize == before
