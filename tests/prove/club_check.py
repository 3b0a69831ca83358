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
        subject = f"match {notes.match}"
        path, state = f"/match/{notes.match}/", notes.state
        _compare(room, f"{subject}, JSON", _json_rows(phone, path), state.rows())
        _compare(room, f"{subject}, CSV", _csv_rows(phone, path), state.rows())
        _compare(room, f"{subject}, history", read_totals(phone.get(path).page), state.totals())
        if notes.ended:
            totals = _final_totals(phone.get(f"{path}final").page)
            _compare(room, f"{subject}, final", totals, state.totals())
        _adds_up(room, subject, notes)
        room.count("matches whose every total was compared")
        room.count("totals compared", len(state.rows()))


def _compare(room: Room, subject: str, actual: object, expected: object) -> None:
    if actual == expected:
        return
    if isinstance(actual, list) and isinstance(expected, list):
        differences = [pair for pair in zip(actual, expected, strict=False) if pair[0] != pair[1]]
        says = f"{len(actual)} lines, {len(expected)} wanted; first apart {differences[:1]}"
    else:
        says = f"{actual}, wanted {expected}"
    room.fault(f"{subject}: {says}")


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
    return {each.single("th span").text: int(each.single("td b").text) for each in places}


def _adds_up(room: Room, subject: str, notes: Notes) -> None:
    """See that what some gain others lose, wherever there is no bank."""
    state: State = notes.state
    for row in state.game.course.rows:
        is_paid = notes.rules.ruleset == "bmja" or isinstance(row.event, Charge)
        if is_paid and sum(row.changes.values()) != 0:
            room.fault(f"{subject}: entry {row.number} does not add up: {row.changes}")
    if notes.rules.ruleset == "bmja":
        first = state.game.first_tallies * len(state.names)
        _compare(room, f"{subject}, all tallies", sum(state.totals().values()), first)


EVENTS_ONCE_A_ROUND = ("round-drawn", "round-played-at", "round-closed")
"""Kinds of a tournament's events that occur once a round."""


def check_log(room: Room, tables: Sequence[TableEvening], tournament: str) -> None:
    """Compare the log with the notes, event by event, once nothing runs any more.

    `tournament` is where its page is; empty where none was played.
    """
    with closing(open_store(room.folder / "serve0", room.url)) as store:
        for torn in store.find_torn():
            room.fault(f"torn: {torn}")
        matches = [notes for table in tables for notes in table.all]
        begun_matches = set(store.with_event(MatchBegun, limit=-1))
        _compare(room, "matches in the log", begun_matches, {notes.match for notes in matches})
        _compare(
            room, "tables that are laid", len(store.with_event(TableCreated, limit=-1)), len(tables)
        )
        for notes in matches:
            _check_stream(room, store, notes)
        _check_tables_read(room, store, matches)
        if tournament and not room.faults:
            _check_tournament(room, store, tournament.split("/")[-2])
        room.count("events in the log", sum(store.tally().values()))


def _check_stream(room: Room, store: Store, notes: Notes) -> None:
    state = get_projector(store, MATCHES).state_of(notes.match)
    if state.torn_error:
        room.fault(f"match {notes.match}: {state.torn_error}")
    kinds = Counter(each.kind for each in store.events(notes.match))
    for kind in COUNTED_EVENTS:
        lowest, highest = notes.wrote[kind], notes.wrote[kind] + notes.possible[kind]
        if not lowest <= kinds[kind] <= highest:
            wanted_text = lowest if lowest == highest else f"{lowest} to {highest}"
            room.fault(
                f"match {notes.match}: {kinds[kind]} of {kind} in the log, not {wanted_text}"
            )
    room.count(
        "events compared with what was confirmed", sum(kinds[kind] for kind in COUNTED_EVENTS)
    )
    for hand in notes.photos:
        events = [each.event for each in store.events(hand)]
        read = sum(isinstance(each, ReadingMade | ReadingFailed) for each in events)
        if read != 1:
            room.fault(f"hand {hand} was read {read} times")
        photos = [each.photo for each in events if isinstance(each, PhotoTaken)]
        for photo in photos:
            for name in (photo.original, photo.display, photo.thumbnail):
                store.photo(name)  # raises where it is not there, or torn
        room.count("photographs whole", len(photos))


def _check_tables_read(room: Room, store: Store, matches: Sequence[Notes]) -> None:
    """See that each photograph of a whole table was read once, and each of its hands begun once.

    One that was given up, its readers killed, may have left hands that nobody knows of.
    """
    table_photos = {photo for notes in matches for photo in notes.tables}
    hand_counts: Counter[str] = Counter()
    photo_names: set[str] = set()
    for photo in store.with_event(TablePhotographed, limit=-1):
        events = [each.event for each in store.events(photo)]
        read = [each for each in events if isinstance(each, TableRead)]
        hand_counts.update(hand for each in read for hand in each.hands.values())
        photo_names |= {
            e.photo.original for e in events if isinstance(e, TablePhotographed) and read
        }
        if len(read) != 1 and photo in table_photos:
            room.fault(f"the whole table {photo} was read {len(read)} times")
        table_photos.discard(photo)
    if table_photos:
        room.fault(f"photographs of whole tables are lost: {table_photos}")
    begin_counts = Counter(
        each.stream
        for each in store.of_kinds(PhotoTaken)
        if each.event.reading is not None and each.event.photo.original in photo_names
    )
    differences = (begin_counts - hand_counts) | (hand_counts - begin_counts)
    if differences:
        room.fault(
            f"hands of whole tables that are in the log too often, or not at all: {differences}"
        )
    room.count("hands of whole tables in the log", len(hand_counts))


def _check_tournament(room: Room, store: Store, tournament: str) -> None:
    """See that each step of each round was taken once, and each table's result taken over once."""
    events = [each.event for each in store.events(f"tournament:{tournament}")]
    rounds, tables = range(1, room.plan.rounds + 1), range(1, room.plan.tables + 1)
    for kind in EVENTS_ONCE_A_ROUND:
        numbers = [each.number for each in events if each.kind == kind]  # type: ignore[attr-defined]
        _compare(room, f"{kind} in the log", numbers, list(rounds))
    results = Counter((each.round, each.table) for each in events if isinstance(each, ResultGiven))
    _compare(room, "results in the log", results, Counter((n, at) for n in rounds for at in tables))
    room.count("steps of a tournament compared", len(events))
