"""Print a match: for each deal the winner, payments with reasons, and totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from device.i18n.names import Name
from device.i18n.words import say, signed, spoken
from device.matches.match import Match
from device.matches.score_sheet import MatchSheet, PlayerLine, SheetEntry, match_sheet
from device.paper.blocks import PaperBlock, PaperEntry, sheet
from device.views.table.history import headline, title
from scorer.tiles import WINDS


def match_pages(match: Match, table: str = "") -> bytes:
    """Return a match as PDF in order of play, with its table's name if given."""
    found = match_sheet(match)
    day = f"{found.begun.astimezone():%Y-%m-%d}" if found.begun else ""
    players = say("matches.and").join(found.players)
    blocks = [*(_block(each, found.players) for each in found.entries), _standing(found)]
    lead = say("paper.match", players=players, day=day)
    return sheet(say("paper.hands"), " · ".join(filter(None, (Name(table), lead))), blocks)


def _block(entry: SheetEntry, players: Iterable[str]) -> PaperBlock:
    return PaperBlock(
        title=f"{title(entry)} · {headline(entry)}",
        total="",
        entries=tuple(
            PaperEntry(str(paid.amount), spoken(paid.why), " ".join(paid.rules))
            for paid in entry.payments
        ),
        working=tuple(map(_line, entry.lines)),
        remarks=tuple(_remarks(entry)),
    )


def _standing(found: MatchSheet) -> PaperBlock:
    """Return the last block: the totals, highest first."""
    totals = sorted(found.totals.items(), key=lambda each: -each[1])
    return PaperBlock(
        title=say("history.standing"),
        total="",
        entries=tuple(PaperEntry(str(total), player) for player, total in totals),
    )


def _line(line: PlayerLine) -> str:
    return say(
        "paper.line",
        player=line.player,
        wind=WINDS.get(line.wind, "–"),
        score="–" if line.score is None else line.score,
        change=signed(line.change),
        total=line.total,
    )


def _remarks(entry: SheetEntry) -> Iterator[str]:
    for written in (entry.written, *entry.corrections):
        who = written.by or say("table.somebody")
        time = f"{written.at.astimezone():%H:%M}"
        yield say(f"did.{written.kind}", who=who, time=time)
