"""Settings of the C library's allocator: return freed memory to the system.

Only glibc has these settings. Elsewhere the functions do nothing, and the process uses more memory.
"""

from __future__ import annotations

import ctypes

MAX_ARENAS = 1
"""Number of heaps, shared by all threads. By default glibc gives nearly every thread its own heap,
which keeps the memory of past readings. Threads rarely compete for the heap, because Python runs
one at a time."""

MIN_MAPPED_BYTES = 8 * 2**20
"""Buffers of this size or more are mapped outside the heap and are released when freed. By default
glibc raises this limit to 32 MB after the first large photograph. Large buffers would then lie
between small, long-lived ones and fragment the heap."""

MAX_TOP_BYTES = 64 * 2**20
"""Free memory at the end of the heap that is kept for the next reading."""

MAX_FREE_BYTES = 96 * 2**20
"""Free memory in the heap that is kept between readings. A reading needs about 70 MB."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""Numbers of these settings in glibc's malloc.h."""

_SETTINGS = {
    _M_ARENA_MAX: MAX_ARENAS,
    _M_MMAP_THRESHOLD: MIN_MAPPED_BYTES,
    _M_TRIM_THRESHOLD: MAX_TOP_BYTES,
}

LIBC = ctypes.CDLL(None)


class HeapSizes(ctypes.Structure):
    """Result of glibc's `mallinfo2`, in bytes and counts."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd",
            "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    )  # fmt: skip


def limit_heap() -> None:
    """Make threads started from now on share one heap, with large buffers outside it."""
    if hasattr(LIBC, "mallopt"):
        for setting, value in _SETTINGS.items():
            LIBC.mallopt(setting, value)


def measure_heap() -> HeapSizes:
    """Return the sizes of the heap; all zero where the C library does not report them."""
    if not hasattr(LIBC, "mallinfo2"):
        return HeapSizes()
    LIBC.mallinfo2.restype = HeapSizes
    sizes: HeapSizes = LIBC.mallinfo2()
    return sizes


def trim() -> None:
    """Return free memory to the system."""
    if hasattr(LIBC, "malloc_trim"):
        LIBC.malloc_trim(0)


def trim_excess() -> None:
    """Return free memory to the system if more than MAX_FREE_BYTES are free."""
    if measure_heap().fordblks > MAX_FREE_BYTES:
        trim()
