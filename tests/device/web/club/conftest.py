"""What tests of the club's pages have in common."""

from __future__ import annotations

import pytest

from device.club.tables import ClubTables
from device.hands.repository import HandRepository


@pytest.fixture
def tables(hands: HandRepository) -> ClubTables:
    return ClubTables(hands.store)
