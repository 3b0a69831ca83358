"""The `tongbox` command, which notes what its memory is made of: for measurements alone.

    .venv/bin/python -m tests.bench.memory_probe FILE EVERY [--trace] serve …

A line of JSON is added to the file every so many seconds: the allocator's figures in megabytes,
how many blocks Python has, and how much each cache remembers. With `--trace`, which makes the
program slower and larger, the lines that hold more than after the first look are added at the end.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from device import cli
from device.store import Store
from device.store.projection import Projector
from vision.allocator import measure_heap

OWN_PACKAGES = ("device", "scorer", "vision")

MAX_GROWN_LINES = 40
"""Lines of the program that are named at the end."""

BYTES_PER_MB = 2**20

_CACHE_TYPE = type(lru_cache(abs))


def measure_heap_mb() -> dict[str, float]:
    """Return the sizes of the C library's heap, and of what it has mapped apart, in megabytes.

    Objects of Python up to 512 bytes lie in neither.
    """
    sizes = measure_heap()
    named = {"heap": sizes.arena, "used": sizes.uordblks, "free": sizes.fordblks}
    return {name: size / BYTES_PER_MB for name, size in {**named, "mapped": sizes.hblkhd}.items()}


class Counter:
    """Notes it, in this process."""

    def __init__(self, file: Path, every: float, *, trace: bool) -> None:
        self._file, self._every, self._traces = file, every, trace
        self._stores: list[Store] = []
        self._first: tracemalloc.Snapshot | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="counter", daemon=True)

    def begin(self) -> None:
        """Look on from now on."""
        began = Store.__init__

        def begin(store: Store, *args: Any, **named: Any) -> None:  # noqa: ANN401
            began(store, *args, **named)
            self._stores.append(store)

        setattr(Store, "__init__", begin)  # noqa: B010
        if self._traces:
            tracemalloc.start(4)
        self._thread.start()

    def end(self) -> None:
        """Write the last line."""
        self._over.set()
        self._thread.join()
        self._write({"end": True, **self._counts(), "grown": self._grown()})

    def _run(self) -> None:
        while not self._over.wait(self._every):
            self._write(self._counts())
            if self._traces and self._first is None:
                self._first = tracemalloc.take_snapshot()

    def _write(self, line: dict[str, Any]) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def _counts(self) -> dict[str, Any]:
        return {
            "heap": measure_heap_mb(),
            "blocks": sys.getallocatedblocks(),
            "threads": threading.active_count(),
            "remembered": dict(self._remembered()),
            "caches": dict(_cache_sizes()),
        }

    def _remembered(self) -> Iterator[tuple[str, int]]:
        for store in self._stores:
            for each in store.caches:
                if isinstance(each, Projector):
                    yield each._how.sort, len(each._known)

    def _grown(self) -> list[str]:
        if self._first is None:
            return []
        now = tracemalloc.take_snapshot()
        return [str(each) for each in now.compare_to(self._first, "lineno")[:MAX_GROWN_LINES]]


def _cache_sizes() -> Iterator[tuple[str, int]]:
    """Yield how many entries each function remembers that remembers any."""
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] in OWN_PACKAGES:
            for of, what in tuple(vars(module).items()):
                if (
                    type(what) is _CACHE_TYPE
                    and what.__module__ == name
                    and what.cache_info().currsize
                ):
                    yield f"{name}.{of}", what.cache_info().currsize


def main() -> int:
    """Run the command, and write what its memory is made of."""
    file, every, *command = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background ignores
    trace = command[0] == "--trace"
    counter = Counter(Path(file), float(every), trace=trace)
    counter.begin()
    try:
        return cli.main(command[trace:])
    finally:
        counter.end()


if __name__ == "__main__":
    sys.exit(main())
