"""What other families of rules count is named, with the rule here against it.

Each row of `[[elsewhere]]` brings its own cases: hands in which it is claimed, and hands that come
near it.
"""

from __future__ import annotations

import pytest

from scorer.errors import HandError
from scorer.explain.foreign_rules import find_foreign_hands, find_foreign_rules
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.ruleset import FAMILIES, ForeignRule, Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import RulesetError, read_ruleset
from scorer.score import score
from scorer.teach.lessons.rulebook import RULE_IDS

BMJA = load_builtin("bmja")
FOREIGN = BMJA.every_foreign_rule
MIN_FOREIGN_RULES = 25


EXAMPLES = [(each, text) for each in FOREIGN for text in each.examples]
MISSES = [(each, text) for each in FOREIGN for text in each.misses]


def claims(text: str, rules: Ruleset = BMJA) -> list[str]:
    """Return what is claimed in a hand, scored or refused, in English."""
    hand = parse_hand(text)
    try:
        found = find_foreign_rules(hand, score(hand, rules), rules)
    except HandError as failure:
        return [each.text for each in find_foreign_hands(hand, rules, failure.problems)]
    return [f"{to_english(each.reason)} ({each.rule})" for each in found]


def is_claimed(foreign: ForeignRule, text: str, rules: Ruleset = BMJA) -> bool:
    label = to_english(foreign.label)
    return any(
        each.startswith(f"{label}: ") and each.endswith(f"({foreign.rule})")
        for each in claims(text, rules)
    )


def test_there_are_enough_and_each_has_a_source_a_family_and_both_cases() -> None:
    assert len(FOREIGN) >= MIN_FOREIGN_RULES
    assert {family for each in FOREIGN for family in each.families} <= set(FAMILIES)
    assert all(each.source and each.examples and each.misses for each in FOREIGN)
    assert {each.rule for each in FOREIGN} <= set(RULE_IDS)


@pytest.mark.parametrize(("foreign", "text"), EXAMPLES)
def test_it_is_claimed_where_a_hand_has_it(foreign: ForeignRule, text: str) -> None:
    assert is_claimed(foreign, text)


@pytest.mark.parametrize(("foreign", "text"), MISSES)
def test_it_is_not_claimed_where_a_hand_only_comes_near(foreign: ForeignRule, text: str) -> None:
    assert not is_claimed(foreign, text)


@pytest.mark.parametrize(
    ("foreign", "text"),
    [(each, text) for each in FOREIGN if each.option for text in each.examples],
)
def test_what_the_table_plays_is_no_claim(foreign: ForeignRule, text: str) -> None:
    assert not is_claimed(foreign, text, BMJA.with_choices((f"{foreign.option}:on",)))
    assert any("Your table can switch it on." in each for each in claims(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "B234 O666 | C555 WNNN B88 | seat=S won=discard with=B8",
            "Only possible tile: 2 points in Chinese Classical rules; not in British Mah-Jong "
            "(BMJA). Your table can switch it on. (BMJA-B13)",
        ),
        (
            "B111 | B999 B22 B345 B678 | won=wall with=B8",
            "Squirming snake: the limit in German league rules; not in British Mah-Jong "
            "(BMJA). (BMJA-S17)",
        ),
        (
            "| B22 B55 O33 O77 C44 C88 WNN | won=wall with=B5",
            "Seven pairs: 2 doubles in Japanese rules; not in British Mah-Jong (BMJA). (BMJA-S12)",
        ),
        (
            "B234 O666 | C555 WNNN B88 | F2 seat=S won=wall with=B8",
            "Own flower: 8 points in Hong Kong rules; counted differently in British Mah-Jong "
            "(BMJA). (BMJA-B10)",
        ),
    ],
    ids=["scored", "too many chows", "no Mah-Jong", "counted here, too"],
)
def test_the_sentence(text: str, expected: str) -> None:
    assert expected in claims(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("| B22222 B55 O33 O77 C44 C8 | won=wall with=B5", "five alike: nobody holds it"),
        ("| B22 B55 O33 O77 C44 C88 WN |", "a loser's tiles: nothing is claimed of them"),
        ("B123 B456 B789 O555 C88 | | seat=S", "a loser's sets, which no hand pattern is of"),
        ("| B222 C5 O7 WNN JK | goulash", "a wild tile that stands for nothing"),
    ],
)
def test_nothing_is_claimed_of_other_hands(text: str, reason: str) -> None:
    assert claims(text) == [], reason


ROW = """
[[elsewhere]]
rule = "BMJA-B13"
label = "Seven pairs of winds"
points = 100
families = ["clubs"]
source = "our club"
pattern = "7 pairs honour"
"""


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("points = 100\n", ""), "does not say what others give"),
        (('pattern = "7 pairs honour"\n', ""), 'needs either "of" or "pattern"'),
        (('pattern = "7', 'of = "win"\npattern = "7'), 'needs either "of" or "pattern"'),
        (('"7 pairs honour"', '"8 pairs honour"'), '"pattern" cannot be used'),
        (('["clubs"]', '["elsewhere"]'), '"families" has'),
        (('"our club"', '"our club"\noption = "no_such"'), '"option" is "no_such"'),
        (('pattern = "7 pairs honour"', 'of = "hand"\nwhen = "lucky"'), '"when" is "lucky"'),
        (('pattern = "7 pairs honour"', 'of = "set"\nwhen = "any"'), 'needs "kinds"'),
    ],
)
def test_what_is_wrong_with_a_row_is_named(change: tuple[str, str], fault: str) -> None:
    text = load_builtin_text("bmja") + ROW
    read_ruleset(text)
    with pytest.raises(RulesetError, match="Line ") as failure:
        read_ruleset(text.replace(*change))
    assert fault in str(failure.value)
