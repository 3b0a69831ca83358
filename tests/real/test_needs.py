"""Each real trial says in one line what is missing, before it starts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.real.needs import PACKAGES, need
from tests.real.trials import TRIALS
from tests.real.virtual_camera import FROM_PYPI

FROM_DEBIAN = {"numpy", "pillow"}
"""Packages that the root of the ribbon camera's trial has from Debian."""

IMPORTS = """
import importlib.metadata, sys
import device.cameras.picamera2, device.cameras.service
packages = importlib.metadata.packages_distributions()
tops = {name.partition(".")[0] for name in sys.modules}
print(*sorted({each for top in tops for each in packages.get(top, ())}))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIALS)
def test_a_trial_names_the_packages_that_it_needs(name: str) -> None:
    command = [sys.executable, "-m", *TRIALS[name].split()]
    empty_path = os.environ | {"PATH": ""}
    result = subprocess.run(command, env=empty_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    if os.geteuid() == 0:
        assert "mmdebstrap" in lines[0].partition("apt-get install ")[2].split()


def test_a_python_without_our_packages_is_told_so() -> None:
    command = [sys.executable, "-S", "-m", TRIALS["updates"]]  # -S: without installed packages
    empty_path = os.environ | {"PATH": ""}
    result = subprocess.run(command, env=empty_path, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("This needs the Python package "), lines


@pytest.mark.slow
def test_the_ribbon_cameras_trial_has_what_a_camera_imports() -> None:
    result = subprocess.run(
        [sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True
    )
    start_modules = {
        "setuptools",
        "typing_extensions",
    }  # of Python's own start, and of another's package
    assert set(result.stdout.split()) - start_modules <= FROM_DEBIAN | set(FROM_PYPI)


@pytest.mark.parametrize(
    ("user", "program", "message"),
    [
        (1000, "sh", "This needs root."),
        (0, "no-such-program", "This needs no-such-program: apt-get install its-package"),
        (0, "sh", None),
    ],
    ids=["not root", "a program is missing", "all is there"],
)
def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, user: int, program: str, message: str | None
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setitem(PACKAGES, "no-such-program", "its-package")
    if message is None:
        need(program)
        return
    with pytest.raises(SystemExit) as exit_info:
        need(program)
    assert exit_info.value.code == message
