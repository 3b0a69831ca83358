"""Settings of the C library's allocator: freed memory goes back to the system.

Only glibc has them. Elsewhere nothing is done, and nothing is lost but memory.
"""

from __future__ import annotations

import ctypes

MAX_ARENAS = 1
"""Heaps, which all threads share. By itself glibc gives nearly every thread its own, and each keeps
what a reading or a large photograph left there. Threads seldom wait for each other at the heap,
since Python lets one of them work at a time."""

MIN_MAPPED_BYTES = 8 * 2**20
"""Buffers from this size on are mapped apart from the heap, and go back as soon as they are freed.
By itself glibc raises this to 32 MB at the first large photograph: photographs of 12 megapixels
then lie among all that is small and lasts, and the heap grows by the gaps that they leave."""

MAX_TOP_BYTES = 64 * 2**20
"""Free memory at the heap's end that stays for the next reading."""

MAX_FREE_BYTES = 96 * 2**20
"""Free memory in the heap that stays while readings follow one another. One needs some 70 MB."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""The numbers of these settings in glibc's malloc.h."""

_SETTINGS = {
    _M_ARENA_MAX: MAX_ARENAS,
    _M_MMAP_THRESHOLD: MIN_MAPPED_BYTES,
    _M_TRIM_THRESHOLD: MAX_TOP_BYTES,
}

_LIBC = ctypes.CDLL(None)


class HeapSizes(ctypes.Structure):
    """What glibc's `mallinfo2` returns, in bytes and counts."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd",
            "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    )  # fmt: skip


def limit_heap() -> None:
    """Let all threads that are started from now on share one heap without large buffers in it."""
    if hasattr(_LIBC, "mallopt"):
        for setting, value in _SETTINGS.items():
            _LIBC.mallopt(setting, value)


def heap_sizes() -> HeapSizes:
    """Return what the heap is made of; all zero where the C library does not tell."""
    if not hasattr(_LIBC, "mallinfo2"):
        return HeapSizes()
    _LIBC.mallinfo2.restype = HeapSizes
    sizes: HeapSizes = _LIBC.mallinfo2()
    return sizes


def trim() -> None:
    """Give memory that is free back to the system."""
    if hasattr(_LIBC, "malloc_trim"):
        _LIBC.malloc_trim(0)


def trim_if_much_is_free() -> None:
    """Do so if more than MAX_FREE_BYTES are free; what is free already costs nothing more."""
    if heap_sizes().fordblks > MAX_FREE_BYTES:
        trim()
