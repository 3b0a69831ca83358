"""`tongbox rules`: the rulesets there are, one to copy, and the check of a table's own."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from device.commands.rules import SHOWN_HANDS
from scorer.hand import RULESETS
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import SAMPLES, load_builtin_text
from scorer.rulesets.reader import MAX_RULESET_BYTES
from tests.device.command import Outcome, output_of, refusal_of, run_command, usage_error_of
from tests.scorer.oracle.patterns import is_of_pattern

CHOICE = (
    '[[option]]\nname = "heaven_after_bonus_tiles"\nrule = "X-1"\ndefault = true\n'
    'sentence = "Quickly."\n'
)


@pytest.fixture
def rules_file(tmp_path: Path) -> Path:
    return tmp_path / "ours.toml"


def check_file(path: Path, data: bytes | str) -> Outcome:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return run_command("rules", "--check", str(path))


def output_of_check(path: Path, text: str) -> str:
    """Return what the check of a ruleset that is fine prints."""
    path.write_bytes(text.encode())
    return output_of("rules", "--check", str(path))


def test_the_rulesets_are_listed_by_name_and_title() -> None:
    lines = output_of("rules").splitlines()
    assert [line.split(maxsplit=1) for line in lines[: len(RULESETS)]] == [
        [name, to_english(load_builtin(name).title)] for name in RULESETS
    ]
    assert [line.split()[0] for line in lines[len(RULESETS) :]] == ["Samples,", *SAMPLES]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_printed_and_its_copy_is_fine(name: str, rules_file: Path) -> None:
    assert "this ruleset is fine." in output_of_check(rules_file, output_of("rules", name))


def test_a_figure_that_may_be_a_slip_is_pointed_out_and_no_fault(rules_file: Path) -> None:
    text = load_builtin_text("bmja").replace("exposed = 2\n", "exposed = 20\n", 1)
    outcome = check_file(rules_file, text)
    assert (outcome.status, "this ruleset is fine." in outcome.output) == (0, True)
    assert "20 exposed, but only 4 concealed" in outcome.err


@pytest.mark.parametrize("name", RULESETS)
def test_a_ruleset_is_printed_as_it_is_shipped_and_its_copy_is_fine(
    name: str, rules_file: Path
) -> None:
    copy = output_of("rules", name)
    assert copy == load_builtin_text(name)
    first, second, *choices = output_of_check(rules_file, copy).splitlines()
    assert first == f"{to_english(load_builtin(name).title)} ({name}): this ruleset is fine."
    assert second.strip().startswith(f"{copy.count('[[rule]]')} rules, ")
    assert len(choices) == 2 * len(load_builtin(name).options)


def test_the_check_tells_what_a_ruleset_holds(rules_file: Path) -> None:
    special = (
        '[[special]]\nid = "X-2"\nname = "Moon"\nwhen = "moon"\nvalue = 9\nsentence = "The moon."\n'
    )
    disabled_choice = (
        CHOICE.replace("heaven_after_bonus_tiles", "bouquet_includes_own")
        .replace("true", "false")
        .replace("Quickly", "Slowly")
    )
    text = "limit = 2000\n" + load_builtin_text("safalra") + CHOICE + disabled_choice + special
    assert [line.split() for line in output_of_check(rules_file, text).splitlines()[1:]] == [
        ["12", "rules,", "1", "special", "hand,", "limit", "2,000"],
        ["on", "heaven_after_bonus_tiles", "X-1"],
        ["Quickly."],
        ["off", "bouquet_includes_own", "X-1"],
        ["Slowly."],
    ]


def test_a_ruleset_without_extras(rules_file: Path) -> None:
    output = output_of_check(rules_file, load_builtin_text("safalra"))
    assert "12 rules, no special hands, no limit\n" in output


def test_every_fault_is_told_with_its_line(rules_file: Path) -> None:
    lines = load_builtin_text("safalra").splitlines()
    points, exposed = lines.index("points = 20"), lines.index("exposed = 16")
    lines[points], lines[exposed] = "points = -20", "exposed = true"
    outcome = check_file(rules_file, "\n".join(lines))
    assert (outcome.status, outcome.output) == (1, "")
    first, second = outcome.err.splitlines()
    assert first.startswith(
        f'tongbox: {rules_file}: Line {points + 1}: "points" is -20, but must be'
    )
    assert second.startswith(
        f'tongbox: {rules_file}: Line {exposed + 1}: "exposed" is true, but must'
    )


UNREADABLE = [
    (b"name = 'a'\n# \xa3\n", "Line 2: This is not UTF-8 text", "saved in an old encoding"),
    (codecs.BOM_UTF16_LE + "name".encode("utf-16-le"), "Line 1: This is not UTF-8", "or UTF-16"),
    (b"#" * (MAX_RULESET_BYTES + 1), "over 1,000,000 bytes", "surely the wrong file"),
    (b"", 'Line 1: This file needs "name"', "an empty file is read, and lacks everything"),
]


@pytest.mark.parametrize(("data", "words", "reason"), UNREADABLE, ids=[r for *_, r in UNREADABLE])
def test_a_file_that_is_no_ruleset_is_refused_in_words(
    data: bytes, words: str, reason: str, rules_file: Path
) -> None:
    outcome = check_file(rules_file, data)
    assert (outcome.status, outcome.output) == (1, ""), reason
    assert words in outcome.err


def test_a_file_just_small_enough_and_a_byte_order_mark_do_no_harm(rules_file: Path) -> None:
    data = codecs.BOM_UTF8 + load_builtin_text("safalra").encode()
    assert check_file(rules_file, data.ljust(MAX_RULESET_BYTES, b"#")).status == 0


@pytest.mark.parametrize("name", ["none.toml", "."])
def test_a_file_that_cannot_be_opened_is_said_so(name: str, tmp_path: Path) -> None:
    assert "The file cannot be opened: " in refusal_of("rules", "--check", str(tmp_path / name))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["bmja", "--check", "ours.toml"], "a ruleset's name, --check FILE or --pattern"),
    ],
)
def test_a_name_or_a_file_to_check(arguments: list[str], words: str) -> None:
    assert words in usage_error_of("rules", *arguments)


def test_three_hands_of_a_pattern_are_shown() -> None:
    says, *hands = output_of("rules", "--pattern", "x1-9, pung y, pair z").splitlines()
    assert says.startswith("1 to 9 of one suit, a pung of a second suit")
    shown_hands = [parse_hand(line).concealed for line in hands]
    assert len(shown_hands) == SHOWN_HANDS
    assert all(is_of_pattern("x1-9, pung y, pair z", tiles) for tiles in shown_hands)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("x1-9, pung y", "The pattern has 12 tiles"),
        ("7 pairs xn", "No hand can be of this pattern"),
        ("4 pungs dragon, pair x", "No hand can be of this pattern"),
        ("4 chows/pungs/kongs any, pair any", "Every Mah-Jong is of this pattern"),
    ],
)
def test_a_pattern_that_is_none_is_refused(pattern: str, words: str) -> None:
    assert words in refusal_of("rules", "--pattern", pattern)
