"""Write a text about the box for a fault report, without anything private.

It contains only what is listed as public. That is kinds and counts of events but no event, settings
that are yes or no, and the values of findings that are listed here. New data in the log, the
settings or a finding stays out until somebody lists it.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import fields
from pathlib import Path

from device.doctor.fault_log import read_fault_log
from device.doctor.finding import Finding
from device.hands.retention import measure_usage
from device.host.machine import Machine
from device.settings.settings import SettingsLog
from device.store import Store, StoreError
from device.store.data_folder import LOG_FILE
from device.store.events import KINDS
from device.store.log_copies import list_copies

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
        "Made": [f"{machine.now():%Y-%m-%d %H:%M} UTC"],
        "Computer": _computer(machine),
        "Packages": _packages(machine),
        "Findings": [_finding(each) for each in findings],
        "Kept": [*_sizes(machine.data), *_event_lines(machine.data, store)],
        "Last words": read_fault_log(machine.data) or ["none"],
    }
    parts = (f"[{title}]\n" + "\n".join(lines) for title, lines in sections.items())
    return "\n\n".join([_HEAD, *parts]) + "\n"


def _computer(machine: Machine) -> Iterator[str]:
    model = _match_in_file(machine, "proc/device-tree/model", r"Raspberry Pi [\w .+]{1,40}")
    yield f"model {model or 'no Raspberry Pi'}"
    for name, form in (("ID", "debian|raspbian|ubuntu"), ("VERSION_ID", r"[\d.]{1,8}")):
        said = _match_in_file(machine, "etc/os-release", rf'^{name}="?({form})"?$')
        yield f"system {said or name + '=?'}"
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
        if found := re.search(pattern, machine.text(path), re.M | re.A):
            return found[0]
    return ""


def _packages(machine: Machine) -> list[str]:
    asked = (re.match(r"[\w-]+", each, re.A) for each in machine.needed() if "extra" not in each)
    names = ["tongbox", *sorted({each[0] for each in asked if each})]
    return [f"{name} {_value_in_form(_VERSION, machine.version_of(name))}" for name in names]


def _finding(finding: Finding) -> str:
    told = REPORTED_VALUES.get(finding.check, {})
    values = (
        f"{name}={_value_in_form(told[name], value)}"
        for name, value in finding.values.items()
        if name in told
    )
    return " ".join([finding.level, f"{finding.check}.{finding.state}", *values])


def _value_in_form(pattern: str, value: object) -> str:
    """Return a value if it matches its pattern; else a question mark."""
    text = str(value)
    return text if re.fullmatch(pattern, text, re.A) else "?"


def _sizes(folder: Path) -> Iterator[str]:
    with suppress(OSError):
        found = measure_usage(folder)
        for name in ("disk", "free", "photos", "crops", "log"):
            yield f"{name} {getattr(found, name)} bytes"
        for name in ("photos", "crops"):
            yield f"{name} {sum(1 for each in (folder / name).rglob('*') if each.is_file())} files"
        yield f"copies {len(list_copies(folder))}"


def _event_lines(folder: Path, store: Store | None) -> list[str]:
    try:
        if store is not None:
            return list(_count_lines(store))
        if not (folder / LOG_FILE).is_file():
            return ["no log"]
        with closing(Store(folder)) as opened:
            return list(_count_lines(opened))
    except StoreError as error:
        return [f"the log cannot be read: {type(error).__qualname__}"]


def _count_lines(store: Store) -> Iterator[str]:
    """Yield the number of events of each kind, and the settings that are yes or no."""
    tally = store.tally()
    yield from (f"event {kind} {tally[kind]}" for kind in sorted(KINDS) if kind in tally)
    unknown = sum(count for kind, count in tally.items() if kind not in KINDS)
    yield f"events of no known kind {unknown}"
    yield f"events that make no sense {sum(1 for _ in store.torn())}"
    settings = SettingsLog(store).now()
    for field in fields(settings):
        if isinstance(value := getattr(settings, field.name), bool):
            yield f"setting {field.name} {'yes' if value else 'no'}"
