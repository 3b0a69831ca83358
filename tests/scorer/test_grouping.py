"""Ways to split tiles into sets; the property tests compare them with brute force."""

from __future__ import annotations

import pytest

from scorer.grouping import complete, partial
from scorer.tiles import BY_CODE

COMPLETE = [
    ("", 0, 0, 1, "nothing is nothing, in one way"),
    ("B1 B1 B1", 1, 0, 1, "a pung"),
    ("B1 B1 B1", 1, 1, 0, "no tiles are left for the pair"),
    ("B1 B1 B1 B1", 1, 0, 1, "a kong"),
    ("B1 B1 B1 B1", 0, 1, 0, "four are not one pair"),
    ("B1 B1 B1 B2 B2 B2 B3 B3 B3", 3, 0, 2, "three pungs or three chows"),
    ("B8 B9 B1", 1, 0, 0, "runs do not wrap (H04)"),
    ("B1 C2 O3", 1, 0, 0, "nor mix suits"),
    ("WE WS WW", 1, 0, 0, "nor are of winds"),
]


@pytest.mark.parametrize(("codes", "sets", "pairs", "ways", "why"), COMPLETE)
def test_ways_to_use_every_tile(codes: str, sets: int, pairs: int, ways: int, why: str) -> None:
    tiles = [BY_CODE[code] for code in codes.split()]
    assert len(list(complete(tiles, sets=sets, pairs=pairs))) == ways, why


def test_ways_to_read_what_is_not_complete() -> None:
    tiles = [BY_CODE[code] for code in ("B2", "B3", "B4", "B4", "WE")]
    with_chow = [[each.kind for each in way] for way in partial(tiles, chows=1)]
    assert with_chow == [["pair", "loose"], ["chow", "loose"]]
    assert [[each.kind for each in way] for way in partial(tiles, chows=0)] == with_chow[:1]
