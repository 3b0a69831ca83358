"""The pages of rules and special hands, and that every cited rule leads to its page."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import cast

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, load, use_words
from device.i18n.words import words as words_in_use
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import HandAgreed, ScoreTyped, TileCorrected
from device.views.tutor.rules import laid_set
from device.web.tutor import rules as rule_pages
from scorer.message import to_english
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.rulebook import CITATION_PATTERN, RULE_IDS, book_of, rows_of
from tests.device.events import event_of
from tests.device.fake_reader import lay_text, picture
from tests.device.match_play import AGREED_TERMS, FEE, give_hand, settle
from tests.device.page import Page, Part, get_page, main_text
from vision.hand.assembly import LaidSet, assemble
from vision.photo import open_photo

pytestmark = pytest.mark.slow


def test_every_rule_has_a_page_that_says_what_its_rows_say_and_who_has_it(
    client: FlaskClient,
) -> None:
    for rule in RULE_IDS:
        rows = rows_of(rule, load_builtin(book_of(rule)))
        text = main_text(client, f"/learn/rules/{rule}")
        assert "{" not in text, rule
        assert len(text) > len(rule) + 12, rule
        assert [row for row in rows if to_english(row.sentence) not in text] == []
        assert ("Only the winner" in text) == any(row.winner_only and row.gives for row in rows)


def test_no_line_is_in_the_list_of_what_scores_twice(client: FlaskClient) -> None:
    lines = get_page(client, "/learn/rules/").texts("section > ul a")
    assert len(lines) > 20
    assert sorted(lines) == sorted({*lines})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_sentence_of_its_own_or_of_its_row_and_not_both(language: str) -> None:
    words = load(language)
    for rule in RULE_IDS:
        rules = load_builtin(book_of(rule))
        has_sentence = f"rulebook.{rule}" in words
        is_in_rows = rows_of(rule, rules) or rule in rules.specials_by_id
        is_in_rows = is_in_rows or any(option.rule == rule for option in rules.options)
        # What Purity's rules and a choice say besides is more than their rows do.
        exceptions = {"BMJA-S30", "BMJA-S32", "BMJA-S39", "BMJA-N02"}
        assert has_sentence != bool(is_in_rows) or rule in exceptions, rule


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("BMJA-D06", "2 doubles ×2 ×2"),
        ("BMJA-D10", "Not counted here"),
        ("BMJA-C18", "Your table does not play this."),
        ("BMJA-C05", "This table plays: The two doubles of a bouquet"),
        ("BMJA-P08", "The last 7 pairs of the wall"),
        ("BMJA-S15", "All stays concealed until the last tile, which may be claimed."),
        ("BMJA-S11", "Counted as an ordinary hand, it would score"),
        ("BMJA-B13", "What other tables count Only possible tile: 2 points in Chinese Classical"),
        ("SAF-R05", "Exposed 16 Concealed 32"),
    ],
)
def test_what_a_page_says(client: FlaskClient, rule: str, words: str) -> None:
    assert words in main_text(client, f"/learn/rules/{rule}")


def test_the_line_of_the_rule_is_lit_in_the_example(client: FlaskClient) -> None:
    lines = get_page(client, "/learn/rules/BMJA-D10").all('li[class="lit"]')
    assert lines
    for each in lines:
        assert each.links() == ["/learn/rules/BMJA-D10"]
        assert each.single(".amount").text == "×2"


@pytest.mark.parametrize("path", ["BMJA-S42", "bmja-b03", "nonsense", "<b>x</b>", "SAF-S99"])
def test_a_rule_that_is_none_is_refused_in_a_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/learn/rules/{path}")
    assert answer.status_code == 404
    assert "There is no rule" in Page(answer.text).text or path == "<b>x</b>"
    assert "<b>x" not in answer.text


def test_the_tables_choices_are_in_force(client: FlaskClient, matches: MatchRepository) -> None:
    house = ["clean_hand:off", "gates_only_terminal_claimable:on"]
    matches.begin(replace(AGREED_TERMS, house=tuple(house), limit=600))
    assert "Your table does not play this." in main_text(client, "/learn/rules/BMJA-D10")
    gates = main_text(client, "/learn/rules/BMJA-S23")
    assert "which may be claimed if it is a 1 or a 9" in gates
    assert "Your table's limit of 600 applies." in gates
    assert "This table: limit 600." in main_text(client, "/learn/rules/BMJA-L01")
    assert (
        "One suit with honours" not in main_text(client, "/learn/rules/").split("The whole book")[0]
    )


def test_safalras_rules_have_no_special_hands(
    client: FlaskClient, matches: MatchRepository
) -> None:
    matches.begin(replace(AGREED_TERMS, ruleset="safalra", limit=None))
    page = main_text(client, "/learn/rules/special/")
    assert "There are no special hands in these rules" in page
    assert "reconstructed" in main_text(client, "/learn/rules/")


def test_the_special_hands_are_listed_by_worth(client: FlaskClient) -> None:
    page = main_text(client, "/learn/rules/special/")
    order = ("Worth 1000", "Buried treasure", "Worth 500", "Knitting", "Worth its own", "Purity")
    places = [page.index(each) for each in order]
    assert places == sorted(places)
    assert all(to_english(special.name) in page for special in load_builtin("bmja").specials)


def test_lessons_about_a_rule_are_linked(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_lessons(rule: str, name: str) -> tuple[SimpleNamespace, ...]:
        lesson = SimpleNamespace(id="kong-box", section="table")
        return (lesson,) if (rule, name) == ("BMJA-P08", "bmja") else ()

    monkeypatch.setattr(rule_pages, "lessons_about", find_lessons)
    monkeypatch.setitem(english_words(), "lesson.kong-box.question", "What is the kong box?")
    link = get_page(client, "/learn/rules/BMJA-P08").link("What is the kong box?")
    assert link == "/learn/lessons/table?open=kong-box#kong-box", "open without a script"


def english_words() -> dict[str, str]:
    use_words("en-GB")
    return cast("dict[str, str]", words_in_use())


@pytest.mark.parametrize(
    ("referrer", "expected"),
    [
        ("http://localhost/hand/abc/", "/hand/abc/"),
        ("http://localhost/hand/abc/dispute?tile=1", "/hand/abc/dispute?tile=1"),
        (
            "http://localhost/learn/lessons/table?open=walls",
            "/learn/lessons/table?open=walls#walls",
        ),
        ("http://localhost/learn/rules/", None),
        ("http://elsewhere.example/hand/abc/", None),
        ("http://localhost//elsewhere.example/", None),
        ("http://localhost/\\elsewhere.example/", None),
        ("http://[localhost/", None),
        (None, None),
    ],
)
def test_the_way_back_is_to_where_the_rule_was_cited(
    client: FlaskClient, referrer: str | None, expected: str | None
) -> None:
    page = client.get("/learn/rules/BMJA-B03", headers={"Referer": referrer} if referrer else {})
    links = Page(page.text).all("a", "Back")
    assert [each["href"] for each in links] == ([expected] if expected else [])


def test_from_a_hand_to_a_rule_to_a_lesson_and_back(client: FlaskClient) -> None:
    rule = "/learn/rules/BMJA-B03"
    page = client.get(rule, headers={"Referer": "http://localhost/hand/abc/"})
    lesson = next(each for each in Page(page.text).links("/learn/lessons/") if "back=" in each)
    assert get_page(client, lesson).link("Back") == "/hand/abc/"
    response = client.get(rule, headers={"Referer": f"http://localhost{lesson.split('#')[0]}"})
    assert lesson in Page(response.text).links(), "still to the hand, however often it is read"


def test_no_address_leads_back_to_another_host(client: FlaskClient) -> None:
    for back in ("//elsewhere.example/", "/\\elsewhere.example", "javascript:1"):
        page = client.get("/learn/lessons/scoring", query_string={"back": back})
        assert not Page(page.text).all("a", "Back")


# --- every cited rule is a link


HANDS = {
    "a win": "B222 | O999 C345 DRRR WEE | F1 won=wall with=C5",
    "a special hand": "| B19 C19 O19 WESWN DRGWW | F1 won=last-discard with=DW",
    "knitting of three suits": "| B2 O2 C3 O3 B5 O5 B6 O6 B7 O7 B8 O8 B9 O9 | won=wall with=O9",
    "a loser who waits and is near": "| B19 C19 O19 WESWN DRGW | F1",
}


def enter_hand(hands: HandRepository, text: str) -> str:
    """Return the id of a hand that was read from a photograph of this text."""
    reading, answers = lay_text(text)
    data = picture(reading)
    hand = hands.begin(open_photo(data, "hand.jpg"), data, "bmja")
    hands.change(hand, reading_event(reading))
    hands.change(hand, event_of("context-set", answers))
    return hand


def unlinked_citations(part: Part) -> list[str]:
    """Return the rules that are cited outside of links; the links are taken out of the part."""
    for link in part.all("a"):
        link.tag.replace_with(" ")
    return CITATION_PATTERN.findall(part.text)


def follow_every_rule(client: FlaskClient, path: str, *, min_links: int) -> None:
    """Assert that every rule on a page is the text of a link that leads to that rule."""
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200, path
    main = Page(answer.text).main
    links = [(each["href"], each.text) for each in main.all("a.rule")]
    assert unlinked_citations(main) == [], path
    assert len(links) >= min_links, path
    for address, rule in set(links):
        assert address == f"/learn/rules/{rule}"
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("text", HANDS.values(), ids=HANDS.keys())
def test_every_rule_that_a_hand_cites_is_a_link(
    client: FlaskClient, hands: HandRepository, text: str
) -> None:
    hand = enter_hand(hands, text)
    follow_every_rule(client, f"/hand/{hand}/", min_links=20)
    follow_every_rule(client, f"/hand/{hand}/dispute", min_links=1)
    follow_every_rule(client, f"/hand/{hand}/dispute?options=1", min_links=1)
    follow_every_rule(client, f"/hand/{hand}/referee", min_links=1)


def test_a_refused_hand_cites_by_links_too(client: FlaskClient, hands: HandRepository) -> None:
    hand = enter_hand(hands, HANDS["a win"])
    for place in (3, 4):
        hands.change(hand, TileCorrected(tile=place, code="B2"))
    for path in (f"/hand/{hand}/dispute", f"/hand/{hand}/referee"):
        page = Page(client.get(path).text)
        assert unlinked_citations(page.main) == []


@pytest.mark.parametrize("page", ["", "dispute", "referee"])
@pytest.mark.parametrize(
    ("text", "claim", "rule"),
    [
        ("B234 O666 | C555 WNNN B88 | seat=S won=wall with=B8", "Only possible tile", "BMJA-B13"),
        ("| B22 B55 O33 O77 C44 C88 WNN | won=wall with=B5", "Seven pairs", "BMJA-S12"),
    ],
    ids=["scored", "refused"],
)
def test_what_other_tables_count_is_beside_the_score(
    client: FlaskClient, hands: HandRepository, text: str, claim: str, rule: str, page: str
) -> None:
    page_text = main_text(client, f"/hand/{enter_hand(hands, text)}/{page}")
    assert re.search(rf"{claim}: \d [^;]*; not in British Mah-Jong .BMJA.[^:]*{rule}", page_text)


def test_every_rule_that_a_table_cites_is_a_link(
    client: FlaskClient, matches: MatchRepository, store: Store, read_hand: str
) -> None:
    follow_every_rule(client, "/match/new", min_links=20)
    match = matches.begin(AGREED_TERMS)
    client.post("/table/join", data={"number": "0"})
    settle(matches, match, "Cy")
    matches.change(match, FEE)
    follow_every_rule(client, "/table/history", min_links=4)
    follow_every_rule(client, "/table/charge/amounts?payer=1&penalty=false-mah-jong", min_links=1)
    hand = give_hand(matches, match, store, read_hand, "Bob", "Bob")
    for player, score in (("Ann", 24), ("Cy", 8), ("Di", 48)):
        matches.change(match, ScoreTyped(player=player, score=score))
    matches.change(match, HandAgreed(player="Bob", hand=hand))
    follow_every_rule(client, "/table/settle", min_links=6)


def test_no_page_that_can_be_reached_cites_a_rule_without_a_link(
    client: FlaskClient, matches: MatchRepository, store: Store, read_hand: str
) -> None:
    match = matches.begin(replace(AGREED_TERMS, house=("clean_hand:off",)))
    client.post("/table/join", data={"number": "0"})
    settle(matches, match, "Cy")
    matches.change(match, FEE)
    hand = give_hand(matches, match, store, read_hand, "Bob", "Bob")
    paths = set[str]()
    left = [f"/hand/{hand}/", "/table/", "/matches"]
    while left and len(paths) < ENOUGH_PAGES:
        path = left.pop(0)
        if path in paths or path.startswith(("/learn/", "/assets/", "/print/", "/sets/")):
            continue
        paths.add(path)
        answer = client.get(path, follow_redirects=True)
        if answer.mimetype != "text/html":
            continue
        body = Page(answer.text).single("body")
        left += [link.partition("#")[0] for link in body.links("/")]
        assert unlinked_citations(body) == [], path
    assert len(paths) > 10, "the search itself works"


ENOUGH_PAGES = 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_of_rules_have_no_figures_of_their_own(language: str) -> None:
    """What the code knows is filled in; the ranks and numbers on tiles are no figures."""
    for key, sentence in load(language).items():
        if key.startswith("rulebook.") and key != "rulebook.BMJA-I01":  # quotes a printed sum
            digits = re.findall(r"\d+", re.sub(r"\{\w+\}", "", sentence))
            assert set(digits) <= {"1", "2", "3", "4", "8", "9"}, key


@pytest.mark.parametrize(
    ("rule", "rules", "kind", "row"),
    [
        ("BMJA-V01", "bmja", "chow", "exposed"),
        ("BMJA-V03", "bmja", "kong", "exposed"),
        ("BMJA-V04", "bmja", "kong", "concealed"),
        ("BMJA-V07", "bmja", "kong", "concealed"),
        ("SAF-V02", "safalra", "kong", "concealed"),
        ("SAF-V03", "safalra", "pung", "concealed"),
    ],
)
def test_a_set_is_drawn_as_the_box_reads_it(rule: str, rules: str, kind: str, row: str) -> None:
    codes = laid_set(rule)
    read = assemble(codes, [LaidSet(tuple(range(len(codes))), "exposed")], rules)
    (read_set,) = read.sets
    assert (read_set.kind, read_set.row) == (kind, row)
