"""What the scorer says is said on the page in every other language, to the last word."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.hands.record import ways_to_win
from device.i18n.words import (
    LANGUAGES,
    catalogue,
    load,
    own_texts,
    say,
    shipped_texts,
    spoken,
    use_words,
)
from scorer.breakdown import TileSet
from scorer.errors import HandError
from scorer.hand import RULESETS, Hand
from scorer.match.settlement import Payment, settle
from scorer.message import Message, Words, flatten, message, plain_text, rule_text
from scorer.patterns.wording import describe_pattern
from scorer.rulesets.checks import quote_name
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.rows import change_row, find_row, list_rows
from scorer.score import score
from scorer.tile_names import describe_set, name_the_set, name_tile, name_tiles
from tests.device.scorer_messages import PLAYERS, everything
from tests.scorer.patterns.test_patterns import BAD_PATTERNS, SAYS, pattern_faults
from tests.scorer.patterns.test_patterns import ROWS as PATTERNS
from tests.scorer.rulesets.test_ruleset_file import AGREEMENT, KEYS, SYNTAX, VALUES, faults_of
from tests.scorer.strategies import lost_hands, won_hands

pytestmark = pytest.mark.slow

OTHER_LANGUAGES = LANGUAGES[1:]

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


def left_in_english(language: str, words: Words) -> str | None:
    """Return what is said if any of it is English; else None."""
    use_words(language)
    text = spoken(words)
    use_words("en-GB")
    if is_typed(words):
        return None
    rest = re.sub(CODES, "", text, flags=re.ASCII)
    typed_words = (
        _quoted_words(words) if isinstance(words, Message) else re.findall(r"'([^' ]+)'", words)
    )
    for name in (*PLAYERS, *PROPER, *typed_words):
        rest = rest.replace(name, "")
    english_part = ENGLISH_LEFT[language].search(rest)
    return f"{english_part[0]!r} in: {text}" if english_part else None


def is_typed(words: Words) -> bool:
    """Whether it is about typed words: those are English in every language."""
    typed_keys = ("text.at", "said.unknown-won-by", "said.unknown-choice")
    return isinstance(words, Message) and words.key in typed_keys


def _quoted_words(words: Message) -> list[str]:
    """Return what somebody typed and is shown again."""
    names = ("said", "code", "word", "seat", "player", "folder", "picture", "layout")
    return [value for name, value in words.fields if name in names and isinstance(value, str)]


def test_nothing_that_the_scorer_says_is_left_in_english_nor_out_of_a_catalogue() -> None:
    assert len(everything()) > 1500, "the search itself works"
    for language in OTHER_LANGUAGES:
        assert [left for each in everything() if (left := left_in_english(language, each))] == []
    messages = [each for each in everything() if isinstance(each, Message)]
    for book in map(catalogue, LANGUAGES):
        assert [each for each in messages if not book.has(each)] == []


@given(st.one_of(won_hands().map(lambda won_hand: won_hand.hand), lost_hands()))
def test_nothing_said_of_any_hand_is_left_in_english(hand: Hand) -> None:
    texts: list[Words]
    try:
        breakdown = score(hand)
    except HandError as failure:
        texts = [each.message for each in failure.problems]
    else:
        texts = [each.reason for each in breakdown.not_counted]
        texts += [each.message for each in breakdown.problems]
        texts += [words for way in breakdown.compared for words in (way.label, way.working)]
    for language in OTHER_LANGUAGES:
        assert [left for each in texts if (left := left_in_english(language, each))] == []


QUOTED_PATTERN = r"«[^»]*»|「[^」]*」|\[+[a-z_]+\]+|\{.*\}|\w+ = \d|true|false|TOML|UTF-8"
"""What a file says stays as it is; all of it is quoted as the language quotes."""


def test_no_fault_of_a_ruleset_is_left_in_english() -> None:
    edits = (*SYNTAX, *KEYS, *VALUES, *AGREEMENT)
    faults = [each.message for edit in edits for each in faults_of(edit.text())]
    faults += [fault for text, _, _ in BAD_PATTERNS for fault in pattern_faults(text)]
    assert len(faults) > 120, "the search itself works"
    for language, fault in product(OTHER_LANGUAGES, faults):
        assert catalogue(language).has(fault)
        if "ruleset-syntax.in-its-words" not in repr(fault):
            rest = re.sub(QUOTED_PATTERN, "", catalogue(language).say(fault))
            rest = re.sub("|".join((CODES, *PROPER)), "", rest, flags=re.ASCII)
            assert not ENGLISH_LEFT[language].search(rest), rest


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_every_pattern_is_said_in_the_language(language: str) -> None:
    book = catalogue(language)
    for pattern, *_ in (*PATTERNS, *SAYS):
        text = describe_pattern(pattern)
        assert book.has(text)
        assert not ENGLISH_LEFT[language].search(book.say(text)), pattern


@pytest.mark.parametrize("name", RULESETS)
def test_another_number_of_doubles_leaves_a_sentence_translated(name: str) -> None:
    text = load_builtin_text(name)
    rows = [row for row in list_rows(text) if row.block == "rule" and "doubles" in row.data]
    assert rows
    for row in rows:
        sentences = [
            rule_text(str(changed.data["sentence"]))
            for doubles in ("1", "2", "3")
            if (changed := find_row(change_row(text, row, {"doubles": doubles}), row.address))
        ]
        for language in OTHER_LANGUAGES:
            texts = set(map(catalogue(language).say, sentences))
            assert len(texts) == 3, "each says its number"
            assert not any(ENGLISH_LEFT[language].search(each) for each in texts)


FRENCH = sorted(
    file
    for file in (Path(str(files("device.i18n"))) / "strings" / "fr").glob("*.toml")
    if file.stem != "dates"  # patterns, no sentences
)


@pytest.mark.parametrize("file", FRENCH, ids=lambda file: file.stem)
def test_french_is_set_as_french_is(file: Path) -> None:
    texts = flatten(tomllib.loads(file.read_text("utf-8"))).values()
    sentences = [text for text in texts if "→" not in text]  # no table of words to replace
    wrong = re.compile(r"[^\u202f][;?!]|[^\u00a0]»|[^\u00a0\w]:|«[^\u00a0]|'")
    assert sentences
    assert [text for text in sentences if wrong.search(text)] == []


def test_chinese_has_no_spaces_and_its_own_quotation_marks() -> None:
    texts = {**own_texts("zh-Hant"), **shipped_texts("zh-Hant")}
    wrong = re.compile(r"[\u4e00-\u9fff][ \u00a0]+[\w{]|[\w}][ \u00a0]+[\u4e00-\u9fff]|[\"“”]")
    sentences = {key: text for key, text in texts.items() if "→" not in text}
    assert {key: text for key, text in sentences.items() if wrong.search(text)} == {}


PUNG = TileSet("pung", ("O2", "O2", "O2"), concealed=False)

SENTENCES = [
    (message("diff.changed", what=name_the_set(PUNG), after=4, before=2),
     "Le pung de 2 cercles\u00a0: 4 au lieu de 2.", "a set that begins a sentence"),
    (message("held.winning-tile-gone", tile=name_tile("F4")),
     "La tuile gagnante n’est pas dans la main\u00a0: fleur 4 (bambou).", "a tile"),
    (message("held.not-a-set", tiles=name_tiles(("O1", "O2", "O4"))),
     "Les tuiles exposées ne font ni chow, ni pung, ni kong\u00a0: 1 cercle, 2 cercles et "
     "4 cercles.", "a list"),
    (message("diff.more", amount=message("diff.doubles", count=1),
             what=message("diff.within", label=rule_text("All concealed"))),
     "Un double de plus\u00a0: tout caché.", "a rule's label with a small letter"),
    (message("ruleset-file.same-hands", key="pattern", name=quote_name("Purity")),
     "«\u00a0pattern\u00a0» et «\u00a0La pureté\u00a0» permettent les mêmes mains\u00a0: gardez "
     "l’un des deux.", "a hand in the language and in its quotation marks"),
    (rule_text("All our own"), "All our own", "what only this table's rules say"),
    (plain_text("At a table of friends nobody counts."), "At a table of friends nobody counts.",
     "what somebody wrote"),
    (describe_set(PUNG), "pung exposé de 2 cercles", "a set and how it lies"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "french", "reason"), SENTENCES)
def test_what_is_said_in_french(words: Message, french: str, reason: str) -> None:
    use_words("fr")
    assert spoken(words) == french, reason
    use_words("en-GB")


NAMES = [
    ({}, "Est paie 168 à Ouest", "winds"),
    ({"E": "East", "W": "West"}, "East paie 168 à West", "players who are called so"),
    ({"E": "The Ritz", "W": "Purity"}, "The Ritz paie 168 à Purity", "names that are words too"),
    ({"E": "ann", "W": "bob"}, "ann paie 168 à bob", "small letters stay"),
]


@pytest.mark.parametrize(("names", "begins", "reason"), NAMES)
def test_players_keep_their_names(names: dict[str, str], begins: str, reason: str) -> None:
    payment = _first({"E": 20, "W": 168, "S": 0, "N": 0}, names)
    use_words("fr")
    text = spoken(payment.why)
    use_words("en-GB")
    assert text.startswith(begins), reason
    assert text.endswith("pour le mah-jong, le double car Est paie\u00a0: 336."), "the wind East"


def _first(scores: dict[str, int], names: dict[str, str]) -> Payment:
    return settle(scores, "W", names=names).payments[0]


HOW_WON = [
    ("wall", "Ann a fait mah-jong, tuile tirée du mur"),
    ("discard", "Ann a fait mah-jong, sur une défausse"),
    ("robbed-kong", "Ann a fait mah-jong, en volant un kong"),
]


@pytest.mark.parametrize(("way", "french"), HOW_WON)
def test_how_a_hand_was_won_fits_its_sentence(way: str, french: str) -> None:
    use_words("fr")
    assert say("history.won", player="Ann", how=say(f"won-how.{way}")) == french
    use_words("en-GB")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_way_to_win_has_its_form_within_a_sentence(language: str) -> None:
    texts = load(language)
    for way in ways_to_win():
        form = texts[f"won-how.{way}"]
        assert form[0] == form[0].lower(), f"{form} begins no sentence"
