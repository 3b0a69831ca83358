"""Settings of the C library's allocator: freed memory goes back to the system.

Only glibc has them. Elsewhere nothing is done, and nothing is lost but memory.
"""

from __future__ import annotations

import ctypes

MAX_ARENAS = 1
"""Heaps, which all threads share. By itself glibc gives nearly every thread its own, and each keeps
what a reading or a large photograph left there. Threads seldom wait for each other at the heap,
since Python lets one of them work at a time."""

_M_ARENA_MAX = -8
"""The number of that setting in glibc's malloc.h."""

_LIBC = ctypes.CDLL(None)


def share_heap() -> None:
    """Let all threads that are started from now on share one heap."""
    if hasattr(_LIBC, "mallopt"):
        _LIBC.mallopt(_M_ARENA_MAX, MAX_ARENAS)


def trim() -> None:
    """Give memory that is free back to the system."""
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)
