"""The updater, on a made-up machine that is booted and has hands."""

from __future__ import annotations

import fcntl
import signal
import subprocess
from pathlib import Path

import pytest

from tests.deploy.cutting import NEWER, cut
from tests.deploy.machine import SYSTEMCTL, Machine

pytestmark = pytest.mark.slow

CUT_AT = 60
"""The command of an update that is killed here, once it has begun to change what runs; `test_take`
loses the power. `python -m tests.prove.cutting` tries all, with all kinds of newer versions."""


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Return a machine that tests copy."""
    return Machine.create(tmp_path_factory.mktemp("machine") / "first")


@pytest.fixture
def machine(first: Machine, tmp_path: Path) -> Machine:
    copy = first.copy_to(tmp_path / "machine")
    copy.calls()
    return copy


def services(machine: Machine) -> list[str]:
    """Return systemd's commands about the box."""
    calls = [call.removeprefix("systemctl ") for call in machine.calls()]
    return [call for call in calls if call in ("stop tongbox", "start tongbox", "restart tongbox")]


def test_an_update_changes_the_version_and_keeps_the_one_before(machine: Machine) -> None:
    versions = [machine.current]
    for _ in range(2):
        machine.change_source("writes")
        result = machine.update()
        assert (result.returncode, result.stderr) == (0, "")
        assert list(machine.wrong()) == []
        versions.append(machine.current)
    assert len(set(versions)) == 3
    assert machine.versions == sorted(versions[1:]), "the last before is kept"
    second_result = machine.update()
    assert (second_result.returncode, machine.current) == (0, versions[2])
    assert "runs already" in second_result.stdout


def test_a_version_that_knew_no_switch_is_gone_back_to_all_the_same(machine: Machine) -> None:
    old = machine.current
    rules = machine.root / "etc/polkit-1/rules.d/60-tongbox.rules"
    assert rules.exists()
    (machine.root / "opt/tongbox/versions" / old / "deploy/polkit.rules").unlink()
    machine.change_source("dead")
    assert f"version {old} runs again" in machine.update().stderr
    assert machine.current == machine.running_version == old
    assert not rules.exists(), "it has no use for them"
    assert list(machine.wrong()) == []


@pytest.mark.parametrize(
    ("marks", "files_aside", "reason"),
    [
        (("ill",), 0, "what was played meanwhile can be read by the older version, too"),
        (("ill", "writes"), 1, "the older version cannot read the newer format"),
        (("deaf", "writes"), 1, "nor is it put back any other way where nothing answers"),
    ],
)
def test_a_version_that_is_worse_is_taken_back(
    machine: Machine, marks: tuple[str, ...], files_aside: int, reason: str
) -> None:
    old = machine.current
    unit = machine.root / "etc/systemd/system/tongbox.service"
    before = unit.read_bytes()
    machine.change_source(*marks)
    (machine.source / "deploy/tongbox.service").write_text("[Service]\n[Install]\n")
    result = machine.update()
    assert result.returncode == 1
    assert f"version {old} runs again" in result.stderr
    assert machine.current == machine.running_version == old
    assert unit.read_bytes() == before, "its unit, too"
    replaced_files = list(machine.log.parent.glob("replaced-*"))
    assert len(replaced_files) == files_aside, reason
    assert [path for path in replaced_files if str(path) not in result.stderr] == [], (
        "it is said where"
    )
    assert list(machine.wrong()) == []
    assert services(machine) == ["stop tongbox", "restart tongbox"] * 2


@pytest.mark.parametrize(
    ("old", "new", "stays", "reason"),
    [
        ("ill", "ill", True, "no worse: a torn match may not keep the box from every update"),
        ("ill", "dead", False, "worse than broken"),
        ("dead", "ill", True, "a little better"),
        ("dead", "dead", False, "no better, and the older one is known"),
    ],
)
def test_a_version_is_measured_by_the_one_before(
    machine: Machine, old: str, new: str, stays: bool, reason: str
) -> None:
    (machine.root / "opt/tongbox/current/venv" / old).touch()
    machine.pretend("boot")
    before = machine.current
    machine.change_source(new)
    result = machine.update()
    assert (result.returncode == 0, machine.current != before) == (stays, stays), reason
    if old == new == "dead":
        assert "does not answer either" in result.stderr


def test_an_update_that_cannot_be_made_leaves_the_box_alone(machine: Machine) -> None:
    old = machine.current
    machine.change_source("fails")
    assert machine.update().returncode != 0
    assert machine.current == machine.running_version == old
    assert services(machine) == []


LOST_SESSION = """
if [ "$*" = "start tongbox-update" ] && [ ! -e "$STATE/lost" ]; then
    touch "$STATE/lost"
    kill -KILL -"$GROUP"
fi
"""


def test_a_session_lost_before_the_change_is_started_delays_it_by_a_minute(
    machine: Machine,
) -> None:
    """Without that, the link would be there, and nobody would go on until the next start."""
    old = machine.current
    machine.change_source()
    machine.program("systemctl", LOST_SESSION + SYSTEMCTL)
    assert machine.update().returncode == -signal.SIGKILL
    trying_link = machine.root / "opt/tongbox/trying"
    assert trying_link.is_symlink()
    assert machine.current == old
    command = machine.state.joinpath("in-a-minute").read_text().split()
    subprocess.run(command, env=machine.environment(), check=True)
    assert machine.current == machine.running_version != old
    assert not trying_link.is_symlink()
    assert list(machine.wrong()) == []


def test_without_room_to_copy_the_hands_the_box_goes_on_as_it_was(machine: Machine) -> None:
    old = machine.current
    machine.change_source()
    (machine.log.parent / "before-update").write_text("in the way")
    result = machine.update()
    assert result.returncode == 1
    assert "could not be copied" in result.stderr
    assert machine.current == machine.running_version == old
    assert list(machine.wrong()) == []


def test_a_dry_run_changes_nothing(machine: Machine) -> None:
    machine.change_source()
    before = machine.files()
    result = machine.update("--dry-run")
    assert (result.returncode, result.stderr) == (0, "")
    wanted_words = [
        "write_lock",
        "tongbox-update.service",
        "trying",
        "systemctl start tongbox-update",
    ]
    assert [words for words in wanted_words if words not in result.stdout] == []
    assert f"rm -rf {machine.root}/opt/tongbox/versions/{machine.current}" not in result.stdout
    assert machine.files() == before
    assert services(machine) == []


def test_two_at_once_are_refused(machine: Machine) -> None:
    machine.change_source()
    with (machine.root / "opt/tongbox/lock").open("w") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        result = machine.update()
    assert result.returncode == 1
    assert "at work" in result.stderr


def test_killed_on_the_longest_way_a_version_runs_and_every_hand_is_there(
    first: Machine, tmp_path: Path
) -> None:
    there_and_back_with_the_log = NEWER[-1]
    assert list(cut(first, there_and_back_with_the_log, tmp_path / "cut", CUT_AT, "kill")) == []
