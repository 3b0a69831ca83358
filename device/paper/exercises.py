"""Print hands to score with a pencil, with the answers on separate pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from device.i18n.words import say, spoken, tile_name, wind_name
from device.paper.blocks import PaperBlock, PaperEntry, PrintedTileRow, print_blocks
from device.views.tiles import symbol
from device.views.tutor.exercise import (
    ask_question,
    describe_answer,
    describe_level,
    hand_to_score,
    show_hand,
)
from scorer.explain.sums import write_amount
from scorer.ruleset import Ruleset
from scorer.teach.practice.exercises import Exercise, NoHandsError, make_exercise
from scorer.teach.practice.levels import levels_for
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import Question, QuestionStep

HANDS_PER_SHEET = 10
BLANK_LINE = "........"
STEPS_WITHOUT_LINES = ("limit", "worth", "takes")
"""Steps whose answers are not among the lines of a score."""


def print_exercises(level: str, seed: int, rules: Ruleset) -> bytes:
    """Return hands of a level, or of all levels, as PDF; raise NoExerciseError."""
    exercises = make_exercises(level, seed, rules)
    hands = [_hand_block(number, each) for number, each in enumerate(exercises, 1)]
    answers = [_answer_block(number, each) for number, each in enumerate(exercises, 1)]
    lead = " ".join(filter(None, (say("exercise.sheet-lead", number=seed), spoken(rules.notice))))
    return print_blocks(say("exercise.title"), lead, [*hands, *answers])


def make_exercises(level: str, seed: int, rules: Ruleset) -> tuple[Exercise, ...]:
    """Return the exercises of a sheet; without a level from easy to hard.

    From easy to hard, a level without hands is left out. Raises NoExerciseError.
    """
    keys = [level] if level else [each.key for each in levels_for(rules)]
    exercises = []
    for place in range(HANDS_PER_SHEET):
        try:
            key = keys[place * len(keys) // HANDS_PER_SHEET]
            exercises.append(make_exercise(key, seed + place, rules))
        except NoHandsError:
            if level:
                raise
    return tuple(exercises)


def _hand_block(number: int, exercise: Exercise) -> PaperBlock:
    """Return a hand with a line for each answer."""
    four = len(exercise.table) > 1
    facts = [PaperEntry("", " · ".join(hand_to_score(each).in_words)) for each in exercise.table]
    return PaperBlock(
        title=_format_title(number, exercise),
        total="",
        rows=tuple(row for each in exercise.table for row in _tile_rows(each, four=four)),
        entries=(*facts, *(entry for step in exercise.steps for entry in _blank_entries(step))),
    )


def _format_title(number: int, exercise: Exercise) -> str:
    words = describe_level(exercise.drawn_hands.level, exercise.drawn_hands.rules)
    return f"{number}. {words.title}"


def _tile_rows(hand: PracticeHand, *, four: bool) -> Iterator[PrintedTileRow]:
    wind = wind_name(hand.hand.seat_wind)
    for row, sets in hand_to_score(hand).rows:
        name = say(f"tiles.{row}")
        tiles = tuple(tuple(map(symbol, each.codes)) for each in sets)
        yield PrintedTileRow(f"{wind}: {name}" if four else name, tiles)


def _blank_entries(step: QuestionStep) -> Iterator[PaperEntry]:
    """Yield the lines to fill in; the doubles share one line."""
    if step.key == "doubles":
        yield PaperEntry(BLANK_LINE, f"{say('exercise.step.doubles')} {BLANK_LINE * 8}")
        return
    for question in step.questions:
        choices = " / ".join(describe_answer(question, n) for n in range(len(question.choices)))
        yield PaperEntry(BLANK_LINE, f"{_describe_question(question)} {choices}".strip())


def _describe_question(question: Question) -> str:
    """Return the question of a line, with its tiles by name."""
    names = list(dict.fromkeys(map(tile_name, question.tiles)))
    if not names:
        return ask_question(question)
    same_tiles_text = f"{len(question.tiles)} × " if len(names) == 1 else ""
    return f"{ask_question(question)}: {same_tiles_text}{', '.join(names)}"


def _answer_block(number: int, exercise: Exercise) -> PaperBlock:
    """Return the scorer's count: line by line, or the total of each of four hands."""
    first = number == 1
    if len(exercise.table) > 1:
        return PaperBlock(
            _format_title(number, exercise),
            "",
            entries=tuple(_answer_entries(exercise.steps)),
            new_page=first,
        )
    hand_view = show_hand(exercise.table[0].hand, exercise.drawn_hands.rules)
    lines = [
        PaperEntry(write_amount(line), say(line.label), line.rule)
        for line in (*hand_view.points, *hand_view.doubles)
    ]
    ends = [
        step
        for step in exercise.steps
        if step.key in STEPS_WITHOUT_LINES or (step.way and step.key == "product")
    ]
    return PaperBlock(
        title=_format_title(number, exercise),
        total=str(hand_view.total),
        entries=(*lines, *_answer_entries(ends)),
        calculation=hand_view.working,
        new_page=first,
    )


def _answer_entries(steps: Iterable[QuestionStep]) -> Iterator[PaperEntry]:
    """Yield the answers to the questions of these steps."""
    for question in (each for step in steps for each in step.questions):
        answer, text = describe_answer(question, question.expected), _question_with_sum(question)
        if question.form == "word":  # too long for the column of figures
            answer, text = "", f"{text} {answer}"
        yield PaperEntry(answer, text, question.rule)


def _question_with_sum(question: Question) -> str:
    """Return a question; for a whole hand with the sum that answers it."""
    text = ask_question(question)
    return f"{text}: {spoken(question.reasons[0])}" if question.asks == "score" else text
