"""Print a season's standing, with the matches and points of each player."""

from __future__ import annotations

from device.i18n.words import say
from device.paper.blocks import PaperBlock, PaperEntry, sheet
from device.views.club.standing import GaveLine, SeasonView, StandingLine


def season_pages(view: SeasonView) -> bytes:
    """Return a season's standing as PDF, first place first."""
    lead = " · ".join((view.days, *view.rules))
    blocks = [_standing(view), *map(_player, view.lines)]
    return sheet(view.season.name, lead, blocks)


def _standing(view: SeasonView) -> PaperBlock:
    entries = tuple(
        PaperEntry(line.sum, f"{line.place} · {line.player}", line.besides) for line in view.lines
    )
    return PaperBlock(title=say("club.season.standing"), total="", entries=entries)


def _player(line: StandingLine) -> PaperBlock:
    return PaperBlock(
        title=f"{line.place} · {line.player}",
        total=line.sum,
        entries=tuple(PaperEntry(each.gave, _words(each), each.besides) for each in line.gave),
        remarks=(line.matches,),
    )


def _words(gave: GaveLine) -> str:
    said = f"{gave.day}: {gave.players}"
    return said if gave.counts else f"{said} · {say('club.season.not-best')}"
