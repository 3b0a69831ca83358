"""Compare two scores, for disputes: another reading, another option, one tile changed.

>>> from scorer.notation import parse_hand
>>> from scorer.score import score
>>> from scorer.message import to_english
>>> for each in describe_diff(diff(score(parse_hand("B222 | |")), score(parse_hand("| B222 |")))):
...     print(to_english(each))
The pung of 2 bamboo counts 4 instead of 2, because it is concealed.
4 instead of 2: 2 more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scorer.breakdown import Breakdown, Line
from scorer.explain.sums import write_score
from scorer.message import Message, Value, message, to_english
from scorer.tile_names import name_the_set


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line that counts differently in the two scores."""

    subject: Message
    """Its name within a sentence: `the pung of 2 bamboo`."""
    before: Line
    after: Line


@dataclass(frozen=True, slots=True)
class UnmatchedLine:
    """A line that only one of the scores has."""

    subject: Message
    """As in `ChangedLine`, or what the rule counts: `no chows`."""
    line: Line
    reason: Message | None = None
    """Why the other score does not count it; None when no reason is known."""


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference between two scores."""

    before: int
    """The total of the first."""
    after: int
    changed: tuple[ChangedLine, ...]
    gone: tuple[UnmatchedLine, ...]
    """Lines of the first score only."""
    new: tuple[UnmatchedLine, ...]
    """Lines of the second score only."""
    hand_before: Message
    """The name of the first hand: a special hand's, or `an ordinary hand`."""
    hand_after: Message
    sum_before: Message
    """The first sum written out."""
    sum_after: Message
    limited_before: bool
    limited_after: bool

    @property
    def difference(self) -> int:
        """The second total minus the first."""
        return self.after - self.before

    @property
    def same_kind(self) -> bool:
        """Whether both are ordinary hands, or the same special one."""
        return self.hand_before == self.hand_after


def diff(before: Breakdown, after: Breakdown) -> Diff:
    """Return what changes from the first score to the second."""
    old, new = list(before.lines), list(after.lines)
    _take_pairs(old, new, _full_key)
    changes = _take_pairs(old, new, _award_key)
    _take_pairs(old, new, _amount_key)  # the same award for other tiles is no change
    reasons = {each.rule: each.reason for each in after.not_counted}
    return Diff(
        before=before.total,
        after=after.total,
        changed=tuple(ChangedLine(_name_subject(two, after), one, two) for one, two in changes),
        gone=tuple(
            UnmatchedLine(_name_subject(line, before), line, reasons.get(line.rule)) for line in old
        ),
        new=tuple(UnmatchedLine(_name_subject(line, after), line) for line in new),
        hand_before=_name_hand(before),
        hand_after=_name_hand(after),
        sum_before=write_score(before),
        sum_after=write_score(after),
        limited_before=before.limited,
        limited_after=after.limited,
    )


_Key = tuple[object, ...]


def _take_pairs(
    old: list[Line], new: list[Line], key: Callable[[Line], _Key]
) -> list[tuple[Line, Line]]:
    """Remove lines with equal keys from both lists; return them in pairs."""
    pairs = []
    for line in tuple(old):
        other = next((each for each in new if key(each) == key(line)), None)
        if other:
            old.remove(line)
            new.remove(other)
            pairs.append((line, other))
    return pairs


def _full_key(line: Line) -> _Key:
    return (*_award_key(line), *_amount_key(line))


def _award_key(line: Line) -> _Key:
    return (line.rule, line.part, tuple(sorted(line.tiles)), line.doubles > 0)


def _amount_key(line: Line) -> _Key:
    return (line.rule, line.part, line.points, line.doubles)


def _name_subject(line: Line, breakdown: Breakdown) -> Message:
    """Return the name of the set that earned a line, or else the label of its rule."""
    for each in breakdown.sets:
        if line.points and each.kind != "loose" and each.tiles == line.tiles:
            return name_the_set(each)
    return message("diff.within", label=line.label)


def _name_hand(breakdown: Breakdown) -> Message:
    for line in breakdown.lines:
        if line.rule == breakdown.special:
            label = line.label
            return message("diff.within", label=label) if breakdown.fishing else label
    return message("diff.ordinary")


def describe_diff(diff: Diff) -> tuple[Message, ...]:
    """Return the difference in plain words, the totals last."""
    return (*_describe_changes(diff), _describe_totals(diff))


def _describe_changes(diff: Diff) -> Iterator[Message]:
    if not diff.same_kind:
        yield message("diff.hand", after=diff.hand_after, before=diff.hand_before)
        yield message("diff.before", sum=diff.sum_before)
        yield message("diff.after", sum=diff.sum_after)
        return
    yield from map(_describe_changed, diff.changed)
    yield from (_describe_unmatched(each, "fewer") for each in diff.gone)
    yield from (_describe_unmatched(each, "more") for each in diff.new)
    if diff.limited_after:
        if not diff.limited_before:
            yield message("diff.limit-cuts", limit=diff.after)
    elif diff.limited_before:
        yield message("diff.limit-cuts-no-more", limit=diff.before)


def _describe_changed(change: ChangedLine) -> Message:
    """Say how much it counts now; the label says whether that is for lying exposed."""
    after, side = change.after, to_english(change.after.label).partition(" ")[0].lower()
    return message(
        f"diff.{side if side in ('exposed', 'concealed') else 'changed'}",
        what=change.subject,
        after=_line_value(after),
        before=_line_value(change.before),
    )


def _line_value(line: Line) -> Value:
    return message("diff.doubles", count=line.doubles) if line.doubles else line.points


def _describe_unmatched(item: UnmatchedLine, comparison: str) -> Message:
    amount = _line_value(item.line)
    if isinstance(amount, int):
        amount = message("diff.points", count=amount)
    if item.reason:
        return message(f"diff.{comparison}-why", amount=amount, what=item.subject, why=item.reason)
    return message(f"diff.{comparison}", amount=amount, what=item.subject)


def _describe_totals(diff: Diff) -> Message:
    if not diff.difference:
        return message("diff.same", total=diff.after)
    comparison = "more" if diff.difference > 0 else "less"
    return message(
        f"diff.total-{comparison}", after=diff.after, before=diff.before, count=abs(diff.difference)
    )
