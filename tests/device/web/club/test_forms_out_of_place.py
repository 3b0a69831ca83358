"""Forms that no page offers just now: each is refused, and the tournament goes on."""

from __future__ import annotations

from pathlib import Path

from flask.testing import FlaskClient

from device import cli
from device.club.tournament.repository import TournamentRepository
from device.damage import examine_all
from device.store import Store
from tests.device.club.tournament.tournament_play import add_tournament, play_round, result_form

OUT_OF_PLACE = [
    ("draw", {"number": "0"}, "no round is to be drawn, and it is not number 0 either"),
    ("draw", {"number": "3"}, "the one before is being played"),
    ("draw", {"number": "4"}, "there are three"),
    ("withdraw", {"number": "1"}, "it was closed"),
    ("withdraw", {"number": "0"}, "there is none"),
    ("close", {"number": "0"}, "there is none"),
    ("close", {"number": "3"}, "it is not drawn"),
    ("clock", {"number": "1", "clock": "start"}, "it was closed"),
    ("end", {}, "a round is being played"),
    ("length", {"rounds": "1e1"}, "that is read as no number"),
]


def test_what_is_not_to_be_done_now_is_refused_and_breaks_nothing(
    client: FlaskClient, store: Store
) -> None:
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments)
    play_round(tournaments, tournament)
    tournaments.draw(tournament, 2)
    address = f"/club/tournaments/{tournament}/"
    before = tournaments.get(tournament)
    for page, fields, why in OUT_OF_PLACE:
        assert client.post(address + page, data=fields).status_code == 409, why
        assert tournaments.get(tournament) == before, why
    assert examine_all(store).torn_events == ()
    for shown in (address, f"{address}round/2/", "/club/board/", "/club/tournaments/"):
        assert client.get(shown).status_code == 200, shown
    four = result_form()
    for table in (1, 2):
        assert client.post(f"{address}round/2/table/{table}/", data=four).status_code == 303
    assert client.post(f"{address}close", data={"number": "2"}).status_code == 303


def test_a_backup_after_such_a_form_is_taken_back(
    client: FlaskClient, store: Store, tmp_path: Path
) -> None:
    tournaments = TournamentRepository(store)
    tournament = add_tournament(tournaments, rounds=1)
    tournaments.draw(tournament, 1)
    client.post(f"/club/tournaments/{tournament}/draw", data={"number": "0"})
    backup_path = str(tmp_path / "all.tar")
    assert examine_all(store).torn_events == ()
    assert client.get(f"/club/tournaments/{tournament}/").status_code == 200
    assert cli.main(["backup", backup_path, "--data", str(store.folder)]) == 0
    assert cli.main(["restore", backup_path, "--data", str(tmp_path / "new")]) == 0
