"""A Raspberry Pi's own camera: Camera Module 2, 3 or HQ, through picamera2 and libcamera.

One configuration keeps running, for changing it takes memory that a small Pi has not in one piece;
half the sensor's resolution is ample for tiles. Names and behaviour are those of picamera2 0.3.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from device.cameras.adjusted import Adjusted
from device.cameras.aiming import is_well_lit
from device.cameras.frames import to_rgb
from device.cameras.protocol import (
    PREVIEW_SIDE,
    CameraBusyError,
    CameraError,
    CameraInfo,
    CameraNotFoundError,
    CameraTimeoutError,
    CameraUnavailableError,
    Frame,
    says,
)

WIDEST = 2400
"""Pixels. A sensor that has more is halved: all three then give 1640 to 2304, without cropping."""

FOCUS_LIMIT = 5.0
"""Seconds after which focusing is given up: in the dark it may never come to an end."""

SCANNING, FOCUSED = 1, 2
"""libcamera's AfState in a frame's metadata."""

SETTLING = 12
"""Frames that exposure and white balance are given, of which libcamera needs about ten."""

FRAME_LIMIT = 2.0
"""Seconds for one frame while settling."""

KEPT = ("SensorTimestamp", "ExposureTime", "AnalogueGain", "ColourGains", "Lux",
        "ColourTemperature", "FocusFoM", "AfState", "LensPosition")  # fmt: skip
"""What is kept of a frame's metadata; no camera gives all of it."""

LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains")
"""What, set to a number, turns the automatic off that found the number."""

FLICKER = 10_000
"""Microseconds between two flashes of lamps on Britain's mains of 50 Hz. Times of exposure that are
multiples of it see every row of a picture in the same light."""


def is_installed() -> bool:
    """Whether picamera2 and what it needs can be loaded here, and sees a camera of its own.

    It lists webcams, too, but cannot preview with them: those are OpenCV's.
    """
    try:
        from picamera2 import Picamera2

        return any("/usb" not in camera["Id"] for camera in Picamera2.global_camera_info())
    except (ImportError, RuntimeError, OSError):
        return False


class Picamera2Camera:
    """The Pi's camera, focus and exposure locked once they were found."""

    def __init__(self, adjusted: Adjusted) -> None:
        self._adjusted = adjusted
        self._camera: Any = None
        self._model = ""

    def start(self) -> CameraInfo:
        """Open the camera and set it as it was; adjust it when it was not, or the light is another.

        Raises any CameraError.
        """
        try:
            from picamera2 import Picamera2
        except ImportError as error:
            raise CameraUnavailableError(says("not-installed")) from error
        with _in_words():
            self._camera = camera = Picamera2()
            self._model = str(camera.camera_properties.get("Model", "Camera"))
            known = self._adjusted.of(self._model)
            main, small = _sizes(camera.sensor_resolution)
            camera.configure(
                camera.create_video_configuration(
                    main={"size": main, "format": "RGB888"},
                    lores={"size": small, "format": "YUV420"},
                    buffer_count=4,
                    controls=self._had(_locked(known)) if known else {},
                )
            )
            camera.start()
        if known is None or not is_well_lit(self.preview(FRAME_LIMIT).rgb):
            self.adjust()
        width, height = camera.camera_configuration()["main"]["size"]
        return CameraInfo(self._model, width, height, can_adjust=True)

    def preview(self, timeout: float) -> Frame:
        """Return the newest small frame; raise CameraTimeoutError."""
        return self._captured("lores", timeout, flush=None)

    def still(self, timeout: float) -> Frame:
        """Return a frame of the large stream, exposed after the call; raise CameraTimeoutError."""
        return self._captured("main", timeout, flush=True)

    def adjust(self) -> None:
        """Find focus, exposure and white balance for what lies there now, and lock them."""
        with _in_words():
            self._set(self._looking())
            seen = self._settled()
            found = {name: seen[name] for name in LOCKED if name in seen}
            if seen.get("AfState") == FOCUSED and "LensPosition" in seen:
                found["LensPosition"] = seen["LensPosition"]
            self._set(_locked(found))
        self._adjusted.keep(self._model, found)

    def close(self) -> None:
        """Stop and let the camera go."""
        camera, self._camera = self._camera, None
        if camera is not None:
            with suppress(CameraError), _in_words():
                # A frame that never came is still waited for, and stopping would wait behind it.
                camera.cancel_all_and_flush()
                camera.stop()
                camera.close()

    def _running(self) -> Any:  # noqa: ANN401 - picamera2 has no types
        if self._camera is None:
            raise CameraUnavailableError(says("not-open"))
        return self._camera

    def _had(self, wished: Mapping[str, Any]) -> dict[str, Any]:
        """Return what this camera has of these controls; others are errors to it."""
        return {k: v for k, v in wished.items() if k in self._running().camera_controls}

    def _set(self, wished: Mapping[str, Any]) -> None:
        self._running().set_controls(self._had(wished))

    def _looking(self) -> dict[str, Any]:
        """Return the controls by which the camera finds exposure, colours and focus by itself."""
        from libcamera import controls

        wished: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        known = self._running().camera_controls  # earlier releases lack the names of what they lack
        if "AeFlickerMode" in known:
            wished |= {"AeFlickerMode": controls.AeFlickerModeEnum.Manual}
            wished |= {"AeFlickerPeriod": FLICKER}
        if "AfMode" in known:
            wished |= {"AfMode": controls.AfModeEnum.Auto}
            wished |= {"AfTrigger": controls.AfTriggerEnum.Start}
        return wished

    def _settled(self) -> Mapping[str, Any]:
        """Return the metadata of the first frame on which exposure and focus have settled.

        Not by picamera2's autofocus_cycle: when that finds no end, it blocks all that follows.
        """
        given_up = time.monotonic() + FOCUS_LIMIT
        for _ in range(SETTLING):
            seen = self._captured("lores", FRAME_LIMIT, flush=None).metadata
        while seen.get("AfState") == SCANNING and time.monotonic() < given_up:
            seen = self._captured("lores", FRAME_LIMIT, flush=None).metadata
        return seen

    def _captured(self, stream: str, timeout: float, *, flush: bool | None) -> Frame:
        """Return the next frame of a stream; with `flush`, one whose exposure begins from now."""
        camera = self._running()
        with _in_words():
            request = camera.capture_request(wait=timeout, flush=flush)
            try:
                # What was asked for may have been adjusted: the request knows what it holds.
                given = request.config[stream]
                rgb = to_rgb(request.make_array(stream), given["format"], given["size"])
                metadata = request.get_metadata()
            finally:
                request.release()  # one that is not given back starves the camera
        kept = {name: metadata[name] for name in KEPT if _is_plain(metadata.get(name))}
        return Frame(rgb, "picamera2", kept)


def _locked(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the controls that hold what was found; a lens that found no focus goes on looking."""
    from libcamera import controls

    focus = "Manual" if "LensPosition" in found else "Continuous"
    # The log has lists, libcamera takes tuples.
    held = {name: tuple(v) if isinstance(v, list) else v for name, v in found.items()}
    return {"AfMode": getattr(controls.AfModeEnum, focus), **held}


def _is_plain(value: object) -> bool:
    """Whether a value can stand in the log: libcamera gives numbers, and tuples of them."""
    parts = value if isinstance(value, tuple) else (value,)
    return all(isinstance(part, int | float) and math.isfinite(part) for part in parts)


def _sizes(sensor: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the sizes of stills and of previews for a sensor of this size; all are even."""
    width, height = sensor
    while width > WIDEST:
        width, height = width // 2, height // 2
    small = PREVIEW_SIDE, round(PREVIEW_SIDE * height / width)
    return (width // 2 * 2, height // 2 * 2), (small[0], small[1] // 2 * 2)


@contextmanager
def _in_words() -> Iterator[None]:
    """Turn what picamera2 raises into what a player understands."""
    try:
        yield
    except CameraError:
        raise
    except TimeoutError as error:
        raise CameraTimeoutError(says("no-answer")) from error
    except IndexError as error:  # of releases that do not check the number
        raise CameraNotFoundError(says("none-answers")) from error
    except (RuntimeError, OSError, KeyError) as error:  # KeyError: of a frame without metadata
        said = f"{error} {error.__cause__}"
        if "No camera" in said:
            raise CameraNotFoundError(says("none-answers")) from error
        if "busy" in said:
            raise CameraBusyError(says("busy")) from error
        raise CameraUnavailableError(says("broken")) from error
