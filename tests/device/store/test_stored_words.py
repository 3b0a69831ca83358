"""What the log keeps of what was said: no language's words, and the English of earlier logs."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from device.hands.readings import check_problem, check_reading
from device.store.events.parts import words_from_stored, words_to_stored
from scorer.message import Message, message
from scorer.tile_names import name_tile
from tests.device.fake_reader import lay
from vision.reading import Problem, make_problem

STORED_WORDS = [
    ("Bob sang", "what a player wrote"),
    (
        message("lies.which-kong", tile=name_tile("DR"), other=name_tile("O1")),
        "a sentence about tiles",
    ),
]


@pytest.mark.parametrize(("words", "reason"), STORED_WORDS)
def test_words_come_back_as_they_were_kept(words: str | Message, reason: str) -> None:
    assert words_from_stored(json.loads(json.dumps(words_to_stored(words)))) == words, reason


def test_a_reading_is_kept_without_a_word_of_any_language() -> None:
    problem = make_problem("left-out", message("seen.left-out", count=2))
    assert problem.stored_message == {"key": "seen.left-out", "values": {"count": 2}}
    reading = structs.replace(lay(), problems=(problem,))
    assert check_reading(reading) == reading


@pytest.mark.parametrize("data", [{}, {"key": "x"}, {"key": "x", "values": {"y": None}}])
def test_what_is_no_message_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError)):
        check_problem(Problem("dark", data))
