"""The box's camera is lent to one phone at a time, and never for good."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from device.cameras.service import CameraService
from device.cameras.shutter import LEASE_TIMEOUT_S, CameraLease, CameraTakenError
from device.services import Services
from device.web import Box, create_app
from tests.device.fake_camera import FakeCamera, only, until


class Clock:
    """Seconds as the test says."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def who_has(lease: CameraLease) -> str | None:
    return lease.holder


def test_the_second_who_presses_is_told_who_was_first() -> None:
    lease = CameraLease()
    with lease.held_by("Ann"):
        assert who_has(lease) == "Ann"
        with pytest.raises(CameraTakenError) as refused:
            lease.held_by("Bob").__enter__()
        assert refused.value.who == "Ann"
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
    clock.now += LEASE_TIMEOUT_S
    assert who_has(lease) is None
    with lease.held_by("Bob"):
        first.__exit__(None, None, None)  # Ann's photo came at last
        assert who_has(lease) == "Bob"


@pytest.fixture
def camera_box(services: Services) -> Iterator[Box]:
    service = CameraService(FakeCamera(), optional=True)
    until(lambda: service.status.state == "ready")
    yield Box(services, cameras=only(service))
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
