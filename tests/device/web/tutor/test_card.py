"""The reference card: every row in force, on the page and on one sheet of A4."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.i18n.words import use_words
from device.matches.repository import MatchRepository
from device.paper.card import print_card
from device.paper.letters import make_printable
from device.views.tutor.card import card_view
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import load_builtin_text
from scorer.teach.lessons.reference_card import make_reference_card
from tests.device.command import bytes_of, refusal_of
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page
from tests.pdf_pages import sizes, smallest_letters, text_of

pytestmark = pytest.mark.slow

BMJA, SAFALRA = load_builtin("bmja"), load_builtin("safalra")
OTHER_OPTIONS = BMJA.with_choices(
    tuple(f"{each.name}:{'off' if each.default else 'on'}" for each in BMJA.options)
)
TABLES = {"bmja": BMJA, "safalra": SAFALRA, "all choices made": replace(OTHER_OPTIONS, limit=None)}
each_table = pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES.keys())


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    yield
    use_words("en-GB")


def one_line(text: str) -> str:
    return " ".join(text.split())


def words_of(page: str) -> str:
    """Return the words of a page's main part, without its tags."""
    return Page(page).main.text


@each_table
def test_every_row_that_gives_something_stands_on_the_card(rules: Ruleset) -> None:
    card = make_reference_card(rules)
    rows = [*card.sets, *card.pairs_and_bonus, *card.winner, *card.doubles,
            *card.winner_doubles, *card.beside_specials]  # fmt: skip
    assert {(row.id, row.label) for row in rows} == {
        (row.id, row.label) for row in rules.rules if row.gives
    }
    assert len(rows) == len({(row.id, row.label) for row in rows}), "and none twice"
    assert {special.id for special in card.specials} == {each.id for each in rules.specials}
    values = [special.value for special in card.specials]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("rules", "language", "smallest"),
    [(BMJA, "en-GB", 7), (SAFALRA, "en-GB", 7), (TABLES["all choices made"], "fr", 6)],
)
def test_it_is_one_sheet_of_a4_with_every_line(
    rules: Ruleset, language: str, smallest: float
) -> None:
    """The smallest letters in points: those of a small newspaper have 7."""
    use_words(language)
    pdf = print_card(rules)
    assert smallest_letters(pdf) >= smallest
    assert f"/Lang ({language})".encode() in pdf, "for what reads it aloud"
    assert [(round(w), round(h)) for w, h in sizes(pdf)] == [(210, 297)]
    (text,) = map(one_line, text_of(pdf))
    view = card_view(rules)
    for part in view.parts:
        assert make_printable(part.title) in text
        for row in part.rows:
            for said in (row.words, row.shape, *row.amounts):
                # A word may be parted at its hyphen where the line ends.
                assert squeeze_text(make_printable(said)) in squeeze_text(text), said
    assert squeeze_text(make_printable(view.notice)) in squeeze_text(text)


def squeeze_text(text: str) -> str:
    """Return a text without blanks and hyphens, as lines may break at them."""
    return re.sub(r"[\s\u00ad\u2010\ufffe-]", "", text)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("Going out 20", "the winner's points"),
        ("Limit 1000", "the limit"),
        (
            "Fourfold plenty 1000 400 Four kongs and any pair.",
            "won, one tile short, how it is made",
        ),
        ("A concealed kong lies with both end tiles face down.", "how kongs are laid"),
        ("Whatever East pays or receives is doubled.", "the settlement"),
    ],
)
def test_what_the_page_says(client: FlaskClient, words: str, reason: str) -> None:
    assert words in words_of(client.get("/learn/card/").text), reason


def test_the_tables_choices_and_limit_are_on_it(
    client: FlaskClient, matches: MatchRepository
) -> None:
    house = ["clean_hand:off", "prevailing_wind_doubles:on"]
    matches.begin(structs.replace(AGREED_TERMS, house=tuple(house), limit=600))
    page = words_of(client.get("/learn/card/").text)
    assert "Limit 600" in page
    assert "One suit with honours ×2" not in page
    assert "This table does not play: One suit with honours doubles." in page
    assert "Whatever the player of the prevailing wind pays or receives is doubled." in page
    assert "Limit 600" in one_line(text_of(client.get("/print/card.pdf").data)[0])


def test_the_card_is_linked_where_it_is_looked_for(client: FlaskClient) -> None:
    for path in ("/settings/print/", "/learn/card/"):
        assert "/print/card.pdf" in get_page(client, path).links()
    assert "/learn/card/" in get_page(client, "/learn/").links()
    answer = client.get("/print/card.pdf")
    assert (answer.status_code, answer.mimetype) == (200, "application/pdf")


def print_card_pdf(*arguments: str) -> str:
    (text,) = text_of(bytes_of("print", "card", *arguments))
    return one_line(text)


def test_the_command_prints_a_rulesets_card(tmp_path: Path) -> None:
    assert "British Mah-Jong (BMJA): reference card" in print_card_pdf()
    assert "reconstructed" in print_card_pdf("--rules", "safalra")
    rules_path = tmp_path / "ours.toml"
    rules_path.write_text(
        load_builtin_text("bmja").replace("points = 20", "points = 30", 1), "utf-8"
    )
    assert "Going out 30" in print_card_pdf("--rules", str(rules_path))


def test_a_file_that_is_no_ruleset_is_refused() -> None:
    error = refusal_of("print", "card", "--rules", "nowhere.toml")
    assert error.startswith("tongbox: nowhere.toml: The file cannot be opened")
