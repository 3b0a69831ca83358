"""A game replayed from its log: seats, winds, goulashes, tallies, corrections."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from scorer.match import game as game_module
from scorer.match.entries import Charge, Correction, Entry, WashOut, WonDeal
from scorer.match.game import Course, Game, GameError, replay
from scorer.match.seating import first_seating
from scorer.match.settlement import MAX_SCORE_POINTS, settle
from scorer.message import to_english

FOUR = ("Ann", "Bob", "Cy", "Di")
FIVE = (*FOUR, "Eve")


def won_deal(winner: str, players: tuple[str, ...] = FOUR, **scores: int) -> WonDeal:
    """Return a deal in which the winner scores 20 and the others nothing, but for what is said."""
    return WonDeal(winner, {name: 20 if name == winner else 0 for name in players} | scores)


def play(game: Game, *log: Entry) -> Course:
    return replay(replace(game, log=log))


def seats_of(course: Course) -> str:
    """Return the players of E, S, W and N as initials, - where nobody sits."""
    return "".join(course.next_deal.seats.get(wind, "-")[0] for wind in "ESWN")


def results(game: Game, results: str) -> Course:
    """Play deals in short: an initial is a win, a dash a wash-out."""
    for letter in results:
        table = tuple(replay(game).next_deal.seats.values())
        by_initial = {name[0]: name for name in game.players}
        game = game.with_entry(WashOut() if letter == "-" else won_deal(by_initial[letter], table))
    return replay(game)


COURSES: list[tuple[tuple[str, ...], str, str, str, int, str | None, str]] = [
    (FOUR, "", "", "ABCD", 1, "E", "as they sat down"),
    (FOUR, "", "A", "ABCD", 1, "E", "W01: East won and stays"),
    (FOUR, "", "-", "ABCD", 1, "E", "W01: a drawn game changes nothing"),
    (FOUR, "", "C", "BCDA", 1, "E", "W01: East passes to South, not to the winner"),
    (FOUR, "", "CB", "BCDA", 1, "E", "W01: the new East stays too"),
    (FOUR, "", "CDAB", "ABCD", 2, "S", "W02: the first East is East again"),
    (FOUR, "", "CDABA-A", "ABCD", 2, "S", "W02: staying East is no new round"),
    (FOUR, "", "CDAB" * 3, "ABCD", 4, "N", "W02: the fourth round"),
    (FOUR, "", "CDAB" * 3 + "CDA", "DABC", 4, "N", "the last deal of the match at the least"),
    (FOUR, "", "CDAB" * 4, "ABCD", 5, "E", "W02: over, and the winds go round"),
    (FOUR[:3], "", "", "ABC-", 1, "E", "N01: East, South and West"),
    (FOUR[:3], "", "B", "BC-A", 1, "E", "N01: right is South, left is North"),
    (FOUR[:3], "", "BC", "C-AB", 1, "E", "N01: opposite is West, left is North"),
    (FOUR[:3], "", "BCA", "ABC-", 2, "S", "N01: over the empty place, East there always is"),
    (FOUR[:3], "ESN", "B", "B-CA", 1, "E", "N01: three others of the winds"),
    (FOUR[:3], "EWN", "BC", "CA-B", 1, "E", "N01: and three others"),
    (FOUR[:2], "", "", "A-B-", 1, "E", "N02: East and West"),
    (FOUR[:2], "", "B", "B-A-", 1, "E", "N02: they change"),
    (FOUR[:2], "", "BA", "A-B-", 2, "S", "N02: a round is two deals at the least"),
    (FIVE, "", "", "ABCD", 1, "E", "N03: Eve sits out"),
    (FIVE, "", "A", "ABCD", 1, "E", "N03: East went out and stays"),
    (FIVE, "", "-", "ABCD", 1, "E", "P18: a wash-out moves no winds, so nobody retires"),
    (FIVE, "", "B", "BCDE", 1, "E", "N03: East retires, the dreamer is North"),
    (FIVE, "", "BC", "CDEA", 1, "E", "N03: the first East is back as North"),
    (FIVE, "", "BCDEA", "ABCD", 2, "S", "N03: a round is five deals at the least"),
]


@pytest.mark.parametrize(
    ("players", "first", "events", "seats", "turn", "prevailing", "reason"), COURSES
)
def test_how_the_winds_pass_on(
    players: tuple[str, ...],
    first: str,
    events: str,
    seats: str,
    turn: int,
    prevailing: str | None,
    reason: str,
) -> None:
    course = results(Game(players, first), events)
    assert seats_of(course) == seats, reason
    assert (course.next_deal.round, course.next_deal.prevailing_wind) == (turn, prevailing), reason
    assert course.next_deal.number == len(events) + 1
    assert course.next_deal.goulash == events.endswith("-")
    assert course.is_over == (turn > 4)


def test_the_dreamer_changes_with_every_lost_east() -> None:
    game = Game(FIVE)
    assert [results(game, "BCDEA"[:n]).next_deal.dreamer for n in range(6)] == [
        "Eve", "Ann", "Bob", "Cy", "Di", "Eve",
    ]  # fmt: skip


SAFALRA = [
    (FOUR, "C", "CDAB", "SAF-P07: the winner becomes East, the others follow"),
    (FOUR, "CC", "CDAB", "SAF-P07: and stays by winning"),
    (FOUR, "C-", "CDAB", "SAF-P06: a dead game is played again"),
    (FOUR[:3], "C", "C-AB", "SAF-N01: a dummy is never East"),
    (FOUR[:2], "B", "B-A-", "SAF-N01: two and two dummies"),
]


@pytest.mark.parametrize(("players", "events", "seats", "reason"), SAFALRA)
def test_safalras_winner_becomes_east(
    players: tuple[str, ...], events: str, seats: str, reason: str
) -> None:
    course = results(Game(players, ruleset="safalra"), events)
    assert seats_of(course) == seats, reason
    deal = course.next_deal
    assert (deal.prevailing_wind, deal.goulash, course.is_over) == (None, False, False)


def test_safalras_scores_add_up() -> None:
    game = Game(FOUR, ruleset="safalra")
    course = play(game, won_deal("Cy", Ann=4, Cy=162), WashOut(), won_deal("Cy", Di=8))
    assert course.totals == {"Ann": 4, "Bob": 0, "Cy": 182, "Di": 8}, "SAF-P08"
    assert [row.settlement is None for row in course.rows] == [True, False, True]
    assert course.leaders == ("Cy",)


def test_a_goulash_follows_every_wash_out() -> None:
    course = play(Game(FOUR), WashOut(), WashOut(), won_deal("Bob"))
    assert [row.deal.goulash for row in course.rows if row.deal] == [False, True, True], "P18"
    assert not course.next_deal.goulash


def test_the_score_sheet_row_by_row() -> None:
    game = Game(FOUR)
    deal = WonDeal("Bob", {"Ann": 80, "Bob": 84, "Cy": 208, "Di": 416})
    charge = Charge("Cy", {"Di": 50}, "Misnamed a discard", "BMJA-P19")
    course = play(game, deal, charge, WashOut())
    first, second, third = course.rows
    assert first.changes == {"Ann": -1096, "Bob": 336, "Cy": -36, "Di": 796}
    assert first.totals == {"Ann": 904, "Bob": 2336, "Cy": 1964, "Di": 2796}, "P01: from 2,000"
    assert first.settlement
    assert to_english(first.settlement.payments[0].why).startswith("Ann pays Bob 84 for going out")
    assert first.deal
    assert first.deal.seats["E"] == "Ann"
    assert (second.deal, second.settlement) == (None, None)
    assert second.changes == {"Ann": 0, "Bob": 0, "Cy": -50, "Di": 50}
    assert third.deal
    assert (third.number, third.deal.number, third.deal.seats["E"]) == (3, 2, "Bob")
    assert third.settlement
    assert third.settlement.payments == ()
    assert course.totals == third.totals == {"Ann": 904, "Bob": 2336, "Cy": 1914, "Di": 2846}


def test_a_charge_leaves_the_goulash_to_the_next_deal() -> None:
    course = play(Game(FOUR), WashOut(), Charge("Ann", {"Bob": 2}, "A wager"))
    assert course.next_deal.goulash
    assert course.next_deal.number == 2


def test_who_leads_and_who_owes() -> None:
    course = play(Game(FOUR), won_deal("Bob", Bob=1000), won_deal("Cy", Ann=1000))
    assert course.leaders == ("Bob",)
    assert course.totals["Di"] < 0, "1,000 once as a loser, and 1,000 of a difference"
    course = play(Game(FOUR, start=0), won_deal("Bob", Bob=20, Di=60))
    assert course.totals == {"Ann": -160, "Bob": 80, "Cy": -80, "Di": 160}
    assert course.leaders == ("Di",)
    assert play(Game(FOUR)).leaders == FOUR, "nobody leads before the first deal"


def test_a_table_without_goulashes_deals_again_after_a_wash_out() -> None:
    assert play(Game(FOUR), WashOut()).next_deal.goulash
    assert not play(Game(FOUR, goulash=False), WashOut()).next_deal.goulash


def test_the_dreamer_neither_pays_nor_receives() -> None:
    course = results(Game(FIVE), "B")
    assert course.totals == {"Ann": 1960, "Bob": 2080, "Cy": 1980, "Di": 1980, "Eve": 2000}


def test_by_the_misprint_the_prevailing_wind_doubles() -> None:
    game = Game(FOUR, double="prevailing")
    second_round = [won_deal("Bob"), won_deal("Cy"), won_deal("Di"), won_deal("Ann")]
    course = play(game, *second_round, won_deal("Ann", Ann=100))
    assert course.rows[-1].changes == {"Ann": 400, "Bob": -200, "Cy": -100, "Di": -100}, "C15"
    assert course.rows[0].changes == {"Ann": -40, "Bob": 80, "Cy": -20, "Di": -20}


CORRECTIONS: list[tuple[list[Entry], str, dict[str, int], str]] = [
    ([won_deal("Bob"), Correction(1, won_deal("Ann"))], "ABCD",
     {"Ann": 2120, "Bob": 1960, "Cy": 1960, "Di": 1960}, "another winner: East stays after all"),
    ([won_deal("Bob"), Correction(1, None)], "ABCD", dict.fromkeys(FOUR, 2000), "it never was"),
    ([won_deal("Bob"), Correction(1, None), Correction(1, won_deal("Bob"))], "BCDA",
     {"Ann": 1960, "Bob": 2080, "Cy": 1980, "Di": 1980}, "taken back"),
    ([won_deal("Bob"), won_deal("Bob"), Correction(1, WashOut())], "BCDA",
     {"Ann": 1960, "Bob": 2080, "Cy": 1980, "Di": 1980}, "the later deal is East Ann's now"),
    ([Charge("Ann", {"Bob": 50}, "Misnamed"), Correction(1, Charge("Ann", {"Cy": 60}, "So"))],
     "ABCD", {"Ann": 1940, "Bob": 2000, "Cy": 2060, "Di": 2000}, "a charge is corrected too"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "seats", "totals", "reason"), CORRECTIONS)
def test_a_correction_counts_in_the_old_place(
    log: list[Entry], seats: str, totals: dict[str, int], reason: str
) -> None:
    course = play(Game(FOUR), *log)
    assert seats_of(course) == seats, reason
    assert course.totals == totals, reason


def test_rows_keep_the_numbers_of_the_log() -> None:
    course = play(Game(FOUR), won_deal("Bob"), won_deal("Bob"), Correction(1, None), WashOut())
    assert [row.number for row in course.rows] == [2, 4]


SETUPS: list[tuple[dict[str, Any], list[str], str]] = [
    ({"players": ("Ann",)}, ["players"], "one"),
    ({"players": (*FIVE, "Flo")}, ["players"], "six"),
    ({"players": FIVE, "ruleset": "safalra"}, ["players"], "N03 is British"),
    ({"players": ("Ann", "Ann", "Cy")}, ["player-twice"], "whose score?"),
    ({"players": ("Ann", " ", "Cy")}, ["unnamed-player"], "no name"),
    ({"players": FOUR, "start": -1}, ["start"], "below nothing"),
    ({"players": FOUR, "start": MAX_SCORE_POINTS + 1}, ["start"], "more than anybody writes down"),
    ({"players": FOUR, "ruleset": "riichi"}, ["unknown-ruleset"], "other rules"),
    ({"players": FOUR[:3], "seats": "SWN"}, ["seats"], "N01: East there always is"),
    ({"players": FOUR[:3], "seats": "EWS"}, ["seats"], "in order of play"),
    ({"players": FOUR[:3], "seats": "ESWN"}, ["seats"], "one too many"),
    ({"players": FOUR[:3], "seats": "EXN"}, ["seats"], "no such wind"),
    ({"players": FOUR[:2], "seats": "ES"}, ["seats"], "N02: opposite"),
    ({"players": ("", ""), "seats": "EN", "ruleset": "x"},
     ["unknown-ruleset", "player-twice", "unnamed-player", "seats"], "everything at once"),
]  # fmt: skip


@pytest.mark.parametrize(("setup", "codes", "reason"), SETUPS)
def test_players_who_cannot_play_are_refused(
    setup: dict[str, Any], codes: list[str], reason: str
) -> None:
    with pytest.raises(GameError) as failure:
        Game(**setup)
    assert [problem.code for problem in failure.value.problems] == codes, reason


BAD_LOGS: list[tuple[list[Entry], list[str], str]] = [
    ([won_deal("Bob", Eve=4)], ["not-at-table"], "'Eve' did not play this deal."),
    ([won_deal("Eve")], ["winner"], "'Eve' did not play"),
    ([WonDeal("Bob", {"Ann": 4, "Bob": 20})], ["no-score", "no-score"], "Entry 1: Cy's score"),
    ([won_deal("Bob", Ann=-2, Cy=10**9)], ["negative-score", "score-too-high"], "below 0"),
    ([Charge("Zoe", {"Ann": 2}, "x")], ["unknown-player"], "'Zoe' does not play"),
    ([Charge("Ann", {"Zoe": 2}, "x")], ["unknown-player"], "'Zoe' does not play"),
    ([Charge("Ann", {"Ann": 2}, "x")], ["charge"], "cannot pay Ann"),
    ([Charge("Ann", {}, "x")], ["charge"], "somebody who receives"),
    ([Charge("Ann", {"Bob": 0}, "x")], ["charge"], "more than 0, not 0"),
    ([Charge("Ann", {"Bob": 10**9}, "x")], ["charge"], "100000000 at most"),
    ([Charge("Ann", {"Bob": -2}, " ")], ["charge", "charge"], "what the payment is for"),
    ([Correction(1, None)], ["correction"], "does not come before it"),
    ([won_deal("Bob"), Correction(0, None)], ["correction"], "corrects entry 0"),
    (
        [won_deal("Bob"), Correction(1, None), Correction(2, None)],
        ["correction"],
        "the original entry",
    ),
    ([won_deal("Bob"), Correction(1, won_deal("Eve"))], ["winner"], "Entry 1: 'Eve'"),
    ([won_deal("Eve"), won_deal("Bob"), Charge("Ann", {}, "x")], ["winner", "charge"],
     "Entry 3: A payment"),
]  # fmt: skip


@pytest.mark.parametrize(("log", "codes", "words"), BAD_LOGS)
def test_what_does_not_fit_is_refused_in_words(
    log: list[Entry], codes: list[str], words: str
) -> None:
    with pytest.raises(GameError) as failure:
        play(Game(FOUR), *log)
    assert [problem.code for problem in failure.value.problems] == codes
    assert words in str(failure.value)


def test_an_entry_that_does_not_fit_is_not_written_down() -> None:
    game = Game(FOUR).with_entry(won_deal("Bob"))
    with pytest.raises(GameError, match="'Zoe' did not play this deal"):
        game.with_entry(won_deal("Zoe"))
    assert len(game.log) == 1


def test_of_a_game_that_goes_on_only_the_new_deal_is_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settle_mock = Mock(wraps=settle)
    monkeypatch.setattr(game_module, "settle", settle_mock)
    game = Game(FOUR)
    for _ in range(40):
        game = game.with_entry(won_deal("Ann"))
        assert game.course.totals["Ann"] > 2000
    assert settle_mock.call_count == 40, "not 820: each deal once, however many there are"
    game.with_entry(Correction(1, WashOut()))
    assert settle_mock.call_count == 40 + 1, (
        "of what follows, the goulash alone is played otherwise"
    )


def test_what_entries_changed_is_believed_where_it_is_known() -> None:
    log = [won_deal("Ann"), won_deal("Bob")]
    game = Game(FOUR).with_entry(log[0]).with_entry(log[1])
    changes = {row.number: row.changes for row in game.course.rows}
    assert Game(FOUR).with_log(log, {}) == game
    assert Game(FOUR).with_log(log, {}).course.totals == game.course.totals
    changed_amounts = {**changes[2], "Ann": changes[2]["Ann"] + 1}
    totals = Game(FOUR).with_log(log, {1: changes[1], 2: changed_amounts}).course.totals
    assert totals["Ann"] == game.course.totals["Ann"] + 1, "not worked out again"


def test_the_dreamer_has_no_score() -> None:
    with pytest.raises(GameError, match="'Eve' did not play this deal"):
        play(Game(FIVE), won_deal("Bob", Eve=4))
    with pytest.raises(GameError, match="cannot have won"):
        play(Game(FIVE), WonDeal("Eve", dict.fromkeys(FOUR, 4)))


def test_a_deal_after_the_match_counts_with_a_warning() -> None:
    game = Game(FOUR)
    entries = [won_deal("Bob"), won_deal("Cy"), won_deal("Di"), won_deal("Ann")] * 4
    assert play(game, *entries).problems == ()
    course = play(game, *entries, Charge("Ann", {"Bob": 2}, "A wager"), won_deal("Ann"))
    (problem,) = course.problems
    assert (problem.code, problem.level) == ("match-over", "warning")
    assert "Entry 18" in problem.text
    assert course.next_deal.prevailing_wind == "E"


def test_four_make_the_full_table() -> None:
    assert first_seating(FOUR, "ESWN").winds == dict(zip(FOUR, "ESWN", strict=True))
