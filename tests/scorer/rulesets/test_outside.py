"""What a ruleset's file from outside may not hold; files that were kept before are read on."""

from __future__ import annotations

import pytest

from scorer.message import to_english
from scorer.rulesets.custom import read_custom_ruleset, read_new_ruleset
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.rows import list_rows
from scorer.unseen_signs import find_unseen

CUSTOM_RULES = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "Our rules", 1)

SIGN = "Nobody sees the sign"

FIRST_RULE = CUSTOM_RULES[
    CUSTOM_RULES.index("[[rule]]") : CUSTOM_RULES.index(
        "[[rule]]", CUSTOM_RULES.index("[[rule]]") + 1
    )
]

FAULTS = [
    ("players = [2, 3, 4, 5]", "players = [4, 4, 4]", '"players" is 4 a second time', "four once"),
    ("Our rules", "\u202eselur ruO", f"{SIGN} U\\+202E", "reads backwards"),
    ("Our rules", "Our\\u202e rules", f"{SIGN} U\\+202E", "the same, written as an escape"),
    ("Our rules", "Our\\u2066 rules", f"{SIGN} U\\+2066", "isolates turn, too"),
    ('label = "Winning tile', 'label = "Winning\\u0001 tile', f"{SIGN} U\\+0001",
     "no XML holds it"),
    ('label = "Winning tile', 'label = "Winning\\u001b tile', f"{SIGN} U\\+001B",
     "it steers a terminal"),
    ('label = "Winning tile', 'label = "Winning\\uffff tile', f"{SIGN} U\\+FFFF",
     "it is no letter"),
    ('label = "Winning tile', 'label = "Winning\u0007 tile', f"{SIGN} U\\+0007", "as it is"),
    ("# The rules", "# \u202eThe rules", f"{SIGN} U\\+202E", "the page shows comments, too"),
    ('id = "BMJA-B11"', 'id = "BMJA-B12"', '"id" is "BMJA-B12" a second time', "three of two"),
    (FIRST_RULE, FIRST_RULE * 2, '"id" is "BMJA-B[0-9]+" a second time', "a rule counts once"),
    ('id = "BMJA-S32"', 'id = "BMJA-B12"', '"id" is "BMJA-B12" a second time', "a hand is no rule"),
    ('name = "Buried treasure"', 'name = "kniTTing"',
     '"Knitting" is the name of another hand or rule already', "capitals make no other name"),
    ('name = "Buried treasure"', 'name = "\uff2bnitting"',
     '"Knitting" is the name of another hand or rule already', "nor do wide letters"),
    (
        'name = "Buried treasure"',
        'name = "Only possible  tile"',
        '"Only possible tile" is the name of another hand or rule already',
        "a hand is not called like a rule",
    ),
    ('label = "Only possible tile"', 'label = "No chows"',
     '"No chows" is the name of another hand or rule already', "two rules of one name"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "says", "reason"), FAULTS, ids=lambda row: ascii(row)[:24])
def test_what_comes_from_outside_is_checked(old: str, new: str, says: str, reason: str) -> None:
    assert old in CUSTOM_RULES
    with pytest.raises(RulesetError, match=f"Line [0-9]+: {says}") as failure:
        read_new_ruleset(CUSTOM_RULES.replace(old, new, 1))
    assert len(failure.value.problems) >= 1, reason


@pytest.mark.parametrize("text", [CUSTOM_RULES, *map(load_sample_text, SAMPLES)])
def test_what_is_shipped_may_come_from_outside(text: str) -> None:
    assert read_new_ruleset(text).every_rule == read_custom_ruleset(text).every_rule


@pytest.mark.parametrize(("old", "new"), [row[:2] for row in FAULTS if "\\u" in row[1]])
def test_what_was_kept_before_is_read_without_signs_that_nobody_sees(old: str, new: str) -> None:
    text = CUSTOM_RULES.replace(old, new, 1)
    rules = read_custom_ruleset(text)
    texts = [rules.title, *(rule.label for rule in rules.every_rule)]
    assert not any(map(find_unseen, map(to_english, texts)))
    labels = (row.data["label"] for row in list_rows(text) if row.block == "rule")
    assert not any(map(find_unseen, labels))
