"""Open the store that a URL names: SQLite in a folder, or a database that many processes share."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from device.store.data_folder import LOG_FILE
from device.store.errors import StoreError
from device.store.pictures import FolderPictures
from device.store.store import RESERVED_BYTES, Store

URL_EXAMPLES = f"sqlite:///FOLDER/{LOG_FILE} or postgresql://USER@HOST/DATABASE"


def open_store(folder: Path, url: str = "", photos: Path | None = None) -> Store:
    """Open the store that a URL names. `folder` holds what belongs to this machine alone.

    Without a URL, the store is that of the folder. `photos` is a folder that all processes of a
    database share; without it, photographs are kept in the database. Raises StoreError.
    """
    parsed_url = parse_store_url(url) if url else None
    if parsed_url is None or parsed_url.drivername == "sqlite":
        if photos:
            raise StoreError(
                "Photographs beside SQLite lie in its folder: please leave out --photos."
            )
        return Store(folder_of_url(parsed_url) if parsed_url else folder)
    # Loaded here, because a box with its own folder does not need it.
    from device.store.postgresql_log import PostgresqlLog
    from device.store.shared_database import DatabasePictures, JobQueue

    folder.mkdir(parents=True, exist_ok=True)
    log = PostgresqlLog(parsed_url)
    try:
        pictures = FolderPictures(photos, RESERVED_BYTES) if photos else DatabasePictures(log)
    except StoreError:
        log.close()
        raise
    return Store(folder, log=log, pictures=pictures, job_rows=JobQueue(log))


def is_embedded(url: str) -> bool:
    """Whether the log is in a folder of this machine; raise StoreError for an invalid URL."""
    return not url or parse_store_url(url).drivername == "sqlite"


def resolve_data_folder(folder: Path, url: str) -> Path:
    """Return the folder for what belongs to this machine alone; raise StoreError."""
    return folder_of_url(parse_store_url(url)) if url and is_embedded(url) else folder


def hide_password(url: str) -> str:
    """Return a store's URL as it may be shown; raise StoreError for an invalid one."""
    return parse_store_url(url).render_as_string(hide_password=True)


def parse_store_url(url: str) -> URL:
    """Parse the URL of a store; raise StoreError for an invalid one."""
    try:
        parsed_url = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"{url!r} names no store. Please write {URL_EXAMPLES}.") from error
    if parsed_url.drivername not in ("sqlite", "postgresql") or not parsed_url.database:
        shown_url = parsed_url.render_as_string(hide_password=True)
        raise StoreError(
            f"{shown_url!r} names no store of a kind that is known. Please write {URL_EXAMPLES}."
        )
    return parsed_url


def folder_of_url(parsed_url: URL) -> Path:
    """Return the data folder of the log that a URL names; raise StoreError."""
    file = Path(parsed_url.database or "")
    if file.name != LOG_FILE:
        raise StoreError(f"The log of a data folder is called {LOG_FILE}, not {file.name}.")
    return file.parent
