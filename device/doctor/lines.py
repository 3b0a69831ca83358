"""The page's last words of what went wrong, kept so that anybody may read them.

What a program says of a fault is full of what is nobody's business: a player's name in an
exception, a folder called after its owner, a phone's address. So of each record stays only what
stands in the program itself: where it was said, the sentence without what fills it, the kinds of
the exceptions and the places that they passed. Nothing is struck out; all else is never taken in.
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

FILE = "last-words.txt"
"""In the data folder: what was said before the box was started again tells most."""

SHOWN = 200
"""Lines of it that are told."""

_MOST = 64 * 1024
"""Bytes after which the older half goes."""

_A_MINUTE = 20
"""Records that are kept in a minute: what goes wrong at every request must not wear the card."""

_FRAMES, _CAUSES = 12, 4
"""Places of an exception that are told, the last of them; and exceptions behind it."""

_OURS = Path(__file__).resolve().parents[2]
_PACKAGES = ("device", "vision", "scorer", "models")
_LIBRARIES = ("site-packages", "dist-packages")
_PYTHON = Path(os.__file__).resolve().parent


class LastWords(logging.Handler):
    """Keeps what is said of faults in a file of the data folder."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(logging.WARNING)
        self._path = folder / FILE
        self._clock = clock
        self._kept: deque[tuple[float, tuple[str, int]]] = deque(maxlen=_A_MINUTE)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, unless it was just said, or many were; none where the card takes no more.

        Said twice from one place within a minute is once.
        """
        now, where = self._clock(), (record.pathname, record.lineno)
        newest = [each for at, each in self._kept if now - at < 60]
        if where in newest or len(newest) == _A_MINUTE:
            return
        self._kept.append((now, where))
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > _MOST:
                self._path.write_text("\n".join(_read(self._path)[-SHOWN:]) + "\n", "utf-8")
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines_of(record))


def keep_last_words(folder: Path) -> None:
    """Keep them in this folder from now on, and in no other."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, LastWords):
            root.removeHandler(handler)
    root.addHandler(LastWords(folder))


def last_words(folder: Path) -> list[str]:
    """Return the last lines, oldest first; none where nothing ever went wrong."""
    with suppress(OSError, UnicodeDecodeError):
        return _read(folder / FILE)[-SHOWN:]
    return []


def _read(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def lines_of(record: logging.LogRecord) -> Iterator[str]:
    """Yield what is told of a record: to be asked for where it was said, while it is being said."""
    at = datetime.fromtimestamp(record.created, UTC)
    who = record.name if record.name in sys.modules else "a logger"
    yield f"{at:%Y-%m-%d %H:%M:%S} {record.levelname} {who}: {_sentence(record)}"
    error = record.exc_info[1] if record.exc_info else None
    for _ in range(_CAUSES):
        if error is None:
            return
        kind = type(error)
        yield f"    {kind.__qualname__ if kind.__module__ in sys.modules else 'an exception'}"
        for frame in traceback.extract_tb(error.__traceback__)[-_FRAMES:]:
            where = place(frame.filename)
            yield f"        {where}" + (f":{frame.lineno} {frame.name}" if where else "elsewhere")
        error = error.__cause__ or error.__context__


def _sentence(record: logging.LogRecord) -> str:
    """Return the sentence as the program has it, with holes for what fills it.

    One that the program has put together has no such form, and is left out.
    """
    frame: FrameType | None = sys._getframe()
    while frame:
        code = frame.f_code
        if code.co_filename == record.pathname and frame.f_lineno == record.lineno:
            break
        frame = frame.f_back
    is_literal = frame is not None and record.msg in frame.f_code.co_consts
    return str(record.msg) if is_literal else "(said in words of the moment)"


def place(file: str) -> str:
    """Return where a file of the program is, without where the program is; nothing of others."""
    path = PurePath(file)
    for name in _LIBRARIES:
        if name in path.parts:
            return "/".join(path.parts[path.parts.index(name) + 1 :])
    for root in (_OURS, _PYTHON):
        if path.is_relative_to(root):
            inside = path.relative_to(root)
            if root == _PYTHON or inside.parts[0] in _PACKAGES:
                return inside.as_posix()
    return ""
