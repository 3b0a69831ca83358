"""What changes between two scores, for disputes: another reading, another option, one tile changed.

>>> from scorer.notation import parse_hand
>>> from scorer.score import score
>>> for text in sentences(diff(score(parse_hand("B222 | |")), score(parse_hand("| B222 |")))):
...     print(text)
The pung of 2 bamboo counts 4 instead of 2, for it is concealed.
4 instead of 2: 2 more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scorer.breakdown import Breakdown, Line
from scorer.explain.sums import sum_text
from scorer.message import english
from scorer.wording import sentence, set_name, within


@dataclass(frozen=True, slots=True)
class Changed:
    """What counts in both scores, but not the same."""

    subject: str
    """What it is, as said within a sentence: `the pung of 2 bamboo`."""
    before: Line
    after: Line


@dataclass(frozen=True, slots=True)
class OneSided:
    """What counts in one of the scores alone."""

    subject: str
    """As in `Changed`; or what the rule gives it for: `no chows`."""
    line: Line
    reason: str = ""
    """Why the other score does not count it; empty where nothing is said of it."""


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference of two scores."""

    before: int
    """The total of the first."""
    after: int
    changed: tuple[Changed, ...]
    gone: tuple[OneSided, ...]
    """Only in the first."""
    new: tuple[OneSided, ...]
    """Only in the second."""
    hand_before: str
    """What kind of hand the first is: a special hand's name, or `an ordinary hand`."""
    hand_after: str
    sum_before: str
    """The first sum written out."""
    sum_after: str
    now_counted: tuple[str, ...]
    """Ids of rules that were explained away in the first score and give something in the second."""
    limited_before: bool
    limited_after: bool

    @property
    def difference(self) -> int:
        """How much more the second score is; below 0 when it is less."""
        return self.after - self.before

    @property
    def same_kind(self) -> bool:
        """Whether both are ordinary hands, or the same special one."""
        return self.hand_before == self.hand_after


def diff(before: Breakdown, after: Breakdown) -> Diff:
    """Return what changes from the first score to the second."""
    gone, new = list(before.lines), list(after.lines)
    _take_pairs(gone, new, _everything)
    changed = _take_pairs(gone, new, _thing)
    _take_pairs(gone, new, _amount)  # the same for other tiles makes no difference
    reasons = {each.rule: english(each.reason) for each in after.not_counted}
    counted = {line.rule for line in after.lines}
    return Diff(
        before=before.total,
        after=after.total,
        changed=tuple(Changed(_subject(two, after), one, two) for one, two in changed),
        gone=tuple(
            OneSided(_subject(line, before), line, reasons.get(line.rule, "")) for line in gone
        ),
        new=tuple(OneSided(_subject(line, after), line) for line in new),
        hand_before=_kind(before),
        hand_after=_kind(after),
        sum_before=sum_text(before),
        sum_after=sum_text(after),
        now_counted=tuple(each.rule for each in before.not_counted if each.rule in counted),
        limited_before=before.limited,
        limited_after=after.limited,
    )


Key = tuple[object, ...]


def _take_pairs(
    gone: list[Line], new: list[Line], key: Callable[[Line], Key]
) -> list[tuple[Line, Line]]:
    """Take the lines that are alike in this respect out of both lists; return them in pairs."""
    pairs = []
    for line in tuple(gone):
        other = next((each for each in new if key(each) == key(line)), None)
        if other:
            gone.remove(line)
            new.remove(other)
            pairs.append((line, other))
    return pairs


def _everything(line: Line) -> Key:
    return (*_thing(line), *_amount(line))


def _thing(line: Line) -> Key:
    return (line.rule, line.part, tuple(sorted(line.tiles)), line.doubles > 0)


def _amount(line: Line) -> Key:
    return (line.rule, line.part, line.points, line.doubles)


def _subject(line: Line, breakdown: Breakdown) -> str:
    """Return the set that a line is for, or else what the rule gives it for."""
    for each in breakdown.sets:
        if line.points and each.kind != "loose" and each.tiles == line.tiles:
            return f"the {set_name(each)}"
    return within(line.label)


def _kind(breakdown: Breakdown) -> str:
    for line in breakdown.lines:
        if line.rule == breakdown.special:
            return within(line.label) if breakdown.fishing else line.label
    return "an ordinary hand"


def sentences(diff: Diff) -> tuple[str, ...]:
    """Return the difference in plain words, the totals last."""
    return (*_what_changed(diff), _totals(diff))


def _what_changed(diff: Diff) -> Iterator[str]:
    if not diff.same_kind:
        yield f"It is {diff.hand_after}, no longer {diff.hand_before}."
        yield f"Before: {diff.sum_before}."
        yield f"After: {diff.sum_after}."
        return
    yield from map(_changed, diff.changed)
    yield from (_one_sided(each, "fewer") for each in diff.gone)
    yield from (_one_sided(each, "more") for each in diff.new)
    if diff.limited_before != diff.limited_after:
        cut = diff.after if diff.limited_after else diff.before
        now = "now cuts the score" if diff.limited_after else "no longer cuts the score"
        yield f"The limit of {cut} {now}."


def _changed(change: Changed) -> str:
    """Say how much it counts now; the label says whether that is for lying exposed."""
    after, side = change.after, change.after.label.partition(" ")[0].lower()
    why = f", for it is {side}" if side in ("exposed", "concealed") else ""
    return sentence(
        f"{change.subject} counts {_worth(after)} instead of {_worth(change.before)}{why}."
    )


def _worth(line: Line) -> str:
    return _doubles(line.doubles) if line.doubles else str(line.points)


def _doubles(number: int) -> str:
    return "one double" if number == 1 else f"{number} doubles"


def _one_sided(item: OneSided, more: str) -> str:
    line = item.line
    amount = _doubles(line.doubles) if line.doubles else f"{line.points} points"
    return sentence(f"{amount} {more}: {item.subject}. {item.reason}").rstrip()


def _totals(diff: Diff) -> str:
    if not diff.difference:
        return f"The total is the same: {diff.after}."
    more = "more" if diff.difference > 0 else "less"
    return f"{diff.after} instead of {diff.before}: {abs(diff.difference)} {more}."
