"""The errors of the store, in words for players; system errors are translated into them."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorer.errors import RefusalError

_DISK_FULL_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""A file cannot grow: no space, a quota, or a limit on its size."""

UNWRITABLE_ERRNOS = frozenset({errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENXIO})
"""Nothing can be written at all: a read-only or dying card, or no permission."""


class StoreError(RefusalError):
    """The store cannot be used: a file is missing, damaged or too new, or the disk is full."""


class TornEventError(StoreError):
    """An event of the log is torn: its kind unknown, its fields invalid, or out of place."""

    def __init__(self, seq: int, stream: str, kind: str, reason: str, text: str = "") -> None:
        super().__init__(f"Event {seq} ({kind}) of {stream} makes no sense: {reason}")
        self.seq = seq
        self.stream = stream
        self.kind = kind
        self.reason = reason
        self.text = text
        """Its JSON as the log has it, if that is what is wrong."""

    def copy(self) -> TornEventError:
        """Return an equal error to raise. One that is raised again and again keeps all frames."""
        error = TornEventError(self.seq, self.stream, self.kind, self.reason, self.text)
        error.__cause__ = self.__cause__
        return error


class ConcurrentChangeError(StoreError):
    """Another event was appended first, so the decision was based on an old state."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"Something else has happened to {stream} meanwhile.")


class OutdatedError(ConcurrentChangeError):
    """What the player's page showed was old already, so that deciding again changes nothing."""


class UnknownStreamError(Exception):
    """No stream of that sort has the id."""


class PictureNotFoundError(StoreError):
    """No picture has the name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The photograph {name!r} is not in the data folder.")


class EventRefusedError(Exception):
    """An event does not fit the state of its stream, or the catalogue."""


class FolderServedError(StoreError):
    """Another Tongbox is serving the folder."""

    def __init__(self, folder: Path, address: str) -> None:
        address_text = f", at {address}" if address else ""
        super().__init__(
            f"A Tongbox is open already with the hands in {folder}{address_text}. "
            "Please use that one, or "
            "close it first, or give this one another folder: --data FOLDER."
        )


class DiskFullError(StoreError):
    """The disk is full. Everything kept before is safe."""

    def __init__(self) -> None:
        super().__init__(
            "The box's disk is full, so this was not kept. Everything kept before is safe. "
            "Please make room on the disk, then try again."
        )


class TornLogError(StoreError):
    """The log's file is damaged. The next start salvages what can be read."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"The log of events is torn: {reason}.")


class UnwritableError(StoreError):
    """Nothing can be written: the card is read-only or dying, or another user owns the files."""


WRITE_REFUSED_ERRORS = (DiskFullError, UnwritableError)
"""The store can be read but not written. The cause may go away by itself."""


class UnreachableError(StoreError):
    """The database with the log does not answer."""

    def __init__(self, reason: object) -> None:
        super().__init__(f"The database does not answer: {reason}.")


class LoginRefusedError(UnreachableError):
    """The database answers, but rejects the user or the password."""

    def __init__(self, reason: object) -> None:
        StoreError.__init__(
            self,
            f"The database does not let Tongbox in: {reason}. Are user and password right "
            "(PGPASSWORD, or a PGPASSFILE)?",
        )


_DISK_FULL_CODES = frozenset({"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "53100"})

_TORN_CODES = frozenset(
    {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_IOERR_READ",
     "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS"}
)  # fmt: skip

_UNWRITABLE_CODE_STARTS = ("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_PERM")
"""Beginnings of SQLite's names for errors of the card or folder, not of the log."""

_READ_ONLY_CODE = "25006"

_UNREACHABLE_CODE_STARTS = ("08", "57P", "53300", "57014", "55P03")
"""Beginnings of PostgreSQL's codes for a server that is down, shutting down, full or too slow:
https://www.postgresql.org/docs/15/errcodes-appendix.html"""


@contextmanager
def translate_log_errors() -> Iterator[None]:
    """Raise errors of the log, or of the disk under it, as a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _from_sqlite_error(error) from error
    except DBAPIError as error:
        raise _from_database_error(error) from error.orig
    except PoolTimeoutError as error:
        raise UnreachableError("too many ask at once") from error
    except SQLAlchemyError as error:
        raise StoreError(f"The log of events cannot be used: {error}.") from error


def _from_database_error(error: DBAPIError) -> StoreError:
    if isinstance(error.orig, sqlite3.Error):
        return _from_sqlite_error(error.orig)
    code = getattr(error.orig, "sqlstate", None) or ""
    if code in _DISK_FULL_CODES:
        return DiskFullError()
    if code == _READ_ONLY_CODE:
        return UnwritableError("The database is read-only.")
    if not code and _asked_for_a_password(error.orig):
        return LoginRefusedError(error.orig)
    if code.startswith(_UNREACHABLE_CODE_STARTS) or (
        not code and isinstance(error, (OperationalError, InterfaceError))
    ):
        return UnreachableError(error.orig)
    return StoreError(f"The log of events cannot be used: {error.orig}.")


def _asked_for_a_password(error: BaseException | None) -> bool:
    """Whether a connection failed after the server asked for a password.

    libpq gives no code for a failed connection, only words in the server's own language.
    """
    line = getattr(error, "pgconn", None)
    return line is not None and bool(line.used_password or line.needs_password)


def _from_sqlite_error(error: sqlite3.Error) -> StoreError:
    name = getattr(error, "sqlite_errorname", None) or ""
    if name in _DISK_FULL_CODES:
        return DiskFullError()
    if name in _TORN_CODES or name.startswith("SQLITE_CORRUPT"):
        return TornLogError(error)
    kind = UnwritableError if name.startswith(_UNWRITABLE_CODE_STARTS) else StoreError
    return kind(f"The log of events cannot be used: {error}.")


@contextmanager
def translate_file_errors(task: str) -> Iterator[None]:
    """Raise an OSError of writing files as a StoreError whose text begins with `task`."""
    try:
        yield
    except OSError as error:
        if error.errno in _DISK_FULL_ERRNOS:
            raise DiskFullError from error
        kind = UnwritableError if error.errno in UNWRITABLE_ERRNOS else StoreError
        raise kind(f"{task}: {error.strerror}.") from error
