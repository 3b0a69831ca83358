"""Players who give, or do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.hands.repository import HandRepository
from tests.device.giving.given_away import Giving


@pytest.fixture
def giving(hands: HandRepository, tmp_path: Path) -> Giving:
    return Giving(hands, tmp_path / "given")
