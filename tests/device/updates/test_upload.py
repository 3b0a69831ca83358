"""A bundle that comes piece by piece, from phones that lose the way and from two at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.host.piece_upload import UploadOutOfStepError
from device.updates.bundle import BundleError
from device.updates.upload import BUNDLE_SPACE_FACTOR, BundleUpload
from tests.device.updates.bundles import pack_bundle, pair

PIECE = 1500
PLENTY = 10**12


class BundleOnTheWay:
    """A bundle, and the box that it comes to."""

    def __init__(self, folder: Path, version: str = "9.9.9") -> None:
        self.secret, self.key = pair(folder)
        self.data = pack_bundle(folder / "b.zip", self.secret, version).read_bytes()
        self.folder = folder / "data"
        self.folder.mkdir()
        self.box = self.restart()

    def restart(self) -> BundleUpload:
        return BundleUpload(self.folder, self.key, "0.2.0")

    def send(self, box: BundleUpload, token: str, end: int | None = None) -> None:
        for at in range(0, len(self.data[:end]), PIECE):
            box.take(token, at, self.data[at : at + PIECE])

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.rglob("*.zip"))


@pytest.fixture
def bundle(tmp_path: Path) -> BundleOnTheWay:
    return BundleOnTheWay(tmp_path)


def test_it_waits_until_somebody_wants_it(bundle: BundleOnTheWay) -> None:
    token = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, token)
    assert bundle.box.finish(token).version == "9.9.9"
    for box in (bundle.box, bundle.restart()):
        assert box.waiting_bundle is not None, "also after a restart"
        assert not box.is_wanted
    assert bundle.restart().install().version == "9.9.9"
    assert bundle.files() == ["wanted.zip"]
    assert bundle.box.is_wanted
    with pytest.raises(UploadOutOfStepError):
        bundle.box.install()


def test_a_piece_that_was_lost_is_sent_again_and_one_that_was_not_is_not_kept_twice(
    bundle: BundleOnTheWay,
) -> None:
    token = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, token, end=3 * PIECE)
    for offset in (2 * PIECE, 4 * PIECE):
        with pytest.raises(UploadOutOfStepError) as error:
            bundle.box.take(token, offset, b"x" * 10)
        assert error.value.have == 3 * PIECE, "where to go on from"
    bundle.box.take(token, 3 * PIECE, bundle.data[3 * PIECE :])
    assert bundle.box.finish(token).version == "9.9.9"


def test_who_lost_the_answer_to_the_end_learns_that_it_is_finished(bundle: BundleOnTheWay) -> None:
    token = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, token)
    bundle.box.finish(token)
    with pytest.raises(UploadOutOfStepError) as error:
        bundle.box.finish(token)
    assert error.value.have == len(bundle.data)
    bundle.box.begin(10, PLENTY)
    with pytest.raises(UploadOutOfStepError) as error:
        bundle.box.finish(token)
    assert error.value.have is None, "another phone has begun since"


def test_more_than_was_announced_is_not_kept(bundle: BundleOnTheWay) -> None:
    token = bundle.box.begin(10, PLENTY)
    with pytest.raises(UploadOutOfStepError):
        bundle.box.take(token, 0, b"x" * 11)


def test_of_two_phones_the_later_has_begun_anew(bundle: BundleOnTheWay) -> None:
    first = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, first, end=PIECE)
    second = bundle.box.begin(len(bundle.data), PLENTY)
    with pytest.raises(UploadOutOfStepError) as error:
        bundle.box.take(first, PIECE, b"x")
    assert error.value.have is None
    bundle.send(bundle.box, second)
    assert bundle.box.finish(second).version == "9.9.9"


def test_what_is_not_all_there_is_not_checked(bundle: BundleOnTheWay) -> None:
    token = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, token, end=PIECE)
    with pytest.raises(UploadOutOfStepError) as error:
        bundle.box.finish(token)
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
    bundle: BundleOnTheWay, size: int, free: int, reason: str
) -> None:
    with pytest.raises(BundleError) as error_info:
        bundle.box.begin(size, free)
    assert error_info.value.reason.key == f"update.{reason}"
    assert bundle.files() == []


@pytest.mark.parametrize(
    ("version", "is_spoilt", "reason"),
    [("0.1.9", False, "older"), ("9.9.9", True, "damaged")],
)
def test_what_is_refused_is_not_kept(
    tmp_path: Path, version: str, is_spoilt: bool, reason: str
) -> None:
    coming = BundleOnTheWay(tmp_path, version)
    if is_spoilt:
        coming.data = coming.data.replace(b"wheelwheel", b"wheelWHEEL", 1)
    token = coming.box.begin(len(coming.data), PLENTY)
    coming.send(coming.box, token)
    with pytest.raises(BundleError) as error_info:
        coming.box.finish(token)
    assert error_info.value.reason.key == f"update.{reason}"
    assert coming.files() == []


def test_what_was_left_half_sent_fills_no_card_for_good(bundle: BundleOnTheWay) -> None:
    token = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, token, end=PIECE)
    assert bundle.files() == ["arriving.zip"]
    bundle.restart()
    assert bundle.files() == []


def test_what_waits_can_be_forgotten(bundle: BundleOnTheWay) -> None:
    token = bundle.box.begin(len(bundle.data), PLENTY)
    bundle.send(bundle.box, token)
    bundle.box.finish(token)
    bundle.box.drop()
    assert bundle.box.waiting_bundle is None
    bundle.box.drop()
