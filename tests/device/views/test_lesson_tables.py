"""The tables beside the lessons: made from the rules, in the language of the phone."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from device.i18n.words import LANGUAGES, group_digits, use_words
from device.views.tutor.lesson import LESSON_TABLES, lesson_table
from scorer.hand import RULESETS
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.lessons import SECTIONS, lessons_of
from scorer.tiles import WINDS


def test_everybody_swaps_once_in_each_round_and_once_with_each_other() -> None:
    rows = [row.cells[0] for row in lesson_table("swaps", load_builtin("bmja")).rows]
    swaps = [[tuple(pair.split(" with ")) for pair in cell.split(", ")] for cell in rows]
    for pairs in swaps:
        assert sorted(chain.from_iterable(pairs)) == sorted(WINDS.values())
    met_pairs = [frozenset(pair) for pairs in swaps for pair in pairs]
    assert sorted(map(sorted, met_pairs)) == sorted(map(sorted, combinations(WINDS.values(), 2)))


def test_every_table_stands_with_a_lesson() -> None:
    tables = {lesson.table for name in SECTIONS for lesson in lessons_of(name) if lesson.table}
    assert tables == LESSON_TABLES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RULESETS)
def test_tables_have_as_many_cells_in_every_row(name: str, language: str) -> None:
    use_words(language)
    for table in {lesson.table for lesson in lessons_of(name)} - {""}:
        shown_table = lesson_table(table, load_builtin(name))
        assert shown_table.rows
        assert len({len(row.cells) for row in shown_table.rows}) == 1, table
        assert len(shown_table.heads) in (0, len(shown_table.rows[0].cells))
        texts = (text for row in shown_table.rows for text in (row.name, *row.cells))
        words = " ".join(texts).split()
        assert language == "en-GB" or not {*WINDS.values()} & {*words}, f"{table}: winds in English"
    use_words("en-GB")


@pytest.mark.parametrize(
    ("language", "figure"), [("en-GB", "6,000"), ("fr", "6\N{NARROW NO-BREAK SPACE}000")]
)
def test_thousands_are_set_apart_as_the_language_has_it(language: str, figure: str) -> None:
    use_words(language)
    assert (group_digits(6000), group_digits(500)) == (figure, "500")
    use_words("en-GB")


def test_doubles_follow_the_choices_of_the_table() -> None:
    bmja = load_builtin("bmja")
    usual = {row.name for row in lesson_table("winner", bmja).rows}
    row_names = {
        r.name for r in lesson_table("winner", bmja.with_choices(("clean_hand:off",))).rows
    }
    assert usual - row_names == {"One suit with honours"}
    assert "All concealed, in one suit" not in usual, "that is Purity's alone"


@pytest.mark.parametrize(
    ("throw", "wall"),
    [("5, 9", "East"), ("2, 6, 10", "South"), ("3, 7, 11", "West"), ("4, 8, 12", "North")],
)
def test_throws_choose_the_walls_of_the_rule_text(throw: str, wall: str) -> None:
    rows = {row.name: row.cells for row in lesson_table("throws", load_builtin("bmja")).rows}
    assert rows[f"{wall}'s wall"] == (throw,)
