"""Names and docstrings that a stranger understands (docs/glossary.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("scorer", "vision", "device", "models", "deploy")

MAX_SENTENCE_WORDS = 25

NO_NAMES = frozenset(
    """
    about above across after again ahead alone along already also among anew another any apart
    around aside asked at away back before behind being below beneath beside between beyond both
    came chosen coming done down during each either else elsewhere enough ever every far few fewest
    first found from gave given gone hanging held here how in inside into kept known laid last
    least left made many mine more most much near never newest no none not nothing of off often on
    once one only onto other others ours out over own quite rather said seen several since sitting
    so some spoilt still strange such taken taking than that there they this through till to
    together told too toward under unlike until up upon very what when where whether which while
    who whole whom whose why with within without yet
    """.split()  # noqa: SIM905
)
"""Words that alone name no module and no constant."""


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the product by its path."""
    return {
        str(file.relative_to(ROOT)): ast.parse(file.read_text("utf-8"))
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
        if "migrations/versions" not in file.as_posix()  # what a step was is never edited
    }


def _constants(module: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the constants of a module with their values."""
    for each in module.body:
        if isinstance(each, ast.Assign | ast.AnnAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            for target in targets:
                values = _values(target, each.value)
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
    """Yield modules that are named by an adverb, a preposition or a participle."""
    yield from (path for path in modules() if Path(path).stem in NO_NAMES)


def bare_constants() -> Iterator[str]:
    """Yield numbers named by one word, which does not say what they limit, and bare words."""
    for path, module in modules().items():
        for name, value in _constants(module):
            if "_" not in name and (_is_number(value) or name.lower() in NO_NAMES):
                yield f"{path}: {name}"


def long_sentences() -> Iterator[str]:
    """Yield sentences of docstrings that are too long to be read once."""
    for path, module in modules().items():
        for each in ast.walk(module):
            if isinstance(each, ast.FunctionDef | ast.ClassDef | ast.Module):
                for sentence in _sentences(ast.get_docstring(each) or ""):
                    if len(sentence.split()) > MAX_SENTENCE_WORDS:
                        yield f"{path}:{getattr(each, 'lineno', 1)}: {sentence}"


def _sentences(docstring: str) -> Iterator[str]:
    """Yield the sentences of a docstring, those of tables, formulas and doctests left out."""
    prose = re.sub(r"^(?:>>>|    ).*(?:\n(?!\n|[A-Z]).+)*", "", docstring, flags=re.M)
    for paragraph in re.split(r"\n\s*\n|\n(?=[-*|])", prose):
        yield from (each for each in re.split(r"(?<=[.!?:;])\s+", paragraph) if "|" not in each)


@pytest.mark.parametrize("find", [odd_modules, bare_constants, long_sentences])
def test_names_and_docstrings_are_plain(find: Callable[[], Iterator[str]]) -> None:
    assert list(find()) == []


def test_what_is_odd_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    long = " ".join(["word"] * (MAX_SENTENCE_WORDS + 1))
    source = f'MOST = []\nLIMIT = 2 * 8\nMAX_BYTES = 3\ndef _(): """{long}."""\ndef kept(): ...\n'
    monkeypatch.setattr(f"{__name__}.modules", lambda: {"device/within.py": ast.parse(source)})
    assert list(odd_modules()) == ["device/within.py"]
    assert list(bare_constants()) == ["device/within.py: MOST", "device/within.py: LIMIT"]
    assert [each.split(":")[1] for each in long_sentences()] == ["4"]
