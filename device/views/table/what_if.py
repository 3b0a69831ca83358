"""Compute what a hand would score under a supposition, without changing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from device.hands.record import HandRecord, parse_tile_code, ways_to_win
from device.hands.replay import apply
from device.hands.scoring import hand_from, score_hand
from device.i18n.words import in_a_row, say, tile_name
from device.store.events import ContextSet, Envelope, HandChange, TileCorrected
from scorer.diff import describe_diff, diff
from scorer.errors import HandError
from scorer.what_if import ImpossibleIf, WhatIf, describe_outcome, what_if


@dataclass(frozen=True, slots=True)
class WhatIfOutcome:
    """One supposition and its effect."""

    what: str
    """The supposition, in words."""
    result: str
    """The totals, or why there would be no score."""
    sentences: tuple[str, ...] = ()
    """The changed lines; empty when there would be no score."""
    rule: str = ""


def supposed(
    record: HandRecord, asked: Mapping[str, str], tile: int | None
) -> tuple[WhatIfOutcome, ...]:
    """Return the effect of a page's question: `tile` and `code`, `won_by`, or `options`.

    Empty for an invalid question, or for a hand without a score.
    """
    try:
        if "options" in asked:
            return _other_options(record)
        if asked.get("won_by") in ways_to_win() and record.situation.won_by != asked["won_by"]:
            how = say(f"how.{asked['won_by']}")
            what = say("what-if.way", how=how)
            return (_otherwise(record, ContextSet(won_by=asked["won_by"]), what),)
        if tile is not None:
            return _other_tile(record, tile, asked.get("code", ""))
    except HandError:
        pass
    return ()


def _other_tile(record: HandRecord, place: int, code: str) -> tuple[WhatIfOutcome, ...]:
    try:
        other = parse_tile_code(code)
    except ValueError:
        return ()
    if other is None or place >= len(record.tiles) or record.tiles[place].code == other:
        return ()
    what = say("what-if.tile", number=place + 1, name=tile_name(other))
    return (_otherwise(record, TileCorrected(place, other), what),)


def _otherwise(record: HandRecord, event: HandChange, what: str) -> WhatIfOutcome:
    """Return the effect of one more event; raise HandError for a hand without a score."""
    before = score_hand(record)
    other = apply(record, Envelope(record.version + 1, record.id, event, datetime.now(UTC)))
    try:
        after = score_hand(other)
    except HandError as failure:
        return WhatIfOutcome(what, in_a_row(p.message for p in failure.problems))
    *changes, totals = map(say, describe_diff(diff(before, after)))
    return WhatIfOutcome(what, totals, tuple(changes))


def _other_options(record: HandRecord) -> tuple[WhatIfOutcome, ...]:
    """Return every house rule that would change the total if it were switched."""
    return tuple(
        WhatIfOutcome(
            what=say(
                "what-if.not-played" if each.option.value else "what-if.played",
                sentence=each.option.sentence,
            ),
            result=in_a_row(describe_outcome(each)),
            sentences=_changes(each),
            rule=each.option.rule,
        )
        for each in what_if(hand_from(record))
    )


def _changes(choice: WhatIf | ImpossibleIf) -> tuple[str, ...]:
    if isinstance(choice, ImpossibleIf):
        return ()
    return tuple(map(say, describe_diff(choice.diff)[:-1]))
