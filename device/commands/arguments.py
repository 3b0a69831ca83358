"""Words of the command line that are numbers or ids, within bounds: for `type=` of argparse."""

from __future__ import annotations

import argparse
import math
import re

from scorer.whole import whole

MOST_JOBS = 64
"""Cores that are used at most: each has a process of its own, and a machine ends with too many."""

MOST_AMOUNT = 100_000_000
"""Megabytes, or days: a hundred terabytes, or 270,000 years."""

SHOWN = 20
"""Characters of a word that are repeated where it makes no sense."""

_ID = re.compile("[0-9A-Za-z-]{1,40}")


def jobs(text: str) -> int:
    """Return a number of cores."""
    number = whole(text, 1, MOST_JOBS)
    if number is None:
        what = f"{text[:SHOWN]!r} is no number of cores; 1 is the least, {MOST_JOBS} the most"
        raise argparse.ArgumentTypeError(what)
    return number


def amount(text: str) -> float:
    """Return so many megabytes or days, perhaps not whole, of which there cannot be less than 0."""
    try:
        number = float(text) if text.isascii() else math.nan
    except ValueError:
        number = math.nan
    if not 0 <= number <= MOST_AMOUNT:
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!r} is no number from 0 on")
    return number


def an_id(text: str) -> str:
    """Return the id of a match as the box makes them."""
    if not _ID.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!a} is no id of a match")
    return text
