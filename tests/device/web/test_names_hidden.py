"""Nobody who wishes to be hidden is named to a stranger, whatever is asked for and however.

`tests.prove.hidden` follows all links, too, of boxes in more states.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from device.cameras.shutter import CameraTakenError
from device.club.people import PeopleRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.settings.access import ensure_phone_secret, set_new_organiser_pin
from device.settings.settings import SettingsLog
from device.store import Store
from device.store.events import MatchEnded
from device.web import box_camera
from device.web.club import organiser
from device.web.name_gate import NameGate
from tests.device.played import AGREED
from tests.device.walking.boxes import Played, box_with
from tests.device.walking.gathering import ALIAS, HIDDEN, gather_damaged
from tests.device.walking.names import NAMING_PAGES, Crawl, lookers

STRANGER, UNSIGNED, _ = lookers(HIDDEN)

BY_LINKS_ALONE = {"begin.show", "join.show"}
"""Of the pages that may name somebody: those that do when a link has the name."""


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with box_with(gather_damaged, tmp_path_factory.mktemp("gathered") / "box") as box:
        yield box


@pytest.fixture
def crawl(gathered: Played) -> Crawl:
    """Return what looks for the hidden person, and for the secret that signs cookies."""
    return Crawl(gathered, (HIDDEN, ALIAS, ensure_phone_secret(gathered.store)))


def unmeant(crawl: Crawl) -> list[str]:
    return [str(each) for each in crawl.found if not each.is_meant]


@pytest.mark.slow
def test_a_stranger_is_told_of_nobody_who_is_hidden(crawl: Crawl) -> None:
    """Nor if the phone forges that it is the person's."""
    crawl.glance(UNSIGNED)
    assert unmeant(crawl) == []
    assert crawl.asked > 200, "the crawl itself works"
    named = {each.endpoint for each in crawl.found}
    assert named == NAMING_PAGES.keys() - BY_LINKS_ALONE, "each row is needed"


@pytest.mark.slow
def test_what_a_crafted_match_is_answered_tells_of_nobody(crawl: Crawl) -> None:
    """It says that a page was of another match, and whose that was."""
    crawl.send(STRANGER, "/table/")
    assert unmeant(crawl) == []
    assert crawl.asked > 200, "the crawl itself works"


LEAKS = {
    "match": {"history.show", "over.final", "over.seats_anew", "hand.show", "at.choose"},
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
    crawl.glance(STRANGER)
    found = {each.endpoint for each in crawl.found if not each.is_meant}
    assert {door: pages - found for door, pages in LEAKS.items() if pages - found} == {}


@pytest.fixture
def two_matches(hands: HandRepository) -> tuple[str, str]:
    """Return a match that is over, and that which is on; Bob, of the first alone, is hidden."""
    matches = MatchRepository(hands.store)
    over = matches.begin(AGREED)
    matches.change(over, MatchEnded(by="Bob"))
    players = ("Ann", "Cy", "Di", "Eve")
    on = matches.begin(AGREED.__class__(players, "bmja", 1000, ()))
    people = PeopleRepository(hands.store)
    people.remove(people.register().find_person("Bob"), hidden=True)
    return over, on


def test_the_page_of_another_match_names_its_players_to_those_who_played(
    client: FlaskClient, two_matches: tuple[str, str]
) -> None:
    over, _ = two_matches
    answer = client.post(f"/table/winner?match={over}")
    assert answer.status_code == 409
    assert "Cy" in answer.text
    assert "Bob" not in answer.text


def test_who_has_the_camera_is_named_at_the_own_table_alone(
    client: FlaskClient, two_matches: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    who = iter(("Bob", "Cy", ""))

    def taken() -> None:
        raise CameraTakenError(next(who))

    monkeypatch.setattr(box_camera, "require_camera", taken)
    pages = [client.post("/camera/adjust").text for _ in range(3)]
    assert ["Bob" in pages[0], "Cy" in pages[1]] == [False, True]
    assert "somebody" in pages[0].casefold()
    assert "somebody" in pages[2].casefold()


def test_an_organiser_who_gave_the_pin_is_shown_all_names_and_the_board_nobodys(
    client: FlaskClient, two_matches: tuple[str, str], store: Store
) -> None:
    over, _ = two_matches
    asked = f"/match/{over}/final"
    assert "Bob" not in client.get(asked).text, "without a PIN nobody is known to be one"
    token = set_new_organiser_pin(SettingsLog(store)).organiser_token
    assert "Bob" not in client.get(asked).text
    client.set_cookie(organiser.ORGANISER_COOKIE, token)
    assert "Bob" in client.get(asked).text
    assert "Bob" not in client.get(f"/match/{over}/score-sheet.csv").text, "files are everybody's"
