"""What newcomers ask, in their own words, and the pages of which one must be among the first three.

The search's words were chosen with these questions in sight; `searches.toml` has others.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from device.hands.record import Agreement
from device.i18n.words import LANGUAGES, use_words
from device.views.tutor.search import search, search_entries, search_words
from scorer.rulesets.builtin import load_builtin
from tests.device.web.tutor.search_figures import READ_AT_ONCE, answers

QUESTIONS = Path(__file__).with_name("questions.tsv")


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and the pages that answer it."""

    language: str
    words: str
    pages: frozenset[str]

    def __str__(self) -> str:
        return self.words


def questions() -> Iterator[Question]:
    with QUESTIONS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield Question(row["language"], row["question"], frozenset(row["pages"].split()))


ALL = tuple(questions())


@pytest.mark.slow
@pytest.mark.parametrize("question", ALL, ids=str)
def test_a_newcomers_question_finds_its_page(question: Question) -> None:
    use_words(question.language)
    found = [entry.id for entry in search(question.words, Agreement())]
    assert question.pages & set(found[:READ_AT_ONCE]), found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_that_a_question_or_another_name_leads_to_is_there(language: str) -> None:
    use_words(language)
    rulesets = map(load_builtin, ("bmja", "safalra"))
    ids = {entry.id for rules in rulesets for entry in search_entries(rules)}
    assert {page for each in ALL for page in each.pages} <= ids
    assert {page for asked in answers() for page in asked.pages} <= ids
    assert search_words(language).names.keys() <= ids
