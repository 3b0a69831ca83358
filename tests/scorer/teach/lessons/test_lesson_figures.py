"""The figures in the lessons are filled in from the rules, and no other figures stand there."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from device.i18n.words import LANGUAGES, load
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.figures import collect_figures, score_quoted_hands
from scorer.teach.lessons.lessons import SECTIONS, Lesson, lessons_of

LESSONS = [lesson for ruleset in SECTIONS for lesson in lessons_of(ruleset)]
WORDS = {language: load(language) for language in LANGUAGES}

NUMBERS_ALLOWED = {
    "tallies": {"1,000"},  # what extra tokens are worth: a piece of advice, no rule of the program
    "doubling": {"2", "4", "8"},  # one, two and three doubles: a double is twice under all rules
    "whence-the-rules": {"1994", "2008"},
}
"""Figures that stand in an answer as they are, with the reason."""

RANKS_NAMED = {"1", "2", "8", "9"}
"""The ends of major and minor: names of tiles, not figures of the rules."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_the_rules_own_and_all_that_are_asked_for_are_there(language: str) -> None:
    for lesson in LESSONS:
        answer = WORDS[language][f"lesson.{lesson.id}.answer"]
        plain = re.sub(r"\{\w+\}", "", answer).replace("\N{NO-BREAK SPACE}", ",")
        figures = set(re.findall(r"\d[\d,]*\d|\d", plain)) - RANKS_NAMED
        assert figures <= NUMBERS_ALLOWED.get(lesson.id, set()), lesson.id
        assert set(re.findall(r"\{(\w+)\}", answer)) <= list_figures(lesson), lesson.id


def list_figures(lesson: Lesson) -> set[str]:
    """Return the names of the figures that a lesson may ask for."""
    rules = load_builtin(lesson.ruleset)
    return {*collect_figures(rules), *score_quoted_hands(lesson, rules), "after_wash_out"}


def test_figures_follow_the_table() -> None:
    bmja = load_builtin("bmja")
    usual, low = collect_figures(bmja), collect_figures(replace(bmja, limit=500))
    assert {k: (usual[k], low[k]) for k in usual if usual[k] != low[k]} == {
        "limit": (1000, 500), "east_payment": (2000, 1000), "east_takes": (6000, 3000),
    }  # fmt: skip
    assert collect_figures(replace(bmja, limit=None))["limit"] == 1000, "the usual one stands in"
    assert (
        collect_figures(load_builtin("safalra"))
        .keys()
        .isdisjoint({"limit", "tallies", "bonus_tiles"})
    )


@pytest.mark.parametrize(
    ("ruleset", "name", "figure"),
    [
        ("bmja", "wall_tiles", 144), ("bmja", "suit_tiles", 108), ("bmja", "wind_tiles", 16),
        ("bmja", "dragon_tiles", 12), ("bmja", "bonus_tiles", 8), ("bmja", "tallies", 2000),
        ("bmja", "box_tiles", 14), ("bmja", "left_after_deal", 77), ("bmja", "two_points", 500),
        ("bmja", "S11", 3), ("bmja", "S15", 1000), ("bmja", "S15_fishing", 400),
        ("safalra", "wall_tiles", 136), ("safalra", "box_tiles", 16), ("safalra", "mini_tiles", 64),
        ("safalra", "box_tiles_3", 12), ("safalra", "box_tiles_2", 8), ("safalra", "R08_2", 10),
    ],
)  # fmt: skip
def test_figures_are_those_of_the_rule_texts(ruleset: str, name: str, figure: int) -> None:
    assert collect_figures(load_builtin(ruleset))[name] == figure


@pytest.mark.parametrize(
    ("lesson", "total"), [("limit", 1_490_944), ("saf-figures", 2592), ("safalra-differs", 2592)]
)
def test_quoted_totals_are_the_published_ones(lesson: str, total: int) -> None:
    (lesson_row,) = [each for each in LESSONS if each.id == lesson]
    assert score_quoted_hands(lesson_row, load_builtin(lesson_row.ruleset)) == {"dearest": total}
