"""`tongbox practise`: a hand asked about in the terminal, and ten of them on paper."""

from __future__ import annotations

import re
import sys

import pytest

from device.cli import main
from scorer.message import to_english
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.exercises import make_exercise
from scorer.teach.practice.levels import levels_for
from scorer.teach.practice.questions import Question
from tests.device.command import bytes_of, output_of, refusal_of, run_command
from tests.pdf_pages import text_of
from tests.scorer.teach.practice.answers import right_answers

ALL = [
    (book, level.key) for book in ("bmja", "safalra") for level in levels_for(load_builtin(book))
]


def type_answer(question: Question, answer: int) -> str:
    if question.form == "tick":
        return "y" if answer else "n"
    return str(answer + (question.form == "word"))


@pytest.mark.parametrize(("book", "level"), ALL, ids=[f"{b}-{level}" for b, level in ALL])
def test_right_answers_are_all_right(book: str, level: str) -> None:
    exercise = make_exercise(level, 7, load_builtin(book))
    right = right_answers(exercise)
    questions = [q for step in exercise.steps for q in step.questions]
    stdin = "".join(f"{type_answer(q, right[q.name])}\n" for q in questions).encode()
    output = output_of("practise", "--level", level, "--seed", "7", "--rules", book, stdin=stdin)
    assert f"{exercise.question_count} of {exercise.question_count} right" in output
    assert "Not right" not in output
    *_, last = output.splitlines()
    assert re.search(r"scores: .*\d", last), "the sum says what it is of"
    assert ("reconstructed" in output) == (book == "safalra")


def test_a_wrong_answer_is_told_with_its_reason() -> None:
    (question,) = make_exercise("pung", 7, load_builtin("bmja")).steps[0].questions
    output = output_of("practise", "--seed", "7", stdin=b"32\n")
    reason = to_english(question.reasons[0])
    remark = f"Not right: it is {question.expected}. {reason} ({question.rule})"
    assert remark in output
    assert "0 of 1 right" in output


def test_the_end_of_the_input_ends_it_cleanly() -> None:
    outcome = run_command("practise", "--level", "winner", "--seed", "7")
    assert outcome.output.rstrip().endswith("0 of 0 right")
    assert (outcome.status, outcome.err) == (0, "")


class _InterruptedInput:
    """A terminal at which somebody presses Ctrl-C, after one answer."""

    def __init__(self) -> None:
        self.answers = ["32\n"]

    def readline(self) -> str:
        if not self.answers:
            raise KeyboardInterrupt
        return self.answers.pop()


def test_ctrl_c_ends_it_with_what_was_answered_till_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", _InterruptedInput())
    assert main(["practise", "--level", "winner", "--seed", "7"]) == 0
    output = capsys.readouterr()
    assert output.out.endswith("0 of 1 right\n")
    assert output.err == ""


def test_a_level_that_the_rules_do_not_have_is_refused() -> None:
    assert "no such level; there are pung, sets," in refusal_of(
        "practise", "--level", "special", "--rules", "safalra"
    )


def test_ten_hands_come_as_a_pdf() -> None:
    data = bytes_of("practise", "--sheet", "--level", "doubles", "--seed", "7")
    assert data.startswith(b"%PDF")
    assert "10. Doubles for everybody" in "\n".join(text_of(data))
