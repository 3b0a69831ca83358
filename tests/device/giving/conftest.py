"""Players who give, or do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.hands.repository import HandRepository
from tests.device.giving.giving_box import GivingBox


@pytest.fixture
def giving_box(hands: HandRepository, tmp_path: Path) -> GivingBox:
    return GivingBox(hands, tmp_path / "given")
