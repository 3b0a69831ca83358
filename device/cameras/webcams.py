"""The webcams that are plugged in, each under a name that stays its own.

/dev/video0 is whichever came first, and on a Pi a codec. udev names a webcam twice: by what it is,
which stays with it wherever it is plugged in, and by its socket. Of two of one make that have no
serial number of their own the first name leads to either: they are told apart by their sockets.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/")

_BUS_AND_MAKER = re.compile(r"^usb-([0-9a-f]{4}_)?")
"""How udev's name by id begins; the maker is a number where the webcam does not say its name."""


@dataclass(frozen=True, slots=True)
class Webcam:
    """A webcam that is plugged in."""

    names: tuple[str, ...]
    """That lead to it and to no other; it is chosen by the first."""
    title: str
    """What people call it."""
    path: str
    """By which it is opened."""
    device: str
    """What that leads to, as the kernel calls it."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""
        return self.names[0]


def webcams(root: Path = ROOT) -> list[Webcam]:
    """Return the webcams that are plugged in, by their titles; of each the node with pictures."""
    by_id = _links(root / "dev/v4l/by-id", "usb-*-video-index0")
    by_path = _links(root / "dev/v4l/by-path", "*-usb-*-video-index0")
    makes = {device: _make(root, device, by_id) for device in by_id | by_path}
    # A link of several leads to one of them, so another of that make has none.
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
    """Return udev's links by what they lead to; of two to the same the first."""
    links = sorted((each for each in folder.glob(pattern) if each.exists()), reverse=True)
    return {link.resolve(): link for link in links}


def _make(root: Path, device: Path, by_id: dict[Path, Path]) -> str:
    """Return what a webcam calls itself; one that does not, its maker's numbers."""
    try:
        said = (root / "sys/class/video4linux" / device.name / "name").read_text("utf-8", "replace")
    except OSError:
        said = _BUS_AND_MAKER.sub("", by_id[device].name) if device in by_id else device.name
    # Linux adds ": " and what the interface is for; the numbers are "UVC Camera (046d:0825)".
    make = said.removesuffix("-video-index0").partition(": ")[0].replace("_", " ")
    return " ".join(make.split()) or device.name
