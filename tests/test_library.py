"""`scorer` and `vision` as libraries: docs/library.md runs, and names what is there."""

from __future__ import annotations

import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")

EXAMPLES = tuple(re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL))
PROGRAMS = sorted((ROOT / "tests" / "library").glob("*.py"))
"""The same examples as files: so they are checked for types with all others."""


def test_the_examples_are_those_that_are_checked_for_types() -> None:
    assert {code for code, _ in EXAMPLES} == {file.read_text("utf-8") for file in PROGRAMS}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: file.stem)
def test_an_example_prints_what_the_page_shows(
    program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(program))
    assert capsys.readouterr().out == dict(EXAMPLES)[program.read_text("utf-8")]


def test_an_example_has_ten_lines_that_do_something() -> None:
    for code, _ in EXAMPLES:
        lines = [
            line for line in code.splitlines() if line and not line.startswith(("from", "imp"))
        ]
        assert len(lines) <= 10


@pytest.mark.parametrize("package", ["scorer", "vision"])
def test_public_names_are_there_and_on_the_page(package: str) -> None:
    module = import_module(package)
    assert all(getattr(module, name) for name in module.__all__)
    missing = [name for name in module.__all__ if not re.search(rf"`[^`\n]*\b{name}\b", PAGE)]
    assert missing == []
    assert (ROOT / package / "py.typed").exists()
    with pytest.raises(AttributeError, match=f"'{package}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018
