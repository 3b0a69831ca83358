"""Players may be called like a word of the scorer's, and keep their names in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.i18n.words import shipped_texts, use_words
from device.matches.repository import MatchRepository
from device.store.events import ChargeMade, DealSettled, ScoreTyped, WinnerEntered
from device.web.whole_words import NON_BREAKING_HYPHEN
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page
from tests.pdf_pages import text_of

PLAYERS = ["West", "East", "Purity", "Chow"]
TRANSLATED_NAMES = ["Ouest", "La pureté"]
"""What two of the names would be if they were the scorer's words."""
SCORES = dict(zip(PLAYERS, (80, 85, 208, 416), strict=True))


@pytest.fixture
def match(matches: MatchRepository, client: FlaskClient) -> Iterator[str]:
    """Let the player called East win a deal; the phone is French, and that of one called West."""
    match = matches.begin(replace(AGREED_TERMS, players=tuple(PLAYERS)))
    client.post("/phone/", data={"language": "fr"})
    client.post("/table/join", data={"number": "0"})
    matches.change(match, WinnerEntered(winner="East", by="West"))
    yield match
    use_words("en-GB")


def text(client: FlaskClient, path: str) -> str:
    """Return the words of a page, without its tags; no-break spaces stay."""
    main = Page(client.get(path, follow_redirects=True).text).main
    return re.sub(r"[ \n]+", " ", main.words)


def settle_deal(client: FlaskClient, matches: MatchRepository, match: str) -> None:
    """Settle the deal: the phone is West's."""
    matches.change(match, DealSettled(winner="East", scores=SCORES, by="West"))


def test_the_settlement_calls_everybody_by_name(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    for player, score in SCORES.items():
        matches.change(match, ScoreTyped(player=player, score=score))
    page = text(client, "/table/settle")
    assert "West paie 85 à East pour le mah-jong, le double car Est paie\u00a0: 170." in page
    assert "Purity paie à Chow la différence, 416\u00a0−\u00a0208\u00a0=\u00a0208." in page
    assert "85 pour East est un nombre impair" in page
    assert not any(word in page for word in TRANSLATED_NAMES)


def test_a_correction_calls_everybody_by_name(
    client: FlaskClient, matches: MatchRepository, match: str
) -> None:
    settle_deal(client, matches, match)
    page = text(client, "/table/deal/1/changes?who=0&score0=20")
    assert "West a fait mah-jong" in page
    answer = client.get("/table/deal/1/changes?who=1&score0=-4")
    assert answer.status_code == 422
    assert "Donne 1\u00a0: Score négatif (West)" in Page(answer.text).words


LONGEST = 24
"""Letters of a player's name."""

RULE_TEXTS = {
    text: said
    for text, said in shipped_texts("fr").items()
    if len(text) <= LONGEST and text.casefold() != said.casefold()
}


def _read_pages(
    client: FlaskClient, matches: MatchRepository, players: tuple[str, ...]
) -> dict[str, str]:
    """Return what pages say of a match of theirs in which all that is told was done."""
    match = matches.begin(replace(AGREED_TERMS, players=players))
    first, second, *_ = players
    matches.change(match, WinnerEntered(winner=first, by=second))
    scores = dict(zip(players, SCORES.values(), strict=True))
    matches.change(match, DealSettled(winner=first, scores=scores, by=second))
    matches.change(match, ChargeMade(payer=first, amounts={second: 50}, why=first, by=second))
    pages = ("/table/", "/table/names/", "/matches", "/match/new", f"/match/{match}/")
    texts = {
        page.replace(match, ""): str(get_page(client, page)).replace(NON_BREAKING_HYPHEN, "-")
        for page in pages
    }
    printed_text = " ".join(text_of(client.get(f"/match/{match}/score-sheet.pdf").data))
    return texts | {"score sheet": re.sub(r"\s+", " ", printed_text)}


def test_who_is_called_like_a_text_of_the_rules_keeps_the_name(
    client: FlaskClient, matches: MatchRepository
) -> None:
    """The phone is French, and its players say pong for pung."""
    client.post("/phone/", data={"language": "fr", "pung": "pong", "circles": "dots"})
    usual = _read_pages(client, matches, ("Ann", "Bob", "Cy", "Di"))
    for players in zip(*[iter(RULE_TEXTS)] * len(SCORES), strict=False):
        for page, words in _read_pages(client, matches, players).items():
            for name in players:
                assert name in words, page
                rule_text = RULE_TEXTS[name]
                assert words.count(rule_text) == usual[page].count(rule_text), (page, name)
    use_words("en-GB")
