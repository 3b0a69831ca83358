"""How soon a lost camera is noticed, how many phones may look, and what it costs when none does.

`python -m tests.bench.camera` starts the real server around a camera that hangs at one signal and
is unplugged at another, and takes about a minute. tests/README.md has the figures.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import tempfile
import time

from tests.bench.program import measure_cpu_s, run_box, say

BOX_PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from device import cli
from device.cameras.protocol import CameraUnavailableError
from device.commands import serve
from scorer.message import plain
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader
camera = FakeCamera()
def hang(*_):
    (camera.let_go.clear if camera.let_go.is_set() else camera.let_go.set)()
def unplug(*_):
    gone = None if camera.fault else CameraUnavailableError(plain("Unplugged."))
    camera.fault = camera.start_fault = gone
signal.signal(signal.SIGUSR1, hang)
signal.signal(signal.SIGUSR2, unplug)
serve.load_reader = FakeReader
serve.open_camera = lambda choice: lambda *_: camera
sys.exit(cli.main(sys.argv[1:]))
"""

UNWATCHED_AFTER_S = 6.0
"""Seconds after which the box knows that nobody looks."""

IDLE_S = 15.0


def main() -> None:
    """Print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--host", "127.0.0.1", "--port", "18400", "--data", folder]
        with run_box(["-c", BOX_PROGRAM, "serve", *options]) as (pid, port):
            _measure(pid, port)


def _measure(pid: int, port: int) -> None:
    _wait_for_state(port, "ready")
    for name, number in (("hangs", signal.SIGUSR1), ("is unplugged", signal.SIGUSR2)):
        for look in ("watched", "unwatched"):
            time.sleep(UNWATCHED_AFTER_S if look == "unwatched" else 0.5)
            os.kill(pid, number)
            say(f"{name}, {look}: lost after {_wait_for_state(port, 'lost'):.2f} s")
            os.kill(pid, number)
            say(f"{name}, {look}: ready after {_wait_for_state(port, 'ready'):.2f} s")
    for when in ("four phones", "four more when those have left"):
        phones = [_open_live_view(port) for _ in range(4)]
        time.sleep(3)
        say(f"{when}: {[_count_pictures(phone) for phone in phones]} pictures in 3 s")
        fifth = _open_live_view(port)
        time.sleep(1)
        say(f"a fifth: {_count_pictures(fifth)}")
        for phone in (*phones, fifth):
            phone.close()
        time.sleep(1.5)
    time.sleep(UNWATCHED_AFTER_S)
    before = measure_cpu_s(pid)
    time.sleep(IDLE_S)
    say(f"nobody looks: {(measure_cpu_s(pid) - before) / IDLE_S:.2%} of a core")


def _wait_for_state(port: int, state: str) -> float:
    """Wait until the page says this of the camera; return the seconds."""
    began = time.monotonic()
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/camera/now")
        said = json.loads(connection.getresponse().read())
        connection.close()
        if said["state"] == state:
            return time.monotonic() - began
        time.sleep(0.05)


def _open_live_view(port: int) -> socket.socket:
    phone = socket.create_connection(("127.0.0.1", port))
    phone.sendall(b"GET /camera/live.mjpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    return phone


def _count_pictures(phone: socket.socket) -> int:
    """Return how many pictures have arrived."""
    phone.setblocking(False)
    arrived = b""
    try:
        while more := phone.recv(1 << 16):
            arrived += more
    except BlockingIOError:
        pass
    return arrived.count(b"image/jpeg")


if __name__ == "__main__":
    main()
