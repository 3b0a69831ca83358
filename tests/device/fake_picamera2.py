"""Modules that stand in for picamera2 and libcamera, with the behaviour that was seen of them."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

Call = tuple[object, ...]


class Driver:
    """What the fake camera does, and what was asked of it."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.resolution = (4608, 2592)
        self.controls = {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains",
                         "AfMode", "AfTrigger", "LensPosition"}  # fmt: skip
        self.focus = [1] * 15 + [2]
        """AfState, frame by frame; the last one stays."""
        self.fault: Exception | None = None
        self.formats = {"main": "RGB888", "lores": "YUV420"}
        self.open_requests = 0
        self.set: dict[str, object] = {}

        self.model = "imx708"
        self.grey = 128
        """Of the small pictures."""
        self.metadata: dict[str, object] = {
            "ExposureTime": 20000, "AnalogueGain": 4.0, "ColourGains": (1.9, 1.6), "Other": 1,
        }  # fmt: skip

    def __call__(self) -> FakePicamera2:
        self.calls.append(("open",))
        if self.fault:
            raise self.fault
        return FakePicamera2(self)


class FakePicamera2:
    """One opened camera."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.sensor_resolution = driver.resolution
        self.camera_properties = {"Model": driver.model}
        self.camera_controls = dict.fromkeys(driver.controls, (0, 1, 0))
        self._config: dict[str, Any] = {}
        self._waits = False
        """Whether a frame is still waited for of which the caller has had enough."""

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:  # noqa: ANN401
        self._driver.calls.append(("controls", dict(options["controls"])))
        return options

    def configure(self, config: dict[str, Any]) -> None:
        self._config = {
            name: {"size": config[name]["size"], "format": layout}
            for name, layout in self._driver.formats.items()
        }

    def camera_configuration(self) -> dict[str, Any]:
        return self._config

    def start(self) -> None:
        self._driver.calls.append(("start",))

    def cancel_all_and_flush(self) -> None:
        self._driver.calls.append(("cancel",))
        self._waits = False

    def stop(self) -> None:
        assert not self._waits, "it would stand behind the frame that never came, for ever"
        self._driver.calls.append(("stop",))

    def close(self) -> None:
        self._driver.calls.append(("close",))

    def set_controls(self, controls: dict[str, object]) -> None:
        unknown_names = controls.keys() - self._driver.controls
        if unknown_names:
            raise RuntimeError(f"Control {unknown_names} is not advertised by libcamera")
        self._driver.set |= controls

    def capture_request(self, wait: float | None = None, flush: bool | None = None) -> FakeRequest:
        assert wait, "without a number it would block for ever"
        self._driver.calls.append(("capture", flush))
        if self._driver.fault:
            self._waits = True
            raise self._driver.fault
        assert self._driver.open_requests == 0, "the one before was not given back"
        self._driver.open_requests += 1
        return FakeRequest(self._driver, self._config)


class FakeRequest:
    """One captured frame, grey."""

    def __init__(self, driver: Driver, config: dict[str, Any]) -> None:
        self._driver = driver
        self.config = config

    def make_array(self, stream: str) -> npt.NDArray[np.uint8]:
        width, height = self.config[stream]["size"]
        if self.config[stream]["format"] == "YUV420":
            planes = np.full((height * 3 // 2, width), 128, np.uint8)
            planes[:height] = self._driver.grey
            return planes
        picture = np.zeros((height, width, 3), np.uint8)
        picture[..., 2] = 200  # of B, G, R
        return picture

    def get_metadata(self) -> dict[str, object]:
        states = self._driver.focus
        state = states.pop(0) if len(states) > 1 else states[0]
        focus = {"AfState": state, "LensPosition": 2.5} if "AfMode" in self._driver.controls else {}
        return {**self._driver.metadata, **focus}

    def release(self) -> None:
        self._driver.open_requests -= 1


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Put the fake modules where the real ones would be."""
    driver = Driver()
    picamera2, libcamera = ModuleType("picamera2"), ModuleType("libcamera")
    picamera2.__dict__["Picamera2"] = driver
    libcamera.__dict__["controls"] = SimpleNamespace(
        AfModeEnum=SimpleNamespace(Manual=0, Auto=1, Continuous=2),
        AfTriggerEnum=SimpleNamespace(Start=0),
        AeFlickerModeEnum=SimpleNamespace(Manual=1),
    )
    monkeypatch.setitem(sys.modules, "picamera2", picamera2)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return driver
