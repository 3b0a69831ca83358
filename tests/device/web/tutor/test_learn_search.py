"""The search through all that there is to learn."""

from __future__ import annotations

import re
import time
import tomllib
from importlib.resources import files

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from device.hands.record import Agreement
from device.i18n.words import LANGUAGES, load, say, use_words
from device.views.tutor.search import (
    MAX_RESULTS_SHOWN,
    SearchEntry,
    SearchIndex,
    fold,
    search,
    search_entries,
    search_words,
)
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.lessons import SECTIONS, lessons_of
from tests.device.page import Page, get_page

pytestmark = pytest.mark.slow

ENGLISH = search_words("en-GB")

TABLES_OF_WORDS = tomllib.loads(
    (files("device.views.tutor") / "search_words.toml").read_text("utf-8")
)
"""By language; one without a part has the words of another."""


def find_titles(client: FlaskClient, query: str, language: str = "en-GB") -> list[tuple[str, str]]:
    """Return address and title of what is found."""
    client.post("/phone/", data={"language": language})
    page = client.get("/learn/lessons/search", query_string={"q": query})
    use_words("en-GB")
    assert page.status_code == 200
    links = Page(page.text).all("li > a:has(> small)")
    return [(each["href"], each.single("b").text) for each in links]


@pytest.mark.parametrize(
    ("query", "first", "reason"),
    [
        ("robbing the kong", "What is robbing the kong?", "the very words"),
        ("what do pongs score", "What do pungs and kongs score?", "a pong is a pung"),
        ("cracks", "How do I read the characters?", "cracks are characters"),
        ("BMJA-S15", "Buried treasure", "a rule’s id"),
        ("going mahjong", "Going out", "however it is written"),
        ("seven pairs", "Seven pairs", "what other tables count"),
        ("gerties garter", "Gertie's garter: 1 to 7 of two suits", "a hand of other rules"),
        ("what is a flower worth", "What do flowers and seasons score?", "worth is score"),
    ],
)  # fmt: skip
def test_the_best_comes_first(client: FlaskClient, query: str, first: str, reason: str) -> None:
    titles = [title for _, title in find_titles(client, query)]
    assert first in titles[:3], (reason, titles)


@pytest.mark.parametrize(
    ("language", "query", "first"),
    [
        ("fr", "derniere defausse", "Mah-jong sur la dernière défausse"),
        ("fr", "brelan", "Qu’est-ce qu’un chow, un pung, un kong ?"),
        ("zh-Hant", "搶槓", "搶槓食糊"),
        ("zh-Hant", "花牌有幾分", "花牌和季牌有多少分？"),
    ],
)
def test_it_speaks_the_phones_language(
    client: FlaskClient, language: str, query: str, first: str
) -> None:
    assert first in [title for _, title in find_titles(client, query, language)][:3]


def test_a_word_that_is_nowhere_hides_nothing(client: FlaskClient) -> None:
    assert find_titles(client, "kong zebra") == find_titles(client, "kong")


@pytest.mark.parametrize(
    ("query", "other"),
    [("13 orphans", "thirteen orphans"), ("swap", "swapping"), ("2 players", "two player")],
)
def test_digits_and_endings_make_no_difference(client: FlaskClient, query: str, other: str) -> None:
    assert find_titles(client, query)[:3] == find_titles(client, other)[:3]


@pytest.mark.parametrize("query", ["zebra", "</b><script>", "?", "%", "x" * 500, "𓀀"])
def test_nothing_found_gives_advice_and_the_sections(client: FlaskClient, query: str) -> None:
    page = Page(client.get("/learn/lessons/search", query_string={"q": query}).text)
    assert load()["lesson-search.advice"] in page.text
    sections = {f"/learn/lessons/{section}" for those in SECTIONS.values() for section in those}
    assert sections <= {*page.links()}
    assert all(each.get("type") == "module" for each in page.all("script"))


@pytest.mark.parametrize(
    ("misspelt", "term"),
    [
        ("goulsh", "goulash"),
        ("pnug", "pung"),
        ("conceled sets", "concealed sets"),
        ("rob the knog", "rob the kong"),
        ("charlston", "charleston"),
    ],
)
def test_a_misspelt_term_finds_what_was_meant(
    client: FlaskClient, misspelt: str, term: str
) -> None:
    assert find_titles(client, misspelt) == find_titles(client, term) != []


@pytest.mark.parametrize("query", ["2345", "plumber", "wich"])
def test_what_is_no_misspelt_term_finds_nothing(client: FlaskClient, query: str) -> None:
    assert not find_titles(client, query)


def test_an_empty_search_only_asks(client: FlaskClient) -> None:
    for path in ("/learn/lessons/search", "/learn/lessons/search?q=+"):
        assert load()["lesson-search.ask"] in client.get(path).text


def test_words_that_only_ask_are_searched_when_there_are_no_others(client: FlaskClient) -> None:
    assert find_titles(client, "who")


@pytest.mark.parametrize("language", ["en-GB", "zh-Hant"])
def test_every_question_finds_its_answer(app: Flask, language: str) -> None:
    with app.test_request_context():
        use_words(language)
        for ruleset in SECTIONS:
            agreement = Agreement(ruleset=ruleset)
            entries = [entry for entry in search_entries(agreement.rules) if entry.in_force]
            assert len(entries) > len(lessons_of(ruleset)) + 20
            for entry in entries:
                # A rule may have two rows of one name.
                titles = [each.title for each in search(entry.title, agreement)]
                assert entry.title in titles, entry.title
        use_words("en-GB")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_a_special_hand_finds_it_first(app: Flask, language: str) -> None:
    with app.test_request_context():
        use_words(language)
        specials = {say(special.name) for special in Agreement().rules.specials}
        first = {search(name, Agreement())[0].title for name in specials}
        use_words("en-GB")
    assert first == specials


@pytest.mark.parametrize(
    ("ruleset", "first"), [("bmja", "dealing"), ("safalra", "saf-start")], ids=str
)
def test_the_rules_in_force_come_first(app: Flask, ruleset: str, first: str) -> None:
    with app.test_request_context():
        entries = search("how are the tiles dealt", Agreement(ruleset=ruleset))
    assert entries[0].id == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_taken_for_one_that_only_asks(app: Flask, language: str) -> None:
    """Porter's stem of "ones" is "on", and that of the French "été" is "et"."""
    words = search_words(language)
    with app.test_request_context():
        use_words(language)
        texts = [f"{each.title} {each.text}" for each in search_entries(load_builtin("bmja"))]
        use_words("en-GB")
    all_words = sorted(set(re.findall(r"[a-z]+", fold(" ".join(texts)))))
    index = SearchIndex([SearchEntry("rule", each, "", "/") for each in all_words], words)
    question_words = [each for each in all_words if words.ignored.fullmatch(each)]
    assert language == "zh-Hant" or len(question_words) > 50, "the search itself works"
    titles = {each: [entry.title for entry in index.find(each)] for each in question_words}
    assert {
        each: found
        for each, found in titles.items()
        if not all(words.ignored.fullmatch(title) for title in found)
    } == {}


@pytest.mark.parametrize("language", TABLES_OF_WORDS)
def test_every_synonym_has_one_meaning(language: str) -> None:
    words = search_words(language)
    table = TABLES_OF_WORDS[language]["synonyms"]
    synonyms = [fold(each) for word, group in table.items() for each in (word, *group.split(", "))]
    assert sorted(synonyms) == sorted(words.synonyms)


def test_an_answer_is_there_at_once() -> None:
    index = SearchIndex(search_entries(load_builtin("bmja")), ENGLISH)
    start_time = time.thread_time()
    assert index.find("may the last tile of buried treasu be claimed when the wall runs out")
    assert time.thread_time() - start_time < 0.05


SEARCH_ENTRIES = [
    SearchEntry("rule", "Pung of dragons", "Each doubles the score once.", "/d", keys="BMJA-D01"),
    SearchEntry("rule", "Chow", "Three in a row score nothing.", "/c", keys="BMJA-B01"),
    SearchEntry("special", "大三元", "中、發、白各一組刻子或槓。", "/s", keys="BMJA-S19"),
]
INDEX = SearchIndex(SEARCH_ENTRIES, ENGLISH)
ENTRY_WORDS = st.sampled_from(
    [(e, w) for e in SEARCH_ENTRIES for w in re.findall(r"\w+", f"{e.title} {e.text} {e.keys}")]
)


@given(query=st.text(max_size=40))
def test_anything_may_be_typed(query: str) -> None:
    assert set(INDEX.find(query)) <= set(SEARCH_ENTRIES)


@given(entry_word=ENTRY_WORDS, letters=st.integers(1, 12), data=st.data())
def test_a_word_is_found_by_its_beginning(
    entry_word: tuple[SearchEntry, str], letters: int, data: st.DataObject
) -> None:
    entry, word = entry_word
    typed_word = data.draw(st.sampled_from([word, word.upper(), word[:letters]]))
    assert entry in INDEX.find(typed_word)


@given(first=ENTRY_WORDS, second=ENTRY_WORDS)
def test_what_has_either_word_is_found(
    first: tuple[SearchEntry, str], second: tuple[SearchEntry, str]
) -> None:
    words = [word for word in (first[1], second[1]) if not ENGLISH.ignored.fullmatch(word.lower())]
    entries = INDEX.find(" ".join(words))
    assert all(entry in entries for entry, word in (first, second) if word in words)


def test_no_more_is_shown_than_can_be_read() -> None:
    entries = [SearchEntry("rule", "kong", "", "/") for _ in range(100)]
    assert len(SearchIndex(entries, ENGLISH).find("kong")) == MAX_RESULTS_SHOWN == 5


def test_what_stands_in_the_title_outranks_what_stands_in_the_text() -> None:
    text, title = (
        SearchEntry("rule", "pung", "kong", "/t"),
        SearchEntry("rule", "kong", "pung", "/k"),
    )
    assert SearchIndex([text, title], ENGLISH).find("kong") == (title, text)


@pytest.mark.parametrize("path", ["/learn/", "/learn/lessons/", "/learn/lessons/playing"])
def test_every_page_of_learn_has_the_box(client: FlaskClient, path: str) -> None:
    assert get_page(client, path).all('[action="/learn/lessons/search"]')


def test_the_question_does_not_push_its_answers_down(client: FlaskClient) -> None:
    page = get_page(client, "/learn/lessons/search?q=May+I+change+my+mind")
    assert "change my mind" not in page.single("h1").text


def test_what_was_typed_stays_as_it_was_typed(client: FlaskClient) -> None:
    client.post("/phone/", data={"language": "fr"})
    assert get_page(client, "/learn/lessons/search?q=East").all('[value="East"]')
