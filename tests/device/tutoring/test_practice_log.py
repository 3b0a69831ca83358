"""Who practised what: kept in the log, counted once, and no trouble to anything else there."""

from __future__ import annotations

import pytest

from device.hands.export import export_rows
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store, StoreError
from device.store.events import ExerciseDone, SetChosen
from device.tutoring.progress import (
    MAX_PUPIL_NAME_CHARACTERS,
    BadNameError,
    PracticeLog,
    Tally,
    check_name,
)
from tests.device.events import write_raw


@pytest.fixture
def log(store: Store) -> PracticeLog:
    return PracticeLog(store)


def test_rounds_add_up_by_exercise_and_level(log: PracticeLog) -> None:
    log.mark("Ann", "tile", "suits", right=9, asked=10)
    log.mark("Ann", "tile", "suits", right=4, asked=5)
    log.mark("Ann", "set", "laid", right=1, asked=10)
    progress = log.progress("Ann")
    assert set(progress) == {("tile", "suits"), ("set", "laid")}
    suits = progress["tile", "suits"]
    assert (suits.right, suits.asked, suits.times) == (13, 15, 2)
    assert suits.best == Tally(9, 10)


@pytest.mark.parametrize(
    ("right", "question_count", "passes"),
    [(8, 10, True), (7, 10, False), (0, 0, False), (10, 10, True)],
)
def test_four_in_five_pass(right: int, question_count: int, passes: bool) -> None:
    assert Tally(right, question_count).passes == passes


def test_a_round_that_is_sent_twice_counts_once(log: PracticeLog) -> None:
    for _ in range(3):
        log.mark("Ann", "tile", "suits", right=9, asked=10, run="7")
    log.mark("Ann", "tile", "honours", right=9, asked=10, run="7")
    log.mark("Ann", "tile", "suits", right=5, asked=10, run="8")
    log.mark("Ann", "tile", "suits", right=5, asked=10)
    log.mark("Ann", "tile", "suits", right=5, asked=10)
    assert log.progress("Ann")["tile", "suits"].times == 4, "those without an id all count"
    assert log.progress("Ann")["tile", "honours"].times == 1


@pytest.mark.parametrize("other", ["ann", "ANN", "\uff21nn"])
def test_a_name_is_the_same_however_it_is_written(log: PracticeLog, other: str) -> None:
    log.mark("Ann", "tile", "suits", right=9, asked=10)
    log.mark(other, "tile", "suits", right=1, asked=10)
    assert log.progress(other) == log.progress("Ann")
    assert log.pupils() == (other,), "as it was written last"


def test_the_newest_pupil_comes_first(log: PracticeLog) -> None:
    for name in ("Ann", "Bob", "Ann"):
        log.mark(name, "tile", "suits", right=9, asked=10)
    assert log.pupils() == ("Ann", "Bob")


def test_events_that_make_no_sense_are_said_to_be_torn(log: PracticeLog, store: Store) -> None:
    log.mark("Ann", "tile", "suits", right=9, asked=10)
    write_raw(store, "pupil:ann", "exercise-done", {"name": "Ann"})
    with pytest.raises(StoreError, match="makes no sense"):
        log.progress("Ann")
    assert log.pupils() == ("Ann",), "the page is there to choose another name"


def test_without_a_name_nothing_is_kept(log: PracticeLog, store: Store) -> None:
    log.mark("", "tile", "suits", right=9, asked=10)
    assert not store.of_kinds(ExerciseDone)
    assert log.progress("") == {}


def test_beginning_anew_counts_from_there_and_forgets_nothing(
    log: PracticeLog, store: Store
) -> None:
    log.mark("Ann", "tile", "suits", right=9, asked=10, run="7")
    log.reset("ann")
    assert log.progress("Ann") == {}
    log.mark("Ann", "tile", "suits", right=2, asked=10, run="7")
    assert log.progress("Ann")["tile", "suits"].right == 2
    assert len(store.of_kinds(ExerciseDone)) == 2


@pytest.mark.parametrize(
    ("typed_name", "expected_name"),
    [
        ("  Ann   Mary ", "Ann Mary"),
        ("", ""),
        (" \t\n", ""),
        ("Ann \u200b Mary", "Ann Mary"),  # what cannot be seen is no word
        ("A\u202enn\x00", "Ann"),  # neither turns the line round nor ends it
        ("x" * MAX_PUPIL_NAME_CHARACTERS, "x" * MAX_PUPIL_NAME_CHARACTERS),
        ("<b>Ann</b>", "<b>Ann</b>"),  # the page escapes it
        ("Zoe\u0308", "Zoë"),
    ],
)
def test_names_are_tidied(typed_name: str, expected_name: str) -> None:
    assert check_name(typed_name) == expected_name


def test_a_name_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadNameError):
        check_name("x" * (MAX_PUPIL_NAME_CHARACTERS + 1))


def test_nobody_is_told_that_somebody_practises(log: PracticeLog, store: Store) -> None:
    seq = store.append("box", SetChosen("first"))
    assert store.newer(-1, 0) == seq
    log.mark("Ann", "tile", "suits", right=9, asked=10)
    log.reset("Ann")
    assert store.newer(seq, 0) == seq, "no phone looks again"
    assert store.append("box", SetChosen("first")) == seq + 3
    assert store.newer(seq, 0) == seq + 3


def test_hands_and_matches_know_nothing_of_it(
    log: PracticeLog, store: Store, hands: HandRepository, matches: MatchRepository, read_hand: str
) -> None:
    before = list(export_rows(hands))
    log.mark("Ann", "tile", "suits", right=9, asked=10)
    assert store.hands(-1) == (read_hand,)
    assert list(export_rows(hands)) == before
    assert matches.list_page().matches == ()
