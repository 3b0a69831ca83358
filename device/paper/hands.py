"""Print score sheets: of single hands, and of a match deal by deal."""

from __future__ import annotations

from collections.abc import Iterator

from device.club.anonymiser import Anonymiser
from device.club.people_repository import PeopleRepository
from device.hands.export import undamaged_hands
from device.hands.repository import HandRepository
from device.i18n.words import say, say_count, wind_name
from device.paper.blocks import PaperBlock, PaperEntry, RowOfFaces, sheet
from device.views.hand import HandView, hand_view
from device.views.score import ScoreSheet


def hands_sheet(records: HandRepository, newest: int = -1) -> bytes:
    """Return the newest hands, or all, as PDF in order of play."""
    hiding = Anonymiser(PeopleRepository(records.store).register(), say("table.somebody"))
    hands = (each for each in undamaged_hands(records, newest) if not each.asked)
    blocks = [hand_block(hand_view(hiding.hand(each, None), records)) for each in hands]
    return sheet(say("paper.hands"), say_count("paper.count", len(blocks)), blocks)


def hand_block(view: HandView) -> PaperBlock:
    """Return one hand as a block."""
    score = view.score
    return PaperBlock(
        title=_title(view),
        total=str(score.total) if score else say("score.none"),
        rows=tuple(
            RowOfFaces(
                say(f"tiles.{row}"),
                tuple(tuple(piece.symbol for piece in group.pieces) for group in groups),
            )
            for row, groups in view.rows.items()
            if groups
        ),
        entries=tuple(_entries(score)) if score else (),
        working=score.working if score else (),
        remarks=tuple(_remarks(view)),
        code=score.hand_text if score else "",
    )


def _title(view: HandView) -> str:
    situation = view.record.situation
    winner = situation.winner
    return say(
        "paper.hand",
        time=f"{view.record.taken_at.astimezone():%Y-%m-%d %H:%M}",
        seat=wind_name(situation.seat_wind),
        prevailing=wind_name(situation.prevailing_wind),
        won=say(f"how.{situation.won_by}") if winner else say("situation.not-won"),
    )


def _entries(score: ScoreSheet) -> Iterator[PaperEntry]:
    lines = (*score.points, *score.doubles, *score.apart)
    if score.special and score.special.rule not in {line.rule for line in lines}:
        yield PaperEntry("", score.special.name, score.special.rule)
    for line in lines:
        yield PaperEntry(line.amount, line.label, line.rule)


def _remarks(view: HandView) -> Iterator[str]:
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
