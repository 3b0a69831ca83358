"""Times the stages of a reading, and tells of each as it begins."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.reading import Timings

Progress = Callable[[str], None]
"""Told the name of each stage as it begins: locate, classify, arrange."""


class Clock:
    """Times the stages and tells of them."""

    def __init__(self, load_ms: float, progress: Progress | None) -> None:
        self._spent = {"load": load_ms, "locate": 0.0, "classify": 0.0, "arrange": 0.0}
        self._progress = progress
        self._stage = ""
        self._began = self._start = time.perf_counter()

    def begin(self, stage: str) -> None:
        """End the stage before, and tell of the next."""
        self._end()
        self._stage = stage
        if self._progress:
            self._progress(stage)

    def stop(self) -> Timings:
        """Return what every stage took so far, in milliseconds."""
        self._end()
        total = (time.perf_counter() - self._start) * 1000
        return Timings(**{k: round(v, 1) for k, v in self._spent.items()}, total=round(total, 1))

    def _end(self) -> None:
        now = time.perf_counter()
        if self._stage:
            self._spent[self._stage] += (now - self._began) * 1000
        self._began = now
