"""The rules' data file: whole, in order, and matched by the code."""

from __future__ import annotations

import re

from scorer.awards import FINDERS
from scorer.near_misses import NEAR_MISSES
from scorer.rules import RULES, SPECIAL_HANDS
from scorer.special import EVENTS, OF_SETS, OF_TILES


def test_every_rule_has_a_function_and_every_function_a_rule() -> None:
    assert set(RULES) == set(FINDERS)
    assert set(NEAR_MISSES) <= set(RULES)
    assert set(SPECIAL_HANDS) == {*OF_SETS, *OF_TILES, *EVENTS}


def test_all_points_and_doubles_of_the_book_are_there() -> None:
    assert {rule for rule in RULES if "-B" in rule} == {f"BMJA-B{n:02}" for n in range(1, 13)}
    assert {rule for rule in RULES if "-D" in rule} == {f"BMJA-D{n:02}" for n in range(1, 18)}


def test_a_rule_gives_points_or_doubles_never_both() -> None:
    for rule in RULES.values():
        assert not (rule.doubles and (rule.exposed_points or rule.concealed_points)), rule.id
        assert rule.concealed_points in (rule.exposed_points, 2 * rule.exposed_points), rule.id


def test_every_rule_is_one_plain_sentence() -> None:
    for rule in RULES.values():
        assert re.fullmatch(r"[A-Z][^.]*\.", rule.sentence), rule.id
        assert len(rule.sentence) <= 110, rule.id


def test_a_kong_is_worth_four_pungs_and_a_major_two_minors() -> None:
    for kong, pung in (("B04", "B02"), ("B05", "B03")):
        assert RULES[f"BMJA-{kong}"].exposed_points == 4 * RULES[f"BMJA-{pung}"].exposed_points
    assert RULES["BMJA-B03"].exposed_points == 2 * RULES["BMJA-B02"].exposed_points
