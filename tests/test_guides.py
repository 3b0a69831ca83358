"""The guides of docs/ do what they say: their code is put into a copy, and runs there."""

from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from tests.guides import (
    GUIDES,
    Step,
    follow,
    read_commands,
    read_folder_copies,
    read_steps,
    run_command,
)
from tests.prove.seeded_faults import copy_tree

EXAMPLE = """
1. A new file:

   ```python scorer/new.py
   def whole():
       return 1
   ```

       cp -r words other/words

   ```toml words.toml below: [words]
   a = 1
   ```

   ```python
   shown.alone()
   ```

2. Run `.venv/bin/pytest tests/new.py`, and

       .venv/bin/python -m scorer.new > docs/new.md
       tongbox serve --demo
"""


def test_a_guide_is_read(tmp_path: Path) -> None:
    guide = tmp_path / "guide.md"
    guide.write_text(EXAMPLE)
    assert list(read_steps(guide)) == [
        Step("scorer/new.py", "", "def whole():\n    return 1\n"),
        Step("words.toml", "below: [words]", "a = 1\n"),
    ]
    assert read_folder_copies(guide) == [("words", "other/words")]
    assert read_commands(guide) == [
        ".venv/bin/pytest tests/new.py",
        ".venv/bin/python -m scorer.new > docs/new.md",
    ]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("end", "a\nb\n\nx\n"),
        ("below: a", "a\nx\nb\n"),
        ("above: a", "x\na\nb\n"),
        ("instead of: a", "x\nb\n"),
    ],
)
def test_code_goes_where_it_belongs(tmp_path: Path, place: str, text: str) -> None:
    (tmp_path / "file").write_text("a\nb\n")
    Step("file", place, "x\n").apply(tmp_path)
    assert (tmp_path / "file").read_text() == text


@pytest.mark.parametrize("place", ["", "below: nowhere", "above: a"])
def test_a_place_that_is_not_there_once_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("a\na\n")
    with pytest.raises(ValueError, match=r"^file: "):
        Step("file", place, "x\n").apply(tmp_path)
    with pytest.raises(ValueError, match=r"^none: "):
        Step("none", "end", "x\n").apply(tmp_path)


@pytest.fixture
def steps_by_guide(tmp_path: Path) -> dict[Path, list[Step]]:
    """Return the steps of all guides, followed together in a copy."""
    copy_tree(tmp_path)
    return {guide: follow(guide, tmp_path) for guide in GUIDES}


def test_all_guides_together_can_be_followed(
    steps_by_guide: dict[Path, list[Step]], tmp_path: Path
) -> None:
    files = {step.file for steps in steps_by_guide.values() for step in steps}
    for file in files:
        text = (tmp_path / file).read_text("utf-8")
        if file.endswith(".toml"):
            tomllib.loads(text)
        elif file.endswith(".py"):
            compile(text, file, "exec")
    code = [file for file in files if file.endswith(".py")]
    for tool in ("ruff check --quiet", "ruff format --check --quiet --diff"):
        run_command(f"{sys.executable} -m {tool} {shlex.join(code)}", tmp_path)


@pytest.mark.prove
def test_all_guides_together_pass_the_tests_that_they_change(
    steps_by_guide: dict[Path, list[Step]], tmp_path: Path
) -> None:
    tests = [
        step.file
        for guide, steps in steps_by_guide.items()
        for step in steps
        if "/test_" in step.file and not read_folder_copies(guide)
    ]  # a language's read every text, and are a proof
    assert len(tests) > 3, "the search itself works"
    run_command(
        f"{sys.executable} -m pytest -q -n 0 -p no:cacheprovider {shlex.join(tests)}", tmp_path
    )


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_followed_alone_passes_all_that_it_has_run(guide: Path, tmp_path: Path) -> None:
    commands = read_commands(guide)
    assert any("pytest" in command for command in commands), "it says how it is tested"
    copy_tree(tmp_path)
    follow(guide, tmp_path)
    for command in commands:
        run_command(command, tmp_path)
