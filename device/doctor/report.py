"""Write a text about the box for a fault report, without anything private.

It contains only what is listed as public. That is kinds and counts of events but no event, settings
that are yes or no, and the values of findings that are listed here. New data in the log, the
settings or a finding stays out until somebody lists it.

It ends with the fault log: the last warnings and errors. Log records may contain a player's name, a
folder named after its owner, or a phone's address. So only what stands in the program itself is
kept of a record: the place, the sentence with its placeholders, the types of the exceptions, and
the places that they passed through.
"""

from __future__ import annotations

import logging
import os
import platform
import re
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path, PurePath
from types import FrameType

from device.doctor.finding import Finding
from device.doctor.log_checks import open_log
from device.hands.retention import measure_usage
from device.host.machine import Machine
from device.settings import SettingsLog
from device.store import Store, StoreError
from device.store.events import KINDS
from device.store.log_copies import list_copies

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
        self._recent_records: deque[tuple[float, tuple[str, int]]] = deque(
            maxlen=_MAX_RECORDS_PER_MINUTE
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless there were many; write nothing if the card is full.

        Records from the same place within a minute are written once.
        """
        current_time, place = self._clock(), (record.pathname, record.lineno)
        last_minute = [each for at, each in self._recent_records if current_time - at < 60]
        if place in last_minute or len(last_minute) == _MAX_RECORDS_PER_MINUTE:
            return
        self._recent_records.append((current_time, place))
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
    record_time = datetime.fromtimestamp(record.created, UTC)
    logger_name = record.name if record.name in sys.modules else "a logger"
    yield f"{record_time:%Y-%m-%d %H:%M:%S} {record.levelname} {logger_name}: {_sentence(record)}"
    error = record.exc_info[1] if record.exc_info else None
    for _ in range(_MAX_CAUSES_SHOWN):
        if error is None:
            return
        kind = type(error)
        yield f"    {kind.__qualname__ if kind.__module__ in sys.modules else 'an exception'}"
        for frame in traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES_SHOWN:]:
            place = public_path(frame.filename)
            yield f"        {place}" + (f":{frame.lineno} {frame.name}" if place else "elsewhere")
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
            relative_path = path.relative_to(root)
            if root == _PYTHON_FOLDER or relative_path.parts[0] in _PACKAGES:
                return relative_path.as_posix()
    return ""


REPORT_FILE_NAME = "tongbox-report.txt"
"""Name of the report's file."""

_NUMBER = r"\d{1,12}(\.\d{1,3})?"
_VERSION = r"[\w.+!-]{1,40}"
_DISTRIBUTIONS = r"[\w.-]+( [\w.+!-]+)?(, [\w.-]+( [\w.+!-]+)?)*"

REPORTED_VALUES: Mapping[str, Mapping[str, str]] = {
    "disk": {"room": _NUMBER},
    "photographs": {"count": _NUMBER},
    "memory": {"total": _NUMBER, "available": _NUMBER},
    "temperature": {"degrees": _NUMBER},
    "clock": {"time": r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"},
    "camera": {"width": _NUMBER, "height": _NUMBER},
    "python": {"version": _VERSION},
    "packages": {"count": _NUMBER, "versions": _DISTRIBUTIONS, "names": _DISTRIBUTIONS},
    "models": {"hashes": r"\w+ [0-9a-f]{12}(, \w+ [0-9a-f]{12})*"},
    "reading": {"count": _NUMBER, "seconds": _NUMBER},
}
"""The reported values of each check, each with the pattern that it must match."""

_HEAD = """Tongbox report

This file says how a box is, for those who look for its fault. It holds no names, no photographs,
no hands, no Wi-Fi, no PIN, no addresses and no folders."""


def write_report(machine: Machine, findings: Iterable[Finding], store: Store | None = None) -> str:
    """Return the report. `store` is that of a running box; without it the folder's is opened."""
    sections = {
        "Made": [f"{machine.current_time():%Y-%m-%d %H:%M} UTC"],
        "Computer": _computer(machine),
        "Packages": _packages(machine),
        "Findings": [_finding(each) for each in findings],
        "Kept": [*_sizes(machine.data), *_event_lines(machine, store)],
        "Last words": read_fault_log(machine.data) or ["none"],
    }
    parts = (f"[{title}]\n" + "\n".join(lines) for title, lines in sections.items())
    return "\n\n".join([_HEAD, *parts]) + "\n"


def _computer(machine: Machine) -> Iterator[str]:
    model = _match_in_file(machine, "proc/device-tree/model", r"Raspberry Pi [\w .+]{1,40}")
    yield f"model {model or 'no Raspberry Pi'}"
    for name, form in (("ID", "debian|raspbian|ubuntu"), ("VERSION_ID", r"[\d.]{1,8}")):
        system_name = _match_in_file(machine, "etc/os-release", rf'^{name}="?({form})"?$')
        yield f"system {system_name or name + '=?'}"
    kernel = _match_in_file(
        machine, "proc/sys/kernel/osrelease", r"^\d+(\.\d+)+(\+rpt-rpi-v[678l]+)?"
    )
    yield f"kernel {kernel or '?'}"
    yield f"processor {platform.machine()}, {os.cpu_count()} cores"
    yield f"python {'.'.join(map(str, machine.python))}"
    uptime = _match_in_file(machine, "proc/uptime", r"^\d+")
    yield f"running for {int(uptime) // 60 if uptime else '?'} minutes"


def _match_in_file(machine: Machine, path: str, pattern: str) -> str:
    """Return what a pattern matches in a file of the system; empty without a match."""
    with suppress(UnicodeDecodeError):
        if text_match := re.search(pattern, machine.text(path), re.M | re.A):
            return text_match[0]
    return ""


def _packages(machine: Machine) -> list[str]:
    package_matches = (
        re.match(r"[\w-]+", each, re.A)
        for each in machine.required_packages()
        if "extra" not in each
    )
    names = ["tongbox", *sorted({each[0] for each in package_matches if each})]
    return [f"{name} {_value_in_form(_VERSION, machine.version_of(name))}" for name in names]


def _finding(finding: Finding) -> str:
    shown_values = REPORTED_VALUES.get(finding.check, {})
    values = (
        f"{name}={_value_in_form(shown_values[name], value)}"
        for name, value in finding.values.items()
        if name in shown_values
    )
    return " ".join([finding.level, f"{finding.check}.{finding.state}", *values])


def _value_in_form(pattern: str, value: object) -> str:
    """Return a value if it matches its pattern; else a question mark."""
    text = str(value)
    return text if re.fullmatch(pattern, text, re.A) else "?"


def _sizes(folder: Path) -> Iterator[str]:
    with suppress(OSError):
        usage = measure_usage(folder)
        for name in ("disk", "free", "photos", "crops", "log"):
            yield f"{name} {getattr(usage, name)} bytes"
        for name in ("photos", "crops"):
            yield f"{name} {sum(1 for each in (folder / name).rglob('*') if each.is_file())} files"
        yield f"copies {len(list_copies(folder))}"


def _event_lines(machine: Machine, store: Store | None) -> list[str]:
    try:
        with nullcontext(store) if store else open_log(machine, is_checked=False) as log:
            return ["no log"] if isinstance(log, Finding) else list(_count_lines(log))
    except StoreError as error:
        return [f"the log cannot be read: {type(error).__qualname__}"]


def _count_lines(store: Store) -> Iterator[str]:
    """Yield the number of events of each kind, and the settings that are yes or no."""
    tally = store.tally()
    yield from (f"event {kind} {tally[kind]}" for kind in sorted(KINDS) if kind in tally)
    unknown_count = sum(count for kind, count in tally.items() if kind not in KINDS)
    yield f"events of no known kind {unknown_count}"
    yield f"events that make no sense {sum(1 for _ in store.find_torn())}"
    settings = SettingsLog(store).read()
    for field in fields(settings):
        if isinstance(value := getattr(settings, field.name), bool):
            yield f"setting {field.name} {'yes' if value else 'no'}"
