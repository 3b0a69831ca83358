"""What is damaged is said by `/health`, the doctor, the first page and `/damaged/` alike."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import STREAM_PREFIX, TournamentRepository
from device.damage import examination, examine, name_sort
from device.doctor import Machine
from device.doctor.log_checks import check_log
from device.i18n.words import LANGUAGES, say, use_words
from device.matches.repository import MatchRepository
from device.matches.seats import Phones
from device.store import Store
from device.store.events import (
    BOX,
    PERSON,
    SEASON,
    ExerciseDone,
    HandPhoto,
    LogSalvaged,
    MatchEnded,
    PersonAdded,
    PhotosRemoved,
    PhotoTaken,
    SalvageRead,
    SeasonBegun,
    TournamentBegun,
)
from device.store.events.catalogue import STREAMS
from device.store.pictures import PHOTOS_FOLDER
from device.views.box_health import finding_view
from tests.device.agreeing import damages_on_page, disagreements
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS, PLAYERS, settle
from tests.device.page import Page

WINTER = SeasonBegun(
    name="Winter", first="2020-01-01", last="2099-12-31", points="totals", by_place=(), best=None
)
CUP = TournamentBegun(name="Cup", players=tuple(PLAYERS), rounds=2, minutes=50)

Streams = dict[str, str]


@pytest.fixture
def streams(store: Store, matches: MatchRepository, read_hand: str) -> Streams:
    """Write something of every sort; return the streams' names by what the table calls them."""
    first, second = matches.begin(AGREED_TERMS), matches.begin(AGREED_TERMS)
    settle(matches, second, "Cy")
    Phones(store).say(second, "0123abcd", 0)
    tables = ClubTables(store)
    tables.clear(table := tables.lay("Window"))  # or the first page asks at which one sits
    store.append(f"{PERSON}zed", PersonAdded(name="Zed"))
    store.append("pupil:ann", ExerciseDone("Ann", "tile", "suits", 9, 10, "run"))
    return {
        "HAND": read_hand, "EARLIER": first, "MATCH": second, "PHONES": f"phones-{second}",
        "TABLE": table, "SEASON": SEASON + SeasonRepository(store).begin(WINTER),
        "CUP": STREAM_PREFIX + TournamentRepository(store).begin(CUP),
    }  # fmt: skip


CASES: list[tuple[str, str, dict[str, Any], str, bool, str]] = [
    # stream, kind, fields, trouble, whether there is a way on, why
    ("HAND", "tile-corrected", {"tile": 99, "code": "B1"}, "torn hand", True, "no such tile"),
    ("new", "photo-taken", {"photo": {}}, "torn hand", False, "a hand of nothing"),
    ("MATCH", "winner-said", {"winner": "Eve"}, "torn match", True, "who sits elsewhere"),
    ("EARLIER", "deal-settled", {"winner": 1}, "torn match", True, "not the newest one"),
    ("late", "match-ended", {}, "torn match", False, "its beginning was left out"),
    ("PHONES", "match-ended", {}, "torn phones", True, "it happens to matches"),
    ("other", "table-photographed", {"match": "m"}, "torn table photo", False, "of no deal"),
    ("set-1", "set-kept", {"crops": {}}, "torn registration", False, "without a beginning"),
    ("CUP", "round-drawn", {"number": 0}, "torn tournament", True, "there is no such round"),
    ("SEASON", "season-changed", {"name": "Summer"}, "torn season", True, "fields are missing"),
    ("TABLE", "table-renamed", {"name": "Door"}, "torn club table", True, "it is cleared away"),
    (f"{PERSON}ann", "person-named", {"name": "Ann"}, "torn person", False, "nobody of that id"),
    ("pupil:ann", "exercise-done", {"name": "Ann"}, "torn practice", True, "what was practised"),
    ("deal:x", "practice-deal-begun", {}, "torn practice deal", False, "nothing is said of it"),
    ("rules:x", "ruleset-kept", {}, "torn ruleset", False, "it has no text"),
    (BOX, "setting-changed", {"name": "colour", "value": "red"}, "torn box", False, "no setting"),
]  # fmt: skip


@pytest.mark.parametrize(("stream", "kind", "data", "trouble", "goes_on", "reason"), CASES)
def test_one_torn_entry_is_said_by_all_and_keeps_nobody_from_playing(
    client: FlaskClient, store: Store, streams: Streams,
    stream: str, kind: str, data: dict[str, Any], trouble: str, goes_on: bool, reason: str,
) -> None:  # fmt: skip
    health_answer = client.get("/health")
    assert (health_answer.status_code, health_answer.get_json()["status"]) == (200, "ok")
    name = streams.get(stream, stream)
    seq = write_raw(store, name, kind, data)

    health = client.get("/health")
    assert health.status_code == 200, "or who watches starts the box anew for ever"
    assert health.get_json()["status"] == "degraded", reason
    assert health.get_json()["alive"]
    assert health.get_json()["troubles"] == [trouble], reason
    assert health.get_json()["reasons"] == [f"{trouble}: entry {seq} ({kind})"], "no names in it"
    page = client.get(f"/damaged/{name}/").text
    assert damages_on_page(page, [(seq, kind)]) == {seq}
    sort = name_sort(trouble.removeprefix("torn "))
    assert Page(page).single("h1").text == say("damaged.title", of=sort)
    assert list(disagreements(client, store.folder, {"page": page}, [(seq, kind)])) == []

    if goes_on:
        client.post(f"/damaged/{name}/cut", data={"since": str(seq)})
        assert client.get("/health").get_json()["status"] == "ok", "it is gone on from before it"
        assert client.get(f"/damaged/{name}/").status_code == 404
    else:
        assert "since" not in page, "there is nothing to go on from"
    assert list(disagreements(client, store.folder, {}, [(seq, kind)])) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sort_of_stream_has_words_of_its_own(store: Store, language: str) -> None:
    sorts = {trouble.removeprefix("torn ") for _, _, _, trouble, *_ in CASES}
    assert sorts == STREAMS.keys(), "all are torn above"
    use_words(language)
    texts = {say(name_sort(sort)) for sort in (*STREAMS, "record")}
    assert len(texts) == len(STREAMS) + 1
    kind = "practice-deal-begun"
    seq = write_raw(store, "deal:x", kind, {})
    entry = say("damaged.entry", number=seq, of=name_sort("practice deal"), kind=kind)
    torn_text = finding_view(check_log(Machine(store.folder))).says
    assert torn_text == say("doctor.log.torn", events=entry)


def test_many_are_all_said(client: FlaskClient, store: Store, streams: Streams) -> None:
    entries = [
        (write_raw(store, streams.get(stream, stream), kind, data), kind)
        for stream, kind, data, *_ in CASES[3:12:2]
    ]
    assert list(disagreements(client, store.folder, {}, entries)) == []
    assert len(damages_on_page(client.get("/first/").text, entries)) == len(entries)


@pytest.mark.parametrize("moved_stream", ["HAND", "MATCH"])
def test_what_began_elsewhere_begins_nothing_among_events_that_stand_alone(
    client: FlaskClient, store: Store, streams: Streams, moved_stream: str
) -> None:
    """The first page lists it, and does not blame the person who was added after it."""
    first, *_ = store.raw_rows(streams[moved_stream])
    seq = write_raw(store, f"{PERSON}late", first[2], first[3])
    person_seq = write_raw(store, f"{PERSON}late", "person-added", {"name": "Late"})
    pages = {page: client.get(page).text for page in ("/", "/single/", f"/damaged/{PERSON}late/")}
    entries = [(seq, first[2]), (person_seq, "person-added")]
    assert list(disagreements(client, store.folder, pages, entries)) == []
    assert damages_on_page(pages[f"/damaged/{PERSON}late/"], entries) == {seq}


def lose(store: Store, streams: Streams) -> None:
    """Delete a hand's photograph from the disk."""
    (photo_event,) = (
        each.event for each in store.of_kinds(PhotoTaken) if each.stream == streams["HAND"]
    )
    store.delete_photo(photo_event.photo.original)


def remove(store: Store, streams: Streams) -> None:
    """Remove the photograph as the box does, which says so."""
    (photo_event,) = (
        each.event for each in store.of_kinds(PhotoTaken) if each.stream == streams["HAND"]
    )
    store.append(streams["HAND"], PhotosRemoved((photo_event.photo.original,)))
    lose(store, streams)


def salvage(store: Store, _: Streams) -> None:
    """Tell that the log was salvaged."""
    store.append(BOX, LogSalvaged("torn", "", 1, ()))


def read_so(store: Store, streams: Streams) -> None:
    """Tell it, and that somebody has read so."""
    salvage(store, streams)
    store.append(BOX, SalvageRead())


STORE_FAULTS: list[tuple[Callable[[Store, Streams], None], list[str], str]] = [
    (lose, ["missing photographs"], "the evidence is gone"),
    (remove, [], "it was removed on purpose"),
    (salvage, ["log salvaged"], "nobody has read so"),
    (read_so, [], "somebody has"),
]


@pytest.mark.parametrize(("spoil", "troubles", "reason"), STORE_FAULTS)
def test_what_is_wrong_with_the_store_is_said_by_all(
    client: FlaskClient, store: Store, streams: Streams,
    spoil: Callable[[Store, Streams], None], troubles: list[str], reason: str,
) -> None:  # fmt: skip
    assert client.get("/health").get_json()["status"] == "ok"
    spoil(store, streams)
    health = client.get("/health")
    assert (health.status_code, health.get_json()["troubles"]) == (200, troubles), reason
    assert list(disagreements(client, store.folder, {}, [])) == []


def test_a_photograph_lost_in_the_same_tick_of_the_clock_is_missed(
    client: FlaskClient, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "FOLDER_TICK_NS", 10**12)
    folder = store.folder / PHOTOS_FOLDER
    assert client.get("/health").get_json()["troubles"] == []
    changed_ns = folder.stat().st_mtime_ns
    lose(store, streams)
    os.utime(folder, ns=(changed_ns, changed_ns))
    assert client.get("/health").get_json()["troubles"] == ["missing photographs"]


def test_until_all_was_looked_over_that_is_said(
    client: FlaskClient, store: Store, streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    seq = write_raw(store, streams["CUP"], "round-drawn", {"number": 0})
    go_on = threading.Event()
    after = Store.events_after

    def slow(self: Store, seq: int, limit: int) -> Any:  # noqa: ANN401 - as it is
        go_on.wait()
        return after(self, seq, limit)

    monkeypatch.setattr("device.doctor.health.ANSWER_TIMEOUT_S", 0.01)
    monkeypatch.setattr(Store, "events_after", slow)
    health = client.get("/health").get_json()
    assert (health["complete"], health["troubles"]) == (False, [])
    go_on.set()
    monkeypatch.setattr("device.doctor.health.ANSWER_TIMEOUT_S", 20.0)
    health = client.get("/health").get_json()
    assert (health["complete"], health["troubles"]) == (True, ["torn tournament"])
    assert f"entry {seq} " in health["reasons"][0]


def test_the_log_is_looked_over_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often somebody asks, only what is new is read."""
    store.append("pupil:ann", ExerciseDone("Ann", "tile", "suits", 9, 10, "run"))
    examine(store, 20.0)
    reads: list[int] = []
    after = Store.events_after

    def noting(self: Store, seq: int, limit: int) -> Any:  # noqa: ANN401 - as it is
        reads.append(seq)
        return after(self, seq, limit)

    monkeypatch.setattr(Store, "events_after", noting)
    newest_seq = store.newer(0, 0)
    for _ in range(3):
        assert examine(store).torn_events == ()
    assert reads == [newest_seq] * 3


def test_a_database_is_looked_over_as_a_folder_is(either_store: Store) -> None:
    photo_name = either_store.keep_photo(b"pixels", ".jpg")
    photo = HandPhoto(photo_name, "gone.jpg", photo_name, 8, 6, "a.jpg")
    either_store.append(
        "a", PhotoTaken(photo=photo, rules="bmja", seat_wind="E", prevailing_wind="E")
    )
    seq = either_store.append("late", MatchEnded())
    report = examine(either_store, 20.0)
    assert report.complete
    assert [each.seq for each in report.torn_events] == [seq]
    assert report.missing == {"gone.jpg"}
    assert report.troubles == ("torn match", "missing photographs")
    either_store.append("a", PhotosRemoved(("gone.jpg",)))
    assert examine(either_store).missing == frozenset()
