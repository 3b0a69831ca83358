"""What picamera2 lacks to drive libcamera's virtual camera, for which it was not made.

Our own backend then runs on the real picamera2 and the real libcamera, unchanged. Written against
picamera2 0.3.38 and libcamera 0.7.2; what is overridden here is private there.
"""

from __future__ import annotations

from typing import Any

import libcamera
import picamera2
from picamera2.allocators import DmaAllocator
from picamera2.picamera2 import CameraManager
from picamera2.request import CompletedRequest


class TwoPlanes(DmaAllocator):  # type: ignore[misc]  # it has no types
    """Gives brightness and colour a plane each, as the virtual camera wants them."""

    def allocate(self, libcamera_config: Any, _: object) -> None:  # noqa: ANN401
        super().allocate(libcamera_config, None)
        for config in libcamera_config:
            bright = config.stride * config.size.height
            parts = ((0, bright), (bright, config.frame_size - bright))
            buffers = self.frame_buffers[config.stream]
            for place, buffer in enumerate(buffers):
                planes = []
                for offset, length in parts:
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = buffer.planes[0].fd, offset, length
                    planes.append(plane)
                buffers[place] = libcamera.FrameBuffer(planes)
                self.mapped_buffers[buffers[place]] = self.mapped_buffers.pop(buffer)
                # A plane holds a copy of the file's number, and by that the memory is kept mapped.
                self.libcamera_fds.append(planes[0].fd)
                self.mapped_buffers_used[planes[0].fd] = False


class VirtualPicamera2(picamera2.Picamera2):  # type: ignore[misc]
    """picamera2, for a camera without raw pictures."""

    def __init__(self) -> None:
        super().__init__(allocator=TwoPlanes())

    def _get_raw_modes(self) -> list[dict[str, object]]:
        best = self.camera.generate_configuration([libcamera.StreamRole.StillCapture]).at(0).size
        return [{"format": "NV12", "size": (best.width, best.height)}]


class TimedRequest(CompletedRequest):  # type: ignore[misc]
    """A frame with an exposure time, which every camera of a Pi tells and flushing counts on."""

    def get_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 0, **super().get_metadata()}


class Cable:
    """The ribbon cable: while it is out, the frames that libcamera makes reach nobody."""

    def __init__(self) -> None:
        self.is_in = True
        self._handle = CameraManager.handle_request
        self._lost_requests: list[libcamera.Request] = []

    def handle_request(self, manager: CameraManager, flushid: int | None = None) -> None:
        """Stand in for picamera2's own function, which hands finished frames on."""
        if self.is_in:
            self._handle(manager, flushid)
        else:
            self._lost_requests += (
                manager.cms.get_ready_requests()
            )  # libcamera may still look at them


def use() -> Cable:
    """Replace Picamera2 by the class above; return its cable."""
    cable = Cable()
    CameraManager.handle_request = lambda manager, flushid=None: cable.handle_request(
        manager, flushid
    )
    picamera2.picamera2.CompletedRequest = TimedRequest
    picamera2.Picamera2 = VirtualPicamera2
    return cable
