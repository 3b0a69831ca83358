"""The board by the door: it hears of results, turns its own pages, and rings when time is up."""

from __future__ import annotations

from selenium.webdriver.common.by import By

from device.club.tournament.repository import TournamentRepository
from device.store.events import ResultGiven, RoundClockSet
from tests.device.club.tournament.tournament_play import POINTS, add_tournament
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.spies import spy_records, spying

WRONG_CLOCK = """
Date.now = () => 0;
window.Date = class extends Date { constructor() { super(0); } };
const every = window.setInterval;
window.setInterval = (what, ms) => every(what, Math.min(ms, 1000));
"""
"""What a tablet has whose clock nobody ever set; and nobody waits nine seconds for a page."""


@in_webkit_at_length
def test_the_board_shows_the_room_and_rings_when_time_is_up(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    tournaments = TournamentRepository(live.hands.store)
    tournament_id = add_tournament(tournaments, players=tuple(f"Player {n}" for n in range(80)))
    tournaments.draw(tournament_id, 1)
    tournaments.change(tournament_id, RoundClockSet(1, 3600))
    tablet = player.browser
    with spying(tablet, extra_script=WRONG_CLOCK):
        player.open(f"{live.url}/club/board/")
        tablet.resize(1024, 500)
        player.wait_until(lambda: player.text(".clock").startswith("59:5"), "it counts down")
        names = player.text("[data-leaf=seats] li b")
        player.wait_until(
            lambda: player.text("[data-leaf=seats] li:not(.beyond) b") != names, "a page is turned"
        )
        tournaments.change(tournament_id, ResultGiven(1, 1, POINTS))
        player.see("[data-leaf=standing] .place-line")  # news of another phone
        player.tap("#sound")
        player.see("#sound[aria-pressed=true]")
        assert not tablet.find_elements(By.CSS_SELECTOR, "body.ringing")
        before = len(spy_records(tablet, "tone"))
        tournaments.change(tournament_id, RoundClockSet(1, 2))
        player.see("body.ringing")
        assert len(spy_records(tablet, "tone")) > before, "with the sound that somebody tapped for"
        player.see(".time-up")
    tablet.resize()
