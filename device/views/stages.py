"""How far a photograph has come, for the page that waits for it to be read."""

from __future__ import annotations

from dataclasses import dataclass

from device.handlers import HANDLERS, JobKind


@dataclass(frozen=True, slots=True)
class JobStage:
    """One step of the way from the photo to what it shows."""

    name: str
    state: str
    """`done`, `now` or `todo`."""


def stages(kind: JobKind, at: str | None, *, done: bool = False) -> tuple[JobStage, ...]:
    """Return the steps of a kind of reading, of which the photo itself is done.

    `at` is what the worker does now: one of them, or else it will come to the next.
    """
    names = HANDLERS[kind].stages
    now = names.index(at) if at in names else 1
    if done:
        now = len(names)
    states = ("done" if i < now else "now" if i == now else "todo" for i in range(len(names)))
    return tuple(JobStage(name, state) for name, state in zip(names, states, strict=True))
