"""Proof that every route is used by those phones alone that its row names, on both stores.

    python -m tests.prove.rights [--rounds N] [--seed N]

A club is laid, with an organiser's PIN and without one, with the box's PIN and without one. Each
kind of phone asks every route that has a row, in an order of its own, with its real view. What is
refused is to be refused in the way that the role says, and to change nothing in the log; a phone
that has not given the box's PIN is to change nothing anywhere.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from flask import Flask

from device.host.machine import Machine
from device.services import open_services
from device.settings.access import set_new_pin
from device.store.store_url import open_store
from device.web import Box, create_app, pin
from device.web.permissions.catalogue import Role
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER
from tests.device.web.every_phone import ADMITTED, KINDS, Club, Route, make_club, routes
from tests.postgresql import PostgresqlServer

SENT = {
    "pin": "new", "name": "Zoe", "on": "yes", "give": "yes", "learn": "yes", "set": "first",
    "ruleset": "safalra", "clock": "start", "number": "1", "points0": "3", "points1": "-3",
    "points2": "0", "points3": "0", "what": "hidden", "counts": "no", "now": "1800000000000",
    "size": "10", "wish": "join", "seq": "1", "since": "1", "score": "8", "text": "big",
}  # fmt: skip
"""What is sent by a phone that is to be refused: enough for many views to change something."""


SIT_DOWN = frozenset({"at.sit_down", "at.enter"})
"""What makes another kind of phone of one."""


def main() -> int:
    """Try all clubs; return 1 if an answer was not as the table says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="tongbox-pg-") as folder:
        server = PostgresqlServer(Path(folder))
        for seed in range(args.seed, args.seed + args.rounds):
            for where in ("", "postgresql"):
                for organised in (False, True):
                    url = server.database() if where else ""
                    chance = random.Random(f"{seed} {where} {organised}")
                    for wrong in tried(url, chance, counts, organised=organised):
                        sys.stdout.write(f"WRONG on {where or 'sqlite'}: {wrong}\n")
                        counts["wrong"] += 1
        server.stop()
    for what, count in counts.items():
        sys.stdout.write(f"{count:>8} {what}\n")
    return int(counts["wrong"] > 0)


def tried(
    url: str, chance: random.Random, counts: Counter[str], *, organised: bool
) -> Iterator[str]:
    """Yield what is not as the table says in one club: without the box's PIN, then with it."""
    with a_box(url) as app:
        club = make_club(app, organised=organised)
        box: Box = app.extensions["tongbox"]
        for kind in KINDS:
            for route in in_some_order(app, chance):
                expected = route.expected(kind, organised=organised)
                yield from _asked(club, kind, route, expected, counts)
        set_new_pin(box.settings)
        for route in in_some_order(app, chance):
            answered = route.role is Role.ANYBODY
            yield from _outside(club, route, counts, answered=answered)
        token = box.settings.now().pin_token
        for phone in club.phones.values():
            phone.set_cookie(pin.PIN_COOKIE, token)
        for kind in KINDS:
            for route in in_some_order(app, chance):
                expected = route.expected(kind, organised=organised)
                yield from _asked(club, kind, route, expected, counts)


def _asked(
    club: Club, kind: str, route: Route, expected: str, counts: Counter[str]
) -> Iterator[str]:
    log = club.app.extensions["tongbox"].hands.store
    before = log.newer(-1, 0)
    told = club.told(kind, route, {} if expected == ADMITTED else SENT)
    counts[f"requests that are {told}"] += 1
    if told != expected:
        yield f"{kind}: {route.method} {route.rule.rule} ({route.key}) was {told}, not {expected}"
    if told != ADMITTED and log.newer(-1, 0) != before:
        yield f"{kind}: {route.method} {route.rule.rule} was refused and has changed something"


def _outside(club: Club, route: Route, counts: Counter[str], *, answered: bool) -> Iterator[str]:
    log = club.app.extensions["tongbox"].hands.store
    before = log.newer(-1, 0)
    answer = club.answer(club.app.test_client(), route, SENT)
    counts["requests before the box's PIN"] += 1
    if (answer.status_code != 403) != answered and route.key != "pin.enter":
        yield f"outside: {route.method} {route.rule.rule}: {answer.status_code}"
    if log.newer(-1, 0) != before:
        yield f"outside: {route.method} {route.rule.rule} has changed something"


def in_some_order(app: Flask, chance: random.Random) -> list[Route]:
    """Return all routes that have a row, in a random order."""
    found = [each for each in routes(app) if each.key not in SIT_DOWN]
    return chance.sample(found, len(found))


@contextmanager
def a_box(url: str) -> Iterator[Flask]:
    """Yield the pages of a new box, with its log in a file or in the database at a URL."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        store = stack.enter_context(closing(open_store(folder / "box", url)))
        services = stack.enter_context(closing(open_services(store, FakeReader(), DECODER)))
        yield create_app(Box(services, machine=Machine(folder)))


if __name__ == "__main__":
    sys.exit(main())
