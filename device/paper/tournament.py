"""Print rankings: of a tournament with the tables of each round, and of a season."""

from __future__ import annotations

from collections.abc import Iterator

from device.club.tournament.tournament import Tournament
from device.i18n.words import say
from device.paper.blocks import PaperBlock, PaperEntry, sheet
from device.views.club.tournament import (
    RoundView,
    StandingView,
    TableView,
    day_said,
    given_views,
    meetings_said,
    round_view,
    standing_view,
    state_said,
)


def tournament_pages(now: Tournament) -> bytes:
    """Return a tournament as PDF: the ranking, then each drawn round."""
    lead = " · ".join(filter(None, (day_said(now), state_said(now), meetings_said(now))))
    blocks = [_ranking(now), *(_round(now, each.number) for each in now.drawn)]
    return sheet(now.name, lead, blocks)


def _ranking(now: Tournament) -> PaperBlock:
    return PaperBlock(
        title=say("club.tournament.ranking"),
        total="",
        entries=tuple(_place(now, each) for each in standing_view(now)),
    )


def _place(now: Tournament, each: StandingView) -> PaperEntry:
    shared = f" ({say('final.shared')})" if each.shared else ""
    made = each.points if now.ranking == "places" else each.total
    if now.ranking == "both":
        made = f"{each.points} · {each.total}"
    words = f"{each.player}{shared} {each.remark}".strip()
    return PaperEntry(f"{each.place}.", words, made)


def _round(now: Tournament, number: int) -> PaperBlock:
    found = round_view(now, number)
    return PaperBlock(
        title=say("club.tournament.round", round=number),
        total="",
        entries=tuple(PaperEntry(str(each.number), _table(each)) for each in found.tables),
        remarks=tuple(_remarks(now, found)),
        new_page=False,
    )


def _table(table: TableView) -> str:
    return " · ".join(f"{s.wind_name} {s.player} {s.points}".strip() for s in table.seats)


def _remarks(now: Tournament, view: RoundView) -> Iterator[str]:
    if view.out:
        yield view.out
    found = now.round(view.number)
    for number, given in enumerate(found.given if found else (), 1):
        newest, *older = given_views(given) or (None,)
        for each in older:
            yield say("club.tournament.was-given", table=number, points=each.points, says=each.says)
        if newest and newest.why:
            yield say("club.tournament.because", table=number, says=newest.says, why=newest.why)
