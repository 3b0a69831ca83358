"""A table's own ruleset: what its file says holds, also where the shipped ones say otherwise."""

from __future__ import annotations

import pytest

from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score

BIG = "| [DRRRR] [DGGGG] B222 WEEE B33 | won=wall"


def own(old: str, new: str) -> str:
    text = load_builtin_text("bmja")
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("limit", [500, 2000])
def test_the_files_limit_holds_where_the_hand_says_none(limit: int) -> None:
    rules = read_ruleset(own("limit = 1000", f"limit = {limit}"))
    assert score(parse_hand(BIG), rules).total == limit
    assert score(parse_hand(BIG + " limit=400"), rules).total == 400


def test_a_special_hand_need_not_have_a_value_for_fishing() -> None:
    jade = 'pair green"\nvalue = 1000\nfishing = 400'
    rules = read_ruleset(own(jade, jade.removesuffix("\nfishing = 400")))
    fishing = parse_hand("B222 B333 B444 | B66 B88 |")
    assert score(fishing).special == "BMJA-S18"
    assert score(fishing, rules).special == "BMJA-S11"


def test_a_choice_that_there_is_not_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="has no choice quick:on"):
        load_builtin("bmja").with_choices(("quick:on",))
