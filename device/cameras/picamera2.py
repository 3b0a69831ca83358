"""The Raspberry Pi's camera through picamera2, with the controls saved for each model.

Supports Camera Module 2, 3 and HQ. One configuration runs all the time, because changing it needs
more contiguous memory than a small Pi has. Half the sensor's resolution is enough for tiles. Names
and behaviour are those of picamera2 0.3.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import Any

from device.cameras.aiming import is_well_lit
from device.cameras.base import (
    PREVIEW_SIDE_PX,
    CameraBusyError,
    CameraError,
    CameraInfo,
    CameraNotFoundError,
    CameraTimeoutError,
    CameraUnavailableError,
    Frame,
    camera_message,
    to_rgb,
)

MAX_SENSOR_WIDTH_PX = 2400
"""A wider sensor is halved: all three models then give 1640 to 2304 pixels, without cropping."""

FOCUS_TIMEOUT_S = 5.0
"""Focusing stops after this time: in the dark it may never end."""

AF_SCANNING, AF_FOCUSED = 1, 2
"""libcamera's AfState in a frame's metadata."""

SETTLING_FRAMES = 12
"""Frames for exposure and white balance to settle; libcamera needs about ten."""

FRAME_TIMEOUT_S = 2.0
"""Time for one frame while settling."""

KEPT_METADATA = ("SensorTimestamp", "ExposureTime", "AnalogueGain", "ColourGains", "Lux",
        "ColourTemperature", "FocusFoM", "AfState", "LensPosition")  # fmt: skip
"""Metadata of a frame that is stored; no camera gives all of it."""

LOCKED_CONTROLS = ("ExposureTime", "AnalogueGain", "ColourGains")
"""Setting one of these to a number turns off the automatic that found it."""

MAINS_FLICKER_US = 10_000
"""Time between two flashes of lamps on 50 Hz mains. With exposure times that are multiples of it,
every row of a picture gets the same light."""


def is_installed() -> bool:
    """Whether picamera2 can be loaded and sees a camera of the Pi.

    It lists webcams too, but cannot preview them: OpenCV does that.
    """
    try:
        from picamera2 import Picamera2

        return any("/usb" not in camera["Id"] for camera in Picamera2.global_camera_info())
    except (ImportError, RuntimeError, OSError):
        return False


class Picamera2Camera:
    """The Pi's camera, with focus and exposure locked once they are found."""

    def __init__(self, adjusted: SavedControls) -> None:
        self._adjusted = adjusted
        self._camera: Any = None
        self._model = ""

    def start(self) -> CameraInfo:
        """Open the camera with its saved controls; raise CameraError.

        It is adjusted if there are no saved controls, or if the light has changed.
        """
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraUnavailableError(camera_message("not-installed")) from error
        with _camera_errors():
            self._camera = camera = Picamera2()
            self._model = str(camera.camera_properties.get("Model", "Camera"))
            known = self._adjusted.find_controls(self._model)
            main, small = _sizes(camera.sensor_resolution)
            camera.configure(
                camera.create_video_configuration(
                    main={"size": main, "format": "RGB888"},
                    lores={"size": small, "format": "YUV420"},
                    buffer_count=4,
                    controls=self._supported(_locking_controls(known)) if known else {},
                )
            )
            camera.start()
        if known is None or not is_well_lit(self.preview(FRAME_TIMEOUT_S).rgb):
            self.adjust()
        width, height = camera.camera_configuration()["main"]["size"]
        return CameraInfo(self._model, width, height, can_adjust=True)

    def preview(self, timeout: float) -> Frame:
        """Return the newest small frame; raise CameraTimeoutError."""
        return self._capture("lores", timeout, flush=None)

    def take_still(self, timeout: float) -> Frame:
        """Return a large frame exposed after the call; raise CameraTimeoutError."""
        return self._capture("main", timeout, flush=True)

    def adjust(self) -> None:
        """Find focus, exposure and white balance for the current scene, and lock them."""
        with _camera_errors():
            self._set_controls(self._searching_controls())
            seen = self._settle()
            found = {name: seen[name] for name in LOCKED_CONTROLS if name in seen}
            if seen.get("AfState") == AF_FOCUSED and "LensPosition" in seen:
                found["LensPosition"] = seen["LensPosition"]
            self._set_controls(_locking_controls(found))
        self._adjusted.keep(self._model, found)

    def close(self) -> None:
        """Stop and close the camera."""
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(CameraError), _camera_errors():
                # Cancel pending frames: stopping would wait for one that never comes.
                camera.cancel_all_and_flush()
                camera.stop()
                camera.close()

    def _running(self) -> Any:  # noqa: ANN401 - picamera2 has no types
        if self._camera is None:
            raise CameraUnavailableError(camera_message("not-open"))
        return self._camera

    def _supported(self, wished: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the wished controls that this camera has; others would be errors."""
        return {k: v for k, v in wished.items() if k in self._running().camera_controls}

    def _set_controls(self, wished: Mapping[str, Any]) -> None:
        self._running().set_controls(self._supported(wished))

    def _searching_controls(self) -> dict[str, Any]:
        """Return the controls with which the camera finds exposure, colours and focus itself."""
        from libcamera import controls

        wished: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        known = self._running().camera_controls  # old releases lack some names
        if "AeFlickerMode" in known:
            wished |= {"AeFlickerMode": controls.AeFlickerModeEnum.Manual}
            wished |= {"AeFlickerPeriod": MAINS_FLICKER_US}
        if "AfMode" in known:
            wished |= {"AfMode": controls.AfModeEnum.Auto}
            wished |= {"AfTrigger": controls.AfTriggerEnum.Start}
        return wished

    def _settle(self) -> Mapping[str, Any]:
        """Return the metadata of the first frame after exposure and focus have settled.

        picamera2's autofocus_cycle is not used: if it finds no end, it blocks everything that
        follows.
        """
        given_up = time.monotonic() + FOCUS_TIMEOUT_S
        for _ in range(SETTLING_FRAMES):
            seen = self._capture("lores", FRAME_TIMEOUT_S, flush=None).metadata
        while seen.get("AfState") == AF_SCANNING and time.monotonic() < given_up:
            seen = self._capture("lores", FRAME_TIMEOUT_S, flush=None).metadata
        return seen

    def _capture(self, stream: str, timeout: float, *, flush: bool | None) -> Frame:
        """Return the next frame of a stream; with `flush`, one whose exposure begins from now."""
        camera = self._running()
        with _camera_errors():
            request = camera.capture_request(wait=timeout, flush=flush)
            try:
                # The size and format may differ from what was asked: the request knows.
                given = request.config[stream]
                rgb = to_rgb(request.make_array(stream), given["format"], given["size"])
                metadata = request.get_metadata()
            finally:
                request.release()  # an unreleased request starves the camera
        kept = {name: metadata[name] for name in KEPT_METADATA if _is_plain(metadata.get(name))}
        return Frame(rgb, "picamera2", kept)


def _locking_controls(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return controls that lock what was found; a lens without focus keeps searching."""
    from libcamera import controls

    focus = "Manual" if "LensPosition" in found else "Continuous"
    # The log has lists, libcamera takes tuples.
    held = {name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}
    return {"AfMode": getattr(controls.AfModeEnum, focus), **held}


def _is_plain(value: object) -> bool:
    """Whether a value can be stored in the log: libcamera gives numbers and tuples of numbers."""
    parts = value if isinstance(value, tuple) else (value,)
    return all(isinstance(part, int | float) and math.isfinite(part) for part in parts)


def _sizes(sensor: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return even sizes of stills and previews for a sensor of this size."""
    width, height = sensor
    while width > MAX_SENSOR_WIDTH_PX:
        width, height = width // 2, height // 2
    small = PREVIEW_SIDE_PX, round(PREVIEW_SIDE_PX * height / width)
    return (width // 2 * 2, height // 2 * 2), (small[0], small[1] // 2 * 2)


@contextmanager
def _camera_errors() -> Iterator[None]:
    """Turn picamera2's exceptions into a CameraError that players understand."""
    try:
        yield
    except CameraError:
        raise
    except TimeoutError as error:
        raise CameraTimeoutError(camera_message("no-answer")) from error
    except IndexError as error:  # from releases that do not check the number
        raise CameraNotFoundError(camera_message("none-answers")) from error
    except (RuntimeError, OSError, KeyError) as error:  # KeyError: a frame without metadata
        said = f"{error} {error.__cause__}"
        if "No camera" in said:
            raise CameraNotFoundError(camera_message("none-answers")) from error
        if "busy" in said:
            raise CameraBusyError(camera_message("busy")) from error
        raise CameraUnavailableError(camera_message("broken")) from error


Controls = Mapping[str, Any]
"""libcamera's controls by name: numbers, and lists of numbers."""


class SavedControls:
    """The controls found for each camera model; outlives the camera object."""

    def __init__(
        self,
        found: Mapping[str, Controls] = MappingProxyType({}),
        write: Callable[[str, Controls], None] = lambda *_: None,
    ) -> None:
        """Begin with earlier controls; `write` stores new ones."""
        self._found, self._write = dict(found), write

    def find_controls(self, model: str) -> Controls | None:
        """Return the controls of a camera model; None if it was never adjusted."""
        return self._found.get(model)

    def keep(self, model: str, controls: Controls) -> None:
        """Replace the controls of a camera model."""
        self._found[model] = controls
        self._write(model, controls)
