"""When the box photographs by itself: what is seen, for how long, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from device.cameras.aiming import Hint
from device.cameras.service import CameraService
from device.cameras.shutter import (
    LEASE_TIMEOUT_S,
    STEADY_TIME_S,
    AutoShutter,
    CameraLease,
    CameraTakenError,
    SnapMoment,
)
from device.services import Services
from device.web import Box, create_app
from tests.device.cameras.test_cameras_aiming import Frame, dim_frame, hand
from tests.device.fake_camera import FakeCamera, single_camera, wait_until

OTHER = np.ascontiguousarray(hand(20))
"""Another hand: it lies half a tile further to the right."""

Step = tuple[float, Frame, Hint, int | None, SnapMoment]
"""Seconds since the step before, what is seen, its hint and count of tiles; what comes of it."""

READY: tuple[Step, ...] = (
    (0.2, hand(), "hold-still", 13, ""),
    (0.2, hand(), "ready", 13, "soon"),
    (1.4, hand(), "ready", 13, "soon"),
    (0.2, hand(), "ready", 13, "now"),
)

STORIES: dict[str, tuple[Step, ...]] = {
    "a hand that lies still is taken": READY,
    "and is due until it is taken": (*READY, (0.2, hand(), "ready", 13, "now")),
    "a tile is moved: the time begins anew": (
        *READY[:3],
        (0.1, OTHER, "hold-still", 13, ""),
        (0.2, OTHER, "ready", 13, "soon"),
        (1.4, OTHER, "ready", 13, "soon"),
        (0.2, OTHER, "ready", 13, "now"),
    ),
    "nobody looked for a while: the time begins anew": (
        *READY[:2],
        (60.0, hand(), "ready", 13, "soon"),
        (1.4, hand(), "ready", 13, "soon"),
    ),
    "nobody has counted the tiles: it may be a patterned cloth": (
        *READY[:2],
        (1.6, hand(), "ready", None, ""),
    ),
    "a busy box looks but every two seconds": (
        *READY[:2],
        (2.0, hand(), "ready", 13, "now"),
    ),
    "glare comes and goes": (
        *READY[:3],
        (0.2, hand(), "glare-left", 13, ""),
        (0.2, hand(), "ready", 13, "soon"),
    ),
}


def moments_of(
    release: AutoShutter, clock: list[float], story: tuple[Step, ...]
) -> list[SnapMoment]:
    moments = []
    for seconds, frame, hint, tiles, _ in story:
        clock[0] += seconds
        moments.append(release.see(frame, hint, tiles))
    return moments


@pytest.fixture
def clock() -> list[float]:
    return [1000.0]


@pytest.fixture
def release(clock: list[float]) -> AutoShutter:
    return AutoShutter(lambda: clock[0])


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_a_first_hand(release: AutoShutter, clock: list[float], story: tuple[Step, ...]) -> None:
    assert moments_of(release, clock, story) == [step[-1] for step in story]


AFTER: dict[str, tuple[Step, ...]] = {
    "the same hand is not taken again": ((2.0, hand(), "ready", 13, "taken"),),
    "not in another light either": ((2.0, dim_frame(0.85), "ready", 13, "taken"),),
    "nor when a sleeve came in between": (
        (2.0, hand(), "hold-still", 13, ""),
        (0.2, hand(), "no-hand", 2, ""),
        (0.2, hand(), "ready", 13, "taken"),
    ),
    "nor is another picture without anything having moved": ((2.0, OTHER, "ready", 13, "taken"),),
    "the next hand is": (
        (2.0, OTHER, "hold-still", 13, ""),
        (0.2, OTHER, "ready", 13, "soon"),
        (1.4, OTHER, "ready", 13, "soon"),
        (0.2, OTHER, "ready", 13, "now"),
    ),
    "so it is when the table was empty in between": (
        (2.0, OTHER, "no-hand", 0, ""),
        (0.2, OTHER, "ready", 13, "soon"),
        (1.5, OTHER, "ready", 13, "now"),
    ),
}


@pytest.mark.parametrize("story", AFTER.values(), ids=AFTER)
def test_after_a_photograph(
    release: AutoShutter, clock: list[float], story: tuple[Step, ...]
) -> None:
    moments_of(release, clock, READY)
    release.record_photo(np.repeat(np.repeat(hand(), 3, axis=0), 3, axis=1))  # a still is larger
    assert moments_of(release, clock, story) == [step[-1] for step in story]


def test_a_photograph_that_was_asked_for_counts_too(
    release: AutoShutter, clock: list[float]
) -> None:
    moments_of(release, clock, READY[:2])
    release.record_photo(hand())
    clock[0] += STEADY_TIME_S
    assert release.see(hand(), "ready", 13) == "taken"


class Clock:
    """Seconds as the test says."""

    time = 100.0

    def __call__(self) -> float:
        return self.time


def who_has(lease: CameraLease) -> str | None:
    return lease.holder


def test_the_second_who_presses_is_told_who_was_first() -> None:
    lease = CameraLease()
    with lease.held_by("Ann"):
        assert who_has(lease) == "Ann"
        with pytest.raises(CameraTakenError) as error_info:
            lease.held_by("Bob").__enter__()
        assert error_info.value.player == "Ann"
        assert who_has(lease) == "Ann", "a refusal frees nothing"
    assert who_has(lease) is None
    with lease.held_by("Bob"):
        assert who_has(lease) == "Bob"


def test_a_photo_that_fails_frees_the_camera() -> None:
    lease = CameraLease()
    with pytest.raises(ValueError, match="cable"), lease.held_by("Ann"):
        int("a cable came loose")
    assert who_has(lease) is None


def test_a_lease_lapses_and_then_ends_nobody_elses() -> None:
    clock = Clock()
    lease = CameraLease(clock)
    first = lease.held_by("Ann")
    first.__enter__()
    clock.time += LEASE_TIMEOUT_S
    assert who_has(lease) is None
    with lease.held_by("Bob"):
        first.__exit__(None, None, None)  # Ann's photo came at last
        assert who_has(lease) == "Bob"


@pytest.fixture
def camera_box(services: Services) -> Iterator[Box]:
    service = CameraService(FakeCamera(), optional=True)
    wait_until(lambda: service.status.state == "ready")
    yield Box(services, cameras=single_camera(service))
    service.close()


def test_the_refusal_is_a_sentence(camera_box: Box) -> None:
    client = create_app(camera_box).test_client()
    camera = camera_box.cameras.box
    assert camera
    with camera.lease.held_by("Ann"):
        said = client.get("/camera/now").get_json()
        assert (said["state"], said["words"]) == ("busy", "Ann is taking the photo")
        assert "Ann is taking the photo" in client.get("/single/").text
        answer = client.post("/camera/photo")
        assert answer.status_code == 409
        assert "Ann is taking the photo. Please wait a moment" in answer.text
    assert client.post("/camera/photo").status_code == 303
