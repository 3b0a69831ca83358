"""`tongbox print`: the table mat and the label for the box, as PDF."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from device.address import lan_address
from device.commands.data import add_data, opened
from device.commands.output import TerminalError, write_pdf
from device.commands.read import Subparsers
from device.doctor import Machine
from device.settings import SettingsLog
from device.store import StoreError
from device.ways_in import ways_in


def add_parser(commands: Subparsers[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "print",
        help="make a PDF of the table mat or of the label for the box",
        description="Writes a PDF: tongbox print mat > mat.pdf. Print it at 100 %%.",
    )
    parser.add_argument("what", choices=("mat", "label"))
    parser.add_argument(
        "--paper",
        choices=("a3", "a4"),
        default="a3",
        help="of the mat: one sheet of A3, or two of A4 to lay edge to edge (a3)",
    )
    parser.add_argument("--address", metavar="URL", help="of the label: where phones find the page")
    add_data(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the PDF; return 1 when there is nowhere to write it."""
    try:
        write_pdf(_label(args) if args.what == "label" else _mat(args.paper))
    except (StoreError, TerminalError) as error:
        sys.stderr.write(f"tongbox: {error}\n")
        return 1
    return 0


def _mat(paper: str) -> bytes:
    from device.paper.mat import mat  # loads reportlab

    return mat(paper)


def _label(args: argparse.Namespace) -> bytes:
    from device.paper.label import label  # loads reportlab

    address = lan_address()
    asked = args.address or f"http://{address}/"
    return label(ways_in(asked, address, Machine(args.data), _pin(args.data)))


def _pin(folder: Path) -> str:
    if not folder.is_dir():
        return ""  # a box that never ran has none
    with opened(folder) as store:
        return SettingsLog(store).now().pin
