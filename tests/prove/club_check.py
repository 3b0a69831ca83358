"""Compare what an evening left behind with the notes: pages, exports and all events of the log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from device.matches.replay import MATCHES
from device.store import Store
from device.store.events import (
    MatchBegun,
    PhotoTaken,
    ReadingFailed,
    ReadingMade,
    ResultGiven,
    TableCreated,
    TablePhotographed,
    TableRead,
)
from device.store.projection import get_projector
from device.store.store_url import open_store
from scorer.match.entries import Charge
from tests.device.page import Page
from tests.prove.club_notes import Notes, Row, State
from tests.prove.club_phone import Phone
from tests.prove.club_play import TableEvening, read_totals
from tests.prove.club_room import Room
from tests.spreadsheets import csv_rows

COUNTED_EVENTS = (
    "match-begun", "winner-said", "hand-given", "hand-agreed", "score-typed", "deal-settled",
    "deal-corrected", "charge-made", "players-renamed", "change-undone", "change-redone",
    "match-ended",
)  # fmt: skip
"""Kinds of events in a match that are counted against what was confirmed."""


def check_pages(room: Room, tables: Sequence[TableEvening]) -> None:
    """Compare every match on pages and in exports with the scorer's own game."""
    phone = Phone(room, 200, 0)
    for notes in (each for table in tables for each in table.all):
        where = f"match {notes.match}"
        path, state = f"/match/{notes.match}/", notes.state
        _compare(room, f"{where}, JSON", _json_rows(phone, path), state.rows())
        _compare(room, f"{where}, CSV", _csv_rows(phone, path), state.rows())
        _compare(room, f"{where}, history", read_totals(phone.get(path).page), state.totals())
        if notes.ended:
            shown = _final_totals(phone.get(f"{path}final").page)
            _compare(room, f"{where}, final", shown, state.totals())
        _adds_up(room, where, notes)
        room.count("matches whose every total was compared")
        room.count("totals compared", len(state.rows()))


def _compare(room: Room, where: str, found: object, wanted: object) -> None:
    if found == wanted:
        return
    if isinstance(found, list) and isinstance(wanted, list):
        apart = [pair for pair in zip(found, wanted, strict=False) if pair[0] != pair[1]]
        says = f"{len(found)} lines, {len(wanted)} wanted; first apart {apart[:1]}"
    else:
        says = f"{found}, wanted {wanted}"
    room.fault(f"{where}: {says}")


def _json_rows(phone: Phone, path: str) -> list[Row]:
    lines = phone.get(f"{path}score-sheet.jsonl").text.splitlines()
    rows = (json.loads(line) for line in lines)
    return [(r["entry"], r["kind"], r["player"], r["wind"], r["score"], r["change"], r["total"])
            for r in rows]  # fmt: skip


def _csv_rows(phone: Phone, path: str) -> list[Row]:
    rows = csv_rows(phone.get(f"{path}score-sheet.csv").text)
    return [
        (int(r["entry"]), r["kind"], r["player"], r["wind"],
         int(r["score"]) if r["score"] else None, _to_int(r["change"]), _to_int(r["total"]))
        for r in rows
    ]  # fmt: skip


def _to_int(cell: str) -> int:
    """Return a number that may be quoted, so that no spreadsheet takes its sign for a formula."""
    return int(cell.lstrip("'"))


def _final_totals(page: Page) -> dict[str, int]:
    places = page.all(".standings.final tbody tr")
    return {each.one("th span").text: int(each.one("td b").text) for each in places}


def _adds_up(room: Room, where: str, notes: Notes) -> None:
    """See that what some gain others lose, wherever there is no bank."""
    state: State = notes.state
    for row in state.game.course.rows:
        is_paid = notes.rules.ruleset == "bmja" or isinstance(row.event, Charge)
        if is_paid and sum(row.changes.values()) != 0:
            room.fault(f"{where}: entry {row.number} does not add up: {row.changes}")
    if notes.rules.ruleset == "bmja":
        first = state.game.first_tallies * len(state.names)
        _compare(room, f"{where}, all tallies", sum(state.totals().values()), first)


EVENTS_ONCE_A_ROUND = ("round-drawn", "round-played-at", "round-closed")
"""Kinds of a tournament's events that occur once a round."""


def check_log(room: Room, tables: Sequence[TableEvening], tournament: str) -> None:
    """Compare the log with the notes, event by event, once nothing runs any more.

    `tournament` is where its page is; empty where none was played.
    """
    with closing(open_store(room.folder / "serve0", room.url)) as store:
        for torn in store.find_torn():
            room.fault(f"torn: {torn}")
        played = [notes for table in tables for notes in table.all]
        begun = set(store.with_event(MatchBegun, limit=-1))
        _compare(room, "matches in the log", begun, {notes.match for notes in played})
        _compare(
            room, "tables that are laid", len(store.with_event(TableCreated, limit=-1)), len(tables)
        )
        for notes in played:
            _check_stream(room, store, notes)
        _check_tables_read(room, store, played)
        if tournament and not room.faults:
            _check_tournament(room, store, tournament.split("/")[-2])
        room.count("events in the log", sum(store.tally().values()))


def _check_stream(room: Room, store: Store, notes: Notes) -> None:
    so_far = get_projector(store, MATCHES).state_of(notes.match)
    if so_far.torn_error:
        room.fault(f"match {notes.match}: {so_far.torn_error}")
    kinds = Counter(each.kind for each in store.events(notes.match))
    for kind in COUNTED_EVENTS:
        least, most = notes.wrote[kind], notes.wrote[kind] + notes.perhaps[kind]
        if not least <= kinds[kind] <= most:
            wanted = least if least == most else f"{least} to {most}"
            room.fault(f"match {notes.match}: {kinds[kind]} of {kind} in the log, not {wanted}")
    room.count(
        "events compared with what was confirmed", sum(kinds[kind] for kind in COUNTED_EVENTS)
    )
    for hand in notes.photos:
        events = [each.event for each in store.events(hand)]
        read = sum(isinstance(each, ReadingMade | ReadingFailed) for each in events)
        if read != 1:
            room.fault(f"hand {hand} was read {read} times")
        taken = [each.photo for each in events if isinstance(each, PhotoTaken)]
        for photo in taken:
            for name in (photo.original, photo.display, photo.thumbnail):
                store.photo(name)  # raises where it is not there, or torn
        room.count("photographs whole", len(taken))


def _check_tables_read(room: Room, store: Store, played: Sequence[Notes]) -> None:
    """See that each photograph of a whole table was read once, and each of its hands begun once.

    One that was given up, its readers killed, may have left hands that nobody knows of.
    """
    wanted = {photo for notes in played for photo in notes.tables}
    named: Counter[str] = Counter()
    taken: set[str] = set()
    for photo in store.with_event(TablePhotographed, limit=-1):
        events = [each.event for each in store.events(photo)]
        read = [each for each in events if isinstance(each, TableRead)]
        named.update(hand for each in read for hand in each.hands.values())
        taken |= {e.photo.original for e in events if isinstance(e, TablePhotographed) and read}
        if len(read) != 1 and photo in wanted:
            room.fault(f"the whole table {photo} was read {len(read)} times")
        wanted.discard(photo)
    if wanted:
        room.fault(f"photographs of whole tables are lost: {wanted}")
    begun = Counter(
        each.stream
        for each in store.of_kinds(PhotoTaken)
        if each.event.reading is not None and each.event.photo.original in taken
    )
    apart = (begun - named) | (named - begun)
    if apart:
        room.fault(f"hands of whole tables that are in the log too often, or not at all: {apart}")
    room.count("hands of whole tables in the log", len(named))


def _check_tournament(room: Room, store: Store, tournament: str) -> None:
    """See that each step of each round was taken once, and each table's result taken over once."""
    events = [each.event for each in store.events(f"tournament:{tournament}")]
    rounds, tables = range(1, room.plan.rounds + 1), range(1, room.plan.tables + 1)
    for kind in EVENTS_ONCE_A_ROUND:
        found = [each.number for each in events if each.kind == kind]  # type: ignore[attr-defined]
        _compare(room, f"{kind} in the log", found, list(rounds))
    results = Counter((each.round, each.table) for each in events if isinstance(each, ResultGiven))
    _compare(room, "results in the log", results, Counter((n, at) for n in rounds for at in tables))
    room.count("steps of a tournament compared", len(events))
