"""Every rule is in the code and in the tests, by its id, or says why it is no code of its own.

The rules' own texts are no part of the package; where they are at hand (`TONGBOX_DATA`, default
../shared) the rulebook is held against them too.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.rulebook import RULE_IDS, rules_in_file
from tests.scorer.test_cases import CASES

ROOT = Path(__file__).parents[2]
TEXTS = Path(os.environ.get("TONGBOX_DATA", ROOT.parent / "shared")) / "rules"

NOT_CODE: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("not_code.toml").read_text("utf-8")
)
UNTESTED_REASONS = NOT_CODE["tested"] | NOT_CODE["untested"]

CITATION = re.compile(
    r"\b(?:(?P<book>BMJA|SAF)-)?(?P<first>[A-Z]\d\d)"
    r"(?: to (?:(?:BMJA|SAF)-)?(?P<last>[A-Z]\d\d))?\b"
)
CARRIES_ON = re.compile(r",? (?:and |or )?")
"""What may stand between an id and a short one of the same rules: `SAF-V02 and V03`."""


def citations(text: str) -> Iterator[str]:
    """Yield the ids that a text names; a short one alone, `S11`, is of the BMJA's rules."""
    book, end = "BMJA", 0
    for match in CITATION.finditer(text):
        match_of_range = CARRIES_ON.fullmatch(text[end : match.start()])
        book = match["book"] or (book if match_of_range else "BMJA")
        first, last = match["first"], match["last"] or match["first"]
        for number in range(int(first[1:]), int(last[1:]) + 1):
            yield f"{book}-{first[0]}{number:02}"
        end = match.end()


def ids_cited_in(paths: Iterable[Path]) -> frozenset[str]:
    return frozenset(rule for path in paths for rule in citations(path.read_text("utf-8")))


@cache
def cited_in_code() -> frozenset[str]:
    """Return what modules cite, and the rows of the rulesets; lessons tell of every rule."""
    modules = [*(ROOT / "scorer").rglob("*.py"), *(ROOT / "device/hands").glob("*.py")]
    teaching = ROOT / "scorer/teach"
    return IN_A_ROW | ids_cited_in(path for path in modules if teaching not in path.parents)


@cache
def cited_in_tests() -> frozenset[str]:
    """Return what tests of the scorer and of laid hands cite, but for the second scorer."""
    folder = Path(__file__).parent
    other_folders = {folder / "teach", folder / "oracle"}
    modules = [*folder.rglob("*.py"), *(ROOT / "tests/vision/hand").glob("*.py")]
    return cited_in_cases() | ids_cited_in(
        p for p in modules if other_folders.isdisjoint(p.parents)
    )


@cache
def cited_in_cases() -> frozenset[str]:
    """Return what the reasons and claims of cases cite: in a hand, `C19` is two tiles."""
    return frozenset(
        rule
        for case in CASES.values()
        for text in (case.why, case.special or "", *case.has)
        for rule in citations(text)
    )


IN_FILES = frozenset(rule for name in RULESETS for rule in rules_in_file(load_builtin(name)))
IN_A_ROW = IN_FILES | {laying.rule for name in RULESETS for laying in load_builtin(name).layings}

NO_CASE = {
    "BMJA-C10": "about the wall: `test_wall`",
    "BMJA-C11": "a remark, not a figure: `test_options`",
    "BMJA-C15": "about who pays double: `test_settlement`",
}
"""The rows that no hand's score depends on."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(BMJA-S12, S07)", "BMJA-S12 BMJA-S07"),
        ("BMJA-P04 to BMJA-P06; SAF-S02 to S03", "BMJA-P04 BMJA-P05 BMJA-P06 SAF-S02 SAF-S03"),
        ("SAF-V02 and V03, which S04 ends", "SAF-V02 SAF-V03 BMJA-S04"),
        ("C11: B03 exposed, B123, XC11", "BMJA-C11 BMJA-B03"),
    ],
)
def test_how_rules_are_cited(text: str, expected: str) -> None:
    assert list(citations(text)) == expected.split()


def test_a_rule_is_in_the_code_and_in_its_tests_or_says_why_not() -> None:
    rules = set(RULE_IDS)
    assert rules - cited_in_code() - UNTESTED_REASONS.keys() == set()
    assert rules - cited_in_tests() - NOT_CODE["untested"].keys() == set()
    assert UNTESTED_REASONS.keys() & IN_A_ROW == set(), "a row is code"
    for rule, reason in UNTESTED_REASONS.items():
        assert re.fullmatch(r"[A-Z0-9].{15,}\.", reason), rule


def test_a_rule_of_a_rulesets_file_has_a_case() -> None:
    assert IN_FILES - cited_in_cases() == NO_CASE.keys()


def test_no_reason_is_for_a_rule_that_there_is_not() -> None:
    assert set(UNTESTED_REASONS) <= set(RULE_IDS)
    assert not NOT_CODE["tested"].keys() & NOT_CODE["untested"].keys()


@dataclass(frozen=True, slots=True)
class Source:
    """Something that names rules."""

    name: str
    ids: frozenset[str]
    book: str = ""
    """For a text with every rule of one book: the prefix of its ids."""


def sources() -> list[Source]:
    """Return the ruleset files, and those of the rules' texts that are at hand."""
    all_sources = [Source(f"{name}.toml", rules_in_file(load_builtin(name))) for name in RULESETS]
    for name, book in (("bmja", "BMJA-"), ("safalra", "SAF-")):
        path = TEXTS / f"{name}.md"
        if path.exists():
            all_sources.append(Source(path.name, text_ids(path.read_text("utf-8"), book), book))
    return all_sources


def text_ids(text: str, book: str) -> frozenset[str]:
    """Return the ids that a text names in full, and those that head rows of its tables C and I."""
    full = re.findall(rf"\b({book}[A-Z]\d\d)\b", text)
    short = re.findall(r"^(?:\| |- \*\*)([CI]\d\d)\b", text, re.MULTILINE)
    return frozenset([*full, *(book + each for each in short)])


@pytest.mark.parametrize("source", sources(), ids=lambda source: source.name)
def test_the_rulebook_has_every_rule_and_no_other(source: Source) -> None:
    assert source.ids - set(RULE_IDS) == set()
    if source.book:
        assert {rule for rule in RULE_IDS if rule.startswith(source.book)} - source.ids == set()
