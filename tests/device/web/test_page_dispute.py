"""The page of a score in dispute: lines and tiles know of each other, asking changes nothing."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from device.hands.repository import HandRepository
from device.i18n.names import sort_key
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealSettled, HandAgreed, MatchEnded, ScoreTyped
from device.views.hand_page import hand_view
from device.views.table.evidence import evidence_lines, exhibits, format_tile_numbers
from tests.device.events import event_of
from tests.device.fake_reader import FakeReader
from tests.device.match_play import AGREED_TERMS, FEE, SCORES, give_hand
from tests.device.page import Form, Page, get_page, main_text
from tests.device.web.tutor.test_rule_pages import enter_hand


def text(client: FlaskClient, hand: str, query: str = "") -> str:
    return get_page(client, f"/hand/{hand}/dispute{query}").main.text


def suppose(client: FlaskClient, hand: str, query: str) -> str:
    """Return what the page says would be, in words."""
    page = get_page(client, f"/hand/{hand}/dispute{query}")
    return page.single("#supposed[role=status]").text


def test_lines_and_tiles_name_each_other(hands: HandRepository, read_hand: str) -> None:
    record = hands.get(read_hand)
    view = hand_view(record)
    lines = evidence_lines(record, view.score)
    awards = [award for group in lines.values() for award in group]
    tiles = exhibits(record, view, lines)
    assert [award.index for award in awards] == list(range(len(awards)))
    assert len(tiles) == len(record.tiles)
    for award in awards:
        users = {tile.place for tile in tiles if award in tile.awards}
        assert users == set(award.line.places)


@pytest.mark.parametrize(
    ("places", "expected", "reason"),
    [
        ((), "", "a line for the way of winning has no tiles"),
        ((4,), "5", "people count from 1"),
        ((0, 1, 2, 7), "1–3, 8", "tiles side by side in short"),
        ((0, 2), "1, 3", "a gap is no run"),
    ],
)
def test_numbers_of_tiles_in_short(places: tuple[int, ...], expected: str, reason: str) -> None:
    assert format_tile_numbers(places) == expected, reason


def test_every_link_of_the_page_leads_somewhere_without_a_script(
    client: FlaskClient, read_hand: str
) -> None:
    page = get_page(client, f"/hand/{read_hand}/dispute")
    targets = set(page.links("#"))
    assert {"#tile-0", "#line-0"} <= targets
    assert targets <= {f"#{each}" for each in page.attributes("id")}


def test_what_was_read_stays_to_be_seen_beside_what_was_changed(
    client: FlaskClient, read_hand: str
) -> None:
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F2"})
    page = text(client, read_hand)
    assert "Read as flower 1 (plum), 99 % sure." in page
    assert "Tile 16: read flower 1 (plum), changed to flower 2 (orchid)" in page
    assert "What if" in page


def test_a_correction_in_a_match_says_whose_phone_it_was(
    client: FlaskClient,
    hands: HandRepository,
    matches: MatchRepository,
    store: Store,
    read_hand: str,
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    client.post("/table/join", data={"number": "1"})
    client.post(f"/hand/{hand}/tile/15", data={"code": "F2"})
    client.post(f"/hand/{hand}/situation", data={"original_call": "yes"})
    assert hands.get(hand).changes[-1].changed_by == "Bob"
    assert "(Bob, " in text(client, hand)
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F2"})
    assert hands.get(read_hand).changes[-1].changed_by == "", "a hand of its own has no players"


@pytest.mark.parametrize(
    ("query", "expected", "reason"),
    [
        ("?tile=15&code=F2", "112 instead of 224", "East's own flower is the first"),
        ("?tile=7&code=B9", "do not make four sets and a pair", "or else why it is no hand"),
        ("?won_by=loose", "432 instead of 224", "no 2 for the wall, but a double"),
        ("?tile=15&code=F1", "This is how it is now", "the tile that it is"),
        ("?tile=15&code=X1", "This is how it is now", "no such face"),
        ("?if=set.3.exposed", "instead of 224", "a concealed pung of dragons counts twice as much"),
        ("?if=seat.S", "instead of 224", "neither own wind nor own flower"),
        ("?if=tile.15.F2&if=way.loose", "instead of 224", "two at once"),
        ("?seat_wind=S&won_by=wall", "sat as South", "what a list says and is so already is none"),
        ("?if=tile.15.F2&if=tile.15.F1", "This is how it is now", "taken back by the later one"),
        ("?if=set.99.exposed", "This is how it is now", "there is no such set"),
        ("?if=seat.X&if=way.luck&if=nonsense&if=tile..B1", "This is how it is now", "no sense"),
    ],
)
def test_what_if_is_a_difference_that_changes_nothing(
    client: FlaskClient,
    hands: HandRepository,
    read_hand: str,
    query: str,
    expected: str,
    reason: str,
) -> None:
    before = hands.get(read_hand)
    assert expected in suppose(client, read_hand, query), reason
    assert hands.get(read_hand) == before


def test_a_set_and_a_tile_are_tapped_and_taken_back(client: FlaskClient, read_hand: str) -> None:
    page = get_page(client, f"/hand/{read_hand}/dispute")
    (turn, *_) = [each for each in page.all(".supposed-set a.button") if "concealed" in each.text]
    page = get_page(client, turn["href"])
    assert "What if this set were exposed:" in page.single("#supposed").text
    (tile, *_) = page.all(".laid-tiles a")
    page = get_page(client, tile["href"])
    (face,) = [each for each in page.all(".other-faces a") if "tile.0.B4" in each["href"]]
    page = get_page(client, face["href"])
    assert len(page.all("#supposed .supposition")) == 2
    (undo_link, _) = page.all("#supposed .supposition a")
    assert len(get_page(client, undo_link["href"]).all("#supposed .supposition")) == 1


def test_a_loose_tile_is_no_set_to_turn(client: FlaskClient, hands: HandRepository) -> None:
    hand = enter_hand(hands, "| B111 C22 O4 WN DR | seat=S")
    page = get_page(client, f"/hand/{hand}/dispute")
    turns = [len(each.all(".laid-tiles a")) for each in page.all(".supposed-set:has(a.button)")]
    assert sorted(turns) == [2, 3]


def put(client: FlaskClient, page: Page) -> TestResponse:
    """Put what a page supposes into the deal."""
    (form,) = forms_to_save(page)
    return client.post(form.action, data=form.fields)


def forms_to_save(page: Page) -> list[Form]:
    return [each for each in page.forms if "version" in each.fields]


DEAL_SCORES = {**SCORES, "Ann": 224}


@pytest.fixture
def dispute(matches: MatchRepository, store: Store, read_hand: str) -> tuple[str, str]:
    """Settle a deal that Ann won with the hand; return the match and the hand."""
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, HandAgreed(player="Ann", hand=hand))
    matches.change(match, DealSettled(winner="Ann", scores=DEAL_SCORES))
    return match, hand


@pytest.mark.parametrize("state", ["on", "over", "another begun"])
def test_a_dispute_ends_in_the_deal_also_after_the_match(
    client: FlaskClient,
    matches: MatchRepository,
    hands: HandRepository,
    dispute: tuple[str, str],
    state: str,
) -> None:
    match, hand = dispute
    client.post("/table/join", data={"number": "1"})
    if state != "on":
        matches.change(match, MatchEnded())
    if state == "another begun":
        matches.begin(AGREED_TERMS)
    address = f"/hand/{hand}/dispute?if=tile.15.F2&if=way.loose"
    page = get_page(client, address)
    row = page.single("#what-if .before-after tbody tr", "Ann").text
    assert "224 becomes 216" in row, row
    client.post("/phone/", data={"language": "fr"})
    winds = get_page(client, address).texts("#what-if .winds")
    assert winds == ["E", "S", "O", "N"], "as the phone's language has them"
    client.post("/phone/", data={"language": "en-GB"})
    answer = put(client, page)
    assert answer.status_code == 303
    after = matches.get(match)
    entry = after.course.rows[0].event
    assert getattr(entry, "scores", {}) == {**DEAL_SCORES, "Ann": 216}
    assert after.past[0].state.ending
    assert after.past[0].state.ending.won_by == "loose"
    assert hands.get(hand).tiles[15].code == "F2"
    assert after.written[-1].by == "Bob"
    assert after.ended is (state != "on")
    assert "216" in main_text(client, answer.headers["Location"])
    history = f"/match/{match}/"
    (undo,) = [each for each in get_page(client, history).forms if "undo" in each.action]
    seq = str(after.doings[-1].seq)
    client.post(undo.action, data={"seq": seq})
    assert getattr(matches.get(match).course.rows[0].event, "scores", {}) == DEAL_SCORES
    assert hands.get(hand).tiles[15].code == "F1", "the tiles go back with the score"
    client.post(undo.action.replace("undo", "redo"), data={"seq": seq})
    assert getattr(matches.get(match).course.rows[0].event, "scores", {})["Ann"] == 216
    assert hands.get(hand).tiles[15].code == "F2"
    assert not get_page(client, history).all("#history .problem[role=note]")
    client.post(f"/hand/{hand}/tile/15", data={"code": "F3"})
    client.post(undo.action, data={"seq": seq})
    assert hands.get(hand).tiles[15].code == "F3", "what was changed since stays"
    note = get_page(client, history).single("#history .problem[role=note] a")
    assert note["href"] == f"/hand/{hand}/", "and the page says so"


@pytest.mark.parametrize("is_settled", [True, False])
def test_a_dispute_that_ends_in_the_same_score_says_that_the_hand_alone_changes(
    client: FlaskClient,
    hands: HandRepository,
    read_hand: str,
    request: pytest.FixtureRequest,
    is_settled: bool,
) -> None:
    hand = request.getfixturevalue("dispute")[1] if is_settled else read_hand
    page = get_page(client, f"/hand/{hand}/dispute?if=tile.15.S1")
    outcome = page.single("#supposed")
    assert "The total is the same: 224." in outcome.text
    assert ("Nobody pays more or less: only the hand changes." in outcome.text) is is_settled
    assert not outcome.all(".before-after"), "two equal columns say nothing"
    assert outcome.single("button").text == "Put it into the hand"
    assert put(client, page).status_code == 303
    assert hands.get(hand).tiles[15].code == "S1"


def test_a_dispute_before_the_deal_is_settled_changes_the_hand_and_asks_again(
    client: FlaskClient,
    matches: MatchRepository,
    hands: HandRepository,
    store: Store,
    read_hand: str,
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Ann", winner="Ann")
    matches.change(match, HandAgreed(player="Ann", hand=hand, score=224))
    for player in ("Bob", "Cy", "Di"):
        matches.change(match, ScoreTyped(player, 8))
    page = get_page(client, f"/hand/{hand}/dispute?if=way.loose&if=tile.15.F2")
    assert "224 becomes 216" in page.single("#what-if .before-after tbody tr", "Ann").text
    assert put(client, page).status_code == 303
    match_after = matches.get(match)
    assert match_after.deal.ending
    assert match_after.deal.ending.won_by == "loose"
    assert match_after.stage == "hands", "the players look at it again"
    assert hands.get(hand).tiles[15].code == "F2"
    seq = str(match_after.doings[-1].seq)
    client.post("/table/undo", data={"seq": seq})
    assert hands.get(hand).tiles[15].code == "F1", "the tiles go back with the way it was won"
    client.post(f"/hand/{hand}/tile/15", data={"code": "F3"})
    assert not get_page(client, "/table/").all(".problem[role=note]")
    client.post("/table/redo", data={"seq": seq})
    assert hands.get(hand).tiles[15].code == "F3", "what was changed since stays"
    note = get_page(client, "/table/").single(".problem[role=note] a")
    assert note["href"] == f"/hand/{hand}/", "and the page says so after a redo, too"


@pytest.mark.parametrize("subject", ["match", "hand"])
def test_a_dispute_that_was_overtaken_changes_nothing(
    client: FlaskClient,
    matches: MatchRepository,
    hands: HandRepository,
    dispute: tuple[str, str],
    subject: str,
) -> None:
    match, hand = dispute
    page = get_page(client, f"/hand/{hand}/dispute?if=tile.15.F2")
    if subject == "match":
        matches.change(match, FEE)
    else:
        client.post(f"/hand/{hand}/tile/14", data={"code": "S2"})
    before = matches.get(match), hands.get(hand)
    assert put(client, page).status_code == 409
    assert (matches.get(match), hands.get(hand)) == before


def test_a_seat_in_a_match_leads_to_the_seats(
    client: FlaskClient, dispute: tuple[str, str]
) -> None:
    match, hand = dispute
    page = get_page(client, f"/hand/{hand}/dispute?if=seat.S")
    assert "108 instead of 224" in page.single("#supposed").text
    (seats,) = page.links(f"/match/{match}/seats/")
    assert "224 becomes 108" in get_page(client, seats).text, "with Bob in Ann's place"
    assert not forms_to_save(page)
    data = {"if": "seat.S", "version": "0", "seen": "0"}
    assert client.post(f"/hand/{hand}/dispute", data=data).status_code == 409


def test_suppositions_go_into_a_single_hand(
    client: FlaskClient, hands: HandRepository, read_hand: str
) -> None:
    page = get_page(client, f"/hand/{read_hand}/dispute?if=seat.S&if=tile.15.F2")
    assert put(client, page).status_code == 303
    record = hands.get(read_hand)
    assert (record.situation.seat_wind, record.tiles[15].code) == ("S", "F2")


@pytest.mark.parametrize(
    ("claim", "counts", "expected", "reason"),
    [
        ("Pair of the player's seat wind", True, ": 2.", "the line of the score"),
        ("The gates of heaven", False, "The hand does not have it. The rule:", "a special hand"),
        (
            "Own flower",
            True,
            "in Hong Kong rules; counted differently in British",
            "it does count here",
        ),
        ("Three concealed pungs", False, "The hand does not have it.", "another family's"),
        (
            "One suit with honours",
            False,
            "mixes bamboo, character and circle",
            "which suits it has",
        ),
        ("Only possible tile", False, "Not at this table", "a switch"),
    ],
)
def test_a_claim_in_words_is_answered(
    client: FlaskClient, read_hand: str, claim: str, counts: bool, expected: str, reason: str
) -> None:
    page = get_page(client, f"/hand/{read_hand}/dispute")
    options = [each for each in page.all("#claim option") if claim.lower() == each.text.lower()]
    assert options, page.texts("#claim option")
    for group in page.all("#claim optgroup"):
        labels = [option.text for option in group.all("option")]
        assert labels == sorted(labels, key=sort_key), "a player looks for a name"
    page = get_page(client, f"/hand/{read_hand}/dispute?claim={options[0]['value']}")
    answer = page.single("#claim [role=status]").text
    assert ("Yes, it counts." in answer) is counts, answer
    assert expected in answer, reason


def test_other_choices_of_the_rules_are_weighed_when_asked_for(
    client: FlaskClient, read_hand: str
) -> None:
    assert suppose(client, read_hand, "") == ""
    answer_text = suppose(client, read_hand, "?options=1")
    assert "If the table" in answer_text or "No other choice" in answer_text


def test_a_hand_without_a_score_says_why_and_supposes_nothing(
    client: FlaskClient, read_hand: str
) -> None:
    client.post(f"/hand/{read_hand}/tile/0", data={"code": "B3"})
    page = text(client, read_hand, "?won_by=loose")
    assert "No score yet" in page
    assert "What if?" not in page
    assert client.get(f"/hand/{read_hand}/referee").status_code == 200


@pytest.mark.parametrize(
    ("name", "facts"), [("dispute", "#score > .note"), ("referee", ".paper header p")]
)
def test_sentences_of_a_chinese_page_stand_close(
    client: FlaskClient, dispute: tuple[str, str], name: str, facts: str
) -> None:
    client.set_cookie("look", "language=zh-Hant")
    _, hand = dispute
    page = get_page(client, f"/hand/{hand}/{name}")
    for selector in (facts, ".provenance"):
        assert "。 " not in page.all(selector)[0].text, selector


def test_the_page_for_the_referee_has_all_of_it(client: FlaskClient, read_hand: str) -> None:
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F2"})
    page = get_page(client, f"/hand/{read_hand}/referee")
    for part in ("BMJA-B11", "Not counted", "changed to flower 2", "won=wall"):
        assert part in page.text, part
    assert page.all('img[src$="photo.jpg"], image[href$="photo.jpg"]')
    assert not page.all("details"), "paper does not unfold"


def test_which_networks_read_it_is_said(
    client: FlaskClient, hands: HandRepository, unread_hand: str, reader: FakeReader
) -> None:
    assert "is not known" in text(client, unread_hand)
    reading = {
        **reader.reading.to_json(),
        "models": {"locator": "4a92135d", "classifier": "dcb0c17e"},
    }
    hands.change(unread_hand, event_of("reading-made", reading))
    assert "Read by locator 4a92135d, classifier dcb0c17e." in text(client, unread_hand)
