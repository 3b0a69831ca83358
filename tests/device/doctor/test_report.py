"""The report of how the box is: all that helps to find a fault, and nothing that is private.

A box is filled with marked words wherever private text can enter it, by the types of what is kept
and not by a list of names: a new kind of event, or a new setting, is marked as soon as it is there.
"""

from __future__ import annotations

import io
import json
import logging
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import count
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct, UnsetType, structs, to_builtins

from device.access import set_new_pin
from device.cli import main
from device.doctor import Finding, Machine
from device.doctor import finding as findings
from device.doctor.report import (
    FAULT_LOG_FILE,
    REPORTED_VALUES,
    FaultLogHandler,
    public_path,
    read_fault_log,
    start_fault_log,
    write_report,
)
from device.jobs import PhotoQueue
from device.services import Services
from device.settings import Settings, SettingsLog
from device.store import Store, queries
from device.store.events import BOX, KINDS, SettingChanged
from device.web import Box, create_app
from device.web.contexts import Upkeep
from tests.device.command import run_command
from tests.device.doctor.machine_files import with_files
from tests.device.events import write_raw
from tests.device.fake_reader import FakeReader, lay, picture

MARK = "Zebedee"
"""Stands in every private word, and in no other."""

PHONE, OWN_ADDRESS = "10.99.88.77", "10.99.88.66"
"""Addresses of a phone, and of the box."""

_log = logging.getLogger(__name__)


def with_mark(kind: Any) -> Any:  # noqa: ANN401 - any type
    """Return a value of a field's type, with the mark in every text."""
    origin, inner = get_origin(kind), get_args(kind)
    plain = {str: f"{MARK} Smith", int: 3, float: 0.5, bool: True, Any: {MARK: [MARK]}}
    if kind in plain:
        return plain[kind]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return of_kind(kind)
    if origin in (Union, types.UnionType):
        return with_mark(next(each for each in inner if each not in (type(None), UnsetType)))
    if origin is Literal:
        return inner[0]
    if origin is tuple and inner[-1] is Ellipsis:
        return [with_mark(inner[0])]
    if origin is tuple:
        return [with_mark(each) for each in inner]
    assert origin is Mapping, f"{kind} is a type that no event has had"
    return {with_mark(inner[0]): with_mark(inner[1])}


def of_kind(kind: type[Struct]) -> dict[str, Any]:
    return {each.name: to_builtins(with_mark(each.type)) for each in structs.fields(kind)}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a computer whose files and programs tell of its owner."""
    root = tmp_path / "root"
    wifi = ("on = true", f'name = "{MARK}"', f'password = "{MARK}"', f'address = "{OWN_ADDRESS}"')
    files = {
        "etc/hostname": MARK,
        "etc/tongbox/wifi.toml": "\n".join(wifi),
        "etc/avahi/avahi-daemon.conf": f"host-name={MARK}",
        "etc/os-release": f'NAME="{MARK}"\nID={MARK.lower()}\nVERSION_ID="{MARK}"\n',
        "proc/device-tree/model": f"{MARK}'s computer",
        "proc/sys/kernel/osrelease": f"6.12.1-{MARK}",
        "proc/uptime": "7200.5 1.0",
        f"dev/v4l/by-id/usb-{MARK}_Cam_S0815-video-index0": "",
        "sys/class/thermal/thermal_zone0/temp": "61000",
    }  # fmt: skip
    data = tmp_path / "home" / MARK / "box"
    machine = Machine(data, root=root, ask=lambda _: MARK, address=lambda: OWN_ADDRESS)
    return with_files(machine, files)


@pytest.fixture
def store(machine: Machine) -> Iterator[Store]:
    store = Store(machine.data)
    yield store
    store.close()


@pytest.fixture(autouse=True)
def own_words(machine: Machine) -> Iterator[None]:
    """Keep the last words as the box does that serves, and end that afterwards."""
    machine.data.mkdir(parents=True, exist_ok=True)
    start_fault_log(machine.data)
    yield
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, FaultLogHandler)]:
        root.removeHandler(handler)


@pytest.fixture
def app(services: Services, machine: Machine) -> Flask:
    return create_app(Box(services, upkeep=Upkeep(names=frozenset({MARK}), machine=machine)))


def fill(store: Store, client: FlaskClient, jobs: PhotoQueue, reader: FakeReader) -> None:
    """Put the mark wherever private text can enter."""
    settings = SettingsLog(store)
    for field in fields(Settings):
        value = getattr(Settings(), field.name)
        store.append(BOX, SettingChanged(field.name, MARK if isinstance(value, str) else True))
    assert settings.read().pin == MARK
    client.get("/", query_string={"code": MARK})
    set_new_pin(settings)
    settings.change("pin", "")  # so that every page can be asked for
    client.post("/sets/choose", data={"name": MARK})
    players = {f"player{n}": f"{MARK}{n}" for n in range(4)}
    assert client.post("/match/new", data={**players, "ruleset": "bmja"}).status_code == 303
    reader.fault = RuntimeError(f"{MARK} at {PHONE}")
    photo = {"photo": (io.BytesIO(picture(lay())), f"{MARK}.jpg")}
    assert client.post("/hands", data=photo).status_code == 303
    (store.folder / f"{MARK}.txt").write_text(MARK)
    (store.folder / "photos" / f"{MARK}.jpg").write_text(MARK)
    numbers = count()
    for name, kind in KINDS.items():
        for stream in ("box", f"pupil:{MARK}", f"{MARK}{next(numbers)}", f"{next(numbers):012x}"):
            write_raw(store, stream, name, of_kind(kind))
    write_raw(store, MARK, MARK, {MARK: MARK})
    write_raw(store, "box", MARK.lower(), MARK)


def go_wrong(client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let faults be told with the mark in them, in every way that a program tells of them."""
    rule = f"/{MARK}/<path:rest>"

    def fail(rest: str) -> str:
        raise ValueError(f"{MARK} asked for {rest}")

    with monkeypatch.context() as patch:
        patch.setattr(app, "_got_first_request", False)
        app.add_url_rule(rule, "fail", fail)
    app.testing = False
    assert client.get(f"/{MARK}/{PHONE}", query_string={"name": MARK}).status_code == 500
    for each in app.url_map.iter_rules():
        if "GET" in (each.methods or ()) and not each.arguments and "listen" not in each.endpoint:
            client.get(each.rule, query_string={"player": MARK, "back": MARK, "code": MARK})
    for stream in ("box", f"pupil:{MARK}"):
        client.get(f"/damaged/{stream}/")
    code = compile(
        f"class {MARK}Error(KeyError): ...\ndef {MARK}(): raise {MARK}Error('{MARK}')",
        f"/home/{MARK}/x.py",
        "exec",
    )
    namespace: dict[str, Any] = {"__name__": MARK}
    exec(code, namespace)  # noqa: S102 - a program of the player's own
    try:
        try:
            namespace[MARK]()
        except KeyError as error:  # whose very kind has the mark
            error.add_note(MARK)
            raise OSError(2, MARK, f"/home/{MARK}") from error
    except OSError:
        _log.exception("Something of %s was not found", MARK)
        _log.error(f"{MARK} was not found")
        logging.getLogger(MARK).warning("%s", MARK, stack_info=True)
        _log.warning(OSError(MARK))


def test_nothing_private_is_in_the_report(
    client: FlaskClient,
    app: Flask,
    store: Store,
    jobs: PhotoQueue,
    reader: FakeReader,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    client.environ_base["REMOTE_ADDR"] = PHONE
    fill(store, client, jobs, reader)
    is_in_every_event_with_a_word(store)
    go_wrong(client, app, monkeypatch)
    answer = client.get("/setup/report")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert "tongbox-report.txt" in answer.headers["Content-Disposition"]
    assert "Something of %s was not found" in answer.text, "the sentence, without what fills it"
    assert "ValueError" in answer.text
    assert "device/jobs.py:" in answer.text, "where in the program it was"
    file = tmp_path / "report.txt"
    monkeypatch.setattr("device.commands.doctor.Machine", lambda _, **__: machine)
    main(["doctor", "--data", str(machine.data), "--report", str(file)])
    for report in (answer.text, file.read_text("utf-8")):
        for private in (MARK, PHONE, OWN_ADDRESS, str(tmp_path), "S0815"):
            assert private.lower() not in report.lower()
        assert "event match-begun 5" in report
        assert "events of no known kind 2" in report
        assert "setting camera_turned yes" in report


def is_in_every_event_with_a_word(store: Store) -> None:
    """Hold that the mark is in every kind of event that has a word in it."""
    kinds = {kind for _, _, kind, text, _ in raw(store) if MARK in text}
    wordless = {name for name, kind in KINDS.items() if MARK not in json.dumps(of_kind(kind))}
    assert kinds >= KINDS.keys() - wordless
    assert wordless < {
        "switched-off", "salvage-read", "backup-restored", "crops-kept", "reading-begun",
        "reading-cut-off", "set-reading-cut-off", "table-reading-cut-off",
        "photos-removed",
        "giving-answered", "learning-allowed", "match-resumed", "ending-withdrawn",
        "reading-asked", "reading-renewed",
        "change-undone", "change-redone", "cut-back", "table-reading-begun", "table-reading-asked",
        "set-reading-begun", "match-ended", "set-kept", "table-cleared",
        "practice-move-taken-back", "practice-coach-switched",
    }  # fmt: skip


def raw(store: Store) -> list[tuple[Any, ...]]:
    return store.log.rows(queries.EVENT_ROWS)


@pytest.mark.parametrize(
    ("finding", "line", "reason"),
    [
        (findings.ok("disk", room="20.0"), "ok disk.ok room=20.0", "a number"),
        (findings.ok("disk", room=MARK), "ok disk.ok room=?", "of another form than it must have"),
        (findings.ok("disk", owner=MARK), "ok disk.ok", "a value that nobody has listed"),
        (findings.problem("new", "odd", reason=MARK), "problem new.odd", "a check nobody listed"),
        (findings.ok("folder", folder=f"/home/{MARK}"), "ok folder.ok", "whose folder it is"),
        (findings.ok("network", address=OWN_ADDRESS), "ok network.ok", "where it is"),
        (findings.warning("camera", "lost", reason=MARK), "warning camera.lost", "a reason"),
    ],
)
def test_of_a_finding_only_what_is_listed_is_told(
    machine: Machine, finding: Finding, line: str, reason: str
) -> None:
    assert line in write_report(machine, [finding]).splitlines(), reason


def test_what_is_listed_is_a_number_a_version_or_a_time() -> None:
    assert all("." not in name and "/" not in name for name in REPORTED_VALUES)
    for values in REPORTED_VALUES.values():
        assert values.keys() <= {
            "room", "total", "available", "degrees", "time", "width", "height", "version", "count",
            "versions", "names", "hashes", "seconds",
        }  # fmt: skip


def test_a_log_that_cannot_be_read_is_no_reason_for_no_report(
    machine: Machine, store: Store
) -> None:
    store.close()
    (machine.data / "events.sqlite3").write_bytes(b"no database" * 1000)
    report = write_report(machine, [])
    assert "the log cannot be read: " in report or "events of no known kind 0" in report
    assert MARK not in report


def test_the_command_says_where_it_is_and_where_it_cannot_be(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("device.commands.doctor.examine", lambda _: iter([findings.ok("disk")]))
    monkeypatch.setattr("device.commands.doctor.finding_view", lambda _: None)
    monkeypatch.setattr("device.commands.doctor.format_finding", lambda _: "ok")
    reports = tmp_path / "r.txt", tmp_path / "no" / "r.txt"
    good, bad = (
        run_command("doctor", "--report", str(report), "--data", str(machine.data))
        for report in reports
    )
    assert (good.status, "look it over" in good.err) == (0, True)
    assert bad.status == 1
    assert "cannot be written: No such file or directory." in bad.err
    assert not reports[1].exists()


def test_the_last_words_outlive_the_program_and_stay_few(machine: Machine) -> None:
    time = [0.0]
    handler = FaultLogHandler(machine.data, lambda: time[0])
    lost_log = FaultLogHandler(machine.data / "gone")
    _log.addHandler(handler)
    try:
        for number in range(3000):
            time[0] += 60
            _log.error("Fault number %d", number)
        fault_log = read_fault_log(machine.data)
        assert len(fault_log) == 200
        assert (machine.data / FAULT_LOG_FILE).stat().st_size < 100_000, (
            "the card is not filled with it"
        )
        (machine.data / FAULT_LOG_FILE).unlink()
        for number in range(500):
            _log.error("Fault number %d", number)
        assert len(read_fault_log(machine.data)) <= 2, "nor worn by a fault at every request"
        start_fault_log(machine.data / "gone")
        _log.addHandler(lost_log)
        _log.error("A card that is gone is no further fault")
    finally:
        _log.removeHandler(handler)
        _log.removeHandler(lost_log)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (f"/home/{MARK}/venv/lib/python3.11/site-packages/flask/app.py", "flask/app.py"),
        ("/usr/lib/python3/dist-packages/picamera2/picamera2.py", "picamera2/picamera2.py"),
        (json.__file__, "json/__init__.py"),
        (findings.__file__, "device/doctor/finding.py"),
        (f"/home/{MARK}/x.py", ""),
        ("<string>", ""),
        (str(Path(__file__).parents[3] / f"{MARK}.py"), ""),
    ],
)
def test_a_place_of_the_program_is_told_without_where_the_program_is(
    file: str, expected: str
) -> None:
    assert public_path(file) == expected
