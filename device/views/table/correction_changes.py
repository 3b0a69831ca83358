"""Compare a match before and after a correction, deal by deal."""

from __future__ import annotations

from dataclasses import dataclass

from device.hands.repository import HandRepository
from device.i18n.words import say, sign_amount, spoken, wind_name, write_total
from device.matches.corrections import ChangedEntry, changed_entries, find_new_recounts
from device.matches.match import Match
from device.views.table.history import describe_win
from scorer.match.entries import Charge, WonDeal
from scorer.match.game import GameRow


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """A text before and after the correction."""

    before: str
    after: str

    @property
    def same(self) -> bool:
        """Return whether it is unchanged."""
        return self.before == self.after


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """What one entry changes for one player."""

    player: str
    wind: BeforeAfter
    score: BeforeAfter
    change: BeforeAfter
    total: BeforeAfter


@dataclass(frozen=True, slots=True)
class DealChange:
    """One entry of the game, before and after."""

    number: int
    title: str
    ending: BeforeAfter
    """How the deal ended."""
    prevailing: BeforeAfter
    players: tuple[PlayerChange, ...]
    only_totals: bool

    @property
    def is_same(self) -> bool:
        """Whether neither the ending nor any player's score and payments change."""
        return self.ending.same and all(
            each.score.same and each.change.same and each.total.same for each in self.players
        )


MAX_CARRIED_SHOWN = 20
"""How many entries are shown where only the totals change: all change by the same amount."""


@dataclass(frozen=True, slots=True)
class CorrectionChanges:
    """All changes, in the order of play."""

    own: DealChange | None
    """The corrected entry."""
    later: tuple[DealChange, ...]
    """Later entries with other payments or another course of play."""
    carried_changes: tuple[DealChange, ...]
    """The newest entries where only the totals change."""
    all_carried: int
    """How many entries change only in their totals."""

    def __bool__(self) -> bool:
        return bool(self.own or self.later or self.all_carried)


NO_CHANGES = CorrectionChanges(None, (), (), 0)


def correction_changes(before: Match, after: Match, number: int | None) -> CorrectionChanges:
    """Return what the correction of an entry changes; with None, what other seats change."""
    entries = changed_entries(before, after)
    carried_entries = [each for each in entries if each.number != number and each.only_totals]
    later = [each for each in entries if each.number != number and not each.only_totals]
    own_entry = next((each for each in entries if each.number == number), None)
    return CorrectionChanges(
        _deal_change(before, after, own_entry) if own_entry else None,
        tuple(_deal_change(before, after, each) for each in later),
        tuple(_deal_change(before, after, each) for each in carried_entries[-MAX_CARRIED_SHOWN:]),
        len(carried_entries),
    )


def compare_endings(before: Match, after: Match, number: int) -> BeforeAfter:
    """Return how an entry ended, before and after the correction."""
    return BeforeAfter(
        _describe_ending(before, before.row(number)), _describe_ending(after, after.row(number))
    )


def describe_recounts(before: Match, after: Match, hands: HandRepository) -> tuple[str, ...]:
    """Return the hands whose score a correction would make wrong, in words."""
    return tuple(
        say(
            "correct.recount",
            deal=_deal_number(before.row(each.number), after.row(each.number)),
            player=each.player,
            counted=each.original_score,
            wind=wind_name(each.deal.seating.winds[each.player]),
            tiles=each.tiles,
        )
        for each in find_new_recounts(before, after, hands)
    )


def describe_deal_change(match: Match, was: GameRow, new_row: GameRow) -> DealChange:
    """Return what changes from one row of an entry to another, for each player."""
    return _deal_change(match, match, ChangedEntry(was.number, was, new_row))


def _deal_change(before: Match, after: Match, entry: ChangedEntry) -> DealChange:
    was, new_row = entry.before, entry.after
    return DealChange(
        number=entry.number,
        title=_format_title(was, new_row),
        ending=BeforeAfter(_describe_ending(before, was), _describe_ending(after, new_row)),
        prevailing=BeforeAfter(_format_prevailing_wind(was), _format_prevailing_wind(new_row)),
        players=tuple(_player_change(name, was, new_row) for name in before.game.players),
        only_totals=entry.only_totals,
    )


def _player_change(name: str, was: GameRow | None, new_row: GameRow | None) -> PlayerChange:
    return PlayerChange(
        player=name,
        wind=BeforeAfter(_seat_wind(was, name), _seat_wind(new_row, name)),
        score=BeforeAfter(_format_score(was, name), _format_score(new_row, name)),
        change=BeforeAfter(_format_change(was, name), _format_change(new_row, name)),
        total=BeforeAfter(
            write_total(was.totals[name]) if was else "",
            write_total(new_row.totals[name]) if new_row else "",
        ),
    )


def _format_title(was: GameRow | None, new_row: GameRow | None) -> str:
    number = _deal_number(was, new_row)
    return say("table.deal", number=number) if number else say("history.payment")


def _deal_number(*rows: GameRow | None) -> int:
    """Return the number of a deal, counting those that the change deletes; 0 for a payment."""
    return max((row.deal.number for row in rows if row and row.deal), default=0)


def _describe_ending(match: Match, row: GameRow | None) -> str:
    if row is None:
        return say("history.struck")
    if isinstance(row.event, Charge):
        return spoken(row.event.why)
    past = match.past_deal(row.number)
    if not isinstance(row.event, WonDeal) or past is None or past.state.ending is None:
        return describe_win(None, "")
    return describe_win(row.event.winner, past.state.ending.won_by)


def _format_prevailing_wind(row: GameRow | None) -> str:
    wind = row.deal.prevailing_wind if row and row.deal else None
    return wind_name(wind) if wind else ""


def _seat_wind(row: GameRow | None, name: str) -> str:
    return row.deal.seating.winds.get(name, "") if row and row.deal else ""


def _format_score(row: GameRow | None, name: str) -> str:
    scores = row.event.scores if row and isinstance(row.event, WonDeal) else {}
    return str(scores[name]) if name in scores else ""


def _format_change(row: GameRow | None, name: str) -> str:
    if row is None:
        return ""
    return sign_amount(row.changes[name])
