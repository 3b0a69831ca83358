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

    def __init__(self, controls: SavedControls) -> None:
        self._controls = controls
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
            saved_controls = self._controls.find_controls(self._model)
            main, small = _sizes(camera.sensor_resolution)
            camera.configure(
                camera.create_video_configuration(
                    main={"size": main, "format": "RGB888"},
                    lores={"size": small, "format": "YUV420"},
                    buffer_count=4,
                    controls=self._supported_controls(_locking_controls(saved_controls))
                    if saved_controls
                    else {},
                )
            )
            camera.start()
        if saved_controls is None or not is_well_lit(self.preview(FRAME_TIMEOUT_S).rgb):
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
            metadata = self._settle()
            locked_values = {name: metadata[name] for name in LOCKED_CONTROLS if name in metadata}
            if metadata.get("AfState") == AF_FOCUSED and "LensPosition" in metadata:
                locked_values["LensPosition"] = metadata["LensPosition"]
            self._set_controls(_locking_controls(locked_values))
        self._controls.keep(self._model, locked_values)

    def close(self) -> None:
        """Stop and close the camera."""
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(CameraError), _camera_errors():
                # Cancel pending frames: stopping would wait for one that never comes.
                camera.cancel_all_and_flush()
                camera.stop()
                camera.close()

    def _opened_camera(self) -> Any:  # noqa: ANN401 - picamera2 has no types
        if self._camera is None:
            raise CameraUnavailableError(camera_message("not-open"))
        return self._camera

    def _supported_controls(self, wanted_controls: Mapping[str, Any]) -> dict[str, Any]:
        """Return those of the wished controls that this camera has; others would be errors."""
        return {
            k: v for k, v in wanted_controls.items() if k in self._opened_camera().camera_controls
        }

    def _set_controls(self, wanted_controls: Mapping[str, Any]) -> None:
        self._opened_camera().set_controls(self._supported_controls(wanted_controls))

    def _searching_controls(self) -> dict[str, Any]:
        """Return the controls with which the camera finds exposure, colours and focus itself."""
        from libcamera import controls

        wanted_controls: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        known_controls = self._opened_camera().camera_controls  # old releases lack some names
        if "AeFlickerMode" in known_controls:
            wanted_controls |= {"AeFlickerMode": controls.AeFlickerModeEnum.Manual}
            wanted_controls |= {"AeFlickerPeriod": MAINS_FLICKER_US}
        if "AfMode" in known_controls:
            wanted_controls |= {"AfMode": controls.AfModeEnum.Auto}
            wanted_controls |= {"AfTrigger": controls.AfTriggerEnum.Start}
        return wanted_controls

    def _settle(self) -> Mapping[str, Any]:
        """Return the metadata of the first frame after exposure and focus have settled.

        picamera2's autofocus_cycle is not used: if it finds no end, it blocks everything that
        follows.
        """
        deadline = time.monotonic() + FOCUS_TIMEOUT_S
        for _ in range(SETTLING_FRAMES):
            metadata = self._capture("lores", FRAME_TIMEOUT_S, flush=None).metadata
        while metadata.get("AfState") == AF_SCANNING and time.monotonic() < deadline:
            metadata = self._capture("lores", FRAME_TIMEOUT_S, flush=None).metadata
        return metadata

    def _capture(self, stream: str, timeout: float, *, flush: bool | None) -> Frame:
        """Return the next frame of a stream; with `flush`, one whose exposure begins from now."""
        camera = self._opened_camera()
        with _camera_errors():
            request = camera.capture_request(wait=timeout, flush=flush)
            try:
                # The size and format may differ from what was asked: the request knows.
                stream_config = request.config[stream]
                rgb = to_rgb(
                    request.make_array(stream), stream_config["format"], stream_config["size"]
                )
                metadata = request.get_metadata()
            finally:
                request.release()  # an unreleased request starves the camera
        kept_metadata = {
            name: metadata[name] for name in KEPT_METADATA if _is_plain(metadata.get(name))
        }
        return Frame(rgb, "picamera2", kept_metadata)


def _locking_controls(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return controls that lock what was found; a lens without focus keeps searching."""
    from libcamera import controls

    focus = "Manual" if "LensPosition" in values else "Continuous"
    # The log has lists, libcamera takes tuples.
    locked_values = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
    return {"AfMode": getattr(controls.AfModeEnum, focus), **locked_values}


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
        text = f"{error} {error.__cause__}"
        if "No camera" in text:
            raise CameraNotFoundError(camera_message("none-answers")) from error
        if "busy" in text:
            raise CameraBusyError(camera_message("busy")) from error
        raise CameraUnavailableError(camera_message("broken")) from error


Controls = Mapping[str, Any]
"""libcamera's controls by name: numbers, and lists of numbers."""


class SavedControls:
    """The controls found for each camera model; outlives the camera object."""

    def __init__(
        self,
        controls_by_model: Mapping[str, Controls] = MappingProxyType({}),
        write: Callable[[str, Controls], None] = lambda *_: None,
    ) -> None:
        """Begin with earlier controls; `write` stores new ones."""
        self._controls_by_model, self._write = dict(controls_by_model), write

    def find_controls(self, model: str) -> Controls | None:
        """Return the controls of a camera model; None if it was never adjusted."""
        return self._controls_by_model.get(model)

    def keep(self, model: str, controls: Controls) -> None:
        """Replace the controls of a camera model."""
        self._controls_by_model[model] = controls
        self._write(model, controls)
