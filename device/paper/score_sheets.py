"""Print score sheets: of single hands, and of a match deal by deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from device.club.anonymiser import Anonymiser
from device.club.people_repository import PeopleRepository
from device.hands.export import undamaged_hands
from device.hands.repository import HandRepository
from device.i18n.words import say, say_count, signed, spoken, wind_name
from device.matches.match import Match
from device.matches.score_sheet import MatchSheet, PlayerLine, SheetEntry, match_sheet
from device.paper.blocks import PaperBlock, PaperEntry, PrintedTileRow, print_blocks
from device.views.hand_page import HandView, hand_view
from device.views.score import ScoreSheet
from device.views.table.history import describe_deal, describe_ending
from scorer.tiles import WINDS


def print_hands(records: HandRepository, newest: int = -1) -> bytes:
    """Return the newest hands, or all, as PDF in order of play."""
    hiding = Anonymiser(PeopleRepository(records.store).register(), say("table.somebody"))
    hands = (each for each in undamaged_hands(records, newest) if not each.asked)
    blocks = [hand_block(hand_view(hiding.hand(each, None), records)) for each in hands]
    return print_blocks(say("paper.hands"), say_count("paper.count", len(blocks)), blocks)


def hand_block(view: HandView) -> PaperBlock:
    """Return one hand as a block."""
    score = view.score
    return PaperBlock(
        title=_hand_title(view),
        total=str(score.total) if score else say("score.none"),
        rows=tuple(
            PrintedTileRow(
                say(f"tiles.{row}"),
                tuple(tuple(piece.symbol for piece in group.pieces) for group in groups),
            )
            for row, groups in view.rows.items()
            if groups
        ),
        entries=tuple(_hand_entries(score)) if score else (),
        working=score.working if score else (),
        remarks=tuple(_hand_remarks(view)),
        code=score.hand_text if score else "",
    )


def _hand_title(view: HandView) -> str:
    situation = view.record.situation
    winner = situation.winner
    return say(
        "paper.hand",
        time=f"{view.record.taken_at.astimezone():%Y-%m-%d %H:%M}",
        seat=wind_name(situation.seat_wind),
        prevailing=wind_name(situation.prevailing_wind),
        won=say(f"how.{situation.won_by}") if winner else say("situation.not-won"),
    )


def _hand_entries(score: ScoreSheet) -> Iterator[PaperEntry]:
    lines = (*score.points, *score.doubles, *score.apart)
    if score.special and score.special.rule not in {line.rule for line in lines}:
        yield PaperEntry("", score.special.name, score.special.rule)
    for line in lines:
        yield PaperEntry(line.amount, line.label, line.rule)


def _hand_remarks(view: HandView) -> Iterator[str]:
    if view.score:
        yield from filter(None, (view.score.notice, view.score.cut, *view.score.warnings))
    yield from (say(problem.message) for problem in view.errors)
    yield from view.changes
    if not (view.record.tiles_right or _is_agreed(view)):
        yield say("paper.unconfirmed")


def _is_agreed(view: HandView) -> bool:
    """Return whether a player agreed at the table to the hand as it is now."""
    record, score = view.record, view.score
    return record.agreed and record.agreed_to in (None, score.total if score else None)


def print_match(match: Match, table: str = "") -> bytes:
    """Return a match as PDF in order of play, with its table's name if given."""
    found = match_sheet(match)
    day = f"{found.begun.astimezone():%Y-%m-%d}" if found.begun else ""
    players = say("matches.and").join(found.players)
    blocks = [*(_entry_block(each, found.players) for each in found.entries), _totals_block(found)]
    lead = say("paper.match", players=players, day=day)
    return print_blocks(say("paper.hands"), " · ".join(filter(None, (table, lead))), blocks)


def _entry_block(entry: SheetEntry, players: Iterable[str]) -> PaperBlock:
    return PaperBlock(
        title=f"{describe_deal(entry)} · {describe_ending(entry)}",
        total="",
        entries=tuple(
            PaperEntry(str(paid.amount), spoken(paid.why), " ".join(paid.rules))
            for paid in entry.payments
        ),
        working=tuple(map(_player_line, entry.lines)),
        remarks=tuple(_entry_remarks(entry)),
    )


def _totals_block(found: MatchSheet) -> PaperBlock:
    """Return the last block: the totals, highest first."""
    totals = sorted(found.totals.items(), key=lambda each: -each[1])
    return PaperBlock(
        title=say("history.standing"),
        total="",
        entries=tuple(PaperEntry(str(total), player) for player, total in totals),
    )


def _player_line(line: PlayerLine) -> str:
    return say(
        "paper.line",
        player=line.player,
        wind=WINDS.get(line.wind, "–"),
        score="–" if line.score is None else line.score,
        change=signed(line.change),
        total=line.total,
    )


def _entry_remarks(entry: SheetEntry) -> Iterator[str]:
    for written in (entry.written, *entry.corrections):
        who = written.by or say("table.somebody")
        time = f"{written.at.astimezone():%H:%M}"
        yield say(f"did.{written.kind}", who=who, time=time)
