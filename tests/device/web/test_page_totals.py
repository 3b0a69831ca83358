"""All scores of a deal typed on one page."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store.events import ScoreTyped, WinnerEntered
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, Group
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page, main_text
from tests.device.web.test_page_doubts import Table, noise

HAND: tuple[Group, ...] = (("concealed", "C4 C5 C6 O1 O2 O3 B1 B2 B3 WN WN DR DG"),)
SCORES = {"score0": "28", "score1": "8", "score2": "96", "score3": "0"}


class Typing:
    """A match at whose table nobody photographs."""

    def __init__(self, client: FlaskClient, hands: HandRepository) -> None:
        self.client, self.tables = client, MatchRepository(hands.store)
        self.id = self.tables.begin(AGREED_TERMS)

    @property
    def match(self) -> Match:
        return self.tables.get(self.id)

    def fields(self) -> dict[str, str]:
        """Return what the page would send, the empty numbers too."""
        page = get_page(self.client, "/table/totals/")
        fields = page.all("form [type=hidden], form [type=number]")
        return {each["name"]: each.get("value") for each in fields}

    def send(self, **fields: str) -> tuple[int, str, str]:
        """Send the page with this in it; return status, where it leads, and what it says."""
        answer = self.client.post("/table/totals/", data={**self.fields(), **fields})
        return answer.status_code, answer.headers.get("Location", ""), Page(answer.text).text

    def saved_scores(self) -> dict[str, int | None]:
        return {player: given.typed for player, given in self.match.deal.hands.items()}


@pytest.fixture
def typing(client: FlaskClient, hands: HandRepository) -> Typing:
    return Typing(client, hands)


def test_it_keeps_what_typing_seat_by_seat_keeps(
    typing: Typing, client: FlaskClient, hands: HandRepository
) -> None:
    assert typing.send(who="2", won_by="discard", **SCORES)[1] == "/table/settle"
    deal = typing.match.deal
    other_match = typing.tables.begin(AGREED_TERMS)
    client.post("/table/winner", data={"who": "2", "won_by": "discard"})
    for name, score in SCORES.items():
        client.post(f"/table/hand/{name[-1]}/score", data={"score": score})
    assert typing.tables.get(other_match).deal == deal
    kinds = [each.event.kind for each in hands.store.events(typing.id)]
    assert kinds[1:6] == [WinnerEntered.kind, *[ScoreTyped.kind] * 4]


def test_the_tables_page_leads_there_until_all_is_said(typing: Typing) -> None:
    assert "/table/totals/" in get_page(typing.client, "/table/").links()
    typing.send(who="2", **SCORES)
    assert "/table/totals/" not in get_page(typing.client, "/table/").links()


def test_what_is_missing_is_asked_for_seat_by_seat(typing: Typing) -> None:
    assert typing.send(who="2", score2="96", score0="20")[1] == "/table/hand/3"
    assert typing.saved_scores() == {"Ann": 20, "Cy": 96}


def test_what_was_typed_stands_there_and_is_kept_once(typing: Typing) -> None:
    typing.send(who="2", **SCORES)
    version = typing.match.version
    assert {name: typing.fields()[name] for name in SCORES} == SCORES
    typing.send(who="2")
    assert typing.match.version == version, "nothing was news"
    typing.send(who="2", score0="24")
    assert typing.match.version == version + 1
    assert typing.saved_scores()["Ann"] == 24


def test_another_winner_leaves_the_numbers_right(typing: Typing) -> None:
    typing.send(who="2", **SCORES)
    assert typing.send(who="0")[1] == "/table/settle"
    assert typing.match.deal.ending.winner == "Ann"  # type: ignore[union-attr]


def test_a_wash_out_needs_no_numbers(typing: Typing) -> None:
    assert typing.send(who="-1")[1] == "/table/settle"
    assert not typing.saved_scores()


ABOVE_LIMIT, UNEVEN = (
    "1600 for Cy is more than the limit of 1000.",
    "3 for Bob is an odd number. Under these rules every score is even.",
)
WRONG = {"score0": "20", "score1": "3", "score2": "1600", "score3": "0"}


def test_scores_that_cannot_be_are_asked_about_and_may_be_kept(typing: Typing) -> None:
    status, _, says = typing.send(who="2", **WRONG)
    assert (status, typing.saved_scores()) == (422, {})
    assert ABOVE_LIMIT in says
    assert UNEVEN in says
    page = Page(
        typing.client.post("/table/totals/", data={**typing.fields(), "who": "2", **WRONG}).text
    )
    assert [page.value(name) for name in WRONG] == list(WRONG.values()), "nothing typed is lost"
    keep = page.button("Save anyway")
    assert keep["name"] == "keep"

    other = {**WRONG, "score2": "99999", "keep": keep["value"]}
    assert typing.send(who="2", **other)[0] == 422, "another number is asked about anew"
    assert typing.send(who="2", **WRONG, keep=keep["value"])[1] == "/table/settle"
    settlement = get_page(typing.client, "/table/settle")
    assert {ABOVE_LIMIT, UNEVEN} <= set(settlement.texts(".problem"))
    typing.client.post("/table/settle", data={"seen": typing.match.version})
    notes = get_page(typing.client, f"/match/{typing.id}/").texts("#entry-1 .problem")
    assert notes == [f"{each} The table saved it anyway." for each in (UNEVEN, ABOVE_LIMIT)]


def test_one_typed_score_that_cannot_be_is_asked_about_and_may_be_kept(typing: Typing) -> None:
    typing.client.post("/table/winner", data={"who": "2", "won_by": "discard"})
    answer = typing.client.post("/table/hand/2/score", data={"score": "1600"})
    assert typing.saved_scores() == {}
    page = get_page(typing.client, answer.headers["Location"])
    assert ABOVE_LIMIT in page.texts("details[open] .problem")
    assert page.values("score")[0] == "1600"
    keep = page.button("Save anyway")["value"]
    fields = {"score": "99999", "keep": keep}
    typing.client.post("/table/hand/2/score", data=fields)
    assert typing.saved_scores() == {}, "another number is asked about anew"
    typing.client.post("/table/hand/2/score", data={"score": "1600", "keep": keep})
    assert typing.saved_scores() == {"Cy": 1600}


def test_a_correction_that_cannot_be_is_asked_about_and_may_be_kept(typing: Typing) -> None:
    typing.send(who="2", **SCORES)
    typing.client.post("/table/settle", data={"seen": typing.match.version})
    assert get_page(typing.client, f"/match/{typing.id}/").texts("#entry-1 .problem") == []
    fields = {"seen": typing.match.version, "score1": "5000"}
    answer = typing.client.post("/table/deal/1/correct", data=fields)
    assert typing.match.version == fields["seen"], "nothing is kept unseen"
    page = get_page(typing.client, answer.headers["Location"])
    sentence = "5000 for Bob is more than the limit of 1000."
    assert sentence in page.texts(".problem")
    form = {each["name"]: each["value"] for each in page.all("#bar [type=hidden]")}
    assert "Save anyway" in page.single("#bar button").text
    typing.client.post("/table/deal/1/correct", data=form)
    (note,) = get_page(typing.client, f"/match/{typing.id}/").texts("#entry-1 .problem")
    assert note == f"{sentence} The table saved it anyway."

    shown_page = get_page(typing.client, "/table/deal/1/changes?score0=24")
    assert sentence not in shown_page.texts(".problem"), (
        "what the table kept is not asked about again"
    )
    assert "Confirm the correction" in shown_page.single("#bar button").text


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"score0": "20"}, "Please say who went out."),
        ({"who": "-1", "score0": "20"}, "Nobody went out, so no scores count."),
        ({"who": "2", "score0": "many"}, "Please type a whole number"),
        ({"who": "2", "score0": "-8"}, "Ann's score is -8, but no hand scores below 0."),
        ({"who": "2", "won_by": "heaven", "score0": "4"}, "Only East is dealt a complete hand."),
        ({"who": "0", "won_by": "earth", "score0": "40"}, "East cannot claim East's own first"),
    ],
)
def test_what_makes_no_sense_is_told_and_nothing_typed_is_lost(
    typing: Typing, fields: dict[str, str], says: str
) -> None:
    version = typing.match.version
    status, _, text = typing.send(**{"score1": "44"} | fields)
    assert status == 422
    assert says in text
    assert typing.match.version == version
    response = typing.client.post(
        "/table/totals/", data={**typing.fields(), "score1": "44", **fields}
    )
    page = Page(response.text)
    assert (page.value("score0"), page.value("score1")) == (fields["score0"], "44")


def test_who_does_not_play_cannot_win(typing: Typing) -> None:
    for who in ("9", "x", "1.5"):
        assert typing.send(who=who, **SCORES)[0] in (404, 422)
        assert typing.match.deal.ending is None


class PhotographedDeal(Typing):
    """One of whose hands was photographed."""

    def __init__(self, client: FlaskClient, table: Table) -> None:
        self.client, self.tables, self.id = client, table.tables, table.match
        self.table = table

    def photograph(self) -> str:
        return self.table.give(1, HAND, noise(1))


@pytest.fixture
def photographed_deal(
    client: FlaskClient, hands: HandRepository, wait_settled: Wait, reader: FakeReader
) -> PhotographedDeal:
    return PhotographedDeal(client, Table(client, hands, wait_settled, reader))


def test_a_photographed_hand_is_said_and_kept_where_its_field_stays_empty(
    photographed_deal: PhotographedDeal,
) -> None:
    hand = photographed_deal.photograph()
    assert "A hand was entered and scores" in main_text(photographed_deal.client, "/table/totals/")
    assert photographed_deal.fields()["score1"] == ""
    photographed_deal.send(who="2", score0="20", score2="96", score3="0")
    given_hand = photographed_deal.match.deal.given_hand("Bob")
    assert (given_hand.hand, given_hand.typed, given_hand.agreed) == (hand, None, True)


def test_a_number_over_a_hand_counts_and_the_hand_is_not_lost(
    photographed_deal: PhotographedDeal,
) -> None:
    hand = photographed_deal.photograph()
    photographed_deal.send(who="2", **SCORES)
    given_hand = photographed_deal.match.deal.given_hand("Bob")
    assert (given_hand.hand, given_hand.typed) == (hand, 8)


def test_a_hand_that_came_in_meanwhile_is_shown_before_a_number_replaces_it(
    photographed_deal: PhotographedDeal,
) -> None:
    before = photographed_deal.fields()
    photographed_deal.photograph()
    fields = {**before, "who": "2", **SCORES}
    answer = photographed_deal.client.post("/table/totals/", data=fields)
    assert answer.status_code == 409
    assert "while you were on this page" in answer.text
    assert "tap “Save these scores” again." in Page(answer.text).main.text
    assert photographed_deal.saved_scores()["Bob"] is None
    shown_fields = {
        each["name"]: each["value"] for each in Page(answer.text).all('[name^="instead"]')
    }
    photographed_deal.client.post("/table/totals/", data={**fields, **shown_fields})
    assert photographed_deal.saved_scores()["Bob"] == 8


def test_what_another_phone_typed_meanwhile_is_shown_too(typing: Typing) -> None:
    before = typing.fields()
    typing.send(who="2", score1="44")
    fields = {**before, "who": "2", **SCORES, "seen": typing.fields()["seen"]}
    answer = typing.client.post("/table/totals/", data=fields)
    assert answer.status_code == 409
    assert "Somebody has typed 44 since." in answer.text
    assert "entered since" not in answer.text, "the winner is the same"
    fields |= {"seen": before["seen"], "who": "0"}
    refusal = Page(typing.client.post("/table/totals/", data=fields).text)
    assert "Somebody has entered since: Cy went out: from the wall." in refusal.text
    assert typing.saved_scores()["Bob"] == 44
    ending = typing.match.deal.ending
    refused_form = Page(typing.client.post("/table/totals/", data={**before, "who": "x"}).text)
    fields = {**before, "who": "3", "seen": refused_form.value("seen")}
    answer = typing.client.post("/table/totals/", data=fields | {"instead1": "44"})
    assert answer.status_code == 409, "a slip does not stand for a look at who went out"
    assert typing.match.deal.ending == ending
