"""Whatever is wrong with one event, every page is answered and no other match changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.device.fuzzed import trials

pytestmark = [pytest.mark.slow, pytest.mark.longest]

COUNT = 4
"""`python -m tests.prove.spoiling` tries 2,000."""


def test_a_spoilt_event_breaks_no_page_and_no_other_match(tmp_path: Path) -> None:
    damaged = 0
    for number, trial in trials(tmp_path, COUNT, seed=1):
        assert trial.failed == (), number
        assert trial.changed == (), number
        assert trial.disagreed == (), number
        assert trial.begins, number
        damaged += trial.damaged > 0
    assert damaged > COUNT / 4, "or nothing was spoilt"
