"""Threads that stand for phones: started together, and joined at the end of a block."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def in_threads(
    count: int, work: Callable[[int], object], stop: threading.Event | None = None
) -> Iterator[list[threading.Thread]]:
    """Run some work in several threads, each with its number, and join them after the block.

    `stop` is set before they are joined, for work that goes on until then.
    """
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for each in threads:
        each.start()
    try:
        yield threads
    finally:
        if stop:
            stop.set()
        for each in threads:
            each.join()
