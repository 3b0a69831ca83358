"""The sample rulesets: worked examples, and what their rows show."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.patterns.examples import example_hands
from scorer.ruleset import Rule
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import SAMPLES, load_sample_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score
from tests.scorer.answers import special_of
from tests.scorer.patterns.own_rules import drawn_hand
from tests.scorer.test_cases import cases_of, fault_of

RULES = {name: read_ruleset(load_sample_text(name)) for name in SAMPLES}


@pytest.mark.parametrize("name", SAMPLES)
def test_hands_score_what_the_sample_gives_them_or_are_refused(name: str) -> None:
    cases = cases_of(Path(__file__).parent / "samples" / f"{name}.toml")
    faults = [fault for case in cases if (fault := fault_of(case, RULES[name]))]
    assert not faults, "\n".join(faults)
    assert len(cases) >= 15


@pytest.mark.parametrize("name", SAMPLES)
def test_a_special_hand_is_shown_with_a_hand_that_is_one_and_one_that_is_not(name: str) -> None:
    rules = RULES[name]
    for special in rules.every_special:
        assert special.examples
        assert special.misses or special.id.startswith("BMJA-")
        assert {special_of(parse_hand(text), rules) for text in special.examples} == {special.id}
        assert special.id not in {special_of(parse_hand(text), rules) for text in special.misses}


@pytest.mark.parametrize("name", SAMPLES)
def test_random_hands_of_a_pattern_score_its_value(name: str) -> None:
    """Another special hand may be worth more; four alike that nobody declared are no kong."""
    for special in RULES[name].every_special:
        pattern = special.pattern
        if pattern and special.value and pattern.text != "4 kongs any, pair any":
            for tiles in example_hands(pattern, 3, Random(1)):
                total = score(drawn_hand(tiles), RULES[name]).total
                assert total >= special.value, special.id


@pytest.mark.parametrize("name", SAMPLES)
def test_a_rule_counts_in_its_examples_and_in_none_of_its_misses(name: str) -> None:
    for row in RULES[name].every_rule:
        if not row.gives:
            continue
        labels = {to_english(row.label_for(concealed=each)) for each in (False, True)}
        for text in (*row.examples, *row.misses):
            lines = score(parse_hand(text), RULES[name]).lines
            counted_labels = {to_english(each.label) for each in lines if each.rule == row.id}
            assert bool(labels & counted_labels) == (text in row.examples), f"{row.id}: {text}"


def test_the_british_rows_of_a_sample_are_those_of_the_british_file() -> None:
    british = load_builtin("bmja")
    british_worths = {worth_of(row) for row in british.every_rule}
    for rules in RULES.values():
        rows = [row for row in rules.every_rule if row.gives and row.id.startswith("BMJA-")]
        assert {worth_of(row) for row in rows} <= british_worths
        for special in rules.every_special:
            if special.id.startswith("BMJA-"):
                assert special == british.specials_by_id[special.id]


def worth_of(row: Rule) -> tuple[object, ...]:
    """Return a row's id and what it gives."""
    return row.id, row.points_for(concealed=True), row.doubles


def test_every_sample_says_whose_rules_it_has() -> None:
    for name, rules in RULES.items():
        assert rules.notice
        head = load_sample_text(name).partition("\nname = ")[0]
        assert "Left out" in head
    club = {each.id for each in RULES["thirty-hands"].every_special if each.id[:5] == "CLUB-"}
    assert len({each.removesuffix("H") for each in club}) == 30
