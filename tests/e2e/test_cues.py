"""What a phone at the table does besides: a sound, a buzz, a screen that stays on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.spies import spy_records, spying
from tests.e2e.tour import begin, other_phone

ANN = "#who button[name=number][value='0']"

READ = ["tone 880", "buzz 60"]
AGREED_CUES = ["tone 659", "tone 880", "tone 1109", "buzz 60,80,60"]


@pytest.fixture
def live(serve_with: ServeWith) -> LiveServer:
    live = serve_with(FakeReader())
    begin(live.url)
    return live


def noises(player: Player) -> list[str]:
    return [*spy_records(player.browser, "tone"), *spy_records(player.browser, "buzz")]


def all_but_one_agree(live: LiveServer) -> None:
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    for number in range(3):
        other_phone(live.url, f"/table/hand/{number}/score", score="32")


def last_one_agrees(player: Player, live: LiveServer) -> None:
    """Let another phone give the last hand in, and wait until this one shows it."""
    other_phone(live.url, "/table/hand/3/score", score="32")
    player.reads("#bar", "Who pays whom")


@pytest.mark.parametrize(
    ("audio", "cues"),
    [
        ("running", AGREED_CUES),
        (
            "suspended",
            AGREED_CUES[-1:],
        ),  # the browser lets the page make no sound: none is kept for later
    ],
)
def test_everybody_agreed_is_heard_and_felt(
    player: Player, live: LiveServer, audio: str, cues: list[str]
) -> None:
    with spying(player.browser, audio):
        player.open(f"{live.url}/table/")
        player.tap(ANN)
        all_but_one_agree(live)
        player.open(f"{live.url}/table/")
        player.tap(".felt .middle")  # nothing is there: any tap will do
        last_one_agrees(player, live)
        player.wait_until(lambda: noises(player) == cues, f"not {cues}")
    assert player.complaints() == []


def test_before_the_first_tap_nothing_makes_a_noise(player: Player, live: LiveServer) -> None:
    all_but_one_agree(live)
    with spying(player.browser):
        player.open(f"{live.url}/table/")
        player.browser.execute_script("sessionStorage.clear()")
        last_one_agrees(player, live)
        assert [*noises(player), *spy_records(player.browser, "audio")] == []


def _look(player: Player) -> str:
    """Return what the phone chose for itself, as its cookie has it."""
    cookie = player.browser.get_cookie("look")
    return str(cookie["value"]) if cookie else ""


def test_who_wants_no_sound_has_none(player: Player, live: LiveServer) -> None:
    all_but_one_agree(live)
    with spying(player.browser):
        player.open(f"{live.url}/phone/")
        player.tap('label:has([name="sounds"][value="off"])')
        player.see('[name="sounds"][value="off"][checked]+span')  # in the answer
        assert "sounds=off" in _look(player), "the choice was not kept"
        player.open(f"{live.url}/table/")
        player.tap(".felt .middle")
        last_one_agrees(player, live)
        assert noises(player) == []


def test_a_hand_that_has_been_read_is_heard_once(
    player: Player, live: LiveServer, photo: Path
) -> None:
    with spying(player.browser):
        player.open(f"{live.url}/table/hand/0")
        player.tap("h1")
        player.choose_photo(photo)
        player.see("#score .total")
        player.wait_until(lambda: noises(player) == READ, "it is not heard")
        player.tap(".strip-exposed .small-tile")
        player.tap('#sheet [name="row"][value="concealed"]')
        player.wait_until(lambda: "was" in player.text("#score"), "the hand did not change")
        assert noises(player) == READ


def test_without_any_of_it_the_page_goes_on(player: Player, live: LiveServer) -> None:
    """As it is over plain HTTP, and in browsers that have none of these."""
    removal_script = """
    for (const name of ["vibrate", "wakeLock"]) delete Navigator.prototype[name];
    for (const name of ["AudioContext", "speechSynthesis"]) delete window[name];
    Object.defineProperty(window, "sessionStorage", {get() { throw new Error("kept from it"); }});
    """
    all_but_one_agree(live)
    with spying(player.browser, extra_script="delete navigator.vibrate;" + removal_script):
        player.open(f"{live.url}/table/")
        player.tap(".felt .middle")
        last_one_agrees(player, live)
    assert player.complaints() == []


WAKE_LOCKS = {
    "/table/": ["awake screen"],
    "/table/hand/0": ["awake screen"],
    "/table/winner": ["awake screen"],
    "/single/": [],  # a match is on, but this page waits for nothing
}
"""What keeps the screen on, by page."""


def test_the_screen_stays_on_where_the_table_waits(player: Player, live: LiveServer) -> None:
    with spying(player.browser):
        for path, locks in WAKE_LOCKS.items():
            player.open(live.url + path)
            is_kept = partial(lambda due: spy_records(player.browser, "awake") == due, locks)
            player.wait_until(is_kept, f"{path}: not {locks}")


def test_a_screen_that_comes_back_is_kept_on_again(player: Player, live: LiveServer) -> None:
    """A browser lets the lock go by itself when its page is hidden."""
    hide_script = """
    const kept = navigator.wakeLock.request;
    navigator.wakeLock.request = async (kind) => window.lock = await kept(kind);
    """
    with spying(player.browser, extra_script=hide_script):
        player.open(f"{live.url}/table/")
        player.wait_until(
            lambda: len(spy_records(player.browser, "awake")) == 1, "it is not kept on"
        )
        player.browser.execute_script(
            "document.dispatchEvent(new Event('visibilitychange')); window.lock.released = true;"
        )
        assert len(spy_records(player.browser, "awake")) == 1, "not asked for twice"
        player.browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        player.wait_until(
            lambda: len(spy_records(player.browser, "awake")) == 2, "it is not kept on again"
        )


def test_a_browser_that_refuses_to_keep_it_on_is_not_complained_of(
    player: Player, live: LiveServer
) -> None:
    refuses = "navigator.wakeLock.request = async () => { throw new Error('low battery'); };"
    with spying(player.browser, extra_script=refuses):
        player.open(f"{live.url}/table/")
        player.see("#table")
    assert player.complaints() == []


def test_a_phone_that_tapped_on_the_page_before_is_heard_too(
    player: Player, live: LiveServer
) -> None:
    """Chromium's own sound: who waits at the table after a hand has touched nothing there."""
    notes = """
    window.states = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.states.push(this.context.state);
      return start.apply(this, when);
    };
    """
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    for number in (1, 2):
        other_phone(live.url, f"/table/hand/{number}/score", score="32")
    with player.browser.before_each_page(notes):
        player.open(f"{live.url}/table/")
        player.tap(ANN)
        player.tap("#bar .primary")
        player.tap("details:has([name=score]) summary")
        player.tap("button[name=score][value='0']")
        player.reads("h1", "Di's hand")  # no phone is Di's
        player.tap("header.top .button")
        last_one_agrees(player, live)
        states_script = "return window.states"
        player.wait_until(
            lambda: player.browser.execute_script(states_script) == ["running"] * 3, "not heard"
        )
    assert player.complaints() == []
