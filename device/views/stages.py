"""How far a photograph has come, for the page that waits for it to be read."""

from __future__ import annotations

from dataclasses import dataclass

from device.handlers import HANDLERS, Kind


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the way from the photo to what it shows."""

    name: str
    state: str
    """`done`, `now` or `todo`."""


def stages(kind: Kind, at: str | None, *, done: bool = False) -> tuple[Stage, ...]:
    """Return the steps of a kind of reading, of which the photo itself is done.

    `at` is what the worker does now: one of them, or else it will come to the next.
    """
    names = HANDLERS[kind].stages
    now = names.index(at) if at in names else 1
    if done:
        now = len(names)
    states = ("done" if i < now else "now" if i == now else "todo" for i in range(len(names)))
    return tuple(Stage(name, state) for name, state in zip(names, states, strict=True))
