"""Why something was not counted: what the sentences are made of.

A reason is a message, `not-counted.KEY` of `words.toml`. It names the one thing that is in the way:
if that were otherwise, the rule would give its line. Where two things are in the way there is
nothing to wonder about, and no reason.
"""

from __future__ import annotations

from collections.abc import Iterable

from scorer.breakdown import TileSet
from scorer.message import Message, Value, message
from scorer.naming import the_set

Reason = Message | None


def because(key: str, **values: Value) -> Message:
    """Return a reason."""
    return message(f"not-counted.{key}", **values)


def only(faults: Iterable[Reason]) -> Reason:
    """Return the one fault, if there is just one."""
    found = [fault for fault in faults if fault]
    return found[0] if len(found) == 1 else None


def about(key: str, tile_set: TileSet) -> Message:
    """Return a reason that a set is in the way."""
    return because(key, set=the_set(tile_set))
