"""The special hands that a hand which did not win is nearest to, and the tiles that it lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.explain.prospects import (
    MAX_SHOWN_MISSING,
    MAX_SHOWN_SPECIALS,
    nearest_specials,
    specials_within_reach,
)
from scorer.hand import Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.patterns.notation import GREEN_CODES
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.scoring.candidates import find_completions
from scorer.special.base import MAX_MISSING_TILES, count_tiles
from scorer.special.tile_patterns import is_made_of
from scorer.tiles import BY_CODE
from scorer.validate.circumstance_checks import choose_rules
from tests.scorer.strategies import PLAYING_CODES, Codes, lost_hands
from tests.scorer.tables import read_table

pytestmark = pytest.mark.slow

BMJA = load_builtin("bmja")
ROWS = read_table(Path(__file__).with_name("nearest.toml"), "hand", "rule", "needed", "why")


@pytest.mark.parametrize(("text", "rule", "missing_tiles", "reason"), ROWS)
def test_what_a_special_hand_lacks(text: str, rule: str, missing_tiles: str, reason: str) -> None:
    hand = parse_hand(text)
    missing_by_rule = {
        each.rule: each.needed for each in specials_within_reach(hand, choose_rules(hand, None), {})
    }
    assert missing_by_rule.get(rule, ()) == tuple(missing_tiles.split()), reason


def test_the_nearest_are_shown_nearest_first_then_dearest() -> None:
    hand = parse_hand("| B222 B333 B555 B66 B9 C1 |")
    specials = nearest_specials(hand, BMJA, find_completions(hand, BMJA))
    assert [(to_english(each.name), len(each.needed)) for each in specials] == [
        ("Buried treasure", 2),
        ("Purity", 2),
    ], "Imperial jade lacks six tiles: nobody was close to it"
    assert nearest_specials(replace(hand, ruleset="safalra"), load_builtin("safalra"), {}) == ()


WILD_ROWS = [
    (
        "| WEE WSS DGGGG C999 JK JK | goulash",
        "S15",
        "WE",
        "dragons as a pung and as the pair",
    ),
    ("| O33 O66 O5555 O111 B22 | goulash", "S11", "O3", "5s as a pung and as the pair"),
]


@pytest.mark.parametrize(("text", "rule", "missing_tiles", "reason"), WILD_ROWS)
def test_what_is_fished_for_lacks_that_tile(
    text: str, rule: str, missing_tiles: str, reason: str
) -> None:
    """With wild tiles there may be five alike; what completes such a hand is known all the same."""
    missing_by_rule = {each.rule: each.needed for each in score(parse_hand(text)).nearest}
    assert missing_by_rule[f"BMJA-{rule}"] == (missing_tiles,), reason


def test_every_pattern_has_a_row() -> None:
    rules = {rule for _, rule, needed, _ in ROWS if needed}
    assert rules == {f"BMJA-S{n}" for n in range(11, 25)}


SUITS = ("B", "C", "O")
HONOURS = [code for code in PLAYING_CODES if code[0] in "WD"]
MAJORS = [code for code in PLAYING_CODES if BY_CODE[code].is_major]
OF_SUIT = {suit: [suit + rank for rank in "123456789"] for suit in SUITS}
WINDS = [f"W{wind}" for wind in "ESWN"]


def equal_tiles(faces: list[str], size: int = 3) -> Iterator[Counter[str]]:
    """Yield every hand of four sets of these faces and a pair of another of them."""
    for five in combinations(faces, 5):
        for pair in five:
            yield Counter({face: 2 if face == pair else size for face in five})


def with_any_pair(sets: list[str], size: int = 3) -> Iterator[Counter[str]]:
    for pair in set(PLAYING_CODES) - set(sets):
        yield Counter({**dict.fromkeys(sets, size), pair: 2})


def snakes() -> Iterator[Counter[str]]:
    for suit in SUITS:
        yield Counter([*OF_SUIT[suit], suit + "1", *WINDS])


def gates() -> Iterator[Counter[str]]:
    for suit, extra in product(SUITS, "2345678"):
        yield Counter(suit + rank for rank in "1112345678999" + extra)


def triple_knittings() -> Iterator[Counter[str]]:
    for four, rank, pair in product(
        combinations_with_replacement("123456789", 4), "123456789", combinations(SUITS, 2)
    ):
        target = Counter([*(s + r for r in four for s in SUITS), *(s + rank for s in pair)])
        if max(target.values()) <= 4:
            yield target


def pair_honours() -> Iterator[Counter[str]]:
    for seven in combinations_with_replacement(MAJORS, 7):
        if max(Counter(seven).values()) <= 2:
            yield Counter([*seven, *seven])


EVERY_TARGET: dict[str, Callable[[], Iterator[Counter[str]]]] = {
    "BMJA-S11": lambda: (target for suit in SUITS for target in equal_tiles(OF_SUIT[suit])),
    "BMJA-S12": pair_honours,
    "BMJA-S14": triple_knittings,
    "BMJA-S16": lambda: equal_tiles([code for code in MAJORS if code not in HONOURS]),
    "BMJA-S17": snakes,
    "BMJA-S18": lambda: equal_tiles(sorted(GREEN_CODES)),
    "BMJA-S19": lambda: (
        t for f in PLAYING_CODES if f[0] != "D" for t in with_any_pair(["DR", "DG", "DW", f])
    ),
    "BMJA-S20": lambda: with_any_pair(WINDS),
    "BMJA-S21": lambda: equal_tiles(HONOURS),
    "BMJA-S23": gates,
    "BMJA-S24": lambda: (Counter([*MAJORS, extra]) for extra in MAJORS),
}
"""Rule id to every hand that it is, where these can be counted out."""


@cache
def targets_of(rule: str) -> list[Counter[str]]:
    """Return every hand that a special hand is."""
    return list(EVERY_TARGET[rule]())


def tiles_near(rule: str) -> st.SearchStrategy[Codes]:
    """Return thirteen tiles, some or most of them of one target of a special hand."""
    target = st.deferred(lambda: st.sampled_from(targets_of(rule)))
    return st.builds(_spoil, target, st.integers(0, 7), st.randoms())


def _spoil(target: Counter[str], changes: int, random: Random) -> Codes:
    tiles = random.sample(list(target.elements()), 13 - changes)
    while len(tiles) < 13:
        code = random.choice(PLAYING_CODES)
        if tiles.count(code) < 4:
            tiles.append(code)
    return tuple(tiles)


@pytest.mark.parametrize("rule", EVERY_TARGET)
@settings(max_examples=10)
@given(st.data())
def test_no_target_lacks_fewer_tiles(rule: str, data: st.DataObject) -> None:
    """Compared with every target there is, counted out one by one."""
    concealed = data.draw(tiles_near(rule))
    counts = Counter(concealed)
    count_of = counts.get
    minimum = min(
        sum(max(0, count - count_of(code, 0)) for code, count in target.items())
        for target in targets_of(rule)
    )
    missing_by_rule = {
        each.rule: each.needed
        for each in specials_within_reach(Hand(concealed=concealed), BMJA, {})
    }
    if minimum > MAX_MISSING_TILES:
        assert rule not in missing_by_rule
    else:
        assert len(missing_by_rule[rule]) == minimum
        assert any(
            not (target - counts - Counter(missing_by_rule[rule])) for target in targets_of(rule)
        )


def special_fished_for(hand: Hand) -> set[str]:
    candidates = find_completions(hand, BMJA).values()
    return {way.special.id for ways in candidates for way in ways if way.special}


def specials_one_short(hand: Hand) -> set[str]:
    return {each.rule for each in specials_within_reach(hand, BMJA, {}) if len(each.needed) == 1}


@given(st.sampled_from(sorted(EVERY_TARGET)).flatmap(tiles_near))
def test_to_fish_is_to_lack_one_tile(concealed: Codes) -> None:
    hand = Hand(concealed=concealed)
    assert special_fished_for(hand) == specials_one_short(hand)  # BMJA-F02


def wild_tiles_near(rule: str) -> st.SearchStrategy[Codes]:
    """Return thirteen tiles of a goulash, one to four of them wild."""
    return st.builds(_with_jokers, tiles_near(rule), st.integers(1, 4))


def _with_jokers(tiles: Codes, jokers: int) -> Codes:
    natural = [code for code in tiles if code != "B2"][jokers:]
    return (*natural, *["JK"] * (13 - len(natural)))[:13] if len(natural) > 8 else ()


@given(wild_tiles_near("BMJA-S14"))
def test_what_triple_knitting_needs_is_enough_and_no_less_is(concealed: Codes) -> None:
    """Some fourteen of the tiles are then the hand; and no tile brings it two nearer (G05)."""
    hand = Hand(concealed=concealed, goulash=True)
    missing_tiles = _missing_for_knitting(hand)
    if not concealed or missing_tiles is None:
        return
    complete_tiles = (*concealed, *missing_tiles)
    assert any(_is_triple_knitting(kept) for kept in combinations(complete_tiles, 14))
    for code in PLAYING_CODES:
        if code != "B2" and concealed.count(code) < 4:
            next_missing = _missing_for_knitting(replace(hand, concealed=(*concealed, code)))
            assert next_missing is None or len(next_missing) >= len(missing_tiles) - 1
    fishing_ids = {way.special.id for ways in find_completions(hand, BMJA).values() for way in ways
              if way.special}  # fmt: skip
    assert (len(missing_tiles) == 1) == ("BMJA-S14" in fishing_ids)


KNITTING = replace(BMJA, specials=(BMJA.specials_by_id["BMJA-S14"],))
"""Rules with Triple knitting alone: only what it lacks is sought."""


def _missing_for_knitting(hand: Hand) -> Codes | None:
    nearby_specials = specials_within_reach(hand, KNITTING, {})
    return nearby_specials[0].needed if nearby_specials else None


def _is_triple_knitting(codes: Codes) -> bool:
    tile_counts = count_tiles(codes, frozenset({"JK", "B2"}), spare=False)
    pattern = BMJA.specials_by_id["BMJA-S14"].pattern
    return pattern is not None and is_made_of(pattern, tile_counts)


def deal_knitting(ranks: list[str], suits: list[int], random: Random) -> Codes:
    couples = [combinations(SUITS, 2) for _ in ranks]
    pairs = [list(each)[place] for each, place in zip(couples, suits, strict=True)]
    tiles = [suit + rank for rank, pair in zip(ranks, pairs, strict=True) for suit in pair]
    random.shuffle(tiles)
    return tuple(tiles)


sevens = st.builds(
    deal_knitting,
    st.lists(st.sampled_from("123456789"), min_size=7, max_size=7),
    st.lists(st.integers(0, 2), min_size=7, max_size=7),
    st.randoms(),
).filter(lambda tiles: max(Counter(tiles).values()) <= 4)


@given(sevens, st.integers(0, 6))
def test_a_knitting_lacks_at_most_what_was_taken_from_it(tiles: Codes, count: int) -> None:
    missing_by_rule = {
        e.rule: e.needed for e in specials_within_reach(Hand(concealed=tiles[count:]), BMJA, {})
    }
    assert len(missing_by_rule.get("BMJA-S13", ())) <= count
    hand = Hand(concealed=tiles[1:])
    assert special_fished_for(hand) == specials_one_short(hand)


@given(lost_hands())
def test_what_is_needed_is_little_and_can_come(hand: Hand) -> None:
    specials = nearest_specials(hand, BMJA, find_completions(hand, BMJA))
    assert len(specials) <= MAX_SHOWN_SPECIALS
    sizes = [len(each.needed) for each in specials]
    assert sizes == sorted(sizes)
    for special in specials:
        assert 1 <= len(special.needed) <= MAX_SHOWN_MISSING
        assert max((Counter(hand.tiles) + Counter(special.needed)).values()) <= max(
            4, *Counter(hand.tiles).values()
        )


@given(lost_hands())
def test_a_fishing_hand_with_sets_laid_down_lacks_one_tile(hand: Hand) -> None:
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    if len(hand.tiles) == 13 + kongs:
        assert special_fished_for(hand) == specials_one_short(hand)
