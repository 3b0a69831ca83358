"""What the commands have in common that look into the box's folder: `--data`, and opening it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.store import Store, StoreError


def add_data(parser: argparse.ArgumentParser) -> None:
    """Declare `--data`."""
    parser.add_argument(
        "--data",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="where hands and photos are kept",
    )


def default_folder() -> Path:
    """Return the per-user folder for hands and photographs, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return base / "tongbox"


@contextmanager
def opened(folder: Path) -> Iterator[Store]:
    """Open the store of a folder that is there already; raise StoreError."""
    if not folder.is_dir():
        raise StoreError(f"No box keeps its data in {folder}.")
    store = Store(folder)
    try:
        yield store
    finally:
        store.close()
