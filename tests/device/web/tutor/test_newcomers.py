"""What newcomers ask, in their own words, and the pages of which one must be among the first three.

The first list was there before the search was made for it; the second was looked at only after.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from device.hands.record import Agreement
from device.i18n.words import say, use_words
from device.views.tutor.search import SearchEntry, search_entries, search_entries_for

QUESTIONS = Path(__file__).with_name("questions.tsv")

SHOWN = 3
"""A phone shows as many at once."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question, and the pages that answer it."""

    language: str
    which: str
    words: str
    pages: frozenset[str]

    def __str__(self) -> str:
        return self.words


def questions() -> Iterator[Question]:
    with QUESTIONS.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            pages = frozenset(row["pages"].split())
            yield Question(row["language"], row["list"], row["question"], pages)


MISSED = 2
"""Of the second list, when it was looked at."""

ALL = tuple(questions())


@cache
def known(language: str) -> tuple[SearchEntry, ...]:
    use_words(language)
    return search_entries(Agreement())


def found(question: Question) -> list[str]:
    """Return the ids of what is found first."""
    use_words(question.language)
    return [entry.id for entry in search_entries_for(question.words, known(question.language))][
        :SHOWN
    ]


@pytest.mark.slow
@pytest.mark.parametrize("question", [each for each in ALL if each.which == "first"], ids=str)
def test_a_newcomers_question_finds_its_page(question: Question) -> None:
    assert question.pages & set(found(question))


@pytest.mark.slow
def test_so_do_nearly_all_questions_that_nothing_was_made_for() -> None:
    asked = [each for each in ALL if each.which == "second"]
    missed = [each.words for each in asked if not each.pages & set(found(each))]
    assert len(asked) == 20
    assert len(missed) <= MISSED, missed


@pytest.mark.parametrize("language", ["en-GB", "fr", "zh-Hant"])
def test_every_page_that_a_question_or_another_name_leads_to_is_there(language: str) -> None:
    use_words(language)
    ids = {entry.id for entry in known(language)}
    assert {page for each in ALL for page in each.pages} <= ids
    named = {each.split()[0] for each in say("lesson-search.also").split("; ")}
    assert named <= ids
