"""Tables of hands in TOML, each row with its reason."""

from __future__ import annotations

import tomllib
from pathlib import Path


def read_table(path: Path, *columns: str) -> list[tuple[str, ...]]:
    """Return these columns of a table's rows; what a row leaves out is empty."""
    rows = tomllib.loads(path.read_text("utf-8"))["row"]
    assert {name for row in rows for name in row} == set(columns)
    return [tuple(row.get(name, "") for name in columns) for row in rows]
