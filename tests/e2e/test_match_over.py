"""The end of a match on a real phone: to the final table by itself, and back to the game."""

from __future__ import annotations

from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import begin, post, upload, wait_until_read


def _match(box: LiveServer) -> str:
    match = MatchRepository(box.hands.store).find_newest()
    assert match
    return match.id


def _play_match(box: LiveServer) -> str:
    """Begin a match, and score a deal as far as the winner's hand; return the hand's id."""
    begin(box.url)
    post(box, "/table/winner", who="2", won_by="wall")
    hand = upload(box, "/table/hand/2", picture(lay())).rstrip("/").rpartition("/")[2]
    wait_until_read(box.hands, hand)
    return hand


def test_it_is_asked_ended_and_gone_on_with(player: Player, serve_with: ServeWith) -> None:
    box = serve_with(FakeReader())
    _play_match(box)
    player.open(f"{box.url}/table/")
    player.browser.delete_all_cookies()
    player.tap("details.card summary")
    player.tap('a[href="/table/end"]')
    player.reads("h1", "End the match?")
    player.tap('form[action^="/table/end"] button')
    player.reads("h1", "No deal was scored.")
    player.tap('form[action$="/resume"] button')
    player.reads(".ending b", "Cy went out: from the wall")
    assert player.complaints() == []


LISTENS = "return performance.getEntriesByType('resource').some(e => /news/.test(e.name))"


def test_every_phone_gets_to_the_final_table_and_back_by_itself(
    player: Player, serve_with: ServeWith
) -> None:
    box = serve_with(FakeReader())
    hand = f"/hand/{_play_match(box)}"
    match = f"/match/{_match(box)}"
    table = ("/table/", "/table/winner?who=1", "/table/hand/3", "/table/charge/")
    for path in (*table, f"{hand}/", f"{hand}/dispute", f"{match}/"):
        player.open(box.url + path)
        player.see("#away[hidden], main > *")
        player.wait_until(
            lambda: bool(player.browser.execute_script(LISTENS)), f"{path} does not listen"
        )
        post(box, "/table/end")
        player.see("#final")
        assert player.browser.current_url.endswith(f"{match}/final"), path
        post(box, f"{match}/resume")
        player.see("#table")
        assert player.browser.current_url.endswith("/table/"), path
        assert player.complaints() == []


ENDS_BEFORE_LISTENING = """
const Listening = window.EventSource;
window.EventSource = class extends Listening {
  constructor(address) {
    if (location.pathname === "/table/") {
      const other = new XMLHttpRequest();
      other.open("POST", "/table/end", false);
      other.send();
    }
    super(address);
  }
};
"""
"""Another phone's tap after the page is drawn, and before it listens."""


def test_what_happens_before_a_page_listens_is_heard_too(
    player: Player, serve_with: ServeWith
) -> None:
    box = serve_with(FakeReader())
    _play_match(box)
    match = _match(box)
    with player.browser.before_each_page(ENDS_BEFORE_LISTENING):
        player.open(f"{box.url}/table/")
        player.see("#final")
    assert player.browser.current_url.endswith(f"/match/{match}/final")
