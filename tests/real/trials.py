"""Run every trial of this folder: `make real`; `make real PART=virtual_camera` runs one.

They are not collected with the tests, since each needs root, other programs, and time (README.md).
"""

from __future__ import annotations

import sys

import pytest

from tests import trial

TRIALS = {
    "virtual_camera": "tests.real.virtual_camera",
    "many_units": "tests.real.many_units",
    "updates": "tests.real.updates",
    "containers": "tests.real.containers",
    "first_boot-trixie": "tests.real.first_boot trixie",
    "first_boot-bookworm": "tests.real.first_boot bookworm",
    "arm64-trixie": "tests.real.arm64 trixie",
    "arm64-bookworm": "tests.real.arm64 bookworm",
    "vm": "tests.real.vm",
}
"""Each with its options, the shortest first."""


@pytest.mark.timeout(0)  # each has limits of its own, and how long an emulation takes says little
@pytest.mark.parametrize("name", TRIALS)
def test_a_trial_ends_well(name: str) -> None:
    trial.run(name, sys.executable, "-u", "-m", *TRIALS[name].split())


def test_polkit_lets_the_box_do_what_it_must() -> None:
    trial.run("polkit", "sh", "tests/real/polkit.sh")
