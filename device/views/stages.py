"""Show how far the reading of a photograph is."""

from __future__ import annotations

from dataclasses import dataclass

from device.handlers import HANDLERS, JobKind


@dataclass(frozen=True, slots=True)
class JobStage:
    """One stage of reading a photograph."""

    name: str
    state: str
    """`done`, `now` or `todo`."""


def stages(kind: JobKind, at: str | None, *, done: bool = False) -> tuple[JobStage, ...]:
    """Return the stages of a kind of reading; the first, the photo itself, is done.

    `at` is the worker's current stage. For any other value the second stage is next.
    """
    names = HANDLERS[kind].stages
    now = names.index(at) if at in names else 1
    if done:
        now = len(names)
    states = ("done" if i < now else "now" if i == now else "todo" for i in range(len(names)))
    return tuple(JobStage(name, state) for name, state in zip(names, states, strict=True))
