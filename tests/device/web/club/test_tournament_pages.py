"""A tournament by its pages: arranged, drawn, played, corrected, looked at by anybody."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from device.club.tournament.repository import TournamentRepository
from device.i18n.words import load, say, say_count, use_words
from device.matches.repository import MatchRepository
from device.store.events import MatchBegun, MatchEnded, ResultGiven, RoundClosed
from tests.device.club.tournament.tournament_play import (
    NAMES,
    POINTS,
    add_tournament,
    play_round,
    result_form,
)
from tests.device.match_play import settle
from tests.device.page import Page, get_page, main_text
from tests.pdf_pages import text_of
from tests.spreadsheets import csv_rows

HOME = "/club/tournaments/"


def said(key: str, **values: object) -> str:
    return str(escape(say(key, **values)))


def test_a_tournament_is_arranged_and_says_how_often_players_meet(client: FlaskClient) -> None:
    fields = {
        "id": get_page(client, f"{HOME}new").value("id"),
        "name": "Autumn", "players": "\n".join(NAMES) + "\n\n", "rounds": "5", "minutes": "60",
        "ranking": "both", "zero_sum": "yes", "filling": "stand-ins",
    }  # fmt: skip
    places = [client.post(f"{HOME}new", data=fields).headers["Location"] for _ in range(2)]
    assert places == [f"{HOME}{fields['id']}/"] * 2, "sent twice, begun once"
    page = client.get(places[0]).text
    assert said("club.tournament.nobody-twice") in page
    assert said("club.tournament.draw", round=1) in page
    assert client.get(HOME).text.count("Autumn") == 1


MEETINGS = [
    (6, 6, "15 pairs meet more than once, at most 3 times.", "unavoidable", "a ring sits out"),
    (7, 7, "21 pairs meet twice.", "unavoidable", "the lines of the Fano plane sit out"),
    (9, 9, "36 pairs meet more than once, at most 3 times.", "unavoidable", "all thrice"),
    (8, 5, "24 pairs meet more than once, at most 3 times.", "best-found", "not proved"),
]


@pytest.mark.parametrize(("players", "rounds", "meetings", "verdict", "reason"), MEETINGS)
def test_only_what_is_proved_is_said_to_be_unavoidable(
    client: FlaskClient,
    tournaments: TournamentRepository,
    players: int,
    rounds: int,
    meetings: str,
    verdict: str,
    reason: str,
) -> None:
    tournament_id = add_tournament(
        tournaments, players=NAMES[:players], rounds=rounds, stand_ins=False
    )
    assert (
        f"{meetings} {said(f'club.tournament.{verdict}')}"
        in client.get(f"{HOME}{tournament_id}/").text
    ), reason
    client.post("/phone/", data={"language": "zh-Hant"})
    chinese_text = client.get(f"{HOME}{tournament_id}/").text
    assert load("zh-Hant")[f"club.tournament.{verdict}"] in chinese_text
    assert "。 " not in chinese_text, "Chinese sentences have no space between them"


ODD = [
    ({"players": "Ann\nBob\nCy"}, "club.refused.players", {"least": 4, "most": 240}),
    ({"players": "Ann\nBob\nCy\nann"}, "club.refused.twice", {"name": "ann"}),
    ({"players": "Ann\nBob\nCy\nDi", "place0": "1"}, "club.refused.places", {}),
    ({"players": "Ann\nBob\nCy\nDi", "rounds": "11"}, "field.number", {"most": 10}),
    ({"players": "Ann\nBob\nCy\nDi", "minutes": "1441"}, "field.number", {"most": 1440}),
    ({"players": "Ann\nBob\nCy\nDi", "place0": "1001"}, "field.number", {"most": 1000}),
]


@pytest.mark.parametrize(("fields", "key", "values"), ODD)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    client: FlaskClient, fields: dict[str, str], key: str, values: dict[str, object]
) -> None:
    answer = client.post(f"{HOME}new", data={"name": "Spring", **fields})
    assert answer.status_code == 422
    assert said(key, **values) in answer.text
    assert "Spring" in answer.text
    assert "Ann" in answer.text
    assert "Spring" not in client.get(HOME).text


FILL_WAYS = [
    (9, "stand-ins", "total", "club.tournament.with-stand-ins", 3, "Round 1 of 2 is drawn, but"),
    (11, "out", "total", "club.tournament.with-out", 3, r"Sitting out: [\w, ]+\. Undo this draw"),
    (11, "out", "both", "club.tournament.with-out", 3, "the average of the table points."),
]


@pytest.mark.parametrize(("players", "way", "ranking", "key", "count", "pattern"), FILL_WAYS)
def test_players_who_fill_no_tables_are_told_of(
    client: FlaskClient, players: int, way: str, ranking: str, key: str, count: int, pattern: str
) -> None:
    fields = {"filling": way, "ranking": ranking, "rounds": "2"}
    fields["players"] = "\n".join(NAMES[:players])
    place = client.post(f"{HOME}new", data=fields).headers["Location"]
    assert str(escape(say_count(key, count, players=players))) in client.get(place).text
    client.post(f"{place}draw", data={"number": "1"})
    assert re.search(pattern, main_text(client, place))
    client.post(f"{place}clock", data={"number": "1", "clock": "start"})
    assert "Round 1 of 2 is being played" in main_text(client, place)


def test_a_whole_tournament_by_its_buttons(
    client: FlaskClient, tournament_id: str, tournaments: TournamentRepository
) -> None:
    address = f"{HOME}{tournament_id}/"
    for number in (1, 2, 3):
        assert client.post(f"{address}draw", data={"number": str(number)}).status_code == 303
        for table in (1, 2):
            fields = {"points0": "120", "points1": "30", "points2": "50", "sign2": "lost"}
            answer = client.post(f"{address}round/{number}/table/{table}/", data=fields)
            assert answer.headers["Location"] == address, "the fourth is added up"
        assert client.post(f"{address}close", data={"number": str(number)}).status_code == 303
    record = tournaments.get(tournament_id)
    assert record.over
    assert {given[-1].points for each in record.drawn for given in each.given} == {POINTS}
    page = client.get(f"{address}results/").text
    assert say_count("club.tournament.over", 3) in page
    assert page.count("<tr>") == 9


def test_before_a_tournament_with_rounds_left_ends_it_is_asked(
    client: FlaskClient, tournament_id: str, tournaments: TournamentRepository
) -> None:
    play_round(tournaments, tournament_id)
    end = f"{HOME}{tournament_id}/end"
    question = client.post(end)
    assert question.status_code == 409
    assert "Round 2 of 3 is drawn next" in Page(question.text).text
    assert not tournaments.get(tournament_id).over
    (button,) = Page(question.text).main.all(f'form[action^="{end}"] button')
    assert client.post(end, data={button["name"]: button["value"]}).status_code == 303
    assert tournaments.get(tournament_id).over
    assert client.post(end).status_code == 303, "tapped twice"


def test_of_two_results_the_later_phone_is_told(client: FlaskClient, tournament_id: str) -> None:
    client.post(f"{HOME}{tournament_id}/draw", data={"number": "1"})
    table = f"{HOME}{tournament_id}/round/1/table/1/"
    four = result_form()
    assert client.post(table, data={**four, "seen": "0"}).status_code == 303
    assert client.post(table, data={**four, "seen": "0"}).status_code == 303, "the same once more"
    other = client.post(table, data={**four, "points0": "80", "points1": "70", "seen": "0"})
    assert other.status_code == 422
    assert said("club.refused.given-since") in other.text
    assert "+120" in other.text


WRONG = [
    (
        {"points0": "1", "points1": "1", "points2": "1", "points3": "1"},
        "club.refused.sum",
        {"sum": 4},
    ),
    ({"points0": "1", "points1": "1"}, "club.refused.not-four", {}),
    ({"points0": "1", "points1": "1a", "points2": "l0"}, "field.number", {"most": 100000000}),
]


@pytest.mark.parametrize(("fields", "key", "values"), WRONG)
def test_a_result_that_cannot_be_is_refused(
    client: FlaskClient,
    tournament_id: str,
    fields: dict[str, str],
    key: str,
    values: dict[str, object],
) -> None:
    client.post(f"{HOME}{tournament_id}/draw", data={"number": "1"})
    answer = client.post(f"{HOME}{tournament_id}/round/1/table/1/", data=fields)
    assert answer.status_code == 422
    assert said(key, **values) in answer.text
    points = Page(answer.text).attributes("value", "[name^=points]")
    assert [each for each in points if each] == list(fields.values()), "typed stays"


def test_a_minus_beside_won_is_asked_about_with_both_answers(
    client: FlaskClient, tournament_id: str, tournaments: TournamentRepository
) -> None:
    client.post(f"{HOME}{tournament_id}/draw", data={"number": "1"})
    table = f"{HOME}{tournament_id}/round/1/table/1/"
    fields = result_form((96, 0, 0, -96))
    signs = {f"sign{n}": "won" for n in range(4)}
    answer = client.post(table, data={**fields, **signs})
    assert answer.status_code == 422
    assert said("club.refused.sign") in answer.text
    page = Page(answer.text)
    assert page.attributes("name", "select[required]") == ["sign3"], "the others are clear"
    assert page.attributes("value", "[name=sign3] option") == ["", "won", "lost"]
    assert page.attributes("value", "[name^=points]") == ["96", "0", "0", "96"], "typed stays"
    assert client.post(table, data={**fields, **signs, "sign3": "lost"}).status_code == 303
    assert tournaments.get(tournament_id).drawn[0].given[0][-1].points == (96, 0, 0, -96)


def test_while_a_table_plays_its_players_have_no_place_and_the_finished_board_names_the_winner(
    client: FlaskClient, tournaments: TournamentRepository
) -> None:
    tournament_id = add_tournament(tournaments, rounds=1)
    tournaments.draw(tournament_id, 1)
    seats = tournaments.get(tournament_id).drawn[0].seats.tables
    ranking = f"{HOME}{tournament_id}/results/"
    lines = get_page(client, ranking).texts(".ranking tbody .remark")
    assert lines == [said("club.tournament.not-begun")] * 8, "nobody plays yet"
    tournaments.change(tournament_id, ResultGiven(1, 1, (100, 100, -34, -166)))
    for path, line in (("/club/board/", ".place-line"), (ranking, ".ranking tbody tr")):
        lines = [each.text for each in get_page(client, path).all(line)]
        playing_lines = [each for each in lines if said("club.tournament.still-playing") in each]
        assert len(lines) == 8
        assert lines[4:] == playing_lines, (
            "after the four who have a result, the last of whom lost 166"
        )
        assert all(each.startswith("–") for each in playing_lines), "neither a place nor a sum of 0"
    first = get_page(client, f"{HOME}{tournament_id}/").all(".standings tr")
    assert not any(said("club.tournament.still-playing") in each.text for each in first)
    tournaments.change(tournament_id, ResultGiven(1, 2, (0, 0, 0, 0)))
    tournaments.change(tournament_id, RoundClosed(1))
    winners = ", ".join(sorted(NAMES[player] for player in seats[0][:2]))
    for path in ("/club/board/", ranking, f"{HOME}{tournament_id}/"):
        text = get_page(client, path).text
        assert say_count("club.tournament.winner", 2, players=winners) in text, path
        assert said("club.tournament.still-playing") not in text


def test_after_the_round_the_old_result_stays_beside_who_and_why(
    client: FlaskClient, tournament_id: str, tournaments: TournamentRepository
) -> None:
    play_round(tournaments, tournament_id)
    table = f"{HOME}{tournament_id}/round/1/table/1/"
    other = {"points0": "200", "points1": "-50", "points2": "-50", "points3": "-100", "seen": "1"}
    refusal = client.post(table, data=other)
    assert said("club.refused.no-reason") in refusal.text
    points = Page(refusal.text).attributes("value", "[name^=points]")
    assert points == ["200", "50", "50", "100"], "typed stays"
    assert (
        client.post(table, data={**other, "by": "Gus", "why": "Added wrongly"}).status_code == 303
    )
    page = client.get(table).text
    for shown in ("+200", "Gus", "Added wrongly", "+120"):
        assert shown in page
    assert said("club.tournament.corrected") in client.get(f"{HOME}{tournament_id}/round/1/").text
    pages = "".join(text_of(client.get(f"{HOME}{tournament_id}/results/results.pdf").data))
    assert "Added wrongly" in pages
    assert "+120" in pages


def test_the_result_of_the_match_that_the_four_played_is_taken(
    client: FlaskClient, tournaments: TournamentRepository, matches: MatchRepository
) -> None:
    tournament_id = add_tournament(tournaments, players=("Ann", "Bob", "Cy", "Di"))
    tournaments.draw(tournament_id, 1)
    table = f"{HOME}{tournament_id}/round/1/table/1/"
    assert "player=Ann" in client.get(table).text, "the match can be begun from here"
    match = matches.begin(MatchBegun(("Ann", "Bob", "Cy", "Di"), "bmja", 1000, ()))
    settle(matches, match, "Di")
    assert said("club.refused.match-on") in client.get(table).text
    response = client.post(f"{table}take", data={"match": match, "seen": "0"})
    assert response.status_code == 422
    matches.change(match, MatchEnded())
    assert client.post(f"{table}take", data={"match": match, "seen": "0"}).status_code == 303
    result = tournaments.get(tournament_id).drawn[0].given[0][0]
    assert result.match == match
    assert sum(result.points) == 0
    assert f"/match/{match}/" in client.get(table).text


def test_players_come_go_come_again_and_are_replaced(
    client: FlaskClient, tournament_id: str, tournaments: TournamentRepository
) -> None:
    players = f"{HOME}{tournament_id}/players/"
    for fields in (
        {"wish": "join", "name": "Quin"},
        {"wish": "withdraw", "player": "1"},
        {"wish": "return", "player": "1"},
        {"wish": "replace", "player": "2", "name": "Zoe"},
        {"wish": "rename", "player": "2", "name": "Zoë"},
    ):
        assert client.post(players, data=fields).status_code == 303, fields
    record = tournaments.get(tournament_id)
    assert [each.name for each in record.entrants][1:3] == ["Bob", "Zoë"]
    assert record.entrants[2].were == (("Cy", 0),)
    assert "Until round 0" not in main_text(client, f"{HOME}{tournament_id}/results/")
    for fields, form in (
        ({"wish": "join", "name": "ZOË"}, "form:has([value=join])"),
        ({"wish": "rename", "player": "1", "name": "ZOË"}, "details[open]:has([value='1']) form"),
    ):
        response = client.post(players, data=fields)
        assert response.status_code == 422
        page = Page(response.text)
        assert "ZOË" in page.single(".problem[role=alert]").text
        assert page.single(f"{form} [name=name]")["value"] == "ZOË", "typed stays, and is seen"
        assert len(page.all("details[open]")) == ("player" in fields)


def test_a_substitute_takes_over_from_the_next_round_or_from_the_open_one(
    client: FlaskClient, tournament_id: str, tournaments: TournamentRepository
) -> None:
    players = f"{HOME}{tournament_id}/players/"
    assert get_page(client, players).fields("since") == [], "there is only one round to begin with"
    tournaments.draw(tournament_id, 1)
    page = get_page(client, players)
    assert page.chosen_values("since") == ["2"] * 8, "somebody has sat down for the first"
    assert "From round 2 on" in page.text
    client.post(players, data={"wish": "replace", "player": "2", "name": "Zoe", "since": "2"})
    client.post(players, data={"wish": "replace", "player": "3", "name": "Yan", "since": "1"})
    odd = {"wish": "replace", "player": "4", "name": "Xia", "since": "3"}
    assert client.post(players, data=odd).status_code == 422
    names = tournaments.get(tournament_id).entrants
    assert [[names[who].name_in(number) for number in (1, 2)] for who in (2, 3)] == [
        ["Cy", "Zoe"],
        ["Yan", "Yan"],
    ]
    for table in (1, 2):
        tournaments.change(tournament_id, ResultGiven(1, table, POINTS))
    text = main_text(client, f"{HOME}{tournament_id}/results/")
    assert "Until round 1: Cy." in text
    assert "Until round 0" not in text
    rows = csv_rows(client.get(f"{HOME}{tournament_id}/results/ranking.csv").text)
    assert {row["player"]: row["were"] for row in rows if row["player"] in ("Zoe", "Yan")} == {
        "Zoe": "Cy to 1",
        "Yan": "",
    }


def test_the_clock_is_what_the_box_says_is_left(client: FlaskClient, tournament_id: str) -> None:
    page = f"{HOME}{tournament_id}/"
    client.post(f"{page}draw", data={"number": "1"})

    def left() -> int:
        return int(get_page(client, "/club/board/").single("[data-left]")["data-left"])

    for wish, min_s, max_s in (
        ("start", 5390, 5400), ("start", 5390, 5400), ("more", 5690, 5700), ("stop", 5690, 5700),
        ("more", 5990, 6000), ("go", 5990, 6000),
    ):  # fmt: skip
        data = {"number": "1", "clock": wish}
        assert client.post(f"{page}clock", data=data).status_code == 303
        assert min_s <= left() <= max_s, wish
    assert get_page(client, page).single("[data-left]")


def test_the_board_shows_what_is_played_who_sits_where_and_who_is_first(
    client: FlaskClient, tournaments: TournamentRepository, matches: MatchRepository
) -> None:
    assert said("club.board.nothing") in client.get("/club/board/").text
    matches.begin(MatchBegun(("Zoe", "Yan", "Xi", "Will"), "bmja", 1000, ()))
    tournament_id = add_tournament(tournaments, players=NAMES[:9], stand_ins=False)
    play_round(tournaments, tournament_id)
    tournaments.draw(tournament_id, 2)
    page = get_page(client, "/club/board/")
    for shown in ("Zoe", "Autumn", said("club.board.deal", deal=1), said("club.board.next")):
        assert shown in page.text
    seats = tournaments.get(tournament_id).drawn[1].seats
    (rests,) = seats.out
    assert said("club.tournament.out", players=NAMES[rests]) in page.text
    client.post("/phone/", data={"language": "fr"})
    assert f"Au repos cette manche : {NAMES[rests]}." in get_page(client, "/club/board/").text
    assert len(page.all(".place-line")) == 9
    assert page.all("[data-news]")


def test_files_for_spreadsheets(
    client: FlaskClient, tournaments: TournamentRepository, tournament_id: str
) -> None:
    play_round(tournaments, tournament_id)
    results_page = f"{HOME}{tournament_id}/results"
    rows = [
        csv_rows(client.get(f"{results_page}/{name}.csv").text) for name in ("ranking", "seats")
    ]
    assert [len(each) for each in rows] == [8, 8]
    assert sum(int(row["total"]) for row in rows[0]) == 0
    assert {row["wind"] for row in rows[1]} == {"E", "S", "W", "N"}


def test_it_is_printed_in_the_language(
    client: FlaskClient, tournaments: TournamentRepository, tournament_id: str
) -> None:
    play_round(tournaments, tournament_id)
    client.post("/phone/", data={"language": "fr"})
    printed_text = " ".join(
        "".join(text_of(client.get(f"{HOME}{tournament_id}/results/results.pdf").data)).split()
    )
    use_words("fr")
    ranking = say("club.tournament.ranking")
    use_words("en-GB")
    assert ranking in printed_text


def test_no_page_has_a_round_or_a_table_that_is_not_there(
    client: FlaskClient, tournament_id: str
) -> None:
    client.post(f"{HOME}{tournament_id}/draw", data={"number": "1"})
    for page in ("round/2/", "round/0/", "round/1/table/0/", "round/1/table/3/"):
        assert client.get(f"{HOME}{tournament_id}/{page}").status_code == 404, page
    for page in ("", "players/", "results/", "round/1/", "round/1/table/1/"):
        assert client.get(f"{HOME}nowhere/{page}").status_code == 404, page
