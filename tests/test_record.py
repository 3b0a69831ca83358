"""A long run that was stopped goes on where it was, and can be shared out (`tests.record`)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

pytest_plugins = "pytester"

TESTS = """
import time
from pathlib import Path
import pytest

def test_holds():
    print("17 of 17")

def test_fails_unless_mended():
    assert Path("mended").exists()

def test_is_slow():
    time.sleep(0.1)

@pytest.fixture
def lasting():
    yield
    assert Path("mended").exists()

def test_leaves_something_behind(lasting):
    pass
"""

NAMES = ["holds", "fails_unless_mended", "is_slow", "leaves_something_behind"]


def git(*words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=x", "-c", "user.email=x@x", *words],
        check=True,
        stdout=subprocess.DEVNULL,
    )


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Give a checkout with a few tests, none of its files changed."""
    pytester.makepyfile(test_long=TESTS)
    pytester.path.joinpath(".gitignore").write_text("*\n!*.py\n")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message=first")
    return pytester


def run_project(project: pytest.Pytester, *options: str) -> list[str]:
    """Run what is left to run; return its tests' names in their order."""
    words = ("-p", "tests.record", "-p", "no:cacheprovider", "--record=var/record", "-v", *options)
    result = project.runpytest_inprocess(*words)
    tests = [line.split("::test_")[1].split() for line in result.outlines if "::test_" in line]
    return list(dict.fromkeys(name for name, came, *_ in tests if came in ("PASSED", "FAILED")))


def test_what_has_passed_at_this_commit_is_not_run_again(project: pytest.Pytester) -> None:
    assert run_project(project) == NAMES
    retried_tests = ["fails_unless_mended", "leaves_something_behind"]
    assert sorted(run_project(project)) == retried_tests, (
        "what failed, also in taking down what it used"
    )
    project.path.joinpath("mended").touch()
    assert sorted(run_project(project)) == retried_tests
    assert run_project(project) == []


def test_after_a_change_all_run_again_and_the_slowest_first(project: pytest.Pytester) -> None:
    project.path.joinpath("mended").touch()
    run_project(project)
    with project.path.joinpath("test_long.py").open("a") as file:
        file.write("# changed\n")
    for _ in range(2):
        assert sorted(run_project(project)) == sorted(NAMES), "not committed: never skipped"
    git("commit", "--quiet", "--all", "--message=second")
    second_run = run_project(project)
    assert sorted(second_run) == sorted(NAMES)
    assert second_run[0] == "is_slow"


def test_shards_share_all_tests_out(project: pytest.Pytester) -> None:
    shards = [run_project(project, f"--shard={each}/3") for each in (1, 2, 3)]
    assert [len(each) for each in shards] == [2, 1, 1]
    assert sorted(name for each in shards for name in each) == sorted(NAMES)


def test_the_record_tells_what_was_printed_and_how_long_it_took(project: pytest.Pytester) -> None:
    run_project(project)
    lines = project.path.joinpath("var/record").read_text().splitlines()
    rows = {row["test"].partition("::test_")[2]: row for row in map(json.loads, lines)}
    assert rows["holds"]["printed"] == "17 of 17\n"
    assert rows["is_slow"]["seconds"] >= 0.1
    assert rows["is_slow"]["processor"] < 0.1, "it only waited"
    assert rows["leaves_something_behind"]["outcome"] == "failed"
    assert "mended" in rows["fails_unless_mended"]["why"]


STAND_IN = """#!/bin/sh
case "$*" in *"not alone"*) exit $FIRST_CODE;; *) exit $SECOND_CODE;; esac
"""
"""For Python: it ends as pytest would, which says by 5 that there was no test."""


@pytest.mark.parametrize(
    ("first_code", "second_code", "words", "says"),
    [
        (5, 5, ["PART=slip"], 'No proof has "slip" in its name.'),
        (5, 5, ["PART=spoiling", "SHARD=2/4"], None),
        (0, 5, ["PART=spoiling"], None),
        (5, 0, ["PART=doors"], None),
        (0, 0, [], None),
        (1, 0, [], ""),
        (0, 1, [], ""),
        (5, 1, ["PART=doors", "SHARD=1/4"], ""),
    ],
)
def test_proofs_end_well_unless_one_fails_or_none_is_named(
    tmp_path: Path, first_code: int, second_code: int, words: list[str], says: str | None
) -> None:
    (tmp_path / "python").write_text(STAND_IN)
    (tmp_path / "python").chmod(0o755)
    codes = {"FIRST_CODE": str(first_code), "SECOND_CODE": str(second_code)}
    command = ["make", "--silent", "--old-file=.venv/.test", "--old-file=.venv/.packages", "prove"]
    result = subprocess.run(
        [*command, f"BIN={tmp_path}", *words],
        cwd=Path(__file__).parents[1], check=False, capture_output=True, text=True,
        env=os.environ | codes | {"MAKEFLAGS": ""},
    )  # fmt: skip
    assert (result.returncode == 0) == (says is None)
    assert (says or "") in result.stderr
