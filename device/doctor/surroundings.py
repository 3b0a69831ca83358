"""Check what is around the box: its clock, network and cameras."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.doctor.finding import Finding, ok, problem, warning
from device.host.address import LOOPBACK
from device.host.machine import Machine
from device.host.power import UNIT, may_switch_off

if TYPE_CHECKING:  # loads OpenCV, which the checks of `tongbox doctor` do not need
    from device.cameras.cameras import TableWebcam
    from device.cameras.service import CameraStatus

FIRST_YEAR = 2026
"""Year of the first release: a clock that shows an earlier year was never set."""

CAMERA_LIBRARIES = ("libcamera", "picamera2")


def clock(machine: Machine) -> Finding:
    """Check that the clock is right. A Pi has none of its own; only displayed times need it."""
    found = clock_by_itself(machine)
    if found.level != "ok":
        return found
    synchronised = machine.ask(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    return warning("clock", "free", **found.values) if synchronised == "no" else found


def clock_by_itself(machine: Machine) -> Finding:
    """Check that the clock was ever set, by its year."""
    now = machine.now()
    shown = f"{now:%Y-%m-%d %H:%M} UTC"
    if now.year < FIRST_YEAR:
        return warning("clock", "old", time=shown)
    return ok("clock", time=shown)


def switch(machine: Machine) -> Finding:
    """Check that a box can be switched off from its page; other computers need not."""
    if not (machine.root / "etc/systemd/system" / UNIT).exists():
        return ok("switch", "elsewhere")
    return ok("switch") if may_switch_off(machine) else warning("switch", "refused")


def network(machine: Machine) -> Finding:
    """Check that the box has an address by which phones find it."""
    address = machine.address()
    return problem("network", "none") if address == LOOPBACK else ok("network", address=address)


def camera(machine: Machine) -> Finding:
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


def running(status: CameraStatus | None) -> Finding:
    """Return the finding for the camera of a running box; its status is None without a camera."""
    if status is None or status.state == "absent":
        return ok("camera", "none")
    if status.state == "lost":
        return warning("camera", "lost", reason=status.sentence)
    if status.info is None:
        return ok("camera", "starting")
    info = status.info
    return ok("camera", "works", name=info.name, width=info.width, height=info.height)


def running_over(own: TableWebcam, status: CameraStatus | None) -> Finding:
    """Return the finding for a table's webcam; its status is None while nobody looks."""
    said = {"table": own.table, "camera": own.title}
    if status is not None and status.state == "lost":
        return warning("camera", "table-lost", **said, reason=status.sentence)
    info = status.info if status else None
    if info is None:
        return ok("camera", "table-rests", **said)
    return ok("camera", "table-works", **said, width=info.width, height=info.height)
