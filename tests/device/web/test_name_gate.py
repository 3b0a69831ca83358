"""Who reads names past the gate: each module of the page that does is listed, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.access import ensure_phone_secret, set_new_organiser_pin
from device.cameras.shutter import CameraTakenError
from device.club.people import PeopleRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.settings import SettingsLog
from device.store import Store
from device.store.events import MatchEnded
from device.web import box_camera
from device.web.club import organiser
from device.web.name_gate import NameGate
from tests.device.match_play import AGREED_TERMS
from tests.device.walking.boxes import PlayedBox, box_with
from tests.device.walking.gathering import ALIAS, HIDDEN_NAME, gather, gather_damaged
from tests.device.walking.names import NAMING_PAGES, Crawl, at_table, lookers

WEB = Path(__file__).parents[3] / "device" / "web"

RAW = {
    "matches": {
        "get", "get_if_whole", "state_so_far", "current", "find_newest",
        "list_page", "newest_start", "newest_of_all",
    },
    "tournaments": {"get", "state_so_far", "find_newest", "list_tournaments"},
    "hands": {"get", "get_if_whole", "recent_and_torn", "by_itself"},
}  # fmt: skip
"""What returns names as they were written, by what it is asked of."""

MAKERS = {"PeopleRepository", "Register", "load_results", "Anonymiser"}
"""What the names of people, of matches that are over and of who is hidden come from."""

AT_THE_TABLE = "shows the match that is played to phones at its table"
CHANGES = "looks up what a phone changes; shows no name"
GATE_REASON = "hands what it reads to the gate"

READS: dict[str, str] = {
    "name_gate.py": "the gate itself",
    "contexts.py": "asks what the match at the phone's table is played by; shows no name",
    "hand_entry.py": CHANGES,
    "box_camera.py": CHANGES,
    "club/overview.py": GATE_REASON,
    "club/players.py": "asks the register who is hidden; tells names to an organiser",
    "club/season.py": "asks the register, which leaves out who is hidden",
    "club/table_choice.py": GATE_REASON,
    "club/tables.py": "looks up what a phone changes, and whether a match is on; shows no name",
    "club/tournament.py": GATE_REASON,
    "club/tournament_tables.py": GATE_REASON,
    "club/tournaments.py": "lists titles, and offers names: of nobody who is hidden",
    "hand_page.py": CHANGES,
    "hand_sheets.py": GATE_REASON,
    "home.py": AT_THE_TABLE,
    "log_damage.py": CHANGES,
    "permissions/__init__.py": CHANGES,
    "picture.py": GATE_REASON,
    "settings_pages.py": "lists people by the register: nobody who is hidden",
    "table/current_match.py": AT_THE_TABLE,
    "table/deal.py": AT_THE_TABLE,
    "table/hand_in_match.py": GATE_REASON,
    "table/match_form.py": "offers names: of nobody who is hidden",
    "table/match_pages.py": GATE_REASON,
    "table/table_photo.py": AT_THE_TABLE,
    "tutor/asking.py": "asks where the game stands, for rules and winds",
    "tutor/practice.py": "offers names: of nobody who is hidden",
    "tutor/table_setup.py": "asks where the game stands, for winds and walls",
    "uploads.py": "shows a hand that the gate let through",
}
"""By module. One that is not here asks the gate, as nearly every new page should."""


def _owner(node: ast.expr) -> str:
    """Return the last name of what is asked: `matches` of `box().matches.at_table(table)`."""
    if isinstance(node, ast.Call):
        node = node.func
        if isinstance(node, ast.Attribute) and node.attr == "at_table":
            return _owner(node.value)
    return (
        node.attr
        if isinstance(node, ast.Attribute)
        else node.id
        if isinstance(node, ast.Name)
        else ""
    )


def reads(module: ast.Module) -> Iterator[str]:
    """Yield what a module calls that returns names as they were written."""
    for call in (each for each in ast.walk(module) if isinstance(each, ast.Call)):
        if isinstance(call.func, ast.Name) and call.func.id in MAKERS:
            yield call.func.id
        elif isinstance(call.func, ast.Attribute):
            owner = _owner(call.func.value)
            if call.func.attr in RAW.get(owner, ()):
                yield f"{owner}.{call.func.attr}"


def test_only_modules_that_are_listed_read_names_past_the_gate() -> None:
    modules = {
        str(path.relative_to(WEB)): sorted(set(reads(ast.parse(path.read_text("utf-8")))))
        for path in WEB.rglob("*.py")
    }
    assert {name: calls for name, calls in modules.items() if calls and name not in READS} == {}
    assert {name for name in READS if not modules.get(name)} == set(), "each row is needed"


def test_who_hands_names_to_the_gate_asks_it() -> None:
    for name, why in READS.items():
        if why == GATE_REASON:
            assert "name_gate()" in (WEB / name).read_text("utf-8"), name


def test_the_search_finds_what_it_is_made_for() -> None:
    page = (
        "box().matches.at_table(table).current(); tournaments().get(x); "
        "PeopleRepository(s); box().hands.get(h)"
    )
    assert set(reads(ast.parse(page))) == {
        "matches.current", "tournaments.get", "PeopleRepository", "hands.get",
    }  # fmt: skip


STRANGER, UNSIGNED, _ = lookers(HIDDEN_NAME)

BY_LINKS_ALONE = {"begin.show", "join.show"}
"""Of the pages that may name somebody: those that do when a link has the name."""


@pytest.fixture(scope="module")
def hidden_club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedBox]:
    with box_with(gather_damaged, tmp_path_factory.mktemp("gathered") / "box") as box:
        yield box


@pytest.fixture
def crawl(hidden_club: PlayedBox) -> Crawl:
    """Return what looks for the hidden person, and for the secret that signs cookies."""
    return Crawl(hidden_club, (HIDDEN_NAME, ALIAS, ensure_phone_secret(hidden_club.store)))


def unmeant(crawl: Crawl) -> list[str]:
    return [str(each) for each in crawl.found if not each.is_meant]


@pytest.mark.slow
def test_a_stranger_is_told_of_nobody_who_is_hidden(crawl: Crawl) -> None:
    """Nor if the phone forges that it is the person's, nor if it sends forms of another match."""
    crawl.glance(UNSIGNED)
    assert unmeant(crawl) == []
    endpoints = crawl.request_count
    assert endpoints > 200, "the crawl itself works"
    named_endpoints = {each.endpoint for each in crawl.found}
    assert named_endpoints == NAMING_PAGES.keys() - BY_LINKS_ALONE, "each row is needed"
    crawl.send(STRANGER, "/table/")
    assert unmeant(crawl) == []
    assert crawl.request_count > endpoints + 200, "the crawl itself works"


@pytest.mark.slow
def test_a_stranger_at_the_table_taps_everything_and_is_told_of_nobody(tmp_path: Path) -> None:
    """No phone shows everybody a match that is over by playing on in it."""
    with box_with(gather, tmp_path / "box") as box:
        crawl = Crawl(box, (HIDDEN_NAME, ALIAS))
        crawl.send(at_table(box), "/match/")
        crawl.glance(at_table(box), ("history", "over", "table", "home", "begin", "hand"))
    assert unmeant(crawl) == []
    assert crawl.request_count > 100, "the crawl itself works"


LEAKS = {
    "match": {"history.show", "over.final", "hand.show", "at.choose"},
    "summary": {"history.every"},
    "hand": {"dispute.show", "byhand.show"},
    "tournament": {"tournament_players.show", "tournament_results.show"},
    "tournament_in_round": {"tournament_table.show"},
    "words": {"season.match"},
}
"""Pages of which the crawl says that they name somebody, when a door of the gate stands open."""


@pytest.mark.slow
def test_the_crawl_finds_a_gate_that_stands_open(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    for door in LEAKS:
        monkeypatch.setattr(NameGate, door, lambda _, names, *__: names)
    pages = {page for leaking in LEAKS.values() for page in leaking}
    crawl.glance(STRANGER, {page.partition(".")[0] for page in pages})
    endpoints = {each.endpoint for each in crawl.found if not each.is_meant}
    assert {door: pages - endpoints for door, pages in LEAKS.items() if pages - endpoints} == {}


@pytest.fixture
def two_matches(hands: HandRepository, matches: MatchRepository) -> tuple[str, str]:
    """Return a match that is over, and that which is on; Bob, of the first alone, is hidden."""
    ended_match = matches.begin(AGREED_TERMS)
    matches.change(ended_match, MatchEnded(by="Bob"))
    players = ("Ann", "Cy", "Di", "Eve")
    running_match = matches.begin(AGREED_TERMS.__class__(players, "bmja", 1000, ()))
    people = PeopleRepository(hands.store)
    people.remove(people.register().find_person("Bob"), is_hidden=True)
    return ended_match, running_match


def test_the_page_of_another_match_names_its_players_to_those_who_played(
    client: FlaskClient, two_matches: tuple[str, str]
) -> None:
    ended_match, _ = two_matches
    answer = client.post(f"/table/winner?match={ended_match}")
    assert answer.status_code == 409
    assert "Cy" in answer.text
    assert "Bob" not in answer.text


def test_who_has_the_camera_is_named_at_the_own_table_alone(
    client: FlaskClient, two_matches: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    holders = iter(("Bob", "Cy", ""))

    def take_camera() -> None:
        raise CameraTakenError(next(holders))

    monkeypatch.setattr(box_camera, "require_camera", take_camera)
    pages = [client.post("/camera/adjust").text for _ in range(3)]
    assert ["Bob" in pages[0], "Cy" in pages[1]] == [False, True]
    assert "somebody" in pages[0].casefold()
    assert "somebody" in pages[2].casefold()


def test_an_organiser_who_gave_the_pin_is_shown_all_names_and_the_board_nobodys(
    client: FlaskClient, two_matches: tuple[str, str], store: Store
) -> None:
    ended_match, _ = two_matches
    address = f"/match/{ended_match}/final"
    assert "Bob" not in client.get(address).text, "without a PIN nobody is known to be one"
    token = set_new_organiser_pin(SettingsLog(store)).organiser_token
    assert "Bob" not in client.get(address).text
    client.set_cookie(organiser.ORGANISER_COOKIE, token)
    assert "Bob" in client.get(address).text
    assert "Bob" not in client.get(f"/match/{ended_match}/score-sheet.csv").text, (
        "files are everybody's"
    )
