"""The rules' data files: whole, in order, and matched by the code."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from scorer.hand import RULESETS, WAYS_OF_WINNING
from scorer.message import to_english
from scorer.predicates.bonus_tests import BONUS_TESTS
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import SET_REASONS, TILE_TESTS
from scorer.ruleset import Option, Rule, Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.special.registry import EVENT_HANDS

RULE_TESTS = {"set": set(TILE_TESTS), "bonus": set(BONUS_TESTS), "hand": set(HAND_TESTS)}
"""Subject of a rule to the names that its `when` may have; rules of the win have none."""

BMJA = load_builtin("bmja")
every_ruleset = pytest.mark.parametrize("rules", [*map(load_builtin, RULESETS)], ids=RULESETS)


def figures() -> Iterator[tuple[str, Rule]]:
    for name in RULESETS:
        for rule in load_builtin(name).every_rule:
            yield rule.id, rule


@every_ruleset
def test_every_rule_names_a_test_that_there_is(rules: Ruleset) -> None:
    for rule in rules.every_rule:
        assert rule.when in RULE_TESTS.get(rule.of, {""}), rule.id
        assert set(rule.ways) <= set(WAYS_OF_WINNING), rule.id
        assert bool(rule.kinds) == (rule.of == "set"), rule.id
        assert rule.special in ("", *rules.specials_by_id), rule.id
        assert rule.option in ("", *(option.name for option in rules.options)), rule.id
    for special in rules.specials:
        assert (special.when in EVENT_HANDS) == (special.pattern is None), special.id


def test_every_test_is_named_by_some_rule() -> None:
    used_tests = {(rule.of, rule.when) for _, rule in figures()}
    used_tests |= {(foreign.of, foreign.when) for foreign in BMJA.every_foreign_rule}
    for subject, names in RULE_TESTS.items():
        assert {when for of, when in used_tests if of == subject} == names
    assert {special.when for special in BMJA.specials if special.when} == set(EVENT_HANDS)
    of_sets = {(rule.when, rule.kinds[0]) for _, rule in figures() if rule.of == "set"}
    assert of_sets >= set(SET_REASONS)


def test_all_points_and_doubles_of_the_book_are_there() -> None:
    ids = {rule.id for rule in BMJA.rules}
    assert {rule for rule in ids if "-B" in rule} == {f"BMJA-B{n:02}" for n in range(1, 13)}
    assert {rule for rule in ids if "-D" in rule} == {f"BMJA-D{n:02}" for n in range(1, 18)}


def test_the_nineteen_special_hands_and_no_other() -> None:
    assert {special.id for special in BMJA.specials} == {f"BMJA-S{n}" for n in range(11, 30)}
    worth = {special.id: (special.value, special.fishing) for special in BMJA.specials}
    for n in range(11, 30):
        expected = (0, 0) if n == 11 else (500, 200) if n <= 14 else (1000, 400 if n < 25 else 0)
        assert worth[f"BMJA-S{n}"] == expected
    assert BMJA.specials_by_id["BMJA-S11"].doubles == 3


def test_the_specials_stand_dearest_first() -> None:
    values = [special.value for special in BMJA.specials]
    assert values == sorted(values, reverse=True)  # BMJA-S09


def test_every_option_decides_a_rule_of_its_own() -> None:
    names = [option.name for option in BMJA.options]
    assert len(names) == len(set(names))
    rule_ids = {option.rule for option in BMJA.options}
    assert rule_ids >= {f"BMJA-C{n:02}" for n in range(1, 19)}
    assert {option.name for option in BMJA.options if option.default} == BMJA.active_options


def test_a_rule_gives_points_or_doubles_never_both() -> None:
    for name, rule in figures():
        assert not (rule.doubles and (rule.exposed_points or rule.concealed_points)), name
        assert rule.concealed_points in (rule.exposed_points, 2 * rule.exposed_points), name


@every_ruleset
def test_every_rule_is_one_plain_sentence(rules: Ruleset) -> None:
    rows: list[Rule | SpecialHand | Option] = [*rules.every_rule, *rules.specials, *rules.options]
    for row in rows:
        sentence = to_english(row.sentence)
        assert re.fullmatch(r"[A-Z0-9](?:[^.]|\d\.\d)*\.", sentence), row
        assert len(sentence) <= 125, row


def points(rule_id: str) -> int:
    (rule,) = (rule for name, rule in figures() if name == rule_id)
    return rule.exposed_points


@pytest.mark.parametrize(
    ("kong", "pung"), [("BMJA-B04", "BMJA-B02"), ("BMJA-B05", "BMJA-B03"),
                       ("SAF-R04", "SAF-R02"), ("SAF-R05", "SAF-R03")],
)  # fmt: skip
def test_a_kong_is_worth_four_pungs(kong: str, pung: str) -> None:
    assert points(kong) == 4 * points(pung)


def test_a_major_is_worth_two_minors() -> None:
    assert points("BMJA-B03") == 2 * points("BMJA-B02")
    assert points("SAF-R03") == 2 * points("SAF-R02")


def test_safalra_says_that_its_figures_are_reconstructed() -> None:
    assert "reconstructed" in to_english(load_builtin("safalra").notice)
    assert not BMJA.notice
    with pytest.raises(KeyError):
        load_builtin("riichi")
