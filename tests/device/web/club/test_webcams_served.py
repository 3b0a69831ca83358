"""`tongbox serve` in a process of its own, with two tables that have a webcam each."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import numpy as np
import pytest
from PIL import Image

from tests.bench.program import run_box
from tests.device.cameras.plugs import Plugs
from tests.device.fake_camera import wait_until

BOX = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)
from device import cli
from device.commands import serve
from tests.device.cameras.plugs import Plugs
from tests.device.fake_reader import FakeReader
plugs = Plugs(Path(sys.argv.pop(1)))
serve.load_reader = FakeReader
serve.WebcamSource = lambda find: plugs.webcam_source
sys.exit(cli.main(sys.argv[1:]))
"""

pytestmark = pytest.mark.prove  # `test_tables_webcams.py` has the same in one process


class Phone:
    """A phone that asks the box, and keeps its cookies."""

    def __init__(self, port: int, table: str = "") -> None:
        self._address = f"http://127.0.0.1:{port}"
        self._open = build_opener(HTTPCookieProcessor(CookieJar())).open
        if table:
            self.ask(f"/at/{table}/")

    def ask(self, path: str, form: Mapping[str, str] | None = None) -> tuple[str, bytes]:
        """Return where a page or a form leads, and what is there."""
        data = None if form is None else urlencode(form).encode()
        with self._open(self._address + path, data, timeout=20) as answer:
            return answer.url.removeprefix(self._address), answer.read()

    def photographs(self) -> int:
        """Take a photograph with the table's camera; return its grey."""
        address, _ = self.ask("/camera/photo", {})
        photo = Image.open(io.BytesIO(self.ask(address + "photo.jpg")[1])).convert("L")
        return int(np.rint(np.asarray(photo).mean() / 10)) * 10


def test_two_tables_photograph_at_once_each_with_its_own_webcam(tmp_path: Path) -> None:
    plugs = Plugs(tmp_path / "computer")
    plugs.plug(0, "C920", "8E1B", "1.1")
    plugs.plug(2, "C270", "77AA", "1.2")
    plugs.plug(5, "box", "0", "1.3")  # whose picture the box's own camera has
    options = ["--host", "127.0.0.1", "--port", "18660", "--data", str(tmp_path / "data")]
    options += ["--camera", f"folder:{plugs.root}/pictures/video5"]
    command = ["-c", BOX, str(plugs.root), "serve", *options]
    with run_box(command) as (_, port):
        names = ("Window", "Door", "Wall")
        tables = [Phone(port).ask("/club/tables/", {"name": name})[0] for name in names]
        cameras = ("usb-C920_8E1B-video-index0", "usb-C270_77AA-video-index0", "box")
        for table, camera in zip(tables, cameras, strict=True):
            Phone(port).ask(f"{table}camera", {"camera": camera, "from": tables[0].split("/")[3]})
        phones = [Phone(port, table.split("/")[3]) for table in tables]
        for phone in phones:
            wait_until(lambda phone=phone: b'"ready"' in phone.ask("/camera/now")[1])  # type: ignore[misc]
        barrier = threading.Barrier(len(phones))

        def photographs(phone: Phone) -> int:
            barrier.wait(20)
            return phone.photographs()

        with ThreadPoolExecutor(len(phones)) as threads:
            assert list(threads.map(photographs, phones)) == [20, 40, 70]
