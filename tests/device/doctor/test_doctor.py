"""The checks of `tongbox doctor`, each on a made-up machine, and what the command makes of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec import structs

from device.commands import doctor as command
from device.doctor import CHECKS, READING_CHECK, Finding, Machine, examine, worst_level
from device.doctor import finding as findings
from device.doctor.machine_checks import (
    POLKIT_DAEMON,
    check_camera,
    check_clock,
    check_disk,
    check_folder,
    check_memory,
    check_models,
    check_network,
    check_packages,
    check_power,
    check_power_by_files,
    check_python,
    check_reading,
    check_switch,
    check_temperature,
)
from device.hands.readings import PhotoReader
from device.host import machine as machines
from device.i18n.words import load
from device.samples import load_samples
from scorer.message import plain_text
from tests.device.command import run_command
from tests.device.doctor.machine_files import with_files
from tests.device.fake_reader import FakeReader, lay
from vision.errors import ModelError, PhotoError
from vision.networks import model

SUMMER = datetime(2027, 7, 1, 19, 30, tzinfo=UTC)
FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"
FIRMWARE_5 = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"
MONITOR = "sys/class/hwmon/hwmon1/"
ZONES = "sys/class/thermal/thermal_zone"
MEMINFO = "MemTotal:  {} kB\nMemFree:  1 kB\nMemAvailable:  {} kB\nHugePages_Total:  0\n"
REQUIREMENTS = ["flask>=3.1", "numpy>=1.24", 'hypothesis; extra == "dev"']


class Reads(FakeReader):
    """Reads every photograph as this hand; as the first sample without one."""

    def __init__(self, hand_text: str | None = None) -> None:
        super().__init__()
        self.reading = structs.replace(lay(), hand_text=hand_text or load_samples()[0].hand)


@pytest.fixture
def pi(tmp_path: Path) -> Machine:
    """Return a Raspberry Pi on which all is well."""
    (tmp_path / "data").mkdir()
    pi = Machine(
        data=tmp_path / "data",
        root=tmp_path / "root",
        ask=lambda command: {"timedatectl": "yes"}.get(command[0], ""),
        required_packages=lambda: REQUIREMENTS,
        version_of=lambda name: "3.1.3",
        can_import=lambda name: True,
        reader=Reads,
        free=lambda folder: 20 * 10**9,
        current_time=lambda: SUMMER,
        address=lambda: "192.168.1.20",
    )
    with_files(pi, {"proc/meminfo": MEMINFO.format(1_880_000, 1_300_000)})
    return with_files(pi, {FIRMWARE: "0\n", f"{ZONES}0/temp": "48312\n"})


def test_all_is_well_on_a_good_machine(pi: Machine) -> None:
    findings_list = list(examine(pi))
    assert [each for each in findings_list if each.level != "ok"] == []
    assert len({each.check for each in findings_list}) == len(CHECKS) + 1, (
        "each has a name of its own"
    )


@pytest.mark.parametrize(
    ("check", "files", "level", "state", "reason"),
    [
        (check_memory, {"proc/meminfo": MEMINFO.format(930_000, 500_000)}, "warning", "small",
         "1 GB"),
        (check_memory, {"proc/meminfo": MEMINFO.format(1_880_000, 90_000)}, "warning", "short",
         "in use"),
        (check_memory, {"proc/meminfo": "Nothing of use\n"}, "ok", "unknown", "not Linux, perhaps"),
        (check_temperature, {f"{ZONES}0/temp": "79999"}, "ok", "ok", "below the soft limit"),
        (check_temperature, {f"{ZONES}1/temp": "80000"}, "warning", "hot",
         "the hottest sensor counts"),
        (check_temperature, {f"{ZONES}0/temp": "85000"}, "problem", "too-hot",
         "the Pi's own limit"),
        (check_temperature, {f"{ZONES}0/temp": "none"}, "ok", "unknown",
         "a sensor without a value"),
        (check_power, {FIRMWARE: "50005"}, "problem", "low", "bit 0: under-voltage now"),
        (check_power, {FIRMWARE: "50000"}, "warning", "was-low", "bit 16: since the start"),
        (check_power, {FIRMWARE: "80008"}, "warning", "slowed", "bit 3: soft temperature limit"),
        (check_power, {FIRMWARE: "e0000"}, "ok", "ok", "slowed once, long ago, at full voltage"),
        (check_camera, {"dev/media0": ""}, "ok", "ribbon", "the Pi's camera interface"),
        (check_camera, {"dev/v4l/by-id/usb-Logi_C270-video-index0": ""}, "ok", "usb", "a webcam"),
        (check_camera, {f"dev/v4l/by-id/usb-{n}-video-index0": "" for n in "AB"}, "ok", "usbs",
         "two"),
        (check_camera, {}, "ok", "none", "the phones take the photographs"),
    ],
)  # fmt: skip
def test_what_the_system_says(
    pi: Machine,
    check: Callable[[Machine], Finding],
    files: Mapping[str, str],
    level: str,
    state: str,
    reason: str,
) -> None:
    finding = check(with_files(pi, files))
    assert (finding.level, finding.state) == (level, state), reason


def older(name: str) -> str:
    return "1.24.0" if name == "numpy" else "3.0.9"


@pytest.mark.parametrize(
    ("check", "change", "level", "state", "reason"),
    [
        (check_disk, {"free": lambda folder: 10**9 - 1}, "warning", "low", "under a gigabyte"),
        (check_disk, {"free": lambda folder: 10**8}, "problem", "full",
         "some evenings' photographs"),
        (check_clock, {"current_time": lambda: datetime(1970, 1, 1, tzinfo=UTC)}, "warning", "old",
         "never set"),
        (check_clock, {"ask": lambda command: "no"}, "warning", "free", "no time server"),
        (check_clock, {"ask": lambda command: ""}, "ok", "ok", "no timedatectl to tell"),
        (check_switch, {}, "ok", "elsewhere", "no box"),
        (check_network, {"address": lambda: "127.0.0.1"}, "problem", "none", "this machine alone"),
        (check_python, {"python": (3, 10, 12)}, "problem", "old", "3.11 is needed"),
        (check_python, {"python": (3, 13, 0)}, "ok", "ok",
         "newer than 3.9 by number, not by letter"),
        (check_packages, {"version_of": lambda name: None}, "problem", "missing", "none installed"),
        (check_packages, {"version_of": older}, "problem", "old", "flask is older, numpy is not"),
        (check_packages, {"version_of": lambda name: "10.0"}, "ok", "ok", "10 comes after 3.1"),
        (check_packages, {"required_packages": list}, "problem", "unknown",
         "run without being installed"),
        (check_reading, {"reader": lambda: Reads("B222 | |")}, "problem", "wrong", "other tiles"),
    ],
)  # fmt: skip
def test_what_the_machine_answers(
    pi: Machine,
    check: Callable[[Machine], Finding],
    change: Mapping[str, Callable[..., object]],
    level: str,
    state: str,
    reason: str,
) -> None:
    finding = check(replace(pi, **change))  # type: ignore[arg-type]
    assert (finding.level, finding.state) == (level, state), reason


@pytest.mark.parametrize(
    ("answer", "polkit", "level", "state", "reason"),
    [
        ('s "yes"', True, "ok", "ok", "deploy/polkit.rules are in place"),
        ('s "challenge"', True, "warning", "refused", "they are not"),
        ("", True, "warning", "refused", "nobody there to ask"),
        ('s "no"', False, "warning", "no-polkit", "the installer has none to bring"),
    ],
)
def test_a_box_is_asked_whether_it_may_switch_itself_off(
    pi: Machine, answer: str, polkit: bool, level: str, state: str, reason: str
) -> None:
    with_files(pi, {"etc/systemd/system/tongbox.service": ""})
    if polkit:
        with_files(pi, {POLKIT_DAEMON: ""})
    finding = check_switch(
        replace(pi, ask=lambda command: answer if "CanPowerOff" in command else "")
    )
    assert (finding.level, finding.state) == (level, state), reason


def test_a_ribbon_camera_without_its_library_is_said(pi: Machine) -> None:
    with_files(pi, {"dev/media0": ""})
    finding = check_camera(replace(pi, can_import=lambda name: name != "picamera2"))
    assert (finding.level, finding.state) == ("warning", "no-library")


def test_a_pi_without_the_file_is_asked_by_its_own_program(pi: Machine) -> None:
    (pi.root / FIRMWARE).unlink()
    assert check_power(pi).state == "unknown"
    assert check_power(replace(pi, ask=lambda command: "throttled=0x50005")).state == "low"
    assert check_power(with_files(pi, {FIRMWARE_5: "50005"})).state == "low", "a Pi 5's name for it"


@pytest.mark.parametrize(
    ("files", "state", "reason"),
    [
        ({"name": "rpi_volt", "in0_lcrit_alarm": "1"}, "low", "the kernel's own monitor tells"),
        ({"name": "rpi_volt", "in0_lcrit_alarm": "0"}, "now", "of this moment alone"),
        ({"name": "rpi_volt"}, "unknown", "a monitor that does not tell"),
        ({"name": "cpu_thermal", "in0_lcrit_alarm": "1"}, "unknown", "the monitor of other things"),
    ],
)
def test_a_pi_without_the_file_is_asked_by_its_monitor(
    pi: Machine, files: Mapping[str, str], state: str, reason: str
) -> None:
    with_files(pi, {MONITOR + name: text for name, text in files.items()})
    assert check_power(pi).state == "ok", "the firmware's own file knows more"
    (pi.root / FIRMWARE).unlink()
    assert check_power_by_files(pi).state == check_power(pi).state == state, reason


def test_the_data_folder_is_tried(pi: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(pi.data.iterdir()) == [], "and left as it was"
    missing = replace(pi, data=pi.data / "not" / "there")
    assert check_folder(missing).state == "missing"
    assert check_disk(missing).level == "ok", "the room is that of the disk it will be on"

    def refuse(**_: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert (check_folder(pi).level, check_folder(pi).values["reason"]) == (
        "problem",
        "Permission denied",
    )


def test_a_disk_that_cannot_tell_its_room_is_a_problem(pi: Machine) -> None:
    def fail_to_tell(path: Path) -> int:
        raise OSError(5, os.strerror(5))

    assert check_disk(replace(pi, free=fail_to_tell)).state == "unknown"


def test_an_altered_model_is_a_problem(pi: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_models(pi).level == "ok"

    def raise_altered(name: str) -> None:
        raise ModelError(f"{name} is altered.")

    monkeypatch.setattr(model, "verify_model", raise_altered)
    assert (check_models(pi).level, check_models(pi).state) == ("problem", "altered")


@pytest.mark.parametrize(
    "fault", [ModelError("Missing."), PhotoError("torn", plain_text("It is torn."))]
)
def test_a_test_photo_that_is_not_read_is_a_problem(pi: Machine, fault: Exception) -> None:
    def fail() -> PhotoReader:
        raise fault

    finding = check_reading(replace(pi, reader=fail))
    assert (finding.level, finding.state) == ("problem", "failed")


def test_a_test_photo_that_takes_long_is_a_warning(
    pi: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.doctor.machine_checks.SLOW_READING_S", -1.0)
    assert (check_reading(pi).level, check_reading(pi).state) == ("warning", "slow")


def test_the_box_reads_its_test_photo_as_its_hand(pi: Machine) -> None:
    finding = READING_CHECK(Machine(pi.data))
    assert finding.level == "ok", finding


def test_a_program_that_is_missing_fails_or_hangs_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert machines.ask(("echo", "yes")) == "yes"
    assert machines.ask(("no-such-program-as-this",)) == ""
    assert machines.ask(("false",)) == ""
    monkeypatch.setattr(machines, "COMMAND_TIMEOUT_S", 0.01)
    assert machines.ask(("sleep", "5")) == ""


def test_what_is_installed_is_found_and_what_is_not_is_none() -> None:
    assert machines.version_of("pytest")
    assert machines.version_of("no-such-package-as-this") is None


def test_the_worst_is_told() -> None:
    good, ill = findings.ok("disk"), findings.problem("disk", "full")
    low = findings.warning("disk", "low")
    assert worst_level(()) == "ok"
    assert worst_level((good, low)) == "warning"
    assert worst_level((ill, low, good)) == "problem"


FINDINGS = (
    findings.ok("disk", room="20.0"),
    findings.warning("clock", "free", time="2027"),
    findings.problem("network", "none"),
)


@pytest.mark.parametrize(("shown_findings", "status"), [(FINDINGS, 1), (FINDINGS[:2], 0)])
def test_the_command_tells_all_and_ends_1_at_a_problem(
    shown_findings: tuple[Finding, ...],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "examine", lambda machine: iter(shown_findings))
    in_words, as_json = run_command("doctor"), run_command("doctor", "--json")
    assert (in_words.status, as_json.status) == (status, status)
    lines = in_words.output.splitlines()
    assert lines[0] == "ok      Space on the disk: 20.0 GB are free."
    assert lines[2].startswith("        If that is wrong"), "what to do, under what is wrong"
    assert len(lines) == len(shown_findings) + sum(each.level != "ok" for each in shown_findings)
    told = [json.loads(line) for line in as_json.output.splitlines()]
    assert [each["level"] for each in told] == [each.level for each in shown_findings]
    assert [bool(each["do"]) for each in told] == [each.level != "ok" for each in shown_findings]


def test_every_warning_and_problem_has_its_words_and_none_are_in_vain() -> None:
    """The states named in the checks' code, with their levels, against the strings file."""
    folder = Path(findings.__file__).parent
    code = "\n".join(module.read_text("utf-8") for module in folder.glob("*.py"))
    keys = {key for key in load() if key.startswith("doctor.")}
    for key in keys:
        _, check, state = key.split(".")
        state = state.removesuffix("-do")
        assert f'("{check}"' in code, key
        assert state in ("title", "ok") or f'"{state}"' in code, key
    for check in {key.split(".")[1] for key in keys}:
        assert f"doctor.{check}.title" in keys
        for level in ("warning", "problem"):
            for said in code.split(f'{level}("{check}", "')[1:]:
                state = said.partition('"')[0]
                assert {f"doctor.{check}.{state}", f"doctor.{check}.{state}-do"} <= keys
