"""Decoding: what must be true of a hand is weighed, and never hides what was seen."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from scorer.layings import classify_group, face_down_layings
from scorer.tiles import CODES, FACE_DOWN, Tile, copies_in_set
from vision.hand.joint_decoding import (
    LAYING_BONUS,
    LOOSE_BACK_BONUS,
    MIN_NAME_CHANCE,
    SET_BONUSES,
    TileGroup,
    decode_jointly,
)
from vision.reading import TileReading

GATE = 0.93
QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
LAYINGS = face_down_layings("bmja")


def tile(text: str) -> TileReading:
    """Return a tile from `B3` or `B3 .7 B2 .2 B1 .1`: code, its chance, and the alternatives."""
    code, *rest = text.split()
    sure = float(rest[0]) if rest else 0.999
    alternatives = tuple(zip(rest[1::2], map(float, rest[2::2]), strict=True))
    return TileReading(code, sure, QUAD, 0, alternatives, sure < GATE)


def read(texts: list[str], *groups: tuple[range, bool]) -> tuple[TileReading, ...]:
    tile_groups = [TileGroup(tuple(tiles), exposed) for tiles, exposed in groups]
    return decode_jointly([tile(text) for text in texts], tile_groups, GATE, LAYINGS)


@dataclass(frozen=True)
class Row:
    """Tiles side by side, and what comes of them."""

    reason: str
    tiles: list[str]
    codes: str
    doubtful: str
    """One mark for each tile: ? or -."""
    exposed: bool = True


ROWS = [
    Row("a sure set stays", ["B2", "B2", "B2"], "B2 B2 B2", "---"),
    Row("a doubtful tile that completes a set is no question", ["B2", "B2", "B2 .8 B3 .1"],
        "B2 B2 B2", "---"),
    Row("a name that the set forbids gives way, marked", ["B2", "B2", "B3 .6 B2 .3"],
        "B2 B2 B2", "--?"),
    Row("a chow, too, is a set, in any order", ["C5", "C3", "C9 .5 C4 .4"], "C5 C3 C4", "--?"),
    Row("a sure tile is not overruled", ["B2", "B2", "B3 .999"], "B2 B2 B3", "---"),
    Row("what hardly could be a set stays, and stays in doubt", ["B2", "O7", "S3 .6 F3 .3"],
        "B2 O7 S3", "--?"),
    Row("a face-down tile between its like is a set", ["B2", FACE_DOWN, "B2 .7 B3 .25"],
        "B2 ?? B2", "---"),
    Row("an end turned down makes the kong of them", ["?? .9 DW .09", "O5", "O5", "O5"],
        "?? O5 O5 O5", "----"),
    Row("loose concealed tiles are moved less easily", ["B2", "B3", "B5 .9 B4 .02"],
        "B2 B3 B5", "--?", exposed=False),
    Row("there is one flower of each", ["F1 .98", "F1 .6 F2 .35"], "F1 F2", "-?", exposed=False),
    Row("the less sure of two like flowers gives way", ["F1 .6 F2 .3", "F1 .98 F2 .01"],
        "F2 F1", "?-", exposed=False),
    Row("there are four of a face", ["WE", "WE", "WE", "WE", "WE .8 WN .15"],
        "WE WE WE WE WN", "----?", exposed=False),
    Row("five sure ones are left for the player", ["WE", "WE", "WE", "WE", "WE"],
        "WE WE WE WE WE", "-----", exposed=False),
    Row("what may be any of many names stays in doubt", ["S3 .3 S1 .1"], "S3", "?"),
    Row("a set makes even that likely", ["B2", "B2", "B3 .3 B2 .2"], "B2 B2 B2", "--?"),
    Row("a blank tile between two alike is the back of their pung", ["C4", "DW .7 ?? .3", "C4"],
        "C4 ?? C4", "---", exposed=False),
    Row("two at the ends are those of a kong", ["?? .6 DW .4", "C4", "C4", "DW .6 ?? .4"],
        "?? C4 C4 ??", "----", exposed=False),
    Row("one that looks like a white dragon is asked about there", ["C4", "DW .97 ?? .03", "C4"],
        "C4 ?? C4", "-?-", exposed=False),
    Row("a flower is none", ["C4", "F1 .7 ?? .3", "C4"], "C4 ?? C4", "-?-", exposed=False),
    Row("no set has a back beside it", ["DW .6 ?? .4", "DW .6 ?? .4"], "DW DW", "--",
        exposed=False),
    Row("nor has a hand one by itself, as far as anybody saw", ["DW .5 ?? .5"], "DW", "-"),
    Row("blank tiles alone may be either", ["DW .6 ?? .4", "?? .6 DW .4", "DW .6 ?? .4"],
        "DW ?? DW", "-?-"),
    Row("a green back stays one", ["DW", "?? .998", "DW"], "DW ?? DW", "---"),
    Row("no tiles", [], "", ""),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.reason)
def test_tiles_together(row: Row) -> None:
    read_tiles = read(row.tiles, (range(len(row.tiles)), row.exposed))
    assert " ".join(t.code for t in read_tiles) == row.codes
    assert "".join("?" if t.doubtful else "-" for t in read_tiles) == row.doubtful


def test_what_was_seen_is_kept_with_its_chance() -> None:
    changed_tile = read(["B2", "B2", "B3 .6 B2 .3 B8 .05"], (range(3), True))[2]
    assert changed_tile.seen == "B3"
    assert changed_tile.alternatives == (("B3", 0.6), ("B8", 0.05))
    assert changed_tile.confidence > 0.9
    unchanged_tile = read(["B2", "B2", "B2 .8 B3 .1"], (range(3), True))[2]
    assert (unchanged_tile.seen, unchanged_tile.alternatives) == ("", (("B3", 0.1),))


def test_tiles_without_a_gap_are_cut_in_the_best_way() -> None:
    read_tiles = read(["B1", "B2", "B3", "B3", "B3", "B8 .5 B3 .3"], (range(6), True))
    assert read_tiles[5].code == "B3", "a chow and a pung"


def test_a_tile_that_lies_alone_is_moved_by_nothing() -> None:
    read_tiles = read(["B2", "B2", "B3 .6 B2 .3"], (range(2), True))
    assert (read_tiles[2].code, read_tiles[2].doubtful) == ("B3", True)


def test_what_cannot_be_does_not_keep_other_groups_from_being_weighed() -> None:
    read_tiles = read(
        ["F1", "F1", "B2", "B2", "B3 .6 B2 .3"], (range(2), True), (range(2, 5), True)
    )
    assert [t.code for t in read_tiles] == ["F1", "F1", "B2", "B2", "B2"]
    assert [t.doubtful for t in read_tiles] == [False] * 4 + [True]


def test_a_winning_hand_is_not_preferred() -> None:
    """Thirteen tiles wait for B9 or another; the fourteenth is named by its looks alone."""
    row = ["B1", "B1", "B1", "C2", "C3", "C4", "O5", "O6", "O7", "WE", "WE", "WE", "DR"]
    read_tiles = read([*row, "DG .55 DR .4"], (range(13), False))
    assert (read_tiles[13].code, read_tiles[13].doubtful) == ("DG", True)


@st.composite
def unsure(draw: st.DrawFn) -> TileReading:
    names = draw(st.lists(st.sampled_from(["B1", "B2", "DW", "F1", "F2", FACE_DOWN]),
                          min_size=1, max_size=3, unique=True))  # fmt: skip
    worth = sorted((draw(st.integers(1, 100)) for _ in names), reverse=True)
    chances = [round(w / sum(worth), 4) for w in worth]
    alternatives = tuple(zip(names[1:], chances[1:], strict=True))
    return TileReading(names[0], chances[0], QUAD, 0, alternatives, chances[0] < GATE)


def gain(codes: tuple[str, ...], *, exposed: bool) -> float:
    """Return what the best of all cuts adds, literally."""
    if not codes:
        return 0.0
    ways = [LOOSE_BACK_BONUS * (codes[0] == FACE_DOWN) + gain(codes[1:], exposed=exposed)]
    for n in range(2, min(4, len(codes)) + 1):
        piece = codes[:n]
        shape = "".join("?" if code == FACE_DOWN else "X" for code in piece)
        one_face = len({*piece} - {FACE_DOWN}) == 1
        is_laid = one_face and shape in ("XXX?", "?XXX", "X?X", "?XX?")
        kind = "kong" if is_laid else classify_group(piece)
        if one_face and shape in ("X?X", "?XX?") and "DW" not in piece:
            ways.append(n * LAYING_BONUS + gain(codes[n:], exposed=exposed))
        elif kind in SET_BONUSES:
            worth = n * (SET_BONUSES[kind].exposed if exposed else SET_BONUSES[kind].concealed)
            ways.append(worth + gain(codes[n:], exposed=exposed))
    return max(ways)


def weight(tiles: list[TileReading], groups: list[TileGroup], way: list[str]) -> float:
    chances = [dict([(t.code, t.confidence), *t.alternatives]) for t in tiles]
    look_weight = sum(math.log(max(c[code], 1e-6)) for c, code in zip(chances, way, strict=True))
    return look_weight + sum(
        gain(tuple(way[t] for t in g.tiles), exposed=g.exposed) for g in groups
    )


def possible(tiles: list[TileReading]) -> list[list[str]]:
    """Return every way that one set of tiles allows."""
    likely = [
        [t.code, *(code for code, p in t.alternatives if p >= MIN_NAME_CHANCE)] for t in tiles
    ]
    ways = [list(way) for way in itertools.product(*likely)]
    return [
        way
        for way in ways
        if all(n <= copies_in_set(Tile.parse(c)) for c, n in Counter(way).items() if c != FACE_DOWN)
    ]


@given(st.lists(unsure(), min_size=1, max_size=5), st.sampled_from([True, False]), st.data())
def test_the_best_way_is_found_and_marked(
    tiles: list[TileReading], exposed: bool, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(tiles)))
    groups = [
        TileGroup(tuple(range(cut)), exposed),
        TileGroup(tuple(range(cut, len(tiles))), not exposed),
    ]
    read_tiles = decode_jointly(tiles, groups, GATE, LAYINGS)
    ways = possible(tiles)
    for before, after in zip(tiles, read_tiles, strict=True):
        assert (after.seen == before.code) == (after.code != before.code)
        other = after.code != before.code and not {after.code, before.code} <= {"DW", FACE_DOWN}
        assert after.doubtful == (after.confidence < GATE or other)
        assert 0 <= after.confidence <= 1
    if not ways:
        return  # sure of too many of a face: the player must say which
    best = max(weight(tiles, groups, way) for way in ways)
    assert weight(tiles, groups, [t.code for t in read_tiles]) == pytest.approx(best)


def test_every_face_can_be_asked_for() -> None:
    read_tiles = read([f"{code} .9" for code in CODES], (range(42), False))
    assert [t.code for t in read_tiles] == [*CODES]


def test_tiles_that_look_alike_are_one_witness() -> None:
    """Three misread together are no surer of their pung than one of them is of its name."""
    separate_tiles = [tile("B9 .87 B6 .12")] * 3
    similar_tiles = [structs.replace(each, alike=1) for each in separate_tiles]
    group = TileGroup((0, 1, 2), exposed=True)
    assert all(each.confidence > 0.99 for each in decode_jointly(separate_tiles, [group], GATE))
    for decoded_tile in decode_jointly(similar_tiles, [group], GATE):
        assert decoded_tile.code == "B9"
        assert decoded_tile.confidence == pytest.approx(0.87, abs=0.02)
        assert decoded_tile.doubtful


def test_print_read_on_one_tile_tells_what_those_like_it_are() -> None:
    """Only its own alternatives are known, and no name of the others is lost."""
    read_tiles = decode_jointly(
        [structs.replace(tile(text), alike=1) for text in ("WE .6 WS .39", "WE .95 WN .04")],
        [TileGroup((0, 1), exposed=False)],
        GATE,
    )
    assert [each.code for each in read_tiles] == ["WE", "WE"]
    assert not any(each.doubtful for each in read_tiles)


def test_tiles_that_look_alike_are_renamed_together() -> None:
    """Their run says what they are: five of a face are too many."""
    similar_tiles = [structs.replace(tile("B9 .6 B6 .4"), alike=1)] * 2
    read_tiles = decode_jointly(
        [*similar_tiles, *[tile("B9")] * 3], [TileGroup(tuple(range(5)), False)], GATE
    )
    assert [each.code for each in read_tiles] == ["B6", "B6", "B9", "B9", "B9"]


def test_a_run_names_the_pung_that_looks_like_its_tile() -> None:
    """B4 and O8 are a toss-up, and only B4 makes a chow with B5 and B6."""
    strange_tile = structs.replace(tile("O8 .6 B4 .39"), alike=1)
    pung, chow = TileGroup((0, 1, 2), exposed=True), TileGroup((3, 4, 5), exposed=True)
    read_tiles = decode_jointly([*[strange_tile] * 4, tile("B5"), tile("B6")], [pung, chow], GATE)
    assert [each.code for each in read_tiles] == ["B4"] * 4 + ["B5", "B6"]
    assert all(each.doubtful for each in read_tiles[:4])
