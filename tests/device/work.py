"""Counts what a page or a start does, for tests of what must not grow: no clock says it as well."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import ParamSpec, TypeVar

import pytest

from device.hands import replay as hand_replay
from device.hands import scoring
from device.matches import corrections, replay, seats
from device.store import appending, queries
from device.store.events import catalogue
from scorer.match import game

_P = ParamSpec("_P")
_R = TypeVar("_R")

WORK = (
    (queries, "event_from_json", "events read"),
    (appending, "event_from_json", "events tried"),
    (appending, "encode_event", "events encoded"),
    (catalogue, "encode_event", "events encoded"),
    (replay, "_apply_event", "events of matches replayed"),
    (hand_replay, "_apply_event", "events of hands replayed"),
    (game, "settle", "deals settled"),
    (scoring, "score", "hands scored"),
    (scoring, "score_total", "hands totalled"),
    (corrections, "find_total", "hands compared"),
    (seats, "find_total", "hands at the table"),
)
"""What takes the time: the functions, and what each call is."""

PACKAGES = ("device", "scorer", "vision")


@contextmanager
def count_work() -> Iterator[Counter[str]]:
    """Count the work that is done in the block, in all threads."""
    work = Counter[str]()

    def wrap_counter(real: Callable[_P, _R], name: str) -> Callable[_P, _R]:
        def count(*args: _P.args, **options: _P.kwargs) -> _R:
            work[name] += 1
            return real(*args, **options)

        return count

    with pytest.MonkeyPatch.context() as patches:
        for module, function, name in WORK:
            patches.setattr(module, function, wrap_counter(getattr(module, function), name))
        yield work


OUR_FOLDERS = tuple(f"{Path(scoring.__file__).parents[2] / name}/" for name in PACKAGES)


def count_calls(act: Callable[[], object]) -> int:
    """Return how many calls of our own functions this thread makes, templates included.

    Each value that a generator or a template yields counts as one, as in any profile.
    """
    calls = 0

    def count(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(OUR_FOLDERS)

    before = sys.getprofile()
    sys.setprofile(count)
    act()
    sys.setprofile(before)
    return calls
