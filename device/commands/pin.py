"""`tongbox pin`: the table's PIN, for when nobody remembers it."""

from __future__ import annotations

import argparse
import sys

from device.commands.data import add_store, opened
from device.commands.output import write
from device.settings.pin import make_pin, no_pin
from device.settings.settings import SettingsLog
from device.store import StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.description = "Says the PIN that phones must know. The box may go on running."
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--new", action="store_true", help="make a new one; every phone is asked")
    what.add_argument("--off", action="store_true", help="ask for none any more")
    add_store(parser)


def run(args: argparse.Namespace) -> int:
    """Say or change the PIN; return 1 when there is no box to ask."""
    try:
        with opened(args.data, args.store, args.photos) as store:
            settings = SettingsLog(store)
            if args.new:
                make_pin(settings)
            elif args.off:
                no_pin(settings)
            pin = settings.now().pin
    except StoreError as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    write(f"The PIN is {pin}." if pin else "Phones need no PIN.")
    return 0
