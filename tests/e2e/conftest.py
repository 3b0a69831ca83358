"""A box that listens on this machine, and a browser the size of a phone."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask

from device.backups import RestoreDesk
from device.cameras import OpenCamera
from device.cameras.service import CameraService
from device.hands.readings import PhotoReader
from device.hands.repository import HandRepository
from device.host.certificate import Certificate
from device.host.https import HttpsProxy
from device.server.connection import WsgiPage
from device.server.limits import ServerLimits
from device.server.server import Server, peer_address
from device.services import open_services
from device.store import Store
from device.updates.upload import BundleUpload
from device.web import Box, create_app
from device.web.contexts import Upkeep
from device.web.request_guard import make_body_limit
from tests.device.compiling import compile_once
from tests.device.fake_camera import single_camera
from tests.device.fake_reader import lay, picture
from tests.device.shared_decoder import DECODER
from tests.e2e import engines
from tests.e2e.engines import HEIGHT, SCRIPTS, WIDTH, Browser, Chromium, WebKit, browser
from tests.e2e.player import Player

compile_once()

_UPKEEP = {field.name for field in fields(Upkeep)}


@dataclass(frozen=True, slots=True)
class LiveServer:
    """A box that can be opened in a browser."""

    url: str
    hands: HandRepository
    app: Flask


class ServeWith(Protocol):
    """Starts a box around a reader, a camera if there is one, and parts of a `Box` or `Upkeep`.

    With a certificate it is answered by HTTPS, too.
    """

    def __call__(
        self,
        reader: PhotoReader,
        opener: OpenCamera | None = None,
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
        opener: OpenCamera | None = None,
        *,
        certificate: Certificate | None = None,
        **parts: Any,  # noqa: ANN401
    ) -> LiveServer:
        store = Store(folder)
        services = open_services(store, reader, DECODER)
        endings.callback(store.close)
        endings.callback(services.close)
        camera = CameraService(opener, count=services.jobs.count_tiles) if opener else None
        if camera:
            endings.callback(camera.close)
        plain = socket.create_server(("127.0.0.1", port))
        door = None
        if certificate:
            secure = socket.create_server(("127.0.0.1", 0))
            door = HttpsProxy(secure, plain.getsockname(), certificate)
            parts["https_port"] = door.port
        parts.setdefault("arrival", BundleUpload(folder, folder / "release.pub", "0.2.0"))
        parts.setdefault("cameras", single_camera(camera))
        parts.setdefault("restores", RestoreDesk(store, lambda: None))
        upkeep = {name: parts.pop(name) for name in _UPKEEP & parts.keys()}
        app = create_app(Box(services, upkeep=Upkeep(**upkeep), **parts))
        SCRIPTS.init_app(app)
        served_port = endings.enter_context(_listening(app, plain, door))
        return LiveServer(f"http://127.0.0.1:{served_port}", services.hands, app)

    with endings:
        yield start


@contextmanager
def _listening(app: Flask, listener: socket.socket, door: HttpsProxy | None) -> Iterator[int]:
    """Serve an app from a thread of its own, by a door for HTTPS, too; give the port."""
    page: WsgiPage = door.with_phone_address(app) if door else app
    address_of = door.phone_of if door else peer_address
    server = Server(page, listener, ServerLimits(threads=12), make_body_limit(app), address_of)
    thread = threading.Thread(target=server.run)
    thread.start()
    if door:
        door.open()
    try:
        yield int(server.effective_port)
    finally:
        if door:
            door.close()
        server.request_stop()
        thread.join()


@pytest.fixture(scope="session")
def phone() -> Iterator[Chromium]:
    """Return a Chromium of a phone's size that keeps a record of its requests."""
    with browser(WIDTH, HEIGHT) as chromium:
        yield chromium


@pytest.fixture(scope="session")
def webkit() -> Iterator[WebKit]:
    """Return a WebKit of a phone's size."""
    with engines.webkit() as phone_browser:
        yield phone_browser


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> Browser:
    """Return the usual phone, Chromium, or that of the engine which `in_both_engines` asks for."""
    name = {"chromium": "phone", "webkit": "webkit"}[getattr(request, "param", "chromium")]
    browser: Browser = request.getfixturevalue(name)
    browser.renew()
    return browser


@pytest.fixture
def player(engine: Browser) -> Player:
    return Player(engine)


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Return the file of a picture that the stand-in reader knows."""
    path = tmp_path / "hand.jpg"
    path.write_bytes(picture(lay()))
    return path
