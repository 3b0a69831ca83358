"""Write the event catalogue: `python -m device.store.events > docs/events.md`.

The docstrings of the records say it.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import NODEFAULT, UNSET, Struct, structs

from device.store.events import KINDS, STREAMS, Event, EventPart
from vision.reading import ReadingPart

EVENT_PARTS = tuple(
    each for kind in (EventPart, ReadingPart) for each in kind.__subclasses__() if each is not Event
)
"""The values that stand in the fields of events."""

_PAGE_HEAD = """\
# The event catalogue

Apart from the pictures, a box remembers everything as a log of events (`events.sqlite3`, table
`events`). Events are never changed or removed. A row has a number (`seq`), the **stream** that it
belongs to, its **kind**, its fields as JSON and the wall time (`at`). What pages show is derived by
replaying a stream's events, oldest first.

A field that has a default may be missing. An event is **torn** if its kind is not listed here, or
if a field is missing, unknown or of another type. Its stream is then refused in words, all other
streams are shown as ever, and *Is the box all right?* and the log file name the event.

This page is made by `python -m device.store.events > docs/events.md` from the records in
`device/store/events`, which also write and read the log. Old logs must stay readable: a kind's name
never changes, a field is never removed, and a field that is added has a default.
"""


def page() -> Iterator[str]:
    """Yield the paragraphs and tables of the page."""
    yield _PAGE_HEAD
    yield "## Streams\n"
    yield _table(("Stream", "What its events happened to"), STREAMS.items())
    own_events_first = sorted(KINDS.values(), key=lambda event: len(event.streams) > 1)
    for stream, meaning in STREAMS.items():
        yield f"## Events of {meaning.partition(',')[0].partition(':')[0]}\n"
        for event in own_events_first:
            if stream in event.streams:
                yield from _entry(f"`{event.kind}`", event)
    yield "## Values in fields\n"
    for part in EVENT_PARTS:
        yield from _entry(part.__name__, part)


def _entry(title: str, record: type[Struct]) -> Iterator[str]:
    yield f"### {title}\n"
    yield f"{inspect.getdoc(record)}\n"
    docstrings = _docstrings(record)
    rows = [
        (f"`{field.encode_name}`", _in_words(field.type), _default(field), docstrings[field.name])
        for field in structs.fields(record)
    ]
    if rows:
        yield _table(("Field", "Type", "Default", "Meaning"), rows)


def _default(field: structs.FieldInfo) -> str:
    if field.default is UNSET:
        return "nothing said"
    if field.default is not NODEFAULT:
        return f"`{_json(field.default)}`"
    return "" if field.default_factory is NODEFAULT else f"`{_json(field.default_factory())}`"


def _json(value: object) -> str:
    return json.dumps(value)


def _in_words(kind: object) -> str:
    """Return a type in words: `list[int]`, `text or null`."""
    name = kind.__name__ if isinstance(kind, type) and not hasattr(kind, "__args__") else str(kind)
    name = re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", name)
    name = name.replace("NoneType", "null").replace("None", "null").replace(" | UnsetType", "")
    name = re.sub(r"\bstr\b", "text", name).replace("Mapping", "object").replace("tuple", "list")
    return name.replace(", ...", "").replace(" | ", " or ").replace("bool", "true or false")


def _docstrings(record: type[Struct]) -> dict[str, str]:
    """Return the docstring under each field, inherited fields included."""
    docstrings: dict[str, str] = {}
    for base in record.__mro__:
        if issubclass(base, Struct) and base is not Struct:
            (definition,) = ast.parse(inspect.getsource(base)).body
            body = definition.body if isinstance(definition, ast.ClassDef) else []
            for field, says in pairwise(body):
                if isinstance(field, ast.AnnAssign) and isinstance(says, ast.Expr):
                    name = ast.unparse(field.target)
                    docstrings.setdefault(name, inspect.cleandoc(ast.literal_eval(says.value)))
    return {name: " ".join(text.split()) for name, text in docstrings.items()}


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    cells = (" | ".join(cell.replace("|", "\\|") for cell in line) for line in lines)
    return "".join(f"| {line} |\n" for line in cells)


if __name__ == "__main__":
    sys.stdout.write("\n".join(page()))
