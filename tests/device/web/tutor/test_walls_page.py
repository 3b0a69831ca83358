"""Setting the table on a phone: every step, every ruleset, every language."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from device.i18n.words import LANGUAGES, use_words
from device.views.tutor.table_setup import SETTING_STEPS
from tests.device.match_play import AGREED_TERMS, SCORES
from tests.device.page import Page, get_page

pytestmark = pytest.mark.slow

PATH = "/learn/wall/"


def begin(client: FlaskClient, *, ruleset: str = "bmja", players: int = 4) -> None:
    names = {f"player{n}": name for n, name in enumerate(("Ann", "Bob", "Cy", "Di", "Eve"))}
    form = {key: name for key, name in names.items() if int(key[-1]) < players}
    assert client.post("/match/new", data={**form, "ruleset": ruleset}).status_code == 303


def settle(client: FlaskClient, winner: int) -> None:
    client.post("/table/winner", data={"who": winner, "won_by": "wall"})
    if winner >= 0:
        for number, name in enumerate(AGREED_TERMS.players):
            client.post(f"/table/hand/{number}/score", data={"score": SCORES[name]})
    assert client.post("/table/settle").status_code == 303


TABLES = [
    ("", 2, "British, four"),
    ("players=2", 2, "N02"),
    ("players=3", 2, "N01"),
    ("players=5", 2, "N03"),
    ("rules=safalra", 1, "SAF-S03: one throw"),
    ("rules=safalra&players=3", 1, "SAF-N02"),
    ("rules=miniature", 1, "SAF-N03"),
]


@pytest.mark.parametrize(("table", "throws", "reason"), TABLES)
def test_every_step_of_every_table(
    client: FlaskClient, table: str, throws: int, reason: str
) -> None:
    language = LANGUAGES[len(table) % len(LANGUAGES)]
    client.post("/phone/", data={"language": language})
    dice = "&".join(("first=8", "second=6-6")[:throws])
    for step in SETTING_STEPS:
        page = get_page(client, f"{PATH}?{table}&{dice}&step={step}")
        assert "{" not in str(page.main), "every name in braces is filled in"
        english_winds = re.findall(r"\b(?:East|South|West|North)\b", str(page.main))
        assert language == "en-GB" or not english_winds, "winds are said in the phone's language"
        assert page.all('a.rule[href^="/learn/rules/BMJA-"], a.rule[href^="/learn/rules/SAF-"]')
        walls = len(page.all("rect.t"))
        tiles = {"": 144, "players": 144, "rules=safalra": 136, "rules=miniature": 64}
        tile_count = tiles[
            table.split("&")[0] if table.startswith("rules") else table.split("=")[0]
        ]
        assert walls == (0 if step in ("seats", "next") else tile_count), (step, reason)
    use_words("en-GB")


def test_the_miniature_says_what_is_left_out(client: FlaskClient) -> None:
    page = get_page(client, f"{PATH}?rules=miniature&step=build").text
    assert "64 tiles are left" in page, "SAF-N03"
    assert "8 pairs long" in page


def test_the_dice_are_asked_for_before_what_they_decide(client: FlaskClient) -> None:
    answer = client.get(f"{PATH}?step=deal&seat=S")
    assert answer.status_code == 303
    assert parse_qs(urlsplit(answer.location).query) == {"step": ["which"], "seat": ["S"]}
    answer = client.get(f"{PATH}?step=deal&first=8")
    assert parse_qs(urlsplit(answer.location).query) == {"step": ["where"], "first": ["8"]}
    page = get_page(client, f"{PATH}?step=where&first=8")
    assert "North throws: how far?" in page.text, "P06: the player of that wall"
    ways = [parse_qs(urlsplit(each).query).get("second") for each in page.links()]
    assert all([str(total)] in ways for total in range(2, 13))


def test_the_box_throws(client: FlaskClient) -> None:
    answer = client.get(f"{PATH}throw?step=where&first=8&seat=W")
    fields = parse_qs(urlsplit(answer.location).query)
    assert re.fullmatch("[1-6]-[1-6]", fields["second"][0])
    assert (fields["first"], fields["seat"], fields["step"]) == (["8"], ["W"], ["where"])
    page = get_page(client, answer.location)
    assert len(page.all("svg.die")) == 2
    assert "Another throw" in page.text


def test_what_the_picture_says_is_said_in_words_too(client: FlaskClient) -> None:
    page = get_page(client, f"{PATH}?step=where&first=8&second=12&seat=S")
    label = page.single("svg.square")["aria-label"]
    assert "South at the bottom" in label
    assert "The wall breaks at pair 2 of West's wall" in label


WRONG = [
    ("step=which&first=13", 422, "Two dice show 2 to 12, not 13."),
    ("step=where&first=8&second=1", 422, "not 1."),
    ("step=which&first=7-1", 422, "not 7-1."),
    ("step=which&first=%3Cb%3E", 422, "not <b>."),
    ("step=nowhere", 404, ""),
    ("seat=Q", 404, ""),
    ("players=9", 404, ""),
    ("rules=chess", 404, ""),
    ("name=Ann&name=Ann", 422, "Two players have the same name"),
]


def test_what_cannot_be_is_refused_in_a_sentence(client: FlaskClient) -> None:
    for query, status, sentence in WRONG:
        answer = client.get(f"{PATH}?{query}")
        assert answer.status_code == status
        assert sentence in Page(answer.text).text


def test_a_wrong_throw_is_asked_for_again_and_the_right_one_kept(client: FlaskClient) -> None:
    page = Page(client.get(f"{PATH}?step=deal&first=8&second=99").text)
    assert "North throws: how far?" in page.text
    ways = [parse_qs(urlsplit(each).query) for each in page.links()]
    assert [each for each in ways if each.get("second") == ["5"] and each["first"] == ["8"]]


def test_the_box_draws_the_winds(client: FlaskClient) -> None:
    names = ["Ann", "Bob", "Cy", "Di", "Eve"]
    query = "&".join(f"name={name}" for name in names)
    answer = client.get(f"{PATH}draw?{query}&name=")
    drawn_names = parse_qs(urlsplit(answer.location).query)["name"]
    assert sorted(drawn_names) == names
    page = get_page(client, answer.location)
    assert f"{drawn_names[0]} drew East's wind" in page.text
    assert f"{drawn_names[4]} sits out this deal." in page.text, "N03"
    (begin,) = page.links("/match/new")
    proposed_names = get_page(client, begin).attributes("value", '[name^="player"]')
    assert proposed_names == drawn_names, "nobody types the names twice"


def test_the_box_throws_for_east_at_safalras(client: FlaskClient) -> None:
    answer = client.get(f"{PATH}draw?rules=safalra&name=Ann&name=Bob&name=Cy")
    fields = parse_qs(urlsplit(answer.location).query)
    initials = "".join(name[0] for name in fields["name"])
    assert initials in ("ABC", "BCA", "CAB"), "S01: they stay where they sit"
    throws = [[int(n) for n in words.split(" + ")] for words in fields["threw"]]
    assert max(throws, key=lambda throw: (len(throw), throw[-1])) == throws[0]
    assert f"{fields['name'][0]} threw the highest number" in get_page(client, answer.location).text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("name=Ann", "Please name two to five players."),
        ("name=Ann&name=Ann", "Two players have the same name"),
        ("rules=miniature&name=Ann&name=Bob&name=Cy", "for this number of players"),
        ("name=Ann&first=99", "Please name two to five players."),
    ],
)
def test_names_that_cannot_play(client: FlaskClient, query: str, sentence: str) -> None:
    answer = client.get(f"{PATH}draw?{query}")
    assert answer.status_code == 422
    assert sentence in Page(answer.text).text


def test_the_match_on_the_table_says_who_sits_where_and_why(client: FlaskClient) -> None:
    begin(client)
    client.post("/table/join", data={"number": "1"})
    page = get_page(client, PATH)
    assert "Ann drew East's wind" in page.text
    assert "South at the bottom" in page.single("svg.square")["aria-label"], "the phone is Bob's"
    settle(client, winner=2)
    page = get_page(client, PATH)
    assert "Ann was East and did not win" in page.text
    assert "Bob, who was South, is East." in page.text
    assert "East at the bottom" in page.single("svg.square")["aria-label"], "his wind has changed"
    following = get_page(client, f"{PATH}?step=next").text
    assert "If Bob wins: Bob stays East." in following
    assert "Cy becomes East" in following


def test_a_goulash_has_its_exchanges_before_play(client: FlaskClient) -> None:
    begin(client)
    play = f"{PATH}?step=play&first=8&second=3"
    assert "Ann ↔ Cy" not in get_page(client, play).text
    assert "Ann ↔ Cy · Di ↔ Bob" in get_page(client, f"{PATH}?step=next").text
    settle(client, winner=-1)
    assert "Ann ↔ Cy · Di ↔ Bob" in get_page(client, play).text, "G02"
    assert "Nobody won the last deal, so Ann stays East." in get_page(client, PATH).text


def test_the_loose_tiles_as_the_table_plays(client: FlaskClient) -> None:
    form = {"player0": "Ann", "player1": "Bob", "ruleset": "bmja"}
    form |= {"seen": get_page(client, "/match/new").value("seen")}
    client.post("/match/new", data={**form, "house-bmja": "loose_tiles_spread"})
    page = get_page(client, f"{PATH}?step=box&first=8&second=3")
    assert "on pairs 1 and 3 right" in page.single("svg.square")["aria-label"], "C10"


def test_the_table_leads_here_while_nothing_is_scored(client: FlaskClient) -> None:
    begin(client)
    page = get_page(client, "/table/").text
    assert "East throws the dice: set the table" in page
    assert "Ann drew East's wind and is East in the first deal." in page
    client.post("/table/winner", data={"who": 1, "won_by": "wall"})
    shown_page = get_page(client, "/table/")
    assert "East throws the dice" not in shown_page.text
    assert PATH in shown_page.links(), "still among what there is more"


def test_whoever_is_called_like_a_wind_is_called_so_in_every_language(client: FlaskClient) -> None:
    client.post("/phone/", data={"language": "fr"})
    page = get_page(client, f"{PATH}?name=West&name=East&name=Cy&name=Di&step=seats")
    assert {"West", "East", "Cy", "Di"} <= {*page.values("name")}
    assert "West a" in page.text, "West drew East's wind"
