"""Wild tiles of a goulash are put in sets as brute force puts them; `cases/` has hands of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.decompose.wild_splits import split_with_wilds
from scorer.tiles import JOKER

pytestmark = pytest.mark.slow


Shape = tuple[str, int, int]
"""A set: its face, its size and how many of its tiles are wild."""

FACES = ["C1", "C2", "C3", "DR", "WN"]
MAY_BE_WILD = {2: 1, 3: 1, 4: 2}


def partitions(tiles: tuple[tuple[str, bool], ...]) -> Iterator[tuple[Shape, ...]]:
    """Yield every way to put tiles, each with its face and whether it is wild, in sets alike."""
    if not tiles:
        yield ()
        return
    (face, _), rest = tiles[0], tiles[1:]
    for size in MAY_BE_WILD:
        for combination in combinations(range(len(rest)), size - 1):
            group = [tiles[0], *(rest[place] for place in combination)]
            if all(each == face for each, _ in group):
                left = tuple(tile for place, tile in enumerate(rest) if place not in combination)
                for others in partitions(left):
                    yield ((face, size, sum(wild for _, wild in group)), *others)


def is_allowed(shapes: tuple[Shape, ...], *, spare: bool) -> bool:
    """Return whether no set holds too many wild tiles (G05)."""
    excess = [
        (size, wild - MAY_BE_WILD[size]) for _, size, wild in shapes if wild > MAY_BE_WILD[size]
    ]
    return not excess or (spare and len(excess) == 1 and excess[0] in ((2, 1), (3, 1)))


def by_brute_force(
    natural: list[str], wilds: int, *, sets: int, pairs: int, spare: bool
) -> set[tuple[Shape, ...]]:
    """Try every face for every wild tile, and every partition."""
    return {
        tuple(sorted(shapes))
        for assigned in product(FACES, repeat=wilds)
        for shapes in partitions(
            tuple([(code, False) for code in natural] + [(face, True) for face in assigned])
        )
        if len(shapes) == sets + pairs
        and sum(size == 2 for _, size, _ in shapes) == pairs
        and is_allowed(shapes, spare=spare)
    }


@given(
    st.lists(st.sampled_from(FACES), max_size=6),
    st.integers(0, 4),
    st.integers(0, 2),
    st.integers(0, 1),
    st.booleans(),
)
def test_wild_tiles_are_put_as_brute_force_puts_them(
    natural: list[str], wilds: int, sets: int, pairs: int, spare: bool
) -> None:
    assume(sorted(Counter(natural).values())[-1:] <= [4])
    groupings = [
        tuple(sorted((each.faces[0], len(each.tiles), each.tiles.count(JOKER)) for each in way))
        for way in split_with_wilds(natural, (JOKER,) * wilds, sets=sets, pairs=pairs, spare=spare)
    ]
    groupings = [way for way in groupings if all(face in FACES for face, _, _ in way)]
    assert len(groupings) == len(set(groupings)), "a way was found twice"
    assert set(groupings) == by_brute_force(natural, wilds, sets=sets, pairs=pairs, spare=spare)
