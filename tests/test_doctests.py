"""What the examples in docstrings say comes out.

Only modules that have some are loaded: pytest's own search for them loads every module there is, in
each of its workers.
"""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PACKAGES = ("scorer", "vision", "device", "models", "deploy", "tests")

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if path != Path(__file__) and "\n>>> " in path.read_text("utf-8").replace("    >>> ", ">>> ")
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_say_what_comes_out(module: str) -> None:
    result = doctest.testmod(import_module(module))
    assert result.attempted
    assert not result.failed


def test_examples_are_found() -> None:
    assert len(MODULES) > 50
