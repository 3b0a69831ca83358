"""Our backend on the real picamera2 and libcamera: run in a root by tests.real.virtual_camera."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from device.cameras.base import (
    CameraBusyError,
    CameraError,
    CameraUnavailableError,
    camera_message,
)
from device.cameras.picamera2 import Picamera2Camera, SavedControls, is_installed
from device.cameras.service import CameraService, Preview
from tests.real.page import wait_until
from tests.real.virtual.adapters import Cable, use
from tests.real.virtual.picture import picture_as_fed
from vision.preprocess import RGB

STILL_SIZE, PREVIEW_SIZE = (2028, 1520), (640, 480)
"""What an HQ camera gives: half its width and half its height, and a preview."""

MAX_LEVELS = 3.0
"""Levels of 255 by which pictures differ in the mean at most. Red and blue swapped differ by 90."""

MAX_WAIT_S = 30.0


@pytest.fixture(scope="session")
def cable() -> Cable:
    return use()


@pytest.fixture
def saved_controls() -> SavedControls:
    return SavedControls()


@pytest.fixture
def camera(cable: Cable, saved_controls: SavedControls) -> Iterator[Picamera2Camera]:
    camera = Picamera2Camera(saved_controls)
    yield camera
    cable.is_in = True
    camera.close()


@pytest.fixture
def service(cable: Cable, saved_controls: SavedControls) -> Iterator[CameraService]:
    service = CameraService(lambda: Picamera2Camera(saved_controls))
    yield service
    cable.is_in = True
    service.close()


def mean_difference(picture: RGB, size: tuple[int, int]) -> float:
    """Return by how many levels a picture differs in the mean from the one that was fed."""
    assert picture.shape == (size[1], size[0], 3)
    return float(cv2.absdiff(picture, picture_as_fed(size)).mean())


def test_it_is_found(cable: Cable) -> None:
    assert is_installed()


def test_still_and_preview_are_the_picture_in_its_own_colours(camera: Picamera2Camera) -> None:
    info = camera.start()
    assert (info.name, info.width, info.height) == ("Virtual", *STILL_SIZE)
    photo, preview = camera.take_still(5), camera.preview(2)
    differences = mean_difference(photo.rgb, STILL_SIZE), mean_difference(preview.rgb, PREVIEW_SIZE)
    sys.stdout.write(
        f"still and preview differ by {differences[0]:.2f} and {differences[1]:.2f} levels\n"
    )
    assert max(differences) < MAX_LEVELS
    swapped_colours = np.ascontiguousarray(photo.rgb[..., ::-1])
    assert mean_difference(swapped_colours, STILL_SIZE) > 10 * MAX_LEVELS, (
        "this would notice swapped channels"
    )
    assert photo.metadata["SensorTimestamp"] > 0


def test_a_still_is_newer_than_what_lay_there(camera: Picamera2Camera) -> None:
    camera.start()
    for _ in range(5):
        request_time = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        assert camera.take_still(5).metadata["SensorTimestamp"] >= request_time


def test_it_can_be_adjusted_closed_and_opened_again(camera: Picamera2Camera) -> None:
    for _ in range(3):
        camera.start()
        camera.adjust()
        assert camera.preview(2).rgb.any()
        camera.close()
        camera.close()
        with pytest.raises(
            CameraUnavailableError, match=str(CameraError(camera_message("not-open")))
        ):
            camera.take_still(1)


def test_a_hundred_frames_are_given_back(camera: Picamera2Camera) -> None:
    camera.start()
    for _ in range(100):
        camera.preview(2)


def test_a_second_program_is_told_that_the_camera_is_in_use(
    camera: Picamera2Camera, saved_controls: SavedControls
) -> None:
    camera.start()
    second = Picamera2Camera(saved_controls)
    with pytest.raises(CameraBusyError, match="Another program"):
        second.start()
    second.close()
    assert camera.preview(2).rgb.any(), "and the first goes on"


def state(service: CameraService, expected: str) -> Callable[[], bool]:
    return lambda: service.status.state == expected


def wait_for_newer(service: CameraService, previous: int) -> Preview | None:
    return service.look(previous, 1.0)


def takes_a_photo(service: CameraService) -> bool:
    try:
        return mean_difference(service.take_still().rgb, STILL_SIZE) < MAX_LEVELS
    except CameraError:
        return False


def test_the_service_gives_live_pictures_and_photographs(service: CameraService) -> None:
    wait_until(state(service, "ready"), MAX_WAIT_S, "not ready")
    first = wait_until(lambda: wait_for_newer(service, 0), MAX_WAIT_S, "no live picture")
    assert first
    wait_until(lambda: wait_for_newer(service, first.seq), MAX_WAIT_S, "no second picture")
    assert takes_a_photo(service)
    service.adjust()
    assert takes_a_photo(service)


def test_a_pulled_cable_is_told_within_three_seconds_and_mended_by_itself(
    service: CameraService, cable: Cable
) -> None:
    wait_until(state(service, "ready"), MAX_WAIT_S, "not ready")
    for _ in range(2):
        wait_until(lambda: wait_for_newer(service, 0), MAX_WAIT_S, "no live picture")
        cable.is_in = False
        pull_time = time.monotonic()
        while service.status.state == "ready":  # a phone that looks, as at the table
            service.look(timeout=0)
            time.sleep(0.05)
        seconds_until_told = time.monotonic() - pull_time
        assert seconds_until_told < 3, "what the page promises"
        sys.stdout.write(f"told after {seconds_until_told:.2f} s\n")
        assert service.status.state == "lost"
        assert service.status.sentence in (
            camera_message("no-answer"),
            camera_message("hangs"),
            camera_message("none-answers"),
        )
        cable.is_in = True
        wait_until(state(service, "ready"), MAX_WAIT_S, "not ready again")
        assert takes_a_photo(service)


def test_a_camera_closed_by_others_is_opened_again(
    cable: Cable, saved_controls: SavedControls
) -> None:
    cameras: list[Picamera2Camera] = []

    def opener() -> Picamera2Camera:
        cameras.append(Picamera2Camera(saved_controls))
        return cameras[-1]

    service = CameraService(opener)
    try:
        wait_until(lambda: takes_a_photo(service), MAX_WAIT_S, "no photograph")
        cameras[0]._camera.close()
        wait_until(
            lambda: len(cameras) > 1 and takes_a_photo(service), MAX_WAIT_S, "not opened again"
        )
    finally:
        service.close()
