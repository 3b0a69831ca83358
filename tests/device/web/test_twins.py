"""Some phones that send a creating form at the same moment: no two things get one name.

All have read that the name is free before the first of them writes. Each is led on or told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from device.club.camera_assignments import CameraAssignments, CameraHeldError
from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.i18n.names import fold_name
from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.services import open_services
from device.store import Event, Store
from device.store.events import HandBegun, MatchBegun, RoundDrawn, RulesetRetired, TableCleared
from device.store.store_url import open_store
from device.tilesets.tile_sets import TileSets
from device.web import Box, create_app
from tests.device.club.rooms import post
from tests.device.fake_reader import FakeReader
from tests.device.page import Page, get_page
from tests.device.shared_decoder import DECODER
from tests.device.web.custom_rules import HERE, NAMES, NEW_HAND, OURS, copied, text_of

PHONES = 4
"""Two at each process of a database; with more, each answer is only worked out more often."""

MEETING_S = 0.5
"""How long a phone that is about to write waits for the others."""

Form = tuple[str, dict[str, Any]]
"""Where it is sent to, and what it says."""


@pytest.fixture
def boxes(store_url: str, tmp_path: Path) -> Iterator[tuple[tuple[FlaskClient, ...], Store]]:
    """Return some phones, and a store that none of them uses; a database has two processes."""
    with ExitStack() as endings:

        def opened() -> Store:
            return endings.enter_context(closing(open_store(tmp_path / "box", store_url)))

        stores = [opened(), opened()] if store_url else [opened()]
        apps = [
            create_app(Box(endings.enter_context(closing(open_services(s, FakeReader(), DECODER)))))
            for s in stores
        ]
        yield tuple(apps[k % len(apps)].test_client() for k in range(PHONES)), stores[0]


def meet_before_writing(monkeypatch: pytest.MonkeyPatch, phones: int) -> None:
    """Let so many threads wait for each other before each writes for the first time."""
    append, meeting = Store.append, threading.Barrier(phones)
    arrived: set[int] = set()

    def append_together(store: Store, *given: Any, **more: Any) -> int:  # noqa: ANN401
        if threading.get_ident() not in arrived:
            arrived.add(threading.get_ident())
            with suppress(threading.BrokenBarrierError):
                meeting.wait(MEETING_S)
        return append(store, *given, **more)

    monkeypatch.setattr(Store, "append", append_together)


def send_together(
    phones: Sequence[FlaskClient], forms: Sequence[Form], monkeypatch: pytest.MonkeyPatch
) -> list[TestResponse]:
    """Send a form from each phone; nobody writes before all have decided."""
    meet_before_writing(monkeypatch, len(forms))
    with ThreadPoolExecutor(len(forms)) as pool:
        sent = [
            pool.submit(phone.post, path, data=fields)
            for phone, (path, fields) in zip(phones, forms, strict=True)
        ]
        answers = [each.result() for each in sent]
    monkeypatch.undo()
    return answers


def says_why(answer: TestResponse) -> bool:
    """Whether an answer leads on, or is a page that says what was not done."""
    told = Page(answer.text).all("[role=alert], .problem, main .card p")
    return answer.status_code == 303 or (answer.status_code in (409, 422) and bool(told))


@dataclass(frozen=True)
class Creating:
    """A form that creates something, or gives it a name."""

    why: str
    prepare: Callable[[FlaskClient], Sequence[Form]]
    """Makes what has to be there before; returns the form, or one for each phone."""
    made: Callable[[Store], Sequence[str]]
    """What there is afterwards, by name."""
    expected: int
    """How many there are afterwards."""
    done: int
    """How many phones are led on; the others are told."""


def the_same(path: str, **fields: Any) -> Callable[[FlaskClient], Sequence[Form]]:  # noqa: ANN401
    return lambda _: [(path, fields)]


def titles(store: Store) -> list[str]:
    return [fold_name(each.title) for each in CustomRulesets(store).list_all()]


def versions(store: Store) -> list[str]:
    """Return the numbers of all versions: a second ruleset would begin at 1 again."""
    found = CustomRulesets(store).list_all()
    return [str(version.number) for each in found for version in each.versions]


def tables(store: Store) -> list[str]:
    return [fold_name(each.name) for each in ClubTables(store).list_tables()]


def people(store: Store) -> list[str]:
    return [fold_name(each.name) for each in PeopleRepository(store).register().everybody()]


def named_zoe(store: Store) -> list[str]:
    return [name for name in people(store) if name == "zoe"]


def sets(store: Store) -> list[str]:
    found = TileSets(store, HandRepository(store)).list_sets()
    return [fold_name(each.name) for each in found if each.name]


def events_of(kind: type[Event]) -> Callable[[Store], list[str]]:
    return lambda store: [each.stream for each in store.of_kinds(kind)]


def seasons(store: Store) -> list[str]:
    return [each.id for each in SeasonRepository(store).list_seasons()]


def tournaments(store: Store) -> list[str]:
    return [each.id for each in TournamentRepository(store).list_tournaments()]


def dearer_files(_: FlaskClient) -> Sequence[Form]:
    files = (OURS.replace("limit = 1000", f"limit = {500 + k}", 1) for k in range(PHONES))
    return [(f"{HERE}bring", {"text": text}) for text in files]


def one_title(phone: FlaskClient) -> Sequence[Form]:
    ours = [copied(phone, title=f"Rules {k}") for k in range(PHONES)]
    pages = [get_page(phone, f"{HERE}{each}/") for each in ours]
    texts = [text_of(page).replace(f"Rules {k}", "Club rules") for k, page in enumerate(pages)]
    return [
        (f"{HERE}{of}/text", {"text": text, "seen": page.values("seen")[0]})
        for of, text, page in zip(ours, texts, pages, strict=True)
    ]


def one_more_hand(phone: FlaskClient) -> Sequence[Form]:
    path = f"{HERE}{copied(phone)}/change/special-new"
    seen = get_page(phone, path).value("seen")
    return [(path, NEW_HAND | {"name": f"Hand {k}", "seen": seen}) for k in range(PHONES)]


def one_tapped_hand(phone: FlaskClient) -> Sequence[Form]:
    path, tiles = f"{HERE}{copied(phone)}/tap/worth", "B1 B2 B3 B4 B5 B6 B7 B8 B9 O8 O8 O8 C7 C7"
    hand = {"tiles": tiles, "suits": "same", "value": "500"}
    seen = get_page(phone, f"{path}?tiles={tiles.replace(' ', '+')}").value("seen")
    return [(path, {**hand, "name": f"Run {k}", "seen": seen}) for k in range(PHONES)]


def a_version_again(phone: FlaskClient) -> Sequence[Form]:
    ours = f"{HERE}{copied(phone)}"
    at = f"{ours}/change/limit"
    post(phone, at, seen=get_page(phone, at).value("seen"), limit="2000")
    seen = get_page(phone, f"{ours}/").values("seen")[0]
    return [(f"{ours}/restore", {"seen": seen, "version": "1"})]


def one_table_name(phone: FlaskClient) -> Sequence[Form]:
    laid = [post(phone, "/club/tables/", name=f"Table {k}") for k in range(PHONES)]
    return [(f"{path}name", {"name": "By the window"}) for path in laid]


def listed(phone: FlaskClient, count: int = PHONES) -> list[str]:
    return [post(phone, "/club/players/", name=f"Player {k}") for k in range(count)]


def one_players_name(phone: FlaskClient) -> Sequence[Form]:
    return [(f"{path}name", {"name": "Zoe"}) for path in listed(phone)]


def a_name_given_and_added(phone: FlaskClient) -> Sequence[Form]:
    renamed = [(f"{path}name", {"name": "Zoe"}) for path in listed(phone, PHONES // 2)]
    return [*renamed, *[("/club/players/", {"name": "zoe"})] * (PHONES // 2)]


def merged_both_ways(phone: FlaskClient) -> Sequence[Form]:
    one, other = listed(phone, 2)
    ids = [path.rstrip("/").rpartition("/")[2] for path in (one, other)]
    both = [(f"{one}same", {"other": ids[1]}), (f"{other}same", {"other": ids[0]})]
    return both * (PHONES // 2)


def begun(phone: FlaskClient) -> str:
    post(phone, "/match/new", ruleset="bmja", **NAMES)
    post(phone, "/table/join", number="0")
    return "/table/"


def seats_again(phone: FlaskClient) -> Sequence[Form]:
    begun(phone)
    return [(post(phone, "/table/end").replace("/final", "/again"), {})]


def an_entry(phone: FlaskClient) -> Sequence[Form]:
    begun(phone)
    post(phone, "/table/winner", who="0", won_by="wall")
    return [("/table/hand/0/enter", {})]


SEASON = {"name": "Autumn", "first": "2026-01-01", "last": "2026-12-31", "points": "both",
          "places": "4 2 1 0", "best": ""}  # fmt: skip

TOURNAMENT = {"name": "Cup", "players": "\n".join(f"Player {k}" for k in range(8)), "rounds": "2",
              "minutes": "60"}  # fmt: skip


def one_season(phone: FlaskClient) -> Sequence[Form]:
    token = get_page(phone, "/club/season/new").value("id")
    return [("/club/season/new", SEASON | {"id": token})]


def other_words_in_one_form(phone: FlaskClient) -> Sequence[Form]:
    ((path, said),) = one_season(phone)
    return [(path, said | {"name": f"Autumn {k}"}) for k in range(PHONES)]


def one_tournament(phone: FlaskClient) -> Sequence[Form]:
    token = get_page(phone, "/club/tournaments/new").value("id")
    return [("/club/tournaments/new", TOURNAMENT | {"id": token})]


def one_joins(phone: FlaskClient) -> Sequence[Form]:
    path = post(phone, "/club/tournaments/new", **TOURNAMENT)
    return [(f"{path}players/", {"wish": "join", "name": "Zoe"})]


def one_draw(phone: FlaskClient) -> Sequence[Form]:
    path = post(phone, "/club/tournaments/new", **TOURNAMENT)
    return [(f"{path}draw", {"number": "1"})]


def retired(phone: FlaskClient) -> Sequence[Form]:
    return [(f"{HERE}{copied(phone)}/retire", {})]


def joined(store: Store) -> list[str]:
    (found,) = TournamentRepository(store).list_tournaments()
    return [fold_name(each.name) for each in found.entrants if fold_name(each.name) == "zoe"]


FORMS = [
    Creating("a copy of rules", the_same(f"{HERE}copy", of="bmja", title="Ours"), titles, 1, 1),
    Creating("a file of rules", the_same(f"{HERE}bring", text=OURS), versions, 1, PHONES),
    Creating("files of one title, all kept", dearer_files, versions, PHONES, PHONES),
    Creating("one title for all rulesets", one_title, titles, PHONES, 1),
    Creating("a special hand", one_more_hand, versions, 2, 1),
    Creating("a hand by tapping", one_tapped_hand, versions, 2, 1),
    Creating("a version gone back to", a_version_again, versions, 3, PHONES),
    Creating("rules retired", retired, events_of(RulesetRetired), 1, PHONES),
    Creating("a table", the_same("/club/tables/", name="Window"), tables, 1, 1),
    Creating("one name for all tables", one_table_name, tables, PHONES, 1),
    Creating("a player", the_same("/club/players/", name="Zoe"), people, 1, 1),
    Creating("one name for all players", one_players_name, people, PHONES, 1),
    Creating("a name given and added", a_name_given_and_added, named_zoe, 1, 1),
    Creating("merged both ways", merged_both_ways, people, 1, 1),
    Creating("a tile set", the_same("/sets/choose", name="Grandmother's"), sets, 1, PHONES),
    Creating(
        "a match",
        the_same("/match/new", ruleset="bmja", seen="0", **NAMES),
        events_of(MatchBegun),
        1,
        1,
    ),
    Creating(
        "without `seen`",
        the_same("/match/new", ruleset="bmja", **NAMES),
        events_of(MatchBegun),
        1,
        PHONES,
    ),
    Creating("same seats again", seats_again, events_of(MatchBegun), 2, PHONES),
    Creating("a hand by taps", an_entry, events_of(HandBegun), 1, PHONES),
    Creating("a season", one_season, seasons, 1, PHONES),
    Creating("other words in one form", other_words_in_one_form, seasons, 1, 1),
    Creating("a tournament", one_tournament, tournaments, 1, PHONES),
    Creating("a player of a tournament", one_joins, joined, 1, 1),
    Creating("a draw", one_draw, events_of(RoundDrawn), 1, PHONES),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.why.replace(" ", "-"))
def test_what_phones_create_at_once_is_there_once(
    boxes: tuple[tuple[FlaskClient, ...], Store], form: Creating, monkeypatch: pytest.MonkeyPatch
) -> None:
    phones, store = boxes
    sent = form.prepare(phones[0])
    forms = sent if len(sent) == PHONES else [*sent] * PHONES
    answers = send_together(phones, forms, monkeypatch)
    made = form.made(store)
    assert len(set(made)) == len(made) == form.expected, made
    assert all(map(says_why, answers)), [(each.status_code, each.text) for each in answers]
    assert sum(each.status_code == 303 for each in answers) == form.done


def test_a_table_is_not_cleared_away_while_a_match_begins_there(
    boxes: tuple[tuple[FlaskClient, ...], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    phones, store = boxes
    table = post(phones[0], "/club/tables/", name="Window")
    at = f"/at/{table.split('/')[3]}/"
    assert [phone.get(at).status_code for phone in phones] == [200] * PHONES
    match = ("/match/new", {"ruleset": "bmja", "seen": "0", **NAMES})
    answers = send_together(phones, [(f"{table}clear", {}), match] * (PHONES // 2), monkeypatch)
    cleared, on = store.of_kinds(TableCleared), store.of_kinds(MatchBegun)
    assert len(cleared) + len(on) == 1
    assert {each.status_code for each in answers} <= {303, 404, 409, 422}
    assert MatchRepository(store, table.split("/")[3]).current() is None or not cleared


def test_a_camera_that_tables_choose_at_once_serves_one(
    boxes: tuple[tuple[FlaskClient, ...], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, store = boxes
    hanging, webcam = CameraAssignments(store), "usb-1"
    laid = [ClubTables(store).lay(f"Table {k}") for k in range(PHONES)]
    meet_before_writing(monkeypatch, PHONES)

    def choose(table: str) -> str:
        with suppress(CameraHeldError):
            hanging.assign(table, webcam, names={webcam})
            return table
        return ""

    with ThreadPoolExecutor(PHONES) as pool:
        chosen = [each for each in pool.map(choose, laid) if each]
    holder = hanging.holder({webcam})
    assert chosen == [holder and holder.id]
