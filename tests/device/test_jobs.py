"""The worker: one photograph after another, whatever happens to any of them."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from device.jobs import Jobs
from device.records import Records
from device.store import Store
from device.tile_sets import TileSets
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader
from vision.errors import PhotoError


def test_a_photo_is_read_and_the_stages_are_told(
    jobs: Jobs, begun: str, settled: Wait, reader: FakeReader
) -> None:
    reader.go_on.clear()
    jobs.submit(begun)
    assert jobs.stage(begun) in ("waiting", "locate")
    reader.go_on.set()
    assert settled(begun).reading is not None
    assert jobs.stage("another") is None


@pytest.mark.parametrize(
    ("fault", "code", "logged", "why"),
    [
        (PhotoError("too-dark", "It is too dark."), "too-dark", False, "the player's to mend"),
        (RuntimeError("boom"), "fault", True, "ours to mend, so it is logged"),
    ],
)
def test_a_fault_becomes_a_sentence_and_the_worker_goes_on(
    jobs: Jobs,
    begun: str,
    settled: Wait,
    reader: FakeReader,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
    code: str,
    logged: bool,
    why: str,
) -> None:
    reader.fault = fault
    with caplog.at_level(logging.ERROR):
        jobs.submit(begun)
        failure = settled(begun).failure
    assert failure is not None
    assert failure.code == code
    assert "boom" not in failure.message
    assert ("boom" in caplog.text) == logged, why
    reader.fault = None
    jobs.submit(begun)
    while jobs.stage(begun):
        pass
    assert settled(begun).is_read


def test_the_queue_has_a_limit(jobs: Jobs, begun: str, reader: FakeReader) -> None:
    reader.go_on.clear()
    assert jobs.has_room
    for hand in range(8):
        jobs.submit(f"{begun}{hand}")
    assert not jobs.has_room


def test_what_was_waiting_when_the_plug_was_pulled_is_read_at_the_next_start(
    store: Store, begun: str, settled: Wait, reader: FakeReader, sets: TileSets
) -> None:
    jobs = Jobs(Records(store), reader, sets)
    assert settled(begun).is_read
    jobs.close()


@pytest.mark.parametrize(
    ("crashes", "read", "why"),
    [(1, True, "the plug may have been pulled"), (2, False, "it may be the photo that does it")],
)
def test_a_photo_that_ends_the_box_is_not_read_at_every_start(
    sets: TileSets,
    records: Records,
    begun: str,
    settled: Wait,
    reader: FakeReader,
    crashes: int,
    read: bool,
    why: str,
) -> None:
    for _ in range(crashes):
        records.change(begun, "reading-begun", {})
    jobs = Jobs(records, reader, sets)
    assert settled(begun).is_read == read, why
    if not read:  # the player may still ask for it
        records.change(begun, "reading-asked", {})
        jobs.submit(begun)
        assert settled(begun).is_read
    jobs.close()


def test_tiles_of_a_preview_are_counted_only_when_nothing_else_is_to_be_done(
    jobs: Jobs, begun: str, reader: FakeReader, settled: Wait
) -> None:
    preview = np.zeros((48, 64, 3), np.uint8)
    counted: list[int] = []
    reader.go_on.clear()
    jobs.submit(begun)
    jobs.count_tiles(preview, counted.append)
    reader.go_on.set()
    assert settled(begun).is_read
    while jobs.stage(begun):
        pass
    assert counted == [], "a player was waiting"
    jobs.count_tiles(preview, counted.append)
    while jobs.stage("preview"):
        pass
    assert counted == [16]
