"""The sample rulesets: worked examples, and what their rows show."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorer.breakdown import Breakdown
from scorer.errors import HandError
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.patterns.examples import example_hands
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import SAMPLES, load_sample_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score
from tests.scorer.patterns.own_rules import drawn_hand
from tests.scorer.test_cases import Case, cases_of, describe

RULES = {name: read_ruleset(load_sample_text(name)) for name in SAMPLES}
CASES = [
    (RULES[name], case)
    for name in SAMPLES
    for case in cases_of(Path(__file__).parent / "samples" / f"{name}.toml")
]
SPECIALS = [(rules, each) for rules in RULES.values() for each in rules.every_special]
PATTERNS = [(rules, each) for rules, each in SPECIALS if each.pattern and each.value]
ROWS = [(rules, row) for rules in RULES.values() for row in rules.every_rule if row.gives]

each_special = pytest.mark.parametrize(
    ("rules", "special"), SPECIALS, ids=[special.id for _, special in SPECIALS]
)


def result_of(text: str, rules: Ruleset) -> Breakdown | HandError:
    """Return the score of a hand, or why it is refused."""
    try:
        return score(parse_hand(text), rules)
    except HandError as refusal:
        return refusal


def special_of(text: str, rules: Ruleset) -> str | None:
    """Return the special hand that a hand counts as; None also for a hand that is refused."""
    result = result_of(text, rules)
    return None if isinstance(result, HandError) else result.special


@pytest.mark.parametrize(("rules", "case"), CASES, ids=[case.hand for _, case in CASES])
def test_a_hand_scores_what_the_sample_gives_it(rules: Ruleset, case: Case) -> None:
    result = result_of(case.hand, rules)
    if isinstance(result, HandError):
        assert case.error in {problem.code for problem in result.problems}, case.why
    else:
        assert case.error is None, case.why
        wrong = case.differences(result)
        assert not wrong, f"{case.hand}\n  due: {case.why}\n  got: {describe(result)}\n  {wrong}"


@each_special
def test_a_special_hand_is_shown_with_a_hand_that_is_one_and_one_that_is_not(
    rules: Ruleset, special: SpecialHand
) -> None:
    assert special.examples
    assert special.misses or special.id.startswith("BMJA-")
    assert {special_of(text, rules) for text in special.examples} == {special.id}
    assert special.id not in {special_of(text, rules) for text in special.misses}


@pytest.mark.parametrize(("rules", "special"), PATTERNS, ids=[each.id for _, each in PATTERNS])
def test_random_hands_of_a_pattern_score_its_value(rules: Ruleset, special: SpecialHand) -> None:
    """Another special hand may be worth more; four alike that nobody declared are no kong."""
    assert special.pattern
    for tiles in example_hands(special.pattern, 3, Random(1)):
        if special.pattern.text != "4 kongs any, pair any":
            assert score(drawn_hand(tiles), rules).total >= special.value


@pytest.mark.parametrize(("rules", "row"), ROWS, ids=[row.id for _, row in ROWS])
def test_a_rule_counts_in_its_examples_and_in_none_of_its_misses(rules: Ruleset, row: Rule) -> None:
    labels = {to_english(row.label_for(concealed=each)) for each in (False, True)}
    for texts, expected in ((row.examples, True), (row.misses, False)):
        for text in texts:
            lines = score(parse_hand(text), rules).lines
            is_counted = any(
                line.rule == row.id and to_english(line.label) in labels for line in lines
            )
            assert is_counted == expected, text


def test_the_british_rows_of_a_sample_are_those_of_the_british_file() -> None:
    british = load_builtin("bmja")
    rules = {(row.id, row.points_for(concealed=True), row.doubles) for row in british.every_rule}
    british_rows = [row for _, row in ROWS if row.id.startswith("BMJA-")]
    assert {(row.id, row.points_for(concealed=True), row.doubles) for row in british_rows} <= rules
    for _, special in SPECIALS:
        if special.id.startswith("BMJA-"):
            assert special == british.specials_by_id[special.id]


def test_every_sample_says_whose_rules_it_has() -> None:
    for name, rules in RULES.items():
        assert rules.notice
        head = load_sample_text(name).partition("\nname = ")[0]
        assert "Left out" in head
        assert sum(tested is rules for tested, _ in CASES) >= 15
    club = {each.id for each in RULES["thirty-hands"].every_special if each.id[:5] == "CLUB-"}
    assert len({each.removesuffix("H") for each in club}) == 30
