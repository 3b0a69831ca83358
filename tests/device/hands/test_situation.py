"""What the photograph suggests about how a hand was won."""

from __future__ import annotations

import pytest

from device.hands.record import ANSWERS, COMMON_WAYS, Situation, guess_situation
from scorer.hand import WAYS_OF_WINNING
from tests.device.fake_reader import WINNING, Group, lay

THIRTEEN: tuple[Group, ...] = (("exposed", "B2 B2 B2"), ("concealed", "C1 C2 C3 C4 C5 C6 WE WE WS"))


@pytest.mark.parametrize(
    ("groups", "sideways", "winner", "won_by", "winning_tile", "why"),
    [
        (WINNING, None, True, "wall", None, "15 tiles with a kong: it has won (BMJA-H04)"),
        (THIRTEEN, None, False, "wall", None, "12 tiles: it has not"),
        (WINNING, 2, True, "discard", 2, "sideways in the exposed row: claimed"),
        (WINNING, 13, True, "wall", 13, "sideways in the concealed row: drawn"),
        (THIRTEEN, 4, True, "wall", 4, "sideways says so whatever the count"),
        ([("concealed", "?? ?? ??")], None, False, "wall", None, "nothing to go by"),
    ],
)
def test_first_guess(
    groups: list[Group],
    sideways: int | None,
    winner: bool,
    won_by: str,
    winning_tile: int | None,
    why: str,
) -> None:
    guess = guess_situation(Situation(), lay(groups, sideways=sideways))
    assert (guess.winner, guess.won_by, guess.winning_tile) == (winner, won_by, winning_tile), why
    assert guess.answered == frozenset(), "a guess is never an answer"


def test_an_answer_is_kept_and_known_as_one() -> None:
    answered = Situation().with_answers({"seat_wind": "S"}).with_answers({"winner": True})
    assert (answered.seat_wind, answered.winner) == ("S", True)
    assert answered.answered == {"seat_wind", "winner"}


def test_the_page_offers_six_ways_and_the_scorer_knows_them_all() -> None:
    ways = ("wall", "discard", "loose", "last-tile", "last-discard", "robbed-kong")
    assert ways == COMMON_WAYS
    assert set(COMMON_WAYS) <= set(WAYS_OF_WINNING)
    assert "original_call" in ANSWERS, "it goes with any of them"
