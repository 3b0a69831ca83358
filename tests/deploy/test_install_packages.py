"""`tests/install-packages` waits for a lock, and says what it cannot install."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.deploy.conftest import DEPLOY, FakeSystem

SCRIPT = DEPLOY.parent / "tests" / "install-packages"

LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)"

SUDO = '[ "$1" = -v ] || exec "$@"'

MAX_TRIES = 30


def _install(system: FakeSystem) -> subprocess.CompletedProcess[str]:
    """Run the script on a system where nothing is installed."""
    environment = {"PATH": str(system.programs), "CALLS": str(system.root.parent / "calls")}
    return subprocess.run(
        ["/bin/sh", str(SCRIPT)], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("refusals", "said", "code", "updates", "why"),
    [
        (0, "", 0, 1, "nothing holds the lock"),
        (2, LOCKED, 0, 3, "tried again until the lock is free"),
        (1000, LOCKED, 1, MAX_TRIES, "not for ever: ten minutes"),
        (1, "E: Unable to fetch some archives", 1, 1, "waiting would not help"),
    ],
)
def test_a_lock_on_the_packages_is_waited_for(
    system: FakeSystem, refusals: int, said: str, code: int, updates: int, why: str
) -> None:
    refused = system.root / "refused"
    refused.write_text("")
    system.program("sudo", SUDO)
    system.program(
        "apt-get",
        f"""
read -r done <{refused} || done=${{done:-0}}
[ "$done" -lt {refusals} ] || exit 0
echo $((done + 1)) >{refused}
echo "{said}" >&2
exit 100""",
    )
    (system.programs / "env").symlink_to(shutil.which("env") or "")
    system.program("mkdir", "")
    system.program("tee", "read -r _")
    done = _install(system)
    assert done.returncode == code, done.stderr
    assert (LOCKED in done.stderr) == (updates == MAX_TRIES), why
    calls = [call for call in system.calls() if call.startswith("apt-get")]
    assert [call.split()[2] for call in calls] == ["update"] * updates + ["install"] * (not code)


@pytest.mark.parametrize(
    ("programs", "reason"),
    [
        ({}, "there is no apt-get here"),
        ({"apt-get": "", "sudo": "exit 1"}, "this user may not install packages"),
        ({"apt-get": ""}, "this user may not install packages"),
    ],
    ids=["another system", "refused", "no sudo"],
)
def test_where_nothing_may_be_installed_one_line_says_what_is_skipped(
    system: FakeSystem, programs: dict[str, str], reason: str
) -> None:
    for each in ("apt-get", "sudo"):
        (system.programs / each).unlink(missing_ok=True)
    system.program("id", "echo 1000")
    for name, script in programs.items():
        system.program(name, script)
    done = _install(system)
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()[-1]
    assert reason in said
    assert "chromium" in said
    assert not any(call.startswith("apt-get") for call in system.calls())
