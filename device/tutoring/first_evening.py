"""A newcomer's first evening: steps in order, and which of them a pupil has finished.

A step whose answers were read is a round of the exercise `EVENING` in the practice log. So it needs
no event of its own, and a pupil who starts from zero starts the evening again, too. A step with an
exercise is finished once a round of that is done as well.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files

from device.tutoring.progress import LevelStanding, PracticeLog

EVENING = "evening"
"""The key of the first evening among the exercises of the practice log."""

EVENING_RULESET = "bmja"
"""The ruleset whose lessons the evening shows."""

BOX_ANSWER_PREFIX = "box:"
"""Stands before the id of an answer about using the box."""


@dataclass(frozen=True, slots=True)
class EveningStep:
    """One step: what it shows, and what is then practised."""

    id: str
    number: int
    """Counted from 1."""
    answers: tuple[str, ...]
    """Ids of lessons, or of answers about the box after `BOX_ANSWER_PREFIX`."""
    exercise: tuple[str, str] | None = None
    """Key and level of the exercise at its end; None for none."""


def _read_steps() -> tuple[EveningStep, ...]:
    text = files(__package__).joinpath("first_evening.toml").read_text("utf-8")
    return tuple(
        EveningStep(
            row["id"],
            number,
            tuple(row["answers"]),
            (row["exercise"][0], row["exercise"][1]) if "exercise" in row else None,
        )
        for number, row in enumerate(tomllib.loads(text)["step"], start=1)
    )


STEPS = _read_steps()
"""All steps, in order."""


def find_step(step_id: str) -> EveningStep | None:
    """Return the step with this id; None if there is none."""
    return next((step for step in STEPS if step.id == step_id), None)


def step_after(step: EveningStep) -> EveningStep | None:
    """Return the next step; None after the last."""
    return STEPS[step.number] if step.number < len(STEPS) else None


def step_with_exercise(exercise: str, level: str) -> EveningStep | None:
    """Return the step that ends with this exercise; None if none does."""
    return next((step for step in STEPS if step.exercise == (exercise, level)), None)


def finished_steps(progress: Mapping[tuple[str, str], LevelStanding]) -> frozenset[str]:
    """Return the ids of the steps that a pupil with this progress has finished."""
    return frozenset(
        step.id
        for step in STEPS
        if (mark := progress.get((EVENING, step.id))) and (mark.right or step.exercise in progress)
    )


def next_step(finished_ids: Collection[str]) -> EveningStep | None:
    """Return the first step that is not finished; None if all are."""
    return next((step for step in STEPS if step.id not in finished_ids), None)


def mark_read(log: PracticeLog, pupil: str, step: EveningStep, *, has_exercise: bool) -> None:
    """Record that the pupil has read a step, once; without an exercise, that finishes it."""
    run = f"{step.id}-read" if has_exercise else step.id
    log.mark(pupil, EVENING, step.id, right=int(not has_exercise), asked=1, run=run)
