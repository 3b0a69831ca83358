"""Print hands to score with a pencil, with the answers on separate pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from device.i18n.words import say, spoken, tile_name, translated, wind_name
from device.paper.blocks import PaperBlock, PaperEntry, RowOfFaces, sheet
from device.views.tableau import symbol
from device.views.tutor.exercise import answer_words, asked, hand_to_score, level_words
from device.views.tutor.hand import shown_hand
from scorer.explain.sums import write_amount
from scorer.ruleset import Ruleset
from scorer.teach.practice.exercises import Exercise, make_exercise
from scorer.teach.practice.levels import levels_for
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import Question, QuestionStep

HANDS = 10
BLANK = "........"
ENDS = ("limit", "worth", "takes")
"""Steps whose answers are not among the lines of a score."""


def exercise_sheet(level: str, seed: int, rules: Ruleset) -> bytes:
    """Return hands of a level, or of all levels, as PDF; raise NoExerciseError."""
    found = exercises(level, seed, rules)
    hands = [_hand(number, each) for number, each in enumerate(found, 1)]
    answers = [_answers(number, each) for number, each in enumerate(found, 1)]
    lead = " ".join(
        filter(None, (say("exercise.sheet-lead", number=seed), str(translated(rules.notice))))
    )
    return sheet(say("exercise.title"), lead, [*hands, *answers])


def exercises(level: str, seed: int, rules: Ruleset) -> tuple[Exercise, ...]:
    """Return the exercises of a sheet; without a level from easy to hard."""
    keys = [each.key for each in levels_for(rules)]
    return tuple(
        make_exercise(level or keys[place * len(keys) // HANDS], seed + place, rules)
        for place in range(HANDS)
    )


def _hand(number: int, found: Exercise) -> PaperBlock:
    """Return a hand with a line for each answer."""
    four = len(found.table) > 1
    facts = [PaperEntry("", " · ".join(hand_to_score(each).in_words)) for each in found.table]
    return PaperBlock(
        title=_title(number, found),
        total="",
        rows=tuple(row for each in found.table for row in _rows(each, four=four)),
        entries=(*facts, *(entry for step in found.steps for entry in _blanks(step))),
    )


def _title(number: int, found: Exercise) -> str:
    words = level_words(found.made.level, found.made.rules)
    return f"{number}. {words.title}"


def _rows(found: PracticeHand, *, four: bool) -> Iterator[RowOfFaces]:
    wind = wind_name(found.hand.seat_wind)
    for row, sets in hand_to_score(found).rows:
        name = say(f"tiles.{row}")
        tiles = tuple(tuple(map(symbol, each.codes)) for each in sets)
        yield RowOfFaces(f"{wind}: {name}" if four else name, tiles)


def _blanks(step: QuestionStep) -> Iterator[PaperEntry]:
    """Yield the lines to fill in; the doubles share one line."""
    if step.key == "doubles":
        yield PaperEntry(BLANK, f"{say('exercise.step.doubles')} {BLANK * 8}")
        return
    for question in step.questions:
        choices = " / ".join(answer_words(question, n) for n in range(len(question.choices)))
        yield PaperEntry(BLANK, f"{_about(question)} {choices}".strip())


def _about(question: Question) -> str:
    """Return the question of a line, with its tiles by name."""
    names = list(dict.fromkeys(map(tile_name, question.tiles)))
    if not names:
        return asked(question)
    alike = f"{len(question.tiles)} × " if len(names) == 1 else ""
    return f"{asked(question)}: {alike}{', '.join(names)}"


def _answers(number: int, found: Exercise) -> PaperBlock:
    """Return the scorer's count: line by line, or the total of each of four hands."""
    first = number == 1
    if len(found.table) > 1:
        return PaperBlock(
            _title(number, found), "", entries=tuple(_said(found.steps)), new_page=first
        )
    shown = shown_hand(found.table[0].hand, found.made.rules)
    lines = [
        PaperEntry(
            write_amount(line),
            str(translated(line.label)),
            line.rule,
        )
        for line in (*shown.points, *shown.doubles)
    ]
    ends = [
        step for step in found.steps if step.key in ENDS or (step.way and step.key == "product")
    ]
    return PaperBlock(
        title=_title(number, found),
        total=str(shown.total),
        entries=(*lines, *_said(ends)),
        working=shown.working,
        new_page=first,
    )


def _said(steps: Iterable[QuestionStep]) -> Iterator[PaperEntry]:
    """Yield the answers to the questions of these steps."""
    for question in (each for step in steps for each in step.questions):
        answer, said = answer_words(question, question.expected), _with_sum(question)
        if question.form == "word":  # too long for the column of figures
            answer, said = "", f"{said} {answer}"
        yield PaperEntry(answer, said, question.rule)


def _with_sum(question: Question) -> str:
    """Return a question; for a whole hand with the sum that answers it."""
    said = asked(question)
    return f"{said}: {spoken(question.reasons[0])}" if question.asks == "score" else said
