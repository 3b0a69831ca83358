"""The Pi's camera: the calls that are made, in which order, and what comes of their failures."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from device.cameras import picamera2
from device.cameras.picamera2 import Picamera2Camera, Settings, is_installed
from device.cameras.protocol import (
    CameraBusyError,
    CameraError,
    CameraNotFoundError,
    CameraTimeoutError,
    CameraUnavailableError,
)
from tests.device.fake_picamera2 import Driver, driver

__all__ = ["driver"]

LENS = {"AfMode", "AfTrigger", "LensPosition"}


@pytest.mark.parametrize(
    ("sensor", "main", "small"),
    [
        ((4608, 2592), (2304, 1296), (640, 360)),
        ((4056, 3040), (2028, 1520), (640, 480)),
        ((3280, 2464), (1640, 1232), (640, 480)),
    ],
    ids=["module-3", "hq", "module-2"],
)
def test_one_configuration_of_half_the_sensor_and_a_small_preview(
    driver: Driver, sensor: tuple[int, int], main: tuple[int, int], small: tuple[int, int]
) -> None:
    driver.resolution = sensor
    camera = Picamera2Camera(Settings())
    info = camera.start()
    assert (info.width, info.height) == main
    assert camera.still(1).rgb.shape == (main[1], main[0], 3)
    assert camera.preview(1).rgb.shape == (small[1], small[0], 3)
    assert driver.calls.count(("start",)) == 1, "and it keeps running"


def test_only_the_still_waits_for_a_new_exposure(driver: Driver) -> None:
    camera = Picamera2Camera(Settings())
    camera.start()
    driver.calls.clear()
    camera.preview(1)
    still = camera.still(1)
    assert driver.calls == [("capture", None), ("capture", True)]
    assert still.rgb[0, 0].tolist() == [200, 0, 0], "red first, whatever picamera2 calls it"
    assert still.metadata["LensPosition"] == 2.5
    assert "Other" not in still.metadata
    assert driver.open_requests == 0


def test_the_format_is_read_from_what_came(driver: Driver) -> None:
    driver.formats["main"] = "BGR888"
    camera = Picamera2Camera(Settings())
    camera.start()
    assert camera.still(1).rgb[0, 0].tolist() == [0, 0, 200]


def test_focus_and_exposure_are_found_once_and_locked(driver: Driver) -> None:
    settings = Settings()
    Picamera2Camera(settings).start()
    expected = {
        "AfMode": 0, "LensPosition": 2.5, "ExposureTime": 20000, "AnalogueGain": 4.0,
        "ColourGains": (1.9, 1.6),
    }  # fmt: skip
    assert expected.items() <= driver.set.items()
    assert driver.calls.count(("capture", None)) == 16, "until the focus was found, no longer"
    driver.calls.clear()
    Picamera2Camera(settings).start()
    assert driver.calls == [("open",), ("controls", expected), ("start",)], "as it was"


def test_a_lens_that_finds_no_focus_goes_on_looking(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.focus = [1]
    monkeypatch.setattr(picamera2, "FOCUS_LIMIT", 0.01)
    settings = Settings()
    Picamera2Camera(settings).start()
    assert driver.set["AfMode"] == 2
    assert "LensPosition" not in settings.controls, "a place that is out of focus is not kept"


def test_a_camera_without_autofocus_is_never_asked_to_focus(driver: Driver) -> None:
    driver.controls -= LENS
    Picamera2Camera(Settings()).start()
    assert not LENS & driver.set.keys()
    assert driver.set["ExposureTime"] == 20000


def test_the_virtual_camera_has_hardly_a_control(driver: Driver) -> None:
    driver.controls.clear()
    camera = Picamera2Camera(Settings())
    camera.start()
    assert camera.preview(1).rgb.any()


def busy() -> RuntimeError:
    error = RuntimeError("Camera __init__ sequence did not complete.")
    error.__cause__ = RuntimeError("Failed to acquire camera: Device or resource busy")
    return error


FAULTS = [
    (RuntimeError('No camera number 0 found - use "rpicam-hello ..."'), CameraNotFoundError),
    (IndexError("list index out of range"), CameraNotFoundError),
    (busy(), CameraBusyError),
    (OSError(12, "Cannot allocate memory"), CameraUnavailableError),
    (RuntimeError("something else"), CameraUnavailableError),
    (TimeoutError(), CameraTimeoutError),
]


@pytest.mark.parametrize(("fault", "error"), FAULTS, ids=lambda value: repr(value)[:40])
def test_what_it_raises_becomes_a_sentence(
    driver: Driver, fault: Exception, error: type[CameraError]
) -> None:
    driver.fault = fault
    camera = Picamera2Camera(Settings())
    with pytest.raises(error, match=r"[a-z]\.$"):
        camera.start()
    camera.close()


def test_a_frame_that_never_comes_is_a_timeout_and_closing_goes_on(driver: Driver) -> None:
    camera = Picamera2Camera(Settings())
    camera.start()
    driver.fault = TimeoutError()
    with pytest.raises(CameraTimeoutError, match="ribbon"):
        camera.still(0.1)
    camera.close()
    camera.close()
    assert driver.calls[-3:] == [("cancel",), ("stop",), ("close",)]
    with pytest.raises(CameraUnavailableError, match="not open"):
        camera.preview(1)


def test_a_frame_that_cannot_be_unpacked_is_still_given_back(driver: Driver) -> None:
    camera = Picamera2Camera(Settings())
    camera.start()
    driver.formats["main"] = "unheard of"
    camera._camera.configure({name: {"size": (64, 48)} for name in ("main", "lores")})
    with pytest.raises(CameraUnavailableError, match="unheard of"):
        camera.still(1)
    assert driver.open_requests == 0


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert not is_installed()
    with pytest.raises(CameraUnavailableError, match="apt install python3-picamera2"):
        Picamera2Camera(Settings()).start()


RIBBON = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}
WEBCAM = {"Model": "HD Webcam", "Id": "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.4:1.0-046d:0825"}


@pytest.mark.parametrize(
    ("listed", "there"),
    [([], False), ([RIBBON], True), ([WEBCAM], False), ([RIBBON, WEBCAM], True)],
)
def test_it_is_there_when_it_is_listed(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, listed: list[object], there: bool
) -> None:
    monkeypatch.setattr(Driver, "global_camera_info", lambda self: listed, raising=False)
    assert is_installed() == there


def test_the_preview_is_grey_where_the_camera_saw_grey(driver: Driver) -> None:
    camera = Picamera2Camera(Settings())
    camera.start()
    assert np.ptp(camera.preview(1).rgb) <= 2
