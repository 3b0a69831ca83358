"""`tongbox pin`: show or change the players' PIN or the organiser's PIN."""

from __future__ import annotations

import argparse

from device.access import (
    remove_organiser_pin,
    remove_pin,
    set_new_organiser_pin,
    set_new_pin,
)
from device.commands.console import write
from device.commands.store_options import add_photos, add_store, opened_store, readable_store
from device.settings import SettingsLog


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Show the PIN for phones. The box may keep running."
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--new", action="store_true", help="make a new PIN; every phone is asked for it"
    )
    choice.add_argument("--off", action="store_true", help="turn the PIN off")
    parser.add_argument(
        "--organiser",
        action="store_true",
        help="the organiser's PIN: for tournaments, the season and the tables",
    )
    add_store(parser)
    add_photos(parser)


def run(args: argparse.Namespace) -> None:
    """Show or change the PIN."""
    opening = opened_store if args.new or args.off else readable_store
    with opening(args.data, args.store, args.photos) as store:
        settings = SettingsLog(store)
        if args.new:
            (set_new_organiser_pin if args.organiser else set_new_pin)(settings)
        elif args.off:
            (remove_organiser_pin if args.organiser else remove_pin)(settings)
        settings_now = settings.read()
        pin = settings_now.organiser_pin if args.organiser else settings_now.pin
    pin_name = "organiser's PIN" if args.organiser else "PIN"
    absence = "Organisers need no PIN." if args.organiser else "Phones need no PIN."
    write(f"The {pin_name} is {pin}." if pin else absence)
