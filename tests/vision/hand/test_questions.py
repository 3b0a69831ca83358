"""What is asked of the player because the photograph leaves it open."""

from __future__ import annotations

import pytest

from scorer.message import load_words, message
from vision.geometry.rows import Layout, TileRow
from vision.hand.arrangement import arrange
from vision.hand.questions import CODES_BY_KEY, ask, find_winning_tile, questions
from vision.reading import LeftOutReason, make_problem


def layout(
    rows: list[str], tiles_apart: str = "", upright: bool = True
) -> tuple[list[str], Layout]:
    """Write rows with a bar between groups; `<` marks a tile lying sideways."""
    codes: list[str] = []
    tile_rows: list[TileRow] = []
    sideways = set()
    for row in rows:
        groups = []
        for group in row.split("|"):
            words = group.split()
            places = range(len(codes), len(codes) + len(words))
            sideways |= {k for k, word in zip(places, words, strict=True) if word[0] == "<"}
            codes += [word.lstrip("<") for word in words]
            groups.append(tuple(places))
        tile_rows.append(TileRow(tuple(groups)))
    left_out: dict[int, LeftOutReason] = {
        len(codes) + k: "apart" for k in range(len(tiles_apart.split()))
    }
    return [*codes, *tiles_apart.split()], Layout(
        tuple(tile_rows), frozenset(sideways), left_out, upright
    )


@pytest.mark.parametrize(
    ("rows", "expected", "reason"),
    [
        (["B2 B2 B2 | O5 O5 O5", "C3 C4 C5 | DR ?? DR | WE WE"], [], "as the page teaches it"),
        (["B1 B2 B3 | C1 C2 C3 | C7 C8 C9 | O1 O2 O3 | WE WE"], [],
         "one row, and no points hang on which chows are exposed"),
        (["B2 B2 B2 | C1 C2 C3 | WE WE"], ["exposed-or-concealed"], "was the pung claimed?"),
        (["B2 ?? B2 | C1 C2 C3 | WE WE"], [], "BMJA-V05 tells"),
        (["B2 ?? B2 | O1 O1 O1 | WE WE"], ["exposed-or-concealed"], "BMJA-V11 tells; still asked"),
        (["B2 B2 B2 B2 | O1 O1 O1", "WE ?? C3"], ["face-down-unknown"], "nothing beside it tells"),
        (["B2 B2 B2 ?? O1 O1 O1", "C3 C4 C5 | WE WE"], ["which-kong"], "BMJA-V03: either end"),
        (["B2 B2 B2", "B1 B1 ?? ?? B8 B8 ?? O7 O8 O9 | C7 C7"],
         ["face-down-unknown", "kong-short"], "V04: the other end is of the cloth's colour"),
        (["B2 B2 B2", "C7 C7 | ?? B1 B1 | O7 O8 O9"], ["face-down-unknown", "kong-short"],
         "the right end"),
        (["B2 B2 B2", "O7 O8 O9 ?? | C7 C7"], ["face-down-unknown"], "no two alike beside it"),
        (["B2 B2 B2 ?? | O1 O1 O1", "C3 C4 C5 | WE WE"], [], "the gap tells whose it is"),
        (["B2 B2 B2 | WE WE", "C3 C4 C5 | DR ?? DR"], ["no-set-above"], "no pair is exposed"),
        (["B2 B2 B2 | WE <WE", "C3 C4 C5 | DR ?? DR"], [], "unless it was claimed to win"),
        (["B2 B2 B7", "C3 C4 C5 | DR ?? DR"], ["no-set-above"], "three of them: one is misread"),
        (["B2 B2 B2", "O1 O2 O3", "C7 C7 C7"], ["exposed-or-concealed"], "is the last exposed?"),
        (["B2 B2 B2", "O1 O2 O3 | C7 C7", "WE WE WE"], ["exposed-or-concealed", "no-set-above"],
         "the pair is nobody's exposed set, so the last row may be"),
        (["B2 B2 B2", "C7 C7 C7 | O1 O1"], [], "a pair is in the player's own row"),
        (["B2 B2 B2", "C7 C7 C7 | O1"], [], "so are loose tiles"),
        (["B2 B2 B2", "O1 O2 O3"], [], "no points hang on a chow"),
        (["B2 B2 B2", "O1 ?? O1"], [], "BMJA-V05 tells"),
        (["B2 B2 <B2", "C3 <C4 C5 | WE WE"], ["several-sideways"], "only one can have won"),
        (["B2 B2 B2", "DR DR DR DR | C3 C4 C5 | WE"], ["kong-declared"], "BMJA-V07 is silent"),
        (["B2 B2 B2 | O1 O2 O3", "DR DR DR DR | C3 C4 C5 | WE WE"], [], "15 tiles: it must be"),
    ],
)  # fmt: skip
def test_questions(rows: list[str], expected: list[str], reason: str) -> None:
    codes, hand_layout = layout(rows)
    hand = arrange(codes, hand_layout.rows, "bmja", hand_layout.sideways)
    problems = questions(codes, hand, hand_layout)
    asked_codes = [problem.code for problem in problems if problem.code != "tile-count"]
    assert asked_codes == expected, reason
    assert all(problem.text.endswith(".") for problem in problems)


def test_code_and_sentence_of_a_question_have_one_name() -> None:
    keys = {key.removesuffix(".one").removesuffix(".other") for key in load_words("vision")}
    questions_asked = {key for key in keys if key.startswith("lies.")}
    assert CODES_BY_KEY.keys() <= questions_asked
    assert ask("lies.which-way-up") == make_problem("which-way-up", message("lies.which-way-up"))
    assert ask("lies.sideways").code == "several-sideways"


@pytest.mark.parametrize(
    ("rows", "count", "reason"),
    [
        (["B2 B2 B2", "C1 C2 C3 | O1 O1 O1 | DR DR DR | WE WE"], None, "a winner's fourteen"),
        (["B2 B2 B2", "C1 C2 C3 | O1 O1 O1 | DR DR DR | WE"], None, "a loser's thirteen"),
        (["B2 B2 B2", "C1 C2 C3 | O1 O1 O1 | DR DR DR"], "12", "one is missing, or hidden"),
        (["B2 B2 B2", "C1 C2 C3 | O1 O1 O1 | DR DR DR | WE WE WN"], "15", "one too many"),
        (["B2 B2 B2 ??", "C1 C2 C3 | O1 O1 O1 | DR DR DR | WE WE"], None, "a kong counts three"),
        (["B2 B2 B2 ??", "C1 C2 C3 | O1 O1 O1 | DR DR DR"], "12", "also when one is missing"),
        (["B2 B2 B2", "C1 C2 C3 | O1 O1 O1 | DR DR DR | WE WE | F1 F2"], None, "flowers are extra"),
        (["B2 B2 B2 | C1 C2 C3 | WE WE"], None, "eight tiles: nobody means a whole hand"),
    ],
)
def test_the_tiles_are_counted(rows: list[str], count: str | None, reason: str) -> None:
    codes, hand_layout = layout(rows)
    hand = arrange(codes, hand_layout.rows, "bmja", hand_layout.sideways)
    count_texts = [p.text for p in questions(codes, hand, hand_layout) if p.code == "tile-count"]
    assert [message.split()[3] for message in count_texts] == ([count] if count else []), reason


@pytest.mark.parametrize(
    ("rows", "expected", "reason"),
    [
        (["B2 B2 B2", "WE WE"], ["which-way-up"], "which of the two is exposed?"),
        (["C1 C2 C3 | WE WE"], [], "one row is one row from either side"),
    ],
)
def test_a_hand_seen_from_an_unknown_side(
    rows: list[str], expected: list[str], reason: str
) -> None:
    codes, hand_layout = layout(rows, upright=False)
    hand = arrange(codes, hand_layout.rows, "bmja")
    assert [problem.code for problem in questions(codes, hand, hand_layout)] == expected, reason


@pytest.mark.parametrize(
    ("tiles_apart", "expected"), [("F1 B2", ["flowers-apart"]), ("B2 ??", []), ("", [])]
)
def test_flowers_too_far_away_are_asked_about(tiles_apart: str, expected: list[str]) -> None:
    codes, hand_layout = layout(["C1 C2 C3 | WE WE"], tiles_apart)
    hand = arrange(codes, hand_layout.rows, "bmja")
    assert [problem.code for problem in questions(codes, hand, hand_layout)] == expected


@pytest.mark.parametrize(
    ("rows", "tile", "reason"),
    [
        (["B2 B2 <B2", "C3 C4 C5 WE WE"], 2, "the one that lies across its row"),
        (["B2 B2 B2", "C3 C4 C5 WE WE"], None, "none does"),
        (["B2 B2 <B2", "C3 <C4 C5 WE WE"], None, "two do"),
        (["B2 B2 B2", "C3 C4 C5 WE WE <F1"], None, "a flower may lie as it likes"),
        (["B1 <B2"], None, "of two tiles neither is the odd one"),
    ],
)
def test_the_winning_tile_lies_sideways(rows: list[str], tile: int | None, reason: str) -> None:
    codes, hand_layout = layout(rows)
    hand = arrange(codes, hand_layout.rows, "bmja", hand_layout.sideways)
    assert find_winning_tile(hand, hand_layout) == tile, reason
