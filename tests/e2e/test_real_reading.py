"""The whole of it: a sample photograph, the real networks, a score on the phone."""

from __future__ import annotations

from importlib.resources import files

import pytest

from device.samples import load_samples
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from vision.read import Reader

NETWORKS = ("locator.onnx", "classifier.onnx")


@pytest.mark.skipif(
    not all((files("models") / name).is_file() for name in NETWORKS),
    reason="the networks are still being trained",
)
def test_a_sample_photograph_is_read_and_scored(player: Player, serve_with: ServeWith) -> None:
    sample = next(s for s in load_samples() if s.name == "concealed-kong")
    player.open(serve_with(Reader.load()).url)
    player.choose_photo(sample.path)
    player.see("#score")
    read = player.see("#hand-text").get_attribute("value") or ""
    tiles, _, _ = read.partition(" seat=")
    expected, _, _ = sample.hand.partition(" seat=")
    assert tiles == expected
    assert player.total().isdecimal()
    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}
