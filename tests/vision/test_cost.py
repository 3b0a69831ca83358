"""What networks cost, counted on YOLO11n's layers and on ours."""

from __future__ import annotations

import sys
from types import FrameType

import numpy as np
import numpy.typing as npt
import pytest

from device.samples import load_samples
from tests.bench import yolo11n
from tests.bench.network_cost import MODELS_FOLDER, measure_cost, measure_our_costs
from tests.bench.reading_time import networks
from vision.geometry.rows import lay_out
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator
from vision.photo import open_photo
from vision.reader import Reader


def test_the_stand_in_costs_what_yolo11n_does() -> None:
    """As published: 2,616,248 parameters and 6.5 thousand million operations, two to a product."""
    side = yolo11n.INPUT_SIDE_PX
    cost = measure_cost(yolo11n.build(), (1, 3, side, side))
    assert cost.parameters == pytest.approx(2_616_248, rel=0.02)
    assert 2 * cost.gmac == pytest.approx(6.5, rel=0.02)


def test_our_networks_are_counted_whole() -> None:
    """Nearly all that their files hold is weights, of four bytes each."""
    for name, cost in measure_our_costs().items():
        assert cost.parameters * 4 == pytest.approx(
            (MODELS_FOLDER / f"{name}.onnx").stat().st_size, rel=0.1
        ), name
        assert cost.macs > cost.parameters, "most weights are used at many places"


def test_few_crops_are_looked_at_a_second_time() -> None:
    """Discards in doubt are not, and none begins with the first look: 69 crops when they did.

    The samples' finds themselves are some 150; some slack, for networks that doubt a little more.
    """
    further = 0
    for sample in load_samples():
        photo = open_photo(sample.path.read_bytes(), sample.name)
        nets = networks(1)
        locator = Locator(nets["locate"])
        Reader(locator, Classifier(nets["classify"])).read(photo)
        first = len(locator.locate(photo).tiles)
        further += sum(shape[0] for shape in nets["classify"].shapes) - first
    assert 0 < further <= 25


def test_rows_are_found_in_few_steps() -> None:
    """Calls, of Python's functions and of others': with so few tiles they are what takes time."""
    quads = np.concatenate([_tiles(14, 0, 0), _tiles(4, 0, 2), _tiles(6, 3, 9)])
    assert len(lay_out(quads).rows) == 2
    calls = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    lay_out(quads)
    sys.setprofile(before)
    assert calls < 1200, "956 with NumPy 2.4; before they were counted, 1,476"


def _tiles(count: int, x: float, y: float) -> npt.NDArray[np.float32]:
    """Return quads (count, 4, 2) side by side, 40 pixels wide, from there in tile widths."""
    box = np.array([[0, 0], [1, 0], [1, 1.35], [0, 1.35]])
    corners = (
        box + np.array([x, y]) + np.stack([np.arange(count) * 1.02, np.zeros(count)], 1)[:, None]
    )
    return np.asarray(100 + 40 * corners, np.float32)
