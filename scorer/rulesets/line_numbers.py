r"""Find the line of each value in a ruleset's file, for messages about it.

`tomllib` does not report where values were. This finds the statements of a text that `tomllib`
has read, and lets `tomllib` read their keys.

>>> text = 'name = "mine"\n\n[[rule]]\nid = "A"\n[[rule]]\nid = "B"'
>>> Lines(text).find_line(("name",)), Lines(text).find_line(("rule", 1, "id"))
(1, 6)
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache

from scorer.cache_sizes import MAX_CACHED_FILES, MAX_CACHED_TABLES

KeyPath = tuple[str | int, ...]
"""The keys that lead to a value, with the index of each repeated block, from 0."""

TOKEN_PATTERN = re.compile(
    r"""
      (?P<text>   \"{3} (?: \\. | [^\\] )*? \"{3,5} | '{3} .*? '{3,5}
                | " (?: \\. | [^"\\\n] )* " | ' [^'\n]* ' )
    | (?P<comment> \# [^\n]* )
    | (?P<newline> \n )
    | (?P<opening> [\[{] )
    | (?P<closing> [\]}] )
    | (?P<equals>  = )
    | (?P<other>   [^"'\#\n\[\]{}=]+ | . )
    """,
    re.VERBOSE | re.DOTALL,
)


class Lines:
    """The line numbers of the keys and blocks of a TOML text, counted from 1."""

    def __init__(self, text: str) -> None:
        self._lines: dict[KeyPath, int] = {(): 1}
        self._last: dict[KeyPath, int] = {}
        self._statements: dict[KeyPath, range] = {}
        self._block_ends: dict[KeyPath, int] = {(): 0}
        table: KeyPath = ()
        for line, head, statement in _find_statements(text):
            end = line + statement.count("\n")
            if head.startswith("["):
                table = self._block(_keys(head), repeats=head.startswith("[["))
                self._stands(table, line)
            else:
                path = (*table, *_keys(f"{head} = 0"))
                self._stands(path, line)
                self._statements[path] = range(line, end + 1)
            self._block_ends[table] = end

    def find_line(self, path: KeyPath) -> int:
        """Return the line of a key or a block, or of the nearest block around it."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def find_statement(self, path: KeyPath) -> range | None:
        """Return the lines of a key with its value; None if the text does not have the key."""
        return self._statements.get(path)

    def find_block_end(self, path: KeyPath) -> int:
        """Return the last line of a block, 0 for an empty top; raise KeyError for no block."""
        return self._block_ends[path]

    def find_block(self, path: KeyPath) -> range:
        """Return the lines of a block with its heading; raise KeyError for no block."""
        ends = [end for each, end in self._block_ends.items() if each[: len(path)] == path]
        return range(self._lines[path], max(ends) + 1)

    def _stands(self, path: KeyPath, line: int) -> None:
        """Record the line of a path, and of enclosing blocks that begin here."""
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], line)

    def _block(self, keys: tuple[str, ...], *, repeats: bool) -> KeyPath:
        """Return the path of a block that begins here: `[one]` or `[[many]]`."""
        path: KeyPath = ()
        for key in keys[:-1]:
            path = (*path, key)
            if path in self._last:
                path = (*path, self._last[path])
        path = (*path, keys[-1])
        if repeats:
            self._last[path] = self._last.get(path, -1) + 1
            path = (*path, self._last[path])
        return path


@lru_cache(maxsize=MAX_CACHED_FILES)
def find_lines(text: str) -> Lines:
    """Return the line numbers of a text; those of the last few texts are remembered."""
    return Lines(text)


def find_bad_statement(text: str) -> int:
    """Return the line of the first statement that `tomllib` cannot read; 1 if there is none."""
    for line, _, statement in _find_statements(text):
        try:
            tomllib.loads(statement)
        except (ValueError, RecursionError):
            return line
    return 1


def trailing_comment(statement: str) -> str:
    """Return the comment that ends a statement, with the blanks before it; empty for none.

    >>> trailing_comment('title = "a # b"  # ours')
    '  # ours'
    """
    tokens = list(TOKEN_PATTERN.finditer(statement))
    if not tokens or tokens[-1].lastgroup != "comment":
        return ""
    before = statement[: tokens[-1].start()]
    return before[len(before.rstrip()) :] + tokens[-1].group()


def _find_statements(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each statement, its head, and all of it with its value.

    The head is a heading, or the key of a value.
    """
    line, depth, begin, head, in_head = 1, 0, 0, "", True
    for token in TOKEN_PATTERN.finditer(text + "\n"):
        depth += (token.lastgroup == "opening") - (token.lastgroup == "closing")
        in_head = in_head and token.lastgroup != "equals"
        if token.lastgroup == "newline" and depth <= 0:
            statement = text[begin : token.start()]
            if head.strip():
                yield line, head.strip(), statement
            line += statement.count("\n") + 1
            begin, depth, head, in_head = token.end(), 0, "", True
        elif in_head and token.lastgroup != "comment":
            head += token.group()
    if text[begin:].strip():
        yield line, head.strip(), text[begin:]


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _keys(head: str) -> tuple[str, ...]:
    """Return the keys of a heading, or of a `key = 0` line."""
    keys: list[str] = []
    value: object = tomllib.loads(head)
    while isinstance(value, dict) and value:
        ((key, value),) = value.items()
        keys.append(key)
        value = value[0] if isinstance(value, list) else value
    return tuple(keys)
