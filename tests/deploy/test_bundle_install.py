"""The installer in a release's bundle, on a made-up system: it asks no network."""

from __future__ import annotations

import subprocess

import pytest

from tests.deploy.conftest import FakeSystem

pytestmark = pytest.mark.slow


@pytest.fixture
def bundled_system(system: FakeSystem) -> FakeSystem:
    """Lay the source into a bundle, with pip and one wheel more."""
    wheels = system.source.parent / "wheels"
    wheels.mkdir()
    for name in ("pip-26.3-py3-none-any.whl", "thing-1.0-py3-none-any.whl"):
        (wheels / name).write_text(name)
    sums = subprocess.run(
        ["sh", "-c", "find source wheels -type f -print0 | xargs -0 sha256sum >SHA256SUMS"],
        cwd=system.source.parent, check=True,
    )  # fmt: skip
    assert sums.returncode == 0
    return system


def test_nothing_is_fetched(bundled_system: FakeSystem) -> None:
    bundled_system.program("dpkg-query", "printf not-installed")
    result = bundled_system.run("install")
    assert (result.returncode, result.stderr) == (0, "")
    calls = bundled_system.calls()
    assert [call for call in calls if call.startswith("apt-")] == []
    (venv_call,) = (call for call in calls if "-m venv" in call)
    assert "--without-pip" in venv_call, "a system without python3-venv can make no other"
    from_wheel = [call for call in calls if call.startswith("venv-python") and "/pip " in call]
    assert len(from_wheel) == 1
    assert "pip-26.3-py3-none-any.whl" in from_wheel[0]
    packages = [call for call in calls if call.startswith("venv-pip install")]
    assert [call for call in packages if "--no-index" not in call] == []
    assert "--find-links" in packages[0]
    assert "--require-hashes" in packages[0]


def test_a_bundles_font_comes_with_the_version(bundled_system: FakeSystem) -> None:
    fonts = bundled_system.source.parent / "fonts"
    fonts.mkdir()
    for name in ("some.ttc", "some.txt"):
        (fonts / name).write_text(name)
    assert bundled_system.run("install").returncode == 0
    version = bundled_system.root / "opt/tongbox/current"
    (font_folder,) = (version / "venv/share/fonts").iterdir()
    assert font_folder.read_text() == "some.ttc"


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        ("avahi-daemon", "by its address alone"),
        ("polkitd", "switched off by its plug alone"),
        ("python3-picamera2", "ribbon cameras cannot"),
        ("python3-numpy", ""),
    ],
)
def test_what_the_box_will_lack_is_said(
    bundled_system: FakeSystem, missing: str, says: str
) -> None:
    bundled_system.program("dpkg-query", f"case $* in *{missing}) ;; *) printf installed ;; esac")
    result = bundled_system.run("install")
    assert (result.returncode, result.stderr) == (0, "")
    lacking_lines = [
        line for line in result.stdout.splitlines() if line.startswith("This system has no")
    ]
    assert [line for line in lacking_lines if says not in line] == []
    assert len(lacking_lines) == bool(says)


@pytest.mark.parametrize("has_avahi", [True, False])
def test_the_last_lines_name_no_address_that_no_phone_finds(
    bundled_system: FakeSystem, has_avahi: bool
) -> None:
    if not has_avahi:
        bundled_system.program(
            "dpkg-query", "case $* in *avahi-daemon) ;; *) printf installed ;; esac"
        )
    result = bundled_system.run("install")
    assert (result.returncode, result.stderr) == (0, "")
    last = result.stdout.partition("Tongbox is installed.")[2]
    assert ("http://tongbox.local/" in last) == has_avahi
    assert "sudo -u tongbox tongbox doctor" in last, "the address of any box"


@pytest.mark.parametrize("script", ["install", "update"])
@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("printf x >>wheels/thing-1.0-py3-none-any.whl", "a letter more"),
        ("rm SHA256SUMS", "the copy was broken off before the list"),
        (": >SHA256SUMS", "an empty list says nothing"),
    ],
)
def test_a_damaged_bundle_is_refused_before_anything(
    bundled_system: FakeSystem, script: str, damage: str, reason: str
) -> None:
    if script == "update":
        assert bundled_system.run("install").returncode == 0
        bundled_system.change_source()
    subprocess.run(["sh", "-c", damage], cwd=bundled_system.source.parent, check=True)
    before = bundled_system.files()
    result = bundled_system.run(script)
    assert result.returncode == 1, reason
    assert "Please copy them again from the zip" in result.stderr
    assert bundled_system.files() == before


def test_a_system_without_numpy_is_given_the_locks_own(bundled_system: FakeSystem) -> None:
    assert bundled_system.run("install", NUMPY="").returncode == 0
    versions = bundled_system.root / "opt/tongbox/versions"
    (first_lock,) = versions.glob("*/requirements.lock")
    assert "numpy==2.4.6" in first_lock.read_text()
    bundled_system.run("install", NUMPY="2.2.4")
    (second_lock,) = set(versions.glob("*/requirements.lock")) - {first_lock}
    assert "numpy==" not in second_lock.read_text(), (
        "the system's came later: that is another version"
    )
