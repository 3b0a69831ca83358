"""The announcer: a phone that reads out each deal as it is settled, where its player wants that."""

from __future__ import annotations

import pytest

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.spies import spy_records, spying
from tests.e2e.tour import begin, other_phone

ENGLISH = [
    "Cy went out: from the wall",
    "Cy scored 64.",
    "Di scored 8.",
    "Ann scored 16.",
    "Bob scored 24.",
    "Ann pays Cy 128.",
    "Bob pays Cy 64.",
    "Di pays Cy 64.",
    "Ann pays Bob 16.",
    "Di pays Ann 16.",
    "Di pays Bob 16.",
]


@pytest.fixture
def live(serve_with: ServeWith) -> LiveServer:
    live = serve_with(FakeReader())
    begin(live.url)
    return live


def play(live: LiveServer, points: int = 64) -> None:
    """Play a deal that Cy wins, up to where it is confirmed, on other phones."""
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    for number, score in enumerate((16, 24, points, 8)):
        other_phone(live.url, f"/table/hand/{number}/score", score=str(score))


def choose(player: Player, live: LiveServer, **choices: str) -> None:
    player.open(f"{live.url}/phone/")
    for name, value in choices.items():
        player.tap(f'label:has([name="{name}"][value="{value}"])')
        player.see(f'[name="{name}"][value="{value}"][checked]+span')  # in the answer


def look_at_the_table(player: Player, live: LiveServer) -> None:
    player.open(f"{live.url}/table/")
    player.tap(".felt .middle")  # nothing is there: any tap will do


def says(player: Player) -> list[str]:
    return [each.partition(": ")[2] for each in spy_records(player.browser, "says")]


def test_what_is_settled_is_read_out_once_and_what_is_taken_back_never(
    player: Player, live: LiveServer
) -> None:
    choose(player, live, announcer="on")
    with spying(player.browser):
        look_at_the_table(player, live)
        play(live)
        player.reads("#bar", "Who pays whom")
        assert says(player) == [], "not before it is settled"
        other_phone(live.url, "/table/settle")
        player.wait_until(lambda: len(says(player)) == len(ENGLISH), "it is not read out")
        assert sorted(says(player)) == sorted(ENGLISH)
        assert says(player)[:5] == ENGLISH[:5], "who scored what, before who pays"
        assert {each.split(": ")[0] for each in spy_records(player.browser, "says")} == {
            "says en-US here"
        }
        assert spy_records(player.browser, "tone 98") == [], "no gong for a usual hand"
        player.browser.refresh()
        player.see("#table")
        assert says(player) == [], "nor a second time"
        player.tap(".done .button")
        player.reads("#bar", "Who pays whom")
        assert says(player) == [], "nor what was taken back"
        other_phone(live.url, "/table/settle")
        player.wait_until(lambda: len(says(player)) == len(ENGLISH), "it is not read again")
    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}


def test_who_confirms_hears_it_on_the_page_that_follows(player: Player, live: LiveServer) -> None:
    choose(player, live, announcer="on")
    with spying(player.browser):
        look_at_the_table(player, live)
        play(live)
        player.reads("#bar", "Who pays whom")
        player.tap("#bar a")
        player.tap("#bar form .primary")
        player.wait_until(lambda: "Deal 2" in player.text(".middle"), "the next deal did not come")
        player.wait_until(lambda: len(says(player)) == len(ENGLISH), "it is not read out")


def test_a_limit_hand_has_a_gong_first(player: Player, live: LiveServer) -> None:
    choose(player, live, announcer="on", sounds="off")
    with spying(player.browser):
        look_at_the_table(player, live)
        for line_count, points in (
            (0, 992),
            (len(ENGLISH), 1000),
        ):  # the limit, and what is just below it
            assert spy_records(player.browser, "tone") == [], "no gong for what is no limit hand"
            play(live, points)
            other_phone(live.url, "/table/settle")
            player.wait_until(lambda: len(says(player)) > line_count + 5, "it is not read out")  # noqa: B023
        kinds = [each.split()[0] for each in spy_records(player.browser)]
        before = kinds[: kinds.index("tone")]
        assert before.count("says") == len(ENGLISH), "before the second deal is read out"


def test_it_speaks_the_pages_language(player: Player, live: LiveServer) -> None:
    choose(player, live, announcer="on", language="zh-Hant")
    with spying(player.browser):
        look_at_the_table(player, live)
        play(live)
        other_phone(live.url, "/table/settle")
        player.wait_until(lambda: len(says(player)) == len(ENGLISH), "it is not read out")
        assert spy_records(player.browser, "says")[1] == "says zh-TW here: Cy得64分。"


@pytest.mark.parametrize(
    ("announcer", "taps", "reason"),
    [("off", True, "nobody asked for it"), ("on", False, "nobody has tapped")],
)
def test_otherwise_nothing_is_read_out(
    player: Player, live: LiveServer, announcer: str, taps: bool, reason: str
) -> None:
    choose(player, live, announcer=announcer)
    with spying(player.browser):
        player.open(f"{live.url}/table/")
        player.browser.execute_script("sessionStorage.removeItem('touched')")
        if taps:
            player.tap(".felt .middle")
        play(live)
        other_phone(live.url, "/table/settle")
        player.wait_until(lambda: "Deal 2" in player.text(".middle"), "the next deal did not come")
        assert says(player) == [], reason
    assert player.complaints() == []
