"""The program that measures rendered hands, on readings made up from what truly lies there."""

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
from tests.prove.ideal_player import answer_questions, as_read
from tests.prove.laid_truth import Case, TrueTile, corner_error, match_tiles
from tests.prove.rendered_hands import HandResult, compare
from vision.hand.laid_hand import lay_hand
from vision.hand.questions import questions
from vision.reading import (
    LeftOut,
    Problem,
    Quad,
    Reading,
    TileReading,
    Timings,
    turn_of,
)

WIDE, TALL = 60.0, 80.0
Row = Sequence[tuple[str, str, int]]
"""Marks as in `tests/goldens/hands.toml`, the row that they are of and the number of their set."""

TOP: Row = [("B2 B2 B2", "exposed", 0), ("O5 >O6 O7", "exposed", 1)]
LOW: Row = [("C3 C4 C5", "concealed", 2), ("DR DR DR", "concealed", 3), ("WE WE", "concealed", 4)]
TEXT = "B222 O567 | C345 DRRR WEE | F1 won=discard with=O6"


def laid(rows: Sequence[Row], bonus: str = "F1") -> tuple[TrueTile, ...]:
    """Return tiles in two rows as a camera right above sees them."""
    found = []
    for k, row in enumerate(rows):
        x = 100.0
        for marks, part, group in [*row, *([(bonus, "bonus", 9)] if k + 1 == len(rows) else [])]:
            x += 90.0 if part == "bonus" else 0.0
            for mark in marks.split():
                across = mark[0] == ">"
                wide, tall = (TALL, WIDE) if across else (WIDE, TALL)
                y = 400.0 + 95 * k - tall
                box = np.array(((x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)))
                found.append(TrueTile(
                    FACE_DOWN if mark[0] == "_" else mark[-2:], mark[-2:],
                    np.roll(box, -1 if across else 0, axis=0).astype(np.float32),
                    part, group, across, "bottom"))  # type: ignore[arg-type]  # fmt: skip
                x += wide + 2
            x += 28
    return tuple(found)


def seen(tile: TrueTile, code: str | None = None, doubtful: bool = False) -> TileReading:
    a, b, c, d = ((float(x), float(y)) for x, y in tile.quad)
    quad: Quad = (a, b, c, d)
    return TileReading(
        code or tile.code, 0.5 if doubtful else 0.99, quad, turn_of(quad), (), doubtful
    )


def reading_of(tiles: Sequence[TileReading]) -> Reading:
    hand = lay_hand(tiles, "bmja")
    asked = tuple(questions([t.code for t in hand.tiles], hand.hand, hand.layout, hand.blocks))
    nothing = Timings(0, 0, 0, 0, 0)
    return Reading("a.jpg", 1600, 900, problems=asked, ms=nothing, **hand.fields())


def told(truth: Sequence[TrueTile], read: Sequence[TileReading], text: str = TEXT) -> HandResult:
    reading = reading_of(read)
    found = match_tiles(truth, [tile.quad for tile in reading.tiles])
    return HandResult(text, as_read(reading), answer_questions(reading, truth, "bottom", found))


HAND = laid([TOP, LOW])
ALL = [seen(tile) for tile in HAND]


def changed(place: int, code: str, doubtful: bool) -> list[TileReading]:
    return [seen(t, code, doubtful) if k == place else seen(t) for k, t in enumerate(HAND)]


CASES: dict[str, tuple[list[TileReading], tuple[bool, bool, tuple[str, ...]]]] = {
    "all as it lies": (ALL, (True, True, ())),
    "misread, and in doubt": (changed(8, "C9", True), (False, True, ("tile",))),
    "misread without a doubt": (changed(8, "C9", False), (False, False, ())),
    "right, and asked needlessly": (changed(8, "C5", True), (True, True, ("tile",))),
    "a set above that is none": (changed(0, "B3", False), (False, True, ("no-set-above",))),
    "two tiles missed": (
        ALL[:-3] + ALL[-1:],
        (False, True, ("tile-count", "exposed-or-concealed")),
    ),
    "a flower taken for a suit's tile": (changed(14, "C1", False), (False, True, ("tile-count",))),
}
"""Right before, right after, and what was asked: an answer mends what it was asked for alone."""


@pytest.mark.parametrize("name", CASES)
def test_only_what_is_asked_is_put_right(name: str) -> None:
    read, (before, after, asked) = CASES[name]
    result = told(HAND, read)
    assert (result.right, result.right_after, result.after.questions) == (before, after, asked)


def test_a_lone_tile_missed_is_counted_and_added() -> None:
    """The reader remarks nothing, but the page says that a winner has fourteen tiles."""
    result = told(HAND, [t for k, t in enumerate(ALL) if k != 13])
    assert not result.right
    assert (result.right_after, result.after.questions) == (True, ("count",))


def test_a_row_of_all_is_asked_about_and_laid_as_it_lies() -> None:
    row = [("B2 B2 B2", "concealed", 0), ("O6 O6 O6", "concealed", 1), *LOW]
    truth = laid([[(m, p, k + 5) for k, (m, p, _) in enumerate(row)]])
    result = told(
        truth, [seen(t) for t in truth], "| B222 O666 C345 DRRR WEE | F1 won=wall with=WE"
    )
    assert "exposed-or-concealed" in result.after.questions
    assert "winning-tile" in result.after.questions, "nothing lies sideways"


def test_a_kongs_tile_that_was_not_found_is_added_when_it_is_asked_about() -> None:
    top: Row = [("_B2 B2 B2 B2", "exposed", 0), ("O5 >O6 O7", "exposed", 1)]
    truth = laid([top, LOW])
    reading = reading_of([seen(t) for t in truth[1:]])
    asked = structs.replace(reading, problems=(Problem("kong-short", plain_text("A fourth?")),))
    found = match_tiles(truth, [tile.quad for tile in reading.tiles])
    then = answer_questions(asked, truth, "bottom", found).hand
    assert then.exposed[0] == ("B2",) * 4
    assert as_read(asked).exposed[0] == ("B2",) * 3


def test_a_tile_that_is_added_and_was_left_out_is_there_once() -> None:
    """The count and what lies beside the hand are two questions with one answer."""
    far = [replace(t, quad=t.quad + np.float32(300 * (t.row == "bonus"))) for t in HAND]
    reading = reading_of([seen(t) for t in far])
    (flower,) = (left.tile for left in reading.left_out)
    asked = structs.replace(
        reading,
        left_out=(LeftOut(flower, "apart"),),
        problems=tuple(Problem(code, plain_text("?")) for code in ("tile-count", "left-out")),
    )
    found = match_tiles(far, [tile.quad for tile in reading.tiles])
    assert answer_questions(asked, far, "bottom", found).hand.bonus == ("F1",)


def test_won_and_how_count_besides_the_tiles() -> None:
    text = TEXT.replace("discard", "wall")
    result = told(HAND, ALL, text)
    assert result.tiles_right
    assert not result.right


def moved(quad: Quad, dx: float) -> Quad:
    a, b, c, d = ((x + dx, y) for x, y in quad)
    return a, b, c, d


@pytest.mark.parametrize("turns", range(4))
def test_corners_are_measured_in_tile_widths_whichever_way_is_up(turns: int) -> None:
    quad = moved(seen(HAND[0]).quad, 6.0)
    rolled: Quad = (*quad[turns:], *quad[:turns])  # type: ignore[assignment]
    assert corner_error(HAND[0], rolled) == pytest.approx(6.0 / WIDE)


def picture(change: Callable[[TrueTile], TrueTile] = lambda tile: tile) -> Case:
    return Case(Path("a.jpg"), "tidy", "navy", {"bottom": TEXT}, tuple(map(change, HAND)))


def test_tiles_found_invented_and_lost_are_counted() -> None:
    far = structs.replace(ALL[0], quad=moved(ALL[0].quad, -WIDE - 2))
    result = compare(picture(), reading_of([far, *[t for t in ALL if t.code != "O6"]]))
    assert result.invented_count == 1
    lost = [t for t in result.tiles if t.code is None]
    assert [t.tile.code for t in lost] == ["O6"]
    assert not any(t.taken_for_winning_tile for t in result.tiles)
    whole = compare(picture(), reading_of(ALL))
    assert [t.tile.code for t in whole.tiles if t.taken_for_winning_tile] == ["O6"]


def test_what_is_half_hidden_or_of_no_hand_is_neither_missed_nor_invented() -> None:
    hidden = compare(picture(lambda t: replace(t, ignore=t.won)), reading_of(ALL))
    assert len(hidden.tiles) == len(HAND) - 1
    assert hidden.invented_count == 0
    assert parse_hand(TEXT).winning_tile == "O6"
