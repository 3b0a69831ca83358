"""Show a lesson: question, answer, example, data tables, and this table's house rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.hands.record import Agreement
from device.i18n.words import is_said, say, tile_name, wind_name
from device.views.tutor.hand import ShownHand, shown_hand
from device.views.tutor.lesson_tables import Table, number, table_of
from scorer.hand import Codes, Hand
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.figures import collect_figures, score_quoted_hands
from scorer.teach.lessons.lessons import SECTIONS, Lesson

_PLAYERS = {2: "two", 3: "three", 5: "five"}
"""Numbers of players that change an answer, with their message keys."""


@dataclass(frozen=True, slots=True)
class LessonExample:
    """A scored hand, and what its tiles cannot show."""

    shown: ShownHand
    says: str


@dataclass(frozen=True, slots=True)
class LessonView:
    """One question with all of its answer."""

    id: str
    question: str
    answer: str
    mark: str
    """`correction` or `clarified`, or empty."""
    mark_says: str
    at_table: tuple[str, ...]
    """This table's deviations, a sentence each."""
    picture: tuple[tuple[str, Codes], ...]
    """Groups of tiles, each with a name or an empty one."""
    table: Table | None
    drawn: str
    """The setup step whose drawing belongs to it; empty for none."""
    ruleset: str
    example: LessonExample | None
    rules: Codes


def sections_shown(ruleset: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sections of this ruleset, then those of the others."""
    others = tuple(s for name, those in SECTIONS.items() if name != ruleset for s in those)
    return SECTIONS[ruleset], others


def question_of(lesson: Lesson) -> str:
    """Return the question, as a newcomer asks it."""
    return say(f"lesson.{lesson.id}.question")


def answer_of(lesson: Lesson, rules: Ruleset) -> str:
    """Return the answer with its figures."""
    found = {**collect_figures(rules), **score_quoted_hands(lesson, rules)}
    values = {name: number(value) for name, value in found.items()}
    return say(f"lesson.{lesson.id}.answer", **values)


def view_of(lesson: Lesson, agreed: Agreement) -> LessonView:
    """Return a lesson as the page shows it, for a table with these agreements."""
    rules = agreed.rules_called(lesson.ruleset)
    names = [say(f"lesson-laid.{laid.replace(' ', '-')}") for laid in lesson.laid]
    mark_key = f"lesson.{lesson.id}.mark"
    return LessonView(
        id=lesson.id,
        question=question_of(lesson),
        answer=answer_of(lesson, rules),
        mark=lesson.mark,
        mark_says=say(mark_key) if is_said(mark_key) else "",
        at_table=tuple(_at_table(lesson, rules, agreed)),
        picture=tuple(zip(names or [""] * len(lesson.picture), lesson.picture, strict=True)),
        table=table_of(lesson.table, rules) if lesson.table else None,
        drawn=lesson.drawn,
        ruleset=lesson.ruleset,
        example=_example(lesson.example, rules) if lesson.example else None,
        rules=lesson.rules,
    )


def _at_table(lesson: Lesson, rules: Ruleset, agreed: Agreement) -> Iterator[str]:
    """Yield the options where the table deviates from the answer."""
    for option in rules.options:
        if option.name in lesson.options and rules.is_on(option.name) != option.default:
            key = "lessons.not-at-table" if option.default else "lessons.at-table"
            yield say(key, says=option.sentence)
    if rules.name == agreed.ruleset:
        for said in _notes(lesson, rules, agreed.players):
            yield say("lessons.at-table", says=said)


def _notes(lesson: Lesson, rules: Ruleset, players: int) -> Iterator[str]:
    if "limit" in lesson.notes and rules.limit != load_builtin(rules.name).limit:
        off = rules.limit is None
        yield (
            say("lessons.limit-off")
            if off
            else say("lessons.limit-other", limit=number(rules.limit or 0))
        )
    if "players" in lesson.notes and players in _PLAYERS:
        yield say(f"lessons.players-{_PLAYERS[players]}")
    if "paying" in lesson.notes and players == 2:
        yield say("lessons.paying-two")


def _example(text: str, rules: Ruleset) -> LessonExample:
    hand = parse_hand(text)
    return LessonExample(shown_hand(hand, rules), " ".join(_explanation(hand, rules)))


def _explanation(hand: Hand, rules: Ruleset) -> Iterator[str]:
    """Yield the facts of an example that its tiles do not show."""
    seat, prevailing = wind_name(hand.seat_wind), wind_name(hand.prevailing_wind)
    if rules.prevailing_wind:
        yield say("lessons.seat-winds", seat=seat, prevailing=prevailing)
    else:
        yield say("lessons.seat-wind", seat=seat)
    if hand.winner:
        tile, how = tile_name(hand.winning_tile or ""), say(f"how.{hand.won_by[0]}")
        yield say("lessons.won", tile=tile, how=how)
    else:
        yield say("lessons.not-won")
