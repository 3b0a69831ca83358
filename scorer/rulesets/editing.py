r"""Change single values of a ruleset's file and leave everything else in it as it is.

>>> text = 'title = "Ours" # not yet\n[chows]\n4 = 1\n'
>>> print(write_values(text, {("title",): "Theirs", ("chows", "4"): 2, ("limit",): 500}), end="")
title = "Theirs" # not yet
limit = 500
[chows]
4 = 2
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from scorer.rulesets.line_numbers import KeyPath, Lines, find_lines, trailing_comment

TomlValue = str | int | bool


def write_values(text: str, values: Mapping[KeyPath, TomlValue | None]) -> str:
    """Return a text that `tomllib` reads with these values in it; None removes a key.

    A key that its block lacks is added at the end of the block. Raises KeyError for a block that
    the text does not have.
    """
    lines, line_numbers = text.split("\n"), find_lines(text)
    edits = [_find_edit(lines, line_numbers, path, value) for path, value in values.items()]
    # From the last line up, so that the numbers of the lines above stay. Those that are added at
    # one place come in reverse, so that they stand in order.
    edits.reverse()
    edits.sort(key=lambda edit: -edit[0])
    for first, last, new in edits:
        lines[first:last] = new
    return "\n".join(lines)


def add_block(text: str, name: str, values: Mapping[str, TomlValue]) -> str:
    r"""Return a text with one more block of this name at its end.

    >>> print(add_block('title = "Ours"\n', "special", {"id": "OURS-1"}), end="")
    title = "Ours"
    <BLANKLINE>
    [[special]]
    id = "OURS-1"
    """
    rows = "".join(f"{key} = {write_toml(value)}\n" for key, value in values.items())
    return f"{text.rstrip()}\n\n[[{name}]]\n{rows}"


def remove_block(text: str, path: KeyPath) -> str:
    """Return a text without a block, the blocks within it, and the blank lines after it.

    Raises KeyError for a block that the text does not have.
    """
    lines, block = text.split("\n"), find_lines(text).find_block(path)
    last = block.stop - 1
    while last < len(lines) - 1 and not lines[last].strip():
        last += 1
    return "\n".join([*lines[: block.start - 1], *lines[last:]])


_Edit = tuple[int, int, list[str]]
"""The first line to replace, counted from 0, the line after the last, and the new lines."""


def _find_edit(
    lines: list[str], line_numbers: Lines, path: KeyPath, value: TomlValue | None
) -> _Edit:
    statement = line_numbers.find_statement(path)
    if statement is None:
        first = last = line_numbers.find_block_end(path[:-1])
        comment = ""
    else:
        first, last = statement.start - 1, statement.stop - 1
        comment = trailing_comment("\n".join(lines[first:last]))
    return first, last, [] if value is None else [f"{path[-1]} = {write_toml(value)}{comment}"]


def write_toml(value: TomlValue) -> str:
    """Return a value as TOML writes it; JSON writes words, numbers and switches alike."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
