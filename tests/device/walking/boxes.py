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
from tests.device.club.tournament.tournament_play import NAMES, add_tournament, play_round
from tests.device.fake_camera import PATIENCE, FakeCamera, single_camera, wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.fake_table import lay_round
from tests.device.identities import identity
from tests.device.match_play import AGREED_TERMS, PLAYERS, SCORES
from tests.device.shared_decoder import DECODER
from vision.photo import open_photo
from vision.set_registration import name_by_order

KnownIds = dict[str, list[str]]
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
class PlayedBox:
    """A box, and what there is on it."""

    app: Flask
    box: Box
    store: Store
    known_ids: KnownIds
    starts: tuple[str, ...] = STARTS
    cookies: dict[str, str] = field(default_factory=lambda: {"pupil": "Ann"})

    def wait(self) -> None:
        """Wait until the worker has nothing left to read."""
        is_done = threading.Event()
        self.box.services.jobs.use_reader("wait", lambda _: is_done.set(), lambda _: is_done.set())
        assert is_done.wait(PATIENCE), "the worker did not come to an end"


def _begin_hand(hands: HandRepository, match: str = "") -> str:
    data = picture(lay())
    return hands.begin(open_photo(data, "hand.jpg"), data, "bmja", match=match)


def read_hand(hands: HandRepository, match: str = "") -> str:
    hand = _begin_hand(hands, match)
    hands.change(hand, reading_event(lay(doubtful=(3, 7))))
    return hand


def _by_hand(hands: HandRepository, match: str = "") -> str:
    hand = hands.begin_by_hand("bmja", match)
    hands.change(hand, SetAdded(("B3", "B3", "B3"), "exposed"))
    hands.change(hand, SetAdded(("C1", "C2", "C3"), "concealed"))
    hands.change(hand, TileAdded("DR", "concealed", None))
    return hand


def play_alone(played_box: PlayedBox) -> None:
    """Play no match: hands of one's own, however they came, a question, a registration."""
    hands, sets = played_box.box.services.hands, played_box.box.services.sets
    reading = lay(doubtful=(3,))
    data = picture(reading)
    photo = open_photo(data, "set.jpg")
    registration = sets.registrations.begin(FIRST_SET_ID, photo, data)
    sets.registrations.record_reading(registration, 0, name_by_order(reading.tiles))
    sets.registrations.name(registration, (0, 0), "B2")
    sets.register(sets.registrations.get(registration), [photo])
    right = read_hand(hands)
    hands.change(right, TilesConfirmed())
    question = hands.begin_question(photo, data, "bmja", HandQuestion())
    hands.change(question, reading_event(reading))
    failed_hand, other, twice_failed = (_begin_hand(hands) for _ in range(3))
    hands.change(failed_hand, ReadingFailed("no-tiles", "No tiles."))
    for hand in (other, twice_failed):
        hands.change(hand, reading_event(reading))
    hands.change(other, OtherSetSeen(FIRST_SET_ID))
    sets.begin("Grandmother's")
    hands.add_photo(twice_failed, photo, data)
    hands.change(twice_failed, PhotoFailed("no-tiles", "No tiles."))
    played_box.known_ids |= {
        "hand": [
            read_hand(hands),
            _by_hand(hands),
            right,
            question,
            failed_hand,
            other,
            twice_failed,
        ],
        "registration": [registration],
    }
    PracticeLog(played_box.store).mark("Ann", "hand", "pungs", right=3, asked=4)


def _match(
    played_box: PlayedBox, begin_event: MatchBegun = AGREED_TERMS, phone: int = 0
) -> tuple[MatchRepository, str]:
    matches = MatchRepository(played_box.store)
    match = matches.begin(begin_event)
    played_box.cookies["player"] = identity(
        played_box.store, match, phone, begin_event.players[phone]
    )
    played_box.known_ids["match"] = [match]
    return matches, match


def play(played_box: PlayedBox) -> None:
    """Play two deals, with a payment and a correction."""
    matches, match = _match(played_box)
    for winner in ("Bob", None):
        matches.change(match, WinnerEntered(winner, by="Ann"))
        matches.change(match, DealSettled(winner, SCORES, by="Ann"))
    matches.change(match, ChargeMade("Ann", {"Bob": 50}, "Looked at tiles"))
    matches.change(match, DealCorrected(1, winner="Cy", won_by="discard", scores=SCORES))


def give_hands(played_box: PlayedBox) -> None:
    """Give hands in: one read, one tile by tile, one as a number."""
    matches, match = _match(played_box)
    hands = played_box.box.services.hands
    matches.change(match, WinnerEntered("Ann", "wall"))
    given_hands = read_hand(hands, match), _by_hand(hands, match)
    for player, hand in zip(PLAYERS, given_hands, strict=False):
        matches.change(match, HandGiven(player, hand))
    matches.change(match, ScoreTyped("Cy", 40))
    played_box.known_ids["hand"] = list(given_hands)


def settling(played_box: PlayedBox) -> None:
    """Type every score of a deal that waits to be settled."""
    matches, match = _match(played_box)
    matches.change(match, WinnerEntered("Ann"))
    for player, score in SCORES.items():
        matches.change(match, ScoreTyped(player, score))


def whole_table(played_box: PlayedBox) -> None:
    """Photograph the whole table, with two hands on it; and again, in vain."""
    matches, match = _match(played_box)
    matches.change(match, WinnerEntered("Ann"))
    readings, data = lay_round({"bottom": lay(), "top": lay()})
    photos = TablePhotos(played_box.box.services.hands)
    photo = photos.begin(matches.get(match), "Ann", open_photo(data, "t.jpg"), data)
    photos.record_reading(photo, readings, "bmja")
    unplaced_photo = photos.begin(matches.get(match), "Bob", open_photo(data, "t.jpg"), data)
    photos.say_bottom(photo, "Ann")
    photos.give_hands(photo, "Ann")
    unread = photos.begin(matches.get(match), "Cy", open_photo(data, "t.jpg"), data)
    photos.say_bottom(unread, "Bob")
    played_box.store.append(unread, TableFailed("no-tiles", "No tiles."))
    played_box.known_ids["photo"] = [photo, unplaced_photo, unread]
    played_box.known_ids["hand"] = list(photos.get(photo).hands.values())


def five(played_box: PlayedBox) -> None:
    """Let five play; one sits out, and the phone is that one's."""
    matches, match = _match(played_box, replace(AGREED_TERMS, players=(*PLAYERS, "Eve")), phone=4)
    matches.change(match, WinnerEntered("Bob"))
    for player, score in list(SCORES.items())[:3]:
        matches.change(match, ScoreTyped(player, score))


def end_match(played_box: PlayedBox) -> None:
    """End a match, which counts for a season."""
    play(played_box)
    MatchRepository(played_box.store).change(played_box.known_ids["match"][0], MatchEnded())
    season = SeasonBegun(
        name="Autumn", first="2000-01-01", last="2099-12-31", points="both", by_place=(4, 2), best=3
    )
    played_box.known_ids["season"] = [SeasonRepository(played_box.store).begin(season)]
    played_box.known_ids["person"] = [
        PeopleRepository(played_box.store).add(name).id for name in ("Ann", "Zoe")
    ]


def two(played_box: PlayedBox) -> None:
    """Let two play by Safalra's rules, with a phone in Chinese."""
    begin_event = MatchBegun(players=("Ann", "Bob"), ruleset="safalra", limit=None, house=())
    matches, match = _match(played_box, begin_event)
    played_box.cookies["look"] = "language=zh-Hant&text=big"
    matches.change(match, WinnerEntered("Ann"))
    matches.change(match, DealSettled("Ann", {"Ann": 40, "Bob": 20}))


def tournament(played_box: PlayedBox) -> None:
    """Play a round of a tournament and draw the next; of nine players one sits out."""
    tournaments = TournamentRepository(played_box.store)
    tournament_id = add_tournament(tournaments, players=NAMES[:9], stand_ins=False)
    play_round(tournaments, tournament_id)
    tournaments.draw(tournament_id, 2)
    tournaments.change(tournament_id, RoundClockSet(2, 3600))
    tournaments.change(tournament_id, ResultGiven(1, 2, (0, 0, 0, 0), seen=1, why="Added wrongly"))
    played_box.known_ids |= {
        "tournament": [tournament_id],
        "number": ["1", "2"],
        "table": ["1", "2"],
    }


def new(played_box: PlayedBox) -> None:
    """Do nothing: the box is new, and the phone that comes first is walked through it."""


def with_pin(played_box: PlayedBox) -> None:
    """Ask for a PIN, and let the phone in."""
    play_alone(played_box)
    settings = set_new_pin(SettingsLog(played_box.store))
    played_box.cookies["tongbox-phone"] = settings.pin_token


def club(played_box: PlayedBox) -> None:
    """Lay three tables; at one sits the phone, at another they play too, one has a PIN."""
    tables, matches = ClubTables(played_box.store), MatchRepository(played_box.store)
    first_table, second_table, locked_table = (
        tables.lay(f"Table {number}") for number in (1, 2, 3)
    )
    tables.new_pin(locked_table)
    match, other = (
        matches.at_table(table).begin(AGREED_TERMS) for table in (first_table, second_table)
    )
    matches.change(match, WinnerEntered("Ann"))
    hands = [_of_table(played_box, *each) for each in ((match, first_table), (other, second_table))]
    matches.change(match, HandGiven("Ann", hands[0]))
    played_box.cookies |= {
        "player": identity(played_box.store, match, 0, "Ann"),
        "table": f"table={first_table}",
    }
    played_box.known_ids |= {
        "match": [match, other],
        "hand": hands,
        "table": [first_table, second_table, locked_table],
    }


def _of_table(played_box: PlayedBox, match: str, table: str) -> str:
    hand = played_box.box.services.hands.begin_by_hand("bmja", match, table)
    played_box.box.services.hands.change(hand, SetAdded(("B3", "B3", "B3"), "exposed"))
    return hand


STATES: dict[str, Callable[[PlayedBox], None]] = {
    each.__name__: each
    for each in (
        play_alone,
        play,
        give_hands,
        settling,
        whole_table,
        five,
        end_match,
        two,
        with_pin,
        new,
        club,
        tournament,
    )
}
"""By name; how each comes about stands in its function."""


@contextmanager
def play_box(state: str, folder: Path, database: str = "") -> Iterator[PlayedBox]:
    """Yield a box in this state, on a database or the embedded one; every second has a camera."""
    has_camera = bool(list(STATES).index(state) % 2)
    with box_with(STATES[state], folder, database, has_camera=has_camera) as played_box:
        yield played_box


@contextmanager
def box_with(
    play: Callable[[PlayedBox], None], folder: Path, database: str = "", *, has_camera: bool = False
) -> Iterator[PlayedBox]:
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
            wait_until(lambda: camera.status.state == "ready")
        desk = None if database else RestoreDesk(store, lambda: None)
        box = Box(
            services,
            samples=tuple(load_samples())[:1],
            cameras=single_camera(camera),
            greets=True,
            upkeep=Upkeep(machine, restores=desk),
        )
        app = create_app(box)
        played_box = PlayedBox(app, box, store, {})
        play(played_box)
        yield played_box
