"""Runs `tongbox` as a process that the kernel ends as soon as it calls out.

    python -m tests.device.shut_in serve --demo

The filter (seccomp) is set before anything of ours or of onnxruntime is loaded, and all threads and
children have it, whatever language they are written in. It needs no special right.
"""

from __future__ import annotations

import ctypes
import platform
import signal
import struct
import sys

CALLS_OUT = {
    "x86_64": (0xC000003E, {"connect": 42, "sendto": 44, "sendmmsg": 307}),
    "aarch64": (0xC00000B7, {"connect": 203, "sendto": 206, "sendmmsg": 269}),
}
"""By machine: its number to the kernel, and those of the calls by which a program reaches another.
A resolver uses them, too. `sendto` is also how an answer is sent; it then names no address."""

NETWORK_OF_NOBODY = "192.0.2.1"

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _END = 0x7FFF0000, 0x80000000
_CALL, _MACHINE, _ADDRESS = 0, 4, 48
"""Where the kernel's account of a call has its number, the machine and the fifth argument."""

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def shut_in() -> None:
    """Let this process be ended (SIGSYS) when it calls out; raise OSError where that cannot be."""
    machine, calls = CALLS_OUT[platform.machine()]
    steps = [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 0, 8, machine),
        (_LOAD, 0, 0, _CALL),
        (_EQUAL, 6, 0, calls["connect"]),
        (_EQUAL, 5, 0, calls["sendmmsg"]),
        (_EQUAL, 0, 5, calls["sendto"]),
        (_LOAD, 0, 0, _ADDRESS),
        (_EQUAL, 0, 2, 0),
        (_LOAD, 0, 0, _ADDRESS + 4),
        (_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _END),
        (_RETURN, 0, 0, _ALLOW),
    ]
    packed_steps = b"".join(struct.pack("HBBI", *step) for step in steps)
    program = _Program(len(steps), packed_steps)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) or libc.prctl(
        _SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0
    ):
        raise OSError(ctypes.get_errno(), "the kernel takes no filter")


def main() -> int:
    """Run the command line, shut in."""
    shut_in()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells' background jobs ignore it
    from functools import partial

    from device import cli
    from device.commands import serve
    from device.doctor import Machine
    from device.host import page_links

    # The box asks the kernel for its own address by connecting a datagram socket, which sends
    # nothing (`tests/device/commands/test_serve.py`). It is the one such call; here it is answered.
    vars(serve)["Machine"] = partial(Machine, address=lambda: NETWORK_OF_NOBODY)
    vars(page_links)["find_lan_address"] = lambda phone: NETWORK_OF_NOBODY
    return cli.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
