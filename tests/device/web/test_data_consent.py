"""The one question about giving pictures away: off by default, answered on the page, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.access import set_new_organiser_pin
from device.club.people import PeopleRepository
from device.giving.consent import GivingLog
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.settings import SettingsLog
from device.store import Store
from device.store.events import PictureSharingAnswered
from tests.device.command import output_of, refusal_of
from tests.device.match_play import AGREED_TERMS, PLAYERS
from tests.device.page import Page, get_page

QUESTION = "May we share pictures of your tiles"
CONSENT_SENTENCE = "You agreed: pictures of your tiles may be shared."
REFUSAL_SENTENCE = "You said no: nothing is shared."


def page(client: FlaskClient) -> str:
    return Page(client.get("/giving/").text).text


def export_words(store: Store, folder: Path) -> list[str]:
    return ["export", "--dataset", str(folder), "--licence", "cc0", "--data", str(store.folder)]


def test_it_is_a_line_of_the_settings_and_nowhere_else(client: FlaskClient, read_hand: str) -> None:
    assert "/giving/" in get_page(client, "/settings/box/").links()
    client.post(f"/hand/{read_hand}/right")
    for path in ("/", "/match/new", f"/hand/{read_hand}/", "/sets/"):
        assert "/giving/" not in client.get(path, follow_redirects=True).text, path


@pytest.mark.parametrize(
    ("answers", "expected_sentence", "events"),
    [
        ((), QUESTION, 0),
        (("yes",), CONSENT_SENTENCE, 1),
        (("yes", "no"), REFUSAL_SENTENCE, 2),
        (("yes", "yes"), CONSENT_SENTENCE, 1),  # two phones at once
    ],
)
def test_the_page_shows_what_was_answered(
    client: FlaskClient, store: Store, answers: tuple[str, ...], expected_sentence: str, events: int
) -> None:
    for answer in answers:
        response = client.post("/giving/", data={"give": answer})
        assert (response.status_code, response.headers["Location"]) == (303, "/giving/")
    shown_text = page(client)
    assert [
        each for each in (QUESTION, CONSENT_SENTENCE, REFUSAL_SENTENCE) if each in shown_text
    ] == [expected_sentence]
    assert store.tally().get(PictureSharingAnswered.kind, 0) == events


def test_what_no_page_sends_is_refused_and_changes_nothing(
    client: FlaskClient, hands: HandRepository, matches: MatchRepository
) -> None:
    matches.begin(AGREED_TERMS)
    odd: tuple[tuple[str, dict[str, str]], ...] = (
        ("/giving/", {}),
        ("/giving/", {"give": "perhaps"}),
        ("/giving/player", {"name": "Ann", "keep": "perhaps"}),
        ("/giving/player", {"name": "Ann"}),
        ("/giving/player", {"name": "Nobody", "keep": "yes"}),
        ("/giving/player", {"keep": "yes"}),
    )
    for path, data in odd:
        assert client.post(path, data=data).status_code == 400
    assert GivingLog(hands.store).read().latest_answer is None
    assert GivingLog(hands.store).read().kept_out == {}


def test_players_keep_theirs_on_the_page(
    client: FlaskClient, hands: HandRepository, matches: MatchRepository
) -> None:
    matches.begin(AGREED_TERMS)
    assert "Whose hands stay here" not in page(client), "nothing is given yet"
    client.post("/giving/", data={"give": "yes"})
    shown_text = page(client)
    assert all(f"Keep {name}’s hands here" in shown_text for name in PLAYERS)
    client.post("/giving/player", data={"name": "Bob", "keep": "yes"})
    shown_text = page(client)
    assert "Share Bob’s hands after all" in shown_text
    assert "Keep Bob’s hands here" not in shown_text
    client.post("/giving/", data={"give": "no"})
    assert "Share Bob’s hands after all" in page(client), "who keeps theirs is shown in any case"
    client.post("/giving/player", data={"name": "Bob", "keep": "no"})
    assert "Bob" not in page(client)


def test_with_an_organisers_pin_only_keeping_out_needs_none(
    client: FlaskClient, hands: HandRepository, matches: MatchRepository
) -> None:
    matches.begin(AGREED_TERMS)
    client.post("/giving/", data={"give": "yes"})
    set_new_organiser_pin(SettingsLog(hands.store))
    assert client.post("/giving/", data={"give": "no"}).status_code == 403
    assert client.post("/giving/player", data={"name": "Bob", "keep": "yes"}).status_code == 303
    assert client.post("/giving/player", data={"name": "Bob", "keep": "no"}).status_code == 403
    consent = GivingLog(hands.store).read()
    assert (consent.latest_answer is not None, list(consent.kept_out.values())) == (True, ["Bob"])


def test_people_of_the_club_are_shown_once(
    client: FlaskClient, hands: HandRepository, matches: MatchRepository
) -> None:
    matches.begin(AGREED_TERMS)
    people = PeopleRepository(hands.store)
    people.merge(people.register().find_person("Ann"), people.add("Annie"))
    people.remove(people.add("Zoe"), is_hidden=True)
    client.post("/giving/", data={"give": "yes"})
    shown_text = page(client)
    assert "Keep Annie’s hands here" in shown_text
    assert "Keep Ann’s hands here" not in shown_text
    assert "Zoe" not in shown_text, "who is not to be shown is not"
    client.post("/giving/player", data={"name": "Annie", "keep": "yes"})
    people.rename(people.register().find_person("Annie"), "Anna")
    assert "Share Anna’s hands after all" in page(client)
    client.post("/giving/player", data={"name": "Anna", "keep": "no"})
    assert GivingLog(hands.store).read().kept_out == {}


def test_a_player_called_like_a_word_keeps_the_name(
    client: FlaskClient, matches: MatchRepository
) -> None:
    matches.begin(replace(AGREED_TERMS, players=("West", "East", "Purity", "Chow")))
    client.post("/giving/", data={"give": "yes"})
    client.post("/phone/", data={"language": "fr"})
    assert "West : laisser les mains ici" in page(client)


def test_from_the_page_to_the_folder(
    client: FlaskClient, store: Store, read_hand: str, tmp_path: Path
) -> None:
    error = refusal_of(*export_words(store, tmp_path / "before"))
    assert "under Settings, “Share pictures of tiles”" in error
    client.post("/giving/", data={"give": "yes"})
    client.post(f"/hand/{read_hand}/right")
    output_of(*export_words(store, tmp_path / "given"))
    assert len(list(tmp_path.glob("given/images/*.jpg"))) == 1
    client.post("/giving/", data={"give": "no"})
    refusal_of(*export_words(store, tmp_path / "after"))
    assert not (tmp_path / "after").exists()
