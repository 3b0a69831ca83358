"""The evidence for a score: its lines linked with its tiles, and answers to "what if"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from device.hands.record import HandRecord, HandTile, parse_tile_code, ways_to_win
from device.hands.replay import apply
from device.hands.scoring import hand_from, score_hand
from device.i18n.words import in_a_row, say, tile_name
from device.store.events import ContextSet, Envelope, HandChange, TileCorrected
from device.views import photo_overlay
from device.views.hand_page import HandView, describe_change
from device.views.photo_overlay import left_out_places
from device.views.score import LineView, ScoreSheet
from device.views.tiles import symbol
from scorer.diff import describe_diff, diff
from scorer.errors import HandError
from scorer.what_if import ImpossibleIf, WhatIf, describe_outcome, what_if

MIN_ALTERNATIVE_CONFIDENCE = 0.005
"""Less likely alternatives are not shown."""


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One line of the score."""

    index: int
    """Position in the whole score from 0; the line's anchor on the page."""
    line: LineView
    numbers: str
    """Numbers of its tiles in the photo: `1–3, 8`."""
    cite: str
    """The rule's book or list, section and id."""


@dataclass(frozen=True, slots=True)
class ReadAlternative:
    """Another tile that the classifier considered."""

    code: str
    name: str
    percent: str


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One tile: what was read, what it is now, and which lines use it."""

    place: int
    symbol: str
    name: str
    read: str
    """The reading and its confidence, in words; empty for a tile added by hand."""
    doubtful: bool
    changed: bool
    crop: photo_overlay.TileCrop | None
    guesses: tuple[ReadAlternative, ...]
    awards: tuple[EvidenceLine, ...]
    """The lines that use it."""
    history: tuple[str, ...]
    """The players' changes to it, oldest first."""


def evidence_lines(
    record: HandRecord, sheet: ScoreSheet | None
) -> dict[str, tuple[EvidenceLine, ...]]:
    """Return the lines of a score under the keys `points`, `doubles` and `apart`."""
    if sheet is None:
        return {}
    groups = {"points": sheet.points, "doubles": sheet.doubles, "apart": sheet.separate_lines}
    lines_by_part: dict[str, tuple[EvidenceLine, ...]] = {}
    index = 0
    for key, lines in groups.items():
        lines_by_part[key] = tuple(
            EvidenceLine(place, line, format_tile_numbers(line.places), cite_rule(line.rule))
            for place, line in enumerate(lines, index)
        )
        index += len(lines)
    return lines_by_part


def exhibits(
    record: HandRecord, view: HandView, lines: dict[str, tuple[EvidenceLine, ...]]
) -> tuple[Exhibit, ...]:
    """Return every tile of the hand in the order in which they were found or added.

    Struck-out ones are included, those that were left out are not.
    """
    awards = [award for group in lines.values() for award in group]
    left_out = left_out_places(record)
    return tuple(
        Exhibit(
            place=place,
            symbol=symbol(tile.code),
            name=tile_name(tile.code) if tile.code else say("tile.not-a-tile"),
            read=_describe_reading(tile),
            doubtful=tile.doubtful,
            changed=tile.is_changed,
            crop=photo_overlay.tile_crop(tile.read.quad) if tile.read else None,
            guesses=_alternatives(tile),
            awards=tuple(award for award in awards if place in award.line.places),
            history=tuple(describe_change(c) for c in record.changes if c.tile == place),
        )
        for place, tile in enumerate(record.tiles)
        if place not in left_out
    )


def format_tile_numbers(places: Sequence[int]) -> str:
    """Return tile numbers, counted from 1, with runs shortened.

    >>> format_tile_numbers((0, 1, 2, 7))
    '1–3, 8'
    """
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place:
            runs[-1].append(place + 1)
        else:
            runs.append([place + 1])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def cite_rule(rule: str) -> str:
    """Return the citation of a rule: `BMJA rules, section B, basic score: BMJA-B03`."""
    book, _, number = rule.partition("-")
    return say("cite.rule", book=book, section=say(f"section.{book}-{number[:1]}"), rule=rule)


def _describe_reading(tile: HandTile) -> str:
    if tile.read is None:
        return ""
    name, percent = tile_name(tile.read.code), _format_percent(tile.read.confidence)
    if tile.read.seen:
        return say("dispute.by-company", name=name, seen=tile_name(tile.read.seen))
    return say("dispute.read", name=name, percent=percent)


def _alternatives(tile: HandTile) -> tuple[ReadAlternative, ...]:
    """Return the classifier's likely alternatives, best first."""
    alternatives = tile.read.alternatives if tile.read else ()
    return tuple(
        ReadAlternative(code, tile_name(code), _format_percent(chance))
        for code, chance in alternatives
        if chance >= MIN_ALTERNATIVE_CONFIDENCE
    )


def _format_percent(chance: float) -> str:
    return f"{chance * 100:.0f}"


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


def answer_what_if(
    record: HandRecord, question: Mapping[str, str], tile: int | None
) -> tuple[WhatIfOutcome, ...]:
    """Return the effect of a page's question: `tile` and `code`, `won_by`, or `options`.

    Empty for an invalid question, or for a hand without a score.
    """
    try:
        if "options" in question:
            return _suppose_options(record)
        if (
            question.get("won_by") in ways_to_win()
            and record.situation.won_by != question["won_by"]
        ):
            way = say(f"won-how.{question['won_by']}")
            supposition = say("what-if.way", how=way)
            return (_suppose_event(record, ContextSet(won_by=question["won_by"]), supposition),)
        if tile is not None:
            return _suppose_tile(record, tile, question.get("code", ""))
    except HandError:
        pass
    return ()


def _suppose_tile(record: HandRecord, place: int, code: str) -> tuple[WhatIfOutcome, ...]:
    try:
        other = parse_tile_code(code)
    except ValueError:
        return ()
    if other is None or place >= len(record.tiles) or record.tiles[place].code == other:
        return ()
    supposition = say("what-if.tile", number=place + 1, name=tile_name(other))
    return (_suppose_event(record, TileCorrected(place, other), supposition),)


def _suppose_event(record: HandRecord, event: HandChange, supposition: str) -> WhatIfOutcome:
    """Return the effect of one more event; raise HandError for a hand without a score."""
    before = score_hand(record)
    other = apply(record, Envelope(record.version + 1, record.id, event, datetime.now(UTC)))
    try:
        after = score_hand(other)
    except HandError as failure:
        return WhatIfOutcome(supposition, in_a_row(p.message for p in failure.problems))
    *changes, totals = map(say, describe_diff(diff(before, after)))
    return WhatIfOutcome(supposition, totals, tuple(changes))


def _suppose_options(record: HandRecord) -> tuple[WhatIfOutcome, ...]:
    """Return every house rule that would change the total if it were switched."""
    return tuple(
        WhatIfOutcome(
            what=say(
                "what-if.not-played" if each.option.value else "what-if.played",
                sentence=each.option.sentence,
            ),
            result=in_a_row(describe_outcome(each)),
            sentences=_describe_changes(each),
            rule=each.option.rule,
        )
        for each in what_if(hand_from(record), record.agreement.custom_rules)
    )


def _describe_changes(choice: WhatIf | ImpossibleIf) -> tuple[str, ...]:
    if isinstance(choice, ImpossibleIf):
        return ()
    return tuple(map(say, describe_diff(choice.diff)[:-1]))
