"""The rows of a ruleset's file that forms change: each can be changed, and its sentence follows."""

from __future__ import annotations

import tomllib

import pytest

from scorer.hand import RULESETS
from scorer.message import to_english
from scorer.rulesets.custom import read_custom_ruleset
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.rows import (
    NEW_SPECIAL,
    EditableRow,
    FieldValue,
    change_row,
    find_row,
    list_rows,
    remove_row,
)
from scorer.teach.lessons.examples import find_rule_example

BMJA = load_builtin_text("bmja")


def row_of(rule: str, text: str = BMJA, label: str = "") -> EditableRow:
    """Return the first row of a rule, or the one of this label."""
    rows = (row for row in list_rows(text) if row.id == rule)
    return next(row for row in rows if label in row.data.get("label", ""))


def change_value(value: FieldValue) -> tuple[str, FieldValue]:
    """Return what is typed for another value, and that value."""
    if isinstance(value, bool):
        return ("no", False) if value else ("yes", True)
    return ("Another", "Another") if isinstance(value, str) else ("3", 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_field_of_every_row_can_be_changed(name: str) -> None:
    text = load_builtin_text(name)
    for row in list_rows(text):
        assert row.fields
        new = {key: change_value(value) for key, value in row.fields.items()}
        new_row = find_row(
            change_row(text, row, {key: typed for key, (typed, _) in new.items()}), row.address
        )
        assert new_row
        assert {key: new_row.data[key] for key in new} == {
            key: now for key, (_, now) in new.items()
        }


def test_only_a_hand_of_tiles_may_be_fished_for() -> None:
    fishing_ids = {
        row.id for row in list_rows(BMJA) if row.block == "special" and "fishing" in row.fields
    }
    assert fishing_ids == {f"BMJA-S{n}" for n in range(12, 25)}, (
        "S11 has doubles; S25 to S29 are events"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_what_is_typed_as_it_was_changes_nothing(name: str) -> None:
    text = load_builtin_text(name)
    data = tomllib.loads(text)
    by_fields = {(row.block, *row.fields): row for row in list_rows(text)}
    assert len(by_fields) > 3
    for row in by_fields.values():
        entries = {
            key: ("yes" if value else "no") if isinstance(value, bool) else str(value or "")
            for key, value in row.fields.items()
            if value != 0 or isinstance(value, bool)
        }
        assert tomllib.loads(change_row(text, row, entries)) == data, row.address


@pytest.mark.parametrize(
    ("rule", "entries", "says"),
    [
        ("BMJA-B11", {"points": "30"}, "The player who goes out scores 30."),
        ("BMJA-B04", {"exposed": "10", "concealed": "20"},
         "Four alike of 2 to 8 in a suit score 10 exposed and 20 concealed."),
        ("BMJA-B08", {"points": "4"},
         "A pair of the prevailing wind scores 4, besides the 2 that it may score as seat wind."),
        ("BMJA-D01", {"doubles": "3"}, "Each pung or kong of dragons doubles the score 3 times."),
        ("BMJA-B10", {"points": "6", "sentence": "Each blossom: 6."}, "Each blossom: 6."),
        ("BMJA-B10", {"points": "x"}, "Each flower and each season scores 4."),
    ],
)  # fmt: skip
def test_the_sentence_follows_the_figures(rule: str, entries: dict[str, str], says: str) -> None:
    row = row_of(rule)
    new_row = find_row(change_row(BMJA, row, entries), row.address)
    assert new_row
    assert new_row.data["sentence"] == says


def test_a_special_hand_that_is_not_played_comes_back_as_it_was() -> None:
    text = change_row(BMJA, row_of("BMJA-S13"), {"played": "no"})
    assert "BMJA-S13" not in read_custom_ruleset(text).specials_by_id
    rules = read_custom_ruleset(change_row(text, row_of("BMJA-S13", text), {"played": "yes"}))
    assert to_english(rules.specials_by_id["BMJA-S13"].name) == "Knitting"


def test_a_file_without_a_limit_is_given_one() -> None:
    text = load_builtin_text("safalra")
    row = find_row(text, "limit")
    assert row
    assert row.fields == {"limit": None, "ordinary_limit": None}
    assert read_custom_ruleset(change_row(text, row, {"limit": "900"})).limit == 900
    assert read_custom_ruleset(change_row(text, row, {"limit": ""})).limit is None
    rules = read_custom_ruleset(change_row(text, row, {"limit": "900", "ordinary_limit": "400"}))
    assert (rules.limit, rules.ordinary_limit) == (900, 400)


@pytest.mark.parametrize(
    "chows", ["chows = {2 = 0, 3 = 0, 4 = 1, 5 = 1, goulash = 0}", "chows.4 = 1\nchows.3 = 0"]
)
def test_what_forms_cannot_change_is_said(chows: str) -> None:
    before, _, after = BMJA.partition("[chows]")
    rest = after.partition("\n\n")[2]
    text = before.replace("limit = 1000", f"limit = 1000\n{chows}") + rest
    row = find_row(text, "chows")
    assert row
    with pytest.raises(RulesetError, match="you can change only in the file"):
        change_row(text, row, {"4": "2"})
    assert find_row(text, "rule-999") is None


NEW_HAND = {"name": "Ours", "pattern": "x1-9, pung y, pair z", "value": "500", "concealed": "yes"}


def add_hand(text: str, **entries: str) -> str:
    """Return a text with another special hand."""
    new = find_row(text, NEW_SPECIAL)
    assert new
    return change_row(text, new, {**NEW_HAND, **entries})


@pytest.mark.parametrize("name", RULESETS)
def test_a_special_hand_is_added_and_taken_out_again(name: str) -> None:
    text = load_builtin_text(name)
    first_text = add_hand(text)
    second_text = add_hand(first_text, name="Other", pattern="x1-7, each honour")
    rows = [row_of(f"OURS-{number}", second_text) for number in (1, 2)]
    special = read_custom_ruleset(second_text).specials_by_id["OURS-1"]
    assert (to_english(special.name), special.value, special.concealed) == ("Ours", 500, True)
    assert to_english(special.sentence).startswith("1 to 9 of one suit, a pung of a second suit")
    new_text = remove_row(remove_row(second_text, rows[1]), rows[0])
    assert tomllib.loads(new_text) == tomllib.loads(text)
    assert new_text.rstrip() == text.rstrip(), "and nothing else is touched"


def test_a_hand_is_taken_out_with_its_variants_and_no_other() -> None:
    row = row_of("BMJA-S15")
    assert row.data["variants"]
    left = tomllib.loads(remove_row(BMJA, row))
    before = tomllib.loads(BMJA)
    assert left["special"] == [each for each in before["special"] if each["id"] != row.id]
    assert {**left, "special": ()} == {**before, "special": ()}


def test_another_pattern_takes_what_showed_the_old_one_with_it() -> None:
    row = row_of("BMJA-S16")
    entries = {"pattern": "4 pungs/kongs minor, pair minor", "sentence": row.data["sentence"]}
    special = read_custom_ruleset(change_row(BMJA, row, entries)).specials_by_id[row.id]
    assert to_english(special.sentence) == "4 pungs or kongs of 2s to 8s and a pair of 2s to 8s."
    assert special.examples != tuple(row.data["examples"])
    assert find_rule_example(row.id, read_custom_ruleset(change_row(BMJA, row, entries))).hands == (
        special.examples
    )
    new_text = change_row(BMJA, row, {**entries, "sentence": "All simple."})
    assert (
        to_english(read_custom_ruleset(new_text).specials_by_id[row.id].sentence) == "All simple."
    )


def test_a_hand_played_otherwise_by_choice_keeps_its_pattern() -> None:
    fields = row_of("BMJA-S15").fields
    assert "variants" in row_of("BMJA-S15").data
    assert not {"pattern", "claim"} & fields.keys(), "the file alone says how both belong together"


def test_hands_written_in_one_line_are_left_to_the_file() -> None:
    before, _, after = BMJA.partition("[[special]]")
    text = f"special = []\n{before}{after[after.index('[[option]]') :]}"
    with pytest.raises(RulesetError, match="you can change only in the file"):
        add_hand(text)
