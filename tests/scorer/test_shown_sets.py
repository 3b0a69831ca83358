"""What a breakdown shows of the tiles: its sets, exposed or not, and the tiles of each line."""

from __future__ import annotations

import pytest

from scorer.notation import parse_hand
from scorer.score import score

ROWS = [
    ("| B234 C5 WE | players=3", "loose", "H03: no chow where none is allowed"),
    ("| B234 C5 WE |", "chow loose", "one where one is"),
    ("| B234 C345 | rules=safalra", "chow chow", "SAF-H03: as many as there are"),
    ("B123 | B234 C5 |", "-chow loose", "H02: the exposed one is the only one"),
    ("B222 | C234 B5 |", "-pung chow loose", "an exposed pung takes no chow's place"),
    ("WEE | C11 C99 B11 B99 WSS DRR | won=discard with=WE", "-loose loose",
     "a claimed pair stays apart in a hand that is not read in sets"),
    ("| B222 B333 B444 B66 DGG |", "pung pung pung pair pair", "what Jade lacks is concealed"),
    ("| B222 B333 B444 B888 DG |", "pung pung pung pung loose", "and so is a single tile"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kinds", "reason"), ROWS)
def test_the_sets_that_are_shown(text: str, kinds: str, reason: str) -> None:
    sets = score(parse_hand(text)).sets
    assert [f"{'' if each.concealed else '-'}{each.kind}" for each in sets] == kinds.split(), reason


LINES = [
    ("BMJA-B11", 14, "the whole hand went out"),
    ("BMJA-B12", 1, "the tile that was drawn"),
    ("BMJA-B02", 3, "a pung"),
    ("BMJA-B10", 1, "a flower"),
    ("BMJA-D12", 1, "the last tile of the live wall"),
    ("BMJA-D08", 0, "an original call is earned by no tile"),
    ("BMJA-D10", 14, "one suit with honours is of the whole hand"),
]


@pytest.mark.parametrize(("rule", "tiles", "reason"), LINES)
def test_a_line_names_the_tiles_that_earned_it(rule: str, tiles: int, reason: str) -> None:
    text = "B222 | B345 B777 B888 WNN | F3 won=last-tile+original-call with=B8"
    line = next(line for line in score(parse_hand(text)).lines if line.rule == rule)
    assert len(line.tiles) == tiles, reason
