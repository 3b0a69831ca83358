"""The score sheet and the graph on a narrow phone, in Chromium and WebKit."""

from __future__ import annotations

import pytest

from device.matches.repository import MatchRepository
from device.store.events import DealSettled, MatchBegun, WinnerEntered
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.sizes import find_at
from tests.e2e.test_every_screen import NAMES

MEASURE_SCRIPT = """
page.dataset.text = arguments[1];
const box = (each) => each.getBoundingClientRect();
const region = document.querySelector(".score-sheet");
region.scrollLeft = 999;
const first = region.querySelector("tbody th");
const labels = [...document.querySelectorAll(".match-graph g > text")].map(box);
const words = [...region.querySelectorAll("thead span span")];
return {
  page: page.scrollWidth,
  scrolls: region.scrollLeft > 0,
  stays: box(first).left - box(region).left,
  cut: words.filter((each) => each.scrollWidth > each.clientWidth + 1).length,
  broken: words.filter((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getClientRects().length > 1;
  }).length,
  apart: labels.sort((a, b) => a.top - b.top).slice(1).map((each, at) => each.top - labels[at].top),
  right: Math.max(...labels.map((each) => each.right)),
};
"""


def play(box: MatchRepository, names: tuple[str, ...]) -> str:
    """Play six deals with close totals, so that the lines of the graph end close together."""
    match = box.begin(MatchBegun(players=names, ruleset="bmja", limit=1000, house=()))
    for winner in (0, 1, 2, 3, 0, 1):
        scores = {name: 8 if number != winner else 416 for number, name in enumerate(names[:4])}
        box.change(match, WinnerEntered(winner=names[winner]))
        box.change(match, DealSettled(winner=names[winner], scores=scores))
    return match


@pytest.mark.parametrize(
    ("engine", "text"), [("chromium", "big"), ("webkit", "usual")], indirect=["engine"]
)
def test_long_names_leave_the_sheet_and_the_graph_readable(
    player: Player, serve_with: ServeWith, text: str
) -> None:
    live = serve_with(FakeReader())
    match = play(MatchRepository(live.hands.store), NAMES)
    player.open(f"{live.url}/match/{match}/")
    player.see(".score-sheet")
    try:
        measures = find_at(player.browser, (width := 360, 740), MEASURE_SCRIPT, text)
    finally:
        player.browser.resize()
    assert measures["page"] <= width
    assert not measures["scrolls"], "each player's column is in sight"
    assert measures["stays"] >= 0, "the deal's number stays in sight"
    assert measures["cut"] == measures["broken"] == 0, "names stand upright rather"
    assert all(apart > 12 for apart in measures["apart"]), "no name lies over another"
    assert measures["right"] <= width
    assert player.complaints() == []
