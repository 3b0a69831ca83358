"""A page that leads to a paper says before what that cannot show: a language, letters of names."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandQuestion, HandRepository
from device.i18n.words import load, say
from device.matches.repository import MatchRepository
from device.paper import letters
from device.store import Store
from device.store.events import DealSettled, MatchEnded, SeasonBegun, WinnerEntered
from tests.device.club.tournament.tournament_play import add_tournament
from tests.device.match_play import AGREED_TERMS
from tests.device.page import get_page
from tests.device.paper.test_letters import ONLY_REPORTLABS
from tests.pdf_pages import text_of
from tests.readers import NEEDS_FONT

pytestmark = NEEDS_FONT

ARABIC, PRINTED_FORM = "محمد", "‹645 62D 645 62F›"
NOTE = say("paper.lost", names=say("paper.lost-name", name=ARABIC, printed=PRINTED_FORM))
NO_FONT = load("zh-Hant")["paper.no-font"]

PAGES = {
    "/settings/print/": "/print/hands.pdf",
    "/club/tables/": "/print/tables.pdf",
    "/club/tables/{table}/": "/print/tables.pdf?table={table}",
    "/match/{match}/": "/match/{match}/score-sheet.pdf",
    "/club/season/{season}/": "/club/season/{season}/standing.pdf",
    "/club/tournaments/{tournament}/results/": "/club/tournaments/{tournament}/results/results.pdf",
    "/learn/card/": "/print/card.pdf",
    "/practise/hand/": "/print/exercises.pdf",
}
"""Each page that leads to a paper, with the paper."""

WITHOUT_NAMES = ("/learn/card/", "/practise/hand/")


@pytest.fixture
def ids(store: Store, hands: HandRepository, client: FlaskClient) -> dict[str, str]:
    """Return what there is in a club with one name that no paper can show."""
    players = (ARABIC, "Bob", "Cy", "Di")
    table = ClubTables(store).lay(ARABIC)
    matches = MatchRepository(store).at_table(table)
    match = matches.begin(structs.replace(AGREED_TERMS, players=players))
    matches.change(match, WinnerEntered(winner="Bob"))
    scores = dict(zip(players, (80, 84, 208, 416), strict=True))
    matches.change(match, DealSettled(winner="Bob", scores=scores))
    matches.change(match, MatchEnded())
    matches.begin(structs.replace(AGREED_TERMS, players=players))
    tournament = add_tournament(
        TournamentRepository(store), players=(ARABIC, "Bob", "Cy", "Di", "Eve", "Fay", "Gus", "Hal")
    )
    event = SeasonBegun("2026", "2026-01-01", "2099-12-31", "totals", (4, 2, 1, 0), None)
    client.get(f"/at/{table}/")
    return {
        "table": table, "match": match, "tournament": tournament,
        "season": SeasonRepository(store).begin(event),
    }  # fmt: skip


@pytest.mark.parametrize("path", [path for path in PAGES if path not in WITHOUT_NAMES])
def test_a_page_names_what_the_paper_cannot_show(
    client: FlaskClient, ids: dict[str, str], path: str
) -> None:
    notes = get_page(client, path.format(**ids)).texts("[role=note]")
    assert NOTE in notes
    client.set_cookie("look", "language=zh-Hant")
    assert NO_FONT not in get_page(client, path.format(**ids)).texts("[role=note]")


@pytest.mark.parametrize("path", PAGES)
def test_without_a_chinese_font_a_page_says_so_and_the_paper_is_english(
    client: FlaskClient, ids: dict[str, str], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "paper_fonts", lambda: ONLY_REPORTLABS)
    client.set_cookie("look", "language=zh-Hant")
    page = get_page(client, path.format(**ids))
    assert NO_FONT in page.texts("[role=note]")
    assert page.single("html")["lang"] == "zh-Hant", "the page itself is as the phone wishes"
    pdf = client.get(PAGES[path].format(**ids)).data
    assert b"/Lang (en-GB)" in pdf
    assert "‹" not in "".join(text_of(pdf)).replace(PRINTED_FORM.replace(" ", ""), "").replace(
        PRINTED_FORM, ""
    )


def test_a_page_has_no_note_where_all_can_be_shown(client: FlaskClient) -> None:
    assert get_page(client, "/settings/print/").texts("[role=note]") == []


def test_a_score_sheet_is_offered_once_there_is_a_hand(
    client: FlaskClient, hands: HandRepository
) -> None:
    hands.begin_question(None, b"", "bmja", HandQuestion())
    page = get_page(client, "/settings/print/")
    assert page.links("/print/hands.pdf") == [], "a question is no hand that was played"
    assert say("print.no-hands") in page.text
    hands.begin_by_hand("bmja")
    assert get_page(client, "/settings/print/").links("/print/hands.pdf")
