"""A practice deal that is over: open hands, scores and payments, exercises, turning points."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from device.i18n.words import load, say, spoken, tile_name
from device.store import Store
from device.store.events import PracticeDealBegun
from device.tutoring.practice_deals import LiveDeal, PracticeDeals
from device.tutoring.progress import PracticeLog
from device.views.tutor.play_over import ask_about_deal
from scorer.match.settlement import settle
from scorer.play.box_players import choose_move
from scorer.play.moves import Move
from scorer.play.review import review_moves
from scorer.play.setup import DealSetup
from scorer.play.view import make_view
from scorer.score import score
from tests.device.page import Page, get_page
from tests.device.web.tutor.test_play_pages import id_of, make_move, send, tap_tiles
from tests.scorer.teach.practice.answers import right_answers

WASH_OUT = DealSetup(1)
"""A deal that nobody wins when all play plainly."""


def play_deal(
    client: FlaskClient, store: Store, setup: DealSetup, *, plays_well: bool = True
) -> str:
    """Play a deal to its end, the last move by the page; return its id."""
    deals = PracticeDeals(store)
    deal_id = deals.begin(PracticeDealBegun(setup.to_json(), "E", "plain", name="Ann"))
    while not (record := deals.get(deal_id)).is_over:
        with deals.open(deal_id) as live:
            view = make_view(live.deal, "E")
        move = choose_move(view, "plain") if plays_well else view.moves[-1]
        fields = {"seen": record.version, "kind": move.kind, "tiles": " ".join(move.tiles)}
        fields["fishing"] = "yes" if move.fishing else "no"
        assert client.post(f"/practise/deal/{deal_id}/move", data=fields).status_code == 303
    return deal_id


def live_deal(store: Store, deal_id: str) -> LiveDeal:
    with PracticeDeals(store).open(deal_id) as live:
        return live


def test_all_hands_lie_open_with_their_scores_and_payments(
    client: FlaskClient, store: Store
) -> None:
    deal_id = play_deal(client, store, DealSetup(0))
    deal = live_deal(store, deal_id).deal
    assert deal.ending is not None
    page = get_page(client, f"/practise/deal/{deal_id}/over/")
    totals = {}
    for seat in "ESWN":
        hand = deal.hand_of(seat)
        totals[seat] = score(hand, deal.rules).total
        part = page.single(f"#hand-{seat}")
        names = part.attributes("aria-label", ".tray .tile")
        assert sorted(names) == sorted(map(tile_name, (*hand.tiles, *hand.bonus)))
        assert say("deal-over.score", total=totals[seat]) in part.text
    payments = settle(totals, deal.ending.winner, names={"E": "Ann (East)"}).payments
    assert page.all("#hand-E h3")[0].text.startswith("Ann (East): your hand")
    assert all(spoken(each.why) in page.text for each in payments)


EXERCISES = {
    "four": DealSetup(0),
    "two": DealSetup(1, "EW", 2),
    "four-tiles": DealSetup(2, "ESW", 3, hand_size=4),
    "ten-tiles": DealSetup(3, "ESWN", hand_size=10),
}


@pytest.mark.parametrize("setup", EXERCISES.values(), ids=EXERCISES)
def test_the_learner_scores_each_hand_and_who_pays_whom(
    client: FlaskClient, store: Store, setup: DealSetup
) -> None:
    client.post("/practise/who", data={"name": "Ann"})
    deal_id = play_deal(client, store, setup)
    live = live_deal(store, deal_id)
    deal = live.deal
    links = get_page(client, f"/practise/deal/{deal_id}/over/").links("/practise/hand/deal/")
    assert f"/practise/hand/deal/{deal_id}/" in links
    for link in links:
        seat = link.rstrip("/").rpartition("-")[2]
        hands = tuple(deal.hand_of(each) for each in deal.seats if each == seat or len(seat) > 1)
        exercise = ask_about_deal(live, tuple(each.seat_wind for each in hands))
        answers = right_answers(exercise)
        for place in range(len(exercise.steps)):
            get_page(client, f"{link}?{urlencode({**answers, 'at': place, 'checked': 1})}")
        answer = client.post(link, data=answers, follow_redirects=True)
        totals = [deal.umpire.score_hand(hand).total for hand in hands]
        assert [
            heading.text.split()[-1] for heading in Page(answer.text).all(".exercise h2")
        ] == list(map(str, totals))
        count = exercise.question_count
        assert say("exercise.progress", right=count, asked=count) in answer.text
        assert f"/practise/deal/{deal_id}/over/" in answer.text
    standing = PracticeLog(store).progress("Ann")["hand", "deal"]
    assert standing.times == len(links)


@pytest.mark.parametrize("suffix", ["-X", "-E-S", "0"])
def test_what_cannot_be_asked_is_not_there(client: FlaskClient, store: Store, suffix: str) -> None:
    setup = DealSetup(1).to_json()
    deal_id = PracticeDeals(store).begin(PracticeDealBegun(setup, "E", "plain"))
    assert client.post(f"/practise/deal/{deal_id}/goulash").status_code == 422, "it is not over"
    for address in (f"{deal_id}-E", f"{deal_id}{suffix}"):
        assert client.get(f"/practise/hand/deal/{address}/").status_code == 404


def test_a_deal_of_another_version_leads_to_a_sentence(client: FlaskClient, store: Store) -> None:
    store.append("deal:old", PracticeDealBegun({"version": 0}, "E", "plain"))
    answer = client.get("/practise/deal/old/over/", follow_redirects=True)
    assert load()["play.old-version"] in answer.text
    assert client.get("/practise/hand/deal/old-E/").status_code == 404


def test_turning_points_are_shown_and_the_deal_counts_once(
    client: FlaskClient, store: Store
) -> None:
    deal_id = play_deal(client, store, DealSetup(3), plays_well=False)
    review = review_moves(live_deal(store, deal_id).deal, "E")
    points = get_page(client, f"/practise/deal/{deal_id}/over/").single("#turning-points")
    assert len(points.all("article")) == len(review.turning_points) > 0
    for each in review.turning_points:
        assert each.loss is None or spoken(each.loss) in points.text
        assert all(spoken(reason) in points.text for reason in each.better.reasons)
    standing = PracticeLog(store).progress("Ann")["deal", "13"]
    assert (standing.right, standing.asked) == (review.good_moves, review.moves)
    assert standing.times == 1
    client.post("/practise/who", data={"name": "Ann"})
    text = say("deal-over.good-moves", good=review.good_moves, count=review.moves)
    assert text in get_page(client, "/practise/deal/").text


def test_a_wash_out_scores_nothing(client: FlaskClient, store: Store) -> None:
    deal_id = play_deal(client, store, WASH_OUT)
    page = get_page(client, f"/practise/deal/{deal_id}/over/")
    assert load()["practice-deal.ended.nobody"] == page.single("h1").text
    assert load()["deal-over.washed-out"] in page.text
    assert not page.links("/practise/hand/deal/")
    assert not page.all("details.more")


def test_a_goulash_follows_a_wash_out_and_tiles_are_swapped(
    client: FlaskClient, store: Store
) -> None:
    wash_out = play_deal(client, store, WASH_OUT)
    onward = get_page(client, f"/practise/deal/{wash_out}/over/").single("form[action$=goulash]")
    address, second_address = (client.post(onward["action"]).headers["Location"] for _ in range(2))
    assert second_address == address, "a second tap begins no second goulash"
    deal_id = id_of(address)
    assert live_deal(store, deal_id).record.start.name == "Ann"
    page = get_page(client, address)
    assert page.all("details[open] .swaps")
    for number, partner in enumerate(("West", "South", "North"), 1):
        assert f"Swap {number}, with {partner}" in page.single(".turn-line").text
        for count in (2, 4):
            assert not tap_tiles(client, address, page, count).all("#own .actions .primary")
        page = tap_tiles(client, address, page, 3)
        gift = page.attributes("aria-label", ".rack [checked] + .tile")
        before = Counter(page.attributes("aria-label", ".rack .tile"))
        send(client, address, page, 0)
        page = get_page(client, address)
        return_gift = Counter(page.attributes("aria-label", ".rack .new .tile"))
        news = page.single("#own .news").attributes("aria-label", ".tile")
        assert return_gift.total() == 3
        assert news[:3] == page.attributes("aria-label", ".rack .new .tile")
        first, two, last = news[:3]
        assert f"You receive {first}, {two} and {last}." in page.single("#announce").text
        rack = Counter(page.attributes("aria-label", ".rack .tile"))
        assert rack == before - Counter(gift) + return_gift
    assert page.all(".rack [type=radio]"), "East discards"
    while not get_page(client, address).all("#own .actions a"):
        make_move(client, address, get_page(client, address))
    page = get_page(client, f"/practise/deal/{deal_id}/over/")
    assert not page.all("#turning-points"), "the coach has no figures for a goulash"


@pytest.mark.parametrize(
    ("seats", "learner", "pairs", "question"),
    [
        ("ESW", "S", ["East ↔ West", "East ↔ South", "West ↔ South"], "Swap 1, with East"),
        ("ESW", "W", ["East ↔ West", "East ↔ South", "West ↔ South"], "Swap 1, with East"),
        ("EW", "E", ["East ↔ West"], "Swap 1, with West"),
    ],
)
def test_fewer_players_swap_and_see_what_is_new(
    client: FlaskClient, store: Store, seats: str, learner: str, pairs: list[str], question: str
) -> None:
    setup = DealSetup(3, seats, len(seats), goulash=True).to_json()
    deal_id = PracticeDeals(store).begin(PracticeDealBegun(setup, learner, "plain"))
    address = f"/practise/deal/{deal_id}/"
    page = get_page(client, address)
    assert question in page.single(".turn-line").text
    assert [each.text for each in page.all(".swaps span")] == pairs
    assert "everybody" not in page.single("#goulash").text
    while page.all(".rack [type=checkbox]"):
        send(client, address, tap_tiles(client, address, page, 3), 0)
        page = get_page(client, address)
    drawn_tiles = re.findall(r"You take (.*?)\.", page.single("#announce").text)
    assert len(drawn_tiles) == (learner != "E"), "East was dealt its tile"
    gift = page.single("#own .news").attributes("aria-label", ".tile")[:3]
    assert Counter(page.attributes("aria-label", ".rack .new .tile")) == Counter(gift + drawn_tiles)


def test_a_wild_tile_joins_the_pung_that_is_named(client: FlaskClient, store: Store) -> None:
    deals = PracticeDeals(store)
    setup = DealSetup(3, goulash=True, rack=("B2",), rack_exposed=(("DR",) * 3,)).to_json()
    deal_id = deals.begin(PracticeDealBegun(setup, "E", "plain"))
    for _ in range(3):
        with deals.open(deal_id) as live:
            gift = [code for code in live.deal.players["E"].concealed if code != "B2"][:3]
        deals.play(deal_id, live.record.version, Move("E", "swap", tuple(gift)))
    actions = get_page(client, f"/practise/deal/{deal_id}/").all("#own .actions form")
    (kong,) = (each for each in actions if "pung" in each.text)
    assert kong.text == "Add to the pung of red dragons"
    assert sorted(kong.attributes("aria-label", ".tile")) == ["2 bamboo"] + 3 * ["red dragon"]


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        (DealSetup(2, ruleset="safalra"), "a dead hand is dealt again"),
        (DealSetup(59, "EW", 2, hand_size=4), "a small game has none"),
    ],
)
def test_where_no_goulash_follows_none_is_offered(
    client: FlaskClient, store: Store, setup: DealSetup, reason: str
) -> None:
    deal_id = play_deal(client, store, setup, plays_well=False)
    ending = live_deal(store, deal_id).deal.ending
    assert ending is not None
    assert ending.winner is None
    assert not get_page(client, f"/practise/deal/{deal_id}/over/").all("form"), reason
    assert client.post(f"/practise/deal/{deal_id}/goulash").status_code == 422, reason


@pytest.mark.parametrize(
    ("seed", "sentence", "winner", "reason"),
    [
        (7, "South goes out on your 1 bamboo.", "S", "the learner gave it away"),
        (0, "West goes out on South's 8 bamboo.", "W", "somebody else did"),
        (1, "South goes out.", "S", "from the wall"),
    ],
)
def test_the_end_says_whose_tile_it_was_won_with_and_lights_it(
    client: FlaskClient, store: Store, seed: int, sentence: str, winner: str, reason: str
) -> None:
    deal_id = play_deal(client, store, DealSetup(seed, "ESW", 3, hand_size=4))
    end = live_deal(store, deal_id).deal.ending
    assert end is not None
    page = get_page(client, f"/practise/deal/{deal_id}/over/")
    assert page.single("h1").text == sentence, reason
    assert sentence in get_page(client, f"/practise/deal/{deal_id}/").single("#own").text
    hand = page.single(f"#hand-{winner}")
    assert hand.attributes("aria-label", ".tray .won .tile") == [tile_name(end.tile or "")]
    assert load()["deal-over.winning-tile"] in hand.text
    assert len(page.all(".won")) == 1, "nobody else's is lit"
    assert load()["deal-over.own-hand-alone"] in page.single("#turning-points").text
