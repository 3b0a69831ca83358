"""The sets that a breakdown shows: what they are and whether they lie exposed."""

from __future__ import annotations

import pytest

from scorer.notation import parse_hand
from scorer.score import score

ROWS = [
    ("| B234 C5 WE | players=3", "loose", "H03: no chow where none is allowed"),
    ("| B234 C5 WE |", "chow loose", "one where one is"),
    ("| B234 C345 | rules=safalra", "chow chow", "SAF-H03: as many as there are"),
    ("B123 | B234 C5 |", "-chow loose", "H02: the exposed one is the only one"),
    ("WEE | C11 C99 B11 B99 WSS DRR | won=discard with=WE", "-loose loose",
     "a claimed pair stays apart in a hand that is not read in sets"),
    ("| B222 B333 B444 B66 DGG |", "pung pung pung pair pair", "what Jade lacks is concealed"),
    ("| B222 B333 B444 B888 DG |", "pung pung pung pung loose", "and so is a single tile"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kinds", "why"), ROWS)
def test_the_sets_that_are_shown(text: str, kinds: str, why: str) -> None:
    shown = score(parse_hand(text)).sets
    assert [f"{'' if each.concealed else '-'}{each.kind}" for each in shown] == kinds.split(), why
