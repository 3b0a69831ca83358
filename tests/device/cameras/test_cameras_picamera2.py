"""The Pi's camera: the calls that are made, in which order, and what comes of their failures."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from device.cameras import picamera2
from device.cameras.base import (
    CameraBusyError,
    CameraError,
    CameraNotFoundError,
    CameraTimeoutError,
    CameraUnavailableError,
)
from device.cameras.picamera2 import Picamera2Camera, SavedControls, is_installed
from device.commands.serve import load_camera_controls
from device.store import Store
from device.store.errors import DiskFullError
from tests.device.events import write_raw
from tests.device.fake_picamera2 import Driver, driver

__all__ = ["driver"]


@pytest.fixture
def saved_controls(store: Store) -> SavedControls:
    return load_camera_controls(store)


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
    driver: Driver,
    sensor: tuple[int, int],
    main: tuple[int, int],
    small: tuple[int, int],
    saved_controls: SavedControls,
) -> None:
    driver.resolution = sensor
    camera = Picamera2Camera(saved_controls)
    info = camera.start()
    assert (info.width, info.height) == main
    assert camera.take_still(1).rgb.shape == (main[1], main[0], 3)
    assert camera.preview(1).rgb.shape == (small[1], small[0], 3)
    assert driver.calls.count(("start",)) == 1, "and it keeps running"


def test_only_the_still_waits_for_a_new_exposure(
    driver: Driver, saved_controls: SavedControls
) -> None:
    camera = Picamera2Camera(saved_controls)
    camera.start()
    driver.calls.clear()
    camera.preview(1)
    photo = camera.take_still(1)
    assert driver.calls == [("capture", None), ("capture", True)]
    assert photo.rgb[0, 0].tolist() == [200, 0, 0], "red first, whatever picamera2 calls it"
    assert photo.metadata["LensPosition"] == 2.5
    assert "Other" not in photo.metadata
    assert driver.open_requests == 0


def test_the_format_is_read_from_what_came(driver: Driver, saved_controls: SavedControls) -> None:
    driver.formats["main"] = "BGR888"
    camera = Picamera2Camera(saved_controls)
    camera.start()
    assert camera.take_still(1).rgb[0, 0].tolist() == [0, 0, 200]


FOUND_CONTROLS = {
    "AfMode": 0, "LensPosition": 2.5, "ExposureTime": 20000, "AnalogueGain": 4.0,
    "ColourGains": (1.9, 1.6),
}  # fmt: skip


def test_focus_and_exposure_are_found_once_and_locked(driver: Driver, store: Store) -> None:
    Picamera2Camera(load_camera_controls(store)).start()
    assert FOUND_CONTROLS.items() <= driver.set.items()
    assert driver.calls.count(("capture", None)) == 16, "until the focus was found, no longer"
    driver.calls.clear()
    Picamera2Camera(load_camera_controls(store)).start()  # the box was switched off in between
    as_it_was = [("open",), ("controls", FOUND_CONTROLS), ("start",)]
    assert driver.calls == [*as_it_was, ("capture", None)], "with one look at the light"


def test_another_model_of_camera_is_adjusted_anew(driver: Driver, store: Store) -> None:
    Picamera2Camera(load_camera_controls(store)).start()
    driver.model, driver.metadata["ExposureTime"] = "imx477", 30000
    Picamera2Camera(load_camera_controls(store)).start()
    assert driver.set["ExposureTime"] == 30000
    exposures = {
        m: load_camera_controls(store).find_controls(m) for m in ("imx708", "imx477", "imx219")
    }
    assert [found and found["ExposureTime"] for found in exposures.values()] == [20000, 30000, None]


def test_what_is_found_again_replaces_what_was_found(driver: Driver, store: Store) -> None:
    camera = Picamera2Camera(load_camera_controls(store))
    camera.start()
    driver.metadata["ExposureTime"] = 10000
    camera.adjust()
    controls = load_camera_controls(store).find_controls("imx708")
    assert controls
    assert controls["ExposureTime"] == 10000


@pytest.mark.parametrize(
    ("grey", "reason"), [(10, "a lamp was switched off"), (255, "the sun has come out")]
)
def test_in_another_light_it_is_adjusted_anew(
    driver: Driver, saved_controls: SavedControls, grey: int, reason: str
) -> None:
    Picamera2Camera(saved_controls).start()
    driver.grey = grey
    driver.calls.clear()
    Picamera2Camera(saved_controls).start()
    assert driver.calls.count(("capture", None)) > 10, reason


def test_lamps_on_the_mains_are_told_to_the_camera_that_asks(
    driver: Driver, saved_controls: SavedControls
) -> None:
    driver.controls |= {"AeFlickerMode", "AeFlickerPeriod"}
    Picamera2Camera(saved_controls).start()
    assert (driver.set["AeFlickerMode"], driver.set["AeFlickerPeriod"]) == (1, 10_000)


def test_a_full_disk_keeps_no_camera_from_working(
    driver: Driver, saved_controls: SavedControls, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise DiskFullError

    monkeypatch.setattr(Store, "append", refuse)
    Picamera2Camera(saved_controls).start()
    assert saved_controls.find_controls("imx708")


def test_an_event_that_makes_no_sense_is_told_and_left_out(
    store: Store, saved_controls: SavedControls, caplog: pytest.LogCaptureFixture
) -> None:
    saved_controls.keep("imx708", {"LensPosition": 2.5})
    write_raw(store, "box", "camera-adjusted", {"model": "imx708"})
    assert load_camera_controls(store).find_controls("imx708") == {"LensPosition": 2.5}, (
        "as it was adjusted before"
    )
    assert "makes no sense" in caplog.text


@pytest.mark.parametrize(
    ("value", "is_saved", "reason"),
    [
        (310.5, True, "a number"),
        ((1.9, 1.6), True, "or two"),
        (float("nan"), False, "the log takes no such number"),
        ((1.0, float("inf")), False, "nor among others"),
        (object(), False, "what later releases may think of"),
    ],
)
def test_what_cannot_stand_in_the_log_is_left_out(
    driver: Driver, saved_controls: SavedControls, value: object, is_saved: bool, reason: str
) -> None:
    driver.metadata["Lux"] = value
    camera = Picamera2Camera(saved_controls)
    camera.start()
    metadata = camera.take_still(1).metadata
    assert ("Lux" in metadata) == is_saved, reason
    json.dumps(metadata, allow_nan=False)


def test_a_lens_that_finds_no_focus_goes_on_looking(
    driver: Driver, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.focus = [1]
    monkeypatch.setattr(picamera2, "FOCUS_TIMEOUT_S", 0.01)
    Picamera2Camera(load_camera_controls(store)).start()
    assert driver.set["AfMode"] == 2
    controls = load_camera_controls(store).find_controls("imx708")
    assert controls
    assert "LensPosition" not in controls, "a place that is out of focus is not kept"


def test_a_camera_without_autofocus_is_never_asked_to_focus(
    driver: Driver, saved_controls: SavedControls
) -> None:
    driver.controls -= LENS
    Picamera2Camera(saved_controls).start()
    assert not LENS & driver.set.keys()
    assert driver.set["ExposureTime"] == 20000


def test_the_virtual_camera_has_hardly_a_control(
    driver: Driver, saved_controls: SavedControls
) -> None:
    driver.controls.clear()
    camera = Picamera2Camera(saved_controls)
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
    driver: Driver, fault: Exception, error: type[CameraError], saved_controls: SavedControls
) -> None:
    driver.fault = fault
    camera = Picamera2Camera(saved_controls)
    with pytest.raises(error, match=r"[a-z]\.$"):
        camera.start()
    camera.close()


def test_a_frame_that_never_comes_is_a_timeout_and_closing_goes_on(
    driver: Driver, saved_controls: SavedControls
) -> None:
    camera = Picamera2Camera(saved_controls)
    camera.start()
    driver.fault = TimeoutError()
    with pytest.raises(CameraTimeoutError, match="ribbon"):
        camera.take_still(0.1)
    camera.close()
    camera.close()
    assert driver.calls[-3:] == [("cancel",), ("stop",), ("close",)]
    with pytest.raises(CameraUnavailableError, match="not switched on"):
        camera.preview(1)


def test_a_frame_that_cannot_be_unpacked_is_still_given_back(
    driver: Driver, saved_controls: SavedControls
) -> None:
    camera = Picamera2Camera(saved_controls)
    camera.start()
    driver.formats["main"] = "unheard of"
    camera._camera.configure({name: {"size": (64, 48)} for name in ("main", "lores")})
    with pytest.raises(CameraUnavailableError, match="unheard of"):
        camera.take_still(1)
    assert driver.open_requests == 0


def test_without_the_library_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, saved_controls: SavedControls
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert not is_installed()
    with pytest.raises(CameraUnavailableError, match="apt install python3-picamera2"):
        Picamera2Camera(saved_controls).start()


RIBBON = {"Model": "imx708", "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a"}
WEBCAM = {"Model": "HD Webcam", "Id": "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.4:1.0-046d:0825"}


@pytest.mark.parametrize(
    ("camera_list", "is_there"),
    [([], False), ([RIBBON], True), ([WEBCAM], False), ([RIBBON, WEBCAM], True)],
)
def test_it_is_there_when_it_is_listed(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, camera_list: list[object], is_there: bool
) -> None:
    monkeypatch.setattr(Driver, "global_camera_info", lambda self: camera_list, raising=False)
    assert is_installed() == is_there


def test_the_preview_is_grey_where_the_camera_saw_grey(
    driver: Driver, saved_controls: SavedControls
) -> None:
    camera = Picamera2Camera(saved_controls)
    camera.start()
    assert np.ptp(camera.preview(1).rgb) <= 2
