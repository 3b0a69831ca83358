"""Rulesets of a table's own: the scorer and the literal reading of their files agree.

Random files (figures, switches, rows and special hands) and random hands: what is scored or
refused, the points, the doubles and every line that counts.
"""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from scorer.notation import format_hand, parse_hand
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import read_ruleset
from tests.scorer.oracle.deal_rules import write_file
from tests.scorer.oracle.literal_rules import LiteralRules
from tests.scorer.oracle.rules_agreement import compare, difference

RULESETS_OF_A_PART, PARTS = 10, 50


def faults(rulesets: int, hands: int, seed: object) -> list[str]:
    """Return a line for each hand of which the scorer says something else."""
    comparisons = compare(rulesets, hands, seed)
    return [f"{format_hand(each.hand)}\n    {each.words}" for each in comparisons if each.words]


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, 1])
def test_random_rulesets_are_read_literally(part: int) -> None:
    assert faults(8, 20, f"quick {part}") == []


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_hundreds_of_random_rulesets_are_read_literally(part: int) -> None:
    assert faults(RULESETS_OF_A_PART, 50, f"prove {part}") == []


def british(**rows: dict[str, Any]) -> dict[str, Any]:
    """Return the British file with other values in some rows, by id or name, or without a row."""
    file = tomllib.loads(load_builtin_text("bmja"))
    file.pop("elsewhere")
    for block in ("rule", "special", "option"):
        for row in file[block]:
            row |= rows.get(row.get("id", row.get("name")), {})
            for key in [key for key, value in row.items() if value is None]:
                del row[key]
        file[block] = [row for row in file[block] if not row.get("out")]
    return file | rows.get("top", {})


B09, B01, CUT = "BMJA-B09", "BMJA-B01", {"out": True}
SPECIAL_IDS = [f"BMJA-S{number}" for number in range(11, 30)]
NO_SPECIALS = dict.fromkeys((*SPECIAL_IDS, "BMJA-S30", "BMJA-C03"), CUT) | dict.fromkeys(
    ("purity_loose_tile_scores", "purity_final_discard_doubles", "jade_chows",
     "knitting_two_suits", "buried_treasure_last_pung_claimable", "gates_only_terminal_claimable"),
    CUT,
)  # fmt: skip
PLENTY = {"chows": {"2": 0, "3": 0, "4": 4, "5": 4, "goulash": 0}}
CASES = [
    ({B09: {"points": 20}}, "| O1111 |", 40, "two pairs of 20 are more than a kong of 32"),
    ({B09: {"points": 20}}, "| O111 |", 20, "a pair of 20 is more than a pung of 8"),
    ({B09: {"points": 5}}, "| O1111 |", 32, "a kong of 32 is more than two pairs of 5"),
    ({B01: {"points": 6}}, "| B123 |", 6, "three in a row in a loser's hand are a chow"),
    ({B01: {"points": 6}}, "| B112233 |", 6, "H02: at most one chow"),
    ({B01: {"points": 6}, "top": PLENTY}, "| B112233 |", 12, "this table allows four"),
    ({B01: {"points": 6}}, "B345 | B123 |", 6, "H02: the one chow lies exposed"),
    ({B01: {"points": 6}}, "| B11123 |", 8, "a pung of 8 is more than a chow of 6"),
    ({B01: {"points": 10}}, "| B11123 |", 10, "a chow of 10 is more than a pung of 8"),
    ({B01: {"doubles": 1}}, "| B123 O111 |", 16, "8 x 2: a chow that doubles"),
    ({"BMJA-D08": {"points": 10}}, "| O111 | original-call", 36,
     "(8 + 10) x 2: a loser, too, gets the points of an original call"),
    (NO_SPECIALS, "O666 | B234 C555 WNNN B88 | seat=S won=robbed-kong with=B4", 68,
     "(20 + 2 + 4 + 8) x 2: a kong is robbed where no special hands are played"),
    ({"two_player_minimum": CUT}, "B222 O666 | C555 WNNN B88 | won=wall with=B8 players=2", None,
     "N02: the file has a minimum for two, and no switch to turn it off"),
    ({"fishing_intrinsic_includes_bonus": CUT}, "| [DRRRR] [DGGGG] [DWWWW] O888 WN | F2 S1", 1000,
     "C01: the bonus tiles are among the points where no switch says otherwise"),
    ({B01: {"points": None, "exposed": 9, "concealed": 0}, "pair_completed": {"default": True}},
     "| O555 C345 C55 B666 C888 | won=discard with=C5", 41,
     "20 + 9 + 4 + 4 + 4: the chow that C5 completed, and not 2 for the pair as well"),
    ({"top": {"one_suit": True}}, "B111 O999 | C111 C999 B99 | won=discard with=B9", 1000,
     "a special hand of several suits, where an ordinary one has one suit"),
    ({"top": {"one_suit": True}}, "B111 O999 | C111 C888 B99 | won=discard with=B9", None,
     "an ordinary hand of several suits"),
    ({"BMJA-B03": {"doubles": 1}}, "C111 C555 | C777 C444 C99 | won=wall with=C9", 288,
     "(4 + 2 + 4 + 4 + 22) x 2^3: Purity counts, and shows, no doubles of sets"),
]  # fmt: skip
TWO_LIMITS = {"top": {"limit": 2000, "ordinary_limit": 300}}
DEAR, WINDS = "| [WEEEE] [DRRRR] C999 B88 B666 | won=wall", "WEEE WSSS | WWWW WNNN C66 | won=wall"
CASES += [
    (TWO_LIMITS, f"{DEAR} with=B8", 300, "an ordinary hand is cut at its own limit"),
    (TWO_LIMITS, f"{DEAR} with=B8 limit=200", 200, "the table's limit is lower still"),
    (
        TWO_LIMITS,
        f"{DEAR} with=B8 limit=off",
        3136,
        "(32 + 32 + 8 + 4 + 22) x 2^5: without a limit there is none for ordinary hands",
    ),
    (TWO_LIMITS, f"{WINDS} with=C6", 1000, "a special hand is not"),
    (TWO_LIMITS, "| [WEEEE] [DRRRR] C999 B88 B66 |", 300, "a loser's is cut, too"),
    (TWO_LIMITS, "WEEE WSSS | WWWW WNNN C6 |", 400, "fishing for a special hand is not"),
]


@pytest.mark.parametrize(
    ("rows", "text", "total", "reason"), CASES, ids=[case[3] for case in CASES]
)
def test_a_changed_row_counts_as_it_says(
    rows: dict[str, Any], text: str, total: int | None, reason: str
) -> None:
    file, hand = british(**rows), parse_hand(text)
    due = LiteralRules(file).answer(hand)
    assert due.total == total, reason
    assert difference(hand, read_ruleset(write_file(file)), due) == "", reason
