"""The evidence for a score: its lines linked with its tiles, and answers to "what if"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.hands.record import HandRecord, HandTile
from device.i18n.words import say, tile_name
from device.views import photo_overlay
from device.views.hand_page import HandView, describe_change
from device.views.photo_overlay import left_out_places
from device.views.score import LineView, ScoreSheet
from device.views.tiles import likely_alternatives, symbol


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
    guesses: tuple[tuple[str, str], ...]
    """Code and confidence in percent of what else the classifier thought likely, best first."""
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


def _alternatives(tile: HandTile) -> tuple[tuple[str, str], ...]:
    alternatives = likely_alternatives(tile.read) if tile.read else ()
    return tuple((code, _format_percent(chance)) for code, chance in alternatives)


def _format_percent(chance: float) -> str:
    return f"{chance * 100:.0f}"
