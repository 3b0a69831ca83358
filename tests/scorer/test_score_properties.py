"""What must hold for every hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorer.breakdown import Breakdown, TileSet
from scorer.decompose.arrangements import HandArrangement, winning_arrangements
from scorer.errors import HandError
from scorer.explain.sums import MAX_SHOWN_ALTERNATIVES, write_score
from scorer.hand import Codes, Hand
from scorer.message import to_english
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score, score_total
from scorer.scoring.pricing import sets_price
from scorer.sets import make_set
from scorer.tiles import BY_CODE, JOKER
from tests.scorer.strategies import (
    PLAYING_CODES,
    WonHand,
    any_hands,
    goulash_wins,
    lost_hands,
    one_short_hands,
    safalra_wins,
    twisted_hands,
    won_hands,
)

pytestmark = pytest.mark.slow

wins = st.one_of(won_hands(), goulash_wins(), safalra_wins())
hands = st.one_of(wins.map(lambda win: win.hand), lost_hands(), one_short_hands())


def outcome(hand: Hand) -> Breakdown | set[str]:
    """Score a hand; for one that cannot be scored, return the codes of its errors."""
    try:
        return score(hand)
    except HandError as fault:
        return {problem.code for problem in fault.problems}


def total_or_refusal(hand: Hand) -> int | set[str]:
    try:
        return score_total(hand)
    except HandError as fault:
        return {problem.code for problem in fault.problems}


@given(hands)
def test_the_lines_make_the_total(hand: Hand) -> None:
    result = score(hand)
    for part, points, doubles in (
        ("hand", result.base, result.doubles),
        ("bonus", result.bonus_base, result.bonus_doubles),
    ):
        lines = [line for line in result.lines if line.part == part]
        assert points == sum(line.points for line in lines)
        assert doubles == sum(line.doubles for line in lines)
        assert points % 2 == 0  # BMJA-B14
    full = (result.base << result.doubles) + (result.bonus_base << result.bonus_doubles)
    limit = None if hand.ruleset == "safalra" else hand.limit  # SAF-H04
    assert result.limit == limit
    assert result.total == (full if limit is None else min(full, limit))  # BMJA-L01
    assert result.limited == (result.total < full)
    assert str(result.total) in to_english(write_score(result))


@given(hands)
def test_every_line_names_a_rule_and_gives_something(hand: Hand) -> None:
    result = score(hand)
    rules = load_builtin(hand.ruleset)
    rule_ids = {rule.id for rule in rules.rules} | set(rules.specials_by_id)
    for line in result.lines:
        assert line.rule in rule_ids
        assert line.points or line.doubles
        assert line.label
        assert line.sentence
        for_winners = [rule.winner_only for rule in rules.rules if rule.id == line.rule]
        assert hand.winner or not for_winners or not all(for_winners)
        assert Counter(line.tiles) <= Counter(hand.tiles + hand.bonus)
    scored_rules = {line.rule for line in result.lines}
    rows = Counter(rule.id for rule in rules.rules)  # some rules give several things: SAF-R08
    for rule in result.not_counted:
        assert re.fullmatch(r"(BMJA|SAF)-[A-Z]\d\d", rule.rule)
        assert rule.rule not in scored_rules or rows[rule.rule] > 1
        assert to_english(rule.reason).endswith(".")


@given(hands)
def test_the_sets_use_every_tile_once(hand: Hand) -> None:
    result = score(hand)
    assert Counter(code for each in result.sets for code in each.tiles) == Counter(hand.tiles)
    for tile_set in result.sets:
        if tile_set.kind == "loose":
            continue
        same_set = make_set(tile_set.faces, concealed=True)
        assert same_set is not None
        assert same_set.kind == tile_set.kind
        natural = [code for code in tile_set.tiles if code not in hand.wild_codes]
        assert natural == sorted(natural, key=BY_CODE.__getitem__)
        assert Counter(natural) <= Counter(tile_set.faces)


@given(hands, st.randoms(use_true_random=False))
def test_the_order_of_tiles_never_matters(hand: Hand, random: Random) -> None:
    def shuffle(codes: Codes) -> Codes:
        return tuple(random.sample(codes, len(codes)))

    def in_any_order(groups: tuple[Codes, ...]) -> tuple[Codes, ...]:
        return tuple(shuffle(codes) for codes in random.sample(groups, len(groups)))

    shuffled_hand = replace(
        hand,
        exposed=in_any_order(hand.exposed),
        declared_kongs=in_any_order(hand.declared_kongs),
        concealed=shuffle(hand.concealed),
        bonus=shuffle(hand.bonus),
    )
    first, other = score(hand), score(shuffled_hand)
    for name in ("total", "base", "doubles", "bonus_base", "bonus_doubles", "special", "waits"):
        assert getattr(first, name) == getattr(other, name), name
    assert {missed.rule for missed in first.not_counted} == {
        each.rule for each in other.not_counted
    }
    assert {each.code for each in first.problems} == {each.code for each in other.problems}


@given(wins)
def test_no_single_reading_beats_the_score(win: WonHand) -> None:
    """BMJA-H06: no reading's sets and bonus tiles alone are worth more than the total."""
    hand = replace(win.hand, limit=None)
    rules = load_builtin(hand.ruleset)
    best = score(hand).total
    for reading in winning_arrangements(hand, rules):
        if len(reading.suits) > 1 and rules.one_suit:
            continue
        price = sets_price(rules, reading)
        assert price.points << price.doubles <= best


def sets_of(win: WonHand, hand: Hand) -> tuple[TileSet, ...]:
    """Return the sets that the hand was built of."""
    groups = [(codes, False) for codes in hand.exposed]
    groups += [(codes, True) for codes in (*hand.declared_kongs, *win.concealed_sets)]
    sets = [make_set(codes, concealed=own, wild=hand.wild_codes) for codes, own in groups]
    return tuple(each for each in sets if each)


@given(wins)
def test_the_sets_that_were_put_in_score_at_most_the_total(win: WonHand) -> None:
    """A reading that does not come from the code under test: the sets the hand was built of."""
    drawn_hand = replace(win.hand, won_by=("wall",), limit=None)
    sets = sets_of(win, drawn_hand)
    assert len(sets) == 5
    price = sets_price(load_builtin(drawn_hand.ruleset), HandArrangement(drawn_hand, sets))
    # 20 for going out and 2 for the drawn tile, by either rules.
    assert (price.points + 22) << price.doubles <= score(drawn_hand).total


@given(lost_hands())
def test_a_win_is_never_worse_than_the_same_tiles_without_it(hand: Hand) -> None:
    win_outcome = outcome(replace(hand, winner=True, won_by=("wall",)))
    if isinstance(win_outcome, Breakdown):
        assert win_outcome.total >= min(score(hand).total + 20, 1000)


@given(hands)
def test_more_concealment_never_scores_less(hand: Hand) -> None:
    before = score(hand).total
    for place, codes in enumerate(hand.exposed):
        if len(set(codes) - hand.wild_codes) > 1 or len(codes) < 3:
            continue
        other_sets = (*hand.exposed[:place], *hand.exposed[place + 1 :])
        if len(codes) == 4:
            concealed_hand = replace(
                hand, exposed=other_sets, declared_kongs=(*hand.declared_kongs, codes)
            )
        else:
            concealed_hand = replace(hand, exposed=other_sets, concealed=(*hand.concealed, *codes))
        assert score(concealed_hand).total >= before, codes


@settings(max_examples=100)
@given(st.one_of(any_hands(), twisted_hands()))
def test_any_hand_is_scored_or_refused_with_reasons(hand: Hand) -> None:
    result = outcome(hand)
    if isinstance(result, Breakdown):
        assert all(problem.level == "warning" for problem in result.problems)
        assert total_or_refusal(hand) == result.total
    else:
        assert result
        assert total_or_refusal(hand) == result


@given(hands)
@example(parse_hand("| B222 B333 B555 B66 B99 |"))  # fishing twice over, and an ordinary hand
def test_what_was_chosen_comes_first_and_nothing_beats_it(hand: Hand) -> None:
    result = score(hand)
    best, *rest = result.compared
    assert best.chosen
    assert (best.total, best.rule) == (result.total, result.special)
    assert not any(other.chosen for other in rest)
    assert len(result.compared) <= MAX_SHOWN_ALTERNATIVES
    assert len({(each.label, each.working) for each in result.compared}) == len(result.compared)
    totals = [way.total for way in result.compared]
    assert totals == sorted(totals, reverse=True)
    for each in result.compared:
        assert str(each.total) in to_english(each.working)


@given(wins, st.data())
def test_a_hand_that_lacks_a_tile_never_wins(win: WonHand, data: st.DataObject) -> None:
    """But for the fourth tile of a kong: without it there is a pung, and still four sets."""
    hand = win.hand
    groups = [place for place, codes in enumerate(hand.exposed) if len(codes) < 4]
    place = data.draw(st.sampled_from([-1, *groups]))
    source = hand.concealed if place < 0 else hand.exposed[place]
    tile_place = data.draw(st.integers(0, len(source) - 1))
    rest = (*source[:tile_place], *source[tile_place + 1 :])
    if place < 0:
        short_hand = replace(hand, concealed=rest)
    else:
        short_hand = replace(
            hand, exposed=(*hand.exposed[:place], rest, *hand.exposed[place + 1 :])
        )
    result = outcome(short_hand)
    assert isinstance(result, set)
    assert "winner-count" in result  # H04


def with_every_tile(hand: Hand) -> Iterator[Hand]:
    """Yield the hand won with each tile, drawn, that is not all held already (F04)."""
    wild = [*hand.wilds, JOKER][:1] if hand.goulash else []
    for code in [*(code for code in PLAYING_CODES if code not in hand.wild_codes), *wild]:
        if hand.tiles.count(code) < 4:
            yield replace(
                hand,
                concealed=(*hand.concealed, code),
                winner=True,
                won_by=("wall",),
                winning_tile=code,
            )


@given(st.one_of(one_short_hands(), lost_hands()))
def test_each_wait_wins_what_it_says_and_no_other_tile_wins(hand: Hand) -> None:
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    if len(hand.tiles) != 13 + kongs:
        assert score(hand).waits == (), "some other number of tiles"
        return
    waits = {wait.tile: wait for wait in score(hand).waits}
    for complete_hand in with_every_tile(hand):
        tile = str(complete_hand.winning_tile)
        result = outcome(complete_hand)
        if not isinstance(result, Breakdown):
            assert tile not in waits
            continue
        wait = waits[tile]
        assert (wait.total, wait.special) == (result.total, result.special)
        assert wait.left == 4 - hand.tiles.count(tile) > 0
    dearest_first = [wait.total for wait in waits.values()]
    assert dearest_first == sorted(dearest_first, reverse=True)


@given(one_short_hands())
def test_a_mah_jong_that_lacks_a_tile_waits_for_some_tile(hand: Hand) -> None:
    assert score(hand).waits


@given(one_short_hands())
def test_a_special_hand_that_is_fished_for_is_made_by_some_wait(hand: Hand) -> None:
    result = score(hand)
    fishing_rules = {way.rule for way in result.compared} - {None}
    rules = {
        way.rule
        for completed in with_every_tile(hand)
        if completed.winning_tile in {wait.tile for wait in result.waits}
        for way in score(completed).compared
    }
    assert fishing_rules <= rules
    if result.fishing:
        assert result.special in rules
