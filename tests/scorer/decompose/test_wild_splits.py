"""Wild tiles of a goulash: what they may stand for, and what the hands score with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.decompose.wild_splits import split_with_wilds
from scorer.errors import HandError
from scorer.explain.sums import write_score
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.score import score
from scorer.tiles import JOKER

pytestmark = pytest.mark.slow


class Row(NamedTuple):
    """A hand of a goulash; the word itself is left out."""

    text: str
    total: int
    why: str
    special: str = ""


SETS = [
    Row("B44+JK | |", 2, "G06: an exposed pung of a minor tile"),
    Row("DRR+JK | |", 8, "G06: as red dragons, 4 × 2"),
    Row("B99+JK+JK | |", 16, "G05: a kong may hold two: exposed, major"),
    Row("| [C88+JK+JK] |", 16, "G05: a declared kong, concealed, minor"),
    Row("| [WEE+B22] | seat=E round=S", 64, "G01: without jokers the 2s are wild: 32 × 2"),
    Row("| DRR JK |", 16, "G06: 8 × 2"),
    Row("| DR JK |", 2, "a pair of dragons with one wild tile"),
    Row("| DR JK JK |", 2, "G05: a pung may hold one only, so the other wild tile lies loose"),
    Row("| DRR JK JK |", 64, "G05: a kong may hold two: 32 × 2"),
    Row("| DRR WEE JK | seat=E round=E", 40,
        "H06: best with the East winds: (8 + 2) × own and prevailing wind"),
    Row("| JK JK |", 0, "G05: no pair is made of wild tiles alone"),
    Row("| C5 JK |", 0, "a pair of 5s scores nothing"),
    Row("| B222 C9 |", 0, "G07: natural 2s are wild, and a 9 with one of them is a pair"),
    Row("| B222 C99 |", 32, "G05: two of the three may be in a kong of 9s"),
]  # fmt: skip

WINNERS = [
    Row("B444 C333 O777 | B88 JK O99 | won=discard with=O9", 30,
        "20 + 2×3 and a concealed pung: 4; G04: no double for no chows"),
    Row("B444 C333 O777 | B888 O9 JK | won=discard with=O9", 30, "G05: the pair with one"),
    Row("B444 C333 O777 | B888 O9 JK | won=wall with=JK", 32,
        "G05: the drawn wild tile is within the limits: 20 + 2 + 6 + 4"),
    Row("B444 C333 O777 | B888 JK JK | won=wall with=JK seat=E round=E", 36,
        "G05: a pair of two, for one was drawn and ends the game; best as East winds: 32 + 4"),
    Row("B444 C333 O777 | B888 JK JK | won=wall with=B8 seat=E round=E", 32,
        "G05: not so when the 8 was drawn: then one goes to the pung, one to the pair"),
    Row("B444 C333 O777 | WN JK JK B88 | won=wall with=JK", 36,
        "G05: a pung of one and two, drawn: 20 + 2 + 6 + 8"),
    Row("B444 C333 O777 | WN JK JK B88 | won=wall with=B8", 32,
        "G05: otherwise a pair of North winds and a pung of 8s: 20 + 2 + 6 + 4"),
    Row("B444 C333 O777 | WE JK JK B88 | won=wall with=JK seat=E round=S", 72,
        "G06: as the own wind: 36 × 2"),
    Row("B444 C333 O777 | WN DR JK JK JK | won=wall with=JK", 72,
        "G05: dragons with two, and a pair with one: (22 + 6 + 8) × 2"),
    Row("B444 C333 O777 | B88 DR JK JK | won=wall with=B8", 34,
        "H06: 8s and a pair of dragons: 20 + 2 + 6 + 4 + 2"),
    Row("| B44 JK C333 O777 WNNN DR JK | won=wall with=WN", 88,
        "D16 with wild tiles: (22 + 4×3 + 8 + 2) × concealed"),
    Row("B444 B333 B777 | B88 JK WNN | won=discard with=WN", 60,
        "D10 with wild tiles: (20 + 6 + 4) × one suit"),
    Row("B444 C333 | [O77+JK+JK] B888 O99 | won=loose with=O9", 88,
        "G05: two in a kong: (20 + 2 + 2 + 16 + 4) × loose tile"),
    Row("B444 B333 B777 | B55 JK B99 | won=discard with=B9", 240,
        "S30 with a wild tile: (20 + 6 + 4) × 8", "S11"),
]  # fmt: skip

SPECIALS = [
    Row("B33+JK B444 | B666 DGG JK B88 | won=wall with=B8", 1000, "green all of it", "S18"),
    Row("| B333 B44 JK B555 DRRR B99 | won=wall with=B9", 1000, "buried with a wild tile", "S15"),
    Row("DRR+JK DGGG | DWW JK B444 C99 | won=wall with=C9", 1000, "three dragons", "S19"),
    Row("WEE+JK WSS+JK WWW+JK | WNN JK C99 | won=wall with=C9", 1000, "G05: four in all", "S20"),
    Row("| C1 JK C23456789 WESWN | won=wall with=C9", 1000, "the pair with one", "S17"),
    Row("| B11 B23456789 WESWN | won=wall with=B9", 1000, "G07: a 2 that stands for a 2", "S17"),
    Row("| B11 JK B3456789 WESWN | won=wall with=B9", 1000, "G07: a joker for the 2", "S17"),
    Row("| C11 C23456 JK JK C9 WESW JK | won=discard with=C9", 1000,
        "G05: single tiles may be wild, three in all", "S17"),
    Row("| B19 C19 O19 WESW JK JK JK DGG | won=wall with=DG", 1000, "three wonders", "S24"),
    Row("| JK JK JK JK C19 O19 WESWN DRG | won=wall with=C1", 1000, "G05: four in all", "S24"),
    Row("| O11 JK O2345678 O99 JK O5 | won=wall with=O5", 1000, "one in each pung", "S23"),
    Row("| O1 JK JK O2345678 O999 O5 | won=wall with=JK", 1000,
        "G05: two in the pung, for one was drawn", "S23"),
    Row("| B11 B99 C11 WE JK WS JK DR JK DG JK | won=wall with=B1", 500, "one in a pair", "S12"),
    Row("| B11 B99 C11 WEE WSS DRR JK JK | won=wall with=B1", 500,
        "G05: a pair is parted, so that none is of wild tiles alone", "S12"),
    Row("| B3 C3 B33 C33 B4 JK C5 JK B9 C9 O7 B7 | won=wall with=B7", 500, "couples", "S13"),
    Row("| B1 C1 O1 B3 C3 JK B4 C4 O4 B6 C6 O6 B5 C5 | won=wall with=B5", 500, "triplets", "S14"),
    Row("| B1 JK JK B3 C3 O3 B4 C4 O4 B6 C6 O6 B5 C5 | won=wall with=B5", 500,
        "G05: one to the 5s, which are a triplet then, one to the couple of 1s", "S14"),
    Row("B444 B333 | B55 JK B99 B11 |", 96,
        "H06: Purity, best with the wild tile in a pung of majors: (2 + 2 + 8) × 8", "S11"),
    Row("| JK JK C19 O19 WESWN DRGW |", 400, "F02: one tile short, with two wild", "S24"),
]  # fmt: skip


@pytest.mark.parametrize("row", [*SETS, *WINNERS, *SPECIALS], ids=lambda row: row.text)
def test_a_hand_with_wild_tiles_scores_as_what_they_stand_for(row: Row) -> None:
    result = score(parse_hand(f"{row.text} goulash"))
    shown = f"{row.why}; got {to_english(write_score(result))}: {result.sets}"
    assert result.total == row.total, shown
    assert result.special == (f"BMJA-{row.special}" if row.special else None), shown


REFUSED = [
    ("B444 C333 O777 | WN DR JK JK JK | won=wall with=WN", "not-mah-jong",
     "G05: two in the pung, but none was drawn"),
    ("B444 C333 O777 | WN DR JK JK JK | won=discard with=JK", "not-mah-jong",
     "G05: claimed, not drawn"),
    ("B444 C333 O777 | DR JK JK JK JK | won=wall with=JK", "not-mah-jong",
     "G05: one more in one set, not in two"),
    ("B444 C333 O777 | C34 JK O99 | won=wall with=O9", "not-mah-jong", "G04: a chow, wild or not"),
    ("| O1 JK JK O2345678 O999 O5 | won=wall with=O5", "not-mah-jong",
     "G05: two in a pung of a special hand"),
    ("B34+JK | |", "not-a-set", "G04: no chow"),
    ("JK+JK+JK | |", "not-a-set", "G05: nothing but wild tiles"),
    ("DR+JK+JK+JK | |", "not-a-set", "G05: two in a kong at most"),
    ("B22 | C1 |", "not-a-set", "G07: two 2s are two wild tiles, and no pair"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "why"), REFUSED)
def test_more_wild_tiles_than_a_set_may_hold(text: str, code: str, why: str) -> None:
    with pytest.raises(HandError) as caught:
        score(parse_hand(f"{text} goulash"))
    assert code in {problem.code for problem in caught.value.problems}, why


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
        for chosen in combinations(range(len(rest)), size - 1):
            group = [tiles[0], *(rest[place] for place in chosen)]
            if all(each == face for each, _ in group):
                left = tuple(tile for place, tile in enumerate(rest) if place not in chosen)
                for others in partitions(left):
                    yield ((face, size, sum(wild for _, wild in group)), *others)


def allowed(shapes: tuple[Shape, ...], *, spare: bool) -> bool:
    """Return whether no set holds too many wild tiles (G05)."""
    too_many = [
        (size, wild - MAY_BE_WILD[size]) for _, size, wild in shapes if wild > MAY_BE_WILD[size]
    ]
    return not too_many or (spare and len(too_many) == 1 and too_many[0] in ((2, 1), (3, 1)))


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
        and allowed(shapes, spare=spare)
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
    found = [
        tuple(sorted((each.faces[0], len(each.tiles), each.tiles.count(JOKER)) for each in way))
        for way in split_with_wilds(natural, (JOKER,) * wilds, sets=sets, pairs=pairs, spare=spare)
    ]
    found = [way for way in found if all(face in FACES for face, _, _ in way)]
    assert len(found) == len(set(found)), "a way was found twice"
    assert set(found) == by_brute_force(natural, wilds, sets=sets, pairs=pairs, spare=spare)
