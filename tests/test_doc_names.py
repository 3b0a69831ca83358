"""What documents and docstrings name is there: functions, classes, constants, errors."""

from __future__ import annotations

import builtins
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PRODUCT = ("scorer", "vision", "device", "models", "deploy")

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "models/**/*.md", "deploy/**/*.md", "tests/**/*.md")
    for page in ROOT.glob(pattern)
    if page.name != "CHANGELOG.md"  # it tells of what was
)

IN_TICKS = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(?:\(\))?`(?!`)")
ERROR_CLASS = re.compile(r"\b[A-Z]\w+Error\b")
CODE_LIKE = re.compile(r"\w*_\w*|[A-Z]+[a-z0-9]+[A-Z]\w*|[A-Z]{4,}")
"""How names of code are written: with an underscore, with a capital within, or in capitals."""
DOCSTRING = re.compile(r'^ *r?"""(.*?)"""', re.DOTALL | re.M)
WORD = re.compile(r"\w+")
FENCED_BLOCK = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.M)

NAMES_FROM_OUTSIDE = {
    "nsCertOverrideService": "a file of Firefox",
    "CalledProcessError": "of the standard library's subprocess",
    "SSLError": "of the standard library's ssl",
    "NOTIFY": "a statement of PostgreSQL",
    "SORT": "a field of the contract's example",
    "WESWN": "tiles in hand text",
    "STATE": "stands for a part of a key",
    "SENTENCE": "stands for a part of a key",
    "CHECK": "stands for a part of a key",
    "tongbox_log": "Docker's name of a volume of deploy/server/compose.yaml",
    "mac80211_hwsim": "a module of Linux",
    "hand_011": "a photograph of the shared data",
    "B02_exposed": "a figure that is named after a rule's id",
    "B02_concealed": "a figure that is named after a rule's id",
    "R08_2": "a figure that is named after a rule's id",
    "S12_fishing": "a figure that is named after a rule's id",
}
"""Names that no code here defines, each with what it is."""


@cache
def sources(folder: str) -> dict[Path, str]:
    """Return the text of each module of a folder."""
    return {file: file.read_text("utf-8") for file in sorted((ROOT / folder).rglob("*.py"))}


@cache
def names_in(folders: tuple[str, ...]) -> frozenset[str]:
    """Return the words of the code of some folders, without docstrings, and names of modules."""
    files = {file: text for folder in folders for file, text in sources(folder).items()}
    words = {word for text in files.values() for word in WORD.findall(DOCSTRING.sub("", text))}
    stems = {part for file in files for part in file.relative_to(ROOT).with_suffix("").parts}
    return frozenset(words | stems | {*dir(builtins)} | NAMES_FROM_OUTSIDE.keys())


@cache
def words_of_files() -> frozenset[str]:
    """Return the names of all files and folders, and the words of those that are not Python."""
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    words = {part for line in files for part in Path(line).with_suffix("").parts}
    for line in files:
        if Path(line).suffix in (".html", ".js", ".json", ".sh", ".sql", ".toml", ".yaml", ".yml"):
            words |= {*WORD.findall((ROOT / line).read_text("utf-8"))}
    return frozenset(words)


def code_names(text: str) -> Iterator[str]:
    """Yield the names of code in a text: those in back-ticks, and classes of errors anywhere."""
    for dotted in IN_TICKS.findall(text):
        yield from (name for name in dotted.split(".") if CODE_LIKE.fullmatch(name))
    yield from ERROR_CLASS.findall(text)


def test_what_a_docstring_names_is_there() -> None:
    known_names = names_in(PRODUCT)
    named_things = {
        (str(file.relative_to(ROOT)), name)
        for folder in PRODUCT
        for file, text in sources(folder).items()
        for docstring in DOCSTRING.findall(text)
        for name in code_names(docstring)
    }
    assert len(named_things) > 300, "the search itself works"
    assert {each for each in named_things if each[-1] not in known_names} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_is_there(page: Path) -> None:
    known_names = names_in((*PRODUCT, "tests")) | words_of_files()
    named_things = set(code_names(FENCED_BLOCK.sub("", page.read_text("utf-8"))))
    local_names = set(WORD.findall("".join(FENCED_BLOCK.findall(page.read_text("utf-8")))))
    assert named_things - known_names - local_names == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("raises UnfitError", ["UnfitError"]),
        ("see `PlayersHand`, one of `PLACES`, `_chunk`", ["PlayersHand", "PLACES", "_chunk"]),
        ("`HandRecord.is_read()` of `device.hands`", ["HandRecord", "is_read"]),
        ("`West`, `C44`, `won=wall` and ``a_b``", []),
    ],
)
def test_what_looks_like_a_name_of_code(text: str, names: list[str]) -> None:
    assert list(code_names(text)) == names
