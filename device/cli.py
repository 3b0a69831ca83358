"""The `tongbox` command line. Each command's module is loaded only when it is chosen."""

from __future__ import annotations

import argparse
import io
import logging
import os
import resource
import sys
from collections.abc import Sequence
from importlib import import_module
from shutil import get_terminal_size
from textwrap import fill
from typing import NoReturn

from device.log_limit import LimitedHandler

COMMANDS = {
    "read": "read the tiles in photographs",
    "score": "score a hand given as text or JSON",
    "explain": "teach a hand: its sets, every line with its rule, what nearly counted",
    "snap": "read a hand from photographs and score it",
    "settle": "say who pays whom after a deal",
    "wall": "show where the dice break the wall, and who is dealt what",
    "rules": "list the rulesets, print one to edit, or check your own",
    "practise": "practise scoring a hand, step by step",
    "serve": "serve the page for phones on this network",
    "worker": "read photographs for pages that other processes serve from one database",
    "doctor": "check the box, and say what to do about each problem",
    "pin": "show the table's PIN, make a new one, or turn it off",
    "print": "make a PDF of the table mat, the label for the box or the reference card",
    "export": "export all hands or a match",
    "backup": "write all hands and photos to one file",
    "restore": "bring hands and photos back from a backup",
    "move": "copy all hands and photos from one store to another, and verify them",
    "storage": "show what fills the disk, and make room",
    "evaluate": "measure readings against labels",
}
"""What each command does. `device.commands` has one module of the same name for each."""

EXAMPLES = {
    "read": ("read hand.jpg", "read --json first.jpg second.jpg > readings.jsonl"),
    "score": (
        'score "B222 O5555 | C345 DRRR WE WE | F1 S2 seat=E round=E won=wall with=C5"',
        "score --jsonl --jobs 2 < hands.jsonl",
        'score --rules ours.toml "B222 O5555 | C345 DRRR WE WE | won=wall"',
    ),
    "explain": ('explain "B222 O9999 | C345 DRRR WEE | F1 won=wall"',),
    "snap": ('snap hand.jpg --say "seat=E round=E won=wall with=C5"',),
    "settle": (
        "settle East=80 South=84 West=208 North=416 --winner South",
        "settle Rod=80 Bill=84 Ben=208 Jack=416 --east Rod --winner Bill",
        "settle East=80 South=84 West=208 North=416 --wash-out",
        "settle --jsonl < deals.jsonl",
    ),
    "wall": ("wall 5 8", "wall 8+12 --seat South", "wall 9 --rules safalra --players 3", "wall"),
    "rules": (
        "rules",
        "rules bmja > ours.toml",
        "rules --check ours.toml",
        "rules --data /var/lib/tongbox",
        'rules --pattern "7 pairs x"',
    ),
    "practise": (
        "practise --level doubles",
        "practise --level settlement --seed 7",
        "practise --sheet > ten-hands.pdf",
    ),
    "serve": ("serve --demo", "serve --data /var/lib/tongbox --camera auto"),
    "doctor": ("doctor", "doctor --report fault.txt"),
    "worker": (
        "worker --store postgresql://tongbox@server/club",
        "worker --store postgresql://tongbox@server/club --photos /mnt/photos",
    ),
    "pin": ("pin", "pin --new", "pin --organiser --new", "pin --data /var/lib/tongbox --off"),
    "print": (
        "print mat --paper a4 > mat.pdf",
        "print label --address http://192.168.1.20:8080/ > label.pdf",
    ),
    "export": ("export --xlsx --match > match.xlsx", "export --dataset tiles --licence cc0"),
    "backup": ("backup /media/stick/tongbox.tar",),
    "restore": ("restore /media/stick/tongbox.tar --replace",),
    "move": (
        "move --from sqlite:////var/lib/tongbox/events.sqlite3 \\\n"
        "    --to postgresql://tongbox@server/club",
    ),
    "storage": ("storage", "storage --older 90", "storage --most 500", "storage --full"),
    "evaluate": ("evaluate my-table/labels.jsonl --montage wrong",),
}
"""Lines to try, shown by `--help`, by command."""

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

PHOTO_COMMANDS = frozenset({"read", "snap", "serve", "worker", "doctor", "evaluate"})
"""Commands that load the networks."""

MIN_ADDRESS_SPACE_BYTES = 1_200_000_000
"""Address space that these need. With 0.8 GB no photograph is read on two cores, with 0.9 GB it is;
each further core takes some more. With less, a library may end the program without a word."""

_log = logging.getLogger("tongbox")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):  # do not fail on bytes that are not text
            stream.reconfigure(errors="backslashreplace")
    logging.basicConfig(format=LOG_FORMAT, handlers=[LimitedHandler()])
    words = sys.argv[1:] if argv is None else argv
    command = next((word for word in words if not word.startswith("-")), "")
    address_space, _ = resource.getrlimit(resource.RLIMIT_AS)
    if command in PHOTO_COMMANDS and 0 <= address_space < MIN_ADDRESS_SPACE_BYTES:
        print(
            f"tongbox: This needs {MIN_ADDRESS_SPACE_BYTES // 10**6:,} MB of address space, and "
            f"only {address_space // 10**6:,} MB are allowed here (ulimit -v).",
            file=sys.stderr,
        )
        return 1
    try:
        args = build_parser(command).parse_args(words)
        from device.commands.console import run_command  # loads what `--help` does not need

        return run_command(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it (`| head`). Keep Python from flushing again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception:  # noqa: BLE001 - the last resort of the program
        _log.exception("tongbox %s failed", command)
        print(
            "tongbox: something went wrong that should not have. The lines above say where; "
            "please send them with a bug report.",
            file=sys.stderr,
        )
        return 1


def build_parser(chosen_command: str) -> argparse.ArgumentParser:
    """Return a parser that lists every command and knows the arguments of the chosen one."""
    parser = argparse.ArgumentParser(
        prog="tongbox", description="Photograph a Mah-Jong hand, read its tiles, score it."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        lines = [f"  tongbox {line}" for line in EXAMPLES.get(name, ())]
        command = commands.add_parser(
            name,
            help=summary,
            epilog="\n".join(["examples:", *lines]) if lines else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if name == chosen_command:
            module = import_module(f"device.commands.{name}")
            module.add_arguments(command)
            command.description = fill(
                command.description or f"{summary[0].upper()}{summary[1:]}.",
                get_terminal_size().columns - 2,
            )
            command.set_defaults(run=module.run, parser=command)
    return parser


class _Version(argparse.Action):
    """Look the version up only when asked: that takes longer than the rest of the start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"tongbox {version('tongbox')}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
