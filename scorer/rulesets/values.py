"""Check that a block has the keys that it needs, no others, and only allowed values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from scorer.rulesets.line_numbers import Path
from scorer.rulesets.schema import FILE, SchemaBlock, SchemaKey
from scorer.wording import sentence

_Row = Mapping[str, object]

LONGEST = 40
"""The number of characters shown of a wrong value; more would hide the mistake."""

HUGE = 10**15

TO_THE_TOP = " It belongs at the top of the file, before the first [heading]."


class Fault(NamedTuple):
    """One fault in a file, and where it is."""

    at: Path
    code: str
    message: str


Faults = Iterator[Fault]


def block_faults(row: _Row, block: SchemaBlock, at: Path, other: Iterable[str] = ()) -> Faults:
    """Yield the faults of the single keys of a block; `other` keys are ignored."""
    known = [*block.keys, *other]
    for name in row:
        if name not in known:
            more = hint(name, known) or (TO_THE_TOP if name in FILE.keys else "")
            message = f"{shown(name)} is no key of {block.called}.{more}"
            yield Fault((*at, name), "unknown-key", message)
    for name, key in block.keys.items():
        if name in row:
            for reason in _reasons(row[name], key):
                yield Fault((*at, name), "wrong-value", f'"{name}" {reason}')
        elif key.needed:
            yield missing(name, block, at)


def missing(name: str, block: SchemaBlock, at: Path) -> Fault:
    """Return the fault of a block without this key."""
    key = block.keys[name]
    what = f"a list in [brackets], each {key.value.wanted}" if key.many else key.value.wanted
    message = f'{sentence(block.called)} needs "{name}" here: {what}.'
    return Fault(at, "missing-key", message)


def sound(row: _Row, block: SchemaBlock) -> _Row:
    """Return the keys of a block that have allowed values."""
    return {
        name: value
        for name, value in row.items()
        if name in block.keys and not any(_reasons(value, block.keys[name]))
    }


def _reasons(value: object, key: SchemaKey) -> Iterator[str]:
    """Yield why a value is not allowed for this key."""
    wanted, known = key.value.wanted, key.value.known
    if not key.many:
        if not key.value.fits(value):
            yield f"is {shown(value)}, but must be {wanted}.{hint(value, known)}"
    elif isinstance(value, list) and value:
        for each in value:
            if not key.value.fits(each):
                yield f"has {shown(each)}, but each must be {wanted}.{hint(each, known)}"
    else:
        yield f"is {shown(value)}, but must be a list in [brackets], each {wanted}."


def shown(value: object) -> str:
    """Return a value as the file has it, or a description of long and nested values."""
    if isinstance(value, str):
        text = " ".join(value.split()) if value.strip() else value
        return f'"{text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < HUGE else "a huge number"
    if isinstance(value, (list, dict)):
        what = "list" if isinstance(value, list) else "table"
        return f"a {what}" if value else f"an empty {what}"
    return str(value)  # a decimal number, a date or a time


def hint(word: object, known: Iterable[str]) -> str:
    """Return a question about the nearest known word; empty if none is near."""
    near = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f' Did you mean "{near[0]}"?' if near else ""
