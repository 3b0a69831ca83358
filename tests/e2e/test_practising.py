"""Somebody practises on a phone, and finds the progress again on another."""

from __future__ import annotations

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from device.tutoring.progress import PracticeLog
from scorer.teach.practice.tile_questions import QUESTIONS_PER_ROUND
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player


def name_oneself(player: Player, name: str) -> None:
    player.see("input[name=name]").send_keys(name)
    player.tap(".who form.stack .primary")
    player.reads(".who > .sentence", f"{name} practises.")


FIRST_TAPPED = QUESTIONS_PER_ROUND - 1
"""The first question that is tapped: the address holds the answers to those before."""


def practise(player: Player, exercise: str, level: str) -> str:
    """Begin a round, and play its end by always choosing the first answer; return the verdict."""
    player.tap(f"a.level[href='/practise/{exercise}/{level}/']")
    comes_to(player, 1)
    address = player.browser.current_url.removesuffix("/1")
    player.open(f"{address}/{FIRST_TAPPED}?said={'0' * (FIRST_TAPPED - 1)}")
    for number in range(FIRST_TAPPED, QUESTIONS_PER_ROUND + 1):
        comes_to(player, number)
        player.tap(".choice")
        verdict = player.see(".verdict")
        assert player.browser.switch_to.active_element == verdict, "it is read out"
        player.tap(".onward")
    player.wait_until(lambda: "right" in player.text("h1"), "the round has no end")
    return player.text("h1")


def comes_to(player: Player, number: int) -> None:
    def is_there() -> bool:
        return player.browser.current_url.partition("?")[0].endswith(f"/{number}")

    player.wait_until(is_there, f"question {number} never came")


def test_a_round_is_kept_under_the_name(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    player.open(f"{live.url}/practise/")
    player.browser.delete_all_cookies()
    player.open(f"{live.url}/practise/")
    name_oneself(player, "Ann")
    verdict = practise(player, "tile", "honours")
    player.browser.refresh()
    player.reads("h1", verdict)
    ((key, standing),) = PracticeLog(live.hands.store).progress("Ann").items()
    assert (key, standing.times) == (("tile", "honours"), 1)
    assert verdict == f"{standing.right} of {QUESTIONS_PER_ROUND} right"
    player.browser.delete_all_cookies()  # another phone
    player.open(f"{live.url}/practise/")
    player.tap(".names button[value=Ann]")
    player.reads("a.level[href='/practise/tile/honours/'] .standing", verdict)
    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}


def test_a_question_fits_the_phone_and_is_answered_by_keyboard(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    for path in ("/practise/set/both/5/1", "/practise/tile/suits/5/1"):
        player.open(live.url + path)
        answers = player.browser.find_elements(By.CSS_SELECTOR, ".choice")
        assert len(answers) == 4
        assert all(each.size["height"] >= 48 for each in answers)
        assert all(each.rect["y"] + each.rect["height"] <= 844 for each in answers), path
        assert player.overflow() <= 0, path
    assert player.see(".shown .tile").size["width"] >= 120
    player.see(".choice").send_keys(Keys.ENTER)
    switch = player.browser.switch_to
    player.wait_until(
        lambda: player.see(".verdict") == switch.active_element, "the answer has no focus"
    )
    player.see("a.onward").send_keys(Keys.ENTER)
    comes_to(player, 2)
