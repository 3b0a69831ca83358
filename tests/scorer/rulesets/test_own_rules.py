"""A table's own ruleset: what its file says holds, also where the shipped ones say otherwise."""

from __future__ import annotations

import pytest

from scorer.false_examples import find_false_examples, is_special
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score

PLAIN = "B234 O666 | C555 WNNN B88 | seat=S won=discard with=B8"
BIG = "| [DRRRR] [DGGGG] B222 WEEE B33 | won=wall"


def replace_text(old: str, new: str) -> str:
    text = load_builtin_text("bmja")
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize("limit", [500, 2000])
def test_the_files_limit_holds_where_the_hand_says_none(limit: int) -> None:
    rules = read_ruleset(replace_text("limit = 1000", f"limit = {limit}"))
    assert score(parse_hand(BIG), rules).total == limit
    assert score(parse_hand(BIG + " limit=400"), rules).total == 400


def test_a_special_hand_need_not_have_a_value_for_fishing() -> None:
    jade = 'pair green"\nvalue = 1000\nfishing = 400'
    rules = read_ruleset(replace_text(jade, jade.removesuffix("\nfishing = 400")))
    fishing = parse_hand("B222 B333 B444 | B66 B88 |")
    assert score(fishing).special == "BMJA-S18"
    assert score(fishing, rules).special == "BMJA-S11"


def test_a_choice_that_there_is_not_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="has no choice quick:on"):
        load_builtin("bmja").with_choices(("quick:on",))


def test_a_shipped_sentence_follows_a_figure_that_was_changed_in_the_file() -> None:
    rules = read_ruleset(
        replace_text('label = "Going out"\npoints = 20', 'label = "Going out"\npoints = 25')
    )
    (line,) = (line for line in score(parse_hand(PLAIN), rules).lines if line.rule == "BMJA-B11")
    assert (line.points, to_english(line.sentence)) == (
        25,
        "The player who goes out scores 25.",
    )
    reworded_rules = read_ruleset(
        replace_text("The player who goes out scores 20.", "Twenty for the winner.")
    )
    assert to_english(reworded_rules.rules[0].sentence) == "Twenty for the winner."


def test_examples_that_are_not_of_their_hand_are_found() -> None:
    assert find_false_examples(load_builtin("bmja")) == ()
    snake = '["| B1123456789 WESWN | won=wall with=B5"]'
    pairs = '["| B11 B99 O11 WEE WSS DRR DGG | won=wall with=DG"]'
    wrong = read_ruleset(replace_text(snake, pairs))
    (sentence,) = (to_english(each.message) for each in find_false_examples(wrong))
    assert sentence.startswith("The wriggling snake: ")
    assert "is no such hand" in sentence
    jade = '["B222 B666 | B333 DGGG B55 | won=discard with=B5"]'
    rules = read_ruleset(replace_text(jade, '["B222 B666 | B333 DGGG B88 | won=discard with=B8"]'))
    (false_example,) = find_false_examples(rules)
    assert "is such a hand" in to_english(false_example.message)


def test_examples_of_a_rule_are_scored_too() -> None:
    flower = '["| | F3 S1 seat=S"]'
    wrong = read_ruleset(replace_text(flower, '["| | seat=S"]'))
    assert [each.id for each in find_false_examples(wrong)] == ["BMJA-B10"]
    assert [each.id for each in find_false_examples(wrong, is_custom=True)] == ["BMJA-B10"]
    dear = read_ruleset(
        replace_text('doubles = 1\nwho = "everyone"', 'doubles = 0\nwho = "everyone"')
    )
    assert find_false_examples(dear) == (), "a row that gives nothing shows nothing"


EXAMPLES = [
    ("| B112345678 WESWN |", True, "a loser who lacks one tile"),
    ("| B112345678 WESW DR |", False, "a loser who lacks two"),
    ("B234 | B156789 WESWN | won=wall with=B1", False, "no hand at all"),
    ("| B1123456789 WESWN | F1234 S1234 won=last-tile with=B5", True, "with bonus tiles"),
]


@pytest.mark.parametrize(("text", "fits", "reason"), EXAMPLES)
def test_an_example_may_be_any_hand_that_is_scored_so(text: str, fits: bool, reason: str) -> None:
    rules = load_builtin("bmja")
    assert is_special(parse_hand(text), rules.specials_by_id["BMJA-S17"], rules) == fits, reason
