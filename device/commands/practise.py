"""`tongbox practise`: practise scoring one hand step by step, or print ten hands."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from device.commands.console import write, write_file
from device.i18n.words import say, spoken
from device.views.tutor.exercise import (
    ask_question,
    describe_answer,
    describe_level,
    describe_verdict,
    hand_to_score,
)
from scorer.errors import RefusalError
from scorer.explain.sums import write_score
from scorer.hand import RULESETS
from scorer.parsing import parse_int
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.practice.exercises import (
    MAX_SEED,
    Exercise,
    NoExerciseError,
    make_exercise,
    parse_seed,
)
from scorer.teach.practice.levels import LEVELS, levels_for
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import MAX_ANSWER_NUMBER, MarkedAnswer, Question, mark_answer

TICK_ANSWERS = {"y": 1, "yes": 1, "1": 1, "n": 0, "no": 0, "0": 0}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    level_names = [level.key for level in LEVELS]
    parser.add_argument(
        "--level",
        choices=level_names,
        metavar="LEVEL",
        help=f"start at this level: {', '.join(level_names)}; with --sheet: all its hands "
        "(default: from easy to hard)",
    )
    parser.add_argument(
        "--seed", type=_parse_seed, metavar="N", help="number of the hand (default: any)"
    )
    parser.add_argument("--rules", choices=RULESETS, default=RULESETS[0], help="rules to score by")
    parser.add_argument("--sheet", action="store_true", help="ten hands with answers as a PDF")


def _parse_seed(text: str) -> int:
    try:
        return parse_seed(text)
    except NoExerciseError:
        raise argparse.ArgumentTypeError(f"the number of a hand is from 0 to {MAX_SEED}") from None


def run(args: argparse.Namespace) -> None:
    """Ask about one hand, or write the sheet."""
    rules = load_builtin(args.rules)
    seed = random.randrange(10**4) if args.seed is None else args.seed
    try:
        if args.sheet:
            from device.paper.exercises import print_exercises  # loads reportlab

            write_file(print_exercises(args.level or "", seed, rules))
        else:
            _practise(make_exercise(args.level or LEVELS[0].key, seed, rules))
    except NoExerciseError as error:
        level_names = ", ".join(level.key for level in levels_for(rules))
        raise RefusalError(
            f"{say(rules.title)} has no such level; there are {level_names}."
        ) from error


class _EnoughError(Exception):
    """The input has ended."""


def _practise(exercise: Exercise) -> None:
    """Ask all questions of an exercise, then show its score."""
    drawn_hands = exercise.drawn_hands
    title = describe_level(drawn_hands.level, drawn_hands.rules).title
    write(f"{title}, {say('exercise.hand', number=drawn_hands.seed)}")
    for each in exercise.table:
        for line in _show_hand(each):
            write(line)
    marks: list[MarkedAnswer] = []
    answers: dict[str, int] = {}
    try:
        for step in exercise.steps:
            write(f"\n{say(f'exercise.step.{step.key}')}")
            for question in step.questions:
                answers[question.name] = _ask_player(question)
                marks.append(mark_answer(question, answers[question.name], answers))
                write(f"    {_describe_mark(marks[-1])}")
    except (_EnoughError, KeyboardInterrupt):
        write("")
    right = sum(each.counts for each in marks)
    write(f"\n{say('exercise.progress', right=right, asked=len(marks))}")
    if len(marks) == exercise.question_count:
        labels = [say("exercise.ask.total")]
        if len(exercise.table) > 1:
            labels = list(map(ask_question, exercise.steps[0].questions))
        for label, each in zip(labels, exercise.table, strict=True):
            write(f"  {label}: {say(write_score(score(each.hand, drawn_hands.rules)))}")


def _show_hand(practice_hand: PracticeHand) -> Iterator[str]:
    exposed_hand = hand_to_score(practice_hand)
    yield "\n" + " · ".join(exposed_hand.in_words)
    for row, sets in exposed_hand.rows:
        groups = "   ".join(" ".join(each.codes) for each in sets)
        yield f"  {say(f'tiles.{row}'):<20} {groups}"
    if exposed_hand.notice:
        yield f"  {exposed_hand.notice}"


def _ask_player(question: Question) -> int:
    """Ask until the answer is valid; raise _EnoughError at the end of the input."""
    while True:
        sys.stdout.write(f"  {_prompt(question)} ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise _EnoughError
        answer = _parse_answer(question, line.strip().casefold())
        if answer is not None:
            return answer
        write(f"    Please answer with {_describe_wanted(question)}.")


def _prompt(question: Question) -> str:
    tiles = f" {' '.join(question.tiles)}" if question.tiles else ""
    choices = "".join(
        f"\n    {number} {describe_answer(question, number - 1)}"
        for number in range(1, len(question.choices) + 1)
    )
    return f"{ask_question(question)}{tiles}{'? y/n' if question.form == 'tick' else ':'}{choices}"


def _parse_answer(question: Question, text: str) -> int | None:
    """Return an answer as a number; None if it is invalid. Choices count from 1."""
    if question.form == "tick":
        return TICK_ANSWERS.get(text)
    number = parse_int(text, 0, MAX_ANSWER_NUMBER)
    if number is None:
        return None
    answer = number - (question.form == "word")
    return answer if question.accepts(answer) else None


def _describe_wanted(question: Question) -> str:
    if question.form == "tick":
        return "y or n"
    return f"1 to {len(question.choices)}" if question.form == "word" else "a whole number"


def _describe_mark(answer: MarkedAnswer) -> str:
    """Return the mark of an answer, with the reason where it is wrong."""
    question = answer.question
    if answer.right:
        return describe_verdict(answer)
    right = say("exercise.it-is", right=describe_answer(question, question.expected))
    rule = f"({question.rule})" if question.rule else ""
    return " ".join(
        filter(
            None, (f"{describe_verdict(answer)}: {right}.", *map(spoken, question.reasons), rule)
        )
    )
