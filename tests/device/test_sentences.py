"""What the scorer says in English is said on the page in every other language, to the last word."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.web.sentences import HOLES, Phrasebook, Row
from device.web.words import LANGUAGES, about, load, translated, use_words
from scorer.errors import HandError
from scorer.hand import Hand
from scorer.score import score
from tests.device.said import PLAYERS, everything
from tests.scorer.strategies import lost_hands, won_hands

pytestmark = pytest.mark.slow

OTHERS = LANGUAGES[1:]
BOOKS = {language: Phrasebook(load(language)) for language in OTHERS}

CODES = r"\b(?:BMJA|SAF)-[A-Z]\d+|\bBMJA\b|\bbmja\b|\bsafalra\b|\b[a-z]+(?:_[a-z]+)+\b|:o(?:n|ff)\b"
"""What is the same in every language: ids of rules, rulesets, choices as they are typed."""

ENGLISH_LEFT = {
    "fr": re.compile(
        r"\b(the|of|is|are|was|were|has|have|not|and|with|but|by|for|hand|hands|tile|tiles|wall"
        r"|winds?|only|than|this|that|these|there|it|its|from|in|to|pays|points more|East|West"
        r"|South|North|bamboo|circles?|characters?|fewer|claimed|drawn|winning|pair|sets?)\b",
        re.IGNORECASE,
    ),
    "zh-Hant": re.compile(r"[A-Za-z]{2,}"),
}
"""Words by which a language tells that something has been left in English."""

PROPER = (
    "Safalra", "Tongbox", "JPEG", "PNG", "HEIC", "USB", "Pi", "sudo apt install python3-picamera2",
    "picamera2",
)  # fmt: skip

HAND_TEXT = re.compile(r"^At character |: write |; write NAME|no way of winning")
"""What is about typed words: those are English in every language."""


class Noted(dict[str, str]):
    """The words of a language, and which of them were asked for."""

    def __init__(self, words: dict[str, str]) -> None:
        super().__init__(words)
        self.used: set[str] = set()

    def get(self, key: str, default: str | None = None) -> str | None:  # type: ignore[override]
        if key in self:
            self.used.add(key)
        return super().get(key, default)


class Noting(Phrasebook):
    """A phrasebook that notes which of its rows are any good."""

    def __init__(self, words: Noted) -> None:
        super().__init__(words)
        self._noted = words

    def matches(self, text: str, names: frozenset[str] = PLAYERS) -> Iterator[tuple[Row, str]]:
        for row, said in super().matches(text, names):
            self._noted.used.add(f"sentences.{row.english}")
            yield row, said


def left_in_english(language: str, text: str) -> str | None:
    """Return what is said for a text if any of it is English, or not said at all; else None."""
    said = BOOKS[language].said(text, PLAYERS)
    if said is None:
        return f"not in the book: {text}" if re.search("[A-Za-z]", text) else None
    rest = re.sub(CODES, "", said, flags=re.ASCII)
    typed = re.findall(r"'([^' ]+)'", text)
    for name in (*PLAYERS, *PROPER, *typed):
        rest = rest.replace(name, "")
    found = ENGLISH_LEFT[language].search(rest)
    return None if found is None or HAND_TEXT.search(text) else f"{found[0]!r} in: {said}"


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_that_the_scorer_says_is_left_in_english(language: str) -> None:
    assert len(everything()) > 1500, "the search itself works"
    assert [left for text in everything() if (left := left_in_english(language, text))] == []


@given(st.one_of(won_hands().map(lambda won: won.hand), lost_hands()))
def test_nothing_said_of_any_hand_is_left_in_english(hand: Hand) -> None:
    try:
        found = score(hand)
    except HandError as failure:
        texts = [each.message for each in failure.problems]
    else:
        texts = [each.reason for each in found.not_counted]
        texts += [each.message for each in found.problems]
        texts += [text for way in found.compared for text in (way.label, way.working)]
    for language in OTHERS:
        assert [left for text in texts if (left := left_in_english(language, text))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_row_is_for_something_that_is_said(language: str) -> None:
    file = files("device.web") / "strings" / language / "sentences.toml"
    tables = tomllib.loads(file.read_text("utf-8"))
    rows = {f"{part}.{key}" for part in tables if part != "listing" for key in tables[part]}
    words = Noted(load(language))
    book = Noting(words)
    for text in everything():
        book.said(text, PLAYERS)
    assert rows - words.used == set()


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_has_two_meanings(language: str) -> None:
    book = BOOKS[language]
    meant = {text: {said for _, said in book.matches(text, PLAYERS)} for text in everything()}
    whole = {key.partition(".")[2] for key in load(language) if key.startswith("phrases.")}
    assert {text: said for text, said in meant.items() if len(said) > 1 and text not in whole} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_what_fills_a_sentence_is_said_in_both_languages(language: str) -> None:
    for row in BOOKS[language].rows:
        assert set(row.kinds.values()) <= HOLES.keys(), row.english
        said = set(re.findall(r"\{(\w+)\}", row.said))
        spared = {"same", "again", "first"}  # what English says twice
        assert row.kinds.keys() - said <= spared, row.english
        assert said <= row.kinds.keys(), row.english


def test_many_sentences_in_a_row_take_no_longer_than_so_many() -> None:
    """Where each might end after any other, all ways to part them would be a million."""
    book, english = BOOKS["fr"], "West pays East 12 for going Mah-Jong."
    assert book.said(" ".join([english] * 20)) == " ".join([str(book.said(english))] * 20)
    assert book.said(" ".join([english] * 20 + ["Nobody says this"])) is None


def test_every_language_has_the_same_sentences() -> None:
    kinds = [{row.english for row in book.rows} for book in BOOKS.values()]
    assert all(each == kinds[0] for each in kinds)


@pytest.mark.parametrize("name", ["sentences", "readings", "cameras"])
def test_french_is_set_as_french_is(name: str) -> None:
    file = files("device.web") / "strings" / "fr" / f"{name}.toml"
    tables = tomllib.loads(file.read_text("utf-8")).values()
    said = [text for table in tables for text in table.values()]
    wrong = re.compile(r"[^\u00a0][;?!»]|[^\u00a0\w]:|«[^\u00a0]|'")
    assert said
    assert [text for text in said if wrong.search(text)] == []


SAID = [
    ("The pung of 2 circles is no kong.", "Le pung de 2 cercles n’est pas un kong.",
     "a set within a sentence, which begins with a capital"),
    ("Only flower 4 (bamboo) is missing.", "Il ne manque que\u00a0: fleur 4 (bambou).", "a tile"),
    ("The exposed tiles 1 circle, 2 circles and 4 circles are no chow, pung or kong.",
     "Les tuiles exposées ne font ni chow, ni pung, ni kong\u00a0: 1 cercle, 2 cercles et "
     "4 cercles.", "a list"),
    ("One double more: all concealed.", "Un double de plus\u00a0: tout caché.",
     "a rule's label with a small letter"),
    ("At a table of friends nobody counts.", "At a table of friends nobody counts.",
     "what the scorer never says"),
    ("A hand may hold only one chow. These tiles need more.",
     "Une main ne peut avoir qu’un chow. Il en faudrait plus pour ces tuiles.", "two sentences"),
    ("A hand may hold only one chow. And then some.",
     "A hand may hold only one chow. And then some.", "not half of it"),
]  # fmt: skip


@pytest.mark.parametrize(("english", "french", "why"), SAID)
def test_what_is_said_in_french(english: str, french: str, why: str) -> None:
    use_words("fr")
    assert translated(english) == french, why
    use_words("en-GB")
    assert translated(english) == english


PAYMENTS = [
    ("East pays West 84 for going Mah-Jong.", (), "Est paie 84 à Ouest pour le mah-jong.", "winds"),
    ("East pays West 84 for going Mah-Jong.", ("East", "West"),
     "East paie 84 à West pour le mah-jong.", "players who are called so"),
    ("West pays East 84 for going Mah-Jong, doubled because East receives: 168.", ("West", "East"),
     "West paie 84 à East pour le mah-jong, le double car Est reçoit\u00a0: 168.",
     "the wind East, besides a player of that name"),
    ("The Ritz pays Purity 20 for going Mah-Jong.", ("The Ritz", "Purity"),
     "The Ritz paie 20 à Purity pour le mah-jong.", "names that look like the scorer's words"),
    ("ann pays bob 20 for going Mah-Jong.", ("ann", "bob"),
     "ann paie 20 à bob pour le mah-jong.", "small letters stay"),
]  # fmt: skip


@pytest.mark.parametrize(("english", "players", "french", "why"), PAYMENTS)
def test_players_keep_their_names(
    english: str, players: tuple[str, ...], french: str, why: str
) -> None:
    use_words("fr")
    assert about(players, english) == french, why
    use_words("en-GB")
    assert about(players, english) == english
