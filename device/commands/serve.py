"""`tongbox serve`: serve the pages for the players' phones."""

from __future__ import annotations

import argparse
import io
import logging
import socket
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask

from device.backups import RestoreDesk
from device.cameras import (
    CAMERA_CHOICES,
    CameraOpener,
    FreeWebcams,
    OpenCamera,
    is_any_webcam,
    open_camera,
)
from device.cameras.cameras import Cameras, TableWebcam, WebcamSource
from device.cameras.picamera2 import Controls, SavedControls
from device.cameras.service import CameraService
from device.cameras.webcams import list_webcams
from device.club.camera_assignments import CameraAssignments
from device.commands.console import parse_port
from device.commands.store_options import add_photos, add_store
from device.decoding.decoder import MAX_PHOTOGRAPHS_IN_LINE, Decoder
from device.doctor import Machine
from device.doctor.health import CareWatch
from device.doctor.machine_checks import model_hashes
from device.doctor.report import start_fault_log
from device.hands.readings import PhotoReader, load_reader
from device.host import service_manager
from device.host.machine import (
    HOTSPOT_ADDRESS,
    LOOPBACK_ADDRESS,
    LOOPBACK_OF_ALL,
    find_lan_address,
    local_address_of,
    open_port,
)
from device.host.qr_codes import make_qr_code
from device.jobs import PhotoQueue
from device.rulesets import is_ruleset_key
from device.rulesets.repository import CustomRulesets
from device.samples import SAMPLES_FOLDER, load_samples
from device.server.connection import WsgiPage
from device.server.limits import MAX_JUDGED_FRAMES, MAX_STREAMS, ServerLimits, within_open_files
from device.server.server import Server, collect_less_often, freeze_objects, peer_address
from device.services import open_services
from device.settings import SettingsLog, append_to_box
from device.store import Store, StoreError, UnwritableError
from device.store.data_folder import ServingLock
from device.store.errors import translate_file_errors
from device.store.events import CameraAdjusted
from device.store.log_copies import LogKeeper
from device.store.read_only_folder import explain_refusal
from device.store.store_url import hide_password, is_embedded, open_store, resolve_data_folder
from device.updates.upload import open_upload
from device.web import Box, create_app, warm_up
from device.web.contexts import Upkeep
from device.web.printing import MAX_WAITING_REQUESTS
from device.web.request_guard import make_body_limit
from device.web.storage_outage import open_with_retries
from scorer.errors import RefusalError
from scorer.hand import RULESETS
from scorer.rulesets.reader import read_ruleset_file
from vision import allocator

if TYPE_CHECKING:
    from device.host.https import HttpsProxy

MAX_LONG_THREADS = MAX_STREAMS + MAX_WAITING_REQUESTS + MAX_PHOTOGRAPHS_IN_LINE + MAX_JUDGED_FRAMES
"""Threads that may be busy for long: live pictures while a phone shows them, and requests that
wait for a print, for decoding a photograph or for the camera's aim."""

SERVER_LIMITS = ServerLimits(threads=8 + MAX_LONG_THREADS)
"""Eight threads serve everything else."""

THREAD_SWITCH_INTERVAL_S = 0.0005
"""How long a thread may keep the interpreter while others wait. Python's default is 5 ms. With
that, one phone that asked without pause delayed sixty others by two seconds
(`tests/prove/doors.py`)."""

SEND_TIMEOUT_MS = 20_000
"""A phone that accepts no data for this long counts as gone."""

DEFAULT_HTTPS_PORT = 8443

_QUIET_ZONE_MODULES = 2
"""The light edge of the QR code on a terminal: half of the standard's, so that the code fits."""

_WHITE_ON_BLACK, _OWN_COLOURS = "\033[38;5;231;48;5;16m", "\033[0m"
"""What sets a terminal's colours, and sets them back. The two numbers are white and black in every
theme; the first sixteen are the theme's own."""

_log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--demo", action="store_true", help="offer sample photographs, as the camera too"
    )
    parser.add_argument(
        "--camera", metavar="WHICH", help=f"the box's own camera: {CAMERA_CHOICES} (auto)"
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on, also IPv6")  # noqa: S104
    parser.add_argument("--port", type=parse_port, default=8080, help="port to listen on (8080)")
    add_store(parser, is_data_own=True)
    add_photos(parser)
    parser.add_argument(
        "--name", action="append", default=[], help="another host name that the page answers to"
    )
    parser.add_argument(
        "--rules",
        metavar="RULES",
        help="propose these for matches: bmja, safalra, ours-1, or a file, which is saved (bmja)",
    )
    parser.add_argument(
        "--backups",
        type=Path,
        metavar="FOLDER",
        help="folder for backups, which is there already "
        "(default: tongbox-backups on a stick in /media or /mnt)",
    )
    parser.add_argument(
        "--no-worker",
        action="store_true",
        help="leave reading photographs to `tongbox worker` (with a database)",
    )
    parser.add_argument(
        "--https",
        type=parse_port,
        nargs="?",
        const=DEFAULT_HTTPS_PORT,
        metavar="PORT",
        help=f"also answer HTTPS on this port ({DEFAULT_HTTPS_PORT}); browsers warn of it",
    )


@dataclass(frozen=True, slots=True)
class _Resources:
    """The resources whose opening may fail."""

    decoder: Decoder
    opener: CameraOpener | None
    reader: PhotoReader
    listener: socket.socket
    machine: Machine
    serving: ServingLock
    store: Store
    door: HttpsProxy | None
    rules: str
    """Key of the ruleset that is proposed."""


def run(args: argparse.Namespace) -> None:
    """Serve until interrupted; raise RefusalError or RulesetError if the box cannot start."""
    allocator.limit_heap()
    collect_less_often()
    restart = service_manager.ProgramRestart()
    with ExitStack() as endings:
        try:
            args.data = resolve_data_folder(args.data, args.store)
            start_fault_log(args.data)
            ready = _open_resources(args, endings)
        except (OSError, ValueError) as error:
            raise RefusalError(error) from error
        try:
            _serve(args, ready, endings, restart)
        except RefusalError as error:
            raise RuntimeError("The box failed while it served.") from error
    restart.run_again()


def _open_resources(args: argparse.Namespace, endings: ExitStack) -> _Resources:
    """Open what the box needs; `endings` closes it again, whatever fails."""
    decoder = Decoder()
    endings.callback(decoder.close)
    camera = args.camera or (f"folder:{SAMPLES_FOLDER}" if args.demo else "auto")
    opener = open_camera(camera, decoder)
    reader = load_reader()
    listener = _open_listener(args)
    endings.callback(listener.close)
    machine = Machine(args.data, store_url=args.store, photos=args.photos)
    serving, store = open_with_retries(partial(_open_locked_store, args), listener, machine)
    endings.callback(serving.close)
    endings.callback(store.close)
    door = _open_https_door(args, listener) if args.https else None
    rules = _keep_rules(args.rules, store)
    return _Resources(decoder, opener, reader, listener, machine, serving, store, door, rules)


def _keep_rules(rules_choice: str | None, store: Store) -> str:
    """Return the key of the proposed ruleset; a file is kept first. Raises RulesetError."""
    if rules_choice is None:
        return RULESETS[0]
    if is_ruleset_key(rules_choice):
        return rules_choice
    return CustomRulesets(store).keep_file(read_ruleset_file(Path(rules_choice))).id


def _serve(
    args: argparse.Namespace,
    ready: _Resources,
    endings: ExitStack,
    restart: service_manager.ProgramRestart,
) -> None:
    """Build the page and serve it until interrupted."""
    store, listener, door = ready.store, ready.listener, ready.door
    ready.decoder.warm_up()
    app = create_app(_build_box(args, ready, endings, restart))
    page: WsgiPage = door.with_phone_address(app) if door else app
    client_address = door.phone_of if door else peer_address
    server = Server(
        page, listener, within_open_files(SERVER_LIMITS), make_body_limit(app), client_address
    )
    restart.stop_serving = server.request_stop
    if door:
        door.open()
        endings.callback(door.close)
    ready.serving.tell(page_address(args.host, listener.getsockname()[1]))
    _greet(args, listener, door)
    service_manager.notify_ready(partial(service_manager.is_answering, *local_address_of(listener)))
    if is_embedded(args.store):
        endings.enter_context(LogKeeper(store, args.backups))
    threading.Thread(target=_warm_up, args=(app,), name="warm-up", daemon=True).start()
    sys.setswitchinterval(THREAD_SWITCH_INTERVAL_S)
    server.run()


def _build_box(
    args: argparse.Namespace,
    ready: _Resources,
    endings: ExitStack,
    restart: service_manager.ProgramRestart,
) -> Box:
    """Build everything that the pages need; `endings` closes it again."""
    works, models = not args.no_worker, model_hashes()
    services = open_services(ready.store, ready.reader, ready.decoder, models=models, works=works)
    endings.callback(services.close)
    cameras = _open_cameras(args, ready, services.jobs)
    endings.callback(cameras.close)
    upkeep = Upkeep(
        ready.machine,
        names=frozenset({*args.name, socket.gethostname()}),
        https_port=ready.door.port if ready.door else 0,
        care=endings.enter_context(CareWatch(ready.machine, cameras)),
        arrival=open_upload(ready.machine),
        restores=RestoreDesk(ready.store, restart.request) if is_embedded(args.store) else None,
    )
    samples = load_samples() if args.demo else ()
    return Box(services, samples, ready.rules, cameras, upkeep, greets=not args.demo)


def _warm_up(app: Flask) -> None:
    warm_up(app)
    freeze_objects()
    allocator.trim()


def _open_cameras(args: argparse.Namespace, ready: _Resources, jobs: PhotoQueue) -> Cameras:
    """Return the box's own camera, opened, and the webcams of the club's tables."""
    store, opener = ready.store, ready.opener
    if opener is None:
        return Cameras()

    def of_box(free: FreeWebcams) -> CameraService:
        return CameraService(
            partial(opener, load_camera_controls(store), free),
            optional=args.camera in (None, "auto"),
            count=jobs.count_tiles,
            is_turned=SettingsLog(store).read().camera_turned,
        )

    def of_table(opens: OpenCamera, table_webcam: TableWebcam) -> CameraService:
        return CameraService(
            opens,
            count=jobs.count_tiles,
            is_turned=table_webcam.is_turned,
            title=table_webcam.title,
        )

    return Cameras(
        of_box,
        CameraAssignments(store).list_webcams(),
        takes_any=is_any_webcam(args.camera or ("" if args.demo else "auto")),
        source=WebcamSource(list_webcams),
        serve=of_table,
    )


def _open_locked_store(args: argparse.Namespace) -> tuple[ServingLock, Store]:
    """Lock and open a store; raise StoreError if it cannot be opened or written."""
    try:
        return _try_to_open(args)
    except UnwritableError as error:
        raise UnwritableError(_explain_once(args.data, str(error))) from error


@cache
def _explain_once(folder: Path, refusal: str) -> str:
    """Return what is wrong with a folder; looked into once, because that copies the log."""
    return str(explain_refusal(folder, UnwritableError(refusal)))


def _try_to_open(args: argparse.Namespace) -> tuple[ServingLock, Store]:
    with translate_file_errors("The data folder cannot be used"):
        args.data.mkdir(parents=True, exist_ok=True)
        serving = ServingLock(args.data)
    with ExitStack() as unless_open:
        unless_open.callback(serving.close)
        store = open_store(args.data, args.store, args.photos)
        unless_open.callback(store.close)
        store.try_write()
        unless_open.pop_all()
    return serving, store


def _greet(args: argparse.Namespace, listener: socket.socket, door: HttpsProxy | None) -> None:
    """Print the address of the page."""
    port = listener.getsockname()[1]
    if is_embedded(args.store):
        sys.stdout.write(format_greeting(args.host, port, args.port, args.data))
    else:
        sys.stdout.write(
            format_shared_greeting(page_address(args.host, port), args.store, args.photos)
        )
    sys.stdout.write(f"  By HTTPS, too, on port {door.port}.\n\n" if door else "")
    sys.stdout.flush()


def _host_names(args: argparse.Namespace) -> set[str]:
    """Return the names and addresses by which phones may reach the page."""
    host = socket.gethostname()
    names = {*args.name, host, f"{host}.local", "tongbox.local", "localhost"}
    return names | {LOOPBACK_ADDRESS, find_lan_address(), HOTSPOT_ADDRESS}


def _open_listener(args: argparse.Namespace) -> socket.socket:
    """Return the listening socket for HTTP; raise NoPortError."""
    listener = open_port(args.host, args.port)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT_MS)
    return listener


def _open_https_door(args: argparse.Namespace, plain: socket.socket) -> HttpsProxy:
    """Return the HTTPS door; raise NoPortError, CertificateError or OSError."""
    # They load asyncio and a library of cryptography, which only HTTPS needs.
    from device.host.certificate import ensure_certificate
    from device.host.https import HttpsProxy

    renew = partial(ensure_certificate, args.data, _host_names(args))
    certificate = renew()
    listener = open_port(args.host, args.https)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SEND_TIMEOUT_MS)
    return HttpsProxy(listener, local_address_of(plain), certificate, renew)


def page_address(host: str, port: int) -> str:
    """Return the page's URL for phones."""
    address = find_lan_address() if host in LOOPBACK_OF_ALL else host
    url_host = f"[{address}]" if ":" in address else address
    return f"http://{url_host}:{port}/"


def format_greeting(host: str, port: int, wanted_port: int, folder: Path) -> str:
    """Return the start message: the address, its QR code and the data folder."""
    url = page_address(host, port)
    port_note = (
        "" if port == wanted_port else f"  Port {wanted_port} is taken, so this is port {port}.\n"
    )
    return (
        f"\n  Tongbox is open at  {url}\n{port_note}\n"
        f"{format_qr_code(url, in_colour=sys.stdout.isatty())}\n"
        "  Phones on the same network: point the camera at the code.\n"
        f"  Hands and photos stay here: {folder}\n"
        "  Ctrl-C stops it.\n\n"
    )


def format_shared_greeting(url: str, store: str, photos: Path | None) -> str:
    """Return the start message of a process that shares a database.

    It has no QR code: inside a container the address is one that no phone can reach.
    """
    store_name = hide_password(store)
    return (
        f"Tongbox is open at {url} (of a container: at its computer's address, by the port that "
        "was given to it).\n"
        f"Hands are kept in {store_name}, photos {f'in {photos}' if photos else 'as well'}.\n"
        "Ctrl-C stops it.\n"
    )


def format_qr_code(text: str, *, in_colour: bool) -> str:
    """Return a QR code in half-block characters, light on dark, with its quiet zone.

    Two rows share a line, so that the code is square and fits a small window. `in_colour` sets both
    colours, for a terminal: its own text may be darker than its ground.
    """
    drawing = io.StringIO()
    make_qr_code(text).terminal(drawing, border=_QUIET_ZONE_MODULES, compact=True)
    before, after = (_WHITE_ON_BLACK, _OWN_COLOURS) if in_colour else ("", "")
    lines = drawing.getvalue().splitlines()
    return "".join(f"    {before}{line}{after}\n" for line in lines)


def load_camera_controls(store: Store) -> SavedControls:
    """Return the controls found earlier, in an object that also logs new ones; raise StoreError.

    Torn events are logged and left out. If the disk is full, new controls are kept in memory.
    """

    def write(model: str, controls: Controls) -> None:
        try:
            append_to_box(store, CameraAdjusted(model, dict(controls)))
        except StoreError as error:
            _log.warning("Cannot save the camera's settings: %s", error)

    adjustments = (each.event for each in store.of_kinds(CameraAdjusted))
    return SavedControls({each.model: each.controls for each in adjustments}, write)
