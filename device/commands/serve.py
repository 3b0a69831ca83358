"""`tongbox serve`: the page for the players' phones."""

from __future__ import annotations

import argparse
import logging
import socket
import sys
from pathlib import Path

import segno
import waitress

from device import notify
from device.address import NoPortError, lan_address, open_port
from device.cameras import CHOICES, open_camera
from device.cameras.service import CameraService
from device.commands.data import add_data
from device.commands.read import Subparsers, load_reader
from device.doctor import Machine
from device.doctor.software import networks
from device.jobs import Jobs
from device.records import Records
from device.samples import FOLDER as SAMPLES
from device.samples import load_samples
from device.store import Store, StoreError
from device.tile_sets import TileSets
from device.web import Box, create_app
from device.web.capture import MOST_STREAMS
from vision.errors import ModelError

MAX_BODY = 64 * 2**20
"""Bytes of a request that are taken in at all; the page refuses uploads far below, in words."""

THREADS = 8 + MOST_STREAMS
"""A live picture keeps a thread busy for as long as somebody looks at it."""

UNSENT = 2**17
"""Bytes that wait for a slow phone at most, three live pictures or so: it then gets fewer of them
rather than old ones."""

GONE_MS = 20_000
"""Milliseconds after which a phone that takes nothing any more is taken to be gone."""


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser("serve", help="serve the page for phones on this network")
    parser.add_argument(
        "--demo", action="store_true", help="offer sample photographs, as the camera too"
    )
    parser.add_argument("--camera", metavar="WHICH", help=f"the box's own camera: {CHOICES} (auto)")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on")  # noqa: S104
    parser.add_argument("--port", type=int, default=8080, help="port wished for (8080)")
    add_data(parser)
    parser.add_argument(
        "--name", action="append", default=[], help="another host name that the page answers to"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted; return 1 when the box cannot start."""
    try:
        opener = open_camera(args.camera or (f"folder:{SAMPLES}" if args.demo else "auto"))
        args.data.mkdir(parents=True, exist_ok=True)
        reader = load_reader()
        store = Store(args.data)
        listener = open_port(args.host, args.port)
    except (ModelError, NoPortError, StoreError, OSError, ValueError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every short queue
    records = Records(store)
    sets = TileSets(store, records)
    jobs = Jobs(records, reader, sets, models=networks())
    names = frozenset({*args.name, socket.gethostname()})
    optional = args.camera in (None, "auto")
    camera = CameraService(opener, optional=optional, count=jobs.count_tiles) if opener else None
    samples = load_samples() if args.demo else ()
    machine = Machine(args.data)
    app = create_app(Box(records, jobs, sets, samples, names, machine=machine, camera=camera))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_MS)
    sys.stdout.write(greeting(args.host, listener.getsockname()[1], args.port, args.data))
    sys.stdout.flush()
    notify.ready(lambda: jobs.alive)
    try:
        waitress.serve(
            app,
            sockets=[listener],
            threads=THREADS,
            ident=None,
            max_request_body_size=MAX_BODY,
            outbuf_high_watermark=UNSENT,
            _quiet=True,
        )
    finally:
        if camera:
            camera.close()
        jobs.close()
        store.close()
    return 0


def greeting(host: str, port: int, wished: int, folder: Path) -> str:
    """Return what is printed at the start: the address, its QR code, where things are kept."""
    address = lan_address() if host == "0.0.0.0" else host  # noqa: S104
    url = f"http://{address}:{port}/"
    moved = "" if port == wished else f"  Port {wished} is taken, so this is port {port}.\n"
    return (
        f"\n  Tongbox is open at  {url}\n{moved}\n{qr_code(url)}\n"
        "  Phones on the same network: point the camera at the code.\n"
        f"  Hands and photos stay here: {folder}\n"
        "  Ctrl-C stops it.\n\n"
    )


def qr_code(text: str) -> str:
    """Return a QR code in half-block characters, light on dark, with its quiet zone.

    Two rows share one line of text, so that the code is square and fits a small window.
    """
    rows = [[not dark for dark in row] for row in segno.make(text, error="m").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([True] * len(rows[0]))
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    lines = (
        "".join(blocks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
    return "".join(f"    {line}\n" for line in lines)
