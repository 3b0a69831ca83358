"""A camera that hangs, fails and comes back, and what is said of it meanwhile."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from device.cameras import CameraError, CameraInfo
from device.cameras.aiming import CountTiles
from device.cameras.base import (
    Camera,
    CameraBusyError,
    CameraNotFoundError,
    CameraTimeoutError,
    CameraUnavailableError,
    camera_message,
)
from device.cameras.folder import FolderCamera
from device.cameras.service import (
    MAX_STUCK_OWNERS,
    CameraService,
    CameraState,
    CameraTiming,
    Preview,
)
from scorer.message import plain_text
from tests.device.cameras.test_cameras_aiming import hand
from tests.device.fake_camera import PATIENCE, FakeCamera, wait_until
from tests.device.shared_decoder import DECODER
from vision.preprocess import RGB

pytestmark = pytest.mark.slow

PACE = CameraTiming(
    preview=0.01, probe=0.03, watch_timeout=0.2, give_up=60.0, pauses=(0.01, 0.05), tick=0.02
)
"""Quick between frames, for what is tested is the order of things; patient with the camera, so that
a busy machine is not taken for a camera that hangs."""

HASTY = replace(PACE, preview_limit=0.15, still_limit=0.15, start_limit=0.15)
"""For a camera that does hang."""


@pytest.fixture
def camera() -> Iterator[FakeCamera]:
    camera = FakeCamera()
    yield camera
    camera.let_go.set()


@contextmanager
def service_of(
    opener: Callable[[], Camera],
    *,
    optional: bool = False,
    count: CountTiles | None = None,
    pace: CameraTiming = PACE,
) -> Iterator[CameraService]:
    service = CameraService(opener, optional=optional, count=count, pace=pace)
    try:
        yield service
    finally:
        service.close()


def takes_photos(service: CameraService) -> Callable[[], bool]:
    def holds() -> bool:
        try:
            return bool(service.take_still().rgb.any())
        except CameraError:
            return False

    return holds


def is_(service: CameraService, state: CameraState) -> Callable[[], bool]:
    return lambda: service.status.state == state


def test_a_camera_that_works_gives_previews_and_stills_from_one_thread(camera: FakeCamera) -> None:
    with service_of(camera) as service:
        wait_until(is_(service, "ready"))
        assert service.status.info == CameraInfo("fake", 8, 6, can_adjust=True)
        first = service.look(0, PATIENCE)
        assert isinstance(first, Preview)
        assert first.jpeg[:2] == b"\xff\xd8"
        second = service.look(first.seq, PATIENCE)
        assert second is not None
        assert second.seq > first.seq
        assert service.take_still().rgb.shape == (640, 640, 3)
        service.adjust()
        assert camera.adjust_count == 1
    assert len(camera.owners) == 1
    assert camera.open_count == camera.close_count == 1


def test_one_picture_is_encoded_once_for_all_who_look(camera: FakeCamera) -> None:
    with service_of(camera) as service:
        previews: list[Preview | None] = []
        phones = [
            threading.Thread(target=lambda: previews.append(service.look(0, PATIENCE)))
            for _ in range(4)
        ]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        assert None not in previews
        by_number = {preview.seq: preview for preview in previews if preview}
        assert all(by_number[preview.seq] is preview for preview in previews if preview)


def test_previews_are_made_only_while_somebody_looks(camera: FakeCamera) -> None:
    with service_of(camera, pace=replace(PACE, probe=3600.0)) as service:
        wait_until(is_(service, "ready"))
        first = service.look(0, PATIENCE)
        assert first is not None
        time.sleep(2 * PACE.watch_timeout)
        before = camera.previews
        time.sleep(2 * PACE.watch_timeout)
        assert camera.previews <= before + 1, "the one that was under way at most"
        assert service.look(10**6, 0.01) is None
        wait_until(lambda: camera.previews > before + 1)


FAULTS = [
    (CameraUnavailableError(plain_text("The webcam has stopped.")), "unplugged"),
    (CameraTimeoutError(plain_text("The camera does not answer.")), "its own time limit ran out"),
]


@pytest.mark.parametrize(("fault", "reason"), FAULTS)
def test_a_camera_that_fails_is_lost_closed_and_opened_again_until_it_works(
    camera: FakeCamera, fault: CameraError, reason: str
) -> None:
    with service_of(camera) as service:
        wait_until(is_(service, "ready"))
        camera.fault = camera.start_fault = fault
        wait_until(is_(service, "lost"))
        assert service.status.sentence == fault.message, reason
        with pytest.raises(CameraUnavailableError, match=str(fault)):
            service.take_still()
        wait_until(lambda: camera.open_count > 3)
        camera.fault = camera.start_fault = None
        wait_until(is_(service, "ready"))
        assert service.take_still().rgb.any()
        assert camera.close_count >= camera.open_count - 1, "it was let go each time"


def test_a_failing_still_is_told_to_the_one_who_asked(camera: FakeCamera) -> None:
    with service_of(camera, pace=replace(PACE, probe=3600.0)) as service:
        wait_until(is_(service, "ready"))
        wait_until(lambda: camera.previews > 0)
        camera.fault = CameraUnavailableError(plain_text("Out of memory."))
        with pytest.raises(CameraUnavailableError, match="Out of memory"):
            service.take_still()


def test_a_camera_that_hangs_is_lost_at_once_and_nobody_waits_for_it(camera: FakeCamera) -> None:
    with service_of(camera, pace=HASTY) as service:
        wait_until(is_(service, "ready"))
        camera.let_go.clear()
        wait_until(is_(service, "lost"))
        assert service.status.sentence == camera_message("hangs")
        with pytest.raises(CameraUnavailableError, match="does not answer"):
            service.take_still()
        camera.let_go.set()
        wait_until(takes_photos(service))


def test_a_still_that_hangs_ends_in_its_time(camera: FakeCamera) -> None:
    with service_of(camera, pace=replace(HASTY, probe=3600.0)) as service:
        wait_until(is_(service, "ready"))
        wait_until(lambda: camera.previews > 0)
        camera.let_go.clear()
        with pytest.raises(CameraTimeoutError, match="does not answer"):
            service.take_still()
        camera.let_go.set()


def test_a_camera_that_hangs_for_ever_gets_a_new_owner(camera: FakeCamera) -> None:
    other = FakeCamera()
    cameras = iter([camera])
    with service_of(lambda: next(cameras, other), pace=replace(HASTY, give_up=0.1)) as service:
        wait_until(is_(service, "ready"))
        camera.let_go.clear()
        wait_until(lambda: other.open_count)
        wait_until(takes_photos(service))
        camera.let_go.set()
        wait_until(lambda: camera.close_count)
        wait_until(takes_photos(service))
        assert not camera.owners & other.owners


def test_owners_are_not_given_up_without_end(camera: FakeCamera) -> None:
    camera.let_go.clear()
    with service_of(camera, pace=replace(HASTY, give_up=0.02)) as service:
        wait_until(lambda: camera.open_count == MAX_STUCK_OWNERS + 1)
        time.sleep(0.5)
        assert camera.open_count == MAX_STUCK_OWNERS + 1
        camera.let_go.set()
        wait_until(takes_photos(service))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_our_own_ends_the_thread_and_another_begins(camera: FakeCamera) -> None:
    with service_of(camera) as service:
        wait_until(is_(service, "ready"))
        camera.error = ZeroDivisionError()
        wait_until(is_(service, "lost"))
        camera.error = None
        wait_until(is_(service, "ready"))


@pytest.mark.parametrize(
    ("optional", "fault", "state", "reason"),
    [
        (True, CameraNotFoundError(plain_text("None.")), "absent",
         "a box without a camera is in order"),
        (False, CameraNotFoundError(plain_text("None.")), "lost", "it was asked for by name"),
        (True, CameraBusyError(plain_text("Taken.")), "lost",
         "it is there, so its owner should know"),
    ],
)  # fmt: skip
def test_a_camera_that_is_not_there(
    camera: FakeCamera, optional: bool, fault: CameraError, state: CameraState, reason: str
) -> None:
    camera.start_fault = fault
    with service_of(camera, optional=optional) as service:
        wait_until(is_(service, state))
        camera.start_fault = None
        wait_until(is_(service, "ready"))
        camera.fault = camera.start_fault = CameraNotFoundError(plain_text("Unplugged."))
        wait_until(is_(service, "lost"))
        wait_until(lambda: camera.open_count > 5)
        assert service.status.state == "lost", "it had one, so it is missed"


def test_a_real_folder_through_the_service(tmp_path: Path) -> None:
    Image.new("RGB", (1200, 900), (180, 60, 60)).save(tmp_path / "hand.png")
    with service_of(lambda: FolderCamera(tmp_path, DECODER), pace=CameraTiming()) as service:
        wait_until(is_(service, "ready"))
        assert service.look(0, PATIENCE) is not None
        assert service.take_still().rgb.shape == (900, 1200, 3)


def test_closing_lets_nobody_wait(camera: FakeCamera) -> None:
    service = CameraService(camera, pace=replace(PACE, preview=3600.0, probe=3600.0))
    wait_until(is_(service, "ready"))
    wait_until(lambda: camera.previews > 0)
    answers: list[Preview | None] = []
    phone = threading.Thread(target=lambda: answers.append(service.look(10**6, 3600.0)))
    phone.start()
    service.close()
    phone.join(PATIENCE)
    assert answers == [None]
    with pytest.raises(CameraUnavailableError, match="switched off"):
        service.take_still()


def test_the_number_of_tiles_seen_is_part_of_the_hint() -> None:
    is_counted = threading.Event()
    camera = FakeCamera()
    camera.picture = hand()

    def count(rgb: RGB, report: Callable[[int], None]) -> None:
        if not is_counted.is_set():
            report(3)  # and from then on nothing, as of a busy reader

    with service_of(camera, count=count, pace=replace(PACE, count=0.1)) as service:

        def hint() -> str:
            preview = service.look(0, PATIENCE)
            assert preview is not None
            return preview.hint

        wait_until(lambda: hint() == "no-hand")
        is_counted.set()
        wait_until(lambda: hint() == "ready")


def test_a_camera_that_hangs_upside_down_is_turned_at_once(camera: FakeCamera) -> None:
    camera.picture = hand()
    with service_of(camera) as service:
        wait_until(is_(service, "ready"))
        assert (service.take_still().rgb == hand()).all()
        service.is_turned = True
        assert (service.take_still().rgb == hand()[::-1, ::-1]).all()
        first_view = service.look(0, PATIENCE)
        assert first_view is not None
        second_view = None
        while second_view is None:  # previews end when nobody asks again within `watched`
            second_view = service.look(first_view.seq + 1, PACE.watch_timeout)
        picture = np.asarray(Image.open(io.BytesIO(second_view.jpeg)), np.float32)
        assert np.abs(picture - hand()[::-1, ::-1]).mean() < 5, "as JPEG"
        assert np.abs(picture - hand()).mean() > 10
