"""Play a tournament at the evening's tables, within a season, and add it up again.

The organiser's phone arranges it, draws the rounds, begins and ends them. The tables' phones find
their matches and play them as usual. Ranking and season are compared with the sums of the scorer's
own games.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

from tests.prove.club_acts import UntoldError
from tests.prove.club_notes import Notes, Rules, begin_notes
from tests.prove.club_phone import ALERT, Answer, Phone
from tests.prove.club_play import TableEvening
from tests.prove.club_room import Room
from tests.spreadsheets import csv_rows

TOURNAMENTS = "/club/tournaments/"

NEW_SEASON, EVERY_SEASON = "/club/season/new", "/club/season/every"

PLACES = (4, 2, 1, 0)

RULES = Rules(4)

YEAR = {"first": "2000-01-01", "last": "2099-12-31", "points": "totals", "places": "4 2 1 0"}


class TournamentPlayed:
    """A tournament of as many tables as the room has, and the season around it."""

    def __init__(self, room: Room, tables: Sequence[TableEvening]) -> None:
        self.room, self.tables = room, tables
        self.phone = Phone(room, 220, 0)
        self.rounds = room.plan.rounds
        names = [f"Player {n + 1}" for n in range(4 * len(tables))]
        self.names = names[:-1] if len(names) > 4 else names  # so that a stand-in plays, too
        self.path = self.season = ""
        self.made: defaultdict[str, list[tuple[int, Fraction]]] = defaultdict(list)
        """What each round brought a player: won or lost, and table points."""

    def play(self) -> None:
        """Play all rounds; the season stands around the whole evening."""
        season = {"id": self.phone.get(NEW_SEASON).hidden_field("id"), "name": "The year", **YEAR}
        self.season = self._post(NEW_SEASON, 303, **season).where
        form = self.phone.get(f"{TOURNAMENTS}new")
        fields = {
            "id": form.hidden_field("id"), "name": "The cup", "players": "\n".join(self.names),
            "rounds": self.rounds, "minutes": 30, "ranking": "both", "zero_sum": "yes",
            "filling": "stand-ins", **{f"place{n}": points for n, points in enumerate(PLACES)},
        }  # fmt: skip
        self.path = self._post(f"{TOURNAMENTS}new", 303, **fields).where
        for number in range(1, self.rounds + 1):
            self.phone.next_deal()
            self._round(number)
        self.room.count("tournament rounds", self.rounds)

    def _round(self, number: int) -> None:
        self._post(f"{self.path}draw", 303, number=number)
        self._begin(number)
        seats = self._seats(number)
        with ThreadPoolExecutor(len(self.tables)) as pool:
            tasks = [
                pool.submit(self._play, table, seats[table.number + 1]) for table in self.tables
            ]
            for task in tasks:
                task.result()
        self._post(f"{self.path}close", 303, number=number, sure="yes")
        for table in self.tables:
            _note_end(table.notes)
            self._note(table.notes, seats[table.number + 1])

    def _begin(self, number: int) -> None:
        """Begin the round: the first time the tables are chosen, and others' matches end there."""
        if number > 1:
            self._post(f"{self.path}tables/begin", 303)
            return
        page = self.phone.get(f"{self.path}tables/").page
        tables = {
            place.get("name"): place.single("option[selected]").get("value")
            for place in page.all('select[name^="table"]')
        }
        self._post(f"{self.path}tables/", 409, **tables, **RULES.form)
        self._post(f"{self.path}tables/begin", 303, end="yes")
        for table in self.tables:
            _note_end(table.notes)

    def _seats(self, number: int) -> Mapping[int, list[str]]:
        """Return who sits at each table, East first; empty for a stand-in."""
        names_by_table: defaultdict[int, list[str]] = defaultdict(list)
        for row in self._rows("results/seats.csv"):
            if int(row["round"]) == number and row["wind"]:
                names_by_table[int(row["table"])].append(row["player"])
        return names_by_table

    def _play(self, table: TableEvening, players: Sequence[str]) -> None:
        """Play the match that a table's phones find there."""
        answer = table.phones[0].get("/table/")
        text = table.phones[0].get(answer.where).text if answer.where else answer.text
        missing = [name for name in players if name and name not in text]
        if missing:
            self.room.fault(f"{table.number}: {missing} are not at the table they were drawn to")
        names = tuple(name or "stand-in" for name in players)
        table.play_on(begin_notes(table.notes.table, RULES, names), self.room.plan.deals)

    def _note(self, notes: Notes, players: Sequence[str]) -> None:
        """Note what a match brought the players who were drawn to it."""
        gains = [total - notes.state.game.first_tallies for total in _seat_totals(notes).values()]
        for player, gain, points in zip(players, gains, _table_points(gains), strict=True):
            if player:
                self.made[player].append((gain, points))

    def check(self) -> None:
        """Compare the ranking, every seat and the season with the program's own sums."""
        self._check_ranking()
        self._check_season()

    def _check_ranking(self) -> None:
        rows = {row["player"]: row for row in self._rows("results/ranking.csv")}
        sums = {
            player: (sum((points for _, points in made), Fraction()), sum(g for g, _ in made))
            for player, made in self.made.items()
        }
        if rows.keys() != sums.keys():
            self.room.fault(f"the ranking is of {sorted(rows)}, not of {sorted(sums)}")
            return
        for player, (points, gain) in sums.items():
            place = 1 + sum(other > (points, gain) for other in sums.values())
            expected = (place, round(float(points), 3), gain)
            row = rows[player]
            actual = (int(row["place"]), float(row["table_points"]), int(row["total"]))
            if actual != expected:
                self.room.fault(f"the ranking has {player} with {actual}, not with {expected}")
            self.room.count("places of the ranking compared")
        seats = sorted(
            (row["player"], int(row["points"])) for row in self._rows("results/seats.csv")
            if row["player"]
        )  # fmt: skip
        wanted_seats = sorted((p, gain) for p, made in self.made.items() for gain, _ in made)
        if seats != wanted_seats:
            self.room.fault(f"the seats have {seats}, not {wanted_seats}")

    def _check_season(self) -> None:
        links = self.phone.get(EVERY_SEASON).page.links("/club/season/")
        ids = {each.split("/")[3] for each in links} - {"every", "new"}
        seasons = {f"/club/season/{each}/" for each in ids}
        if seasons != {self.season}:
            self.room.fault(f"there are {len(seasons)} seasons, and one was begun")
        gains: Counter[str] = Counter()
        for notes in (each for table in self.tables for each in table.all if each.ended):
            if not any(row.deal for row in notes.state.game.course.rows):
                continue  # a match without a deal counts for nobody, whatever was paid in it
            for name, total in notes.state.totals().items():
                gains[name] += total - notes.state.game.first_tallies
        address = f"{self.season}standing.csv"
        rows = csv_rows(self.phone.get(address).text)
        actual_gains = {row["player"]: int(row["gain"]) for row in rows}
        if actual_gains != dict(gains):
            differences = {
                name
                for name in actual_gains.keys() | gains.keys()
                if actual_gains.get(name) != gains[name]
            }
            says = {name: (actual_gains.get(name), gains[name]) for name in sorted(differences)}
            self.room.fault(f"the season has, and should have: {says}")
        self.room.count("players of the season compared", len(actual_gains))

    def _rows(self, page: str) -> list[dict[str, str]]:
        return csv_rows(self.phone.get(f"{self.path}{page}").text)

    def _post(self, path: str, expected_status: int, **fields: object) -> Answer:
        """Send a form until it is answered; raise UntoldError for another status."""
        answer = self.phone.post_until_answered(path, **fields)
        if answer.status != expected_status:
            raise UntoldError(
                f"{path}: {answer.status}, not {expected_status}: {answer.page.texts(ALERT)}"
            )
        return answer


def _seat_totals(notes: Notes) -> Mapping[str, int]:
    """Return what everybody has, in the order of the seats in which the match began."""
    return notes.state.game.course.totals


def _table_points(gains: Sequence[int]) -> list[Fraction]:
    """Return the table points: who shares places gets their average."""
    better_counts = [sum(other > gain for other in gains) for gain in gains]
    level = [sum(other == gain for other in gains) for gain in gains]
    return [
        Fraction(sum(PLACES[at : at + many]), many)
        for at, many in zip(better_counts, level, strict=True)
    ]


def _note_end(notes: Notes) -> None:
    """Note that the organiser has ended a match."""
    notes.ended = True
    notes.write("match-ended")
