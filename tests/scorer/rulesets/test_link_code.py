"""A ruleset in the text of a QR code: what forms change comes back whole, and nothing else does."""

from __future__ import annotations

import base64
import json
import zlib
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.hand import RULESETS
from scorer.rulesets.custom import read_custom_ruleset, stamp
from scorer.rulesets.files import SAMPLES, load_builtin_text, load_sample_text
from scorer.rulesets.link_code import (
    MAX_UNPACKED_BYTES,
    NoCodeError,
    key_rows,
    read_link_code,
    write_link_code,
)
from scorer.rulesets.reader import RulesetError
from scorer.rulesets.rows import change_row, find_row, list_rows, remove_row

NEW = {"name": "Run, pung and pair", "pattern": "x1-9, pung y, pair z", "value": "500"}
OTHER = {"name": "Two sevens", "pattern": "x1-7, y1-7", "value": "1000", "fishing": "400"}


@cache
def copy_of(name: str) -> str:
    return stamp(load_builtin_text(name), title="Our rules", author="Ann", version=3)


def change(text: str, key: str, **entries: str) -> str:
    """Return a file with what was typed into the form of the row that a code calls so."""
    row = key_rows(text).get(key) or find_row(text, "special-new")
    assert row
    return change_row(text, row, entries)


def round_trip(text: str) -> str:
    linked_rules = read_link_code(write_link_code(text))
    assert linked_rules.is_exact
    return linked_rules.text


CHANGES: list[tuple[str, dict[str, str], str]] = [
    ("limit", {"limit": ""}, "no limit"),
    ("payments", {"tallies": "0", "misnamed": "20", "false_mah_jong": "300"}, "payments"),
    ("kong_box", {"4": "16"}, "the wall"),
    ("BMJA-D05", {"doubles": "2"}, "the sentence follows the figure"),
    ("BMJA-B10", {"points": "6", "sentence": "Six for a flower."}, "a sentence of the table's own"),
    ("BMJA-S13", {"played": "no", "value": "700", "fishing": ""}, "a special hand"),
    ("jade_chows", {"default": "yes"}, "a switch"),
    ("OURS-1", NEW, "a special hand of the table's own"),
]


@pytest.mark.parametrize(("key", "entries", "reason"), CHANGES)
def test_what_a_form_changes_comes_back(key: str, entries: dict[str, str], reason: str) -> None:
    text = change(copy_of("bmja"), key, **entries)
    new_text = round_trip(text)
    assert read_custom_ruleset(new_text).version == 3
    assert {k: dict(row.data) for k, row in key_rows(new_text).items()} == {
        k: dict(row.data) for k, row in key_rows(text).items()
    }, reason


@pytest.mark.parametrize("name", RULESETS)
@settings(max_examples=6)
@given(data=st.data())
def test_any_figures_come_back(name: str, data: st.DataObject) -> None:
    text = copy_of(name)
    figures = [
        (row.address, key)
        for row in list_rows(text)
        for key, value in row.fields.items()
        if type(value) is int and row.block in ("rule", "special", "limit")
    ]
    for address, key in data.draw(st.lists(st.sampled_from(figures), max_size=3, unique=True)):
        row = find_row(text, address)
        assert row
        text = change_row(text, row, {key: str(data.draw(st.integers(1, 20)))})
    assert read_custom_ruleset(round_trip(text)).every_rule == read_custom_ruleset(text).every_rule


def test_hands_of_the_tables_own_keep_their_ids() -> None:
    text = change(change(copy_of("bmja"), "OURS-1", **NEW), "OURS-2", **OTHER)
    text = remove_row(text, key_rows(text)["OURS-1"])
    assert "OURS-2" in read_custom_ruleset(round_trip(text)).specials_by_id
    assert "OURS-1" not in read_custom_ruleset(round_trip(text)).specials_by_id


@pytest.mark.parametrize("name", SAMPLES)
def test_rules_that_differ_by_more_than_forms_have_no_code(name: str) -> None:
    with pytest.raises(NoCodeError):
        write_link_code(load_sample_text(name))


def test_nor_do_labels_examples_and_what_was_taken_out() -> None:
    text = copy_of("bmja")
    for new_text in (
        text.replace('label = "Flower or season"', 'label = "Bonus tile"', 1),
        text.replace("bonus_tiles = true", "bonus_tiles = false", 1),
        remove_row(text, key_rows(text)["BMJA-S12"]),
    ):
        assert new_text != text
        with pytest.raises(NoCodeError):
            write_link_code(new_text)


def pack(parts: object) -> str:
    plain = parts if isinstance(parts, bytes) else json.dumps(parts).encode()
    return base64.b32encode(zlib.compress(plain)).decode().rstrip("=")


DAMAGED_CODES = [
    ("", "nothing"),
    ("HELLO", "no code"),
    ("É", "no letter of a code"),
    (pack(b"0" * 10_000_000), "it unpacks to ten million letters"),
    (pack(b"[" * MAX_UNPACKED_BYTES), "too deep"),
    (pack({"form": 1}), "no list"),
    (pack([1, "riichi", "T", "", 1, "", {}]), "no such game"),
    (pack([1, "bmja", "T", "", 10**9, "", {}]), "no such version"),
    (pack([1, "bmja", "T", "", 1, "", {"BMJA-D05": 3}]), "no form"),
    (pack([1, "bmja", "\ud800", "", 1, "", {}]), "half of a letter"),
    (pack([2, "bmja", "T", "", 1, "", {}]), "made by a newer version"),
    (pack([1, "bmja", "T", "", 1, "", {"BMJA-D99": {"doubles": "2"}}]), "a rule unknown here"),
]


@pytest.mark.parametrize(("code", "reason"), DAMAGED_CODES)
def test_what_is_no_code_is_refused(code: str, reason: str) -> None:
    with pytest.raises(RulesetError):
        read_link_code(code)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(code: str) -> None:
    with suppress(RulesetError):
        read_link_code(code)


def test_a_code_of_another_wording_says_so() -> None:
    parts = [1, "bmja", "T", "", 1, "0" * 16, {"limit": {"limit": "500"}}]
    linked_rules = read_link_code(pack(parts))
    assert not linked_rules.is_exact
    assert read_custom_ruleset(linked_rules.text).limit == 500
