"""Parse bounded numbers and ids of the command line, for `type=` of argparse."""

from __future__ import annotations

import argparse
import math
import re

from scorer.parsing import parse_int

MOST_JOBS = 64
"""Most cores that may be used: each has its own process, and too many exhaust a machine."""

MOST_AMOUNT = 100_000_000
"""Upper bound for megabytes (a hundred terabytes) or days (270,000 years)."""

SHOWN = 20
"""Length to which an invalid word is cut in an error message."""

_ID = re.compile("[0-9A-Za-z-]{1,40}")


def jobs(text: str) -> int:
    """Return a number of cores; raise ArgumentTypeError."""
    number = parse_int(text, 1, MOST_JOBS)
    if number is None:
        quoted = repr(text[:SHOWN])
        raise argparse.ArgumentTypeError(
            f"{quoted} is no number of cores; 1 is the least, {MOST_JOBS} the most"
        )
    return number


def amount(text: str) -> float:
    """Return a number of megabytes or days, at least 0; raise ArgumentTypeError."""
    try:
        number = float(text) if text.isascii() else math.nan
    except ValueError:
        number = math.nan
    if not 0 <= number <= MOST_AMOUNT:
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!r} is no number from 0 on")
    return number


def an_id(text: str) -> str:
    """Return an id as the box makes them; raise ArgumentTypeError."""
    if not _ID.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!a} is no id of a match")
    return text
