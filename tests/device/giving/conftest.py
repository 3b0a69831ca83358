"""Players who give, or do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.decoding import decoder
from device.hands.repository import HandRepository
from tests.device.giving.giving_box import GivingBox
from tests.device.shared_decoder import DECODER


@pytest.fixture(autouse=True)
def one_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command decode in the tests' process for it; as a program of its own it starts one.

    Each test exports up to six times, and a process takes a tenth of a second of processor.
    """
    monkeypatch.setattr(decoder, "Decoder", lambda: DECODER)


@pytest.fixture
def giving_box(hands: HandRepository, tmp_path: Path) -> GivingBox:
    return GivingBox(hands, tmp_path / "given")
