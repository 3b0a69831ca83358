"""Cameras behind one protocol: a folder, a webcam, and which one is taken."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from device import cameras
from device.cameras import CameraError, open_camera, webcams
from device.cameras.base import (
    TO_RGB,
    CameraBusyError,
    CameraNotFoundError,
    CameraUnavailableError,
    encode_jpeg,
    shrink,
    to_rgb,
)
from device.cameras.folder import FolderCamera
from device.cameras.picamera2 import Picamera2Camera, SavedControls
from device.cameras.webcams import OpenCVCamera, Webcam
from tests.device.cameras.plugs import Plugs
from tests.device.shared_decoder import DECODER

# --- pixels ------------------------------------------------------

COLOUR = (200, 120, 40)


def picture_of(layout: str) -> npt.NDArray[np.uint8]:
    """Return a picture of one colour, 64 x 48, as it lies in memory, its rows padded to 80."""
    rgb = np.full((48, 80, 3), COLOUR, np.uint8)
    rgba = np.dstack([rgb, np.full((48, 80), 255, np.uint8)])
    i420 = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2YUV_I420), np.uint8)
    u, v = (i420[48:].reshape(-1)[k * 960 : (k + 1) * 960] for k in (0, 1))
    nv12 = np.vstack([i420[:48], np.stack([u, v], -1).reshape(24, 80)])
    yuyv = np.dstack([i420[:48], np.tile(np.array([u[0], v[0]], np.uint8), (48, 40))])
    return {
        "RGB888": rgb[..., ::-1],
        "BGR888": rgb,
        "XRGB8888": rgba[..., (2, 1, 0, 3)],
        "XBGR8888": rgba,
        "YUV420": i420,
        "NV12": nv12,
        "YUYV": yuyv,
    }[layout]


@pytest.mark.parametrize("layout", TO_RGB)
def test_every_format_becomes_the_same_colour(layout: str) -> None:
    rgb = to_rgb(picture_of(layout), layout, (64, 48))
    assert rgb.shape == (48, 64, 3), "the padding of the rows is no part of the picture"
    assert np.abs(rgb.astype(int) - COLOUR).max() <= 3


def test_a_format_that_is_not_known_is_refused() -> None:
    with pytest.raises(CameraUnavailableError, match="SBGGR10"):
        to_rgb(np.zeros((4, 4), np.uint8), "SBGGR10", (4, 4))


def test_a_jpeg_keeps_red_red() -> None:
    rgb = np.full((48, 64, 3), COLOUR, np.uint8)
    decoded = np.asarray(Image.open(io.BytesIO(encode_jpeg(rgb, 95))))
    assert np.abs(decoded.astype(int) - COLOUR).max() <= 3


@pytest.mark.parametrize(("size", "small"), [((1920, 1080), (640, 360)), ((320, 240), (320, 240))])
def test_a_preview_is_shrunk_and_never_blown_up(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    assert shrink(np.zeros((size[1], size[0], 3), np.uint8)).shape[:2] == small[::-1]


# --- a folder ------------------------------------------------------


def test_a_folder_is_stepped_through_still_by_still(tmp_path: Path) -> None:
    for name, shade in (("b.png", 200), ("a.jpg", 100), ("notes.txt", 0)):
        Image.new("RGB", (800, 600), (shade,) * 3).save(tmp_path / name, "PNG")
    camera = FolderCamera(tmp_path, DECODER)
    info = camera.start()
    assert (info.width, info.height) == (800, 600)
    names_seen = []
    for _ in range(3):
        assert camera.preview(1).rgb.shape == (480, 640, 3)
        aimed_at, photo = camera.preview(1), camera.take_still(1)
        assert aimed_at.source == photo.source
        assert photo.rgb.shape == (600, 800, 3)
        names_seen.append(photo.source)
    assert names_seen == ["a.jpg", "b.png", "a.jpg"]
    camera.close()
    camera.close()


@pytest.mark.parametrize(
    ("files", "error"),
    [({}, CameraNotFoundError), ({"a.jpg": b"no picture"}, CameraUnavailableError)],
)
def test_a_folder_without_pictures_is_a_sentence(
    tmp_path: Path, files: dict[str, bytes], error: type[CameraError]
) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(error, match=r"\.$"):
        FolderCamera(tmp_path, DECODER).start()


# --- a webcam ------------------------------------------------------


class FakeCapture:
    """Stands in for cv2.VideoCapture: a driver with old frames waiting in its buffers."""

    calls: list[tuple[object, ...]]

    def __init__(self, path: str, driver: int) -> None:
        self.calls = [("open", path, driver)]
        self.is_free = path.endswith("free")
        self.frames_waiting = 3
        self.frames = 0
        self.is_unplugged = False

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.is_free

    def set(self, control: int, value: float) -> bool:
        self.calls.append(("set", control, value))
        return False

    def grab(self) -> bool:
        self.frames += 1
        if self.frames_waiting:
            self.frames_waiting -= 1
        else:
            FakeClock.time += 1 / 30  # the next frame has to be waited for
        return not self.is_unplugged

    def retrieve(self) -> tuple[bool, npt.NDArray[np.uint8]]:
        return True, np.full((1080, 1920, 3), (0, 0, self.frames), np.uint8)

    def release(self) -> None:
        self.calls.append(("release",))


class FakeClock:
    """Goes on only when a frame is waited for."""

    time = 0.0

    @classmethod
    def perf_counter(cls) -> float:
        return cls.time


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[FakeCapture]:
    """Put a free and a busy webcam into a folder; return what is opened."""
    opened_captures: list[FakeCapture] = []

    def make(path: str, driver: int) -> FakeCapture:
        opened_captures.append(FakeCapture(path, driver))
        return opened_captures[-1]

    monkeypatch.setattr(cv2, "VideoCapture", make)
    monkeypatch.setattr(webcams, "time", FakeClock)
    for name in ("free", "taken"):
        (tmp_path / name).touch()
    return opened_captures


def test_a_webcam_is_asked_for_its_format_before_its_size(
    captures: list[FakeCapture], tmp_path: Path
) -> None:
    info = OpenCVCamera(str(tmp_path / "free")).start()
    assert (info.width, info.height) == (1920, 1080)
    assert captures[0].calls[0] == ("open", str(tmp_path / "free"), cv2.CAP_V4L2)
    controls = [call[1] for call in captures[0].calls if call[0] == "set"]
    assert controls.index(cv2.CAP_PROP_FOURCC) < controls.index(cv2.CAP_PROP_FRAME_WIDTH)


def test_a_still_is_a_frame_that_began_after_the_call(
    captures: list[FakeCapture], tmp_path: Path
) -> None:
    camera = OpenCVCamera(str(tmp_path / "free"))
    camera.start()
    capture = captures[0]
    capture.frames_waiting, before = 3, capture.frames
    photo = camera.take_still(1)
    # Three old frames, one that was being exposed at the call, and the one that is kept.
    assert photo.rgb[0, 0].tolist() == [before + 5, 0, 0], "red, as OpenCV gives blue first"


def test_an_unplugged_webcam_is_a_sentence(captures: list[FakeCapture], tmp_path: Path) -> None:
    camera = OpenCVCamera(str(tmp_path / "free"))
    camera.start()
    captures[0].is_unplugged = True
    with pytest.raises(CameraUnavailableError, match="cable"):
        camera.preview(1)
    camera.close()
    camera.close()
    assert captures[0].calls.count(("release",)) == 1
    with pytest.raises(CameraUnavailableError, match="not switched on"):
        camera.preview(1)


@pytest.mark.parametrize(
    ("name", "error"), [("taken", CameraBusyError), ("absent", CameraNotFoundError)]
)
def test_a_webcam_that_cannot_be_had(
    captures: list[FakeCapture], tmp_path: Path, name: str, error: type[CameraError]
) -> None:
    with pytest.raises(error):
        OpenCVCamera(str(tmp_path / name)).start()


# --- which one ------------------------------------------------------


def test_no_camera_is_a_choice() -> None:
    assert open_camera("none", DECODER) is None


@pytest.mark.parametrize("choice", ["", "folder", "folder:", "auto:1", "picamera2:0", "none:x"])
def test_a_choice_that_is_none_is_refused_in_words(choice: str) -> None:
    with pytest.raises(ValueError, match="Please choose auto"):
        open_camera(choice, DECODER)


@pytest.mark.parametrize(
    ("choice", "pi", "plugged_paths", "expected_camera"),
    [
        ("auto", True, ["/dev/a"], Picamera2Camera),
        ("auto", False, ["/dev/a"], OpenCVCamera),
        ("picamera2", False, [], Picamera2Camera),
        ("usb", True, ["/dev/a"], OpenCVCamera),
        ("usb:3", False, [], OpenCVCamera),
        ("folder:x", True, ["/dev/a"], FolderCamera),
    ],
)
def test_the_choice_and_what_is_there_say_which_camera(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    pi: bool,
    plugged_paths: list[str],
    expected_camera: type,
) -> None:
    monkeypatch.setattr(cameras, "is_installed", lambda: pi)
    opener = open_camera(choice, DECODER)
    assert opener is not None
    found = [Webcam((path,), path, path, path) for path in plugged_paths]
    assert isinstance(opener(SavedControls(), lambda: found), expected_camera)


@pytest.mark.parametrize("choice", ["auto", "usb"])
def test_without_any_camera_the_opener_says_so(
    monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    monkeypatch.setattr(cameras, "is_installed", lambda: False)
    opener = open_camera(choice, DECODER)
    assert opener is not None
    with pytest.raises(CameraNotFoundError):
        opener(SavedControls(), list)


C920, CHEAP = "046d_HD_Pro_Webcam_C920", "HD_Webcam"


@pytest.fixture
def plugs(tmp_path: Path) -> Plugs:
    return Plugs(tmp_path)


def test_a_pis_codecs_and_second_nodes_are_no_webcams(plugs: Plugs) -> None:
    plugs.plug(1, C920, "8E1B")
    for name in ("by-path/platform-bcm2835-codec-video-index0", "by-id/usb-A_1-video-index1"):
        plugs.link(name, 1)
    (webcam,) = plugs.find()
    assert webcam.title == "HD Pro Webcam C920"
    assert webcam.name == f"usb-{C920}_8E1B-video-index0"
    assert Path(webcam.path).resolve() == Path(webcam.device) == plugs.root / "dev/video1"


@pytest.mark.parametrize(
    ("make", "title", "reason"),
    [
        (C920, "HD Pro Webcam C920", "udev puts the maker's number before it"),
        (CHEAP, "HD Webcam", "nothing is known but what it is"),
        ("046d_0825", "UVC Camera (046d:0825)", "a C270 says no name; Linux gives its numbers"),
        ("Sonix_Technology_Co._Ltd._USB_2.0_Camera", "Sonix Technology Co. Ltd. USB 2.0 Camera",
         "a maker with a name"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_told_by_linux", [True, False])
def test_it_is_called_as_it_calls_itself(
    plugs: Plugs, make: str, title: str, reason: str, is_told_by_linux: bool
) -> None:
    plugs.plug(0, make)
    if not is_told_by_linux:
        (plugs.root / "sys/class/video4linux/video0/name").unlink()
        title = "0825" if make == "046d_0825" else title
    (webcam,) = plugs.find()
    assert webcam.title == title, reason


def test_without_anything_plugged_in_there_is_none(plugs: Plugs) -> None:
    assert plugs.find() == []


def test_a_name_goes_with_the_webcam_into_another_socket_and_order(plugs: Plugs) -> None:
    plugs.plug(0, C920, "8E1B", "1.1")
    plugs.plug(2, C920, "77AA", "1.2")
    names_seen = {each.name: each.device[-1] for each in plugs.find()}
    for number in (0, 2):
        plugs.pull(number)
    plugs.plug(2, C920, "8E1B", "1.4")
    plugs.plug(0, C920, "77AA", "1.3")
    after = {each.name: each.device[-1] for each in plugs.find()}
    assert after.keys() == names_seen.keys()
    assert all(after[name] != names_seen[name] for name in names_seen), (
        "the other way round, each its own"
    )


def test_two_alike_without_a_number_are_told_apart_by_their_sockets(plugs: Plugs) -> None:
    plugs.plug(0, CHEAP, socket="1.1")
    plugs.plug(2, CHEAP, socket="1.2")
    found = plugs.find()
    assert [each.title for each in found] == ["HD Webcam (USB 1.1)", "HD Webcam (USB 1.2)"]
    assert [each.device[-1] for each in found] == ["0", "2"]
    assert all("by-path" in each.path for each in found)
    assert not set(found[0].names) & set(found[1].names)


def test_what_leads_to_either_of_two_alike_leads_to_none(plugs: Plugs) -> None:
    """A table chose the only one by its make; another of that make is plugged in later."""
    plugs.plug(0, CHEAP, socket="1.1")
    (webcam,) = plugs.find()
    plugs.plug(2, CHEAP, socket="1.2")
    assert not any(webcam.name in each.names for each in plugs.find())


def test_one_of_two_alike_that_is_left_is_still_known_by_its_socket(plugs: Plugs) -> None:
    plugs.plug(0, CHEAP, socket="1.1")
    plugs.plug(2, CHEAP, socket="1.2")
    first, second = plugs.find()
    plugs.pull(0)
    (left,) = plugs.find()
    assert second.name in left.names
    assert first.name not in left.names
