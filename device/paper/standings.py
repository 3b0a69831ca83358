"""Print rankings: of a tournament with the tables of each round, and of a season."""

from __future__ import annotations

from collections.abc import Iterator

from device.club.tournament.tournament import Tournament
from device.i18n.words import say
from device.paper.blocks import PaperBlock, PaperEntry, print_blocks
from device.views.club.standing import MatchPointsLine, SeasonView, StandingLine
from device.views.club.tournament import (
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


def print_tournament(now: Tournament) -> bytes:
    """Return a tournament as PDF: the ranking, then each drawn round."""
    lead = " · ".join(filter(None, (format_day(now), describe_state(now), describe_meetings(now))))
    blocks = [_ranking_block(now), *(_round_block(now, each.number) for each in now.drawn)]
    return print_blocks(now.name, lead, blocks)


def _ranking_block(now: Tournament) -> PaperBlock:
    return PaperBlock(
        title=say("club.tournament.ranking"),
        total="",
        entries=tuple(_ranking_entry(now, each) for each in ranking_lines(now)),
    )


def _ranking_entry(now: Tournament, each: RankingLine) -> PaperEntry:
    shared = f" ({say('final.shared')})" if each.shared else ""
    made = each.points if now.ranking == "places" else each.total
    if now.ranking == "both":
        made = f"{each.points} · {each.total}"
    words = f"{each.player}{shared} {each.remark}".strip()
    return PaperEntry(f"{each.place}.", words, made)


def _round_block(now: Tournament, number: int) -> PaperBlock:
    found = round_view(now, number)
    return PaperBlock(
        title=say("club.tournament.round", round=number),
        total="",
        entries=tuple(PaperEntry(str(each.number), _table_line(each)) for each in found.tables),
        remarks=tuple(_round_remarks(now, found)),
        new_page=False,
    )


def _table_line(table: TableView) -> str:
    return " · ".join(f"{s.wind_name} {s.player} {s.points}".strip() for s in table.seats)


def _round_remarks(now: Tournament, view: RoundView) -> Iterator[str]:
    if view.out:
        yield view.out
    found = now.round(view.number)
    for number, given in enumerate(found.given if found else (), 1):
        newest, *older = result_views(given) or (None,)
        for each in older:
            yield say("club.tournament.was-given", table=number, points=each.points, says=each.says)
        if newest and newest.why:
            yield say("club.tournament.because", table=number, says=newest.says, why=newest.why)


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
            PaperEntry(each.gave, _match_points(each), each.besides) for each in line.gave
        ),
        remarks=(line.matches,),
    )


def _match_points(gave: MatchPointsLine) -> str:
    said = f"{gave.day}: {gave.players}"
    return said if gave.counts else f"{said} · {say('club.season.not-best')}"
