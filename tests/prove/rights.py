"""Prove that every route admits only the phones that its permission names, on both stores.

    python -m tests.prove.rights [--rounds N] [--seed N]

Clubs are set up with and without an organiser's PIN, and with and without the box's PIN. Each kind
of phone asks every route of the permission table, in random order. A refusal must be the one that
the role names, and must not change the log. A phone without the box's PIN may change nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import product
from pathlib import Path

from flask import Flask

from device.access import set_new_pin
from device.host.machine import Machine
from device.services import open_services
from device.store.store_url import open_store
from device.web import Box, create_app, pin
from device.web.contexts import Records, Upkeep, find_context
from device.web.permissions import Role
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER
from tests.device.web.every_phone import ADMITTED, KINDS, Club, Route, make_club, routes
from tests.postgresql import running_server
from tests.reporting import say

SENT_FIELDS = {
    "pin": "new", "name": "Zoe", "on": "yes", "give": "yes", "learn": "yes", "set": "first",
    "ruleset": "safalra", "clock": "start", "number": "1", "points0": "3", "points1": "-3",
    "points2": "0", "points3": "0", "what": "hidden", "counts": "no", "now": "1800000000000",
    "size": "10", "wish": "join", "seq": "1", "since": "1", "score": "8", "text": "big",
}  # fmt: skip
"""Fields that a refused phone sends: enough for many views to change something."""

SEATING_ROUTES = frozenset({"at.sit_down", "at.enter"})
"""Routes that make another kind of phone out of one."""


def main() -> int:
    """Try all clubs; return 1 if an answer was not as the table says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    with running_server() as server:
        clubs = product(range(args.seed, args.seed + args.rounds), ("sqlite", "postgresql"), (0, 1))
        for seed, store, has_organiser in clubs:
            url = server.database() if store == "postgresql" else ""
            chance = random.Random(f"{seed} {store} {has_organiser}")
            for wrong in try_rights(url, chance, counts, has_organiser=bool(has_organiser)):
                say(f"WRONG on {store}: {wrong}")
                counts["wrong"] += 1
    for what, count in counts.items():
        say(f"{count:>8} {what}")
    return int(counts["wrong"] > 0)


def try_rights(
    url: str, chance: random.Random, counts: Counter[str], *, has_organiser: bool
) -> Iterator[str]:
    """Yield the differences from the permission table, without the box's PIN and then with it."""
    with a_box(url) as app:
        club = make_club(app, has_organiser=has_organiser)
        settings = find_context(Records, app).settings
        for kind in KINDS:
            for route in in_some_order(app, chance):
                expected = route.expected(kind, has_organiser=has_organiser)
                yield from _ask_route(club, kind, route, expected, counts)
        set_new_pin(settings)
        for route in in_some_order(app, chance):
            is_admitted = route.role is Role.ANYBODY
            yield from _ask_from_outside(club, route, counts, is_admitted=is_admitted)
        token = settings.read().pin_token
        for phone in club.phones.values():
            phone.set_cookie(pin.PIN_COOKIE, token)
        for kind in KINDS:
            for route in in_some_order(app, chance):
                expected = route.expected(kind, has_organiser=has_organiser)
                yield from _ask_route(club, kind, route, expected, counts)


def _ask_route(
    club: Club, kind: str, route: Route, expected: str, counts: Counter[str]
) -> Iterator[str]:
    log = find_context(Records, club.app).store
    before = log.newer(-1, 0)
    answer = club.describe_answer(kind, route, {} if expected == ADMITTED else SENT_FIELDS)
    counts[f"requests that are {answer}"] += 1
    if answer != expected:
        yield f"{kind}: {route.method} {route.rule.rule} ({route.key}) was {answer}, not {expected}"
    if answer != ADMITTED and log.newer(-1, 0) != before:
        yield f"{kind}: {route.method} {route.rule.rule} was refused and has changed something"


def _ask_from_outside(
    club: Club, route: Route, counts: Counter[str], *, is_admitted: bool
) -> Iterator[str]:
    log = find_context(Records, club.app).store
    before = log.newer(-1, 0)
    answer = club.answer(club.app.test_client(), route, SENT_FIELDS)
    counts["requests before the box's PIN"] += 1
    if (answer.status_code != 403) != is_admitted and route.key != "pin.enter":
        yield f"outside: {route.method} {route.rule.rule}: {answer.status_code}"
    if log.newer(-1, 0) != before:
        yield f"outside: {route.method} {route.rule.rule} has changed something"


def in_some_order(app: Flask, chance: random.Random) -> list[Route]:
    """Return all routes that have a row, in a random order."""
    listed_routes = [each for each in routes(app) if each.key not in SEATING_ROUTES]
    return chance.sample(listed_routes, len(listed_routes))


@contextmanager
def a_box(url: str) -> Iterator[Flask]:
    """Yield the pages of a new box, with its log in a file or in the database at a URL."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(closing(open_store(folder / "box", url)))
        services = stack.enter_context(closing(open_services(store, FakeReader(), DECODER)))
        yield create_app(Box(services, upkeep=Upkeep(Machine(folder))))


if __name__ == "__main__":
    sys.exit(main())
