"""A match as a score sheet: plain values for pages, exports and printing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from device.matches.corrections import latest_entries
from device.matches.match import Ending, EntryRecord, Match
from scorer.match.entries import Charge, GameEvent, WonDeal
from scorer.match.game import GameRow
from scorer.message import Words, to_english

_Kind = Literal["won", "wash-out", "charge"]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What an entry means for one player."""

    player: str
    wind: str
    """E, S, W or N; empty for a player who sits out, and in a charge."""
    score: int | None
    """Score of the hand; None if none counts."""
    change: int
    total: int


@dataclass(frozen=True, slots=True)
class PaymentLine:
    """A payment from one player to another."""

    payer: str
    payee: str
    amount: int
    why: Words
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """One block of the score sheet: a settled deal, a wash-out or a charge."""

    number: int
    """Number of the entry in the game's log, counted from 1."""
    kind: _Kind
    is_struck: bool
    """Whether it was struck out; then it has no lines."""
    deal: int | None
    """Counted from 1; None for a charge or a struck entry."""
    round: int | None
    prevailing_wind: str
    """E, S, W or N; empty where there is none."""
    goulash: bool
    winner: str
    """Empty if nobody won."""
    won_by: str
    """One of `device.hands.record.ways_to_win()`; empty if nobody won."""
    why: Words
    """What a charge is for; empty for a deal."""
    rule: str
    lines: tuple[PlayerLine, ...]
    payments: tuple[PaymentLine, ...]
    written: EntryRecord
    corrections: tuple[EntryRecord, ...]
    """Oldest first."""


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """The score sheet of one match."""

    match: str
    """Id of the match, as in the address of its page."""
    begun: datetime | None
    players: tuple[str, ...]
    entries: tuple[SheetEntry, ...]
    """In playing order, struck entries included."""
    totals: dict[str, int]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One player in one entry, for spreadsheets. New columns go at the end."""

    match: str
    entry: int
    kind: _Kind
    deal: int | None
    round: int | None
    prevailing_wind: str
    goulash: bool
    player: str
    wind: str
    winner: bool
    won_by: str
    score: int | None
    change: int
    total: int
    why: Words
    rule: str
    written: str
    """Time of settlement by the box's clock: ISO 8601, UTC."""
    by: str
    corrections: int
    """Number of corrections."""


@dataclass(frozen=True, slots=True)
class MatchRowAtTable(MatchRow):
    """A row that also names the table, on a box with several."""

    table: str
    """Name of the table."""


def match_sheet(match: Match, numbers: Iterable[int] | None = None) -> MatchSheet:
    """Return the score sheet of a match, for all entries or those with these numbers."""
    entries, written_by_entry = latest_entries(match), _group_writers(match)
    return MatchSheet(
        match=match.id,
        begun=match.begun_at,
        players=match.game.players,
        entries=tuple(
            _entry(match, number, entries[number], written_by_entry[number])
            for number in (entries if numbers is None else numbers)
        ),
        totals=dict(match.course.totals),
    )


def match_rows(sheet: MatchSheet, table: str = "") -> Iterator[MatchRow]:
    """Yield one row for each player in each entry that counts.

    With `table`, rows include the table's name.
    """
    for row in _rows(sheet):
        yield MatchRowAtTable(**asdict(row), table=table) if table else row


def _rows(sheet: MatchSheet) -> Iterator[MatchRow]:
    for entry in sheet.entries:
        for line in entry.lines:
            yield MatchRow(
                match=sheet.match,
                entry=entry.number,
                kind=entry.kind,
                deal=entry.deal,
                round=entry.round,
                prevailing_wind=entry.prevailing_wind,
                goulash=entry.goulash,
                player=line.player,
                wind=line.wind,
                winner=line.player == entry.winner,
                won_by=entry.won_by if line.player == entry.winner else "",
                score=line.score,
                change=line.change,
                total=line.total,
                why=to_english(entry.why),
                rule=entry.rule,
                written=entry.written.at.isoformat(timespec="seconds"),
                by=entry.written.by,
                corrections=len(entry.corrections),
            )


def _group_writers(match: Match) -> dict[int, list[EntryRecord]]:
    """Return who wrote and corrected each entry, oldest first, by entry number."""
    writers: defaultdict[int, list[EntryRecord]] = defaultdict(list)
    for each in match.written:
        writers[each.entry].append(each)
    return writers


def _entry(match: Match, number: int, event: GameEvent, writers: list[EntryRecord]) -> SheetEntry:
    row, past = match.row(number), match.past_deal(number)
    first, *corrections = writers
    ending = past.state.ending if past else None
    deal = row.deal if row else None
    return SheetEntry(
        number=number,
        kind=_kind(event),
        is_struck=row is None,
        deal=deal.number if deal else None,
        round=deal.round if deal else None,
        prevailing_wind=(deal.prevailing_wind or "") if deal else "",
        goulash=bool(deal and deal.goulash),
        winner=event.winner if isinstance(event, WonDeal) else "",
        won_by=(ending or Ending(None)).won_by if isinstance(event, WonDeal) else "",
        why=event.why if isinstance(event, Charge) else "",
        rule=(event.rule or "") if isinstance(event, Charge) else "",
        lines=_lines(match, row) if row else (),
        payments=_payments(row) if row else (),
        written=first,
        corrections=tuple(corrections),
    )


def _kind(event: GameEvent) -> _Kind:
    return (
        "won"
        if isinstance(event, WonDeal)
        else "charge"
        if isinstance(event, Charge)
        else "wash-out"
    )


def _lines(match: Match, row: GameRow) -> tuple[PlayerLine, ...]:
    """Return a line for every player, in the order of the match's beginning."""
    winds = row.deal.seating.winds if row.deal else {}
    scores = row.event.scores if isinstance(row.event, WonDeal) else {}
    return tuple(
        PlayerLine(
            player, winds.get(player, ""), scores.get(player), row.changes[player],
            row.totals[player],
        )
        for player in match.game.players
    )  # fmt: skip


def _payments(row: GameRow) -> tuple[PaymentLine, ...]:
    """Return who paid whom; in a charge the payer pays."""
    if isinstance(row.event, Charge):
        rules = (row.event.rule,) if row.event.rule else ()
        return tuple(
            PaymentLine(row.event.payer, payee, amount, row.event.why, rules)
            for payee, amount in row.event.amounts.items()
        )
    if row.settlement is None or row.deal is None:
        return ()
    seats = row.deal.seats
    return tuple(
        PaymentLine(seats[p.payer], seats[p.payee], p.amount, p.why, p.rules)
        for p in row.settlement.payments
    )
