"""Keep the page's last warnings and errors in a file without private data, for fault reports.

Log records may contain a player's name, a folder named after its owner, or a phone's address. So
only what stands in the program itself is kept of a record: the place, the sentence with its
placeholders, the types of the exceptions, and the places that they passed through.
"""

from __future__ import annotations

import logging
import os
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path, PurePath
from types import FrameType

FAULT_LOG_FILE = "last-words.txt"
"""In the data folder, because the messages before a restart matter most."""

MAX_LINES_SHOWN = 200
"""Lines that a report shows."""

_MAX_FILE_BYTES = 64 * 1024
"""Size above which the file is cut down to its last lines."""

_MAX_RECORDS_PER_MINUTE = 20
"""Records per minute. An error at every request must not wear out the card."""

_MAX_FRAMES_SHOWN, _MAX_CAUSES_SHOWN = 12, 4
"""The last stack frames shown of an exception, and the exceptions in its chain."""

_PROJECT_FOLDER = Path(__file__).resolve().parents[2]
_PACKAGES = ("device", "vision", "scorer", "models")
_LIBRARIES = ("site-packages", "dist-packages")
_PYTHON_FOLDER = Path(os.__file__).resolve().parent


class FaultLogHandler(logging.Handler):
    """Writes warnings and errors to a file of the data folder, without private data."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self._path = folder / FAULT_LOG_FILE
        self._clock = clock
        self._kept: deque[tuple[float, tuple[str, int]]] = deque(maxlen=_MAX_RECORDS_PER_MINUTE)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless there were many; write nothing if the card is full.

        Records from the same place within a minute are written once.
        """
        now, where = self._clock(), (record.pathname, record.lineno)
        newest = [each for at, each in self._kept if now - at < 60]
        if where in newest or len(newest) == _MAX_RECORDS_PER_MINUTE:
            return
        self._kept.append((now, where))
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > _MAX_FILE_BYTES:
                self._path.write_text(
                    "\n".join(_read(self._path)[-MAX_LINES_SHOWN:]) + "\n", "utf-8"
                )
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in public_lines(record))


def start_fault_log(folder: Path) -> None:
    """Write warnings and errors to this folder from now on, and to no other."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, FaultLogHandler):
            root.removeHandler(handler)
    root.addHandler(FaultLogHandler(folder))


def read_fault_log(folder: Path) -> list[str]:
    """Return the last lines, oldest first; none if nothing ever went wrong."""
    with suppress(OSError, UnicodeDecodeError):
        return _read(folder / FAULT_LOG_FILE)[-MAX_LINES_SHOWN:]
    return []


def _read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def public_lines(record: logging.LogRecord) -> Iterator[str]:
    """Yield the public lines of a record. Call this while the record is being emitted."""
    at = datetime.fromtimestamp(record.created, UTC)
    who = record.name if record.name in sys.modules else "a logger"
    yield f"{at:%Y-%m-%d %H:%M:%S} {record.levelname} {who}: {_sentence(record)}"
    error = record.exc_info[1] if record.exc_info else None
    for _ in range(_MAX_CAUSES_SHOWN):
        if error is None:
            return
        kind = type(error)
        yield f"    {kind.__qualname__ if kind.__module__ in sys.modules else 'an exception'}"
        for frame in traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES_SHOWN:]:
            where = public_path(frame.filename)
            yield f"        {where}" + (f":{frame.lineno} {frame.name}" if where else "elsewhere")
        error = error.__cause__ or error.__context__


def _sentence(record: logging.LogRecord) -> str:
    """Return the sentence as it stands in the program, with its placeholders.

    A sentence that the program assembled has no such form, and is left out.
    """
    frame: FrameType | None = sys._getframe()
    while frame:
        code = frame.f_code
        if code.co_filename == record.pathname and frame.f_lineno == record.lineno:
            break
        frame = frame.f_back
    is_literal = frame is not None and record.msg in frame.f_code.co_consts
    return str(record.msg) if is_literal else "(said in words of the moment)"


def public_path(file: str) -> str:
    """Return the path of a program file inside its project; empty for other files."""
    path = PurePath(file)
    for name in _LIBRARIES:
        if name in path.parts:
            return "/".join(path.parts[path.parts.index(name) + 1 :])
    for root in (_PROJECT_FOLDER, _PYTHON_FOLDER):
        if path.is_relative_to(root):
            inside = path.relative_to(root)
            if root == _PYTHON_FOLDER or inside.parts[0] in _PACKAGES:
                return inside.as_posix()
    return ""
