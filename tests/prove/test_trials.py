"""The trials that take minutes: `make prove` runs each; its exit status says how it went.

What they print is in tests/README.md; each can be run by itself, with other seeds.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

TRIALS: list[tuple[str, tuple[str, ...], str]] = [
    ("spoiling", ("--count", "2000"), "logs with something wrong in them"),
    ("salvaging", (), "logs on a bad card"),
    ("walk", ("--requests", "12000", "--batch", "200"), "odd requests"),
    ("pictures", (), "damaged and large pictures"),
    ("doors", (), "phones that would shut others out"),
    ("cutting", ("--every", "6"), "updates cut off"),
    ("first_cut", ("--every", "4"), "first starts cut off"),
    ("locked", (), "packages whose hash is not on the lock; needs the registry"),
]


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("program", "options", "why"), TRIALS, ids=[each[0] for each in TRIALS])
def test_a_trial_ends_well(program: str, options: tuple[str, ...], why: str) -> None:
    command = [sys.executable, "-m", f"tests.prove.{program}", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{why}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
