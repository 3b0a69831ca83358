"""Names and docstrings that a stranger understands (docs/glossary.md)."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.bindings import (
    BRIEF,
    ODD_WORDS,
    all_bindings,
    is_odd,
    package_of,
    python_files,
)

ROOT = Path(__file__).parents[1]
PACKAGES = ("scorer", "vision", "device", "models", "deploy")

MAX_SENTENCE_WORDS = 25

LISTS = tomllib.loads((ROOT / "tests/names.toml").read_text("utf-8"))
NO_NAMES = ODD_WORDS | {"after", "before", "first", "last", "left", "other"}
"""Words that alone name no module and no constant."""

CEILINGS: dict[str, int] = LISTS["ceilings"]
"""The most odd names that each package may still have. They only go down."""

SHELL_FUNCTION = re.compile(r"^\s*(\w+) *\(\) *[{(]", re.M)


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the product by its path."""
    return {
        str(file.relative_to(ROOT)): ast.parse(file.read_text("utf-8"))
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
    }


def _constants(module: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the constants of a module with their values."""
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                values = _values(target, node.value)
                yield from ((name, value) for name, value in values if name.isupper())


def _values(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id.strip("_"), value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for part, given in zip(target.elts, value.elts, strict=True):
            yield from _values(part, given)


def _is_number(value: ast.expr | None) -> bool:
    """Whether an expression is made of numbers alone, such as `10 * 2**20`."""
    if value is None:
        return False
    numbers = [each for each in ast.walk(value) if isinstance(each, ast.Constant)]
    arithmetic = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    return all(isinstance(each, arithmetic) for each in ast.walk(value)) and all(
        isinstance(each.value, int | float) and not isinstance(each.value, bool) for each in numbers
    )


def odd_modules() -> Iterator[str]:
    """Yield modules that are named by an adverb, a preposition or a participle.

    Of those that are listed as still to be renamed, those are yielded that no longer exist.
    """
    odd = {path for path in modules() if Path(path).stem in NO_NAMES}
    tests = (str(file.relative_to(ROOT)) for file in python_files("tests"))
    odd |= {path for path in tests if is_odd(Path(path).stem.removeprefix("test_"))}
    yield from sorted(odd ^ set(LISTS["modules"]["odd"]))


def odd_shell_functions() -> Iterator[str]:
    """Yield functions of the installer that are named by a participle or an adverb."""
    for script in sorted((ROOT / "deploy").rglob("*.sh")):
        for name in SHELL_FUNCTION.findall(script.read_text("utf-8")):
            if is_odd(name):
                yield f"{script.relative_to(ROOT)}: {name}"


def bare_constants() -> Iterator[str]:
    """Yield numbers named by one word, which does not say what they limit, and bare words."""
    for path, module in modules().items():
        for name, value in _constants(module):
            if "_" not in name and (_is_number(value) or name.lower() in NO_NAMES):
                yield f"{path}: {name}"


def long_sentences() -> Iterator[str]:
    """Yield sentences of docstrings that are too long to be read once."""
    for path, module in modules().items():
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                for sentence in _sentences(ast.get_docstring(node) or ""):
                    if len(sentence.split()) > MAX_SENTENCE_WORDS:
                        yield f"{path}:{getattr(node, 'lineno', 1)}: {sentence}"


def _sentences(docstring: str) -> Iterator[str]:
    """Yield the sentences of a docstring, those of tables, formulas and doctests left out."""
    prose = re.sub(r"^(?:>>>|    ).*(?:\n(?!\n|[A-Z]).+)*", "", docstring, flags=re.M)
    for paragraph in re.split(r"\n\s*\n|\n(?=[-*|])", prose):
        yield from (each for each in re.split(r"(?<=[.!?:;])\s+", paragraph) if "|" not in each)


@pytest.mark.parametrize(
    "find",
    [odd_modules, odd_shell_functions, bare_constants, long_sentences],
)
def test_names_and_docstrings_are_plain(find: Callable[[], Iterator[str]]) -> None:
    assert list(find()) == []


def test_no_package_gains_odd_names() -> None:
    """Functions, methods, classes, attributes, parameters, variables and long loops' variables."""
    odd = [b for b in all_bindings() if b.odd and b.kind not in BRIEF]
    counts = Counter(package_of(binding.path) for binding in odd)
    excess_names = {
        package: [f"{b.place} (line {b.line})" for b in odd if package_of(b.path) == package]
        for package, count in counts.items()
        if count > CEILINGS.get(package, 0)
    }
    assert excess_names == {}, "rename what is new; tests/names.toml has the words and the ceilings"


def test_every_ceiling_is_of_a_package() -> None:
    assert CEILINGS.keys() <= {package_of(binding.path) for binding in all_bindings()}


def test_what_is_odd_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    long = " ".join(["word"] * (MAX_SENTENCE_WORDS + 1))
    source = f'MOST = []\nLIMIT = 2 * 8\nMAX_BYTES = 3\ndef _(): """{long}."""\ndef kept(): ...\n'
    monkeypatch.setattr(f"{__name__}.modules", lambda: {"device/within.py": ast.parse(source)})
    assert "device/within.py" in odd_modules()
    assert list(bare_constants()) == ["device/within.py: MOST", "device/within.py: LIMIT"]
    assert [each.split(":")[1] for each in long_sentences()] == ["4"]
