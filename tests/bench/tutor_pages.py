"""How long the tutor's pages take, and the hands that it makes.

    python -m tests.bench.tutor_pages

Through the page itself, without a browser or a network: the first answer of a fresh box, and the
median of ten more.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.services import open_services
from device.store import Store
from device.web import Box, create_app
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.exercises import draw
from scorer.teach.practice.levels import levels_for
from tests.bench.program import say
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER
from tests.e2e.tutor_tour import STOPS

REPEAT_COUNT = 10
HAND_COUNT = 100


def main() -> None:
    """Print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        services = open_services(store, FakeReader(), DECODER)
        client = create_app(Box(services)).test_client()
        for name, path in STOPS:
            first, *again = (
                _measure_seconds(partial(client.get, path)) for _ in range(REPEAT_COUNT + 1)
            )
            size = len(client.get(path, headers={"Accept-Encoding": "gzip"}).data) / 1024
            say(f"{name:<20}{first * 1e3:7.0f} ms, then {statistics.median(again) * 1e3:5.1f} ms"
                f"{size:7.1f} kB")  # fmt: skip
        services.close()
        store.close()
    rules = load_builtin("bmja")
    for level in levels_for(rules):
        took = [
            _measure_seconds(partial(draw, level.key, seed, rules)) for seed in range(HAND_COUNT)
        ]
        say(f"a hand of {level.key:<14}{statistics.median(took) * 1e3:5.1f} ms,"
            f" {max(took) * 1e3:.0f} ms at most")  # fmt: skip


def _measure_seconds(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
