"""Back up a data folder to one file, and restore it.

The file is a plain tar: the log, the photographs, the pictures of tiles, and last a list of them
with their SHA-256. A backup to be restored may come from anywhere. Only files of the kinds that
`tongbox backup` writes are accepted, each within its size limit and as its checksum says.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from device.store import Store, StoreError, data_folder
from device.store.data_folder import LOG_FILE, FolderLock
from device.store.errors import PictureNotFoundError, translate_file_errors, translate_log_errors
from device.store.files import UNFINISHED_PREFIX, give_to_owner, write_whole
from device.store.integrity import check_foreign_log, check_own_log
from device.store.pictures import CROPS_FOLDER, PHOTOS_FOLDER, FolderPictures, Pictures
from device.store.progress import ProgressWatcher, no_progress
from device.store.projection_cache import clear_projections
from device.store.read_only_folder import readable_folder, temporary_folder
from device.store.sqlite_log import SqliteLog
from device.store.store import RESERVED_BYTES
from device.store.transfer import copy_rows

RefusalReason = Literal["foreign", "damaged", "too-large"]
"""Not a backup; not a whole one; more than the disk has room for."""


class BackupRefusedError(StoreError):
    """A backup cannot be restored, and why in one word."""

    def __init__(self, reason: RefusalReason, words: str) -> None:
        super().__init__(words)
        self.reason = reason


def write_backup(folder: Path, target: Path, progress: ProgressWatcher = no_progress) -> int:
    """Write a data folder to a file, completely or not at all; return the number of pictures.

    The box may be serving. Raises StoreError, also if the target exists.
    """
    if not (folder / LOG_FILE).is_file():
        raise StoreError(f"No hands are kept in {folder}.")
    with (
        _new_file(target) as file,
        closing(FolderLock(folder)) as in_use,
        tempfile.TemporaryDirectory(prefix=UNFINISHED_PREFIX, dir=target.parent) as work_folder,
    ):
        in_use.share()
        log = Path(work_folder) / LOG_FILE
        copy_log(folder / LOG_FILE, log)
        # After the log, so that every picture that the log names is included.
        pictures = FolderPictures(folder, RESERVED_BYTES)
        file.writelines(_archive_pieces(log, pictures, progress))
        return sum(1 for _ in pictures.places())


def back_up_store(store: Store, target: Path, progress: ProgressWatcher = no_progress) -> int:
    """Write an open store, such as a database, to a file in the same way."""
    with _new_file(target) as file:
        file.writelines(stream_backup(store, progress))
        return sum(1 for _ in store.pictures.places())


@contextmanager
def _new_file(target: Path) -> Iterator[BinaryIO]:
    """Open a file that does not exist yet; raise StoreError."""
    if target.exists():
        raise StoreError(f"There is a file {target} already. Please choose another name.")
    with translate_file_errors(f"{target} cannot be written"), write_whole(target) as file:
        yield file


def stream_backup(store: Store, progress: ProgressWatcher = no_progress) -> Iterator[bytes]:
    """Yield a backup of a store piece by piece, while play goes on; raise StoreError."""
    with (
        translate_file_errors("The backup cannot be prepared"),
        temporary_folder(store.folder) as work_folder,
    ):
        log = work_folder / LOG_FILE
        if isinstance(store.log, SqliteLog):
            copy_log(store.folder / LOG_FILE, log)
        else:
            with store.log.hold_writers(), closing(Store(work_folder)) as copy:
                copy_rows(store.log, copy.log)
        yield from _archive_pieces(log, store.pictures, progress)


def stream_folder(folder: Path) -> Iterator[bytes]:
    """Yield a backup of a data folder that no box uses, such as one set aside."""
    with readable_folder(folder) as readable, closing(Store(readable.path)) as store:
        yield from stream_backup(store)


def copy_log(log: Path, target: Path) -> None:
    """Copy a log that may be in use, and check the copy; raise StoreError."""
    with (
        translate_log_errors(),
        closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=rw", uri=True)) as db,
        closing(sqlite3.connect(target)) as copy,
    ):
        db.backup(copy)
    check_own_log(target)


def _archive_pieces(log: Path, pictures: Pictures, progress: ProgressWatcher) -> Iterator[bytes]:
    """Yield an archive piece by piece: the log, all pictures, and the list of their hashes."""
    hashes: dict[str, str] = {}
    with log.open("rb") as data:
        hashes[LOG_FILE] = hashlib.file_digest(data, "sha256").hexdigest()
        data.seek(0)
        yield _member_header(LOG_FILE, log.stat().st_size)
        yield from iter(partial(data.read, READ_CHUNK_BYTES), b"")
        yield _member_padding(log.stat().st_size)
    for place in progress(list(pictures.places())):
        name = "/".join((PHOTOS_FOLDER if len(place) == 1 else CROPS_FOLDER, *place))
        # A file with another name is unfinished, or not ours. A picture that is gone by now was
        # deleted, as players may do at any time.
        with suppress(PictureNotFoundError):
            if ARCHIVE_NAMES.fullmatch(name):
                picture = pictures.read(place)
                hashes[name] = hashlib.sha256(picture).hexdigest()
                yield from _member(name, picture)
    yield from _member(FILE_LIST_NAME, json.dumps(hashes, indent=0).encode())
    yield bytes(2 * tarfile.BLOCKSIZE)


def _member(name: str, data: bytes) -> Iterator[bytes]:
    yield _member_header(name, len(data))
    yield data
    yield _member_padding(len(data))


def _member_header(name: str, size: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size = size
    return member.tobuf(tarfile.USTAR_FORMAT)


def _member_padding(size: int) -> bytes:
    return bytes(-size % tarfile.BLOCKSIZE)


def restore(
    archive: Path,
    folder: Path,
    *,
    replace: bool = False,
    check: Callable[[Store], None] = lambda _: None,
    progress: ProgressWatcher = no_progress,
) -> Path | None:
    """Check a backup and restore it to a folder; return where the old hands are now.

    A folder that holds hands is refused. With `replace`, its hands are put aside in a folder
    within it. `check` examines the restored store, and may refuse it by raising. Raises StoreError
    for a damaged backup, for one of a newer format, and while the folder is in use. Nothing is
    changed then, and no new folder is left.
    """
    if not archive.is_file():
        raise StoreError(f"There is no file {archive}.")
    with (
        translate_file_errors(
            f"The backup cannot be restored to {folder}. Please see that you may write there, or "
            "choose another folder with --data. Nothing was changed. The system says"
        ),
        _made_folder(folder),
        data_folder.use_folder_alone(folder),
    ):
        if _holds_hands(folder) and not replace:
            raise StoreError(
                f"{folder} holds hands already. With --replace they are put aside, and the "
                "backup takes their place."
            )
        with unpacked_backup(archive, folder, check, progress) as fresh:
            return data_folder.replace_folder(folder, fresh)


@contextmanager
def _made_folder(folder: Path) -> Iterator[None]:
    """Make a folder, with those above it that are missing; remove them again if this fails."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as undo:
        if missing:
            undo.callback(shutil.rmtree, missing[-1], ignore_errors=True)
        yield
        undo.pop_all()


@contextmanager
def unpacked_backup(
    archive: Path,
    folder: Path,
    check: Callable[[Store], None],
    progress: ProgressWatcher = no_progress,
) -> Iterator[Path]:
    """Unpack and check a backup in a temporary folder within `folder`, which may be renamed.

    Raises StoreError; of what is wrong with the file, as BackupRefusedError.
    """
    with (
        archive.open("rb") as file,
        tempfile.TemporaryDirectory(prefix=UNFINISHED_PREFIX, dir=folder) as name,
    ):
        fresh = Path(name)
        try:
            contents = read_contents(file)
            _check_free_space(folder, contents.size)
            contents.unpack(file, fresh, progress)
        except tarfile.TarError as error:
            raise BackupRefusedError(
                "foreign",
                f"{archive} is not a backup. Please give a file that `tongbox backup` wrote.",
            ) from error
        except ValueError as error:
            raise BackupRefusedError(
                "damaged", f"{archive} is not a whole backup: {error}."
            ) from error
        check_foreign_log(fresh / LOG_FILE)
        with closing(Store(fresh)) as store:  # refuses a newer log
            check(store)
            # The file may come from anywhere: believe its events alone.
            clear_projections(store.log)
        data_folder.prepare_restore(fresh)
        give_to_owner(fresh, folder)
        os.sync()
        yield fresh


def _check_free_space(folder: Path, needed_bytes: int) -> None:
    """Raise StoreError if that many bytes do not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if needed_bytes + RESERVED_BYTES > free:
        raise BackupRefusedError(
            "too-large",
            f"The backup holds {needed_bytes / 1e6:.0f} MB, and there are only "
            f"{free / 1e6:.0f} MB free "
            f"at {folder}. Please make room, or choose another folder with --data. Nothing was "
            "changed.",
        )


def _holds_hands(folder: Path) -> bool:
    """Whether there is a log with events. An unreadable log may have some."""
    if not (folder / LOG_FILE).exists():
        return False
    try:
        with closing(sqlite3.connect(folder / LOG_FILE)) as db:
            (has_events,) = db.execute("SELECT EXISTS (SELECT 1 FROM events)").fetchone()
    except sqlite3.Error:
        return True
    return bool(has_events)


FILE_LIST_NAME = "files.json"
"""The list of all other files with their SHA-256. It is the last file in the archive."""

ARCHIVE_NAMES = re.compile(
    r"events\.sqlite3|photos/[0-9a-f]{64}(\.jpg)?|crops/\w+/[0-9a-f]{64}\.png"
)
"""The names of all other files. No such name leads out of the folder."""

MAX_LIST_BYTES = 64 * 2**20
"""Limit of the list: some 400,000 files."""

MAX_LOG_BYTES = 2 * 2**30
"""Limit of the log: five million events, a hundred times what a club writes in years."""

MAX_PICTURE_BYTES = 64 * 2**20
"""Limit of a photograph. The page accepts only smaller ones."""

READ_CHUNK_BYTES = 2**20

_SQLITE_HEADER = b"SQLite format 3\0"

_DIGESTS_DECODER = msgspec.json.Decoder(dict[str, str])


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """A file in an archive."""

    name: str
    start: int
    """Offset of its bytes in the archive."""
    size: int
    """Length in bytes."""

    def pieces(self, archive: BinaryIO) -> Iterator[bytes]:
        """Yield its bytes in chunks."""
        left = self.size
        archive.seek(self.start)
        while left > 0 and (piece := archive.read(min(left, READ_CHUNK_BYTES))):
            left -= len(piece)
            yield piece

    def digest(self, archive: BinaryIO) -> str:
        """Return its SHA-256."""
        digest = hashlib.sha256()
        for piece in self.pieces(archive):
            digest.update(piece)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class ArchiveContents:
    """The files of an archive, and their SHA-256 as its list says."""

    members: tuple[ArchiveMember, ...]
    digests: dict[str, str]

    @property
    def size(self) -> int:
        """Size of all files in bytes."""
        return sum(each.size for each in self.members)

    def unpack(
        self, archive: BinaryIO, folder: Path, progress: ProgressWatcher = no_progress
    ) -> None:
        """Write all files below a folder; raise ValueError at a file that differs from the list."""
        for member in progress(self.members):
            if member.digest(archive) != self.digests[member.name]:
                raise ValueError(f"{member.name} is not as it was kept")
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.writelines(member.pieces(archive))


def read_contents(archive: BinaryIO) -> ArchiveContents:
    """Check an archive and return its contents; raise ValueError or tarfile's errors."""
    members: dict[str, ArchiveMember] = {}
    for member in _read_members(archive):
        if member.name in members:
            raise ValueError(f"{member.name} is in it twice")
        if member.name != FILE_LIST_NAME and not ARCHIVE_NAMES.fullmatch(member.name):
            raise ValueError(f"{member.name} does not belong there")
        if member.size > _max_bytes_of(member.name):
            raise ValueError(f"{member.name} is larger than it can be")
        members[member.name] = member
    listing = members.pop(FILE_LIST_NAME, None)
    digests = _read_digests(archive, listing)
    for name in sorted(members.keys() ^ digests.keys()):
        raise ValueError(f"{name} is not as it was kept")
    if LOG_FILE not in members:
        raise ValueError("it has no log")
    if next(members[LOG_FILE].pieces(archive), b"")[: len(_SQLITE_HEADER)] != _SQLITE_HEADER:
        raise ValueError("its log is none")
    return ArchiveContents(tuple(members.values()), digests)


def _read_members(archive: BinaryIO) -> Iterator[ArchiveMember]:
    end = archive.seek(0, io.SEEK_END)
    position = 0
    while position < end:
        archive.seek(position)
        header = archive.read(tarfile.BLOCKSIZE)
        if not any(header):
            return
        try:
            info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        except tarfile.TarError as error:
            if position:
                raise ValueError("its end is missing, or damaged") from error
            raise
        name = ascii(info.name)[1:-1]
        if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or info.size < 0:
            raise ValueError(f"{name} is no file")
        member = ArchiveMember(name, position + tarfile.BLOCKSIZE, info.size)
        position = member.start + -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
        if member.start + member.size > end:
            raise ValueError("its end is missing")
        yield member


def _read_digests(archive: BinaryIO, listing: ArchiveMember | None) -> dict[str, str]:
    try:
        return _DIGESTS_DECODER.decode(b"".join(listing.pieces(archive)) if listing else b"")
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError("its end is missing, or damaged") from error


def _max_bytes_of(name: str) -> int:
    return {FILE_LIST_NAME: MAX_LIST_BYTES, LOG_FILE: MAX_LOG_BYTES}.get(name, MAX_PICTURE_BYTES)
