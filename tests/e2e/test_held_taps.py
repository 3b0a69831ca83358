"""What is tapped while the box is away is kept on the phone, and carried out once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.store.events import ChargeMade, ContextSet, PhotoTaken, TileCorrected
from device.web.taps import TapLog
from scorer.rulesets.custom import stamp
from scorer.rulesets.files import load_builtin_text
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import MAX_WAIT_S, in_webkit_at_length
from tests.e2e.outage import Cut, Delay, Outage, outage
from tests.e2e.player import Player
from tests.e2e.tour import begin, other_phone, upload, wait_until_read

BOX_AWAY, ANSWER_LOST = "it was away before the tap", "its answer was lost"
FORGOT = "its answer was lost, and the box was restarted"


def _lose_answer(network: Outage) -> None:
    network.cut = Cut.NO_ANSWER


OUTAGES: dict[str, Callable[[Outage], None]] = {
    BOX_AWAY: Outage.fail,
    ANSWER_LOST: _lose_answer,
    FORGOT: _lose_answer,
}

CHOOSE_FILE = """
const [selector, text] = arguments;
const files = new DataTransfer();
files.items.add(new File([text], "ours.toml"));
document.querySelector(selector).files = files.files;
"""


IS_ANSWERED = """
const page = location.origin + "/table/hand/1?deal=1";
return performance.getEntriesByName(page, "resource").length;
"""
PAGE_IN_A_MOMENT = """
const done = arguments[0];
setTimeout(() => done(document.body.dataset.page), 300);
"""
"""A page shows an answer in the task that reads it."""


@pytest.fixture
def live(serve_with: ServeWith) -> LiveServer:
    return serve_with(FakeReader())


@pytest.fixture
def network(live: LiveServer) -> Iterator[Outage]:
    with outage(live.url) as network:
        yield network


def _hold(
    player: Player, live: LiveServer, network: Outage, cause: str, tap: Callable[[], None]
) -> None:
    """Tap while the box goes away, see that the page says so, and let the box come back."""
    OUTAGES[cause](network)
    tap()
    player.wait_until(lambda: "saved on this phone" in player.text("#held"), "nothing is said")
    if cause == FORGOT:
        live.app.extensions["taps"] = TapLog()
    network.is_away = False
    if cause == FORGOT:
        player.wait_until(
            lambda: "how things are now" in player.text("#unsure"), "it is not said to be unsure"
        )


@pytest.mark.parametrize(
    ("engine", "cause"),
    [
        ("chromium", BOX_AWAY),
        ("webkit", FORGOT),
        pytest.param("chromium", ANSWER_LOST, marks=pytest.mark.prove),
        pytest.param("webkit", ANSWER_LOST, marks=pytest.mark.prove),
        pytest.param("chromium", FORGOT, marks=pytest.mark.prove),
        pytest.param("webkit", BOX_AWAY, marks=pytest.mark.prove),
    ],
    indirect=["engine"],
)
def test_every_kind_of_tap_is_carried_out_once(
    player: Player, live: LiveServer, network: Outage, cause: str, tmp_path: Path
) -> None:
    store = live.hands.store
    begin(live.url)
    other_phone(live.url, "/table/winner", who="2", won_by="discard")
    hand = upload(live, "/table/hand/2", picture(lay())).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)

    # A form that is sent in the background: a tile of the hand.
    player.open(f"{network.url}/hand/{hand}/")
    player.tap('.small-tile[data-tile="7"]')
    player.see("#sheet .alternatives .pick")
    _hold(player, live, network, cause, lambda: player.tap('#sheet .alternatives [value="B4"]'))
    player.see('.small-tile.changed[data-tile="7"]')

    # A form that leads to another page: a charge, which would be paid twice.
    player.open(f"{network.url}/table/charge/amounts?payer=1")
    player.see("main form .primary")
    player.browser.execute_script(
        "document.querySelector('[name=amount0]').value = 50;"
        "document.querySelector('[name=why]').value = 'coffee';"
    )
    _hold(player, live, network, cause, lambda: player.tap("main form .primary"))
    player.wait_until(lambda: len(store.of_kinds(ChargeMade)) > 0, "the charge was lost")
    if cause != FORGOT:
        player.see(".history")

    # A photograph.
    photo = tmp_path / "other.jpg"
    photo.write_bytes(picture(lay(sideways=2)))
    player.open(f"{network.url}/table/hand/1")
    player.see("input[type=file][capture], form[data-upload]")
    _hold(player, live, network, cause, lambda: player.choose_photo(photo))
    player.wait_until(lambda: len(store.of_kinds(PhotoTaken)) > 1, "the photograph was lost")
    if cause != FORGOT:
        player.see("#score")

    # An answer that is sent as it is given, and a link.
    assert len(store.of_kinds(PhotoTaken)) == 2
    single = upload(live, "/hands", picture(lay())).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, single)
    player.open(f"{network.url}/hand/{single}/")
    _hold(player, live, network, cause, lambda: player.choose('#bar select[name="seat_wind"]', "S"))
    player.wait_until(
        lambda: "South" in player.text("#bar .circumstances label:not(.assumed)"), "lost"
    )
    assert [len(store.of_kinds(kind)) for kind in (TileCorrected, ChargeMade, ContextSet)] == [
        1
    ] * 3
    _hold(player, live, network, BOX_AWAY, lambda: player.tap("header.top .brand"))
    player.see(".felt")

    # A choice for this phone.
    player.open(f"{network.url}/phone/")
    big = '[name="text"][value="big"]'
    _hold(player, live, network, BOX_AWAY, lambda: player.tap(f"label:has({big})"))
    player.see(f'html[data-text="big"] {big}[checked]+span')


@in_webkit_at_length
def test_a_late_answer_for_the_page_before_does_not_replace_the_photograph_s_page(
    player: Player, live: LiveServer, network: Outage, tmp_path: Path
) -> None:
    """News of the photograph itself asks for the page before, as long as that is open."""
    begin(live.url)
    photo = tmp_path / "hand.jpg"
    photo.write_bytes(picture(lay()))
    player.open(f"{network.url}/table/hand/1")
    player.see("form[data-upload]")
    before, after = Delay(b"/table/hand/1?deal=1 "), Delay(b"/hand/")
    network.delays += [before, after]
    player.choose_photo(photo)
    assert all(page.arrived.wait(MAX_WAIT_S) for page in (before, after))
    after.over.set()
    player.see("#score")
    before.over.set()
    player.wait_until(lambda: bool(player.browser.execute_script(IS_ANSWERED)), "no answer came")
    assert player.browser.execute_async_script(PAGE_IN_A_MOMENT) == "hand"


def test_what_never_arrives_is_left_to_the_browser_whole(
    player: Player, live: LiveServer, network: Outage
) -> None:
    """Its own page says best what is wrong. Should it get through, it is what was tapped."""
    begin(live.url)
    player.open(f"{network.url}/table/winner?who=2")
    network.cuts_scripts = True
    player.tap("[name=won_by][value=wall]")
    player.wait_until(
        lambda: "/table/hand/2" in player.browser.current_url, "how it was won is lost"
    )
    player.open(f"{network.url}/single/")
    player.tap('form[action="/enter"] button')
    network.cuts_scripts = False
    player.tap('#keys .key[value="B2"]')
    player.wait_until(lambda: "3 of 13" in player.text("#laid"), "the set did not come")
    network.cuts_scripts = True
    player.tap("#laid .laid")
    player.wait_until(lambda: "0 of 13" in player.text("#laid"), "the set stayed")
    bring = "form[action='/settings/rules/bring']"
    player.open(f"{network.url}/settings/rules/")
    rules_text = stamp(load_builtin_text("bmja"), title="Ours", author="Ann", version=1)
    player.browser.execute_script(CHOOSE_FILE, f"{bring} [type=file]", rules_text)
    player.browser.execute_script("document.querySelector(arguments[0]).requestSubmit()", bring)
    player.wait_until(lambda: "ours-" in player.browser.current_url, "the file did not come")
