"""What holds for every game, whatever its log: nothing is lost or made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from scorer.errors import HandProblem
from scorer.match.entries import Charge, Correction, Entry, GameEvent, WashOut, WonDeal
from scorer.match.game import Course, Game, GameError, replay
from tests.scorer.match.test_game import FIVE


@st.composite
def games(draw: st.DrawFn) -> Game:
    """Play a game of two to five with any log that fits."""
    number = draw(st.integers(2, 5))
    ruleset = draw(st.sampled_from(["bmja", "safalra"])) if number < 5 else "bmja"
    game = Game(
        FIVE[:number], ruleset=ruleset, double=draw(st.sampled_from(["east", "prevailing"]))
    )
    for _ in range(draw(st.integers(0, 12))):
        table = list(replay(game).next_deal.seats.values())
        kind = draw(st.sampled_from(["won", "won", "won", "wash-out", "charge"]))
        if kind == "won":
            scores = {name: draw(st.integers(0, 500)) * 2 for name in table}
            game = game.with_entry(WonDeal(draw(st.sampled_from(table)), scores))
        elif kind == "wash-out":
            game = game.with_entry(WashOut())
        else:
            payer, payee = draw(st.permutations(game.players))[:2]
            game = game.with_entry(Charge(payer, {payee: draw(st.integers(1, 900))}, "because"))
    return game


@st.composite
def entries(draw: st.DrawFn, game: Game) -> Entry:
    """Draw anything that a table may write down next, and some that does not fit."""
    players = list(game.course.next_deal.seats.values())
    number = draw(st.integers(0, len(game.log) + 1))
    names = draw(st.sampled_from([players, players, players, list(game.players)]))
    scores = {name: draw(st.integers(0, 500)) for name in names}
    deal = WonDeal(draw(st.sampled_from(names)), scores)
    payer, payee = draw(st.permutations(game.players))[:2]
    charge = Charge(payer, {payee: draw(st.integers(0, 900))}, "because")
    happenings: list[GameEvent] = [deal, deal, WashOut(), charge]
    event = draw(st.sampled_from(happenings))
    corrections = [Correction(number, event), Correction(number, None)]
    return draw(st.sampled_from([event, event, *corrections]))


@given(games(), st.data())
def test_a_course_that_goes_on_is_the_one_that_is_replayed(game: Game, data: st.DataObject) -> None:
    for _ in range(data.draw(st.integers(1, 6))):
        entry = data.draw(entries(game))
        replayed_course = outcome(lambda: replay(replace(game, log=(*game.log, entry))))  # noqa: B023
        assert outcome(lambda: game.with_entry(entry).course) == replayed_course  # noqa: B023
        if isinstance(replayed_course, Course):
            game = game.with_entry(entry)


def outcome(course: Callable[[], Course]) -> Course | tuple[HandProblem, ...]:
    """Return the course, or everything that keeps it from being one."""
    try:
        return course()
    except GameError as error:
        return error.problems


@given(games())
def test_an_entry_is_found_by_its_number(game: Game) -> None:
    corrected_game = game.with_entry(WashOut()).with_entry(Correction(len(game.log) + 1, None))
    course = corrected_game.with_entry(WashOut()).course
    by_number = {row.number: row for row in course.rows}
    for number in range(len(game.log) + 5):
        assert course.row(number) == by_number.get(number)


@given(games())
def test_tallies_are_neither_made_nor_lost(game: Game) -> None:
    course = replay(game)
    for row in course.rows:
        if game.ruleset == "bmja" or isinstance(row.event, Charge):
            assert sum(row.changes.values()) == 0, "M05"
        assert set(row.changes) == set(row.totals) == set(game.players)
    start = len(game.players) * game.first_tallies
    earned = sum(sum(row.changes.values()) for row in course.rows)
    assert sum(course.totals.values()) == start + earned


@given(games())
def test_everybody_sits_somewhere_once(game: Game) -> None:
    course = replay(game)
    for deal in [*(row.deal for row in course.rows if row.deal), course.next_deal]:
        players = [*deal.seats.values(), *([deal.dreamer] if deal.dreamer else [])]
        assert sorted(players) == sorted(game.players)
        assert "E" in deal.seats, "N01: East there always is"


@given(games(), st.data())
def test_correcting_an_entry_is_as_if_it_had_been_right(game: Game, data: st.DataObject) -> None:
    # Of five, another would sit out the deals after it, and their scores would not fit.
    assume(game.log and len(game.players) < 5)
    number = data.draw(st.integers(1, len(game.log)))
    replacements: list[Charge | WashOut] = [Charge("Ann", {"Bob": 10}, "because"), WashOut()]
    right = data.draw(st.sampled_from(replacements))
    before, after = game.log[: number - 1], game.log[number:]
    corrected_course = replay(replace(game, log=(*game.log, Correction(number, right))))
    assert corrected_course == replay(replace(game, log=(*before, right, *after)))
