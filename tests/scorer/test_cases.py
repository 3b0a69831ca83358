"""The scorer against tables of hands: `cases/*.toml`, every figure worked out from the rules.

A row gives a hand, what it scores (or the code of its refusal) and why. The sum that opens a
reason was added up by hand, never copied from the scorer: where the two differ, read the rule.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from scorer.breakdown import Breakdown
from scorer.errors import ScorerError
from scorer.explain.sums import write_score
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.score import score

TABLES = sorted((Path(__file__).parent / "cases").glob("*.toml"))

UNREADABLE = "hand-text"
"""The code of a text that is no hand text: no judgement on a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One row; a field that is None (or empty) claims nothing."""

    hand: str
    why: str
    total: int | None = None
    error: str | bool | None = None
    """The code of the refusal; True where it may be any that judges the hand."""
    base: int | None = None
    doubles: int | None = None
    special: str | None = None
    """The special hand; empty where it must be none."""
    fishing: bool = False
    """The special hand was not complete: its fishing value (BMJA-F02)."""
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def differences(self, result: Breakdown) -> list[str]:
        """Return what the result has otherwise, in words."""
        rule_ids = {line.rule for line in result.lines}
        claims: list[tuple[str, object, object]] = [("total", self.total, result.total)]
        if self.base is not None:
            claims += [("base", self.base, result.base)]
        if self.doubles is not None:
            claims += [("doubles", self.doubles, result.doubles)]
        if self.special is not None:
            claims += [("special", self.special or None, result.special)]
            claims += [("fishing", self.fishing, bool(result.fishing))]
        elif self.fishing:
            claims += [("fishing", True, bool(result.fishing))]
        return [
            *(f"{name} is {got}, not {due}" for name, due, got in claims if due != got),
            *(f"{rule} is missing" for rule in self.has if rule not in rule_ids),
            *(f"{rule} should not count" for rule in self.lacks if rule in rule_ids),
        ]


def cases_of(table: Path) -> list[Case]:
    """Read a table; an unknown or missing field is a TypeError."""
    rows = cast("list[dict[str, object]]", tomllib.loads(table.read_text("utf-8"))["case"])
    return [_case(row) for row in rows]


def _case(row: dict[str, object]) -> Case:
    lists = {name: tuple(rules) for name, rules in row.items() if isinstance(rules, list)}
    return Case(**{**row, **lists})  # type: ignore[arg-type]


CASES = {
    f"{table.stem}-{number}": case
    for table in TABLES
    for number, case in enumerate(cases_of(table), start=1)
}
SCORED_CASES = {name: case for name, case in CASES.items() if case.error is None}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_hands_score_what_the_rules_give_them_or_are_refused(table: Path) -> None:
    faults = [fault for case in cases_of(table) if (fault := fault_of(case))]
    assert not faults, "\n".join(faults)


def fault_of(case: Case, rules: Ruleset | None = None) -> str | None:
    """Return what the scorer makes of a hand that it should not; None if it is right."""
    try:
        result = score(parse_hand(case.hand), rules)
    except ScorerError as refusal:
        codes = {problem.code for problem in refusal.problems}
        is_due = bool(codes - {UNREADABLE}) if case.error is True else case.error in codes
        return None if is_due else f"{case.hand}\n  due: {case.why}\n  refused: {refusal}"
    if case.error is not None:
        return f"{case.hand}\n  not refused: {case.why}\n  got: {describe(result)}"
    if differences := case.differences(result):
        return f"{case.hand}\n  due: {case.why}\n  got: {describe(result)}\n  {differences}"
    return None


def describe(result: Breakdown) -> str:
    """Return the scorer's own sum, and the lines behind it."""
    lines = "; ".join(f"{line.rule} {to_english(line.label)}" for line in result.lines)
    return f"{to_english(write_score(result))} = {result.total} [{lines}]"


def test_every_row_says_either_a_total_or_a_refusal_and_why() -> None:
    for name, case in CASES.items():
        assert len(case.why) > len("because"), name
        assert (case.total is None) != (case.error is None), name
        assert case.error is None or case.error is True or isinstance(case.error, str), name
    assert len(CASES) >= 350


def test_no_hand_is_judged_twice_in_one_table() -> None:
    for table in TABLES:
        hands = [case.hand for case in cases_of(table)]
        assert sorted(hands) == sorted(set(hands)), table.name


SECTIONS = {
    "B": range(1, 15),
    "D": range(1, 19),
    "F": range(1, 6),
    "G": range(5, 6),
    "N": range(2, 3),
    "S": range(1, 42),
}
"""The rules, by section and number, that some row must be about (BMJA-S11 to S29 are the hands)."""


@pytest.mark.parametrize("section", SECTIONS)
def test_every_rule_has_a_row(section: str) -> None:
    words = {
        rule
        for case in CASES.values()
        for text in (case.why, case.special or "", *case.has)
        if "SAF-" not in text
        for rule in re.findall(r"\b[BDFGNS]\d\d\b", text)
    }
    missing = [f"{section}{n:02}" for n in SECTIONS[section] if f"{section}{n:02}" not in words]
    assert not missing, f"no row of any table is about {', '.join(missing)}"


@pytest.mark.parametrize("rules", ["bmja", "safalra"])
def test_every_rule_that_gives_something_counts_in_a_row(rules: str) -> None:
    rule_ids = {rule for case in CASES.values() for rule in case.has}
    assert {rule.id for rule in load_builtin(rules).rules if rule.gives} - rule_ids == set()


@pytest.mark.parametrize("number", range(11, 30))
def test_every_special_hand_is_found_refused_and_nearly_made(number: int) -> None:
    """Each hand has rows that name it, and rows about it that are something else."""
    name = f"BMJA-S{number}"
    cases = [case for case in CASES.values() if re.search(rf"\bS{number}\b", case.why)]
    assert [case for case in CASES.values() if case.special == name and not case.fishing]
    assert [case for case in cases if case.special != name]
