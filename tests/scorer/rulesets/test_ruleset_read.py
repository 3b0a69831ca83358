"""What is read from a ruleset's file: a shipped one, an edited one, and whatever else."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from types import MappingProxyType
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.errors import HandError
from scorer.hand import RULESETS
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.ruleset import (
    ForeignRule,
    Laying,
    Option,
    PaymentFigures,
    Rule,
    Ruleset,
    RuleSubject,
    SpecialHand,
    TwoPlayers,
)
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import RulesetError, read_ruleset
from scorer.rulesets.schema import BLOCKS, FILE_BLOCK, PAYMENT_KEYS, SUBJECTS, TWO_PLAYERS_KEYS
from scorer.score import score


@pytest.mark.parametrize("name", RULESETS)
def test_a_shipped_ruleset_is_what_its_file_says(name: str) -> None:
    text = load_builtin_text(name)
    ruleset = read_ruleset(text)
    data = tomllib.loads(text)
    assert [each.id for each in ruleset.every_rule] == [row["id"] for row in data["rule"]]
    assert [each.id for each in ruleset.specials] == [row["id"] for row in data.get("special", [])]
    assert [each.name for each in ruleset.options] == [
        row["name"] for row in data.get("option", [])
    ]
    assert isinstance(ruleset.chows, MappingProxyType)
    assert ruleset.active_options == {each.name for each in ruleset.options if each.default}
    assert ruleset.rules == tuple(
        r for r in ruleset.every_rule if r.option in {"", *ruleset.active_options}
    )


def test_figures_come_out_as_they_stand() -> None:
    bmja = load_builtin("bmja")
    rules = {rule.id: rule for rule in bmja.every_rule}
    assert (rules["BMJA-B05"].exposed_points, rules["BMJA-B05"].concealed_points) == (16, 32)
    assert (rules["BMJA-B06"].exposed_points, rules["BMJA-B06"].concealed_points) == (2, 2)
    assert (rules["BMJA-B05"].kinds, rules["BMJA-D11"].ways) == (
        ("kong",),
        ("loose", "kong-of-kong"),
    )
    assert (rules["BMJA-D07"].doubles, rules["BMJA-D07"].winner_only) == (2, False)
    assert (rules["BMJA-S04"].below, rules["BMJA-S30"].special) == (1000, "BMJA-S11")
    assert (bmja.limit, bmja.players, bmja.two_players) == (1000, (2, 3, 4, 5), TwoPlayers(4, 500))
    assert (load_builtin("safalra").limit, load_builtin("safalra").two_players) == (None, None)
    assert (load_builtin("safalra").one_suit, bmja.one_suit) == (True, False)


SAFALRA_HAND = parse_hand("DRRR | C234 C567 C88 WEEE | rules=safalra seat=E won=wall with=C2")


def test_an_edited_figure_takes_effect() -> None:
    text = load_builtin_text("safalra")
    before = score(SAFALRA_HAND, read_ruleset(text)).total
    after = score(SAFALRA_HAND, read_ruleset(text.replace("exposed = 4", "exposed = 7", 1))).total
    assert (before, after) == ((20 + 2 + 4 + 8) * 4, (20 + 2 + 7 + 8) * 4)


def test_special_hands_come_dearest_first_however_they_stand() -> None:
    before, knitting, after = load_builtin_text("bmja").partition('name = "Knitting"')
    text = before + knitting + after.replace("value = 500", "value = 2000", 1)
    ruleset = read_ruleset(text)
    assert to_english(ruleset.specials[0].name) == "Knitting"
    assert [each.value for each in ruleset.specials[:3]] == [2000, 1000, 1000]


@pytest.mark.parametrize("name", RULESETS)
def test_a_file_saved_by_another_system_is_the_same(name: str) -> None:
    text = load_builtin_text(name)
    other_text = "\ufeff" + text.replace("\n", "\r\n")
    assert read_ruleset(other_text).every_rule == read_ruleset(text).every_rule


def test_keys_in_quotation_marks_and_tables_in_one_line_will_do() -> None:
    text = load_builtin_text("safalra").replace("[chows]\n2 = 0\n3 = 4\n4 = 4\n", "")
    text = text.replace("one_suit =", 'chows = {2 = 0, "3" = 1, 4 = 4}\n"one_suit" =')
    assert read_ruleset(text).chows == {"2": 0, "3": 1, "4": 4}


# The tables of keys follow the types.

TYPES: list[tuple[type, Mapping[str, object], set[str]]] = [
    (Option, BLOCKS["option"].keys, set()),
    (SpecialHand, BLOCKS["special"].keys, set()),
    (TwoPlayers, TWO_PLAYERS_KEYS, set()),
    (PaymentFigures, PAYMENT_KEYS, set()),
    (Ruleset, {**FILE_BLOCK.keys, "chows": 0, "two_players": 0, "kong_box": 0, "payments": 0},
     {"rules", "every_rule", "specials", "every_special", "options", "layings",
      "every_foreign_rule", "active_options"}),
    (ForeignRule, {**BLOCKS["elsewhere"].keys, "winner_only": 0, "hand": 0}, set()),
    (Laying, BLOCKS["laying"].keys, set()),
    (Rule, {**BLOCKS["rule"].keys, "winner_only": 0, "exposed_points": 0, "concealed_points": 0},
     set()),
]  # fmt: skip
"""Each type, the keys of its block, and the fields that are made of whole blocks."""


@pytest.mark.parametrize(("row_type", "keys", "arguments"), TYPES)
def test_every_field_can_be_written(
    row_type: type, keys: Mapping[str, object], arguments: set[str]
) -> None:
    file_only_keys = {
        Rule: {"who", "points", "exposed", "concealed"},
        ForeignRule: {"who", "pattern", "concealed", "claim"},
        SpecialHand: {"played"},
        Ruleset: {"digest", "format"},  # they say what a file is, and nothing of its rules
    }
    file_keys = file_only_keys.get(row_type, set())
    assert {field.name for field in fields(row_type)} - arguments == set(keys) - file_keys


def test_every_subject_is_known() -> None:
    assert set(SUBJECTS) == set(get_args(RuleSubject))


SCRAPS = st.text(alphabet="[]{}\"'=#,.\\\n ax10_-\ufeff\r\x00\u2028é", max_size=40)
NAMES = sorted({"x", *FILE_BLOCK.keys, *BLOCKS, *(key for b in BLOCKS.values() for key in b.keys)})
VALUES = ["0", "1", "-3", "4000", "1e999", "nan", "true", "[]", "{}", "[[]]", "[1, 'x']",
        "1979-05-27", "07:32:00", "''", "'set'", "'winner'", "'sets'", "['kong']", "[{}]", "[2]",
        "'BMJA-S11'", "'\u0007'"]  # fmt: skip
LINES = st.one_of(
    SCRAPS,
    st.builds("{} = {}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
    st.sampled_from([f"[{name}]" for name in NAMES] + [f"[[{name}]]" for name in NAMES]),
    st.sampled_from(load_builtin_text("bmja").splitlines()),
)
HANDS = [
    parse_hand("B222 O5555 | C345 DRRR WEE | F1 S2 seat=E round=E won=wall with=C5"),
    parse_hand("C222 | C333 C444 C555 C6 | F1 seat=S"),
    parse_hand("| B1 B9 C1 C9 O1 O9 WESWN DRGW | seat=W"),
    SAFALRA_HAND,
]


def read_or_refuse(text: str) -> Ruleset | None:
    try:
        return read_ruleset(text)
    except RulesetError as failure:
        last = text.count("\n") + 1
        for problem in failure.problems:
            line = problem.text.removeprefix("Line ").partition(":")[0]
            assert 1 <= int(line) <= last
        return None


@given(st.one_of(st.text(), SCRAPS, st.lists(LINES).map("\n".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


@given(st.sampled_from(RULESETS), st.data())
def test_a_shipped_file_in_disorder_is_read_or_refused(name: str, data: st.DataObject) -> None:
    lines = load_builtin_text(name).splitlines()
    for _ in range(data.draw(st.integers(1, 4), "changes")):
        place = data.draw(st.integers(0, len(lines) - 1), "at")
        lines[place : place + data.draw(st.integers(0, 2))] = data.draw(st.lists(LINES, max_size=2))
    ruleset = read_or_refuse("\n".join(lines))
    for hand in HANDS if ruleset else []:
        with suppress(HandError):  # a hand may be none by such rules
            assert score(hand, ruleset).total >= 0
