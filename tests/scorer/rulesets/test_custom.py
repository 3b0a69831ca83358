"""Custom rulesets: what a box takes for matches, stamp and digest, changes of single values."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import (
    MAX_CUSTOM_CHARS,
    compute_digest,
    decode_custom_file,
    read_custom_ruleset,
    stamp,
    tidy_custom_text,
)
from scorer.rulesets.editing import TomlValue, write_values
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.line_numbers import KeyPath
from scorer.rulesets.reader import RulesetError

BMJA = load_builtin_text("bmja")


PURITY = 'pattern = "4 pungs/kongs x, pair x"\ndoubles = 3'
HEAVEN = 'sentence = "East goes out with the tiles as dealt."'


def faults_of(text: str) -> list[str]:
    """Return every fault of a text that is no custom ruleset."""
    with pytest.raises(RulesetError) as failure:
        read_custom_ruleset(tidy_custom_text(text))
    return [problem.text for problem in failure.value.problems]


@pytest.mark.parametrize("name", RULESETS)
def test_the_shipped_rulesets_may_be_copied(name: str) -> None:
    text = stamp(load_builtin_text(name), title="Ours", author="Ann", version=3)
    rules = read_custom_ruleset(text)
    assert (rules.name, rules.author, rules.version) == (name, "Ann", 3)
    assert rules.every_rule == load_builtin(name).every_rule
    assert read_custom_ruleset(text) is rules, "the scorer caches by the object"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "bmja"', 'name = "ours"', '"name" is "ours", but must be "bmja" or "safalra"'),
        ('shape = "XXX"', 'shape = "X?X"', "blocks are not those"),
        ("goulash = true", "goulash = true\nformat = 2", "a newer Tongbox may read this file"),
        ("limit = 1000", "limit = 1000\nlimits = 3", '"limits" is no key of this file'),
        (
            'name = "Knitting"',
            'name = "Purity"',
            '"Purity" is the name of another hand or rule already',
        ),
        ("| F2 seat=S", "| F9 seat=S", "which is no hand"),
        ("points = 20", "points = -1", "a whole number from 0 to 1,000,000"),
        ('name = "bmja"', "name = 3", '"name"'),
        (HEAVEN, "", 'needs "sentence"'),
        (PURITY, PURITY.replace("pungs/", "punks/"), 'Did you mean "pung"?'),
    ],
)
def test_what_a_box_does_not_take_is_said_with_its_line(old: str, new: str, says: str) -> None:
    assert old in BMJA
    (fault,) = faults_of(BMJA.replace(old, new, 1))
    assert fault.startswith("Line ")
    assert says in fault


def test_an_event_needs_a_hand_to_show() -> None:
    lines = [line for line in BMJA.splitlines() if "won=heaven" not in line]
    assert [fault.partition(":")[2] for fault in faults_of("\n".join(lines))] == [
        ' This special hand needs "examples": a list of hand texts that show it.'
    ]


def test_a_file_too_long_for_a_match_is_refused() -> None:
    assert "characters" in faults_of(BMJA + "#" * MAX_CUSTOM_CHARS)[0]


def test_a_file_that_is_no_text_is_refused() -> None:
    with pytest.raises(RulesetError, match="Line 2: This is not UTF-8"):
        decode_custom_file(b"# a\n# \xa3\n")


def test_line_ends_and_marks_of_other_systems_do_no_harm() -> None:
    windows = "\ufeff" + BMJA.rstrip("\n").replace("\n", "\r\n")
    assert tidy_custom_text(windows) == BMJA


def test_the_digest_is_of_the_rules_alone() -> None:
    text = stamp(BMJA, title="Ours", author="", version=1)
    assert compute_digest(text) == compute_digest(stamp(text, title="Ours", author="B", version=7))
    assert compute_digest(text) == compute_digest(f"# a remark\n{text}")
    assert compute_digest(text) != compute_digest(text.replace("points = 20", "points = 21", 1))
    assert compute_digest(text) in text


def _paths(data: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield where every value stands that is a word, a number or a switch."""
    items = data.items() if isinstance(data, dict) else enumerate(data)  # type: ignore[arg-type]
    for key, value in items:
        if isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict)):
            yield from _paths(value, (*path, key))
        elif not isinstance(value, list):
            yield (*path, key)


def _put(data: Any, path: KeyPath, value: TomlValue) -> None:  # noqa: ANN401 - what tomllib reads
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


PATHS = {name: list(_paths(tomllib.loads(load_builtin_text(name)))) for name in RULESETS}
VALUES: st.SearchStrategy[TomlValue] = st.one_of(
    st.integers(0, 10**6), st.booleans(), st.text(st.characters(codec="utf-8"), max_size=20)
)


@given(st.data(), st.sampled_from(RULESETS), VALUES)
def test_a_value_is_changed_and_nothing_else(
    data: st.DataObject, name: str, value: TomlValue
) -> None:
    text, path = load_builtin_text(name), data.draw(st.sampled_from(PATHS[name]))
    new_text = write_values(text, {path: value})
    expected = tomllib.loads(text)
    _put(expected, path, value)
    assert tomllib.loads(new_text) == expected
    assert new_text.count("\n") == text.count("\n"), "comments stay"


@given(st.data(), st.sampled_from(RULESETS))
def test_a_key_is_added_and_taken_out_again(data: st.DataObject, name: str) -> None:
    text, path = load_builtin_text(name), data.draw(st.sampled_from(PATHS[name]))
    new = (*path[:-1], "a_new_one")
    new_text = write_values(text, {new: 3})
    expected = tomllib.loads(text)
    _put(expected, new, 3)
    assert tomllib.loads(new_text) == expected
    assert write_values(new_text, {new: None}) == text
    assert write_values(text, {new: None}) == text
