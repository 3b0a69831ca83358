"""A room of tables: phones at each, and what each table's evening comes to by itself."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from device.club.tables import ClubTables
from device.hands.repository import HandRepository
from device.hands.scoring import find_total
from device.matches.match import DealState, Match
from device.matches.repository import MatchRepository
from device.web.contexts import PhotoDesk, find_context
from tests.device.fake_reader import FakeReader, picture
from tests.device.page import get_page

AGREEMENT_FORM = {"ruleset": "bmja", "limit": "1000", "house-bmja": "clean_hand"}


def post(phone: FlaskClient, path: str, **fields: str) -> str:
    """Send a form that is taken; return where it leads."""
    answer = phone.post(path, data=fields)
    assert answer.status_code == 303, f"{path}: {answer.status_code} {answer.text}"
    return str(answer.headers["Location"])


def text(phone: FlaskClient, path: str) -> str:
    """Return what a page says, wherever it leads."""
    return unescape(phone.get(path, follow_redirects=True).text)


def lay(app: Flask, name: str) -> str:
    """Lay a table by the page; return its id."""
    return post(app.test_client(), "/club/tables/", name=name).split("/")[3]


def phone_at(app: Flask, table: str) -> FlaskClient:
    """Return a phone that scanned a table's code; any, where there is no table."""
    phone = app.test_client()
    if table:
        assert phone.get(f"/at/{table}/").status_code == 200
    return phone


def begin(phone: FlaskClient, names: Sequence[str]) -> None:
    """Begin a match by the page."""
    post(
        phone,
        "/match/new",
        **{f"player{n}": name for n, name in enumerate(names)},
        **AGREEMENT_FORM,
        seen=get_page(phone, "/match/new").value("seen"),
    )


@dataclass(frozen=True)
class Evening:
    """What is played at one table."""

    names: tuple[str, ...]
    winners: tuple[int, ...]
    """Numbers of those who go out, deal by deal."""
    cloth: int
    """Of the photographs: no two tables have the same picture."""

    def play(self, phone: FlaskClient, app: Flask) -> Iterator[None]:
        """Play it by the page, a step at a time: deals, a payment, a slip and its correction."""
        begin(phone, self.names)
        yield
        post(phone, "/table/join", number="0")
        for deal, winner in enumerate(self.winners):
            yield
            address = post(phone, "/table/winner", who=str(winner), won_by="wall")
            while "/hand/" in address:
                yield
                address = self._give(phone, app, int(address.rsplit("/", 1)[1]), deal)
            yield
            post(phone, "/table/settle")
        yield
        amounts = {"amount0": "50", "amount2": "0", "amount3": "0"}
        post(phone, "/table/charge/", payer="1", why="A book", **amounts)
        yield
        post(phone, "/table/winner", who="1", won_by="discard")
        yield
        post(phone, "/table/undo", seq=get_page(phone, "/table/").value("seq"))
        yield
        post(phone, "/table/deal/1/correct", struck="yes")

    def _give(self, phone: FlaskClient, app: Flask, number: int, deal: int) -> str:
        """Photograph the first player's hand and say it is right; type the others' scores."""
        if number:
            return post(phone, f"/table/hand/{number}/score", score=str(8 * (number + deal + 3)))
        cloth = f"#20{self.cloth:02x}{16 + deal:02x}"
        photo = (io.BytesIO(picture(FakeReader().reading, cloth=cloth)), "hand.jpg")
        answer = phone.post(f"/table/hand/{number}", data={"photo": photo})
        hand = answer.headers["Location"].split("/")[2]
        jobs = find_context(PhotoDesk, app).jobs
        while jobs.stage(hand):
            time.sleep(0.002)
        return post(phone, f"/table/hand/{number}/right", hand=hand)


def outcome(hands: HandRepository, match: Match) -> dict[str, Any]:
    """Return all that a match comes to, without the ids and times that no two have alike."""

    def state(deal: DealState) -> tuple[object, ...]:
        hand_states = {
            player: (each.typed, each.agreed, each.agreed_to, each.by, _hand(hands, each.hand))
            for player, each in deal.hands.items()
        }
        return deal.ending, hand_states

    return {
        "log": match.game.log,
        "players": match.game.players,
        "totals": match.course.totals,
        "next": match.course.next_deal,
        "agreement": match.agreement,
        "deals": [(each.number, each.by, state(each.state)) for each in match.past],
        "now": state(match.deal),
        "done": [(each.kind, each.by) for each in match.doings],
        "written": [(each.entry, each.kind, each.by) for each in match.written],
        "ended": match.ended,
    }


def _hand(hands: HandRepository, hand: str) -> tuple[object, ...]:
    if not hand:
        return ()
    record = hands.get(hand)
    return (
        record.player,
        record.situation,
        find_total(record),
        tuple(tile.code for tile in record.tiles),
    )


def table_named(hands: HandRepository, name: str) -> str:
    """Return the id of a table by its name."""
    return next(each.id for each in ClubTables(hands.store).list_tables() if each.name == name)


def match_at(hands: HandRepository, table: str) -> Match:
    """Return the match that is being played at a table."""
    match = MatchRepository(hands.store, table).current()
    assert match
    return match
