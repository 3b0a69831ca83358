"""What the code names: functions, parameters, variables, classes and attributes.

A binding is one name in one scope, however often it is assigned there. Imports, `self`, `cls`,
`_` and names that Python itself gives (`__init__`) are none.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = ("scorer", "vision", "device", "models", "deploy")

STORED_FIELDS = "device/store/events/"
"""Where fields are keys of the log's JSON: they keep their names, and are counted as standard."""

MAX_SHORT_LOOP_LINES = 3

COMMONEST_COUNT = 20

_LISTS = tomllib.loads((ROOT / "tests/names.toml").read_text("utf-8"))
ODD_WORDS = frozenset(word for words in _LISTS["words"].values() for word in words.split())
_NOUNS = frozenset(_LISTS["nouns"]["in_ed"].split())
STANDARD = frozenset(_LISTS["standard"])
_ODD_VERBS = frozenset(_LISTS["events"]["odd_verbs"].split())

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BRIEF = ("short loop", "comprehension")
"""Kinds that live for three lines at most: counted apart."""


@dataclass(frozen=True)
class Binding:
    """One name in one scope; `scope` is dotted, and empty for a module's own names."""

    path: str
    scope: str
    name: str
    kind: str
    line: int
    odd: bool
    standard: bool

    @property
    def place(self) -> str:
        """Return the name as the ceilings and the rename tool write it."""
        return f"{self.path}::{self.scope + '.' if self.scope else ''}{self.name}"


def words_of(name: str) -> list[str]:
    """Split a name into its lower-case words.

    >>> words_of("_so_far"), words_of("CameTo"), words_of("MAX_TILES")
    (['so', 'far'], ['came', 'to'], ['max', 'tiles'])
    """
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return [word for word in words.lower().split("_") if word]


def is_odd(name: str, kind: str = "variable") -> bool:
    """Whether each word of a name is an adverb, a preposition, a pronoun or a participle.

    >>> [is_odd(name) for name in ("kept", "so_far", "dropped", "seed", "kept_hands")]
    [True, True, True, False, False]
    >>> is_odd("PointSaid", "class"), is_odd("TableCreated", "class")
    (True, False)
    """
    words = words_of(name)
    if kind == "class" and len(words) > 1 and words[-1] in _ODD_VERBS:
        return True
    if len(words) > 1 and words[-1] in ("at", "by"):
        return False  # as `created_at` and `created_by`
    return bool(words) and all(
        word in ODD_WORDS or (len(word) > 3 and word.endswith("ed") and word not in _NOUNS)
        for word in words
    )


class _Reader(ast.NodeVisitor):
    """Collect the bindings of one module."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.sides = re.search(r"\b(right|top)\b", text) is not None
        self.bindings: dict[tuple[int, str], Binding] = {}
        self._scopes: list[tuple[str, str, int]] = [("module", "", 0)]
        self._loop = ""

    def _add(self, name: str, kind: str, line: int, scope: tuple[str, str, int]) -> None:
        dunder = name.startswith("__") and name.endswith("__")
        if not name.strip("_") or name in ("self", "cls") or dunder:
            return
        odd = is_odd(name, kind)
        bare = name.strip("_").lower()
        standard = bare in STANDARD and (bare != "left" or self.sides)
        in_log = kind == "attribute" and self.path.startswith(STORED_FIELDS)
        standard = standard or (odd and in_log)
        binding = Binding(self.path, scope[1], name, kind, line, odd and not standard, standard)
        self.bindings.setdefault((scope[2], name), binding)

    def _enter(self, kind: str, name: str, node: ast.AST, parts: Iterable[ast.AST | None]) -> None:
        outer = self._scopes[-1][1]
        full_scope = ".".join(part for part in (outer, name) if part)
        loop, self._loop = self._loop, ""
        self._scopes.append((kind, full_scope, id(node)))
        for part in parts:
            if part is not None:
                self.visit(part)
        self._scopes.pop()
        self._loop = loop

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        kind = "method" if self._scopes[-1][0] == "class" else "function"
        self._add(node.name, kind, node.lineno, self._scopes[-1])
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._enter("function", node.name, node, [node.args, *node.body])

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._enter("lambda", "", node, [node.args, node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._add(node.name, "class", node.lineno, self._scopes[-1])
        self._enter("class", node.name, node, node.body)

    def visit_arg(self, node: ast.arg) -> None:
        self._add(node.arg, "parameter", node.lineno, self._scopes[-1])

    def visit_For(self, node: ast.For) -> None:
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        self._loop = "short loop" if lines <= MAX_SHORT_LOOP_LINES else "loop"
        self.visit(node.target)
        self._loop = ""
        for part in (node.iter, *node.body, *node.orelse):
            self.visit(part)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            kinds = {"class": "attribute", "comprehension": "comprehension"}
            kind = self._loop or kinds.get(self._scopes[-1][0], "variable")
            self._add(node.id, kind, node.lineno, self._scopes[-1])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owners = [scope for scope in self._scopes if scope[0] == "class"]
        of_self = isinstance(node.value, ast.Name) and node.value.id == "self"
        if isinstance(node.ctx, ast.Store) and of_self and owners:
            self._add(node.attr, "attribute", node.lineno, owners[-1])
        self.visit(node.value)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._add(node.name or "", "variable", node.lineno, self._scopes[-1])
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self._add(node.name or "", "variable", node.lineno, self._scopes[-1])
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._add(node.name or "", "variable", node.lineno, self._scopes[-1])

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, _COMPREHENSIONS):
            self._enter("comprehension", "", node, ast.iter_child_nodes(node))
        else:
            super().generic_visit(node)


def bindings_of(path: str, text: str) -> list[Binding]:
    """Return each binding of one module, in order.

    >>> [(b.name, b.kind) for b in bindings_of("a.py", "own = [tile for tile in tiles]")]
    [('own', 'variable'), ('tile', 'comprehension')]
    """
    reader = _Reader(path, text)
    reader.visit(ast.parse(text))
    return list(reader.bindings.values())


def python_files(*folders: str) -> Iterator[Path]:
    """Yield the Python files of some folders."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


@cache
def all_bindings() -> tuple[Binding, ...]:
    """Return every binding of the product and its tests."""
    return tuple(
        binding
        for file in python_files(*PRODUCT, "tests")
        for binding in bindings_of(str(file.relative_to(ROOT)), file.read_text("utf-8"))
    )


def package_of(path: str) -> str:
    """Return the package whose ceiling a file counts towards.

    >>> [package_of(path) for path in ("device/web/table/deals.py", "vision/photo.py")]
    ['device/web', 'vision']
    """
    parts = path.split("/")
    if parts[0] == "tests" and len(parts) > 3 and parts[1] == "device":
        return "/".join(parts[:3])
    deep = parts[0] in ("device", "models", "tests") and len(parts) > 2
    return "/".join(parts[: 2 if deep else 1])


def _name_line(title: str, bindings: Iterable[Binding]) -> str:
    all_bindings = list(bindings)
    odd = [binding for binding in all_bindings if binding.odd]
    lasting = sum(binding.kind not in BRIEF for binding in odd)
    standard = sum(binding.standard for binding in all_bindings)
    share = lasting / max(len(all_bindings), 1)
    return (
        f"{title:24}{len(all_bindings):7}{lasting:7}{share:8.1%}{len(odd) - lasting:7}{standard:10}"
    )


def describe_names() -> Iterator[str]:
    """Yield how many names there are and how many are odd, a line for each package.

    `brief` are odd names of short loops and comprehensions, `standard` those of `names.toml`.
    """
    yield f"{'names':24}{'all':>7}{'odd':>7}{'share':>8}{'brief':>7}{'standard':>10}"
    bindings = all_bindings()
    by_package: dict[str, list[Binding]] = {}
    for binding in bindings:
        is_test = binding.path.startswith("tests/")
        by_package.setdefault(" tests" if is_test else " product", []).append(binding)
        by_package.setdefault(package_of(binding.path), []).append(binding)
    yield from (_name_line(name.strip(), listed) for name, listed in sorted(by_package.items()))
    odd = [binding for binding in bindings if binding.odd and binding.kind not in BRIEF]
    common = Counter(binding.name.strip("_").lower() for binding in odd).most_common(
        COMMONEST_COUNT
    )
    yield "commonest: " + ", ".join(f"{name} {count}" for name, count in common)
