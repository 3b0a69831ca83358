"""The rule catalogue: for every rule the code that has it and the tests that hold it there.

A rule without code of its own says why. The rules' own texts are no part of the package; where they
are at hand (`TONGBOX_DATA`, default ../shared) the catalogue is held against them too.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.rulebook import rules_in_file

ROOT = Path(__file__).parents[2]
CATALOGUE = Path(__file__).with_name("catalogue.toml")
TEXTS = Path(os.environ.get("TONGBOX_DATA", ROOT.parent / "shared")) / "rules"


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule: either where it is and what tests it, or why it is no code of its own."""

    id: str
    where: str = ""
    tested: tuple[str, ...] = ()
    why_not: str = ""


def entries() -> list[Entry]:
    rows = tomllib.loads(CATALOGUE.read_text("utf-8"))["rules"]
    return [Entry(**{**row, "tested": tuple(row.get("tested", ()))}) for row in rows]


ENTRIES = entries()
each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)

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
        carried = CARRIES_ON.fullmatch(text[end : match.start()])
        book = match["book"] or (book if carried else "BMJA")
        first, last = match["first"], match["last"] or match["first"]
        for number in range(int(first[1:]), int(last[1:]) + 1):
            yield f"{book}-{first[0]}{number:02}"
        end = match.end()


@cache
def cited_in(path: str) -> frozenset[str]:
    return frozenset(citations((ROOT / path).read_text("utf-8")))


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


@each_entry
def test_a_rule_is_in_the_code_and_in_its_tests_or_says_why_not(entry: Entry) -> None:
    assert bool(entry.where) != bool(entry.why_not)
    if entry.where:
        assert entry.tested
        assert entry.id in cited_in(entry.where)
    else:
        assert re.fullmatch(r"[A-Z0-9].{15,}\.", entry.why_not)
    for path in entry.tested:
        assert Path(path).parts[0] == "tests"
        assert entry.id in cited_in(path), path


def test_no_rule_is_listed_twice() -> None:
    listed = Counter(entry.id for entry in ENTRIES)
    assert [rule for rule, count in listed.items() if count > 1] == []


@dataclass(frozen=True, slots=True)
class Source:
    """Something that names rules."""

    name: str
    ids: frozenset[str]
    book: str = ""
    """For a text with every rule of one book: the prefix of its ids."""


def sources() -> list[Source]:
    """Return the ruleset files, and those of the rules' texts that are at hand."""
    found = [Source(f"{name}.toml", rules_in_file(load_builtin(name))) for name in RULESETS]
    for name, book in (("bmja", "BMJA-"), ("safalra", "SAF-")):
        path = TEXTS / f"{name}.md"
        if path.exists():
            found.append(Source(path.name, text_ids(path.read_text("utf-8"), book), book))
    return found


def text_ids(text: str, book: str) -> frozenset[str]:
    """Return the ids that a text names in full, and those that head rows of its tables C and I."""
    full = re.findall(rf"\b({book}[A-Z]\d\d)\b", text)
    short = re.findall(r"^(?:\| |- \*\*)([CI]\d\d)\b", text, re.MULTILINE)
    return frozenset([*full, *(book + each for each in short)])


@pytest.mark.parametrize("source", sources(), ids=lambda source: source.name)
def test_the_catalogue_has_every_rule_and_no_other(source: Source) -> None:
    listed = {entry.id for entry in ENTRIES}
    assert source.ids - listed == set()
    if source.book:
        assert {rule for rule in listed if rule.startswith(source.book)} - source.ids == set()
