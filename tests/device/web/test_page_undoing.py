"""What is taken back can be put back, and nobody is said to have agreed to what they never saw."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from device.hands.repository import HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store.events import TileCorrected, WinnerEntered
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.page import get_page, main_text

FOUR: tuple[Group, ...] = (("concealed", "O7 O7 O7 C1 C2 C3 B4 B5 B6 WS WS DW C9"),)
"""Bob's; put a tile right, and it comes to less."""


class Table:
    """A deal that Cy won, with Bob's hand photographed and agreed to."""

    def __init__(
        self, client: FlaskClient, hands: HandRepository, settled: Wait, reader: FakeReader
    ) -> None:
        self.client, self.hands, self.tables = client, hands, MatchRepository(hands.store)
        self.match = self.tables.begin(AGREED_TERMS)
        self.tables.change(self.match, WinnerEntered(winner="Cy"))
        reader.reading = lay(FOUR)
        answer = client.post(
            "/table/hand/1", data={"photo": (io.BytesIO(picture(lay(FOUR))), "hand.jpg")}
        )
        self.hand = answer.headers["Location"].rstrip("/").rpartition("/")[2]
        settled(self.hand)
        self.agree()

    @property
    def current_match(self) -> Match:
        return self.tables.get(self.match)

    def agree(self) -> TestResponse:
        return self.client.post("/table/hand/1/right", data={"hand": self.hand})

    def settle(self) -> None:
        for number in (0, 2, 3):
            self.client.post(f"/table/hand/{number}/score", data={"score": "40"})
        self.client.post("/table/settle", data={"seen": str(self.current_match.version)})
        assert len(self.current_match.past) == 1

    def seat(self) -> str:
        """Return what Bob's seat says."""
        return get_page(self.client, "/table/").single('a[href="/table/hand/1"]').text

    def undo_in_hand(self) -> None:
        seq = self.hands.get(self.hand).changes[-1].seq
        self.client.post(f"/hand/{self.hand}/undo", data={"seq": str(seq)})


@pytest.fixture
def table(
    client: FlaskClient, hands: HandRepository, wait_settled: Wait, reader: FakeReader
) -> Table:
    return Table(client, hands, wait_settled, reader)


def test_who_agreed_to_a_hand_agreed_to_what_it_came_to_then(table: Table) -> None:
    assert table.seat().endswith("agreed")
    table.hands.change(table.hand, TileCorrected(2, "O8"))
    assert table.seat().endswith("to check"), "it comes to another score, which nobody saw"
    assert "Next: Bob" in main_text(table.client, "/table/") or "Next: Cy" in main_text(
        table.client, "/table/"
    )
    table.agree()
    assert table.seat().endswith("agreed")
    table.undo_in_hand()
    assert table.seat().endswith("to check"), "after an undo as after any other change"


def test_a_deal_is_not_settled_with_a_hand_that_has_changed_since(table: Table) -> None:
    for number in (0, 2, 3):
        table.client.post(f"/table/hand/{number}/score", data={"score": "40"})
    version = table.current_match.version  # a phone shows who pays whom
    table.hands.change(table.hand, TileCorrected(2, "O8"))
    answer = table.client.post("/table/settle", data={"seen": str(version)})
    assert answer.headers["Location"] == f"/hand/{table.hand}/"
    assert not table.current_match.past


def test_what_does_not_change_the_score_needs_nobody_to_agree_again(table: Table) -> None:
    table.hands.change(table.hand, TileCorrected(12, "B9"))
    assert table.seat().endswith("agreed")


def test_undo_has_a_redo_at_the_table(table: Table) -> None:
    table.settle()
    deal = table.current_match.doings[-1].seq
    table.client.post("/table/undo", data={"seq": str(deal)})
    assert not table.current_match.past
    page = main_text(table.client, "/table/")
    assert "Undone: Deal confirmed" in page
    assert "Redo" in page
    before = table.current_match.doings[-1].seq
    table.client.post("/table/undo", data={"seq": str(before)})
    assert "Score typed" in main_text(table.client, "/table/")
    for seq in (before, deal):  # what was taken back last comes first
        answer = table.client.post("/table/redo", data={"seq": str(seq)})
        assert answer.status_code == 303
    assert len(table.current_match.past) == 1
    assert "Redo" not in main_text(table.client, "/table/")
    table.client.post("/table/undo", data={"seq": str(deal)})
    assert not table.current_match.past, "and it can be taken back again"


def test_nothing_is_put_back_once_something_else_has_happened(table: Table) -> None:
    table.settle()
    deal = table.current_match.doings[-1].seq
    table.client.post("/table/undo", data={"seq": str(deal)})
    table.client.post("/table/hand/0/score", data={"score": "44"})
    assert "Redo" not in main_text(table.client, "/table/")
    answer = table.client.post("/table/redo", data={"seq": str(deal)})
    assert answer.status_code == 409
    assert not table.current_match.past


def test_the_second_of_two_undos_is_told_of_the_first(table: Table) -> None:
    table.settle()
    deal = table.current_match.doings[-1].seq
    table.client.post("/table/undo", data={"seq": str(deal)})
    answer = table.client.post("/table/undo", data={"seq": str(deal)})
    assert answer.status_code == 409
    assert "Undone: Somebody confirmed the deal" in answer.text


def test_undo_has_a_redo_in_the_history(table: Table) -> None:
    table.settle()
    deal = table.current_match.doings[-1].seq
    table.client.post(f"/match/{table.match}/undo", data={"seq": str(deal)})
    assert "Redo" in main_text(table.client, f"/match/{table.match}/")
    table.client.post(f"/match/{table.match}/redo", data={"seq": str(deal)})
    assert len(table.current_match.past) == 1


@pytest.mark.parametrize("page", ["", "enter"])
def test_undo_has_a_redo_in_a_hand(table: Table, page: str) -> None:
    table.hands.change(table.hand, TileCorrected(2, "O8"))
    seq = table.hands.get(table.hand).changes[-1].seq
    base = f"/hand/{table.hand}/" + (f"{page}/" if page else "")
    table.client.post(f"{base}undo", data={"seq": str(seq)})
    assert table.hands.get(table.hand).tiles[2].code == "O7"
    shown_page = get_page(table.client, base.rstrip("/") if page else base)
    assert shown_page.all(f'[action="{base}redo"], [formaction="{base}redo"]')
    table.client.post(f"{base}redo", data={"seq": str(seq)})
    assert table.hands.get(table.hand).tiles[2].code == "O8"
    assert table.client.post(f"{base}redo", data={"seq": str(seq)}).status_code != 500


def test_a_hand_of_a_settled_deal_offers_to_correct_the_deal(table: Table) -> None:
    table.settle()
    total = table.current_match.course.totals["Bob"]
    page = get_page(table.client, f"/hand/{table.hand}/")
    assert "Deal 1 is scored. This score counts." in page.single("#beside").text
    assert page.single("#bar").link("The table") == "/table/"
    table.hands.change(table.hand, TileCorrected(2, "O8"))
    page = get_page(table.client, f"/hand/{table.hand}/")
    sentence = "Deal 1 was scored with 6 for this hand. Its tiles now score 2."
    assert sentence in page.text
    preview = main_text(table.client, page.single("#bar").link("Correct the deal"))
    assert "Totals, before and after" in preview
    data = {f"score{n}": "40" for n in (0, 2, 3)} | {"score1": "2", "who": "2"}
    table.client.post(
        "/table/deal/1/correct", data=data | {"seen": str(table.current_match.version)}
    )
    assert table.current_match.course.totals["Bob"] == total - 4 - 2 * 4, (
        "once to Di, and twice to East"
    )
    assert "was scored with" not in main_text(table.client, f"/hand/{table.hand}/")
