"""Every "not counted, because" is a claim: with what it blames mended, the line is there.

The claims are those of every case table, of the rows of `uncounted.toml` and of random hands of
all kinds; `mending` knows what may be done about each kind of reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice

import pytest

from scorer.errors import HandError
from scorer.explain.uncounted_rules import find_uncounted_rules
from scorer.hand import Hand
from scorer.message import Message, load_words, to_english
from scorer.notation import format_hand, parse_hand
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.scoring.candidates import (
    Candidate,
    choose_best,
    find_completions,
    losing_candidates,
    winning_candidates,
)
from scorer.scoring.lines import write_lines
from scorer.validate.circumstance_checks import choose_rules
from scorer.validate.tile_checks import find_hand_problems
from tests.scorer.explain import test_uncounted_rules
from tests.scorer.explain.mending import MENDS, Claim
from tests.scorer.oracle.deals import deals
from tests.scorer.test_cases import SCORED_CASES

RANDOM_HANDS, SEED = 1200, 17
CLAIMS_PER_REASON = 12
"""So many claims of each reason and rule are put to the scorer."""

PREFIX = "not-counted."

FIGURES = (
    "doubles-of-a-fixed-value",
    "doubles-of-purity",
    "as-ordinary-less",
    "as-ordinary-more",
    "as-ordinary-as-much",
)
"""Reasons that say what an ordinary sum would be: nothing is to be mended, the sum is there."""

OF_THE_OTHER_SUM = ("doubles-bonus-tiles-alone", "no-double-of-a-special-hand")
"""Reasons why the special hand has not what the same tiles may have as an ordinary one."""

COMPOUND_REASONS = ("both", "fishing-for")

OF_OWN_HANDS = ("not-of-the-hand",)
"""Reasons that only a table's own special hands have (`tests/scorer/patterns`)."""

AS_GOOD = {
    "BMJA-B01": {"BMJA-B02", "BMJA-B03"},
    "SAF-R01": {"SAF-R02"},
    "BMJA-B09": {"BMJA-B06", "BMJA-B07", "BMJA-B08"},
    "BMJA-D02": {"BMJA-D02", "BMJA-D03"},
}
"""Rules whose lines come in place of one that gives nothing; the prevailing wind's is D03."""


def hands() -> Iterator[Hand]:
    yield from (parse_hand(case.hand) for case in SCORED_CASES.values())
    yield from (parse_hand(text) for text, *_ in test_uncounted_rules.ROWS)
    yield from (hand for _, hand in deals(RANDOM_HANDS, SEED))


def candidates_of(hand: Hand) -> tuple[Ruleset, list[Candidate]]:
    """Return the rules and all ways to score a hand; raise HandError for what is no hand."""
    rules = choose_rules(hand, None)
    errors = [each for each in find_hand_problems(hand, rules) if each.level == "error"]
    if errors:
        raise HandError(tuple(errors))
    if hand.winner:
        return rules, winning_candidates(hand, rules)
    return rules, losing_candidates(hand, rules, find_completions(hand, rules))


def best_ordinary(candidates: list[Candidate], limit: int | None) -> Candidate:
    plain = [each for each in candidates if each.special is None]
    return choose_best(plain or candidates, limit)


def claims_of(hand: Hand) -> Iterator[Claim]:
    """Yield each reason by itself, with the reading that it speaks of."""
    try:
        rules, candidates = candidates_of(hand)
    except HandError:
        return
    if not candidates:
        return
    limit = rules.limit_for(hand)
    best = choose_best(candidates, limit)
    for rule in find_uncounted_rules(best, candidates, rules):
        of_special = rule.rule in rules.specials_by_id
        reading = best_ordinary(candidates, limit).arrangement if of_special else best.arrangement
        for reason in _parts(rule.reason):
            yield Claim(rule.rule, reason, reading, rules)


def _parts(reason: Message) -> Iterable[Message]:
    if reason.key == f"{PREFIX}both":
        return (value for value in reason.values.values() if isinstance(value, Message))
    return (reason,)


@cache
def claims() -> dict[str, list[Claim]]:
    """Return some claims of each kind of reason."""
    claims_by_reason: defaultdict[tuple[str, str], dict[Hand, Claim]] = defaultdict(dict)
    for claim in chain.from_iterable(map(claims_of, hands())):
        of_kind = claims_by_reason[claim.reason.key.removeprefix(PREFIX), claim.rule]
        if len(of_kind) < CLAIMS_PER_REASON:
            of_kind.setdefault(claim.hand, claim)
    by_kind: defaultdict[str, list[Claim]] = defaultdict(list)
    for (kind, _), some in claims_by_reason.items():
        by_kind[kind] += some.values()
    return by_kind


def gives(claim: Claim, hand: Hand) -> int:
    """Return how often the rule gives its line, or makes its hand."""
    try:
        rules, candidates = candidates_of(hand)
    except HandError:
        return 0
    if claim.rule in rules.specials_by_id:
        return any(each.special and each.special.id == claim.rule for each in candidates)
    if not candidates:
        return 0
    of_special = claim.rule in {rule.id for rule in rules.rules_by_subject["special"]}
    choose = choose_best if of_special else best_ordinary
    lines = write_lines(choose(candidates, rules.limit_for(hand)), rules)
    expected_rules = AS_GOOD.get(claim.rule, {claim.rule})
    return sum(line.rule in expected_rules for line in lines)


@pytest.mark.parametrize("kind", MENDS)
def test_with_what_is_blamed_mended_the_line_is_there(kind: str) -> None:
    wrong = [
        f"{format_hand(claim.hand)}: {claim.rule} {to_english(claim.reason)}"
        for claim in claims()[kind]
        if not is_true(claim, kind)
    ]
    assert claims()[kind], "some hand has it"
    assert not wrong, "\n".join(wrong)


def is_true(claim: Claim, kind: str) -> bool:
    before = 0 if kind in OF_THE_OTHER_SUM else gives(claim, claim.hand)
    return any(gives(claim, hand) > before for hand in islice(MENDS[kind](claim), 400))


@pytest.mark.parametrize("kind", FIGURES)
def test_what_it_would_be_as_an_ordinary_hand_is_as_it_says(kind: str) -> None:
    assert claims()[kind], "some hand has it"
    for claim in claims()[kind]:
        result = score(claim.hand)
        (ordinary, *_) = [each for each in result.compared if each.rule is None]
        values = claim.reason.values
        if "count" in values:
            assert values["count"] == _own_doubles(claim), to_english(claim.reason)
            continue
        (special, *_) = [each for each in result.compared if each.rule]
        assert (values["one"], values["other"]) == (ordinary.total, special.total)
        relation = (ordinary.total > special.total) - (ordinary.total < special.total)
        assert kind == ("as-ordinary-as-much", "as-ordinary-more", "as-ordinary-less")[relation]


def _own_doubles(claim: Claim) -> int:
    """Return the doubles of the ordinary sum, those of the bonus tiles left out."""
    rules, candidates = candidates_of(claim.hand)
    ordinary = best_ordinary(candidates, rules.limit_for(claim.hand))
    of_bonus = {rule.id for rule in rules.rules_by_subject["bonus"]}
    lines = write_lines(ordinary, rules)
    return sum(line.doubles for line in lines if line.rule not in of_bonus)


def test_no_kind_of_reason_is_untested() -> None:
    kinds = {key.split(".")[1] for key in load_words() if key.startswith(PREFIX)}
    assert kinds == {*MENDS, *FIGURES, *COMPOUND_REASONS, *OF_OWN_HANDS}
    assert Counter(kinds) >= Counter(claims().keys())
