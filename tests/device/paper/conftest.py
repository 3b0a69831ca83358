"""Every kind of paper of a club whose names are of many scripts, and what was drawn on it."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from flask.testing import FlaskClient
from msgspec import structs
from reportlab.pdfgen.textobject import PDFTextObject

from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealSettled, MatchEnded, SeasonBegun, WinnerEntered
from device.tilesets.tile_sets import TileSets
from tests.device.club.tournament.tournament_play import add_tournament, play_round
from tests.device.match_play import AGREED_TERMS
from tests.device.tilesets.test_tile_sets import teach

PLAYERS = ("陳静", "张伟", "Đặng Thị", "김민지")
CLUB = (*PLAYERS, "Łukasz", "Иван", "محمد", "André ⅓")
"""Traditional, simplified, Vietnamese, Korean, Polish, Russian; Arabic, which no font can do."""

KINDS = {
    "mat on A3": "/print/mat-a3.pdf",
    "mat on A4": "/print/mat-a4.pdf",
    "label": "/print/label.pdf",
    "codes of tables": "/print/tables.pdf",
    "hands": "/print/hands.pdf",
    "exercises": "/print/exercises.pdf",
    "card": "/print/card.pdf",
    "tile set": "/print/tile-set.pdf",
    "match": "/match/{match}/score-sheet.pdf",
    "season": "/club/season/{season}/standing.pdf",
    "tournament": "/club/tournaments/{tournament}/results/results.pdf",
}

DrawnLetters = dict[int, Counter[str]]
"""How often each letter was drawn, for each PDF that was begun."""


@pytest.fixture
def addresses(
    client: FlaskClient, store: Store, hands: HandRepository, sets: TileSets, read_hand: str
) -> dict[str, str]:
    """Return the address of each kind of paper in a club whose names are of many scripts."""
    table = ClubTables(store).lay("窗邊 Łódź")
    matches = MatchRepository(hands.store).at_table(table)
    match = matches.begin(structs.replace(AGREED_TERMS, players=PLAYERS))
    matches.change(match, WinnerEntered(winner=PLAYERS[0]))
    scores = dict(zip(PLAYERS, (80, 84, 208, 416), strict=True))
    matches.change(match, DealSettled(winner=PLAYERS[0], scores=scores))
    matches.change(match, MatchEnded())
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments, name="秋季 Đua", players=CLUB)
    play_round(tournaments, tournament)
    days = ("2026-01-01", "2099-12-31")
    season = SeasonRepository(store).begin(
        SeasonBegun("二〇二六", *days, "totals", (4, 2, 1, 0), None)
    )
    sets.allow(is_allowed=True)
    teach(sets, hands, read_hand)
    client.set_cookie("look", "language=zh-Hant")
    ids = {"match": match, "tournament": tournament, "season": season}
    return {kind: address.format(**ids) for kind, address in KINDS.items()}


@pytest.fixture
def drawn_letters(monkeypatch: pytest.MonkeyPatch) -> DrawnLetters:
    """Count the letters handed to ReportLab, for each canvas by itself."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    format_text = PDFTextObject._formatText

    def count_text(self: PDFTextObject, text: str) -> str:
        counts[id(self._canvas)].update("".join(text.split()))
        canvases.append(self._canvas)  # no other gets its id
        return str(format_text(self, text))

    canvases: list[object] = []
    monkeypatch.setattr(PDFTextObject, "_formatText", count_text)
    return counts
