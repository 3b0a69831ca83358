"""Print the figures of the tree, and write those that documents repeat: `make figures`.

Lines of code are counted without blank lines, comments and docstrings. Names are counted by
`tests.bindings`.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median

from device.i18n.words import load
from tests.bindings import describe_names, package_of
from tests.reporting import say
from tests.scorer.oracle.deals import KINDS
from tests.scorer.test_every_figure import changes

ROOT = Path(__file__).parents[1]

LONG_FUNCTION_LINES = 30

MAX_PRODUCT_LINES, MAX_TEST_LINES = 55_000, 63_000
"""What the tree is to end below, in lines of Python."""

COMMENT_SIGNS = {".js": ("//", "/*", "*"), ".css": ("/*", "*"), ".html": ("{#",), ".sh": ("#",)}
"""Begin a line that is a comment, by the kind of file."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that a document repeats."""

    page: str
    pattern: str
    """Finds the figure in the page: its one group."""
    count: Callable[[], int]
    unit: int = 1
    """The document gives it rounded down to a multiple of this."""

    @property
    def text(self) -> str:
        """The figure as the page writes it."""
        return f"{self.count() // self.unit * self.unit:,}"

    def find(self, text: str) -> re.Match[str]:
        """Return where a page has it; raise ValueError if it does not have it once."""
        matches = list(re.finditer(self.pattern, text))
        if len(matches) != 1:
            raise ValueError(f"{self.page}: {len(matches)} times {self.pattern}")
        return matches[0]


def count_tables(pattern: str, name: str) -> int:
    """Return how many tables of a name some TOML files have."""
    files = ROOT.glob(pattern)
    return sum(len(tomllib.loads(file.read_text("utf-8")).get(name, ())) for file in files)


def count_cases() -> int:
    """Return the hands with totals worked out by hand."""
    return count_tables("tests/scorer/cases/*.toml", "case")


def count_changes() -> int:
    """Return the figures and choices of the rules' files that a test changes."""
    return sum(1 for rules in ("bmja", "safalra") for _ in changes(rules))


FIGURES = (
    Figure("CONTRIBUTING.md", r"cases/`: over ([\d,]+) hands", count_cases, 100),
    Figure("CONTRIBUTING.md", r"random hands of (\d+) kinds", lambda: len(KINDS)),
    Figure("docs/decisions.md", r"random hands of (\d+) kinds", lambda: len(KINDS)),
    Figure("docs/add-a-language.md", r"over ([\d,]+)\nsentences", lambda: len(load()), 100),
    Figure("tests/README.md", r"random hands of (\d+) kinds on which both", lambda: len(KINDS)),
    Figure("tests/README.md", r"by hand \| over ([\d,]+), all", count_cases, 100),
    Figure("tests/README.md", r"\| (\d+) figures and choices", count_changes),
    Figure("tests/README.md", r"\| (\d+) rendered photographs",
           lambda: count_tables("tests/goldens/hands.toml", "hand")),
)  # fmt: skip


def list_files(*folders: str) -> list[Path]:
    """Return the files of some folders that git tracks."""
    command = ["git", "ls-files", *folders]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in output.splitlines()]


@cache
def parse(file: Path) -> ast.Module:
    """Return a module's tree."""
    return ast.parse(file.read_text("utf-8"))


def code_lines(file: Path) -> int:
    """Return how many lines of code a file has."""
    return len(code_line_numbers(file))


def code_line_numbers(file: Path) -> set[int]:
    """Return the numbers of a file's lines of code."""
    lines = file.read_text("utf-8").splitlines()
    if file.suffix != ".py":
        signs = COMMENT_SIGNS[file.suffix]
        return {
            number
            for number, line in enumerate(lines, start=1)
            if line.strip() and not line.strip().startswith(signs)
        }
    texts = {
        number
        for each in ast.walk(parse(file))
        if isinstance(each, ast.Expr)
        and isinstance(each.value, ast.Constant)
        and isinstance(each.value.value, str)
        for number in range(each.lineno, (each.end_lineno or each.lineno) + 1)
    }
    return {
        number
        for number, line in enumerate(lines, start=1)
        if number not in texts and line.strip() and not line.strip().startswith("#")
    }


def count_in_test_functions(file: Path) -> int:
    """Return how many of a file's lines of code stand in test functions."""
    spans = (
        range(each.lineno, (each.end_lineno or each.lineno) + 1)
        for each in ast.walk(parse(file))
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
    )
    return len(code_line_numbers(file) & {number for span in spans for number in span})


def function_lengths(files: Sequence[Path]) -> Iterator[int]:
    """Yield the lines of each function, its head and docstring left out."""
    for file in files:
        for node in ast.walk(parse(file)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                yield (node.end_lineno or 0) - body[0].lineno + 1 if body else 0


def describe_tree() -> Iterator[str]:
    """Yield the figures of the code, a line each."""
    product = list_files("scorer", "vision", "device", "models", "deploy")
    tests = list_files("tests")
    for title, files, ceiling in (
        ("product", product, MAX_PRODUCT_LINES),
        ("tests", tests, MAX_TEST_LINES),
    ):
        python = [file for file in files if file.suffix == ".py"]
        pages = [file for file in files if file.suffix in COMMENT_SIGNS]
        yield f"{title}: {sum(map(code_lines, python)):,} lines of Python (ceiling {ceiling:,})"
        yield f"{title}: {sum(map(code_lines, pages)):,} lines of templates, styles and scripts"
    test_files = [file for file in tests if file.suffix == ".py"]
    test_lines = sum(map(count_in_test_functions, test_files))
    yield f"tests: {test_lines / sum(map(code_lines, test_files)):.1%} of it in test functions"
    python = [file for file in product if file.suffix == ".py"]
    packages = Counter[str]()
    for file in python:
        packages[package_of(str(file.relative_to(ROOT)))] += code_lines(file)
    yield from (f"  {package}: {count:,}" for package, count in sorted(packages.items()))
    lengths = [len(file.read_text("utf-8").splitlines()) for file in python]
    functions = list(function_lengths(python))
    long_count = sum(length >= LONG_FUNCTION_LINES for length in functions)
    yield f"functions: {len(functions):,}, {long_count} of {LONG_FUNCTION_LINES} lines and more"
    yield f"modules: {len(python):,}, median {median(lengths):.0f} lines, longest {max(lengths)}"


def main() -> None:
    """Write the figures into the documents, and print those of the tree."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for figure in FIGURES:
        page = ROOT / figure.page
        text = page.read_text("utf-8")
        start, end = figure.find(text).span(1)
        page.write_text(text[:start] + figure.text + text[end:], "utf-8")
        say(f"{figure.page}: {figure.text} for {text[start:end]}")
    for line in (*describe_tree(), *describe_names()):
        say(line)


if __name__ == "__main__":
    main()
