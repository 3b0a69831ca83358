"""Freed memory goes back to the system; threads share one heap without large buffers in it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from vision import allocator

HEAPS = """
import ctypes, sys, threading
from vision import allocator
if "shared" in sys.argv:
    allocator.limit_heap()
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
@pytest.mark.parametrize(("method", "is_one"), [("shared", True), ("as glibc does", False)])
def test_threads_share_one_heap(method: str, is_one: bool) -> None:
    command = [sys.executable, "-c", HEAPS, method]
    error_text = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert (error_text.count("Arena ") == 1) is is_one


PHOTOGRAPHS = """
import ctypes, sys
from vision import allocator
if "limited" in sys.argv:
    allocator.limit_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
libc.free(libc.malloc(36 << 20))
libc.free(libc.malloc(30 << 20))
libc.malloc(12 << 20)
print(allocator.measure_heap().hblkhd >> 20)
"""


@pytest.mark.skipif(not allocator.measure_heap().arena, reason="only glibc 2.33 and later tells")
@pytest.mark.parametrize(("method", "is_apart"), [("limited", True), ("as glibc does", False)])
def test_photographs_stay_out_of_the_heap_after_large_ones_were_freed(
    method: str, is_apart: bool
) -> None:
    command = [sys.executable, "-c", PHOTOGRAPHS, method]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (int(output) >= 12) is is_apart


GAPS = """
import ctypes, sys
from pathlib import Path
from vision import allocator
allocator.limit_heap()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) >> 8
lasting = []
for _ in range(int(sys.argv[1])):
    gap = libc.malloc(1 << 20)
    libc.memset(gap, 1, 1 << 20)
    lasting.append((gap, libc.malloc(1 << 14)))  # more than other gaps in the heap have room for
for gap, _ in lasting:
    libc.free(gap)
before = resident()
allocator.trim_excess()
print(before - resident())
"""


@pytest.mark.skipif(not allocator.measure_heap().arena, reason="only glibc 2.33 and later tells")
@pytest.mark.parametrize(
    ("megabytes", "goes_back", "reason"),
    [(130, True, "more than readings need"), (60, False, "the next reading needs it again")],
)
def test_gaps_in_the_heap_go_back_when_they_are_many(
    megabytes: int, goes_back: bool, reason: str
) -> None:
    command = [sys.executable, "-c", GAPS, str(megabytes)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (int(output) > megabytes / 2) is goes_back, reason


def test_another_c_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocator, "LIBC", object())
    allocator.limit_heap()
    allocator.trim()
    allocator.trim_excess()


def test_the_library_makes_no_id_to_report_under() -> None:
    """Where it would, it warns that it cannot keep one in a home that cannot be written to."""
    load = "from vision.networks.model import Model; Model.load('locator')"
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    environment |= {"HOME": "/proc", "XDG_CACHE_HOME": "/proc", "PYTHONPATH": os.getcwd()}  # noqa: PTH109
    result = subprocess.run(
        [sys.executable, "-c", load], capture_output=True, text=True, check=True, env=environment
    )
    assert result.stderr == ""
