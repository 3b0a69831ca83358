"""On which line of a ruleset's file each thing stands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest

from scorer.hand import RULESETS
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.line_numbers import KeyPath, Lines, find_bad_statement
from scorer.rulesets.schema import BLOCKS


def values_in(row: dict[str, object], path: KeyPath) -> Iterator[tuple[KeyPath, object]]:
    """Yield where each value of a block stands, those of blocks within it, too."""
    for key, value in row.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            for place, inner in enumerate(value):
                yield from values_in(inner, (*path, key, place))
        else:
            yield (*path, key), value


@pytest.mark.parametrize("name", RULESETS)
def test_every_key_of_a_shipped_file_is_found_on_its_line(name: str) -> None:
    text = load_builtin_text(name)
    lines, line_numbers = text.splitlines(), Lines(text)
    data = tomllib.loads(text)
    for block in BLOCKS:
        rows = data.get(block, [])
        for place, row in enumerate(rows) if isinstance(rows, list) else [(None, rows)]:
            path = (block,) if place is None else (block, place)
            assert lines[line_numbers.find_line(path) - 1].strip("[]") == block
            for at, value in values_in(row, path):
                line = lines[line_numbers.find_line(at) - 1]
                assert tomllib.loads(line) == {at[-1]: value}


AWKWARD = [
    ("a heading within text", 'a = """\n[[r]]\n#"""\nb = 1', ("b",), 4),
    ("text that ends in quotation marks", 'a = """x"""""\nb = 1', ("b",), 2),
    ("a mark escaped", 'a = """x\\""""\nb = 1', ("b",), 2),
    ("plain text over lines", "a = '''\nb = 2\n'''\nb = 1", ("b",), 4),
    ("an equals sign in a key", '"a=b" = 1\nb = "]["', ("a=b",), 1),
    ("a list over lines", "a = [ # ]\n 1,\n 2]\nb = 1", ("b",), 4),
    ("something in a list", "\na = [\n {x = 1},\n]\nb = 1", ("a", 0, "x"), 2),
    ("a comment with an apostrophe", "# don't [\na = 1 # \"\nb = 2", ("b",), 3),
    ("dotted keys", "\na.b.c = 1\na.b.d = 2", ("a", "b", "d"), 3),
    ("what dotted keys are in", "\na.b.c = 1\na.b.d = 2", ("a", "b"), 2),
    ("a table of one of many", "[[r]]\n[[r]]\n[r.t]\nk = 1", ("r", 1, "t", "k"), 4),
    ("many within one of many", "[[r]]\n[[r.s]]\n[[r]]\n[[r.s]]\nk = 1", ("r", 1, "s", 0, "k"), 5),
    ("a table without heading", "\n[a.b]\nk = 1", ("a",), 2),
    ("not there at all", "\n[a]\nk = 1", ("a", "x"), 2),
    ("nowhere", "a = 1", ("x",), 1),
    ("spaces in a heading", "\n [[ r ]] # r\nk = 1", ("r", 0), 2),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text", "path", "line"), AWKWARD)
def test_lines_are_found_in_whatever_toml(
    reason: str, text: str, path: tuple[str | int, ...], line: int
) -> None:
    tomllib.loads(text)
    assert Lines(text).find_line(path) == line, reason


def test_no_bad_statement_in_a_good_text() -> None:
    assert find_bad_statement(load_builtin_text("bmja")) == 1
