"""The real box, with little memory: large pictures in small files take neither page nor memory."""

from __future__ import annotations

import http.client
import re
import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.bench.program import ask, read_unit_environment, run_box
from tests.device.decoding.pictures import one_colour

pytestmark = pytest.mark.slow

MEMORY = 1500 * 2**20
"""Bytes of addresses that the page's process may have: what a small Pi has of memory."""

MAX_MEGABYTES = 260
"""Megabytes that the page may hold above what it held: one photograph of 16 megapixels that is
taken in, one that is read, what both become, and the files of those that wait."""


@pytest.fixture
def box(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Run a box; give its process id and port."""
    command = ["-m", "device.cli", "serve", "--host", "127.0.0.1", "--camera", "none"]
    command += ["--port", "18600", "--data", str(tmp_path)]
    with run_box(command, read_unit_environment()) as (pid, port):
        ask(port, "/")
        resource.prlimit(pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        yield pid, port


def send(port: int, data: bytes, phone: str = "127.0.0.1") -> int:
    """Return the status with which a picture is answered that comes from a phone's address."""
    mark = "tongbox-test"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="photo"; filename="hand.jpg"\r\n\r\n'
    body = head.encode() + data + f"\r\n--{mark}--\r\n".encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, 120, (phone, 0))
    form = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    connection.request("POST", "/hands", body, form)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def peak_megabytes(pid: int) -> int:
    """Return the most megabytes that a process has held."""
    match = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert match
    return int(match[1]) // 1024


@pytest.mark.longest
@pytest.mark.parametrize("phones", [2, pytest.param(8, marks=pytest.mark.prove)])
def test_large_pictures_and_many_phones_at_once(box: tuple[int, int], phones: int) -> None:
    """Each of the many has an address of its own; their files are as large as may lie there."""
    pid, port = box
    before = peak_megabytes(pid)
    webp, png = one_colour("WEBP", 8000, 4000), one_colour("PNG", 8000, 8000, "RGBA")
    with ThreadPoolExecutor(phones) as threads:
        photos = [webp, png] * (phones // 2)
        answers = set(threads.map(lambda data: send(port, data), photos))
        assert threads.submit(ask, port, "/").result()
    assert answers <= {303, 503}, "taken, or asked to be sent again"
    assert 303 in answers
    photo = one_colour("JPEG", 4000, 3000)
    photo += bytes(6 * 2**20 - len(photo))  # as large as phones' files; a JPEG may have a tail
    addresses = [f"127.0.0.{number}" for number in range(2, 6 + phones)]
    with ThreadPoolExecutor(len(addresses)) as threads:
        results = list(threads.map(lambda phone: send(port, photo, phone), addresses))
    assert results == [303] * len(addresses)
    assert peak_megabytes(pid) - before < MAX_MEGABYTES
    assert '"ok"' in ask(port, "/health")
