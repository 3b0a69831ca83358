"""Check the computer, what is around it and what is installed on it.

The checks are of disk, memory, temperature, power, clock and cameras; of Python, packages and
models; and the reading of a photograph. On a running box, its own worker reads the photograph.
"""

from __future__ import annotations

import contextlib
import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from device.doctor.finding import Finding, ok, problem, warning
from device.hands.readings import PhotoReader
from device.host.machine import LOOPBACK_ADDRESS, Machine
from device.host.service_manager import SERVICE_UNIT, can_switch_off
from device.jobs import PhotoQueue
from device.samples import load_samples
from device.store.files import try_file
from vision.errors import ModelError, PhotoError
from vision.photo import open_photo
from vision.preprocess import RGB
from vision.reading import Problem

if TYPE_CHECKING:  # loads OpenCV, which the checks of `tongbox doctor` do not need
    from device.cameras.cameras import TableWebcam
    from device.cameras.service import CameraStatus

GIGABYTE_BYTES = 10**9

LOW_DISK_BYTES = 1 * GIGABYTE_BYTES
"""Free space below which a warning is due: some 200 photographs of 5 MB."""

FULL_DISK_BYTES = GIGABYTE_BYTES // 5
"""Free space that the photographs of a few evenings fill."""

MIN_TOTAL_MEMORY_KB = 1_500_000
"""Total memory (MemTotal) that deploy/lib.sh asks for: a Raspberry Pi with 2 GB has more."""

MIN_FREE_MEMORY_KB = 200_000
"""Available memory (MemAvailable) below which the next large photograph might not fit."""

MIN_HOT_CELSIUS, MIN_TOO_HOT_CELSIUS = 80, 85
"""The temperature at which a Raspberry Pi begins to slow down, and at which it does so fully."""

UNDER_VOLTAGE_BIT, UNDER_VOLTAGE_SINCE_START_BIT = 1 << 0, 1 << 16
SLOWED_BITS = 1 << 1 | 1 << 2 | 1 << 3
"""Bits of the Raspberry Pi firmware's get_throttled: capped, throttled, soft temperature limit."""

THROTTLED_FILE = "sys/devices/platform/soc*/soc*:firmware/get_throttled"

VOLTAGE_MONITOR_FILES = "sys/class/hwmon/hwmon*/name"
VOLTAGE_MONITOR_NAME, VOLTAGE_ALARM_FILE = "rpi_volt", "in0_lcrit_alarm"
"""The kernel's monitor of a Raspberry Pi's voltage, and its file that says 1 if it is low."""

POLKIT_DAEMON = "usr/lib/polkit-1/polkitd"
"""The program that lets the box's user switch it off, in Debian's package polkitd."""

FIRST_RELEASE_YEAR = 2026
"""Year of the first release: a clock that shows an earlier year was never set."""

CAMERA_LIBRARIES = ("libcamera", "picamera2")

MIN_PYTHON_VERSION = (3, 11)

MODEL_NAMES = ("locator", "classifier", "signs", "printed")

SLOW_READING_S = 30.0
"""Seconds for one photograph after which players get impatient; 0.5 on a desktop machine."""

JOB_ID = "test-photo"
"""Id of the job that reads the sample, among the ids of hands."""


def check_disk(machine: Machine) -> Finding:
    """Check that there is room for photographs."""
    folder = next(each for each in (machine.data, *machine.data.parents) if each.exists())
    try:
        free = machine.free(folder)
    except OSError as error:
        return problem("disk", "unknown", reason=error.strerror)
    room = f"{free / GIGABYTE_BYTES:.1f}"
    if free < FULL_DISK_BYTES:
        return problem("disk", "full", room=room)
    return warning("disk", "low", room=room) if free < LOW_DISK_BYTES else ok("disk", room=room)


def check_folder(machine: Machine) -> Finding:
    """Check that hands and photographs can be kept in the data folder."""
    if not machine.data.is_dir():
        return warning("folder", "missing", folder=machine.data)
    try:
        with try_file(machine.data) as file:
            file.write(b"tongbox")
    except OSError as error:
        return problem("folder", "closed", folder=machine.data, reason=error.strerror)
    return ok("folder", folder=machine.data)


def check_memory(machine: Machine) -> Finding:
    """Check that there is enough memory for a reading."""
    lines = (line.split() for line in machine.text("proc/meminfo").splitlines())
    sizes = {line[0]: int(line[1]) for line in lines if len(line) > 1 and line[1].isdigit()}
    if not {"MemTotal:", "MemAvailable:"} <= sizes.keys():
        return ok("memory", "unknown")
    total, available = sizes["MemTotal:"], sizes["MemAvailable:"]
    values = {"total": f"{total / 1e6:.1f}", "available": f"{available / 1e6:.1f}"}
    if total < MIN_TOTAL_MEMORY_KB:
        return warning("memory", "small", **values)
    if available < MIN_FREE_MEMORY_KB:
        return warning("memory", "short", **values)
    return ok("memory", **values)


def check_temperature(machine: Machine) -> Finding:
    """Check that the processor is not too hot, by the hottest of its sensors."""
    names = [f"{zone}/temp" for zone in machine.root.glob("sys/class/thermal/thermal_zone*")]
    readings: list[int] = []
    for name in names:
        with contextlib.suppress(ValueError):  # thousandths of a degree; some sensors have none
            readings.append(int(machine.text(name)))
    if not readings:
        return ok("temperature", "unknown")
    degrees = max(readings) // 1000
    if degrees >= MIN_TOO_HOT_CELSIUS:
        return problem("temperature", "too-hot", degrees=degrees)
    if degrees >= MIN_HOT_CELSIUS:
        return warning("temperature", "hot", degrees=degrees)
    return ok("temperature", degrees=degrees)


def check_power(machine: Machine) -> Finding:
    """Check that a Raspberry Pi has enough voltage, and had since its start."""
    finding = check_power_by_files(machine)
    if finding.state != "unknown":
        return finding
    return _power_finding(machine.ask(("vcgencmd", "get_throttled")))


def check_power_by_files(machine: Machine) -> Finding:
    """Check the same by the kernel's files, which costs next to nothing."""
    finding = _power_finding(machine.first_text(THROTTLED_FILE))
    if finding.state != "unknown":
        return finding
    for path in machine.root.glob(VOLTAGE_MONITOR_FILES):
        name = path.relative_to(machine.root)
        if machine.text(str(name)) == VOLTAGE_MONITOR_NAME and (
            low := machine.text(str(name.parent / VOLTAGE_ALARM_FILE))
        ):
            return problem("power", "low") if low == "1" else ok("power", "now")
    return finding


def _power_finding(text: str) -> Finding:
    """Interpret the firmware's bits; `unknown` for a text that is not a Raspberry Pi's."""
    try:
        bits = int(text.removeprefix("throttled="), 16)
    except ValueError:
        return ok("power", "unknown")
    if bits & UNDER_VOLTAGE_BIT:
        return problem("power", "low")
    if bits & UNDER_VOLTAGE_SINCE_START_BIT:
        return warning("power", "was-low")
    return warning("power", "slowed") if bits & SLOWED_BITS else ok("power")


def check_clock(machine: Machine) -> Finding:
    """Check that the clock is right. A Pi has none of its own; only displayed times need it."""
    finding = check_clock_year(machine)
    if finding.level != "ok":
        return finding
    sync_answer = machine.ask(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    return warning("clock", "free", **finding.values) if sync_answer == "no" else finding


def check_clock_year(machine: Machine) -> Finding:
    """Check that the clock was ever set, by its year."""
    current_time = machine.current_time()
    time_text = f"{current_time:%Y-%m-%d %H:%M} UTC"
    if current_time.year < FIRST_RELEASE_YEAR:
        return warning("clock", "old", time=time_text)
    return ok("clock", time=time_text)


def check_switch(machine: Machine) -> Finding:
    """Check that a box can be switched off from its page; other computers need not."""
    if not (machine.root / "etc/systemd/system" / SERVICE_UNIT).exists():
        return ok("switch", "elsewhere")
    if can_switch_off(machine):
        return ok("switch")
    has_polkit = (machine.root / POLKIT_DAEMON).exists()
    return warning("switch", "refused" if has_polkit else "no-polkit")


def check_network(machine: Machine) -> Finding:
    """Check that the box has an address by which phones find it."""
    address = machine.address()
    return (
        problem("network", "none")
        if address == LOOPBACK_ADDRESS
        else ok("network", address=address)
    )


def check_camera(machine: Machine) -> Finding:
    """Look for a camera of the box's own; without one, the phones take the photographs.

    The check looks for devices and the library, and opens nothing: a camera serves one program at
    a time.
    """
    usb = sorted(each.name for each in machine.root.glob("dev/v4l/by-id/usb-*-index0"))
    if usb:
        names = (each.removeprefix("usb-").removesuffix("-video-index0") for each in usb)
        return ok("camera", "usb" if len(usb) == 1 else "usbs", name=", ".join(names))
    nodes = any(machine.root.glob("dev/media*"))
    if nodes and not all(map(machine.can_import, CAMERA_LIBRARIES)):
        return warning("camera", "no-library")
    return ok("camera", "ribbon" if nodes else "none")


def check_running_camera(status: CameraStatus | None) -> Finding:
    """Return the finding for the camera of a running box; its status is None without a camera."""
    if status is None or status.state == "absent":
        return ok("camera", "none")
    if status.state == "lost":
        return warning("camera", "lost", reason=status.sentence)
    if status.info is None:
        return ok("camera", "starting")
    info = status.info
    return ok("camera", "works", name=info.name, width=info.width, height=info.height)


def check_table_camera(webcam: TableWebcam, status: CameraStatus | None) -> Finding:
    """Return the finding for a table's webcam; its status is None while nobody looks."""
    values = {"table": webcam.table, "camera": webcam.title}
    if status is not None and status.state == "lost":
        return warning("camera", "table-lost", **values, reason=status.sentence)
    info = status.info if status else None
    if info is None:
        return ok("camera", "table-rests", **values)
    return ok("camera", "table-works", **values, width=info.width, height=info.height)


def check_python(machine: Machine) -> Finding:
    """Check that Python is new enough."""
    version = ".".join(map(str, machine.python))
    if machine.python[:2] < MIN_PYTHON_VERSION:
        return problem("python", "old", version=version)
    return ok("python", version=version)


def check_packages(machine: Machine) -> Finding:
    """Check that every required package is installed, and new enough."""
    requirements = [re.match(r"([\w-]+)>=([\d.]+)", each) for each in machine.required_packages()]
    wanted_versions = {each[1]: each[2] for each in requirements if each}
    if not wanted_versions:
        return problem("packages", "unknown")
    installed_versions = {name: machine.version_of(name) for name in wanted_versions}
    missing = [name for name, version in installed_versions.items() if version is None]
    if missing:
        return problem("packages", "missing", names=", ".join(missing))
    old = [
        name
        for name, at_least in wanted_versions.items()
        if _older(installed_versions[name] or "", at_least)
    ]
    if old:
        return problem(
            "packages", "old", names=", ".join(f"{n} {installed_versions[n]}" for n in old)
        )
    shown_packages = ("tongbox", "onnxruntime", "opencv-python-headless", "numpy")
    versions = [f"{name} {machine.version_of(name)}" for name in shown_packages]
    return ok("packages", count=len(wanted_versions), versions=", ".join(versions))


def check_models(machine: Machine) -> Finding:
    """Check that the networks' files are those that their cards describe."""
    try:
        hashes = model_hashes()
    except ModelError as error:
        return problem("models", "altered", reason=error)
    return ok("models", hashes=", ".join(f"{name} {start}" for name, start in hashes.items()))


def model_hashes() -> dict[str, str]:
    """Return the beginning of each network's SHA-256, by name; raise ModelError."""
    from vision.networks.model import verify_model  # loads onnxruntime, which no other check needs

    return {name: verify_model(name)[0].sha256[:12] for name in MODEL_NAMES}


def check_reading(machine: Machine) -> Finding:
    """Check that a photograph of a known hand is read correctly."""
    sample = load_samples()[0]
    try:
        reader = machine.reader()
        start = time.perf_counter()
        read = reader.read(open_photo(sample.path.read_bytes(), sample.path.name))
    except PhotoError as error:
        return problem("reading", "failed", reason=error.message)
    except (ModelError, OSError) as error:
        return problem("reading", "failed", reason=error)
    seconds = time.perf_counter() - start
    if _tiles(read.hand_text) != _tiles(sample.hand):
        return problem("reading", "wrong", read=_tiles(read.hand_text), hand=_tiles(sample.hand))
    if seconds > SLOW_READING_S:
        return warning("reading", "slow", seconds=f"{seconds:.0f}")
    return ok("reading", count=len(read.tiles), seconds=f"{seconds:.1f}")


def _older(version: str, other: str) -> bool:
    """Whether one version comes before another, by their numbers."""
    numbers = [[int(part) for part in re.findall(r"\d+", each)] for each in (version, other)]
    return numbers[0] < numbers[1]


def _tiles(hand_text: str) -> str:
    """Return a hand text without the parts that no photograph shows."""
    return " ".join(word for word in hand_text.split() if "=" not in word)


class SampleReading:
    """The last reading of the test photograph since the box was started."""

    def __init__(self) -> None:
        self.finding: Finding | None = None

    def begin(self, jobs: PhotoQueue, machine: Machine) -> None:
        """Queue the photograph for the worker."""

        def read(reader: PhotoReader) -> None:
            reader.use_tile_set({}, _no_crop)  # the sample shows another tile set
            self.finding = check_reading(replace(machine, reader=lambda: reader))

        def fail(fault: Problem) -> None:
            self.finding = problem("reading", "failed", reason=fault.message)

        jobs.use_reader(JOB_ID, read, fail)

    def under_way(self, jobs: PhotoQueue) -> bool:
        """Whether the photograph is queued or being read."""
        return jobs.stage(JOB_ID) is not None


def _no_crop(name: str) -> RGB:
    raise KeyError(name)
