"""What a player should know before a score is settled: the warnings of a scored hand."""

from __future__ import annotations

import pytest

from scorer.errors import HandError
from scorer.notation import parse_hand
from scorer.score import score

PLUM = "B222 C345 O777 | O555 B88 | F1"
ROWS = [
    (f"{PLUM} won=loose", "event-hand", "5 of circles? Then name it", "S27, S41"),
    ("B222 C345 O777 | B888 O55 | F1 won=loose", "event-hand", "plum blossom", "in the pair"),
    (f"{PLUM} won=loose with=B8", "event-hand", "", "another tile won"),
    (f"{PLUM} won=loose with=O5", "event-hand", "", "nothing to ask: it is the plum blossom"),
    (f"{PLUM} won=wall", "event-hand", "", "no loose tile"),
    ("B222 C345 O5555 | B888 O99 | won=loose", "event-hand", "", "S27: not within a kong"),
    ("O555 B222 C345 | B888 O99 | F1 won=loose", "event-hand", "", "claimed before"),
    ("B222 C345 O777 | O111 B88 | won=last-tile", "event-hand", "1 of circles? Then", "S28"),
    ("B222 C345 O777 | O111 B88 | won=last-tile with=B8", "event-hand", "", "another tile won"),
    ("B222 C345 O777 | O111 B88 | won=last-discard", "event-hand", "", "a discard is no last tile"),
    ("B2222 C3333 O777 | O111 B88 | won=loose", "event-hand", "kong of a kong won", "S29"),
    ("B2222 C3333 O777 | O111 B88 | won=kong-of-kong", "event-hand", "", "it is said already"),
    ("B2222 C333 O777 | O111 B88 | won=loose", "event-hand", "", "S29 takes two kongs"),
    ("WEEE WSSS WWWW | O555 DRR | F1 won=loose limit=60", "event-hand", "", "at the limit already"),
    (f"{PLUM} won=loose limit=off", "event-hand", "BMJA-S27", "no limit, but worth 1,000"),
    ("| O555 | F1", "event-hand", "", "no winner"),
    ("| B222333 C555 DRR WNNN | won=discard", "winning-tile", "say which tile won", "K02"),
    ("B234 | B222 C555 DRR WNNN | won=discard with=B2", "winning-tile", "lay that set",
     "K02: the chow or the pung"),
    ("| B222333 C555 DRR WNNN | won=discard with=DR", "winning-tile", "", "it is said"),
    ("| B22 C22 B33 C33 B4 O4 C5 O5 B9 C9 | won=wall", "knitting-suits", "bamboo, character and",
     "C08"),
    ("| B22 C22 B33 C33 B4 C4 B5 C5 B9 C9 | won=wall", "knitting-suits", "", "two suits"),
    ("| B22 C22 B33 C33 B4 C4 B5 C5 B9 C9 | won=wall house=knitting_two_suits:on", "knitting-suits",
     "", "the table's own rule"),
    ("B222 C345 O777 | B888 O99 | won=wall house=fishing_must_be_declared:on", "declare-fishing",
     "make sure", "C11"),
    ("B222 C345 O777 | B888 O9 | house=fishing_must_be_declared:on", "declare-fishing", "",
     "who did not win need not have"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "words", "why"), ROWS)
def test_what_is_looked_at_twice(text: str, code: str, words: str, why: str) -> None:
    found = [problem for problem in score(parse_hand(text)).problems if problem.code == code]
    if not words:
        assert not found, why
        return
    (problem,) = found
    assert words in problem.text, why
    assert problem.level == "warning"


def test_a_question_about_an_event_hand_is_answered_by_doing_as_it_says() -> None:
    asked, told = (
        score(parse_hand(f"{PLUM} won=loose")),
        score(parse_hand(f"{PLUM} won=loose with=O5")),
    )
    assert "BMJA-S27" in asked.problems[0].text
    assert (asked.special, told.special) == (None, "BMJA-S27")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("| B222 C333 O777 B888 O99 | players=2 won=wall seat=W", "with 4 doubles or 500 points; "
         "this one has 0 doubles and 38"),
        ("B222 C333 O777 | DRRR O99 | players=2 won=wall seat=W", "this one has 1 double"),
        ("B222 C333 | DRRR DGGG O99 | players=2 won=wall seat=W", "this one has 2 doubles"),
    ],
)  # fmt: skip
def test_two_players_need_more(text: str, words: str) -> None:
    with pytest.raises(HandError, match="With two players") as caught:  # BMJA-N02
        score(parse_hand(text))
    assert words in str(caught.value)
