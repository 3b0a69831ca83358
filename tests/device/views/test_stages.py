"""How far a photograph has come: the steps that each kind of reading passes."""

from __future__ import annotations

import pytest

from device.job_handlers import JobKind
from device.views.hand_page import job_stages


@pytest.mark.parametrize(
    ("kind", "stage", "is_done", "expected", "reason"),
    [
        ("hand", "waiting", False, "1 now 0 0 0", "it will be its turn"),
        ("hand", "arrange", False, "1 1 1 now 0", "half way"),
        ("added-photo", "classify", False, "1 1 now 0 0", "as the first of them"),
        ("whole-table", "arrange", False, "1 1 1 now 0", "hands come of it"),
        ("registration", "classify", False, "1 1 now", "nothing is arranged, nothing scored"),
        ("hand", None, False, "1 now 0 0 0", "the box was switched off before it came to it"),
        ("hand", "arrange", True, "1 1 1 1 1", "read by now"),
    ],
)
def test_the_steps(
    kind: JobKind, stage: str | None, is_done: bool, expected: str, reason: str
) -> None:
    states = [each.state for each in job_stages(kind, stage, is_done=is_done)]
    assert [{"done": "1", "now": "now", "todo": "0"}[s] for s in states] == expected.split(), reason
