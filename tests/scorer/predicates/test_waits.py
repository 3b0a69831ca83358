"""What a hand that did not win was waiting for, and what each tile would have scored."""

from __future__ import annotations

import pytest

from scorer.notation import parse_hand
from scorer.score import score

ROWS = [
    ("| B222 B333 C555 DRR WNN |", "DR:2:336 WN:2:176", "two pairs, the dearer first"),
    ("B222 C333 | O55 DRR WNNN |", "DR:2:168 O5:2:80", "with sets on the table"),
    ("| B2345 C333 O777 DRRR |", "B2:3:152 B5:3:152", "a chow and either end for the pair"),
    ("| B2222 C333 O777 DRRR |", "", "F04: all four of the pair's tile are held"),
    ("B345 | B234 C333 O77 DRR |", "", "H02: a second chow"),
    ("| B22 B333 C555 DRR WNN |", "", "twelve tiles wait for nothing"),
    ("| B222 B333 B555 B666 B9 |", "B9:3:1000:S15", "the special hand"),
    ("| B22 C22 B33 C33 B44 C44 B5 |", "C5:4:500:S13 O5:4:500:S13", "a pattern of tiles"),
    ("| B222 B333 C555 DRR WNN | players=2", "", "N02: too little to go out with"),
    ("B222 | B333 C555 DRRR DG | players=2 limit=off", "", "N02: only two doubles"),
    ("WEEE DGGG | B333 DRR WNN | players=2", "DR:2:1000 WN:2:704", "N02: four doubles and more"),
    ("| WEEE WSSS WWWW WNNN DR | limit=500", "DR:3:500:S20", "within the limit"),
    ("| B11 JK B333 C555 DRR WNN | goulash", "DR:2:184 B1:2:184 WN:2:184 JK:3:184", "G05"),
    ("| B123456789 B11 DRR | rules=safalra", "DR:2:60 B1:1:28 B4:3:28 B7:3:28", "SAF-H03"),
    ("B222 C333 O777 | DRRR WN | won=wall", "", "who has won waits for nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "reason"), ROWS)
def test_what_a_hand_waits_for(text: str, expected: str, reason: str) -> None:
    hand = parse_hand(text)
    waits = [] if hand.winner else score(hand).waits
    wait_texts = {
        f"{each.tile}:{each.left}:{each.total}"
        + (f":{each.special.removeprefix('BMJA-')}" if each.special else "")
        for each in waits
    }
    assert wait_texts == set(expected.split()), reason
