"""No tile's name is broken inside a word, nor an everyday player's name beside the figures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from device.i18n.words import LANGUAGES, tile_name, use_words
from scorer.tiles import CODES, FACE_DOWN, JOKER
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import HEIGHT, Chromium, WebKit, in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.sizes import find_at
from tests.e2e.tour import begin, post, upload, wait_until_read
from tests.e2e.whole_words import SPLIT_WORDS

WIDTHS = {Chromium: (360, 320), WebKit: (360,)}
"""CSS pixels across, by engine: WebKit takes seconds to turn to another width."""

LABELS = {
    "tile/0": ".pick.big span, .compare b",
    "check": ".doubt b",
}
"""Where tiles' names stand, by the page of a hand."""

PLAYERS = ("Christopher", "Jacqueline", "Maximilian", "Bernadette")
"""Long names that people have. The longest that may be given break (`test_every_screen.py`)."""

QUESTION_NAME = ".face .name b"
"""Where they stand on the page of tiles that were asked about."""

FIGURES = ".standings tbody th > span"
"""Where players' names stand beside the figures of a deal."""

BROKEN_SCRIPT = (
    SPLIT_WORDS
    + r"""
const [, labels, names] = arguments;
const shown = [...document.querySelectorAll(labels)], found = new Set();
if (!shown.length) return null; // not there yet
for (const name of names) {
  for (const label of shown) label.textContent = name;
  for (const label of shown) {
    splitWords(label, /[\p{L}\p{N}’]+/gu).forEach((each) => found.add(each));
  }
}
if (document.documentElement.scrollWidth > width) found.add("wider than the phone");
return [...found];
"""
)


@pytest.fixture(autouse=True)
def usual_size(player: Player) -> Iterator[None]:
    """Give the phone its usual size back afterwards: WebKit keeps the one that it has."""
    yield
    player.browser.resize()


@pytest.fixture
def names() -> dict[str, list[str]]:
    """Return the names of all tiles in each language."""
    names_by_language = {}
    for language in LANGUAGES:
        use_words(language)
        names_by_language[language] = [tile_name(code) for code in (*CODES, FACE_DOWN, JOKER)]
    use_words(LANGUAGES[0])
    return names_by_language


@in_webkit_at_length
def test_no_name_is_broken_inside_a_word(
    player: Player, serve_with: ServeWith, names: dict[str, list[str]]
) -> None:
    live = serve_with(FakeReader(lay(doubtful=(0, 7))))
    hands = [
        upload(live, path, picture(lay())).rstrip("/").rpartition("/")[2]
        for path in ("/hands", "/learn/ask/")
    ]
    for hand in hands:
        wait_until_read(live.hands, hand)
    pages = {f"/hand/{hands[0]}/{page}": labels for page, labels in LABELS.items()}
    pages[f"/learn/ask/{hands[1]}/"] = QUESTION_NAME
    faults = {}
    for language in LANGUAGES:
        for page, labels in pages.items():
            player.browser.keep(live.url, look=f"language={language}")
            player.open(live.url + page)
            for width in WIDTHS[type(player.browser)]:
                faults[language, page, width] = find_at(
                    player.browser, (width, HEIGHT), BROKEN_SCRIPT, labels, names[language]
                )
    assert {place: wrong for place, wrong in faults.items() if wrong} == {}


@in_webkit_at_length
def test_no_everyday_name_is_broken_beside_the_figures(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    begin(live.url, PLAYERS)
    post(live, "/table/winner", who="1", won_by="wall")
    for number, score in enumerate((1000, 1000, 8, 512)):
        post(live, f"/table/hand/{number}/score", score=str(score))
    faults = {}
    for language in LANGUAGES:
        player.browser.keep(live.url, look=f"language={language}")
        player.open(f"{live.url}/table/settle")
        for width in WIDTHS[type(player.browser)]:
            faults[language, width] = find_at(
                player.browser, (width, HEIGHT), BROKEN_SCRIPT, FIGURES, PLAYERS
            )
    assert {place: wrong for place, wrong in faults.items() if wrong} == {}
