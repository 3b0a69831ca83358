"""A player's claim in a dispute: "I should get …", and whether it counts, with its rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.hands.record import HandRecord
from device.hands.scoring import find_counted_elsewhere, hand_from, score_hand
from device.i18n.names import sort_key
from device.i18n.words import in_a_row, say
from scorer.breakdown import Breakdown
from scorer.explain.foreign_rules import describe_foreign_rule
from scorer.explain.sums import write_amount
from scorer.message import Message, message
from scorer.ruleset import ForeignRule, Rule, Ruleset, SpecialHand
from scorer.tiles import SUITS
from scorer.what_if import describe_outcome, what_if

CLAIM_GROUPS = ("points", "doubles", "special", "elsewhere")
"""Where a claim is from, in the order of the list; in each group they sort by their names."""


@dataclass(frozen=True, slots=True)
class DisputeClaim:
    """Something that a player may claim."""

    key: str
    """Its name in addresses: its group and its place in the file."""
    group: str
    label: str


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """Whether a claim counts in a hand."""

    label: str
    counts: bool
    sentences: tuple[str, ...]
    """What counts, or why it does not, and what a switch would change."""
    rule: str


def list_claims(rules: Ruleset) -> tuple[DisputeClaim, ...]:
    """Return what a player may claim, by these rules or by those of other families.

    What other families call as these rules do stands once: the answer tells of both.
    """
    rows = _rows_by_key(rules)
    own_names = {_name(row) for row in rows.values() if isinstance(row, Rule)}
    claims: dict[tuple[bool, str], DisputeClaim] = {}
    for key, row in rows.items():
        group, name = key.partition(".")[0], _name(row)
        if not (isinstance(row, ForeignRule) and name in own_names):
            claim = DisputeClaim(key, group, say(_label(row)))
            claims.setdefault((group == "doubles", name), claim)
    return tuple(sorted(claims.values(), key=_sort_key))


def _sort_key(claim: DisputeClaim) -> tuple[int, tuple[str, str]]:
    return CLAIM_GROUPS.index(claim.group), sort_key(claim.label)


def answer_claim(record: HandRecord, key: str) -> ClaimAnswer | None:
    """Return whether a claim counts; None for an unknown one.

    Raises HandError for a hand without a score.
    """
    rules = record.agreement.rules
    row = _rows_by_key(rules).get(key)
    if row is None:
        return None
    breakdown = score_hand(record)
    lines = [] if isinstance(row, ForeignRule) else list(_count_lines(row, breakdown, rules))
    foreign_sentences = (
        describe_foreign_rule(each, rules)
        for each in rules.foreign_rules
        if isinstance(row, Rule) and _name(each) == _name(row)
    )
    return ClaimAnswer(
        label=say(_label(row)),
        counts=bool(lines),
        sentences=(*(lines or _reasons(row, record, breakdown)), *map(say, foreign_sentences)),
        rule=row.rule if isinstance(row, ForeignRule) else row.id,
    )


_RuleRow = Rule | SpecialHand | ForeignRule


def _rows_by_key(rules: Ruleset) -> dict[str, _RuleRow]:
    rows: dict[str, _RuleRow] = {
        f"{'doubles' if each.doubles else 'points'}.{place}": each
        for place, each in enumerate(rules.every_rule)
        if each.gives
    }
    rows |= {f"special.{place}": each for place, each in enumerate(rules.every_special)}
    rows |= {f"elsewhere.{place}": each for place, each in enumerate(rules.every_foreign_rule)}
    return rows


def _name(row: _RuleRow) -> str:
    """Return what a row is called, to compare it with rows of other families."""
    return say(_label(row)).casefold()


def _label(row: _RuleRow) -> Message:
    match row:
        case Rule():
            return row.heading
        case SpecialHand():
            return row.name
    return row.label


def _count_lines(row: Rule | SpecialHand, breakdown: Breakdown, rules: Ruleset) -> Iterator[str]:
    """Yield a sentence for each line of the score that gives what is claimed."""
    if isinstance(row, SpecialHand):
        if breakdown.special == row.id and not breakdown.fishing:
            yield say("claim.is-special", total=breakdown.total)
        return
    labels = {row.label, *(row.label_for(concealed=each) for each in (True, False))}
    for line in breakdown.lines:
        if line.rule == row.id and line.label in labels:
            yield say("claim.counts", line=line.label, amount=write_amount(line))


def _reasons(row: _RuleRow, record: HandRecord, breakdown: Breakdown) -> Iterator[str]:
    """Yield why a claim gives nothing, and what a switch of the table's would change."""
    rules = record.agreement.rules
    if isinstance(row, ForeignRule):
        yield from _foreign_reasons(row, record, rules)
    else:
        reasons = [each.reason for each in breakdown.not_counted if each.rule == row.id]
        option = row.option if isinstance(row, Rule) else ""
        sentence = next((each.sentence for each in rules.options if each.name == option), None)
        if sentence and not rules.is_on(option):
            yield say("not-counted.switched-off", sentence=sentence)
        elif reasons:
            yield from map(say, reasons)
        else:
            suits = sorted({code[0] for code in hand_from(record).tiles} & SUITS.keys())
            if isinstance(row, Rule) and row.when.startswith("one-suit") and suits[1:]:
                names = tuple(message(f"suit.{suit}") for suit in suits)
                yield say("claim.mixes-suits", suits=names)
            yield say("claim.not-in-hand", sentence=row.sentence)
    yield from _switch_effect(row, record, rules)


def _foreign_reasons(row: ForeignRule, record: HandRecord, rules: Ruleset) -> Iterator[str]:
    sentence = describe_foreign_rule(row, rules)
    if row.option and rules.is_on(row.option):
        yield say("claim.on-here")
        return
    hand = hand_from(record)
    in_hand = {each.reason for each in find_counted_elsewhere(hand, record.agreement.custom_rules)}
    if sentence not in in_hand:
        yield say("claim.not-in-hand-elsewhere")
    yield say(sentence)


def _switch_effect(row: _RuleRow, record: HandRecord, rules: Ruleset) -> Iterator[str]:
    """Yield what the score would be with the option that the claim needs, if that is off."""
    option = "" if isinstance(row, SpecialHand) else row.option
    if not option or rules.is_on(option):
        return
    for choice in what_if(hand_from(record), record.agreement.custom_rules):
        if choice.option.name == option:
            yield say("claim.with-switch", outcome=in_a_row(describe_outcome(choice)))
