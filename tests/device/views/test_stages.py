"""How far a photograph has come: the steps that each kind of reading passes."""

from __future__ import annotations

import pytest

from device.handlers import Kind
from device.views.stages import stages


@pytest.mark.parametrize(
    ("kind", "at", "done", "expected", "why"),
    [
        ("hand", "waiting", False, "1 now 0 0 0", "it will be its turn"),
        ("hand", "locate", False, "1 now 0 0 0", "it is"),
        ("hand", "arrange", False, "1 1 1 now 0", "half way"),
        ("added-photo", "classify", False, "1 1 now 0 0", "as the first of them"),
        ("whole-table", "arrange", False, "1 1 1 now 0", "hands come of it"),
        ("registration", "classify", False, "1 1 now", "nothing is arranged, nothing scored"),
        ("hand", None, False, "1 now 0 0 0", "the box was switched off before it came to it"),
        ("hand", "arrange", True, "1 1 1 1 1", "read by now"),
    ],
)
def test_the_steps(kind: Kind, at: str | None, done: bool, expected: str, why: str) -> None:
    states = [each.state for each in stages(kind, at, done=done)]
    assert [{"done": "1", "now": "now", "todo": "0"}[s] for s in states] == expected.split(), why
