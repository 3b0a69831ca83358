"""The pages of a season: begun, changed, matches left out and put in, the standing taken away."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from itertools import product

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import (
    DealSettled,
    MatchEnded,
    SeasonEvent,
    WinnerEntered,
)
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page, main_text
from tests.pdf_pages import text_of
from tests.spreadsheets import csv_rows

TODAY = datetime.now(UTC).astimezone().date()
FORM = {
    "name": "Autumn",
    "first": (TODAY - timedelta(days=30)).isoformat(),
    "last": (TODAY + timedelta(days=30)).isoformat(),
    "points": "both",
    "places": "4 2 1 0",
    "best": "",
}


def play(matches: MatchRepository, players: str, winner: str) -> str:
    """Play a match of one deal: the winner's 100 points are paid by the three others alike."""
    names = tuple(players.split())
    match = matches.begin(replace(AGREED_TERMS, players=names))
    matches.change(match, WinnerEntered(winner=winner))
    scores = {name: 100 if name == winner else 10 for name in names}
    matches.change(match, DealSettled(winner=winner, scores=scores))
    matches.change(match, MatchEnded())
    return match


def season(client: FlaskClient, **other: str) -> str:
    """Begin a season; return its address."""
    answer = client.post("/club/season/new", data={**FORM, **other})
    assert answer.status_code == 303, unescape(answer.text)
    return answer.headers["Location"]


def standing(client: FlaskClient, address: str) -> dict[str, tuple[str, str]]:
    """Return the place in words and the sum of each player."""
    rows = get_page(client, address).all(":has(> .place):has(> b):has(> .has)")
    return {
        each.single("b").text: (each.single(".place").text, each.single(".has > strong").text)
        for each in rows
    }


def rows(client: FlaskClient, address: str) -> list[dict[str, str]]:
    return csv_rows(client.get(f"{address}standing.csv").text)


def test_a_season_adds_up_points_by_place_and_says_ties(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "Ann Bob Cy Di", "Ann")
    play(matches, "Bob Ann Cy Eve", "Bob")
    address = season(client)
    assert client.get("/club/season/").headers["Location"] == address
    page = main_text(client, address)
    assert "Points for each place at the table: 4 · 2 · 1 · 0" in page
    assert standing(client, address) == {
        "Ann": ("joint 1st", "5"),
        "Bob": ("joint 1st", "5"),
        "Cy": ("3rd", "2"),
        "Di": ("joint 4th", "1"),
        "Eve": ("joint 4th", "1"),
    }


CHOICES = (
    ({"points": "totals"}, "+", "what was won and lost has its sign"),
    ({"points": "both", "best": "1"}, "", "of two matches one counts"),
)


@pytest.mark.parametrize(("choice", "sign", "reason"), CHOICES)
def test_the_organiser_chooses_what_decides(
    client: FlaskClient, matches: MatchRepository, choice: dict[str, str], sign: str, reason: str
) -> None:
    play(matches, "Ann Bob Cy Di", "Ann")
    play(matches, "Ann Bob Cy Di", "Ann")
    address = season(client, **choice)
    first, total = standing(client, address)["Ann"]
    assert first == "1st"
    assert total.startswith(sign), reason
    (ann,) = (row for row in rows(client, address) if row["player"] == "Ann")
    assert ann["matches"] == "2"
    assert ann["counted"] == choice.get("best", "2")


WRONG = (
    ({"name": " "}, "give the season a name"),
    ({"last": "2001-01-01"}, "last day is before the first"),
    ({"first": "soon"}, "first and the last day"),
    ({"last": "9999-12-31"}, "first and the last day"),
    ({"places": ""}, "what each place gives"),
    ({"places": "4 2 x"}, "whole numbers"),
    ({"places": "9 8 7 6 5 4"}, "5 numbers at most"),
    ({"places": "1 2 4"}, "cannot give more than the place before"),
    ({"best": "0"}, "how many matches count"),
)


def test_what_no_season_can_be_is_said_and_what_was_typed_stays(client: FlaskClient) -> None:
    address = season(client)
    paths = ("/club/season/new", f"{address}change")
    for path, (wrong, sentence) in product(paths, WRONG):
        answer = client.post(path, data={**FORM, "name": "Spring & all", **wrong})
        assert answer.status_code == 422
        assert "problem" in answer.text
        assert sentence in Page(answer.text).text
        if "name" not in wrong:
            assert Page(answer.text).value("name") == "Spring & all"
    assert "Autumn" in main_text(client, address)


def test_two_seasons_or_tournaments_of_one_name_are_told_apart(
    client: FlaskClient, store: Store
) -> None:
    seasons, tournaments = SeasonRepository(store), TournamentRepository(store)
    first, second = (season(client, name=name) for name in ("Autumn", "autumn"))
    assert {each.name for each in seasons.list_seasons()} == {"Autumn", "autumn 2"}
    for address, name in ((first, "Autumn"), (second, "Autumn")):
        client.post(f"{address}change", data={**FORM, "name": name})
    assert {each.name for each in seasons.list_seasons()} == {"Autumn", "Autumn 2"}
    for token in ("0" * 12, "1" * 12, "1" * 12):  # the last is sent twice
        fields = {"players": "Ann\nBob\nCy\nDi", "id": token}
        assert client.post("/club/tournaments/new", data=fields).status_code == 303
    assert {each.name for each in tournaments.list_tournaments()} == {"Tournament", "Tournament 2"}


def test_a_season_is_changed_for_matches_that_are_played_already(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "Ann Bob Cy Di", "Ann")
    address = season(client)
    assert standing(client, address)["Ann"] == ("1st", "4")
    main_text(client, f"{address}change", **{**FORM, "places": "10 0", "name": "Autumn 2"})
    assert standing(client, address)["Ann"] == ("1st", "10")
    later = {"first": (TODAY + timedelta(days=2)).isoformat()}  # also if midnight comes meanwhile
    main_text(client, f"{address}change", **{**FORM, **later})
    assert standing(client, address) == {}


def test_a_match_without_a_deal_gives_nobody_points(
    client: FlaskClient, matches: MatchRepository
) -> None:
    played_match = play(matches, "Ann Bob Cy Di", "Ann")
    empty = matches.begin(replace(AGREED_TERMS, players=("Eve", "Flo", "Gus", "Hal")))
    matches.change(empty, MatchEnded())
    address = season(client)
    assert set(standing(client, address)) == {"Ann", "Bob", "Cy", "Di"}
    match_links = get_page(client, f"{address}matches").attributes("href", "ol.matches a")
    assert match_links == [f"{address}match/{played_match}"]


def test_a_new_season_leaves_matches_of_two_to_the_organiser(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "Ann Bob Cy", "Ann")
    of_two = play(matches, "Eve Flo", "Eve")
    shown_page = get_page(client, "/club/season/new")
    assert shown_page.chosen_values("players") == ["3"]
    address = season(client, players="3")
    assert set(standing(client, address)) == {"Ann", "Bob", "Cy"}
    assert "Matches of three or more players count." in main_text(client, address)
    assert "Too few people played in this match" in main_text(client, f"{address}matches")
    fields = {"counts": "yes", "why": "Snow", "who": "Ann"}
    client.post(f"{address}match/{of_two}", data=fields)
    assert standing(client, address)["Eve"][1] == "4"
    assert get_page(client, f"{address}change").chosen_values("players") == ["3"]


def test_a_match_is_left_out_and_put_in_with_who_and_why(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = play(matches, "Ann Bob Cy Di", "Ann")
    address = season(client)
    page = f"{address}match/{match}"
    assert "This match counts." in main_text(client, page)
    for form in ({"why": "Two were ill"}, {"who": "Eve"}, {}):
        answer = client.post(page, data={"counts": "no", **form})
        assert answer.status_code == 422
        assert "say why, and who" in Page(answer.text).text
    text = main_text(client, page, counts="no", why="Two were ill", who="Eve")
    assert "Left out by Eve: Two were ill" in text
    assert standing(client, address) == {}
    assert "was left out" in main_text(client, page)
    main_text(client, page, counts="yes", why="All agree", who="Ann")
    assert "Included by Ann: All agree" in main_text(client, f"{address}matches")
    assert len(standing(client, address)) == 4
    main_text(client, page, counts="day")
    assert "This match counts." in main_text(client, page)
    main_text(client, f"{address}change", **{**FORM, "first": "2001-01-01", "last": "2001-02-01"})
    assert standing(client, address) == {}
    main_text(client, page, counts="yes", why="Played later", who="Ann")
    assert len(standing(client, address)) == 4


def test_an_organiser_who_sits_at_no_table_says_what_counts(
    app: Flask, hands: HandRepository, client: FlaskClient
) -> None:
    table = ClubTables(hands.store).lay("Window")
    match = play(MatchRepository(hands.store, table), "Ann Bob Cy Di", "Ann")
    address = season(client)
    fields = {"counts": "no", "why": "Two were ill", "who": "Eve"}
    phone = app.test_client()
    assert phone.post(f"{address}match/{match}", data=fields).status_code == 303
    assert standing(client, address) == {}


def test_the_standing_can_be_taken_away(client: FlaskClient, matches: MatchRepository) -> None:
    play(matches, "Ann =Bob Cy Di", "Ann")
    address = season(client, name="Purity", places="3 2 2 0")
    bob = next(row for row in rows(client, address) if "Bob" in row["player"])
    assert bob["player"] == "'=Bob", "no formula for a spreadsheet"
    assert (bob["shared"], bob["season"]) == ("yes", "Purity")
    assert "." in bob["points"]
    pdf = client.get(f"{address}standing.pdf")
    assert pdf.mimetype == "application/pdf"
    words = " ".join("".join(text_of(pdf.data)).split())
    assert "Purity" in words
    assert "1 1/3" in words, "no letter is missing"
    assert "joint 2nd" in words
    assert client.get(f"{address}standing.doc").status_code == 404


def test_in_other_languages_names_stay_and_places_are_said(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "West Purity Cy Di", "West")
    address = season(client, name="Purity")
    for language, places in (("fr", ("1er", "2e ex æquo")), ("zh-Hant", ("第1名", "並列第2名"))):
        client.post("/phone/", data={"language": language})
        standing_text = standing(client, address)
        assert [standing_text["West"][0], standing_text["Purity"][0]] == list(places)
        assert main_text(client, address).startswith("Purity")
        assert client.get(f"{address}standing.pdf").status_code == 200


def test_a_form_that_is_sent_twice_begins_one_season(client: FlaskClient) -> None:
    """Its first answer was lost on the way: with another name it is told that the first counts."""
    token = get_page(client, "/club/season/new").value("id")
    first = season(client, id=token)
    assert season(client, id=token) == first
    other = client.post("/club/season/new", data={**FORM, "id": token, "name": "Typed anew"})
    assert other.status_code == 422
    assert "This form was already sent, with other entries" in other.text
    page = get_page(client, "/club/season/every")
    assert set(re.findall(r"/club/season/\w{12}/", " ".join(page.links()))) == {first}
    other_seasons = {season(client), season(client, id="no id"), season(client, id="../../etc")}
    assert len(other_seasons - {first}) == 3, "whoever sends none of ours begins another"


def test_without_a_season_there_is_one_to_begin(client: FlaskClient) -> None:
    assert "No season has been begun yet." in main_text(client, "/club/season/")
    dates = get_page(client, "/club/season/new").attributes("value", "[type=date]")
    assert date(TODAY.year, 12, 31).isoformat() in dates
    for path in ("nothing/", "nothing/matches", "nothing/change", "nothing/standing.csv"):
        assert client.get(f"/club/season/{path}").status_code == 404


def test_every_change_is_in_the_log_with_whose_phone_it_was(
    client: FlaskClient, matches: MatchRepository, store: Store
) -> None:
    matches.begin(AGREED_TERMS)
    client.post("/table/join", data={"number": "1"})
    address = season(client)
    main_text(client, f"{address}change", **FORM)
    events = store.events("season:" + address.split("/")[3])
    assert [each.event.by for each in events if isinstance(each.event, SeasonEvent)] == ["Bob"] * 2
