"""Check the computer and what is around it: disk, memory, temperature, power, clock, cameras."""

from __future__ import annotations

import contextlib

from device.doctor.finding import Finding, ok, problem, warning
from device.host.machine import Machine
from device.store.files import tried

GB = 10**9

LOW_DISK = 1 * GB
"""Free space below which a warning is due: some 200 photographs of 5 MB."""

NO_DISK = GB // 5
"""Free space that the photographs of a few evenings fill."""

SMALL_MEMORY = 1_500_000
"""Total memory (MemTotal) that deploy/lib.sh asks for: a Raspberry Pi with 2 GB has more."""

SHORT_MEMORY = 200_000
"""Available memory (MemAvailable) below which the next large photograph might not fit."""

HOT, TOO_HOT = 80, 85
"""The temperature at which a Raspberry Pi begins to slow down, and at which it does so fully."""

UNDER_VOLTAGE, UNDER_VOLTAGE_SINCE_START = 1 << 0, 1 << 16
SLOWED = 1 << 1 | 1 << 2 | 1 << 3
"""Bits of the Raspberry Pi firmware's get_throttled: capped, throttled, soft temperature limit."""

THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"

MONITORS = "sys/class/hwmon/hwmon*/name"
VOLTAGE, ALARM = "rpi_volt", "in0_lcrit_alarm"
"""The kernel's monitor of a Raspberry Pi's voltage, and its file that says 1 if it is low."""


def disk(machine: Machine) -> Finding:
    """Check that there is room for photographs."""
    folder = next(each for each in (machine.data, *machine.data.parents) if each.exists())
    try:
        free = machine.free(folder)
    except OSError as error:
        return problem("disk", "unknown", reason=error.strerror)
    room = f"{free / GB:.1f}"
    if free < NO_DISK:
        return problem("disk", "full", room=room)
    return warning("disk", "low", room=room) if free < LOW_DISK else ok("disk", room=room)


def folder(machine: Machine) -> Finding:
    """Check that hands and photographs can be kept in the data folder."""
    if not machine.data.is_dir():
        return warning("folder", "missing", folder=machine.data)
    try:
        with tried(machine.data) as file:
            file.write(b"tongbox")
    except OSError as error:
        return problem("folder", "closed", folder=machine.data, reason=error.strerror)
    return ok("folder", folder=machine.data)


def memory(machine: Machine) -> Finding:
    """Check that there is enough memory for a reading."""
    lines = (line.split() for line in machine.text("proc/meminfo").splitlines())
    sizes = {line[0]: int(line[1]) for line in lines if len(line) > 1 and line[1].isdigit()}
    if not {"MemTotal:", "MemAvailable:"} <= sizes.keys():
        return ok("memory", "unknown")
    total, available = sizes["MemTotal:"], sizes["MemAvailable:"]
    values = {"total": f"{total / 1e6:.1f}", "available": f"{available / 1e6:.1f}"}
    if total < SMALL_MEMORY:
        return warning("memory", "small", **values)
    if available < SHORT_MEMORY:
        return warning("memory", "short", **values)
    return ok("memory", **values)


def temperature(machine: Machine) -> Finding:
    """Check that the processor is not too hot, by the hottest of its sensors."""
    names = [f"{zone}/temp" for zone in machine.root.glob("sys/class/thermal/thermal_zone*")]
    readings: list[int] = []
    for name in names:
        with contextlib.suppress(ValueError):  # thousandths of a degree; some sensors have none
            readings.append(int(machine.text(name)))
    if not readings:
        return ok("temperature", "unknown")
    degrees = max(readings) // 1000
    if degrees >= TOO_HOT:
        return problem("temperature", "too-hot", degrees=degrees)
    if degrees >= HOT:
        return warning("temperature", "hot", degrees=degrees)
    return ok("temperature", degrees=degrees)


def power(machine: Machine) -> Finding:
    """Check that a Raspberry Pi has enough voltage, and had since its start."""
    found = power_by_files(machine)
    if found.state != "unknown":
        return found
    return _throttled(machine.ask(("vcgencmd", "get_throttled")))


def power_by_files(machine: Machine) -> Finding:
    """Check the same by the kernel's files, which costs next to nothing."""
    found = _throttled(machine.first_text(THROTTLED))
    if found.state != "unknown":
        return found
    for path in machine.root.glob(MONITORS):
        name = path.relative_to(machine.root)
        if machine.text(str(name)) == VOLTAGE and (low := machine.text(str(name.parent / ALARM))):
            return problem("power", "low") if low == "1" else ok("power", "now")
    return found


def _throttled(said: str) -> Finding:
    """Interpret the firmware's bits; `unknown` for a text that is not a Raspberry Pi's."""
    try:
        bits = int(said.removeprefix("throttled="), 16)
    except ValueError:
        return ok("power", "unknown")
    if bits & UNDER_VOLTAGE:
        return problem("power", "low")
    if bits & UNDER_VOLTAGE_SINCE_START:
        return warning("power", "was-low")
    return warning("power", "slowed") if bits & SLOWED else ok("power")
