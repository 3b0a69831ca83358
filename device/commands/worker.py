"""`tongbox worker`: reads photographs for the pages that other processes serve."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from contextlib import closing

from device.commands.data import add_store, opened
from device.commands.output import write
from device.decoding.decoder import DECODER
from device.doctor.software import networks
from device.hands.readings import load_reader
from device.matches.hands import hands_of
from device.shared_jobs import jobs_of
from device.store import Store, StoreError
from device.store.choosing import is_embedded
from device.tilesets.tile_sets import TileSets
from vision.errors import ModelError

ENDINGS = (signal.SIGTERM, signal.SIGINT)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    """Read until told to end, and then end what was begun; return 1 when it cannot start."""
    try:
        if is_embedded(args.store):
            raise StoreError(
                "A box with a log of its own reads by itself. A worker is for a database that "
                "several share: --store postgresql://USER@HOST/DATABASE."
            )
        with opened(args.data, args.store, args.photos) as store:
            _work(store)
    except (StoreError, ModelError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0


def _work(store: Store) -> None:
    ending = threading.Event()
    for each in ENDINGS:
        signal.signal(each, lambda *_: ending.set())
    DECODER.warm_up()
    hands = hands_of(store)
    with closing(jobs_of(hands, load_reader(), TileSets(store, hands), networks())):
        write("Tongbox reads what phones send. Ctrl-C ends it, after the photograph at hand.")
        ending.wait()
