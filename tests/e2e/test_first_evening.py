"""A newcomer taps through the first evening, from "Start here" to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.by import By

from device.tutoring.first_evening import finished_steps
from device.tutoring.progress import PracticeLog
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.exercises import make_exercise
from scorer.teach.practice.questions import Question
from tests.device.fake_reader import FakeReader
from tests.device.web.tutor.test_first_evening import EVENING_PATH, MAX_TAPS, ONWARD, SCREENS
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import in_both_engines
from tests.e2e.player import Player, to_another_page

SMALL = """
const taps = "a.button, button, .segments span, .switch, input:not([type=radio], [type=checkbox])";
return [...document.querySelectorAll("#step " + taps.replaceAll(", ", ", #step "))]
  .filter((e) => e.offsetParent).map((e) => {
    const box = e.getBoundingClientRect();
    return [e.textContent.trim(), Math.round(box.width), Math.round(box.height)];
  }).filter(([, width, height]) => width < 48 || height < 48);
"""


def begin(player: Player, serve_with: ServeWith) -> LiveServer:
    """Tap "Start here", and give the name that the evening asks for before its first question."""
    live = serve_with(FakeReader())
    player.open(f"{live.url}/learn/")
    with to_another_page(player.browser):
        player.tap("#main .button.primary")
    assert not player.browser.find_elements(By.CSS_SELECTOR, ".sections a"), "asked first"
    player.see("input[name=name]").send_keys("Ann")
    with to_another_page(player.browser):
        player.tap("#main .button.primary")
    player.wait_until(lambda: path_of(player) == SCREENS[0], "the first question did not come")
    return live


def path_of(player: Player) -> str:
    return urlsplit(player.browser.current_url).path


def answer(player: Player, question: Question) -> None:
    """Answer as a player does: a tap, or a number typed."""
    if question.form == "tick":
        if question.expected:
            player.tap(f'.tick-line:has([name="{question.name}"])')
    elif question.form == "number":
        player.see(f'[name="{question.name}"]').send_keys(str(question.expected))
    else:
        value = f'[name="{question.name}"][value="{question.expected}"]'
        player.tap(f".segments label:has({value})")


def answer_step(player: Player) -> None:
    """Answer the questions of a step about a hand, which are large enough, and are marked right."""
    url = urlsplit(player.browser.current_url)
    _, _, level, seed, _ = url.path.removeprefix("/").split("/")
    number = int(parse_qs(url.query).get("at", ["0"])[0])
    assert player.browser.execute_script(SMALL) == [], "asked"
    for question in make_exercise(level, int(seed), load_builtin("bmja")).steps[number].questions:
        answer(player, question)
    player.tap("#step .questions button")
    player.see("#step .marked.good")
    assert player.browser.execute_script(SMALL) == [], "marked"
    assert "Not right" not in player.text("#step .marks")


def walk(player: Player, end: str = EVENING_PATH) -> Iterator[str]:
    """Tap onward until a screen is open, or the list is back; yield each path of the evening.

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
        if path.startswith(EVENING_PATH):
            yield path
        if path == end:
            return
    raise AssertionError(f"still at {player.browser.current_url}")


def test_a_hand_is_scored_on_the_way(player: Player, serve_with: ServeWith) -> None:
    """One step, from the list; every step is in the long proofs."""
    live = begin(player, serve_with)
    start, end = (SCREENS.index(f"{EVENING_PATH}{each}/1") for each in ("score", "doubles"))
    player.open(live.url + SCREENS[start])
    assert list(walk(player, SCREENS[end])) == SCREENS[start + 1 : end + 1]
    assert "Ann: 1 of 11 steps done" in player.text("#main")
    assert finished_steps(PracticeLog(live.hands.store).progress("Ann")) == {"score"}
    assert player.complaints() == []


@pytest.mark.prove
@in_both_engines
def test_the_whole_evening_is_walked_by_tapping(player: Player, serve_with: ServeWith) -> None:
    begin(player, serve_with)
    assert list(walk(player)) == [*SCREENS[1:], EVENING_PATH], "each question once, in order"
    assert re.search(r"Ann: 11 of 11 steps done", player.text("#main"))
    assert player.complaints() == []
