"""`tongbox move`: copy one store's contents into another, in either direction."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from device.commands.console import progress_bar, write
from device.commands.store_options import default_folder, readable_data
from device.store import Store, StoreError
from device.store.data_folder import ServingLock, has_been_served
from device.store.errors import translate_file_errors
from device.store.read_only_folder import find_write_refusal
from device.store.store_url import URL_EXAMPLES, is_embedded, open_store, resolve_data_folder
from device.store.transfer import move_store


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    for end, description in (("from", "the present store"), ("to", "an empty store")):
        parser.add_argument(
            f"--{end}",
            dest=f"{end}_store",
            required=True,
            metavar="URL",
            help=f"{description}: {URL_EXAMPLES}",
        )
        parser.add_argument(
            f"--{end}-photos",
            type=Path,
            metavar="DIR",
            help="folder of its photographs, if they are not in the database",
        )


def run(args: argparse.Namespace) -> None:
    """Copy everything; if that fails, the source is unchanged."""
    with ExitStack() as stack:
        source = stack.enter_context(_open_end(args.from_store, args.from_photos, new=False))
        target = stack.enter_context(_open_end(args.to_store, args.to_photos, new=True))
        move_result = move_store(source, target, progress_bar("Move", "pictures"))
    write(
        f"{move_result.events} events and {move_result.pictures} pictures were carried over, read "
        f"back and are the same (SHA-256 of the events {move_result.digest[:16]}…). Nothing was "
        "changed where they come from. What is this computer's alone stayed: its certificate "
        "and its copies."
    )


@contextmanager
def _open_end(url: str, photos: Path | None, *, new: bool) -> Iterator[Store]:
    """Open the source or the target. A folder must not be in use; a source must exist."""
    folder = resolve_data_folder(default_folder(), url)
    with ExitStack() as stack:
        if not is_embedded(url):
            yield stack.enter_context(closing(open_store(folder, url, photos)))
            return
        with translate_file_errors(f"{folder} cannot be used"):
            if new:
                folder.mkdir(parents=True, exist_ok=True)
            elif not folder.is_dir():
                raise StoreError(f"No box keeps its data in {folder}.")
            if has_been_served(folder) or find_write_refusal(folder) is None:
                stack.callback(ServingLock(folder).close)
        readable = folder if new else stack.enter_context(readable_data(folder))
        yield stack.enter_context(closing(open_store(readable, photos=photos)))
