"""What can be wrong with the store, in words for the players."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says when a file cannot grow: no space, a quota, a limit on its size."""


_REFUSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ENXIO})
"""What it says when nothing can be written at all: a read-only or dying card, no permission."""


class StoreError(Exception):
    """The store's files are missing something, torn, full, or of another version."""


class TornEventError(StoreError):
    """An event of the log that makes no sense: unknown, malformed, or none that could follow."""

    def __init__(self, seq: int, stream: str, kind: str, why: str, text: str = "") -> None:
        super().__init__(f"Event {seq} ({kind}) of {stream} makes no sense: {why}")
        self.seq = seq
        self.stream = stream
        self.kind = kind
        self.why = why
        self.text = text
        """What the log has of it, where that is what makes no sense."""


class MovedOnError(StoreError):
    """Somebody else's event has come in between: what was decided on is no longer the newest."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"Something else has happened to {stream} meanwhile.")


class UnknownStreamError(Exception):
    """There is no stream of the sort under that id."""


class NoFileError(StoreError):
    """There is no picture of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The photograph {name!r} is not in the data folder.")


class UnfitError(Exception):
    """An event that does not fit what its stream comes to, or the catalogue."""


class ServedError(StoreError):
    """Another Tongbox serves the folder."""

    def __init__(self, folder: Path, where: str) -> None:
        at = f", at {where}" if where else ""
        super().__init__(
            f"A Tongbox is open already with the hands in {folder}{at}. Please use that one, or "
            "close it first, or give this one another folder: --data FOLDER."
        )


class DiskFullError(StoreError):
    """There is no room for more; what was kept before is safe."""

    def __init__(self) -> None:
        super().__init__(
            "The box's disk is full, so this was not kept. Everything kept before is safe. "
            "Please make room on the disk, then try again."
        )


class TornLogError(StoreError):
    """The log's file is damaged: the next start salvages what can be read of it."""

    def __init__(self, why: object) -> None:
        super().__init__(f"The log of events is torn: {why}.")


class UnwritableError(StoreError):
    """Nothing can be written: the card is read-only or dying, or the files are somebody else's."""


NOT_TAKEN = (DiskFullError, UnwritableError)
"""What is raised while the store can be read, and takes nothing; that may end by itself."""


class UnreachableError(StoreError):
    """The database that has the log does not answer."""

    def __init__(self, why: object) -> None:
        super().__init__(f"The database does not answer: {why}.")


class RefusedError(UnreachableError):
    """The database answers, but lets nobody in by this user and password."""

    def __init__(self, why: object) -> None:
        StoreError.__init__(
            self,
            f"The database does not let Tongbox in: {why}. Are user and password right "
            "(PGPASSWORD, or a PGPASSFILE)?",
        )


_ROOM = frozenset({"SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "53100"})

_TORN = frozenset(
    {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_IOERR_READ",
     "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS"}
)  # fmt: skip

_CLOSED = ("SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_PERM")
"""How the names of those errors begin that are the card's or the folder's, not the log's."""

_READ_ONLY = "25006"

_AWAY = ("08", "57P", "53300", "57014", "55P03")
"""How PostgreSQL's codes begin of a server that is gone or going, has too many at its door, or
takes too long: https://www.postgresql.org/docs/15/errcodes-appendix.html"""


@contextmanager
def telling_log() -> Iterator[None]:
    """Raise what is found wrong with the log, or with the disk under it, as a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _of_sqlite(error) from error
    except DBAPIError as error:
        raise _told(error) from error.orig
    except PoolTimeoutError as error:
        raise UnreachableError("too many ask at once") from error
    except SQLAlchemyError as error:
        raise StoreError(f"The log of events cannot be used: {error}.") from error


def _told(error: DBAPIError) -> StoreError:
    if isinstance(error.orig, sqlite3.Error):
        return _of_sqlite(error.orig)
    code = getattr(error.orig, "sqlstate", None) or ""
    if code in _ROOM:
        return DiskFullError()
    if code == _READ_ONLY:
        return UnwritableError("The database takes nothing: it is open to be read only.")
    if not code and _asked_for_a_password(error.orig):
        return RefusedError(error.orig)
    if code.startswith(_AWAY) or (not code and isinstance(error, OperationalError)):
        return UnreachableError(error.orig)
    return StoreError(f"The log of events cannot be used: {error.orig}.")


def _asked_for_a_password(error: BaseException | None) -> bool:
    """Whether a connection failed once the server had asked for a password, said or not.

    Of a connection that fails libpq tells no code, and words in the server's own language.
    """
    line = getattr(error, "pgconn", None)
    return line is not None and bool(line.used_password or line.needs_password)


def _of_sqlite(error: sqlite3.Error) -> StoreError:
    name = getattr(error, "sqlite_errorname", None) or ""
    if name in _ROOM:
        return DiskFullError()
    if name in _TORN or name.startswith("SQLITE_CORRUPT"):
        return TornLogError(error)
    kind = UnwritableError if name.startswith(_CLOSED) else StoreError
    return kind(f"The log of events cannot be used: {error}.")


@contextmanager
def telling_files(what: str) -> Iterator[None]:
    """Raise what the system has against writing a file as a StoreError that begins with `what`."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFullError from error
        kind = UnwritableError if error.errno in _REFUSED else StoreError
        raise kind(f"{what}: {error.strerror}.") from error
