"""How tiles and sets as they lie become the parts of a hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.layings import classify_group
from scorer.tiles import CODES, FACE_DOWN
from vision.hand.assembly import LaidSet, assemble
from vision.reading import RowName

DOWN_CODE = FACE_DOWN


def lay_groups(
    *groups: tuple[RowName, str], by_hand: bool = False
) -> tuple[list[str], list[LaidSet]]:
    """Write a layout as (row, "B1 B1 ??") groups."""
    codes: list[str] = []
    sets = []
    for row, text in groups:
        tiles = text.split()
        sets.append(LaidSet(tuple(range(len(codes), len(codes) + len(tiles))), row, by_hand))
        codes += tiles
    return codes, sets


@pytest.mark.parametrize(
    ("group", "rules", "exposed", "kongs", "concealed", "reason"),
    [
        (("concealed", "?? B5 B5 ??"), "bmja", [], ["B5 B5 B5 B5"], "", "BMJA-V04: both ends down"),
        (("exposed", "?? B5 B5 ??"), "bmja", [], ["B5 B5 B5 B5"], "", "V04 in whichever row"),
        (("exposed", "B5 B5 B5 ??"), "bmja", ["B5 B5 B5 B5"], [], "", "BMJA-V03: right end down"),
        (("exposed", "?? B5 B5 B5"), "bmja", ["B5 B5 B5 B5"], [], "", "BMJA-V03: left end down"),
        (("concealed", "B5 B5 B5 ??"), "bmja", ["B5 B5 B5 B5"], [], "", "V03 in the lower row too"),
        (("exposed", "DR ?? DR"), "bmja", [], [], "DR DR DR", "BMJA-V05: a concealed pung"),
        (("concealed", "B5 B5 B5 ??"), "safalra", [], ["B5 B5 B5 B5"], "", "SAF-V02, V06"),
        (("concealed", "DR DR ??"), "safalra", [], [], "DR DR DR", "SAF-V03: a concealed pung"),
        (("exposed", "B2 B2 B2"), "bmja", ["B2 B2 B2"], [], "", "all face up: as the row says"),
        (("exposed", "B2 B2 B2 O5 O5 O5 O5 C3 C4 C5"), "bmja",
         ["B2 B2 B2", "O5 O5 O5 O5", "C3 C4 C5"], [], "", "exposed sets without gaps"),
        (("exposed", "B2 B2 B2 B2 B3 B4"), "bmja", ["B2 B2 B2", "B2 B3 B4"], [], "",
         "not a kong and two tiles too many"),
        (("exposed", "B2 B2 B2 O5 ?? O5"), "bmja", ["B2 B2 B2"], [], "O5 O5 O5",
         "a concealed pung among them"),
        (("exposed", "B2 B2 B2 O5"), "bmja", ["B2 B2 B2 O5"], [], "", "no sets: left as it lies"),
        (("concealed", "B2 B2 B2 B2"), "bmja", [], ["B2 B2 B2 B2"], "", "four by themselves"),
        (("concealed", "B2 B2 B2 B2 C4"), "bmja", [], [], "B2 B2 B2 B2 C4", "no gap: left alone"),
        (("bonus", "C4"), "bmja", [], [], "C4", "no bonus tile, so one of the hand"),
    ],
)  # fmt: skip
def test_layouts(
    group: tuple[RowName, str],
    rules: str,
    exposed: list[str],
    kongs: list[str],
    concealed: str,
    reason: str,
) -> None:
    hand = assemble(*lay_groups(group), rules)
    assert [" ".join(s) for s in hand.exposed] == exposed, reason
    assert [" ".join(s) for s in hand.declared_kongs] == kongs, reason
    assert " ".join(hand.concealed) == concealed, reason
    assert hand.unresolved_tiles == (), reason


@pytest.mark.parametrize(
    ("text", "unresolved_tiles", "reason"),
    [
        ("B1 ?? B2", (1,), "the neighbours differ"),
        ("B1 B1 ??", (2,), "means nothing in BMJA (SAF-V06)"),
        ("??", (0,), "no neighbours"),
        ("?? B1 ??", (0, 2), "three tiles with two down is no pattern"),
        ("?? ?? ?? ??", (0, 1, 2, 3), "nothing to see"),
        ("B1 ?? B1 ??", (3,), "a concealed pung, and one that nothing explains"),
    ],
)
def test_a_face_down_tile_is_never_guessed(
    text: str, unresolved_tiles: tuple[int, ...], reason: str
) -> None:
    hand = assemble(*lay_groups(("concealed", text)))
    assert hand.unresolved_tiles == unresolved_tiles, reason


def test_a_row_without_gaps_is_read_so_that_every_face_down_tile_makes_sense() -> None:
    # Read from the left alone, B1 B1 B1 ?? would be taken for an exposed kong.
    hand = assemble(*lay_groups(("concealed", "B1 B1 B1 ?? C3 C3 ??")))
    assert hand.declared_kongs == (("C3",) * 4,)
    assert hand.concealed == ("B1",) * 3
    assert hand.unresolved_tiles == ()


def test_bonus_tiles_count_as_such_wherever_they_lie() -> None:
    hand = assemble(
        *lay_groups(("exposed", "B2 B2 B2 F1"), ("concealed", "S3 WE WE"), ("bonus", "F2"))
    )
    assert hand.bonus == ("F1", "S3", "F2")
    assert hand.exposed == (("B2",) * 3,)
    assert hand.concealed == ("WE", "WE")


@pytest.mark.parametrize(("row", "exposed"), [("exposed", 1), ("concealed", 0)])
def test_the_player_outranks_the_face_down_tiles(row: RowName, exposed: int) -> None:
    hand = assemble(*lay_groups((row, "?? B5 B5 ??"), by_hand=True))
    assert len(hand.exposed) == exposed
    assert len(hand.declared_kongs) == 1 - exposed


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        ("B3 B1 B2", "chow"),
        ("B8 B9 B1", "loose"),  # runs do not wrap (BMJA-H04)
        ("B1 C2 O3", "loose"),
        ("WE WS WW", "loose"),
        ("DR DR DR", "pung"),
        ("DR DR DR DR", "kong"),
        ("DR DR", "pair"),
        ("DR", "loose"),
        ("DR DR DR DR DR", "loose"),
        ("B1 ?? B1", "loose"),
    ],
)
def test_set_kind(codes: str, kind: str) -> None:
    assert classify_group(codes.split()) == kind


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["exposed", "concealed", "bonus"]),
            st.lists(
                st.sampled_from([*CODES[:4], "F1", DOWN_CODE, DOWN_CODE]), min_size=1, max_size=9
            ),
        ),
        max_size=5,
    ),
    st.sampled_from(["bmja", "safalra"]),
)
def test_no_tile_is_lost_or_invented(groups: list[tuple[RowName, list[str]]], rules: str) -> None:
    codes, sets = lay_groups(*[(row, " ".join(tiles)) for row, tiles in groups])
    hand = assemble(codes, sets, rules)
    placed_codes = {t: code for s in hand.sets for t, code in zip(s.tiles, s.codes, strict=True)}
    assert sorted(t for s in hand.sets for t in s.tiles) == list(range(len(codes)))
    assert all(placed_codes[i] == code for i, code in enumerate(codes) if code != DOWN_CODE)
    parts = [*hand.exposed, *hand.declared_kongs, hand.concealed, hand.bonus]
    unknown_codes = [
        code for s in hand.sets if s.row == "bonus" for code in s.codes if code == DOWN_CODE
    ]
    assert sum(len(part) for part in parts) + len(unknown_codes) == len(codes)
    assert len(hand.unresolved_tiles) >= len(unknown_codes), "what may be a flower is reported"
