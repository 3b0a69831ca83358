"""The programs that measure hands: on readings made up from what truly lies there, and on all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from scorer.message import plain_text
from scorer.notation import parse_hand
from scorer.tiles import FACE_DOWN
from tests.prove.chosen_hand import PARTS, load_hands
from tests.prove.ideal_player import NO_LAYING, answer_questions, as_read, question_codes
from tests.prove.laid_truth import Case, TrueTile, corner_error, match_tiles, read_cases
from tests.prove.rendered_hands import FOLDER, HandResult, compare
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import questions
from vision.reading import LeftOut, Quad, Reading, TileReading, Timings, make_problem, turn_of

HANDS = 20
"""In the pictures that are kept."""

WIDE, TALL = 60.0, 80.0
Row = Sequence[tuple[str, str, int]]
"""Marks as in `tests/goldens/hands.toml`, the row that they are of and the number of their set."""

TOP: Row = [("B2 B2 B2", "exposed", 0), ("O5 >O6 O7", "exposed", 1)]
LOW: Row = [("C3 C4 C5", "concealed", 2), ("DR DR DR", "concealed", 3), ("WE WE", "concealed", 4)]
TEXT = "B222 O567 | C345 DRRR WEE | F1 won=discard with=O6"


def lay_tiles(rows: Sequence[Row], bonus: str = "F1") -> tuple[TrueTile, ...]:
    """Return tiles in two rows as a camera right above sees them."""
    tiles = []
    for k, row in enumerate(rows):
        x = 100.0
        for marks, part, group in [*row, *([(bonus, "bonus", 9)] if k + 1 == len(rows) else [])]:
            x += 90.0 if part == "bonus" else 0.0
            for mark in marks.split():
                is_across = mark[0] == ">"
                wide, tall = (TALL, WIDE) if is_across else (WIDE, TALL)
                y = 400.0 + 95 * k - tall
                box = np.array(((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)))
                tiles.append(TrueTile(
                    FACE_DOWN if mark[0] == "_" else mark[-2:], mark[-2:],
                    np.roll(box, -1 if is_across else 0, axis=0).astype(np.float32),
                    part, group, is_across, "bottom"))  # type: ignore[arg-type]  # fmt: skip
                x += wide + 2
            x += 28
    return tuple(tiles)


def read_tile(tile: TrueTile, code: str | None = None, doubtful: bool = False) -> TileReading:
    a, b, c, d = ((float(x), float(y)) for x, y in tile.quad)
    quad: Quad = (a, b, c, d)
    return TileReading(
        code or tile.code, 0.5 if doubtful else 0.99, quad, turn_of(quad), (), doubtful
    )


def reading_of(tiles: Sequence[TileReading]) -> Reading:
    hand = lay_hand(tiles, "bmja")
    problems = tuple(questions([t.code for t in hand.tiles], hand.hand, hand.layout, hand.blocks))
    timings = Timings(0, 0, 0, 0, 0)
    return Reading("a.jpg", 1600, 900, problems=problems, ms=timings, **hand.fields())


def judge(truth: Sequence[TrueTile], read: Sequence[TileReading], text: str = TEXT) -> HandResult:
    reading = reading_of(read)
    matches = match_tiles(truth, [tile.quad for tile in reading.tiles])
    return HandResult(text, as_read(reading), answer_questions(reading, truth, "bottom", matches))


HAND = lay_tiles([TOP, LOW])
ALL = [read_tile(tile) for tile in HAND]


def mistake_tile(place: int, code: str, doubtful: bool) -> list[TileReading]:
    return [
        read_tile(t, code, doubtful) if k == place else read_tile(t) for k, t in enumerate(HAND)
    ]


CASES: dict[str, tuple[list[TileReading], tuple[bool, bool, tuple[str, ...]]]] = {
    "all as it lies": (ALL, (True, True, ())),
    "misread, and in doubt": (mistake_tile(8, "C9", True), (False, True, ("tile",))),
    "misread without a doubt": (mistake_tile(8, "C9", False), (False, False, ())),
    "right, and asked needlessly": (mistake_tile(8, "C5", True), (True, True, ("tile",))),
    "a set above that is none": (mistake_tile(0, "B3", False), (False, True, ("no-set-above",))),
    "two tiles missed": (
        ALL[:-3] + ALL[-1:],
        (False, True, ("tile-count", "exposed-or-concealed")),
    ),
    "a flower taken for a suit's tile": (
        mistake_tile(14, "C1", False),
        (False, True, ("tile-count",)),
    ),
}
"""Right before, right after, and what was asked: an answer mends what it was asked for alone."""


@pytest.mark.parametrize("name", CASES)
def test_only_what_is_asked_is_put_right(name: str) -> None:
    read, (before, after, codes) = CASES[name]
    result = judge(HAND, read)
    assert (result.right, result.right_after, result.after.questions) == (before, after, codes)


def test_a_lone_tile_missed_is_counted_and_added() -> None:
    """The reader remarks nothing, but the page says that a winner has fourteen tiles."""
    result = judge(HAND, [t for k, t in enumerate(ALL) if k != 13])
    assert not result.right
    assert (result.right_after, result.after.questions) == (True, ("count",))


def test_a_row_of_all_is_asked_about_and_laid_as_it_lies() -> None:
    row = [("B2 B2 B2", "concealed", 0), ("O6 O6 O6", "concealed", 1), *LOW]
    truth = lay_tiles([[(m, p, k + 5) for k, (m, p, _) in enumerate(row)]])
    result = judge(
        truth, [read_tile(t) for t in truth], "| B222 O666 C345 DRRR WEE | F1 won=wall with=WE"
    )
    assert "exposed-or-concealed" in result.after.questions
    assert "winning-tile" in result.after.questions, "nothing lies sideways"


def test_a_kongs_tile_that_was_not_found_is_added_when_it_is_asked_about() -> None:
    top: Row = [("_B2 B2 B2 B2", "exposed", 0), ("O5 >O6 O7", "exposed", 1)]
    truth = lay_tiles([top, LOW])
    reading = reading_of([read_tile(t) for t in truth[1:]])
    asking_reading = structs.replace(
        reading, problems=(make_problem("kong-short", plain_text("A fourth?")),)
    )
    matches = match_tiles(truth, [tile.quad for tile in reading.tiles])
    hand = answer_questions(asking_reading, truth, "bottom", matches).hand
    assert hand.exposed[0] == ("B2",) * 4
    assert as_read(asking_reading).exposed[0] == ("B2",) * 3


def test_a_tile_that_is_added_and_was_left_out_is_there_once() -> None:
    """The count and what lies beside the hand are two questions with one answer."""
    far_tiles = [replace(t, quad=t.quad + np.float32(300 * (t.row == "bonus"))) for t in HAND]
    reading = reading_of([read_tile(t) for t in far_tiles])
    (flower,) = (left.tile for left in reading.left_out)
    asking_reading = structs.replace(
        reading,
        left_out=(LeftOut(flower, "apart"),),
        problems=tuple(make_problem(code, plain_text("?")) for code in ("tile-count", "left-out")),
    )
    matches = match_tiles(far_tiles, [tile.quad for tile in reading.tiles])
    assert answer_questions(asking_reading, far_tiles, "bottom", matches).hand.bonus == ("F1",)


def test_won_and_how_count_besides_the_tiles() -> None:
    text = TEXT.replace("discard", "wall")
    result = judge(HAND, ALL, text)
    assert result.tiles_right
    assert not result.right


def move_quad(quad: Quad, dx: float) -> Quad:
    a, b, c, d = ((x + dx, y) for x, y in quad)
    return a, b, c, d


@pytest.mark.parametrize("turns", range(4))
def test_corners_are_measured_in_tile_widths_whichever_way_is_up(turns: int) -> None:
    quad = move_quad(read_tile(HAND[0]).quad, 6.0)
    rolled_quad: Quad = (*quad[turns:], *quad[:turns])  # type: ignore[assignment]
    assert corner_error(HAND[0], rolled_quad) == pytest.approx(6.0 / WIDE)


def picture(change: Callable[[TrueTile], TrueTile] = lambda tile: tile) -> Case:
    return Case(Path("a.jpg"), "tidy", "navy", {"bottom": TEXT}, tuple(map(change, HAND)))


def test_tiles_found_invented_and_lost_are_counted() -> None:
    far_tile = structs.replace(ALL[0], quad=move_quad(ALL[0].quad, -WIDE - 2))
    result = compare(picture(), reading_of([far_tile, *[t for t in ALL if t.code != "O6"]]))
    assert result.invented_count == 1
    lost_tiles = [t for t in result.tiles if t.code is None]
    assert [t.tile.code for t in lost_tiles] == ["O6"]
    assert not any(t.taken_for_winning_tile for t in result.tiles)
    whole_result = compare(picture(), reading_of(ALL))
    assert [t.tile.code for t in whole_result.tiles if t.taken_for_winning_tile] == ["O6"]


def test_what_is_half_hidden_or_of_no_hand_is_neither_missed_nor_invented() -> None:
    result = compare(picture(lambda t: replace(t, ignore=t.won)), reading_of(ALL))
    assert len(result.tiles) == len(HAND) - 1
    assert result.invented_count == 0
    assert parse_hand(TEXT).winning_tile == "O6"


@pytest.mark.parametrize("code", sorted(question_codes()))
def test_a_question_about_how_sets_lie_is_answered_by_laying_them(code: str) -> None:
    """A new one, too: only those of NO_LAYING leave the sets as they were read."""
    reading = reading_of(ALL)
    one_row = tuple(structs.replace(laid_set, row="concealed") for laid_set in reading.sets)
    asking_reading = structs.replace(
        reading, sets=one_row, problems=(make_problem(code, plain_text("?")),)
    )
    matches = match_tiles(HAND, [tile.quad for tile in asking_reading.tiles])
    exposed = answer_questions(asking_reading, HAND, "bottom", matches).hand.exposed
    assert len(exposed) == (0 if code in NO_LAYING else 2)


def test_a_remark_that_nobody_can_answer_is_refused() -> None:
    asking_reading = structs.replace(
        reading_of(ALL), problems=(make_problem("unheard-of", plain_text("?")),)
    )
    with pytest.raises(ValueError, match="no answer to \\['unheard-of'\\]"):
        answer_questions(asking_reading, HAND, "bottom", {})


def test_the_pictures_and_layouts_are_all_there() -> None:
    cases = list(read_cases(FOLDER))
    assert {case.path for case in cases} == set(FOLDER.glob("*.jpg"))
    assert sum(len(case.hands) for case in cases) == HANDS
    for case in cases:
        assert set(case.hands) == {tile.owner for tile in case.tiles} - {""}
        for text in case.hands.values():
            assert parse_hand(text)
    for seed in (1, 7):
        hands = list(load_hands(seed))
        assert len(hands) == 1000
        assert {part for hand in hands for part in hand.parts} == set(PARTS)
