"""What an evening left behind, against the notes: pages, exports, and every event of the log."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from device.matches.replay import MATCHES
from device.store import Store
from device.store.choosing import open_store
from device.store.events import MatchBegun, PhotoTaken, ReadingFailed, ReadingMade, TableLaid
from device.store.replaying import projector
from scorer.match.entries import Charge
from tests.prove.club_notes import Notes, Row, State
from tests.prove.club_phone import STALE, Listener, Phone
from tests.prove.club_play import TableEvening, standing
from tests.prove.club_room import Room

COUNTED = (
    "match-begun", "winner-said", "hand-given", "hand-agreed", "score-typed", "deal-settled",
    "deal-corrected", "charge-made", "players-renamed", "change-undone", "change-redone",
    "match-ended",
)  # fmt: skip
"""Kinds of events of a match, of which there must be as many as were confirmed."""


def check_pages(room: Room, tables: Sequence[TableEvening]) -> None:
    """Compare what the pages and the exports say of every match with the scorer's own game."""
    phone = Phone(room, 200, 0)
    for notes in (each for table in tables for each in table.all):
        where = f"match {notes.match}"
        path, state = f"/match/{notes.match}/", notes.state
        _same(room, f"{where}, JSON", _json_rows(phone, path), state.rows())
        _same(room, f"{where}, CSV", _csv_rows(phone, path), state.rows())
        _same(room, f"{where}, history", standing(phone.get(path).text), state.totals())
        if notes.ended:
            shown = _final(phone.get(f"{path}final").text)
            _same(room, f"{where}, final", shown, state.totals())
        _adds_up(room, where, notes)
        room.count("matches whose every total was compared")
        room.count("totals compared", len(state.rows()))


def _same(room: Room, where: str, found: object, wanted: object) -> None:
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
    rows = csv.DictReader(io.StringIO(phone.get(f"{path}score-sheet.csv").text))
    return [
        (int(r["entry"]), r["kind"], r["player"], r["wind"],
         int(r["score"]) if r["score"] else None, _number(r["change"]), _number(r["total"]))
        for r in rows
    ]  # fmt: skip


def _number(cell: str) -> int:
    """Return a number that may be quoted, lest a spreadsheet take its sign for a formula."""
    return int(cell.lstrip("'"))


def _final(text: str) -> dict[str, int]:
    part = text.partition('class="standings final"')[2]
    found = re.findall(r"<span>(.*?)</span></th></tr>\s*<tr>.*?<b>(-?\d+)</b></td></tr>", part)
    return {name: int(total) for name, total in found}


def _adds_up(room: Room, where: str, notes: Notes) -> None:
    """See that what some gain others lose, wherever there is no bank."""
    state: State = notes.state
    for row in state.game.course.rows:
        is_paid = notes.rules.ruleset == "bmja" or isinstance(row.event, Charge)
        if is_paid and sum(row.changes.values()) != 0:
            room.fault(f"{where}: entry {row.number} does not add up: {row.changes}")
    if notes.rules.ruleset == "bmja":
        first = state.game.first_tallies * len(state.names)
        _same(room, f"{where}, all tallies", sum(state.totals().values()), first)


def check_news(room: Room, phone: Phone, listeners: Sequence[Listener]) -> None:
    """See that all phones have heard of the newest there is, at the latest when they must have."""
    newest = int(json.loads(phone.get("/news/now").text)["version"])
    until = time.monotonic() + 2 * STALE
    while time.monotonic() < until and min(each.heard for each in listeners) < newest:
        time.sleep(0.05)
    late = [each.heard for each in listeners if each.heard < newest]
    if late:
        room.fault(f"{len(late)} of {len(listeners)} phones have not heard of {newest}: {late[:5]}")
    room.count("phones that heard of the last thing done", len(listeners) - len(late))


def check_log(room: Room, tables: Sequence[TableEvening]) -> None:
    """Compare the log with the notes, event by event, once nothing runs any more."""
    with closing(open_store(room.folder / "serve0", room.url)) as store:
        for torn in store.torn():
            room.fault(f"torn: {torn}")
        played = [notes for table in tables for notes in table.all]
        begun = set(store.with_event(MatchBegun, limit=-1))
        _same(room, "matches in the log", begun, {notes.match for notes in played})
        _same(room, "tables that are laid", len(store.with_event(TableLaid, limit=-1)), len(tables))
        for notes in played:
            _check_stream(room, store, notes)
        room.count("events in the log", sum(store.tally().values()))


def _check_stream(room: Room, store: Store, notes: Notes) -> None:
    so_far = projector(store, MATCHES).so_far(notes.match)
    if so_far.torn:
        room.fault(f"match {notes.match}: {so_far.torn}")
    kinds = Counter(each.kind for each in store.events(notes.match))
    for kind in COUNTED:
        least, most = notes.wrote[kind], notes.wrote[kind] + notes.perhaps[kind]
        if not least <= kinds[kind] <= most:
            wanted = least if least == most else f"{least} to {most}"
            room.fault(f"match {notes.match}: {kinds[kind]} of {kind} in the log, not {wanted}")
    room.count("events compared with what was confirmed", sum(kinds[kind] for kind in COUNTED))
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
