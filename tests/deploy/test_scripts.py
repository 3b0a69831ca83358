"""The installer, the updater and the uninstaller, on a made-up system."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from device.doctor.machine_checks import MIN_TOTAL_MEMORY_KB
from tests.deploy.conftest import DEPLOY, PYTHON, FakeSystem

pytestmark = pytest.mark.slow


@pytest.fixture
def installed_system(system: FakeSystem) -> FakeSystem:
    result = system.run("install")
    assert (result.returncode, result.stderr) == (0, "")
    system.log.write_text("hands\n")
    system.calls()
    return system


def test_a_dry_run_says_everything_and_changes_nothing(system: FakeSystem) -> None:
    before = system.files()
    result = system.run("install", "--dry-run")
    assert (result.returncode, result.stderr) == (0, "")
    output = result.stdout
    wanted_words = ["-m venv --system-site-packages", "write_lock", "--require-hashes",
              "--no-index",
              "check_needs", "check_imports", "host-name=tongbox",
              "tongbox.service", "avahi.service", "60-tongbox.rules", "run: sync\n  would run: ln",
              "mv -T",
              "systemctl daemon-reload", "systemctl enable",
              "systemctl restart tongbox"]  # fmt: skip
    places = [output.find(words) for words in wanted_words]
    assert -1 not in places, wanted_words[places.index(-1)]
    assert places == sorted(places), "in this order"
    assert system.files() == before
    assert {call.split()[0] for call in system.calls()} <= {
        "apt-cache", "dpkg-query", "getconf", "getent", "id", "python3", "uname",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("program", "script", "says", "reason"),
    [
        ("uname", "echo armv7l", "this one is 32-bit", "no onnxruntime for it"),
        ("getconf", "echo 32", "this one is 32-bit", "a 32-bit system on a 64-bit kernel"),
        ("python3", "exit 1", "Python 3.11 or newer", "Bullseye"),
    ],
)
def test_what_cannot_run_it_is_refused_in_a_sentence(
    system: FakeSystem, program: str, script: str, says: str, reason: str
) -> None:
    system.program(program, script)
    result = system.run("install")
    assert result.returncode == 1
    assert says in result.stderr, reason
    assert not (system.root / "opt").exists()


def test_too_little_memory_is_refused_by_the_doctors_own_measure(system: FakeSystem) -> None:
    meminfo = system.root / "proc/meminfo"
    meminfo.write_text(f"MemTotal: {MIN_TOTAL_MEMORY_KB - 1} kB\n")
    result = system.run("install")
    assert result.returncode == 1
    assert "needs 2 GB of memory; this computer has 1499 MB" in result.stderr
    meminfo.write_text(f"MemTotal: {MIN_TOTAL_MEMORY_KB} kB\n")
    assert system.run("install", "--dry-run").returncode == 0


def test_all_is_in_its_place(installed_system: FakeSystem) -> None:
    root = installed_system.root
    unit = (root / "etc/systemd/system/tongbox.service").read_bytes()
    assert unit == (DEPLOY / "tongbox.service").read_bytes()
    assert (root / "etc/avahi/services/tongbox.service").exists()
    rules = (root / "etc/polkit-1/rules.d/60-tongbox.rules").read_bytes()
    assert rules == (DEPLOY / "polkit.rules").read_bytes(), "it may switch itself off"
    assert "\nhost-name=tongbox\n" in (root / "etc/avahi/avahi-daemon.conf").read_text()
    link = (root / "usr/local/bin/tongbox").readlink()
    assert link == root / "opt/tongbox/current/venv/bin/tongbox"
    assert re.fullmatch(r"0\.1\.0-[0-9a-f]{12}", installed_system.current)


def test_a_second_run_makes_nothing_again(installed_system: FakeSystem) -> None:
    before = installed_system.files()
    result = installed_system.run("install")
    assert result.returncode == 0
    assert "already there" in result.stdout
    assert installed_system.files() == before
    assert not [
        call for call in installed_system.calls() if call.startswith(("python3 -m", "venv-pip"))
    ]


def test_a_half_made_version_is_made_again(system: FakeSystem) -> None:
    system.change_source("fails")
    assert system.run("install").returncode != 0
    assert not (system.root / "opt/tongbox/current").exists()
    (system.source / "fails").unlink()
    assert system.run("install").returncode == 0
    assert (system.root / "opt/tongbox/current/whole").exists()


def test_a_first_install_that_does_not_answer_says_where_to_look(system: FakeSystem) -> None:
    system.program("python3", f"case $* in *ask.py) echo /health; exit 1; esac\n{PYTHON}")
    result = system.run("install", TONGBOX_TRIES="2")
    assert result.returncode == 1
    assert "journalctl -u tongbox" in result.stderr


def test_what_is_not_installed_cannot_be_updated(system: FakeSystem) -> None:
    result = system.run("update")
    assert result.returncode == 1
    assert "install.sh" in result.stderr


@pytest.mark.parametrize(
    ("says", "is_deleted", "reason"),
    [
        ("yes\n", True, "asked and answered"),
        ("y\n", False, "only the whole word"),
        ("", False, "nobody was there to ask"),
    ],
)
def test_data_goes_only_when_somebody_says_so(
    installed_system: FakeSystem, says: str, is_deleted: bool, reason: str
) -> None:
    result = installed_system.run("uninstall", says=says)
    assert (result.returncode, result.stderr) == (0, "")
    assert "cannot be brought back" in result.stdout
    assert not (installed_system.root / "opt/tongbox").exists()
    assert not (installed_system.root / "etc/systemd/system/tongbox.service").exists()
    assert list((installed_system.root / "etc/polkit-1/rules.d").iterdir()) == []
    assert (
        "\n#host-name=foo\n" in (installed_system.root / "etc/avahi/avahi-daemon.conf").read_text()
    )
    assert installed_system.log.exists() != is_deleted, reason
    userdel_calls = [call for call in installed_system.calls() if call.startswith("userdel")]
    assert bool(userdel_calls) == is_deleted, "files that stay keep their owner"
    assert installed_system.run("uninstall", says="no\n").returncode == 0, "twice does no harm"


def test_an_unknown_option_is_refused(system: FakeSystem) -> None:
    result = system.run("install", "--quick")
    assert result.returncode == 1
    assert "--dry-run" in result.stderr


REPO = DEPLOY.parent

FOLDERS = ("deploy", "models", "tests", "device", "vision", "scorer")


def is_shell_script(path: Path) -> bool:
    """Return whether a file is a script of the POSIX shell, by its first line or its name."""
    if path.suffix not in {"", ".sh"} or not path.is_file():
        return False
    with path.open("rb") as file:
        return path.suffix == ".sh" or file.readline().rstrip() == b"#!/bin/sh"


SCRIPTS = sorted(filter(is_shell_script, (p for each in FOLDERS for p in (REPO / each).rglob("*"))))


def test_scripts_without_an_ending_are_found() -> None:
    names = {str(path.relative_to(REPO)) for path in SCRIPTS}
    assert {
        "deploy/install.sh",
        "models/train/drawing/install-fonts",
        "tests/install-packages",
    } <= names


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(REPO)))
def test_the_scripts_are_posix(script: Path) -> None:
    result = subprocess.run(["sh", "-n", str(script)], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    if linter := shutil.which("shellcheck"):
        lint_result = subprocess.run(
            [linter, "-x", "--shell=sh", str(script)],
            capture_output=True, text=True, check=False, cwd=REPO,
        )  # fmt: skip
        assert (lint_result.returncode, lint_result.stdout) == (0, "")
