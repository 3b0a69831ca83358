"""The rulebook has every rule, and says rightly what the table's choices bear on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.match.penalties import PENALTIES, suggest_charge
from scorer.match.settlement import Terms, settle
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.lessons.figures import DEAREST_HANDS, collect_figures
from scorer.teach.lessons.rulebook import (
    CITATION_PATTERN,
    RULE_IDS,
    options_about,
    rows_of,
    switch_rule_on,
)
from tests.scorer.strategies import any_hands, lost_hands, twisted_hands
from tests.scorer.test_cases import CASES, UNREADABLE
from tests.scorer.walls import BMJA as BMJA_WALL
from tests.scorer.walls import SAFALRA as SAFALRA_WALL

BMJA = load_builtin("bmja")


def test_every_choice_has_the_rules_that_it_bears_on() -> None:
    assert {rule for option in BMJA.options for rule in option.affects} <= set(RULE_IDS)
    option_names = {row.option for row in BMJA.every_rule}
    unaffected_options = [
        each.name for each in BMJA.options if not each.affects and each.name not in option_names
    ]
    assert unaffected_options == ["two_player_minimum"], (
        "N02 has no row, and this is its own choice"
    )


@pytest.mark.parametrize(
    ("rule", "choices"),
    [
        ("BMJA-D10", ["clean_hand"]),
        ("BMJA-B12", ["last_tile_from_live_wall"]),
        ("BMJA-C16", ["only_possible_tile", "pair_completed"]),
        ("BMJA-S15", ["buried_treasure_last_pung_claimable"]),
        ("BMJA-K05", []),
    ],
)
def test_the_choices_about_a_rule(rule: str, choices: list[str]) -> None:
    assert [option.name for option in options_about(rule, BMJA)] == choices


def test_a_row_that_is_off_is_still_found_and_can_be_tried() -> None:
    (row,) = rows_of("BMJA-C18", BMJA)
    assert row not in BMJA.rules
    assert row in switch_rule_on("BMJA-C18", BMJA).rules


def rules_cited_by(hand: Hand) -> set[str]:
    """Return every rule that the scorer names when it scores a hand, or refuses it."""
    try:
        breakdown = score(hand)
    except ScorerError as failure:
        texts = [problem.text for problem in failure.problems]
        return {rule for message in texts for rule in CITATION_PATTERN.findall(message)}
    rule_ids = {line.rule for line in breakdown.lines} | {n.rule for n in breakdown.not_counted}
    rule_ids |= {way.rule for way in breakdown.compared if way.rule}
    rule_ids |= {wait.special for wait in breakdown.waits if wait.special}
    rule_ids |= {near.rule for near in breakdown.nearest}
    rule_ids |= {option.rule for option in breakdown.options}
    for problem in breakdown.problems:
        rule_ids |= set(CITATION_PATTERN.findall(problem.text))
    return rule_ids


def test_whatever_the_scorer_cites_is_a_rule_of_the_book() -> None:
    rules_found_in = {
        rule
        for case in CASES.values()
        if case.error != UNREADABLE
        for rule in rules_cited_by(parse_hand(case.hand))
    }
    assert len(rules_found_in) > 70, "the search itself works"
    assert rules_found_in <= set(RULE_IDS)


def test_so_is_what_settling_walls_and_penalties_cite() -> None:
    scores = {"E": 80, "S": 84, "W": 208, "N": 416}
    rule_ids = {penalty.rule for penalty in PENALTIES.values()}
    for terms in (Terms(), Terms(in_full=True), Terms(double="S")):
        for winner in scores:
            rule_ids |= {r for p in settle(scores, winner, terms=terms).payments for r in p.rules}
    rule_ids |= {r for p in settle({"E": 30, "W": 40}, "E").payments for r in p.rules}
    rule_ids |= {*BMJA_WALL.rules.values(), *SAFALRA_WALL.rules.values()}
    assert len(rule_ids) > 15
    assert rule_ids <= set(RULE_IDS)


def test_the_figures_of_sentences_are_those_of_the_rules_text() -> None:
    """What BMJA-P04 to P09, L03, S30, N02 and SAF-S04, N02, N03 say, read from the code."""
    british, safalra = collect_figures(BMJA), collect_figures(load_builtin("safalra"))
    figures = {"wall_pairs": 18, "box_pairs": 7, "box_tiles": 14, "left_after_deal": 77,
             "east_dealt": 14, "others_dealt": 13, "most_counted": 24, "tallies": 2000,
             "dearest": 1_490_944, "B11": 20, "B12": 2, "S11": 3, "two_doubles": 4,
             "two_points": 500, "misnamed": 50, "rounds": 4, "all_tiles": 144}  # fmt: skip
    assert {name: british[name] for name in figures} == figures
    figures = {"wall_tiles": 136, "box_tiles": 16, "box_right": 7, "box_tiles_3": 12,
             "box_tiles_2": 8, "mini_pairs": 8, "mini_tiles": 64, "dearest": 2592}  # fmt: skip
    assert {name: safalra[name] for name in figures} == figures
    assert set(DEAREST_HANDS) == {"bmja", "safalra"}


def test_what_the_rulebook_says_of_penalties() -> None:
    """BMJA-P19: half the limit, and who pays for all."""
    assert BMJA.payments.false_mah_jong is None
    charge = suggest_charge(PENALTIES["false-mah-jong"], "Ann", ("Bob",), BMJA)
    assert charge.amounts == {"Bob": 500}, "half of 1,000"
    for_all = {code for code, penalty in PENALTIES.items() if penalty.goes_to == "losers"}
    assert for_all == {"misnamed-for-mah-jong", "cannon"}


@given(st.one_of(twisted_hands(), lost_hands(), any_hands()))
def test_whatever_the_scorer_cites_of_any_hand_is_a_rule_of_the_book(hand: Hand) -> None:
    assert rules_cited_by(hand) <= set(RULE_IDS)
