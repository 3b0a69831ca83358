"""Every example does what it is there for, whatever the table has chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from scorer.breakdown import Breakdown
from scorer.message import Message, to_english
from scorer.notation import parse_hand
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.lessons.examples import find_rule_example, load_examples
from scorer.teach.lessons.rulebook import RULE_IDS, book_of, switch_rule_on
from tests.scorer.answers import total_of

ROWS = [row for name in ("bmja", "safalra") for row in load_builtin(name).every_rule]
SPECIALS = load_builtin("bmja").specials
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.id} {to_english(row.label)}")


def tables(name: str) -> Iterator[Ruleset]:
    """Yield the ruleset as it comes, with each choice made the other way, and other limits."""
    usual = load_builtin(name)
    yield usual
    for option in usual.options:
        yield usual.with_choices((f"{option.name}:{'off' if option.default else 'on'}",))
    if usual.limit:
        yield replace(usual, limit=None)
        yield replace(usual, limit=600)


def score_under(text: str, rule: str, rules: Ruleset) -> Breakdown:
    return score(parse_hand(text), switch_rule_on(rule, rules))


def gives(row: Rule, breakdown: Breakdown) -> bool:
    labels = {row.label_for(concealed=concealed) for concealed in (False, True)}
    if not row.gives:
        return (row.id, to_english(row.sentence)) in [
            (n.rule, to_english(n.reason)) for n in breakdown.not_counted
        ]
    return any(line.rule == row.id and line.label in labels for line in breakdown.lines)


@each_row
def test_every_row_of_the_rules_has_an_example_at_every_table(row: Rule) -> None:
    for rules in tables(book_of(row.id)):
        hands = [score_under(text, row.id, rules) for text in find_rule_example(row.id).hands]
        assert any(gives(row, each) for each in hands), (
            rules.active_options ^ load_builtin(rules.name).active_options
        )


@each_row
def test_what_depends_on_lying_exposed_is_shown_both_ways(row: Rule) -> None:
    hands = [
        score_under(t, row.id, load_builtin(book_of(row.id)))
        for t in find_rule_example(row.id).hands
    ]
    points = {line.points for each in hands for line in each.lines if line.rule == row.id}
    assert points >= ({row.exposed_points, row.concealed_points} if row.of == "set" else set()) - {
        0
    }


@pytest.mark.parametrize("special", SPECIALS, ids=lambda special: to_english(special.name))
def test_every_special_hand_has_an_example_at_every_table(special: SpecialHand) -> None:
    for rules in tables("bmja"):
        (text,) = find_rule_example(special.id).hands
        assert score_under(text, special.id, rules).special == special.id


MISSES = [(rule, text) for rule, each in load_examples().items() for text in each.misses]


@pytest.mark.parametrize(("rule", "text"), MISSES)
def test_a_near_miss_is_not_counted_and_the_scorer_says_why(rule: str, text: str) -> None:
    """As the rules come: at a table that chose otherwise it may count, and is not shown."""
    rules = load_builtin(book_of(rule))
    breakdown = score_under(text, rule, rules)
    hands = [score_under(each, rule, rules) for each in find_rule_example(rule).hands]
    assert [each.reason for each in breakdown.not_counted if each.rule == rule]
    assert labels_of(rule, breakdown) < set().union(*(labels_of(rule, each) for each in hands))


def labels_of(rule: str, breakdown: Breakdown) -> set[Message]:
    return {line.label for line in breakdown.lines if line.rule == rule}


def test_examples_are_of_rules_that_there_are() -> None:
    assert set(load_examples()) <= set(RULE_IDS)
    assert len(MISSES) > 25


def test_a_set_is_shown_by_itself_and_a_win_as_a_whole_hand() -> None:
    """The smallest hand that shows it: no other points or doubles beside those of a set."""
    for row in ROWS:
        if row.of == "set" and row.points_for(concealed=True):
            for text in find_rule_example(row.id).hands[:1]:
                lines = score_under(text, row.id, load_builtin(book_of(row.id))).lines
                assert [line.rule for line in lines] == [row.id]


LOOKS = [(rule, each.look) for rule, each in load_examples().items() if each.look]


@pytest.mark.parametrize(("rule", "look"), LOOKS)
def test_a_rule_without_a_line_shows_in_another(rule: str, look: str) -> None:
    """The first hand has that line; a second one, without it, has another worth."""
    first, *breakdowns = (
        score_under(text, rule, load_builtin("bmja")) for text in find_rule_example(rule).hands
    )
    assert look in [line.rule for line in first.lines]
    assert all(other.total != first.total for other in breakdowns)


SHOWN_BY_CHOICES = [
    (rule, option.name)
    for rule in load_examples()
    for option in load_builtin("bmja").options
    if option.rule == rule
]


@pytest.mark.parametrize(("rule", "name"), SHOWN_BY_CHOICES)
def test_a_choice_shows_in_what_its_hand_scores(rule: str, name: str) -> None:
    (text,) = find_rule_example(rule).hands
    rules = load_builtin("bmja")
    assert (
        len(
            {
                total_of(parse_hand(text), rules.with_choices((f"{name}:{state}",)))
                for state in ("on", "off")
            }
        )
        > 1
    )


def test_every_choice_that_changes_a_score_is_shown() -> None:
    unscored_options = {"loose_tiles_spread", "fishing_must_be_declared", "prevailing_wind_doubles"}
    option_names = {name for _, name in SHOWN_BY_CHOICES}
    assert (
        option_names == {option.name for option in load_builtin("bmja").options} - unscored_options
    )


@pytest.mark.parametrize("name", ["H06", "L01", "S08", "S09", "F02", "F03"])
def test_what_else_the_words_of_a_rule_promise(name: str) -> None:
    breakdown = score_under(
        find_rule_example(f"BMJA-{name}").hands[0], f"BMJA-{name}", load_builtin("bmja")
    )
    checks = {
        "H06": len([each for each in breakdown.sets if each.kind == "pung"]) == 4,
        "L01": breakdown.limited,
        "S08": breakdown.special is None and "BMJA-S11" in {w.rule for w in breakdown.compared},
        "S09": {"BMJA-S11", "BMJA-S15"} <= {way.rule for way in breakdown.compared},
        "F02": breakdown.fishing,
        "F03": not breakdown.fishing and any(way.rule for way in breakdown.compared),
    }
    assert checks[name]
