"""An exercise answered, for tests that hand it in."""

from __future__ import annotations

from collections.abc import Mapping

from scorer.teach.practice.exercises import Exercise


def right_answers(exercise: Exercise) -> Mapping[str, int]:
    """Return the right answer to every question."""
    return {each.name: each.expected for step in exercise.steps for each in step.questions}
