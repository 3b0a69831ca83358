"""What two phones do at one seat: both are told, and both are asked."""

from __future__ import annotations

from pathlib import Path

from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.match_play import settle
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import begin, other_phone, upload

OTHER: tuple[Group, ...] = (("concealed", "C1 C2 C3 C4 C5 C6 O1 O2 O3 WS WS DW DG"),)


def test_a_phone_at_the_seat_is_told_of_another_and_both_are_asked(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    live = serve_with(FakeReader())
    url = live.url
    begin(url)
    other_phone(url, "/table/winner", who="2", won_by="wall")
    player.open(f"{url}/table/hand/1")
    upload(live, "/table/hand/1", picture(lay()))
    player.wait_until(lambda: "This hand is entered" in player.text("#given"), "it is not told")
    photo = tmp_path / "mine.jpg"
    photo.write_bytes(picture(lay(OTHER), "#7a1f2b"))
    player.choose_photo(photo)
    player.reads("h1", "Which one is Bob's hand?")
    player.wait_until(lambda: player.text("#which").count("Score:") == 2, "both are read and shown")
    player.tap("#which .may-count:last-of-type .primary")
    player.reads(".whose h1", "Bob")
    assert player.complaints() == []


def test_a_photo_from_a_page_whose_deal_is_over_is_offered_for_the_next(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    live = serve_with(FakeReader())
    begin(live.url)
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    player.open(f"{live.url}/table/hand/1")
    matches = MatchRepository(live.hands.store)
    match = matches.current()
    assert match
    settle(matches, match.id, "Cy")
    player.reads("#given", "This page is of another deal.\nGo to deal 2")
    photo = tmp_path / "late.jpg"
    photo.write_bytes(picture(lay()))
    player.choose_photo(photo)
    player.see(".names button[name=hand]")
    assert not matches.get(match.id).deal.hands
    assert player.overflow() == 0
    player.tap("form[action*='/table/hand/1/which/'] button")
    player.reads(".whose h1", "Bob")
    assert matches.get(match.id).deal.given_hand("Bob").hand
    assert player.complaints() == []
