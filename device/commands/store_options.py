"""The options that name a store (`--data`, `--store`, `--photos`), and opening it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loads SQLAlchemy, which commands without a store do not need
    from device.store import Store


STORE_VARIABLE = "TONGBOX_STORE"
"""The environment variable that names the store, where the command line does not."""

LOG_FILE = "events.sqlite3"


def default_folder() -> Path:
    """Return the per-user folder for hands and photographs, by the XDG convention."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path.home() / ".local" / "state"
    return base / "tongbox"


def add_store(parser: argparse.ArgumentParser, *, is_data_own: bool = False) -> None:
    """Declare `--data` and `--store`.

    `is_data_own` means that the process has files of its own in the folder, wherever the log lies.
    Otherwise a folder with a log is refused if the environment names another store.
    """
    parser.add_argument(
        "--data",
        type=Path if is_data_own else _parse_folder,
        default=default_folder(),
        metavar="DIR",
        help=f"folder of hands and photos (default: {default_folder()})".replace("%", "%%"),
    )
    parser.add_argument(
        "--store",
        default=os.environ.get(STORE_VARIABLE, ""),
        metavar="URL",
        help="store of the log, such as postgresql://USER@HOST/DATABASE (default: TONGBOX_STORE, "
        "or the folder of --data)",
    )


def _parse_folder(text: str) -> Path:
    """Return the path of a data folder; raise ArgumentTypeError."""
    folder = Path(text)
    if os.environ.get(STORE_VARIABLE) and (folder / LOG_FILE).exists():
        raise argparse.ArgumentTypeError(
            f"{folder} has a log, and {STORE_VARIABLE} names another store. For this one say "
            f"--store sqlite:///{folder.absolute()}/{LOG_FILE} instead of --data"
        )
    return folder


def add_photos(parser: argparse.ArgumentParser) -> None:
    """Declare `--photos`."""
    parser.add_argument(
        "--photos",
        type=Path,
        metavar="DIR",
        help="photo folder shared by all processes of one database (default: in the database)",
    )


@contextmanager
def opened_store(folder: Path, url: str = "", photos: Path | None = None) -> Iterator[Store]:
    """Open the store of an existing folder or of a URL, to write; raise StoreError."""
    from device.store import StoreError, UnwritableError
    from device.store.read_only_folder import explain_refusal
    from device.store.store_url import open_store, resolve_data_folder

    if not url and not folder.is_dir():
        raise StoreError(f"No box keeps its data in {folder}.")
    try:
        store = open_store(folder, url, photos)
    except UnwritableError as error:
        raise explain_refusal(resolve_data_folder(folder, url), error) from error
    with closing(store):
        yield store


@contextmanager
def readable_store(folder: Path, url: str = "", photos: Path | None = None) -> Iterator[Store]:
    """Open the same to read; raise StoreError, also where nothing of a damaged log can be read.

    If the folder cannot be written, a copy is read, and a line on the error output says why.
    """
    from device.store import StoreError
    from device.store.events import LogSalvaged
    from device.store.store_url import is_embedded, resolve_data_folder

    if not is_embedded(url):
        with opened_store(folder, url, photos) as store:
            yield store
        return
    data = resolve_data_folder(folder, url)
    with readable_data(data) as readable, opened_store(readable, photos=photos) as store:
        salvage = store.latest(LogSalvaged) if readable != data else None
        if salvage and not salvage.event.kept and salvage.seq == store.last_number():
            raise StoreError(
                "Nothing of the log could be read, nor of its copies. Check that the right disk is "
                "connected. If it is, “tongbox restore” brings a backup back."
            )
        yield store


@contextmanager
def readable_data(folder: Path) -> Iterator[Path]:
    """Yield a folder with a log, or say why it is read from a copy and yield that.

    In the copy, what was interrupted is finished, and a torn log is salvaged. Raises StoreError.
    """
    from device.store import Store, StoreError
    from device.store.read_only_folder import readable_folder

    with readable_folder(folder) as readable:
        if readable.notice:
            sys.stderr.write(f"tongbox: {readable.notice}\n")
            Store(readable.path).close()
        elif not (folder / LOG_FILE).exists():
            raise StoreError(f"No box keeps its data in {folder}.")
        yield readable.path
