"""Freed memory goes back to the system, and threads share one heap."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from vision import allocator

HEAPS = """
import ctypes, sys, threading
from vision import allocator
if "shared" in sys.argv:
    allocator.share_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
together = threading.Barrier(6)
def take():
    together.wait()
    libc.malloc(1000)
threads = [threading.Thread(target=take) for _ in range(6)]
for each in threads: each.start()
for each in threads: each.join()
libc.malloc_stats()
"""

GLIBC = hasattr(ctypes.CDLL(None), "malloc_stats")


@pytest.mark.skipif(not GLIBC, reason="only glibc gives threads heaps of their own")
@pytest.mark.parametrize(("how", "is_one"), [("shared", True), ("as glibc does", False)])
def test_threads_share_one_heap(how: str, is_one: bool) -> None:
    asked = [sys.executable, "-c", HEAPS, how]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stderr
    assert (told.count("Arena ") == 1) is is_one


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocator, "_LIBC", object())
    allocator.share_heap()
    allocator.trim()
