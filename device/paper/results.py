"""Print results: score sheets of hands and matches, rankings of tournaments and seasons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from device.club.anonymiser import Anonymiser
from device.club.people import PeopleRepository
from device.club.tournament.tournament import Tournament
from device.hands.export import played_hands
from device.hands.repository import HandRepository
from device.i18n.words import day_of, say, say_count, sign_amount, spoken, wind_name
from device.matches.match import Match
from device.matches.score_sheet import MatchSheet, PlayerLine, SheetEntry, match_sheet
from device.paper.blocks import PaperBlock, PaperEntry, PrintedTileRow, print_blocks
from device.views.club.standing import MatchPointsLine, SeasonView, StandingLine
from device.views.club.tournament import (
    NO_FIGURE,
    RankingLine,
    RoundView,
    TableView,
    describe_meetings,
    describe_state,
    format_day,
    ranking_lines,
    result_views,
    round_view,
)
from device.views.hand_page import HandView, hand_view
from device.views.score import ScoreSheet
from device.views.table.history import describe_deal, describe_ending, describe_payment


def print_hands(records: HandRepository, limit: int | None = None) -> bytes:
    """Return the newest hands, or all, as PDF in order of play."""
    anonymiser = Anonymiser(PeopleRepository(records.store).register(), say("table.somebody"))
    blocks = [
        hand_block(hand_view(anonymiser.hand(each, None))) for each in played_hands(records, limit)
    ]
    lead = say_count("paper.count", len(blocks)) if blocks else say("print.no-hands")
    return print_blocks(say("paper.hands"), lead, blocks)


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
        calculation=score.working if score else (),
        remarks=tuple(_hand_remarks(view)),
        code=score.hand_text if score else "",
    )


def _hand_title(view: HandView) -> str:
    situation = view.record.situation
    winner = situation.winner
    hand = say(
        "paper.hand",
        seat=wind_name(situation.seat_wind),
        prevailing=wind_name(situation.prevailing_wind),
        won=say(f"how.{situation.won_by}") if winner else say("situation.not-won"),
    )
    time = f"{view.record.taken_at.astimezone():%Y-%m-%d %H:%M}"
    return " · ".join(filter(None, (time, view.record.player, hand)))


def _hand_entries(score: ScoreSheet) -> Iterator[PaperEntry]:
    lines = (*score.points, *score.doubles, *score.separate_lines)
    if score.special and score.special.id not in {line.rule for line in lines}:
        yield PaperEntry("", say(score.special.name), score.special.id)
    for line in lines:
        yield PaperEntry(line.amount, line.label, line.rule)


def _hand_remarks(view: HandView) -> Iterator[str]:
    if view.score:
        breakdown = view.score.breakdown
        yield from filter(None, (spoken(breakdown.notice), view.score.cut))
        yield from (say(problem.message) for problem in breakdown.problems)
    yield from (say(problem.message) for problem in view.errors)
    yield from view.changes
    if not view.record.is_confirmed_at(view.score.total if view.score else None):
        yield say("paper.unconfirmed")


def print_match(match: Match, table: str = "") -> bytes:
    """Return a match as PDF in order of play, with its table's name if given."""
    sheet = match_sheet(match)
    day = day_of(sheet.begun) if sheet.begun else ""
    players = ", ".join(sheet.players)
    blocks = [*(_entry_block(each, sheet.players) for each in sheet.entries)]
    blocks.append(_totals_block(sheet, has_ended=match.ended))
    lead = " · ".join(filter(None, (table, players, day)))
    return print_blocks(say("paper.hands"), lead, blocks)


def _entry_block(entry: SheetEntry, players: Iterable[str]) -> PaperBlock:
    return PaperBlock(
        title=f"{describe_deal(entry)} · {describe_ending(entry)}",
        total="",
        entries=tuple(
            PaperEntry(str(paid.amount), describe_payment(entry, paid), " ".join(paid.rules))
            for paid in entry.payments
        ),
        calculation=tuple(map(_player_line, entry.lines)),
        remarks=tuple(_entry_remarks(entry)),
    )


def _totals_block(sheet: MatchSheet, *, has_ended: bool) -> PaperBlock:
    """Return the last block: the totals, highest first."""
    totals = sorted(sheet.totals.items(), key=lambda player_total: -player_total[1])
    return PaperBlock(
        title=say("history.final" if has_ended else "history.standing"),
        total="",
        entries=tuple(PaperEntry(str(total), player) for player, total in totals),
    )


def _player_line(line: PlayerLine) -> str:
    return say(
        "paper.line",
        player=line.player,
        wind=wind_name(line.wind) if line.wind else NO_FIGURE,
        score="–" if line.score is None else line.score,
        change=sign_amount(line.change),
        total=line.total,
    )


def _entry_remarks(entry: SheetEntry) -> Iterator[str]:
    for entry_text in (entry.written, *entry.corrections):
        player = entry_text.by or say("table.somebody")
        time = f"{entry_text.at.astimezone():%H:%M}"
        yield say(f"did.{entry_text.kind}", who=player, time=time)


def print_tournament(tournament: Tournament) -> bytes:
    """Return a tournament as PDF: the ranking, then each drawn round."""
    lead = " · ".join(
        filter(
            None,
            (format_day(tournament), describe_state(tournament), describe_meetings(tournament)),
        )
    )
    blocks = [
        _ranking_block(tournament),
        *(_round_block(tournament, each.number) for each in tournament.drawn),
    ]
    return print_blocks(tournament.name, lead, blocks)


def _ranking_block(tournament: Tournament) -> PaperBlock:
    return PaperBlock(
        title=say("club.tournament.ranking"),
        total="",
        entries=tuple(_ranking_entry(tournament, each) for each in ranking_lines(tournament)),
    )


def _ranking_entry(tournament: Tournament, line: RankingLine) -> PaperEntry:
    shared_text = f" ({say('final.shared')})" if line.shared else ""
    points_text = line.points if tournament.ranking == "places" else line.total
    if tournament.ranking == "both":
        points_text = f"{line.points} · {line.total}"
    words = f"{line.player}{shared_text} {line.remark}".strip()
    return PaperEntry(f"{line.place}." if line.place else NO_FIGURE, words, points_text)


def _round_block(tournament: Tournament, number: int) -> PaperBlock:
    view = round_view(tournament, number)
    return PaperBlock(
        title=say("club.tournament.round", round=number),
        total="",
        entries=tuple(PaperEntry(str(each.number), _table_line(each)) for each in view.tables),
        remarks=tuple(_round_remarks(tournament, view)),
        new_page=False,
    )


def _table_line(table: TableView) -> str:
    return " · ".join(f"{wind_name(s.wind)} {s.player} {s.points}".strip() for s in table.seats)


def _round_remarks(tournament: Tournament, view: RoundView) -> Iterator[str]:
    if view.out:
        yield view.out
    drawn_round = tournament.round(view.number)
    for number, results in enumerate(drawn_round.given if drawn_round else (), 1):
        latest, *older = result_views(results) or (None,)
        for each in older:
            yield say("club.tournament.was-given", table=number, points=each.points, says=each.says)
        if latest and latest.why:
            yield say("club.tournament.because", table=number, says=latest.says, why=latest.why)


def print_season(view: SeasonView) -> bytes:
    """Return a season's standing as PDF, first place first."""
    lead = " · ".join((view.days, *view.rules))
    blocks = [_standing_block(view), *map(_player_block, view.lines)]
    return print_blocks(view.season.name, lead, blocks)


def _standing_block(view: SeasonView) -> PaperBlock:
    entries = tuple(
        PaperEntry(line.sum, f"{line.place} · {line.player}", line.besides) for line in view.lines
    )
    return PaperBlock(title=say("club.season.standing"), total="", entries=entries)


def _player_block(line: StandingLine) -> PaperBlock:
    return PaperBlock(
        title=f"{line.place} · {line.player}",
        total=line.sum,
        entries=tuple(
            PaperEntry(each.points_text, _match_points(each), each.besides)
            for each in line.contributions
        ),
        remarks=(line.matches,),
    )


def _match_points(line: MatchPointsLine) -> str:
    text = f"{line.day}: {line.players}"
    return text if line.counts else f"{text} · {say('club.season.not-best')}"
