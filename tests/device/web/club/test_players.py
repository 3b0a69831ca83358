"""The pages of the club's people: who there is, what is told of each, and what is left out."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.club import ClubError
from device.club.people import PeopleRepository
from device.club.tournament.match_results import gains_by_seat
from device.club.tournament.repository import TournamentRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import DealCorrected, DealSettled, MatchEnded, PlayersRenamed, ResultGiven
from tests.device.club.tournament.tournament_play import add_tournament
from tests.device.match_play import AGREED_TERMS, SCORES, give_hand, settle
from tests.device.page import Page, get_page, main_text


def play(matches: MatchRepository, players: str = "Ann Bob Cy Di", winner: str = "") -> str:
    """Play a match of one deal to its end; return its id."""
    names = tuple(players.split())
    match = matches.begin(replace(AGREED_TERMS, players=names))
    scores = dict(zip(names, SCORES.values(), strict=False))
    settle_as(matches, match, winner or names[0], scores)
    matches.change(match, MatchEnded())
    return match


def settle_as(matches: MatchRepository, match: str, winner: str, scores: dict[str, int]) -> None:
    settle(matches, match, None)
    number = len(matches.get(match).game.log)
    matches.change(match, DealCorrected(number=number, winner=winner, scores=scores))


def address_of(client: FlaskClient, name: str) -> str:
    """Return the address of somebody's page, from the list."""
    links = get_page(client, "/club/players/").all('a[href^="/club/players/"]')
    (address,) = {each["href"] for each in links if each.text == name}
    return address


def offered_names(client: FlaskClient) -> list[str]:
    """Return the names that the first field of a new match offers."""
    page = get_page(client, "/match/new")
    assert len(page.all("[list=known]")) == 5
    return page.attributes("value", "#known option")


def test_a_box_that_was_never_played_on_offers_nothing_and_lists_nobody(
    client: FlaskClient,
) -> None:
    assert offered_names(client) == []
    assert "Nobody has played here yet." in main_text(client, "/club/players/")


def test_who_played_last_is_offered_first(client: FlaskClient, matches: MatchRepository) -> None:
    play(matches, "Eve Bob Flo Gus")
    play(matches, "Ann Bob Cy Di")
    assert offered_names(client) == ["Ann", "Bob", "Cy", "Di", "Eve", "Flo", "Gus"]


def test_players_are_listed_as_people_sort(client: FlaskClient, matches: MatchRepository) -> None:
    play(matches, "Zoë Élodie eve Ann")
    page = get_page(client, "/club/players/")
    names = [each.text for each in page.all('a[href^="/club/players/"]')]
    assert [each for each in names if each in "Zoë Élodie eve Ann"] == [
        "Ann",
        "Élodie",
        "eve",
        "Zoë",
    ]


def test_a_slip_that_was_put_right_is_not_offered(
    client: FlaskClient, matches: MatchRepository
) -> None:
    match = matches.begin(replace(AGREED_TERMS, players=("An", "Bob", "Cy", "Di")))
    for old, new in (("An", "Anne"), ("Anne", "Ann")):
        matches.change(match, PlayersRenamed({old: new}))
    assert offered_names(client) == ["Ann", "Bob", "Cy", "Di"]


def test_what_is_told_of_a_player(
    client: FlaskClient, matches: MatchRepository, store: Store, read_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = give_hand(matches, match, store, read_hand, "Di", winner="Di")
    matches.change(match, DealSettled(winner="Di", scores={**SCORES, "Di": 1000}))
    settle(matches, match, "Cy")
    settle(matches, match, None)
    matches.change(match, MatchEnded())
    play(matches, "Eve Di")
    page = main_text(client, address_of(client, "Di"))
    for words in (
        "Deals won 1", "Deals played 4", f"{round((1000 + 416 + 84) / 3)}",
        "Best hand 1000 points", "Hands at the limit: 1", "2 matches", "with Ann, Bob, Cy",
        "Ann 1 match", "Eve 1 match",
    ):  # fmt: skip
        assert words in page
    html = get_page(client, address_of(client, "Di"))
    assert f"/hand/{hand}/dispute" in html.links()
    assert html.all(f'[src="/hand/{hand}/thumbnail.jpg"]')
    assert html.all("polyline")
    assert "Special hands" not in page, "its tiles come to another score"


def test_two_names_of_one_person_are_one_player_and_can_be_parted(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "Kit Bob Cy Di")
    play(matches, "Kitty Bob Cy Di")
    kit, kitty = address_of(client, "Kit"), address_of(client, "Kitty")
    page = main_text(client, f"{kit}same", other=kitty.split("/")[3])
    assert "Kitty" in page
    assert "Also plays as: Kit" in page
    assert "2 matches" in page
    assert client.get(kit).headers["Location"] == kitty, "the old address leads there"
    assert offered_names(client)[0] == "Kitty"
    assert "Kit" not in offered_names(client)
    main_text(client, f"{kitty}part", entry=kit.split("/")[3])
    assert "1 match" in main_text(client, kitty)
    assert address_of(client, "Kit") == kit


def test_who_sat_at_one_table_are_two_people(client: FlaskClient, matches: MatchRepository) -> None:
    play(matches)
    answer = client.post(
        f"{address_of(client, 'Ann')}same", data={"other": address_of(client, "Bob").split("/")[3]}
    )
    assert answer.status_code == 422
    assert "Ann and Bob have sat at one table" in Page(answer.text).text
    assert {"Ann", "Bob"} <= set(offered_names(client))


def test_who_is_called_otherwise_keeps_the_matches(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "Wong Bob Cy Di")
    address = address_of(client, "Wong")
    page = main_text(client, f"{address}name", name="Wong (Kitty)")
    assert "1 match" in page
    assert "Also plays as: Wong" in page
    assert offered_names(client)[0] == "Wong (Kitty)"
    play(matches, "Ann Bob Cy Di")
    assert address_of(client, "Wong (Kitty)") == address


def test_a_name_that_is_somebodys_is_refused_in_words(
    client: FlaskClient, matches: MatchRepository
) -> None:
    assert "Ann" in main_text(client, "/club/players/", name=" Ann ")
    for path in ("/club/players/", f"{address_of(client, 'Ann')}name"):
        if path.endswith("name"):
            main_text(client, "/club/players/", name="Bob")
            path = f"{address_of(client, 'Bob')}name"
        answer = client.post(path, data={"name": "ANN"})
        assert answer.status_code == 422
        assert "is already somebody’s name" in Page(answer.text).text
        assert "ANN (Kitty)" in Page(answer.text).text, "with a way to tell the two apart"
    assert client.post("/club/players/", data={"name": " "}).status_code == 422


def test_a_name_under_which_another_has_played_is_refused_in_words(
    client: FlaskClient, matches: MatchRepository, store: Store
) -> None:
    play(matches)
    matches.begin(replace(AGREED_TERMS, players=("Bob", "Eve")))
    add_tournament(TournamentRepository(store))
    address = address_of(client, "Bob")
    for name in ("cy", "Eve", "Hal"):  # of a match, of one that is not over, of a tournament
        answer = client.post(f"{address}name", data={"name": name})
        assert answer.status_code == 422
        assert "join them under Names on that player’s page" in Page(answer.text).text
    assert address_of(client, "Cy")
    for name in ("BOB", "Bobby", "Bob"):  # the own names
        main_text(client, f"{address}name", name=name)
    assert "1 match" in main_text(client, address)


def test_a_name_under_which_somebody_begins_to_play_meanwhile_is_refused(
    matches: MatchRepository, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = PeopleRepository(store)
    bob = people.add("Bob")

    def register_while_others_begin(*_: object) -> str:
        matches.begin(replace(AGREED_TERMS, players=("Bob", "Eve")))
        return bob.id

    monkeypatch.setattr(people, "_ensure_registered", register_while_others_begin)
    with pytest.raises(ClubError, match=r"club\.people\.taken"):
        people.rename(bob, "Eve")
    assert people.register().find_person("Eve").id != bob.id


def test_a_slip_of_the_register_is_given_up(client: FlaskClient, matches: MatchRepository) -> None:
    play(matches)
    address = address_of(client, "Ann")
    main_text(client, f"{address}name", name="Anne")
    main_text(client, f"{address}give-up", name="Ann")
    assert address_of(client, "Anne") == address
    assert "No match" in main_text(client, address)
    assert "1 match" in main_text(client, address_of(client, "Ann"))


def test_who_is_removed_is_offered_no_more(client: FlaskClient, matches: MatchRepository) -> None:
    play(matches)
    address = address_of(client, "Bob")
    main_text(client, f"{address}remove", what="offered")
    assert "Bob" not in offered_names(client)
    assert "Bob" not in get_page(client, "/match/new").attributes("value"), (
        "nor proposed with the last match's"
    )
    assert "1 match" in main_text(client, address), "the page is still there"
    main_text(client, f"{address}back")
    client.post(f"{address}back")
    assert "Bob" in offered_names(client)


def test_who_does_not_wish_to_be_shown_is_shown_nowhere(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches)
    address, ann = address_of(client, "Bob"), address_of(client, "Ann")
    main_text(client, f"{address}remove", what="hidden")
    page = client.get(address)
    assert "does not wish to be shown" in page.text
    for path in (address, ann, "/club/players/", "/match/new", "/practise/"):
        assert "Bob" not in client.get(path).text, path
    assert "Bob" in main_text(client, "/club/players/removed"), "where it can be taken back"
    client.post(f"{address}back")
    assert "1 match" in main_text(client, address)


@pytest.mark.parametrize(
    "path", ["/club/players/nobody/", "/club/players/nobody/names", "/club/players/%20/"]
)
def test_nobodys_page_is_none(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_person_who_is_called_like_a_hand_keeps_the_name_in_every_language(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play(matches, "Purity West Cy Di")
    client.post("/phone/", data={"language": "fr"})
    assert "Purity" in main_text(client, "/club/players/")
    page = main_text(client, address_of(client, "Purity"))
    assert "avec West, Cy, Di" in page
    assert "pureté" not in page


def gain_of(client: FlaskClient, name: str) -> str:
    """Return what somebody has won or lost in all, as the own page says."""
    return get_page(client, address_of(client, name)).texts(".tallies dd")[-1]


def test_a_result_that_was_typed_in_a_tournament_counts_for_its_players(
    client: FlaskClient, matches: MatchRepository, store: Store
) -> None:
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments)
    tournaments.draw(tournament, 1)
    record = tournaments.get(tournament)
    first, second = (
        [record.entrants[player].name for player in table] for table in record.drawn[0].seats.tables
    )
    tournaments.change(tournament, ResultGiven(1, 1, (592, -200, -192, -200)))
    assert gain_of(client, first[0]) == "+592"
    (line,) = get_page(client, address_of(client, first[0])).all("ol.matches a")
    assert line["href"] == f"/club/tournaments/{tournament}/"
    assert f"with {', '.join(first[1:])}" in line.text

    match = play(matches, " ".join(second))
    gain = gain_of(client, second[0])
    gains = gains_by_seat(matches.get(match), second)
    tournaments.change(tournament, ResultGiven(1, 2, gains, match=match))
    assert gain_of(client, second[0]) == gain, "counted once, though taken over"
    tournaments.change(tournament, ResultGiven(1, 2, (40, 0, 0, -40), seen=1))
    assert gain_of(client, second[0]) == "+40", "as the tournament counts it now"
    (line,) = get_page(client, address_of(client, second[3])).all("ol.matches a")
    assert line["href"] == f"/match/{match}/"
    assert "\N{MINUS SIGN}40" in line.text
