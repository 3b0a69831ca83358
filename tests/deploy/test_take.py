"""What was picked on the page, taken by the system's own service: on a made-up machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.deploy.machine import Machine
from tests.deploy.picked_update import GOOD_VERSION, cut, left_over, page_text, pick

pytestmark = pytest.mark.slow

CUT_AT = 75
"""Its command that loses the power here; `test_update` kills one, and
`python -m tests.prove.cutting` tries all."""


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return a machine that tests copy."""
    return Machine.create(tmp_path_factory.mktemp("taking") / "first")


@pytest.fixture
def machine(first: Machine, tmp_path: Path) -> Machine:
    return first.copy_to(tmp_path / "machine")


def test_what_was_picked_is_in_place(machine: Machine) -> None:
    before = machine.current
    pick(machine)
    assert machine.update(script="take").returncode == 0
    assert (page_text(machine), left_over(machine)) == (f"done {GOOD_VERSION}", [])
    assert machine.current == machine.running_version != before
    assert list(machine.wrong()) == []


@pytest.mark.parametrize(
    ("says", "marks", "ends", "reason"),
    [
        ("update.damaged", (), "refused update.damaged", "it is not even unpacked"),
        (GOOD_VERSION, ("fails",), f"failed {GOOD_VERSION}", "it cannot be installed"),
        (GOOD_VERSION, ("ill", "writes"), f"failed {GOOD_VERSION}", "its first page is broken"),
    ],
)
def test_what_does_not_come_well_leaves_the_box_as_it_was(
    machine: Machine, says: str, marks: tuple[str, ...], ends: str, reason: str
) -> None:
    before = machine.current
    pick(machine, says, *marks)
    machine.update(script="take")
    assert (page_text(machine), left_over(machine)) == (ends, []), reason
    assert machine.current == machine.running_version == before
    assert list(machine.wrong()) == []
    pick(machine)
    machine.update(script="take")
    assert page_text(machine) == f"done {GOOD_VERSION}", "the next one finds nothing in its way"


def test_without_power_amid_a_version_that_is_taken_back_it_goes_on(
    first: Machine, tmp_path: Path
) -> None:
    assert list(cut(first, tmp_path / "cut", "gone", ("dead",), CUT_AT)) == []
