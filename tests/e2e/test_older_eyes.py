"""What older eyes need: large tiles, whole names, and a choice that is seen at once."""

from __future__ import annotations

import pytest

from device.i18n.words import load
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.web.test_style import themes
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import in_chromium_at_length
from tests.e2e.player import Player
from tests.e2e.sizes import find_at
from tests.e2e.tour import begin, other_phone, sit_down, upload, wait_until_read

NAMES = ("Margaret", "Bartholomew", "Jean-Christophe", "Wilhelminajacquelineanna")

CUT = """
const isCut = (each) => {
  const range = document.createRange();
  range.selectNodeContents(each);
  const text = range.getBoundingClientRect();
  for (let box = each; box !== document.body; box = box.parentElement) {
    const edge = box.getBoundingClientRect(), hides = getComputedStyle(box).overflowX;
    if (hides === "auto" || hides === "scroll") break;
    if (hides !== "visible" && (text.right > edge.right + 1 || text.left < edge.left - 1
        || text.bottom > edge.bottom + 1 || text.top < edge.top - 1)) return true;
  }
  return each.textContent.includes("…");
};
return [...document.querySelectorAll(arguments[0])].filter(isCut).map((each) => each.textContent);
"""
"""The names of these elements that are not wholly seen."""

CUT_FIELDS = """
return [...document.querySelectorAll(".around-table input")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.value);
"""
"""The names that their fields do not show whole."""

EMPTY_FIELDS = """
document.querySelectorAll(".around-table input").forEach((each) => (each.value = ""));
document.querySelector(".around-table").classList.remove("long");
"""
"""As a form is where nobody played before."""

TOUCHES = """
const room = (each) => {
  const range = document.createRange(), frame = each.getBoundingClientRect();
  range.selectNodeContents(each.querySelector("span"));
  const text = range.getBoundingClientRect();
  return Math.min(text.left - frame.left, frame.right - text.right);
};
return [...document.querySelectorAll(".felt .done .button")].map(room).filter((px) => px < 5);
"""
"""Pixels between Undo and its frame, where they are few."""

OVERLAPS = """
const boxes = [...document.querySelectorAll(".payments :is(.name-of, circle)")]
  .map((each) => each.getBoundingClientRect());
const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
  && one.top < other.bottom - 1 && other.top < one.bottom - 1;
return boxes.filter((one, n) => boxes.slice(n + 1).some((other) => meet(one, other))).length;
"""


BROKEN_WORDS = """
const [, names] = arguments;
const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
const broken = [];
for (let node; (node = walker.nextNode());) {
  if (!node.parentElement.checkVisibility() || node.parentElement.closest(".unseen, svg")) continue;
  for (const word of names.filter((each) => node.data.includes(each))) {
    const range = document.createRange(), at = node.data.indexOf(word);
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    if (new Set([...range.getClientRects()].map((each) => Math.round(each.top))).size > 1) {
      broken.push(`${word} in ${node.parentElement.localName}`);
    }
  }
}
if (document.documentElement.scrollWidth > width) broken.push("the page is too wide");
return broken;
"""
"""The words of names that do not stand in one line."""

WHOLE_NAMES = ("Maximiliane", "Jean-Christophe", "Di", "Alexandrine")


@pytest.fixture
def live(serve_with: ServeWith) -> LiveServer:
    """Return a box with a match in which the third player has given a hand."""
    live = serve_with(FakeReader(lay(doubtful=(7,))))
    begin(live.url, NAMES)
    other_phone(live.url, "/table/winner", who="2", won_by="wall")
    return live


def open_in_big_text(player: Player, live: LiveServer, path: str) -> None:
    player.browser.get(live.url + "/nowhere")
    player.browser.add_cookie({"name": "look", "value": "text=big"})
    player.open(live.url + path)


def test_tiles_grow_with_the_text_and_stay_on_the_phone(player: Player, live: LiveServer) -> None:
    hand = upload(live, "/table/hand/2", picture(lay())).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    try:
        player.browser.resize(360, 740)
        open_in_big_text(player, live, f"/hand/{hand}/")
        sizes = player.browser.execute_script(
            "return [...document.querySelectorAll('.small-tile .tile')].map((e) => e.offsetWidth);"
        )
        assert len(sizes) == 16
        assert min(sizes) > 39, "30 before"
        assert player.overflow() == 0
    finally:
        player.browser.resize()


@pytest.mark.parametrize("text", ["usual", "big"])
def test_no_name_is_cut(player: Player, live: LiveServer, text: str) -> None:
    for number, score in enumerate((16, 24, 64, 8)):
        other_phone(live.url, f"/table/hand/{number}/score", score=str(score))
    try:
        player.browser.resize(360, 740)
        open_in_big_text(player, live, "/table/")
        sit_down(player.browser, live)
        player.browser.add_cookie({"name": "look", "value": f"text={text}"})
        for path, names in (
            ("/table/", ".seat .name"),
            ("/table/settle", ".payments .name-of, .standings th > span"),
        ):
            player.open(live.url + path)
            assert player.browser.execute_script(CUT, names) == [], path
            assert player.overflow() == 0, path
        assert player.browser.execute_script(OVERLAPS) == 0, "names and circles"
        player.tap("#bar button")  # Confirm
        player.see("#table")
        assert player.browser.execute_script(TOUCHES) == [], "no letter touches a frame"
        player.open(f"{live.url}/match/new")
        assert player.browser.execute_script(CUT_FIELDS) == []
        assert player.overflow() == 0, "nor is a name of the chips too wide"
        player.browser.execute_script(EMPTY_FIELDS)
        player.see("[name=player1]").send_keys(max(NAMES, key=len))
        assert player.browser.execute_script(CUT_FIELDS) == [], "nor while it is typed"
        player.open(f"{live.url}/table/history")
        assert player.browser.execute_script(CUT, ".score-sheet thead span span") == []
        assert player.overflow() == 0
    finally:
        player.browser.resize()


@pytest.mark.parametrize("size", [(360, 740), (740, 360)], ids=["upright", "on its side"])
def test_no_name_is_broken_within_a_word(
    player: Player, serve_with: ServeWith, size: tuple[int, int]
) -> None:
    live = serve_with(FakeReader())
    begin(live.url, WHOLE_NAMES)
    words = [word for name in WHOLE_NAMES for word in name.split("-")]

    def check(path: str) -> None:
        for text in ("usual", "big"):
            player.browser.keep(live.url, look=f"language=fr&text={text}")
            player.open(live.url + path)
            assert find_at(player.browser, size, BROKEN_WORDS, words) == [], (path, text)

    try:
        player.open(f"{live.url}/nowhere")
        check("/table/")  # it asks whose phone this is
        sit_down(player.browser, live)
        for number in range(4):
            other_phone(live.url, f"/table/hand/{number}/score", score="0")
        for path in ("/table/", "/table/winner", "/table/history", "/table/end"):
            check(path)
        player.open(f"{live.url}/table/hand/0")
        player.tap("form.ways-in button")
        player.see(".laid-out h1")
        check(player.browser.current_url.removeprefix(live.url))
    finally:
        player.browser.resize()


def test_no_score_has_room_around_it(player: Player, live: LiveServer) -> None:
    player.open(f"{live.url}/table/hand/1")
    player.tap("details:has(.no-score) > summary")
    player.see(".no-score button")
    gaps = player.browser.execute_script(ROOM_AROUND, ".no-score button")
    assert len(gaps) > 2
    assert min(gaps) >= 12, "a slip of the finger types no score"


ROOM_AROUND = """
const own = document.querySelector(arguments[0]), {top, bottom} = own.getBoundingClientRect();
const others = [...document.querySelectorAll("main :is(a, button, summary, input)")];
return others.filter((each) => each !== own && each.offsetHeight).map((each) => {
  const edges = each.getBoundingClientRect();
  return Math.max(top - edges.bottom, edges.top - bottom);
});
"""


@in_chromium_at_length
def test_a_choice_for_this_phone_is_seen_at_once(player: Player, serve_with: ServeWith) -> None:
    player.open(f"{serve_with(FakeReader()).url}/phone/")
    for choice, title in (
        ('[name="text"][value="big"]', "This phone"),
        ('[name="theme"][value="dark"]', "This phone"),
        ('[name="palette"][value="safe"]', "This phone"),
        ('[name="language"][value="fr"]', "Ce téléphone"),
    ):
        player.tap(f"label:has({choice})")
        player.see(f"{choice}[checked]+span")
        player.reads("h1", title)
    page = player.browser.execute_script(
        "const {lang, dataset} = document.documentElement;"
        "return [lang, dataset.text, dataset.theme, getComputedStyle(document.body).colorScheme];"
    )
    assert page == ["fr", "big", "dark", "dark"]
    beside_main = player.browser.execute_script(
        "return ['.skip', '#lost'].map((css) => document.querySelector(css).textContent);"
    )
    assert beside_main == [load("fr")[key] for key in ("site.skip", "error.unreachable")]
    colours = player.browser.execute_async_script(
        "const wait = (link) => link.sheet || new Promise((done) => (link.onload = done));"
        "const done = arguments[0], sheets = document.querySelectorAll('link[href*=palette]');"
        "Promise.all([...sheets].map(wait)).then(() => {"
        "  const style = getComputedStyle(document.querySelector('.tile'));"
        "  done(['--red', '--wind-east'].map((name) => style.getPropertyValue(name).trim()));"
        "});"
    )
    dark = themes()["dark, safe"]
    assert colours == [dark["red"], dark["wind-east"]]
    assert player.complaints() == []
