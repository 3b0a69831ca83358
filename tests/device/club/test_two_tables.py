"""Tables that are played at the same time come to exactly what each comes to alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

from device.hands.repository import HandRepository
from device.services import open_services
from device.store.store_url import open_store
from device.web import Box, create_app
from tests.device.club.rooms import Evening, lay, match_at, outcome, phone_at, table_named
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER

EVENINGS = {
    "": Evening(("Ann", "Bob", "Cy", "Di"), (1, 0), 0x57),
    "Table 1": Evening(("Bob", "Ann", "Cy", "Eve"), (0, 2), 0x67),
    "Table 2": Evening(("Ann", "Bob", "Cy", "Di"), (3, 3), 0x77),
}
"""By the table's name; the first is played where no table was laid. Names are the same on purpose:
players of two tables may well be called alike."""


@contextmanager
def a_box(database: str = "") -> Iterator[tuple[Flask, HandRepository]]:
    """Give a box of its own, with its log at a URL, or in a folder of its own."""
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder), database)
        services = open_services(store, FakeReader(), DECODER)
        try:
            app = create_app(Box(services))
            yield app, services.hands
        finally:
            services.close()
            store.close()


@cache
def play_alone(name: str) -> object:
    """Return what an evening comes to on a box with one table and nobody else."""
    with a_box() as (app, hands):
        for _ in EVENINGS[name].play(phone_at(app, ""), app):
            pass
        return outcome(hands, match_at(hands, ""))


def play_together(order: Sequence[int], database: str = "") -> dict[str, object]:
    """Play all evenings on one box, whose turn it is as `order` says; return what each came to."""
    with a_box(database) as (app, hands):
        steps = [EVENINGS[""].play(phone_at(app, ""), app)]
        next(steps[0])  # its match begins before any table is laid
        steps += [
            evening.play(phone_at(app, lay(app, name)), app)
            for name, evening in EVENINGS.items()
            if name
        ]
        for turn in order:
            next(steps[turn % len(steps)], None)
        for evening in steps:
            list(evening)
        return {
            name: outcome(hands, match_at(hands, table_named(hands, name) if name else ""))
            for name in EVENINGS
        }


def test_turn_by_turn_each_comes_to_what_it_comes_to_alone(database: str) -> None:
    outcomes = play_together(list(range(3)) * 30, database)
    for name in EVENINGS:
        assert outcomes[name] == play_alone(name), name or "the table without a name"


@settings(max_examples=2)
@given(st.lists(st.integers(0, len(EVENINGS) - 1), max_size=90))
def test_interleaved_each_comes_to_what_it_comes_to_alone(
    order: list[int],
) -> None:
    outcomes = play_together(order)
    for name in EVENINGS:
        assert outcomes[name] == play_alone(name), name or "the table without a name"


def test_what_is_compared_tells_evenings_apart() -> None:
    outcomes = [play_alone(name) for name in EVENINGS]
    assert all(outcomes[a] != outcomes[b] for a in range(3) for b in range(a))
