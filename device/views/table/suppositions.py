"""Suppositions about a hand in a dispute: other tiles, sets, winds or a way of winning, at once.

An address keeps each as a text: `tile.3.B4`, `set.1.exposed`, `seat.S`, `way.loose`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from device.hands.record import HandRecord, parse_tile_code, ways_to_win
from device.hands.replay import apply
from device.hands.scoring import hand_from, score_hand
from device.i18n.words import in_a_row, say, tile_name, wind_name
from device.store.events import ContextSet, Envelope, HandChange, SetMoved, TileCorrected
from device.views.tiles import TileGroupView, tile_rows
from scorer.diff import describe_diff, diff
from scorer.errors import HandError
from scorer.parsing import parse_int
from scorer.tiles import FACE_DOWN, WINDS
from scorer.what_if import ImpossibleIf, WhatIf, describe_outcome, what_if

MAX_SUPPOSITIONS = 40
"""Suppositions in one address: every tile and set of a hand, and its circumstances."""

MAX_SUPPOSITION_CHARS = 24

_MOVABLE_ROWS = ("exposed", "concealed")


@dataclass(frozen=True, slots=True)
class Supposition:
    """One thing that is supposed to be otherwise."""

    subject: str
    """What is otherwise: `tile.3`, `set.1`, `seat` or `way`."""
    value: str

    @property
    def text(self) -> str:
        """The supposition as addresses keep it."""
        return f"{self.subject}.{self.value}"


@dataclass(frozen=True, slots=True)
class SuppositionView:
    """One supposition on the page."""

    says: str
    other_texts: tuple[str, ...]
    """The other suppositions, for the address that takes this one back."""


@dataclass(frozen=True, slots=True)
class SupposedSet:
    """One set as it is supposed to lie, for the player to tap."""

    group: TileGroupView
    is_changed: bool
    turn: str
    """The supposition with which a tap lays it the other way; empty for bonus tiles."""


@dataclass(frozen=True, slots=True)
class SupposedScore:
    """The score with all suppositions, beside the score now."""

    record: HandRecord
    """The hand as it is supposed to be."""
    before: int
    after: int | None
    """None where the hand would have no score."""
    result: str
    """The totals, or why there would be no score."""
    sentences: tuple[str, ...]
    """The changed lines; empty when there would be no score."""


@dataclass(frozen=True, slots=True)
class OptionOutcome:
    """One house rule switched, and its effect."""

    title: str
    result: str
    sentences: tuple[str, ...]
    rule: str


def read_suppositions(record: HandRecord, texts: Iterable[str]) -> tuple[Supposition, ...]:
    """Return the suppositions that make sense and are not so already; of two, the later counts."""
    suppositions: dict[str, Supposition] = {}
    for text in texts:
        subject, _, value = text.rpartition(".")
        supposition = Supposition(subject, value)
        try:
            is_new = supposed_change(supposition, record) is not None
        except ValueError:
            continue
        suppositions.pop(subject, None)
        if is_new:
            suppositions[subject] = supposition
    return tuple(suppositions.values())


def supposed_change(supposition: Supposition, record: HandRecord) -> HandChange | None:
    """Return the change that makes a supposition true; None if it is. Raises ValueError."""
    value = supposition.value
    sort, _, number_text = supposition.subject.partition(".")
    number = parse_int(number_text, 0, len(record.tiles)) if number_text else None
    match sort, number:
        case "tile", int(place) if place < len(record.tiles):
            code = parse_tile_code(value)
            return TileCorrected(place, code) if record.tiles[place].code != code else None
        case "set", int(index) if index < len(record.sets) and value in _MOVABLE_ROWS:
            return SetMoved(index, value) if record.sets[index].row != value else None
        case "seat", None if value in WINDS:
            return ContextSet(seat_wind=value) if record.situation.seat_wind != value else None
        case "way", None if value in ways_to_win() and record.situation.winner:
            return ContextSet(won_by=value) if record.situation.won_by != value else None
    raise ValueError(f"{supposition.text!r} supposes nothing of this hand")


def suppose(record: HandRecord, suppositions: Iterable[Supposition]) -> HandRecord:
    """Return the hand with the suppositions."""
    for supposition in suppositions:
        if change := supposed_change(supposition, record):
            envelope = Envelope(record.version + 1, record.id, change, datetime.now(UTC))
            record = apply(record, envelope)
    return record


def compare_scores(
    record: HandRecord, suppositions: tuple[Supposition, ...]
) -> SupposedScore | None:
    """Return the score with the suppositions; None without any, or for a hand without a score."""
    if not suppositions:
        return None
    other = suppose(record, suppositions)
    try:
        before = score_hand(record)
    except HandError:
        return None
    try:
        after = score_hand(other)
    except HandError as failure:
        problem = in_a_row(each.message for each in failure.problems)
        return SupposedScore(other, before.total, None, problem, ())
    *changes, totals = map(say, describe_diff(diff(before, after)))
    return SupposedScore(other, before.total, after.total, totals, tuple(changes))


def supposition_views(
    record: HandRecord, suppositions: tuple[Supposition, ...]
) -> tuple[SuppositionView, ...]:
    """Return the suppositions in words."""
    return tuple(
        SuppositionView(
            _describe(record, each), tuple(other.text for other in suppositions if other != each)
        )
        for each in suppositions
    )


def _describe(record: HandRecord, supposition: Supposition) -> str:
    sort, _, number = supposition.subject.partition(".")
    match sort:
        case "tile":
            name = tile_name(supposition.value)
            return say("what-if.tile", number=int(number) + 1, name=name)
        case "set":
            codes = (record.tiles[place].code for place in record.sets[int(number)].tiles)
            names = dict.fromkeys(
                tile_name(code) for code in codes if code not in (None, FACE_DOWN)
            )
            tiles = say("what-if.comma").join(names)
            return say(f"what-if.{supposition.value}", tiles=tiles)
        case "seat":
            return say("what-if.seat", wind=wind_name(supposition.value))
    return say("what-if.way", how=say(f"won-how.{supposition.value}"))


def supposed_sets(
    record: HandRecord, suppositions: tuple[Supposition, ...] = ()
) -> tuple[SupposedSet, ...]:
    """Return the sets of a hand as they are supposed to be, in the order of their rows."""
    subjects = {each.subject for each in suppositions}
    return tuple(_supposed_sets(suppose(record, suppositions), subjects))


def _supposed_sets(record: HandRecord, subjects: set[str]) -> Iterator[SupposedSet]:
    for groups in tile_rows(record, record.assembled_hand, ()).values():
        for group in groups:
            turn = f"set.{group.source}.{group.moves_to}" if group.moves_to else ""
            subjects_of_set = {
                f"set.{group.source}",
                *(f"tile.{piece.place}" for piece in group.pieces),
            }
            yield SupposedSet(group, not subjects.isdisjoint(subjects_of_set), turn)


def suppose_options(record: HandRecord) -> tuple[OptionOutcome, ...]:
    """Return every house rule that would change the total if it were switched."""
    try:
        choices = what_if(hand_from(record), record.agreement.custom_rules)
    except HandError:
        return ()
    return tuple(describe_option(each) for each in choices)


def describe_option(choice: WhatIf | ImpossibleIf) -> OptionOutcome:
    """Return what a house rule would change, in words."""
    option = choice.option
    key = "what-if.not-played" if option.value else "what-if.played"
    changes = () if isinstance(choice, ImpossibleIf) else describe_diff(choice.diff)[:-1]
    return OptionOutcome(
        title=say(key, sentence=option.sentence),
        result=in_a_row(describe_outcome(choice)),
        sentences=tuple(map(say, changes)),
        rule=option.rule,
    )
