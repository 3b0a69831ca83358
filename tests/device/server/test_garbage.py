"""What a box remembers is not gone through again and again for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from device.server.server import collect_less_often, freeze_objects

PYTHONS = (700, 10, 10)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*PYTHONS)
    gc.collect()
    gc.freeze()  # what else is there would decide how soon Python thinks it worth while,
    gc.collect()  # and that counts what the last collection went through
    yield
    gc.set_threshold(*before)


def looked_at_all(times: int) -> int:
    """Return how often all was gone through while a long match was put right so many times."""
    collections = []

    def note(phase: str, info: dict[str, int]) -> None:
        collections.append(phase == "start" and info["generation"] == 2)

    gc.callbacks.append(note)
    try:
        for _ in range(times):
            _ = [[each] for each in range(30_000)]  # lists, for numbers alone are not looked at
    finally:
        gc.callbacks.remove(note)
    return sum(collections)


def test_all_is_gone_through_less_often() -> None:
    before = looked_at_all(30)
    collect_less_often()
    freeze_objects()
    assert before >= 5
    assert looked_at_all(30) <= 1
    assert gc.get_freeze_count() > 10_000, "what was there at the start is never gone through"


def test_rings_are_found_all_the_same() -> None:
    collect_less_often()
    freeze_objects()
    ring_count = gc.get_count()[0] + 2 * sum(gc.get_threshold()[:1])
    for _ in range(ring_count):
        ring: list[object] = []
        ring.append(ring)
    assert gc.get_count()[0] < ring_count
