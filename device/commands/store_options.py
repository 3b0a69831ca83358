"""The options that name a store (`--data`, `--store`, `--photos`), and opening it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from device.store import Store, StoreError
from device.store.store_url import URL_EXAMPLES, open_store


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


def add_store(parser: argparse.ArgumentParser) -> None:
    """Declare `--data`, `--store` and `--photos`."""
    add_data(parser)
    parser.add_argument(
        "--store",
        default=os.environ.get("TONGBOX_STORE", ""),
        metavar="URL",
        help=f"where the log lies: {URL_EXAMPLES} (TONGBOX_STORE, or the folder of --data)",
    )
    parser.add_argument(
        "--photos",
        type=Path,
        metavar="DIR",
        help="a folder that all share who share a database (without it, photos lie in that)",
    )


@contextmanager
def opened_store(folder: Path, url: str = "", photos: Path | None = None) -> Iterator[Store]:
    """Open the store of an existing folder or of a URL; raise StoreError."""
    if not url and not folder.is_dir():
        raise StoreError(f"No box keeps its data in {folder}.")
    store = open_store(folder, url, photos)
    try:
        yield store
    finally:
        store.close()
