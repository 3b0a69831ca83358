"""Say what a tile means: the scorer's facts as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from device.hands.record import HandRecord
from device.i18n.words import is_said, say, say_count, tile_name, wind_name
from scorer.layings import find_laying_rule
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.teach.lessons.tile_meanings import Fact, explain_tile
from scorer.tiles import FACE_DOWN
from vision.hand.assembly import AssembledHand, AssembledSet


@dataclass(frozen=True, slots=True)
class MeaningSaid:
    """One sentence and the rule behind it."""

    sentence: str
    rule: str
    """Empty where no rule says it."""


def meant(code: str, seat: SeatWinds, rules: Ruleset, *, goulash: bool) -> tuple[MeaningSaid, ...]:
    """Return what a tile means at a seat."""
    facts = explain_tile(code, seat, rules, goulash=goulash)
    return tuple(MeaningSaid(_sentence(fact), fact.rule) for fact in facts)


def meant_face_down(
    record: HandRecord, parts: AssembledHand, places: Sequence[int]
) -> tuple[MeaningSaid, ...]:
    """Return what the face-down tiles say about their sets, without repetition."""
    sets = [each for each in parts.sets if set(each.tiles) & set(places)]
    return tuple(dict.fromkeys(_laid(record, sets))) or (MeaningSaid(say("meaning.back"), ""),)


def _laid(record: HandRecord, sets: Sequence[AssembledSet]) -> Iterator[MeaningSaid]:
    for each in sets:
        codes = [record.tiles[place].code or FACE_DOWN for place in each.tiles]
        rule = find_laying_rule(tuple(codes), record.rules)
        if rule and is_said(f"meaning.down.{rule}"):
            name = tile_name(each.codes[0])
            yield MeaningSaid(say(f"meaning.down.{rule}", name=name), rule)
        elif FACE_DOWN in each.codes:
            yield MeaningSaid(say("meaning.back"), "")


def _sentence(fact: Fact) -> str:
    figures = {key: _figure(key, value) for key, value in fact.figures.items()}
    key = f"meaning.{fact.key}"
    if is_said(key):
        return say(key, **figures)
    return say_count(key, int(fact.figures["times"]), **figures)


def _figure(key: str, value: int | str) -> object:
    """Return a value for a sentence: winds and suits by name."""
    match key:
        case "wind":
            return wind_name(str(value))
        case "suit":
            return say(f"family.{value}")
    return value
