"""A box killed at random moments loses nothing that it has kept (`tests.prove.killing`)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.postgresql import PostgresqlServer
from tests.prove import killing

pytestmark = pytest.mark.slow


def test_nothing_kept_is_lost_by_five_kills(tmp_path: Path) -> None:
    counts = killing.kill_often(tmp_path, 5, random.Random(2))
    assert counts["kills"] == 5
    assert counts["events reported as kept, all there"] > 0, "or nothing was tried"


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_nothing_kept_is_lost_by_four_hundred_kills(tmp_path: Path) -> None:
    counts = killing.kill_often(tmp_path, 400, random.Random(3))
    assert counts["kills"] == 400
    assert counts["halves left behind by kills"] > 20, "kills came while photographs were written"
    assert counts["events kept of which the kill cut off the report"] > 5, "and between the two"


@pytest.mark.prove
@pytest.mark.timeout(1800)
def test_nothing_kept_in_a_database_is_lost_by_a_hundred_kills(
    postgresql: PostgresqlServer, tmp_path: Path
) -> None:
    counts = killing.kill_often_with_database(tmp_path, postgresql, 100, random.Random(5))
    assert counts["kills of the server, too"] == 25
    assert counts["events kept of which the kill cut off the report"] > 0, "and between the two"
