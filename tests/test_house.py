"""The house as described: every room on its plan, one name for one thing, nothing too long."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("scorer", "vision", "device")

MAX_FILE_LINES, MAX_FUNCTION_LINES = 500, 50
"""A function's docstring does not count. Most modules have 100 to 400 lines."""


@cache
def modules() -> dict[Path, ast.Module]:
    """Return every module of the three packages, parsed."""
    files = (file for name in PACKAGES for file in sorted((ROOT / name).rglob("*.py")))
    return {file: ast.parse(file.read_text("utf-8")) for file in files}


def rooms() -> Iterator[tuple[str, str]]:
    """Yield each folder of a package that has modules: package and folder."""
    for name in PACKAGES:
        for inside in sorted((ROOT / name).glob("*/__init__.py")):
            yield name, inside.parent.name


@pytest.mark.parametrize(("package", "room"), tuple(rooms()))
def test_every_room_is_on_the_plan_and_has_its_floor(package: str, room: str) -> None:
    plan = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    of_package = plan[plan.index(f"| `{package}/`") :].split("\n\n")[0]
    assert f"`{room}/`" in of_package
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    floors = [floor for each in contracts["contracts"] for floor in each.get("layers", ())]
    assert any(f"{package}.{room}" in floor.split(" | ") for floor in floors)


def _public_types(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id[0].isupper() and not target.id.isupper():
                yield target.id


def test_no_two_public_types_have_one_name() -> None:
    homes: dict[str, list[str]] = {}
    for file, module in modules().items():
        for name in _public_types(module):
            homes.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert len(homes) > 300, "the search itself works"
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def _imports_of(module: ast.Module) -> Iterator[str]:
    """Yield what a module imports, at its head or within a function: modules, and names in them."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_two_modules_import_each_other() -> None:
    names = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): module
        for file, module in modules().items()
    }
    imports = {name: names.keys() & {*_imports_of(module)} for name, module in names.items()}
    assert sum(map(len, imports.values())) > 1000, "the search itself works"
    pairs = {(a, b) for a, of_a in imports.items() for b in of_a if a in imports[b] and a < b}
    packages = {(a, b) for a, b in pairs if b.startswith(f"{a}.")}
    assert pairs - packages == set(), "a package may name its own modules"


def _lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_nothing_is_too_long() -> None:
    lengths = {file: len(file.read_text("utf-8").splitlines()) for file in modules()}
    assert {file: length for file, length in lengths.items() if length > MAX_FILE_LINES} == {}
    functions = (
        (file.name, each.name, _lines_of(each))
        for file, module in modules().items()
        for each in ast.walk(module)
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert [each for each in functions if each[-1] > MAX_FUNCTION_LINES] == []


def _writes_to_the_log(module: ast.Module) -> Iterator[str]:
    """Yield which ways of writing an event a module takes."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Attribute(attr="append"), args=args, keywords=keywords):
                if len(args) + len(keywords) > 1:  # a list's takes one thing, `Store.append` more
                    yield "append"
            case ast.Attribute(attr="writing") | ast.Name(id="NewRow"):
                yield "a row"


def test_no_event_reaches_the_log_past_its_own_replay() -> None:
    device, store = ROOT / "device", ROOT / "device" / "store"
    ways = {
        file: set(_writes_to_the_log(module))
        for file, module in modules().items()
        if device in file.parents
    }
    assert [file for file in ways if "append" in ways[file]] == [store / "appending.py"]
    assert {file.parent for file in ways if "a row" in ways[file]} == {store}


RAISED_AS_THEY_ARE = {
    ("device/club/tournament/repository.py", "error.__cause__"): "of the error just caught",
    (
        "device/store/projection.py",
        "new_state.torn_error.__cause__ or new_state.torn_error",
    ): "made by this replay",
    ("device/store/projection.py", "projection.unknown_error"): "a class",
    ("device/store/projection.py", "self._projection.unknown_error"): "a class",
}
"""What is raised though it is neither made there nor a name, each with the reason."""


def test_no_error_is_made_once_and_raised_again_and_again() -> None:
    """Each time it is raised, it gets a traceback more, which holds every frame it passed."""
    constant_errors = {
        (str(file.relative_to(ROOT)), what)
        for file, module in modules().items()
        for what in (*_constant_errors(module), *_errors_from_elsewhere(module))
    }
    assert constant_errors == RAISED_AS_THEY_ARE.keys()


def _constant_errors(module: ast.Module) -> Iterator[str]:
    """Yield the errors that a module makes when it is loaded."""
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call):
            error_name = ast.unparse(node.value.func)
            if error_name.endswith(("Error", "Exception")):
                yield ast.unparse(node)


def _errors_from_elsewhere(module: ast.Module) -> Iterator[str]:
    """Yield what is raised and is no call, class or local name."""
    for node in ast.walk(module):
        if isinstance(node, ast.Raise) and node.exc is not None:
            is_plain = isinstance(node.exc, ast.Call) or (
                isinstance(node.exc, ast.Name) and not node.exc.id.isupper()
            )
            error_name = ast.unparse(node.exc)
            if not is_plain and not error_name.split(".")[-1][:1].isupper():
                yield error_name
