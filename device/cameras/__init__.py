"""The box's cameras: one protocol for all kinds, and one thread that owns each camera."""

from __future__ import annotations

from device.cameras.camera_choice import CAMERA_CHOICES, open_camera
from device.cameras.protocol import Camera, CameraError, CameraInfo, Frame

__all__ = ["CAMERA_CHOICES", "Camera", "CameraError", "CameraInfo", "Frame", "open_camera"]
