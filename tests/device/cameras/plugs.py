"""Webcams that are plugged in and pulled out: udev's links and the kernel's names in a folder.

A folder of pictures stands in for what each sees; nothing of it is a real driver.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from PIL import Image

from device.cameras.base import CameraInfo, CameraUnavailableError, Frame, camera_message
from device.cameras.cameras import WebcamSource
from device.cameras.folder import FolderCamera
from device.cameras.webcams import Webcam, list_webcams
from tests.device.fake_camera import wait_until
from tests.device.shared_decoder import DECODER

_NUMBERS = re.compile("[0-9a-f]{4}_[0-9a-f]{4}")
"""What udev says of a webcam that says neither its maker's name nor its own."""


@dataclass
class Plugs:
    """A computer's sockets, and what is plugged into them."""

    root: Path
    open_names: list[str] = field(default_factory=list)
    """What was opened and let go, in this order: `+video0`, `-video0`."""
    stuck_names: set[str] = field(default_factory=set)
    """Which of them take no photograph before they are let go, or do not open: `start video0`."""

    def plug(self, number: int, make: str, serial: str = "", socket: str = "1.1") -> None:
        """Plug a webcam in as /dev/videoN; its picture is of one grey, by its number.

        `make` is what udev says: the maker's name or number, and the product's.
        """
        device = self.root / f"dev/video{number}"
        device.parent.mkdir(parents=True, exist_ok=True)
        device.touch()
        by_id = "_".join(["usb", make, *([serial] if serial else [])]).replace("usb_", "usb-")
        self.link(f"by-id/{by_id}-video-index0", number)
        path = f"platform-fd500000.pcie-pci-0000:01:00.0-usb-0:{socket}:1.0-video-index0"
        self.link(f"by-path/{path}", number)
        self.link(f"by-path/{path.replace('-usb-', '-usbv2-')}", number)
        name = self.root / f"sys/class/video4linux/video{number}/name"
        name.parent.mkdir(parents=True, exist_ok=True)
        product = re.sub("^[0-9a-f]{4} ", "", make.replace("_", " "))
        says = f"UVC Camera ({make.replace('_', ':')})" if _NUMBERS.fullmatch(make) else product
        name.write_text(f"{says}: {product}\n" if says == product else f"{says}\n")
        pictures = self.root / f"pictures/video{number}"
        pictures.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (640, 480), (20 + 10 * number,) * 3).save(pictures / "a.png")

    def pull(self, number: int) -> None:
        """Pull out what is /dev/videoN."""
        for link in self.root.glob("dev/v4l/*/*"):
            if link.resolve().name == f"video{number}":
                link.unlink()
        (self.root / f"dev/video{number}").unlink()

    def find(self) -> list[Webcam]:
        """Return what is plugged in."""
        return list_webcams(self.root)

    @property
    def webcam_source(self) -> WebcamSource:
        """The webcams as the box has them."""
        return WebcamSource(self.find, lambda webcam: FolderWebcam(self, webcam))

    def link(self, name: str, number: int) -> None:
        link = self.root / "dev/v4l" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)  # of two alike the last one has it
        link.symlink_to(f"../../video{number}")


class FolderWebcam(FolderCamera):
    """A webcam that is a folder of pictures, and gives none once it is pulled out."""

    def __init__(self, plugs: Plugs, webcam: Webcam) -> None:
        self._plugs, self._device = plugs, Path(webcam.device)
        self._is_open = False
        super().__init__(plugs.root / "pictures" / self._device.name, DECODER)

    def start(self) -> CameraInfo:
        """Begin; raise CameraError as OpenCV's would for what another has open."""
        self._check()
        device_name = self._device.name
        if self._plugs.open_names.count(f"+{device_name}") > self._plugs.open_names.count(
            f"-{device_name}"
        ):
            raise CameraUnavailableError(camera_message("webcam-busy"))
        self._plugs.open_names.append(f"+{device_name}")
        self._is_open = True
        wait_until(lambda: f"start {device_name}" not in self._plugs.stuck_names)
        return replace(super().start(), name=device_name, device=str(self._device))

    def preview(self, timeout: float) -> Frame:
        """Return what it sees, small."""
        self._check()
        return super().preview(timeout)

    def take_still(self, timeout: float) -> Frame:
        """Return what it sees."""
        wait_until(lambda: self._device.name not in self._plugs.stuck_names)
        self._check()
        return super().take_still(timeout)

    def close(self) -> None:
        """Let it go."""
        if self._is_open:
            self._plugs.open_names.append(f"-{self._device.name}")
        self._is_open = False
        super().close()

    def _check(self) -> None:
        if not self._device.exists():
            raise CameraUnavailableError(camera_message("webcam-stopped"))
