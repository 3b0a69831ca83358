"""`tongbox worker`: read photographs for pages that other processes serve."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from contextlib import ExitStack, closing

from device.commands.console import write
from device.commands.store_options import add_photos, add_store, opened_store
from device.decoding.decoder import Decoder
from device.doctor.machine_checks import model_hashes
from device.hands.readings import load_reader
from device.services import open_services
from device.store import Store, StoreError
from device.store.errors import LoginRefusedError, UnreachableError
from device.store.store_url import is_embedded
from vision import allocator

DATABASE_RETRY_S = 1.0
"""Delay before an unreachable database is tried again. If the worker exited instead, its
supervisor would restart it again and again with everything that it loads."""
REFUSED_RETRY_S = 10.0
"""Delay after the database refused the worker: somebody has to change a setting first."""

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_store(parser, is_data_own=True)
    add_photos(parser)


def run(args: argparse.Namespace) -> None:
    """Read until a stop signal, and finish the current photo."""
    allocator.limit_heap()
    if is_embedded(args.store):
        raise StoreError(
            "A box with a log of its own reads by itself. A worker is for a database that "
            "several share: --store postgresql://USER@HOST/DATABASE."
        )
    ending = threading.Event()
    for each in STOP_SIGNALS:
        signal.signal(each, lambda *_: ending.set())
    with ExitStack() as stack:
        store = _wait_for_store(args, ending, stack)
        if store:
            _work_until_stopped(store, ending)


def _wait_for_store(
    args: argparse.Namespace, ending: threading.Event, stack: ExitStack
) -> Store | None:
    """Open the store once its database answers; return None after a stop signal."""
    last_message = ""
    while not ending.is_set():
        try:
            return stack.enter_context(opened_store(args.data, args.store, args.photos))
        except UnreachableError as error:
            retry_delay_s = (
                REFUSED_RETRY_S if isinstance(error, LoginRefusedError) else DATABASE_RETRY_S
            )
            if str(error) != last_message:
                last_message = str(error)
                sys.stderr.write(
                    f"tongbox: It waits, and tries again every {retry_delay_s:g} s: {error}\n"
                )
            ending.wait(retry_delay_s)
    return None


def _work_until_stopped(store: Store, ending: threading.Event) -> None:
    """Read until a stop signal."""
    with closing(Decoder()) as decoder, ExitStack() as stack:
        decoder.warm_up()
        services = open_services(store, load_reader(), decoder, models=model_hashes())
        stack.callback(services.close)
        write("Tongbox reads what phones send. Ctrl-C ends it, after the photograph at hand.")
        ending.wait()
