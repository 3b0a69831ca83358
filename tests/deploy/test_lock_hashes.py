"""The installer installs nothing whose hash is not on a lock; on a made-up system."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from tests.deploy.conftest import DEPLOY, FakeSystem

pytestmark = pytest.mark.slow

REPO = DEPLOY.parent

STANZA = re.compile(r"^([a-z0-9-]+)==([^ ;\\]+)((?:.*\\\n)*.*)$", re.M)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def parse_lock(text: str) -> dict[str, tuple[str, int]]:
    """Return each package's version and how many hashes it has."""
    return {
        name: (version, len(HASH.findall(rest)))
        for name, version, rest in STANZA.findall(text)
        if name != "numpy"
    }


def pip_calls(system: FakeSystem, numpy: str) -> list[list[str]]:
    """Install the project's own lock beside this numpy; return what pip was asked for."""
    shutil.copy(REPO / "requirements.lock", system.source)
    result = system.run("install", NUMPY=numpy)
    assert (result.returncode, result.stderr) == (0, "")
    calls = [call.split() for call in system.calls() if call.startswith("venv-pip")]
    return [call for call in calls if "install" in call]


@pytest.mark.parametrize(
    ("numpy", "opencv", "reason"),
    [("1.24.2", "4.11.0.86", "Bookworm's; later OpenCV needs numpy 2"),
     ("2.2.4", "5.0.0.93", "Trixie's; as locked")],
)  # fmt: skip
def test_everything_that_is_fetched_has_its_hash(
    system: FakeSystem, numpy: str, opencv: str, reason: str
) -> None:
    fetch, build = pip_calls(system, numpy)
    assert {"--require-hashes", "--no-deps", "--only-binary"} <= set(fetch)
    text = Path(fetch[fetch.index("--requirement") + 1]).read_text()
    assert "\nnumpy==" not in text, "the system's own stays"
    has = parse_lock(text)
    assert [name for name, (_, hashes) in has.items() if not hashes] == []
    packages = parse_lock((REPO / "requirements.lock").read_text())
    assert {name: version for name, (version, _) in has.items()} == {
        name: version for name, (version, _) in packages.items()
    } | {"opencv-python-headless": opencv}, reason
    assert {"--no-index", "--no-deps", "--no-build-isolation"} <= set(build), (
        "built of what is there"
    )
    assert build[-1] == str(system.source)


def test_what_builds_the_project_is_on_the_lock() -> None:
    project = tomllib.loads((REPO / "pyproject.toml").read_text())
    has = parse_lock((REPO / "requirements.lock").read_text())
    assert [name for name in project["build-system"]["requires"] if name not in has] == []


def test_bookworms_opencv_is_the_one_exception(system: FakeSystem) -> None:
    has = parse_lock((DEPLOY / "bookworm.lock").read_text())
    assert list(has) == ["opencv-python-headless"]
    assert f"opencv-python-headless=={has['opencv-python-headless'][0]} |" in (
        (REPO / "Makefile").read_text()
    ), "and `make lock` makes it again"


def test_packages_that_do_not_fit_together_are_refused(system: FakeSystem) -> None:
    conflict_text = "onnxruntime 1.31.1 has requirement numpy>=2, but you have numpy 1.24.2."
    unrelated_text = "picamera2 0.3.31 requires pyqt5, which is not installed."
    system.program(
        "venv-pip",
        f'case $* in *check) echo "{unrelated_text}"; echo "{conflict_text}"; exit 1; esac',
    )
    result = system.run("install")
    assert result.returncode == 1
    assert conflict_text in result.stderr
    assert unrelated_text not in result.stderr, "what the system's own packages lack is not ours"
    assert not (system.root / "opt/tongbox/current").exists()
    system.program("venv-pip", f'case $* in *check) echo "{unrelated_text}"; exit 1; esac')
    assert system.run("install").returncode == 0
