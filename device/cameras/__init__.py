"""The cameras that the box can have, behind one protocol, and the one thread that owns one."""

from __future__ import annotations

from device.cameras.opening import CHOICES, open_camera
from device.cameras.protocol import Camera, CameraError, CameraInfo, Frame

__all__ = ["CHOICES", "Camera", "CameraError", "CameraInfo", "Frame", "open_camera"]
