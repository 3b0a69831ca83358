"""Which tile was likeliest misread, where four hands hold more of a face than there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from device.hands.misreading import with_tile
from device.hands.record import HandRecord, HandTile
from device.matches.hand_conflicts import (
    apply_changes,
    find_excess_tiles,
    is_possible,
    propose_mends,
    total_tiles,
)
from scorer.tiles import BY_CODE, CODES, copies_in_set
from tests.device.fake_reader import Group, lay
from tests.device.read_hands import hand_read
from vision.reading import MAX_ALTERNATIVES

Alternatives = tuple[tuple[str, float], ...]


def hand(*groups: Group, is_won: bool = False, **alternatives: Alternatives) -> HandRecord:
    """Return a hand that was read as this; `alternatives` are by face."""
    return _hand(groups, is_won=is_won, alternatives=alternatives)


def _hand(
    groups: Sequence[Group], *, is_won: bool, alternatives: Mapping[str, Alternatives]
) -> HandRecord:
    reading = lay(groups)
    tiles = tuple(
        structs.replace(
            tile,
            confidence=1 - sum(chance for _, chance in alternatives.get(tile.code, ())),
            alternatives=alternatives.get(tile.code, ()),
        )
        for tile in reading.tiles
    )
    return hand_read(structs.replace(reading, tiles=tiles), is_winner=is_won)


LOOSE = "C1 C2 C4 B4 B5 B6 WS WS DW"
KONG = hand(("exposed", "O7 O7 O7 O7"), ("concealed", f"{LOOSE} DG"))
"""A hand with all sevens that there are."""

TWELVE = "C5 C6 O1 O2 O3 B1 B2 B3 WN WN DR DG"


@dataclass(frozen=True, slots=True)
class Case:
    """A deal, and what is proposed."""

    hands: Mapping[str, HandRecord]
    first: set[tuple[str, int, str]]
    """Whose tile, which, and what it likely is; nothing where nothing is proposed."""
    reason: str
    ways: int = 1


def loser(codes: str, *bonus: str, **alternatives: Alternatives) -> HandRecord:
    """Return a hand that did not win, all of it concealed but for flowers and seasons."""
    groups: list[Group] = [("concealed", codes)]
    groups += [("bonus", each) for each in bonus]
    return _hand(groups, is_won=False, alternatives=alternatives)


def by_hand(codes: str) -> HandRecord:
    """Return a hand that was entered tile by tile."""
    record = loser(codes)
    tiles = tuple(HandTile(tile.code, None, is_changed=True) for tile in record.tiles)
    return replace(record, reading=None, tiles=tiles)


SPRING = loser(f"{LOOSE} O1 O2 O3 DR", "S1")
BIRD: Alternatives = (("B1", 0.2), ("S3", 0.1))

CASES = [
    Case({"Ann": KONG, "Bob": loser(f"C4 {TWELVE}")}, set(), "all adds up"),
    Case(
        {"Ann": KONG, "Bob": loser(f"O7 {TWELVE}", O7=(("O9", 0.3),))},
        {("Bob", 0, "O9")},
        "the fifth seven was read the least surely",
    ),
    Case(
        {
            "Ann": loser("O7 O7 C1 C2 C4 B4 B5 B6 WS WS DW DW DW", O7=(("O6", 0.01),)),
            "Bob": loser("O7 O7 O7 O1 O2 O3 B1 B2 B3 WN WN DR DG", O7=(("O9", 0.001),)),
        },
        {("Ann", 0, "O6")},
        "of two faces that it may be, the likelier",
    ),
    Case(
        {
            "Ann": KONG,
            "Bob": loser("O7 O9 O9 O9 O9 C1 B1 B2 B3 WN WN DR DG", O7=(("O9", 0.4), ("O8", 0.1))),
        },
        {("Bob", 0, "O8")},
        "the likeliest is there four times already",
    ),
    Case(
        {
            "Ann": hand(
                ("exposed", "O7 O7 O7"),
                ("exposed", "WS WS WS"),
                ("concealed", "C1 C2 C3 B4 B4 B4 DW DW"),
                is_won=True,
                O7=(("O9", 0.4),),
            ),
            "Bob": loser("O7 O7 C1 O1 O2 O3 B1 B2 B3 WN WN DR DG", O7=(("O6", 0.01),)),
        },
        {("Bob", 0, "O6")},
        "with a nine among the sevens Ann would not have won",
    ),
    Case(
        {"Ann": SPRING, "Bob": loser(f"{LOOSE} B1 O4 O9 DG", "S1", S1=(("S3", 0.2),))},
        {("Bob", 13, "S3")},
        "there is one of each season",
    ),
    Case(
        {"Ann": SPRING, "Bob": loser(f"{LOOSE} B1 O4 DG", "S1", S1=BIRD)},
        {("Bob", 12, "B1")},
        "a bird that was taken for a season: with it Bob has thirteen tiles",
        ways=2,
    ),
    Case(
        {"Ann": SPRING, "Bob": loser(f"{LOOSE} B1 O4 O9 DG", "S1", S1=BIRD)},
        {("Bob", 13, "S3")},
        "without the season Bob would have a tile too many",
    ),
    Case(
        {"Ann": KONG, "Bob": with_tile(loser(f"O9 {TWELVE}", O9=(("O8", 0.1),)), 0, "O7")},
        {("Bob", 0, "O9")},
        "somebody named it otherwise than it was read, and nothing else is in doubt",
        ways=2,
    ),
    Case(
        {
            "Ann": hand(
                ("exposed", "O7 O7 O7 O7"), ("concealed", f"{LOOSE} DG"), O7=(("O9", 0.2),)
            ),
            "Bob": loser(f"O7 {TWELVE}", O7=(("O8", 0.001),)),
        },
        {("Bob", 0, "O8")},
        "without the kong Ann would have a tile too many",
    ),
    Case(
        {
            "Ann": hand(
                ("exposed", "?? O7 O7 ??"), ("concealed", f"{LOOSE} DG"), O7=(("O9", 0.2),)
            ),
            "Bob": loser(f"O7 {TWELVE}", O7=(("O8", 0.001),)),
        },
        {("Bob", 0, "O8")},
        "tiles that lie face down are what lies beside them",
    ),
    Case(
        {
            "Ann": KONG,
            "Bob": loser("O7 O7 C6 O1 O2 O3 B1 B2 B3 WN WN DR DG", O7=(("O9", 0.3), ("O8", 0.1))),
        },
        {("Bob", 0, "O9"), ("Bob", 1, "O9")},
        "two too many: two tiles",
        ways=3,
    ),
    Case({"Ann": KONG, "Bob": KONG}, set(), "four too many: another hand altogether"),
    Case(
        {"Ann": KONG, "Bob": loser(f"O7 {TWELVE}")},
        set(),
        "nothing that was read speaks for another tile",
    ),
    Case(
        {"Ann": KONG, "Bob": by_hand(f"O7 {TWELVE}")},
        set(),
        "of a tile that somebody entered nobody knows what else it may be",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.reason)
def test_the_likeliest_change_is_proposed(case: Case) -> None:
    ways = propose_mends(case.hands)
    first = {(each.player, each.place, each.code) for each in ways[0]} if ways else set()
    assert first == case.first
    assert len(ways) == (case.ways if case.first else 0)


def test_a_tile_that_somebody_said_right_is_blamed_after_one_that_nobody_looked_at() -> None:
    bob = loser(f"O7 {TWELVE}", O7=(("O9", 0.05),))
    ann = loser(f"{LOOSE} O7 O7 O7 O7", O7=(("O6", 0.02),))
    assert propose_mends({"Ann": ann, "Bob": bob})[0][0].player == "Bob"
    confirmed_hand = replace(
        bob, tiles=tuple(replace(tile, is_confirmed=True) for tile in bob.tiles)
    )
    assert propose_mends({"Ann": ann, "Bob": confirmed_hand})[0][0].player == "Ann"


SHORT = loser(TWELVE)
WINNING_HAND = hand(
    ("exposed", "C1 C2 C3"), ("concealed", "B4 B4 B4 C8 C8 C8 DR DR DR O9 O9"), is_won=True
)
FALSE_WIN = hand(
    ("exposed", "C1 C2 C3"), ("concealed", "B4 B4 B4 C8 C8 C8 DR DR DR O8 O9"), is_won=True
)


@pytest.mark.parametrize(
    ("hands", "count", "reason"),
    [
        ({"Ann": KONG, "Bob": SPRING}, 14 + 14, "a kong has one more, and a season counts"),
        ({"Ann": KONG, "Bob": WINNING_HAND}, 14 + 14, "who wins has fourteen"),
        ({"Ann": KONG, "Bob": loser(f"O7 {TWELVE}")}, None, "a face too many"),
        ({"Ann": KONG, "Bob": SHORT}, None, "a tile too few"),
        ({"Ann": KONG, "Bob": FALSE_WIN}, None, "who wins has a whole hand"),
        ({"Ann": KONG}, None, "Bob’s hand is not there"),
        ({}, None, "no hand at all"),
    ],
)
def test_what_adds_up(hands: Mapping[str, HandRecord], count: int | None, reason: str) -> None:
    assert total_tiles(hands, ["Ann", "Bob"]) == count, reason


@st.composite
def tables(draw: st.DrawFn) -> dict[str, HandRecord]:
    """Deal four hands of one set, and read some tiles as a face of which there are too many."""
    wall = [code for code in CODES for _ in range(copies_in_set(BY_CODE[code]))]
    draw(st.randoms(use_true_random=False)).shuffle(wall)
    codes, face = wall[:52], draw(st.sampled_from(CODES))
    short = copies_in_set(BY_CODE[face]) - codes.count(face)
    alternatives: list[tuple[str, float]] = []
    for place in [k for k, code in enumerate(codes) if code != face][
        : short + draw(st.integers(0, 3))
    ]:
        alternatives.append((codes[place], draw(st.floats(0, 0.15))))
        codes[place] = face
    draw(st.randoms(use_true_random=False)).shuffle(codes)
    likely = {code: chance for code, chance in alternatives[:MAX_ALTERNATIVES] if code != face}
    return {
        player: loser(" ".join(codes[k * 13 : k * 13 + 13]), **{face: tuple(likely.items())})
        for k, player in enumerate(("Ann", "Bob", "Cy", "Di"))
    }


@given(hands=tables())
def test_what_is_proposed_makes_all_counts_possible(hands: dict[str, HandRecord]) -> None:
    ways = propose_mends(hands)
    crowded_codes = {each.code for each in find_excess_tiles(hands)}
    assert not (ways and not crowded_codes), "nothing is changed where all may be as it was read"
    for way in ways:
        after = apply_changes(hands, way)
        assert not find_excess_tiles(after)
        assert {each.was for each in way} <= crowded_codes
        for player, record in hands.items():
            assert is_possible(after[player]) or not is_possible(record)
    places = [{(each.player, each.place) for each in way} for way in ways]
    assert all(each == places[0] for each in places), "all name the same tiles otherwise"


@settings(max_examples=30)
@given(hands=tables())
def test_no_smaller_part_of_a_mend_would_do(hands: dict[str, HandRecord]) -> None:
    for way in propose_mends(hands):
        for each in way:
            assert len(way) == 1 or find_excess_tiles(apply_changes(hands, (each,)))
