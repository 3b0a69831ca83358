"""`tongbox backup`: write the log and all pictures to one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.commands.console import progress_bar, write
from device.commands.store_options import add_photos, add_store, opened_store, readable_data
from device.store.backup import back_up_store, write_backup
from device.store.store_url import hide_password, is_embedded, resolve_data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a new file, such as one on a stick"
    )
    add_store(parser)
    add_photos(parser)


def run(args: argparse.Namespace) -> None:
    """Write the backup."""
    progress = progress_bar("Backup", "pictures")
    if is_embedded(args.store):
        source_name = str(resolve_data_folder(args.data, args.store))
        with readable_data(Path(source_name)) as folder:
            pictures = write_backup(folder, args.file, progress)
    else:
        source_name = hide_password(args.store)
        with opened_store(args.data, args.store, args.photos) as store:
            pictures = back_up_store(store, args.file, progress)
    size = args.file.stat().st_size
    write(f"{args.file}: the log and {pictures} pictures from {source_name}, {size / 1e6:.1f} MB.")
