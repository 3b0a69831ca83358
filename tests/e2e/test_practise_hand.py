"""A newcomer at the table scores a hand on a phone, tap by tap, to its end."""

from __future__ import annotations

from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.exercises import make_exercise
from scorer.teach.practice.questions import Question
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player

SMALL = """
const taps = "a.button, button, .segments span, .switch, input:not([type=radio], [type=checkbox])";
return [...document.querySelectorAll("#step " + taps.replaceAll(", ", ", #step "))]
  .filter((e) => e.offsetParent).map((e) => {
    const box = e.getBoundingClientRect();
    return [e.textContent.trim(), Math.round(box.width), Math.round(box.height)];
  }).filter(([, width, height]) => width < 48 || height < 48);
"""


LEVEL, SEED = "winner", 3


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


def test_a_hand_is_scored_step_by_step_to_its_end(player: Player, serve_with: ServeWith) -> None:
    exercise = make_exercise(LEVEL, SEED, load_builtin("bmja"))
    live = serve_with(FakeReader())
    player.browser.keep(live.url, pupil="Ann")
    player.open(f"{live.url}/practise/hand/{LEVEL}/{SEED}/")
    for step in exercise.steps:
        player.see("#step .questions")
        assert player.browser.execute_script(SMALL) == [], step.key
        assert player.overflow() == 0, "nothing sticks out at the side"
        for question in step.questions:
            answer(player, question)
        player.tap("#step .questions button")
        player.see("#step .marked.good")
        assert player.browser.execute_script(SMALL) == [], "marked"
        assert "Not right" not in player.text("#step .marks")
        player.tap("#step .button.primary")
    player.wait_until(
        lambda: (
            f"{exercise.question_count} of {exercise.question_count} right" in player.text("h1")
        ),
        "it never ended",
    )
    assert "Saved for Ann." in player.text("main")
    player.browser.refresh()
    player.tap(".segments .button")
    player.see("#step .questions")
    assert player.complaints() == []
