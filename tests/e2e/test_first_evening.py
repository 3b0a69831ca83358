"""A newcomer taps through the first evening, from "Start here" to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

from selenium.webdriver.common.by import By

from device.tutoring.first_evening import STEPS, finished_steps
from device.tutoring.progress import PracticeLog
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.exercises import make_exercise
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.player import Player, to_another_page
from tests.e2e.test_practise_hand import answer

MAX_TAPS = 130
"""Taps of the whole way, with every question of its exercises."""

ONWARD = "#main .button.primary, .choice"
"""What is tapped: the gold button, or in a quiz the first answer."""


def path_of(player: Player) -> str:
    return urlsplit(player.browser.current_url).path


def answer_step(player: Player) -> None:
    """Answer the questions of a step about a hand, and wait until they are marked."""
    url = urlsplit(player.browser.current_url)
    _, _, level, seed, _ = url.path.removeprefix("/").split("/")
    number = int(parse_qs(url.query).get("at", ["0"])[0])
    for question in make_exercise(level, int(seed), load_builtin("bmja")).steps[number].questions:
        answer(player, question)
    player.tap("#step .questions button")
    player.see("#step .marked.good")


def walk(player: Player) -> Iterator[str]:
    """Tap onward until the list of steps is back; yield each path of the evening itself.

    WebKit may for a moment still give the address of the page that was left.
    """
    for _ in range(MAX_TAPS):
        if player.browser.find_elements(By.CSS_SELECTOR, "#step .questions"):
            answer_step(player)
            continue
        url_before = player.browser.current_url
        with to_another_page(player.browser):
            player.tap(ONWARD)
        player.wait_until(lambda: player.browser.current_url != url_before, "no other page came")  # noqa: B023
        assert player.overflow() == 0, path_of(player)
        path = path_of(player)
        if path.startswith("/learn/first-evening/"):
            yield path
        if path == "/learn/first-evening/":
            return
    raise AssertionError(f"still at {player.browser.current_url}")


@in_webkit_at_length
def test_the_whole_evening_is_walked_by_tapping(player: Player, serve_with: ServeWith) -> None:
    live = serve_with(FakeReader())
    player.open(f"{live.url}/learn/")
    player.browser.keep(live.url, pupil="Ann")
    with to_another_page(player.browser):
        player.tap("#main .button.primary")
    screens = list(walk(player))
    expected = [
        f"/learn/first-evening/{step.id}/{number}"
        for step in STEPS
        for number in range(1, len(step.answers) + 1)
    ]
    assert screens == [*expected, "/learn/first-evening/"], "each question once, in order"
    assert re.search(r"Ann: 10 of 10 steps done", player.text("#main"))
    progress = PracticeLog(live.hands.store).progress("Ann")
    assert finished_steps(progress) == {step.id for step in STEPS}
    assert ("tile", "suits") in progress, "the exercises were done on the way"
    assert player.complaints() == []
