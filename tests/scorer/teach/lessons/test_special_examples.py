"""The special hands as they are taught, held against the scorer and against the rules' text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.ruleset import SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.lessons.examples import (
    Exposure,
    expose_each_set,
    find_exposure,
    fishing_example,
    special_example,
)
from tests.scorer.answers import special_of

BMJA = load_builtin("bmja")
each_special = pytest.mark.parametrize("special", BMJA.specials, ids=lambda special: special.name)

EXPOSED: dict[str, Exposure] = {
    **dict.fromkeys(
        ("BMJA-S11", "BMJA-S16", "BMJA-S18", "BMJA-S19", "BMJA-S20", "BMJA-S21", "BMJA-S22"),
        "any set",
    ),
    **dict.fromkeys(
        ("BMJA-S12", "BMJA-S13", "BMJA-S14", "BMJA-S15", "BMJA-S17", "BMJA-S23", "BMJA-S24"),
        "last tile",
    ),
    **dict.fromkeys(
        ("BMJA-S25", "BMJA-S26", "BMJA-S27", "BMJA-S28", "BMJA-S29"), "any hand"
    ),
}  # fmt: skip
"""What the text of the rules says (BMJA-S05, S36, S37, S40)."""


@each_special
def test_what_may_be_exposed_is_what_the_rules_say(special: SpecialHand) -> None:
    assert find_exposure(special, BMJA) == EXPOSED[special.id]


@pytest.mark.parametrize(
    ("rule", "choice", "expected"),
    [
        ("BMJA-S15", "buried_treasure_last_pung_claimable:off", "last pair"),
        ("BMJA-S23", "gates_only_terminal_claimable:on", "last 1 or 9"),
    ],
)
def test_a_tables_choice_is_seen(rule: str, choice: str, expected: Exposure) -> None:
    rules = BMJA.with_choices((choice,))
    assert find_exposure(rules.specials_by_id[rule], rules) == expected


@each_special
def test_an_exposed_set_spoils_all_but_those_of_pungs_and_kongs(special: SpecialHand) -> None:
    hands = [replace(hand, limit=None) for hand in expose_each_set(special_example(special))]
    specials = {special_of(hand, BMJA) == special.id for hand in hands}
    if EXPOSED[special.id] == "any set":
        assert specials == {True}
    elif EXPOSED[special.id] == "last tile":
        assert True not in specials


@each_special
def test_the_example_scores_its_value(special: SpecialHand) -> None:
    breakdown = score(special_example(special), BMJA)
    assert breakdown.special == special.id
    if special.value:
        assert (breakdown.total, breakdown.doubles) == (special.value, 0)
    else:
        assert breakdown.total == breakdown.base << special.doubles


@each_special
def test_without_its_last_tile_it_scores_its_fishing_value(special: SpecialHand) -> None:
    hand = fishing_example(special)
    if hand is None:
        assert not special.fishing
        return
    breakdown = score(hand, BMJA)
    whole_hand = special_example(special)
    assert whole_hand.winning_tile in {wait.tile for wait in breakdown.waits}
    if special.fishing:
        assert (breakdown.total, breakdown.special) == (special.fishing, special.id)
    else:
        assert breakdown.total == breakdown.base << special.doubles
    assert breakdown.fishing
