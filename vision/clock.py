"""Measure how long each stage of a reading takes, and report progress."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.reading import Timings

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins: locate, classify, arrange."""


class Clock:
    """Measures the stages of one reading and reports each as it begins."""

    def __init__(self, load_ms: float, progress: Progress | None) -> None:
        self._spent = {"load": load_ms, "locate": 0.0, "classify": 0.0, "arrange": 0.0}
        self._progress = progress
        self._stage = ""
        self._began = self._start = time.perf_counter()

    def begin(self, stage: str) -> None:
        """End the current stage and begin the next one."""
        self._end()
        self._stage = stage
        if self._progress:
            self._progress(stage)

    def stop(self) -> Timings:
        """Return how long each stage has taken so far, in milliseconds."""
        self._end()
        total = (time.perf_counter() - self._start) * 1000
        return Timings(**{k: round(v, 1) for k, v in self._spent.items()}, total=round(total, 1))

    def _end(self) -> None:
        now = time.perf_counter()
        if self._stage:
            self._spent[self._stage] += (now - self._began) * 1000
        self._began = now
