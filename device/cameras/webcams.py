"""Webcams: the plugged-in ones by stable names, and their pictures through OpenCV.

/dev/video0 is whichever device came first, and on a Pi a codec. udev has two names for a webcam: by
its make, wherever it is plugged in, and by its socket. Two webcams of one make without serial
numbers share the first name, so they are told apart by their sockets.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/")

_BUS_AND_MAKER = re.compile(r"^usb-([0-9a-f]{4}_)?")
"""Beginning of udev's names by id; the maker is a number if the webcam has no name for it."""


@dataclass(frozen=True, slots=True)
class Webcam:
    """A plugged-in webcam."""

    names: tuple[str, ...]
    """Names that lead only to this webcam; it is chosen by the first."""
    title: str
    """Name for people."""
    path: str
    """The path to open it."""
    device: str
    """The kernel's device behind the path."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""
        return self.names[0]


def webcams(root: Path = ROOT) -> list[Webcam]:
    """Return the plugged-in webcams by title, each by the node that has its pictures."""
    by_id = _links(root / "dev/v4l/by-id", "usb-*-video-index0")
    by_path = _links(root / "dev/v4l/by-path", "*-usb-*-video-index0")
    makes = {device: _make(root, device, by_id) for device in by_id | by_path}
    # A shared link leads to one of several, so the others of that make have none.
    alike = {makes[device] for device in by_path if device not in by_id}
    told_apart = Counter(makes.values())
    found = []
    for device, make in makes.items():
        links = [by_id] if device in by_id and make not in alike else []
        paths = [each[device] for each in (*links, by_path) if device in each]
        socket = re.search(r"-usb-0:([\d.]+):", by_path[device].name) if device in by_path else None
        title = f"{make} (USB {socket[1]})" if told_apart[make] > 1 and socket else make
        names = tuple(path.name for path in paths)
        found.append(Webcam(names, title, str(paths[0]), str(device)))
    return sorted(found, key=lambda each: (each.title, each.name))


def _links(folder: Path, pattern: str) -> dict[Path, Path]:
    """Return udev's links by their targets; of two links to the same target, the first."""
    links = sorted((each for each in folder.glob(pattern) if each.exists()), reverse=True)
    return {link.resolve(): link for link in links}


def _make(root: Path, device: Path, by_id: dict[Path, Path]) -> str:
    """Return a webcam's own name, or else its maker's numbers."""
    try:
        said = (root / "sys/class/video4linux" / device.name / "name").read_text("utf-8", "replace")
    except OSError:
        said = _BUS_AND_MAKER.sub("", by_id[device].name) if device in by_id else device.name
    # Linux adds ": " and the interface's purpose; numbers look like "UVC Camera (046d:0825)".
    make = said.removesuffix("-video-index0").partition(": ")[0].replace("_", " ")
    return " ".join(make.split()) or device.name
