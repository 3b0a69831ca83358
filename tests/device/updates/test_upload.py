"""A bundle that comes piece by piece, from phones that lose the way and from two at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.host.piece_upload import UploadOutOfStepError
from device.updates.bundle import BundleError
from device.updates.upload import BUNDLE_SPACE_FACTOR, BundleUpload
from tests.device.updates.bundles import packed, pair

PIECE = 1500
PLENTY = 10**12


class Coming:
    """A bundle, and the box that it comes to."""

    def __init__(self, folder: Path, version: str = "9.9.9") -> None:
        self.secret, self.key = pair(folder)
        self.data = packed(folder / "b.zip", self.secret, version).read_bytes()
        self.folder = folder / "data"
        self.folder.mkdir()
        self.box = self.restarted()

    def restarted(self) -> BundleUpload:
        return BundleUpload(self.folder, self.key, "0.2.0")

    def send(self, box: BundleUpload, token: str, until: int | None = None) -> None:
        for at in range(0, len(self.data[:until]), PIECE):
            box.take(token, at, self.data[at : at + PIECE])

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.rglob("*.zip"))


@pytest.fixture
def coming(tmp_path: Path) -> Coming:
    return Coming(tmp_path)


def test_it_waits_until_somebody_wants_it(coming: Coming) -> None:
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token)
    assert coming.box.finish(token).version == "9.9.9"
    for box in (coming.box, coming.restarted()):
        assert box.waiting_bundle is not None, "also after a restart"
        assert not box.is_wanted
    assert coming.restarted().install().version == "9.9.9"
    assert coming.files() == ["wanted.zip"]
    assert coming.box.is_wanted
    with pytest.raises(UploadOutOfStepError):
        coming.box.install()


def test_a_piece_that_was_lost_is_sent_again_and_one_that_was_not_is_not_kept_twice(
    coming: Coming,
) -> None:
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token, until=3 * PIECE)
    for at in (2 * PIECE, 4 * PIECE):
        with pytest.raises(UploadOutOfStepError) as error:
            coming.box.take(token, at, b"x" * 10)
        assert error.value.have == 3 * PIECE, "where to go on from"
    coming.box.take(token, 3 * PIECE, coming.data[3 * PIECE :])
    assert coming.box.finish(token).version == "9.9.9"


def test_who_lost_the_answer_to_the_end_learns_that_it_is_finished(coming: Coming) -> None:
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token)
    coming.box.finish(token)
    with pytest.raises(UploadOutOfStepError) as error:
        coming.box.finish(token)
    assert error.value.have == len(coming.data)
    coming.box.begin(10, PLENTY)
    with pytest.raises(UploadOutOfStepError) as error:
        coming.box.finish(token)
    assert error.value.have is None, "another phone has begun since"


def test_more_than_was_announced_is_not_kept(coming: Coming) -> None:
    token = coming.box.begin(10, PLENTY)
    with pytest.raises(UploadOutOfStepError):
        coming.box.take(token, 0, b"x" * 11)


def test_of_two_phones_the_later_has_begun_anew(coming: Coming) -> None:
    first = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, first, until=PIECE)
    second = coming.box.begin(len(coming.data), PLENTY)
    with pytest.raises(UploadOutOfStepError) as error:
        coming.box.take(first, PIECE, b"x")
    assert error.value.have is None
    coming.send(coming.box, second)
    assert coming.box.finish(second).version == "9.9.9"


def test_what_is_not_all_there_is_not_checked(coming: Coming) -> None:
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token, until=PIECE)
    with pytest.raises(UploadOutOfStepError) as error:
        coming.box.finish(token)
    assert error.value.have == PIECE


@pytest.mark.parametrize(
    ("size", "free", "reason"),
    [
        (0, PLENTY, "no-bundle"),
        (10**10, PLENTY, "no-bundle"),
        (1000, BUNDLE_SPACE_FACTOR * 1000 - 1, "no-room"),
    ],
)
def test_what_cannot_be_taken_is_said_before_it_is_sent(
    coming: Coming, size: int, free: int, reason: str
) -> None:
    with pytest.raises(BundleError) as refused:
        coming.box.begin(size, free)
    assert refused.value.reason.key == f"update.{reason}"
    assert coming.files() == []


@pytest.mark.parametrize(
    ("version", "spoilt", "reason"),
    [("0.1.9", False, "older"), ("9.9.9", True, "damaged")],
)
def test_what_is_refused_is_not_kept(
    tmp_path: Path, version: str, spoilt: bool, reason: str
) -> None:
    coming = Coming(tmp_path, version)
    if spoilt:
        coming.data = coming.data.replace(b"wheelwheel", b"wheelWHEEL", 1)
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token)
    with pytest.raises(BundleError) as refused:
        coming.box.finish(token)
    assert refused.value.reason.key == f"update.{reason}"
    assert coming.files() == []


def test_what_was_left_half_sent_fills_no_card_for_good(coming: Coming) -> None:
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token, until=PIECE)
    assert coming.files() == ["arriving.zip"]
    coming.restarted()
    assert coming.files() == []


def test_what_waits_can_be_forgotten(coming: Coming) -> None:
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token)
    coming.box.finish(token)
    coming.box.drop()
    assert coming.box.waiting_bundle is None
    coming.box.drop()
