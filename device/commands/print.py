"""`tongbox print`: write the mat, the box's label or the reference card as PDF."""

from __future__ import annotations

import argparse
import re
from urllib.parse import urlsplit

from device.commands.console import write_file
from device.commands.ruleset_options import add_rules, load_rules
from device.commands.store_options import readable_store
from device.doctor import Machine
from device.host.machine import find_lan_address
from device.host.page_links import list_page_links
from device.settings import Settings, SettingsLog
from scorer.rulesets.builtin import load_builtin


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Writes a PDF: tongbox print mat > mat.pdf. Print it at 100 %."
    parser.add_argument("what", choices=("mat", "label", "card"), help="what to print")
    parser.add_argument(
        "--paper",
        choices=("a3", "a4"),
        default="a3",
        help="for the mat: one sheet of A3, or two of A4 to lay edge to edge (a3)",
    )
    parser.add_argument(
        "--address",
        type=_parse_page_url,
        metavar="URL",
        help="for the label: address of the page, such as http://192.168.1.20:8080/",
    )
    add_rules(parser, "make the card")


def _parse_page_url(text: str) -> str:
    """Return the address of a page; raise ArgumentTypeError. What people leave out is HTTP."""
    text = text.strip()
    url = text if "//" in text else f"http://{text}"
    try:
        parts = urlsplit(url)
        is_page = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        is_page &= not re.search(r"\s", url)
    except ValueError:  # the port is no number, or a bracket is missing
        is_page = False
    if not is_page:
        raise argparse.ArgumentTypeError(
            f"{text!a} is no address of a page, such as http://192.168.1.20:8080/"
        )
    return url


def run(args: argparse.Namespace) -> None:
    """Write the PDF."""
    write_file(_MAKERS[args.what](args))


def _mat(args: argparse.Namespace) -> bytes:
    from device.paper.labels import print_mat  # loads reportlab

    return print_mat(args.paper)


def _card(args: argparse.Namespace) -> bytes:
    from device.paper.card import print_card  # loads reportlab

    return print_card(load_rules(args) or load_builtin("bmja"))


def _label(args: argparse.Namespace) -> bytes:
    from device.paper.labels import print_labels  # loads reportlab

    address = find_lan_address()
    label_url = args.address or f"http://{address}/"
    return print_labels(list_page_links(label_url, address, Machine(args.data), _settings(args)))


def _settings(args: argparse.Namespace) -> Settings:
    if not args.store and not args.data.is_dir():
        return Settings()  # the box has never run
    with readable_store(args.data, args.store) as store:
        return SettingsLog(store).read()


_MAKERS = {"mat": _mat, "label": _label, "card": _card}
"""The function that makes each PDF."""
