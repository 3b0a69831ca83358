"""A box that listens on this machine, and a Chromium the size of a phone."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from device.cameras.opening import Open
from device.cameras.service import CameraService
from device.hands.readings import PhotoReader
from device.hands.repository import HandRepository
from device.host.certificate import Certificate
from device.host.https import Door
from device.jobs import Jobs
from device.matches.hands import hands_of
from device.server.connection import WsgiPage
from device.server.limits import Limits
from device.server.server import Server, itself
from device.store import Store
from device.tilesets.tile_sets import TileSets
from device.updates.arrival import Arrival
from device.web import Box, create_app
from device.web.bodies import may_send
from tests.device.compiling import compile_once
from tests.device.fake_camera import only
from tests.device.fake_reader import lay, picture
from tests.e2e.fonts import USUAL, environment
from tests.e2e.player import Player, forget, log

compile_once()

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP *.local 127.0.0.1",  # a tab under a name of its own is a phone
)


@dataclass(frozen=True, slots=True)
class LiveServer:
    """A box that can be opened in a browser."""

    url: str
    hands: HandRepository


class ServeWith(Protocol):
    """Starts a box around a reader, around a camera if there is one, and other parts of a `Box`.

    With a certificate it is answered by HTTPS, too.
    """

    def __call__(
        self,
        reader: PhotoReader,
        opener: Open | None = None,
        *,
        certificate: Certificate | None = None,
        **parts: Any,  # noqa: ANN401
    ) -> LiveServer: ...


@pytest.fixture
def serve_with(tmp_path: Path) -> Iterator[ServeWith]:
    """Start a box around a reader."""
    with serving(tmp_path / "box") as start:
        yield start


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[ServeWith]:
    """Give what starts a box with its hands in a folder, on any port or this; end it afterwards."""
    endings = ExitStack()

    def start(
        reader: PhotoReader,
        opener: Open | None = None,
        *,
        certificate: Certificate | None = None,
        **parts: Any,  # noqa: ANN401
    ) -> LiveServer:
        store = Store(folder)
        hands = hands_of(store)
        sets = TileSets(store, hands)
        jobs = Jobs(hands, reader, sets)
        endings.callback(store.close)
        endings.callback(jobs.close)
        camera = CameraService(opener, count=jobs.count_tiles) if opener else None
        if camera:
            endings.callback(camera.close)
        plain = socket.create_server(("127.0.0.1", port))
        door = None
        if certificate:
            secure = socket.create_server(("127.0.0.1", 0))
            door = Door(secure, plain.getsockname(), certificate)
            parts["https_port"] = door.port
        parts.setdefault("arrival", Arrival(folder, folder / "release.pub", "0.2.0"))
        parts.setdefault("cameras", only(camera))
        app = create_app(Box(hands, jobs, sets, **parts))
        at = endings.enter_context(_listening(app, plain, door))
        return LiveServer(f"http://127.0.0.1:{at}", hands)

    with endings:
        yield start


@contextmanager
def _listening(app: Flask, listener: socket.socket, door: Door | None) -> Iterator[int]:
    """Serve an app from a thread of its own, by a door for HTTPS, too; give the port."""
    page: WsgiPage = door.telling(app) if door else app
    whose = door.phone_of if door else itself
    server = Server(page, listener, Limits(threads=12), may_send(app), whose)
    stop = threading.Event()

    def loop() -> None:
        while not stop.is_set():
            server.asyncore.loop(timeout=0.1, use_poll=True, map=server._map, count=1)
        server.stop()

    thread = threading.Thread(target=loop)
    thread.start()
    if door:
        door.open()
    try:
        yield int(server.effective_port)
    finally:
        if door:
            door.close()
        stop.set()
        thread.join()


@pytest.fixture(scope="session")
def phone() -> Iterator[Chrome]:
    """Return a Chromium of a phone's size that keeps a record of its requests."""
    with browser(390, 844) as chrome:
        yield chrome


HEADLESS = "/usr/lib/chromium/chromium-headless-shell"
"""Debian's Chromium without the windows that nobody sees here: a fifth less work for the same
pages. Not `/usr/bin`'s: that is a script, which ends without what it has started."""


def found_chromium() -> str:
    return HEADLESS if Path(HEADLESS).exists() else shutil.which("chromium") or ""


@contextmanager
def browser(width: int, height: int, *flags: str, fonts: str = USUAL) -> Iterator[Chrome]:
    """Give a Chromium of this size in CSS pixels, with these fonts and more flags than usual."""
    options = ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", found_chromium())
    for flag in (*FLAGS, *flags):
        options.add_argument(flag)
    metrics = {"width": width, "height": height, "pixelRatio": 2}
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = shutil.which(os.environ.get("CHROMEDRIVER", "chromedriver"))
    chrome = Chrome(
        options=options, service=Service(driver, env={**os.environ, **environment(fonts)})
    )
    yield chrome
    chrome.quit()


@pytest.fixture
def player(phone: Chrome) -> Player:
    phone.get("about:blank")  # an earlier test's page goes on asking for its box
    for kind in ("browser", "performance"):
        log(phone, kind)  # what earlier tests left there is not this one's
    forget(phone)
    return Player(phone)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Return the file of a picture that the stand-in reader knows."""
    path = tmp_path / "hand.jpg"
    path.write_bytes(picture(lay()))
    return path
