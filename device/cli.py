"""The `tongbox` command."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence

from device.commands import (
    backup,
    doctor,
    evaluate,
    explain,
    export,
    practise,
    read,
    rules,
    score,
    serve,
    settle,
    snap,
    storage,
    wall,
)
from device.commands import pin as pin_command
from device.commands import print as print_command

COMMANDS = (
    read,
    score,
    explain,
    snap,
    settle,
    wall,
    rules,
    practise,
    serve,
    doctor,
    pin_command,
    print_command,
    export,
    backup,
    storage,
    evaluate,
)

_log = logging.getLogger("tongbox")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough (`| head`); keep Python from flushing into it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception:  # noqa: BLE001 - the last resort of the program
        _log.exception("tongbox %s failed", args.command)
        print(
            "tongbox: something went wrong that should not have. The lines above say where; "
            "please send them with a bug report.",
            file=sys.stderr,
        )
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tongbox", description="Photograph a Mah-Jong hand, read its tiles, score it."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
