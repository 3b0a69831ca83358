"""A log of play, spoilt by chance: which pages a box still shows, and what it does not let go of.

The play is ours, by the page and a stand-in for the reader, and so are the ways of spoiling: a
letter changed, an event left out, written twice, swapped with the next, or moved to another stream.
"""

from __future__ import annotations

import io
import random
import shutil
import sqlite3
import string
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from flask import Flask
from flask.testing import FlaskClient

from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tournament.repository import TournamentRepository
from device.jobs import PhotoQueue
from device.matches.match import Match
from device.matches.repository import MatchRepository, open_hands
from device.matches.seats import Phones
from device.services import open_services
from device.settings import SettingsLog
from device.store import Store
from device.store.data_folder import LOG_FILE
from device.store.events import ExerciseDone, MatchBegun, SeasonBegun, TournamentBegun
from device.tilesets.tile_sets import TileSets
from device.web import Box, create_app
from device.web.contexts import Upkeep, provide
from tests.device.agreeing import disagreements
from tests.device.fake_reader import FakeReader, picture
from tests.device.shared_decoder import DECODER

PATIENCE = 20.0
"""Seconds that a stand-in's reading may take."""

_FLIPS = string.ascii_letters + string.digits + '-"{}[],:.\u00e9\u9f8d'


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the log."""

    seq: int
    stream: str
    kind: str
    json: str
    time: str


@dataclass(frozen=True, slots=True)
class RunningBox:
    """A box with a stand-in for the reader, and a phone."""

    phone: FlaskClient
    store: Store
    jobs: PhotoQueue

    @property
    def matches(self) -> MatchRepository:
        """The matches in its log."""
        return MatchRepository(self.store)

    def post(self, path: str, **fields: str) -> str:
        """Send a form; return where it leads."""
        answer = self.phone.post(path, data=fields)
        assert answer.status_code == 303, (path, answer.status_code, answer.text)
        return str(answer.headers["Location"])

    def snap(self, path: str) -> str:
        """Send a photograph and wait until it is read; return the id of what it began."""
        data = picture(FakeReader().reading)
        answer = self.phone.post(path, data={"photo": (io.BytesIO(data), "hand.jpg")})
        assert answer.status_code == 303, (path, answer.status_code)
        address_id = str(answer.headers["Location"]).rstrip("/").rpartition("/")[2]
        ends = time.monotonic() + PATIENCE
        while self.jobs.stage(address_id):
            assert time.monotonic() < ends
            time.sleep(0.005)
        return address_id


@cache
def _page() -> Flask:
    """Return the page, made once, for every box would compile its templates anew."""
    app = create_app(cast(Box, SimpleNamespace(upkeep=Upkeep(), contexts=tuple)))
    app.config["PROPAGATE_EXCEPTIONS"] = False  # as a phone sees it
    return app


@contextmanager
def run_box(folder: Path) -> Iterator[RunningBox]:
    """Start a box on a folder."""
    with closing(Store(folder)) as store:
        services = open_services(store, FakeReader(), DECODER)
        try:
            app = _page()
            provide(app, *Box(services).contexts())
            phone = app.test_client()
            phone.environ_base["REMOTE_ADDR"] = f"box-{id(store)}-{time.monotonic()}"
            yield RunningBox(phone, store, services.jobs)
        finally:
            services.close()


def play(box: RunningBox) -> None:
    """Play an evening: two matches, photographs, a correction, a charge, a set, practice."""
    for _ in range(2):
        players = {f"player{n}": name for n, name in enumerate(("Ann", "Bob", "Cy", "Di"))}
        last_seq = str(box.matches.last_begun())
        box.post("/match/new", **players, ruleset="bmja", limit="1000", seen=last_seq)
        for winner in (0, 2):
            _play_deal(box, winner)
        box.post("/table/charge/", payer="1", why="Looked at Ann's tiles", amount0="50")
        box.post("/table/deal/1/correct", who="3", score0="8", score1="8", score2="8", score3="40")
    match = box.matches.current()
    assert match is not None
    box.post(f"/match/{match.id}/undo", seq=str(match.doings[-1].seq))
    box.post("/table/winner", who="2", won_by="wall")
    box.snap("/table/whole/")
    box.snap("/hands")
    TileSets(box.store, open_hands(box.store)).begin("Grandmother's")
    box.snap("/sets/register/")
    SettingsLog(box.store).change("snap_when_ready", True)
    _play_club(box, match.id)
    box.store.append("pupil:ann", ExerciseDone("Ann", "tile", "suits", 9, 10, "run"))


def _play_club(box: RunningBox, match: str) -> None:
    """Begin what a club has besides its matches, and change it."""
    Phones(box.store).say(match, "0123abcd", 0)
    people = PeopleRepository(box.store)
    people.rename(people.add("Zed"), "Zed (Kitty)")
    season = SeasonBegun(name="Winter", first="2020-01-01", last="2099-12-31", points="totals",
                         by_place=(), best=None)  # fmt: skip
    SeasonRepository(box.store).begin(season)
    cup = TournamentBegun(name="Cup", players=("Ann", "Bob", "Cy", "Di"), rounds=2, minutes=50)
    tournaments = TournamentRepository(box.store)
    tournaments.draw(tournaments.begin(cup), 1)


def _play_deal(box: RunningBox, winner: int) -> None:
    box.post("/table/winner", who=str(winner), won_by="discard")
    hand = box.snap(f"/table/hand/{winner}")
    for code in ("B1", "B2"):  # a slip, put right
        box.post(f"/hand/{hand}/tile/0", code=code)
    box.post(f"/table/hand/{winner}/right", hand=hand)
    for seat in {0, 1, 2, 3} - {winner}:
        box.post(f"/table/hand/{seat}/score", score=str(8 * seat + 4))
    box.post("/table/settle")


def rows_of(folder: Path) -> list[Row]:
    """Return the log of a box that is closed."""
    with closing(sqlite3.connect(folder / LOG_FILE)) as db:
        return [
            Row(*each)
            for each in db.execute("SELECT seq, stream, kind, json, at FROM events ORDER BY seq")
        ]


def spoil_rows(rows: list[Row], chance: random.Random) -> tuple[list[Row], set[str]]:
    """Return the rows with one thing wrong, or a few, and the streams that it concerns."""
    touched_streams: set[str] = set()
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        way = chance.choice((_flip, _drop, _double, _swap, _move, _cut_in))
        rows, row_streams = way(list(rows), chance.randrange(len(rows)), chance)
        touched_streams |= row_streams
    return rows, touched_streams


def _flip(rows: list[Row], place: int, chance: random.Random) -> tuple[list[Row], set[str]]:
    row = rows[place]
    text = list(row.json)
    text[chance.randrange(len(text))] = chance.choice(_FLIPS)
    rows[place] = replace(row, json="".join(text))
    return rows, {row.stream}


def _drop(rows: list[Row], place: int, _: random.Random) -> tuple[list[Row], set[str]]:
    return rows[:place] + rows[place + 1 :], {rows[place].stream}


def _double(rows: list[Row], place: int, _: random.Random) -> tuple[list[Row], set[str]]:
    rows.append(replace(rows[place], seq=rows[-1].seq + 1))
    return rows, {rows[place].stream}


def _swap(rows: list[Row], place: int, chance: random.Random) -> tuple[list[Row], set[str]]:
    stream_rows = [n for n, row in enumerate(rows) if row.stream == rows[place].stream]
    other = chance.choice(stream_rows)
    row, two = rows[place], rows[other]
    rows[place], rows[other] = replace(two, seq=row.seq), replace(row, seq=two.seq)
    return rows, {rows[place].stream}


def _move(rows: list[Row], place: int, chance: random.Random) -> tuple[list[Row], set[str]]:
    row, other = rows[place], chance.choice(rows).stream
    rows[place] = replace(row, stream=other)
    return rows, {row.stream, other}


def _cut_in(rows: list[Row], place: int, chance: random.Random) -> tuple[list[Row], set[str]]:
    """Write the event under another's kind."""
    rows[place] = replace(rows[place], kind=chance.choice(rows).kind)
    return rows, {rows[place].stream}


def write_log(folder: Path, like: Path, rows: list[Row]) -> None:
    """Write a box's folder that has these rows and the pictures of another."""
    Store(folder).close()  # first, for pictures without a log are no new box
    for pictures in ("photos", "crops"):
        if (like / pictures).exists():
            shutil.copytree(
                like / pictures, folder / pictures, copy_function=_link_files, dirs_exist_ok=True
            )
    with closing(sqlite3.connect(folder / LOG_FILE)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.executemany(
            "INSERT INTO events (seq, stream, kind, json, at) VALUES (?, ?, ?, ?, ?)",
            [(row.seq, row.stream, row.kind, row.json, row.time) for row in rows],
        )


def _link_files(source: str, target: str) -> None:
    Path(target).hardlink_to(source)


def substance(match: Match) -> object:
    """Return what players see of a match, without the numbers of the log."""
    return match.course, match.deal, [past.state for past in match.past], match.ended


def pages_of(rows: list[Row]) -> tuple[str, ...]:
    """Return the addresses of what can be looked at on a box with these rows."""
    streams = {row.stream: row.kind for row in reversed(rows)}
    return (*_USUAL_PAGES, *(
        page.format(stream)
        for stream, kind in streams.items()
        for page in (*_PAGES.get(kind, ()), "/damaged/{}/")
    ))  # fmt: skip


_USUAL_PAGES = (
    "/", "/first/", "/single/", "/settings/", "/matches", "/match/new", "/table/", "/table/winner",
    "/table/hand/0", "/table/settle", "/table/history", "/table/charge/", "/table/whole/",
    "/table/deal/1/correct", "/sets/", "/sets/register/", "/setup/", "/learn/", "/learn/ask/",
    "/practise/", "/join", "/health", "/news/now", "/club/", "/club/players/", "/club/season/every",
    "/club/tournaments/",
)  # fmt: skip
_OF_HANDS = ("/hand/{}/", "/hand/{}/dispute", "/hand/{}/tile/0", "/hand/{}/thumbnail.jpg",
             "/hand/{}/enter", "/learn/ask/{}/")  # fmt: skip
_PAGES: Mapping[str, tuple[str, ...]] = {
    "photo-taken": _OF_HANDS,
    "hand-begun": _OF_HANDS,
    "match-begun": ("/match/{}/", "/match/{}/score-sheet.csv", "/damaged/{}/events.jsonl"),
    "table-photographed": ("/table/whole/{}",),
    "set-photographed": ("/sets/register/{}/", "/sets/register/{}/tile/0-0"),
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one spoilt log."""

    failures: tuple[str, ...]
    """Addresses that were answered by 5xx, with the status."""
    changed_matches: tuple[str, ...]
    """Matches that the spoilt event does not concern and that came out otherwise."""
    damage_count: int
    """Streams that were told to be damaged."""
    disagreements: tuple[str, ...]
    """What one who says what is damaged says, and another does not."""
    begins: bool
    """A new match can be begun and settled."""


def try_log(folder: Path, like: Path, rows: list[Row], touched_streams: set[str],
            records: Mapping[str, object]) -> Trial:  # fmt: skip
    """Start a box on a spoilt log, look at every page, and play on."""
    write_log(folder, like, rows)
    with run_box(folder) as box:
        answers = {page: box.phone.get(page) for page in pages_of(rows)}
        record_by_match = {
            match: box.matches.state_so_far(match).record
            for match in records.keys() - touched_streams
        }
        changed_matches = [
            m
            for m, found in record_by_match.items()
            if found is None or substance(found) != records[m]
        ]
        damaged_pages = [page for page, answer in answers.items()
                   if page.startswith("/damaged/") and answer.status_code == 200]  # fmt: skip
        failures = [
            f"{a.status_code} {page}" for page, a in answers.items() if a.status_code >= 500
        ]
        texts = {page: a.text for page, a in answers.items() if a.mimetype == "text/html"}
        entries = [(row.seq, row.kind) for row in rows]
        disagreements_found = tuple(disagreements(box.phone, folder, texts, entries))
        try:
            box.post("/match/new", player0="Eve", player1="Fay", player2="Gus", player3="Hal",
                     ruleset="bmja", limit="1000", seen=str(box.matches.last_begun()))  # fmt: skip
            box.post("/table/winner")
            box.post("/table/settle")
            begins = True
        except AssertionError as error:
            failures.append(str(error.args[0])[:200])
            begins = False
    shutil.rmtree(folder)
    return Trial(
        tuple(failures), tuple(changed_matches), len(damaged_pages), disagreements_found, begins
    )


def trials(folder: Path, count: int, seed: int) -> Iterator[tuple[int, Trial]]:
    """Play once, then try as many spoilt logs of it; yield each trial with its number."""
    like = folder / "like"
    with run_box(like) as box:
        play(box)
        ids = box.store.with_event(MatchBegun, limit=-1)
        records = {match: substance(box.matches.get(match)) for match in ids}
    rows = rows_of(like)
    for number in range(count):
        spoilt_rows, touched_streams = spoil_rows(rows, random.Random(f"{seed}-{number}"))
        # A photograph of the table gives hands in for its match.
        text = " ".join(row.json for row in rows if row.stream in touched_streams)
        touched_streams |= {match for match in ids if match in text}
        yield number, try_log(folder / "spoilt", like, spoilt_rows, touched_streams, records)
