"""Boxes in every state that a table can bring one into, each played by a function."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask
from msgspec.structs import replace

from device.access import set_new_pin
from device.backups import RestoreDesk
from device.cameras.service import CameraService, CameraTiming
from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.readings import reading_event
from device.hands.repository import HandQuestion, HandRepository
from device.host.machine import Machine
from device.job_context import WorkerContext
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository, open_hands
from device.matches.table_photo import TablePhotos
from device.samples import load_samples
from device.services import Services
from device.settings import SettingsLog
from device.store import Store
from device.store.events import (
    ChargeMade,
    DealCorrected,
    DealSettled,
    HandGiven,
    MatchBegun,
    MatchEnded,
    OtherSetSeen,
    PhotoFailed,
    ReadingFailed,
    ResultGiven,
    RoundClockSet,
    ScoreTyped,
    SeasonBegun,
    SetAdded,
    TableFailed,
    TileAdded,
    TilesConfirmed,
    WinnerEntered,
)
from device.store.store_url import open_store
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from device.tutoring.progress import PracticeLog
from device.web import Box, create_app
from device.web.contexts import Upkeep
from tests.device.club.tournament.played import NAMES, add_tournament, play_round
from tests.device.fake_camera import PATIENCE, FakeCamera, only, until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.fake_table import lay_round
from tests.device.identities import identity
from tests.device.played import AGREED, PLAYERS, SCORES
from tests.device.shared_decoder import DECODER
from vision.photo import open_photo
from vision.set_registration import name_by_order

Known = dict[str, list[str]]
"""What stands in addresses, by the name of the part: ids of hands, of matches …"""

_PACE = CameraTiming(preview=0.2, probe=0.2, pauses=(0.2,), tick=0.2)


STARTS = (
    "/practise/tile/names/7/10?said=0123012301",
    "/practise/set/kinds/7/10?said=0123012301",
    "/practise/hand/pung/3/?at=2",
    "/practise/hand/pung/3/?at=3",
    "/learn/wall/?step=seats",
)
"""Pages that are some way in: with answers that were given already."""


@dataclass
class Played:
    """A box, and what there is on it."""

    app: Flask
    box: Box
    store: Store
    known: Known
    starts: tuple[str, ...] = STARTS
    cookies: dict[str, str] = field(default_factory=lambda: {"pupil": "Ann"})

    def wait(self) -> None:
        """Wait until the worker has nothing left to read."""
        done = threading.Event()
        self.box.services.jobs.use_reader("wait", lambda _: done.set(), lambda _: done.set())
        assert done.wait(PATIENCE), "the worker did not come to an end"


def _begun(hands: HandRepository, match: str = "") -> str:
    data = picture(lay())
    return hands.begin(open_photo(data, "hand.jpg"), data, "bmja", match=match)


def read_hand(hands: HandRepository, match: str = "") -> str:
    hand = _begun(hands, match)
    hands.change(hand, reading_event(lay(doubtful=(3, 7))))
    return hand


def _by_hand(hands: HandRepository, match: str = "") -> str:
    hand = hands.begin_by_hand("bmja", match)
    hands.change(hand, SetAdded(("B3", "B3", "B3"), "exposed"))
    hands.change(hand, SetAdded(("C1", "C2", "C3"), "concealed"))
    hands.change(hand, TileAdded("DR", "concealed", None))
    return hand


def alone(played: Played) -> None:
    """Play no match: hands of one's own, however they came, a question, a registration."""
    hands, sets = played.box.services.hands, played.box.services.sets
    reading = lay(doubtful=(3,))
    data = picture(reading)
    photo = open_photo(data, "set.jpg")
    laid = sets.registrations.begin(FIRST_SET_ID, photo, data)
    sets.registrations.record_reading(laid, 0, name_by_order(reading.tiles))
    sets.registrations.name(laid, (0, 0), "B2")
    sets.register(sets.registrations.get(laid), [photo])
    right = read_hand(hands)
    hands.change(right, TilesConfirmed())
    asked = hands.begin_question(photo, data, "bmja", HandQuestion())
    hands.change(asked, reading_event(reading))
    failed, other, twice = (_begun(hands) for _ in range(3))
    hands.change(failed, ReadingFailed("no-tiles", "No tiles."))
    for hand in (other, twice):
        hands.change(hand, reading_event(reading))
    hands.change(other, OtherSetSeen(FIRST_SET_ID))
    sets.begin("Grandmother's")
    hands.add_photo(twice, photo, data)
    hands.change(twice, PhotoFailed("no-tiles", "No tiles."))
    played.known |= {
        "hand": [read_hand(hands), _by_hand(hands), right, asked, failed, other, twice],
        "registration": [laid],
    }
    PracticeLog(played.store).mark("Ann", "hand", "pungs", right=3, asked=4)


def _match(
    played: Played, begun: MatchBegun = AGREED, phone: int = 0
) -> tuple[MatchRepository, str]:
    matches = MatchRepository(played.store)
    match = matches.begin(begun)
    played.cookies["player"] = identity(played.store, match, phone, begun.players[phone])
    played.known["match"] = [match]
    return matches, match


def play(played: Played) -> None:
    """Play two deals, with a payment and a correction."""
    matches, match = _match(played)
    for winner in ("Bob", None):
        matches.change(match, WinnerEntered(winner, by="Ann"))
        matches.change(match, DealSettled(winner, SCORES, by="Ann"))
    matches.change(match, ChargeMade("Ann", {"Bob": 50}, "Looked at tiles"))
    matches.change(match, DealCorrected(1, winner="Cy", won_by="discard", scores=SCORES))


def giving(played: Played) -> None:
    """Give hands in: one read, one tile by tile, one as a number."""
    matches, match = _match(played)
    hands = played.box.services.hands
    matches.change(match, WinnerEntered("Ann", "wall"))
    given = read_hand(hands, match), _by_hand(hands, match)
    for player, hand in zip(PLAYERS, given, strict=False):
        matches.change(match, HandGiven(player, hand))
    matches.change(match, ScoreTyped("Cy", 40))
    played.known["hand"] = list(given)


def settling(played: Played) -> None:
    """Type every score of a deal that waits to be settled."""
    matches, match = _match(played)
    matches.change(match, WinnerEntered("Ann"))
    for player, score in SCORES.items():
        matches.change(match, ScoreTyped(player, score))


def whole_table(played: Played) -> None:
    """Photograph the whole table, with two hands on it; and again, in vain."""
    matches, match = _match(played)
    matches.change(match, WinnerEntered("Ann"))
    laid, data = lay_round({"bottom": lay(), "top": lay()})
    photos = TablePhotos(played.box.services.hands)
    photo = photos.begin(matches.get(match), "Ann", open_photo(data, "t.jpg"), data)
    photos.record_reading(photo, laid, "bmja")
    unplaced = photos.begin(matches.get(match), "Bob", open_photo(data, "t.jpg"), data)
    photos.say_bottom(photo, "Ann")
    photos.give_hands(photo, "Ann")
    unread = photos.begin(matches.get(match), "Cy", open_photo(data, "t.jpg"), data)
    photos.say_bottom(unread, "Bob")
    played.store.append(unread, TableFailed("no-tiles", "No tiles."))
    played.known["photo"] = [photo, unplaced, unread]
    played.known["hand"] = list(photos.get(photo).hands.values())


def five(played: Played) -> None:
    """Let five play; one sits out, and the phone is that one's."""
    matches, match = _match(played, replace(AGREED, players=(*PLAYERS, "Eve")), phone=4)
    matches.change(match, WinnerEntered("Bob"))
    for player, score in list(SCORES.items())[:3]:
        matches.change(match, ScoreTyped(player, score))


def ended(played: Played) -> None:
    """End a match, which counts for a season."""
    play(played)
    MatchRepository(played.store).change(played.known["match"][0], MatchEnded())
    season = SeasonBegun(
        name="Autumn", first="2000-01-01", last="2099-12-31", points="both", by_place=(4, 2), best=3
    )
    played.known["season"] = [SeasonRepository(played.store).begin(season)]
    played.known["person"] = [
        PeopleRepository(played.store).add(name).id for name in ("Ann", "Zoe")
    ]


def two(played: Played) -> None:
    """Let two play by Safalra's rules, with a phone in Chinese."""
    begun = MatchBegun(players=("Ann", "Bob"), ruleset="safalra", limit=None, house=())
    matches, match = _match(played, begun)
    played.cookies["look"] = "language=zh-Hant&text=big"
    matches.change(match, WinnerEntered("Ann"))
    matches.change(match, DealSettled("Ann", {"Ann": 40, "Bob": 20}))


def tournament(played: Played) -> None:
    """Play a round of a tournament and draw the next; of nine players one sits out."""
    tournaments = TournamentRepository(played.store)
    at = add_tournament(tournaments, players=NAMES[:9], stand_ins=False)
    play_round(tournaments, at)
    tournaments.draw(at, 2)
    tournaments.change(at, RoundClockSet(2, 3600))
    tournaments.change(at, ResultGiven(1, 2, (0, 0, 0, 0), seen=1, why="Added wrongly"))
    played.known |= {"tournament": [at], "number": ["1", "2"], "table": ["1", "2"]}


def new(played: Played) -> None:
    """Do nothing: the box is new, and the phone that comes first is walked through it."""


def with_pin(played: Played) -> None:
    """Ask for a PIN, and let the phone in."""
    alone(played)
    settings = set_new_pin(SettingsLog(played.store))
    played.cookies["tongbox-phone"] = settings.pin_token


def club(played: Played) -> None:
    """Lay three tables; at one sits the phone, at another they play too, one has a PIN."""
    tables, matches = ClubTables(played.store), MatchRepository(played.store)
    here, there, locked = (tables.lay(f"Table {number}") for number in (1, 2, 3))
    tables.new_pin(locked)
    match, other = (matches.at_table(table).begin(AGREED) for table in (here, there))
    matches.change(match, WinnerEntered("Ann"))
    hands = [_of_table(played, *each) for each in ((match, here), (other, there))]
    matches.change(match, HandGiven("Ann", hands[0]))
    played.cookies |= {
        "player": identity(played.store, match, 0, "Ann"),
        "table": f"table={here}",
    }
    played.known |= {"match": [match, other], "hand": hands, "table": [here, there, locked]}


def _of_table(played: Played, match: str, table: str) -> str:
    hand = played.box.services.hands.begin_by_hand("bmja", match, table)
    played.box.services.hands.change(hand, SetAdded(("B3", "B3", "B3"), "exposed"))
    return hand


STATES: dict[str, Callable[[Played], None]] = {
    each.__name__: each
    for each in (
        alone,
        play,
        giving,
        settling,
        whole_table,
        five,
        ended,
        two,
        with_pin,
        new,
        club,
        tournament,
    )
}
"""By name; how each comes about stands in its function."""


@contextmanager
def played(state: str, folder: Path, database: str = "") -> Iterator[Played]:
    """Yield a box in this state, on a database or the embedded one; every second has a camera."""
    has_camera = bool(list(STATES).index(state) % 2)
    with box_with(STATES[state], folder, database, has_camera=has_camera) as it:
        yield it


@contextmanager
def box_with(
    play: Callable[[Played], None], folder: Path, database: str = "", *, has_camera: bool = False
) -> Iterator[Played]:
    """Yield a box on which this was played, on the database of a URL or the embedded one."""
    with ExitStack() as stack:
        store = stack.enter_context(closing(open_store(folder, database)))
        hands = open_hands(store)
        sets = TileSets(store, hands)
        context = WorkerContext(hands, sets, FakeReader(), DECODER, {})
        jobs = stack.enter_context(closing(PhotoQueue(context, limit=10**6)))
        services = Services(store, DECODER, hands, sets, jobs)
        machine = Machine(folder, root=folder, ask=lambda command: "", address=lambda: "10.0.0.1")
        camera = None
        if has_camera:
            camera = CameraService(FakeCamera(), optional=True, pace=_PACE)
            stack.callback(camera.close)
            until(lambda: camera.status.state == "ready")
        desk = None if database else RestoreDesk(store, lambda: None)
        box = Box(services, samples=tuple(load_samples())[:1], cameras=only(camera), greets=True,
                  upkeep=Upkeep(machine, restores=desk))  # fmt: skip
        app = create_app(box)
        it = Played(app, box, store, {})
        play(it)
        yield it
