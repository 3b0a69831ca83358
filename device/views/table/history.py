"""The history and the results of a match.

The history has every deal with its hands and payments. The results are the final ranking, the last
action, and the last deal to be read aloud.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from device.hands.repository import HandRepository
from device.i18n.words import (
    say,
    spoken,
    wind_name,
)
from device.matches.corrections import Recount, latest_entries
from device.matches.match import EntryRecord, Match, MatchAction
from device.matches.score_sheet import PaymentLine, SheetEntry
from device.matches.summary import FinalResult, MatchSummary
from device.store.events import DealSettled
from device.store.projection import get_if_whole
from scorer.match.entries import WonDeal


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """What a player's score in an entry comes from."""

    id: str
    """Id of the hand; empty for a score that was typed."""
    has_photo: bool
    tiles: int | None
    """The score of its tiles, where it differs from the score that counts."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One deal or payment."""

    sheet: SheetEntry
    title: str
    headline: str
    hands: Mapping[str, PlayedHand]
    """By player."""
    notes: tuple[str, ...]
    """Who wrote and who corrected it, oldest first."""
    kept: tuple[str, ...]
    """What is wrong with typed scores that the table kept."""

    @property
    def differs(self) -> bool:
        """Whether the tiles of a hand give another score than the one that counts."""
        return any(hand.tiles is not None for hand in self.hands.values())


MAX_ENTRIES_SHOWN = 20
"""Entries on one page of the history: an evening, and a comfortable length to scroll."""


@dataclass(frozen=True, slots=True)
class HistoryPart:
    """One page of a match's entries."""

    numbers: tuple[int, ...]
    """Numbers of its entries, oldest first."""
    earlier: int | None
    """The last entry of the page before; None on the first page."""
    later: int | None
    """The last entry of the page after; 0 for the newest page, None on that page."""


def describe_writing(record: EntryRecord) -> str:
    """Return who wrote an entry, and when, in words."""
    author = record.by or say("table.somebody")
    return say(f"did.{record.kind}", who=author, time=f"{record.at.astimezone():%H:%M}")


def history_part(match: Match, last_entry: int = 0) -> HistoryPart:
    """Return the page that ends with the entry `last_entry`, or the newest page."""
    entries = tuple(latest_entries(match))
    end = bisect_right(entries, last_entry) if last_entry > 0 else len(entries)
    begin, after = max(end - MAX_ENTRIES_SHOWN, 0), end + MAX_ENTRIES_SHOWN
    later = None if end == len(entries) else entries[after - 1] if after < len(entries) else 0
    return HistoryPart(entries[begin:end], entries[begin - 1] if begin else None, later)


def find_part(match: Match, number: int) -> int | None:
    """Return the `until` of the page with an entry; None for the newest page."""
    return None if number in history_part(match).numbers else number


def history_entries(
    match: Match,
    entries: tuple[SheetEntry, ...],
    recounts: Iterable[Recount],
    hands: HandRepository,
) -> tuple[HistoryEntry, ...]:
    """Return the entries of a match, newest first; `recounts` has the hands' present scores."""
    recounts_by_line = {(each.number, each.player): each for each in recounts}
    photographed_hands = _photographed_hands(match, entries, hands)
    return tuple(
        _history_entry(match, entry, recounts_by_line, photographed_hands)
        for entry in reversed(entries)
    )


def _photographed_hands(
    match: Match, entries: tuple[SheetEntry, ...], hands: HandRepository
) -> frozenset[str]:
    """Return the hands of the entries that have a photograph."""
    lines = ((entry, line) for entry in entries for line in entry.lines)
    ids = [match.settled_hand(entry.number, line.player) for entry, line in lines]
    get = hands.load_together(filter(None, ids))
    return frozenset(
        hand for hand in ids if hand and (record := get_if_whole(get, hand)) and record.photo
    )


def _history_entry(
    match: Match,
    entry: SheetEntry,
    recounts_by_line: Mapping[tuple[int, str], Recount],
    photographed_hands: frozenset[str],
) -> HistoryEntry:
    hands = {}
    for line in entry.lines:
        hand = match.settled_hand(entry.number, line.player)
        recount = recounts_by_line.get((entry.number, line.player))
        tiles = recount.tiles if recount else None
        hands[line.player] = PlayedHand(hand, hand in photographed_hands, tiles)
    return HistoryEntry(
        sheet=entry,
        title=describe_deal(entry),
        headline=describe_ending(entry),
        hands=hands,
        notes=tuple(describe_writing(each) for each in (entry.written, *entry.corrections)),
        kept=_describe_kept(match, entry, hands),
    )


def _describe_kept(
    match: Match, entry: SheetEntry, hands: Mapping[str, PlayedHand]
) -> tuple[str, ...]:
    """Return a sentence for each typed score that no hand has under the rules of the match."""
    row = match.row(entry.number)
    if row is None or row.deal is None or not entry.winner:
        return ()
    typed_scores = {
        line.player: line.score
        for line in entry.lines
        if line.score is not None
        and (not (hand := hands[line.player]).id or hand.tiles is not None)
    }
    doubts = match.score_doubts(row.deal, entry.winner, typed_scores)
    return tuple(say("history.kept", what=each) for each in doubts)


def describe_deal(entry: SheetEntry) -> str:
    """Return the deal's number and prevailing wind, in words."""
    if entry.is_struck:
        return say("history.struck")
    if entry.deal is None:
        return say("history.payment")
    parts = [say("table.deal", number=entry.deal)]
    if entry.prevailing_wind:
        parts.append(say("history.prevailing", wind=wind_name(entry.prevailing_wind)))
    if entry.goulash:
        parts.append(say("table.goulash"))
    return " · ".join(parts)


def describe_ending(entry: SheetEntry) -> str:
    """Return how the entry ended, in words."""
    if entry.kind == "charge":
        return spoken(entry.why)
    return describe_win(entry.winner, entry.won_by)


def describe_payment(entry: SheetEntry, payment: PaymentLine) -> str:
    """Return who pays whom, and why; what a charge is for stands above its payments."""
    if entry.kind != "charge":
        return spoken(payment.why)
    return say("history.charge", payer=payment.payer, payee=payment.payee, amount=payment.amount)


def describe_win(winner: str | None, won_by: str) -> str:
    """Return who won a deal and how, or that nobody did."""
    if not winner:
        return say("history.nobody")
    return say("history.won", player=winner, how=say(f"won-how.{won_by}"))


def describe_result(match: MatchSummary) -> str:
    """Return the result of a match so far, or that there is none."""
    if not match.deals:
        return say("matches.none")
    return describe_leaders(match.leaders, match.totals[match.leaders[0]], match.ended)


def describe_leaders(leaders: Sequence[str], total: int, has_ended: bool) -> str:
    """Return who has the highest total, or had it when the match ended."""
    key = "matches.led" if has_ended else "matches.leads"
    return say(key, player=say("matches.and").join(leaders), total=total)


@dataclass(frozen=True, slots=True)
class LastAction:
    """An action that one tap undoes or repeats."""

    seq: int
    says: str


def last_done(match: Match, *, is_brief: bool = False) -> LastAction | None:
    """Return the last action that can be undone, in words; `is_brief` omits who and when."""
    return _describe_action(match.doings[-1], is_brief=is_brief) if match.doings else None


def last_undone(match: Match, *, is_brief: bool = False) -> LastAction | None:
    """Return the last undone action that can be repeated, in words."""
    if match.undone is None:
        return None
    action = _describe_action(match.undone, is_brief=is_brief)
    return LastAction(action.seq, say("table.undone", what=action.says))


def _describe_action(action: MatchAction, *, is_brief: bool) -> LastAction:
    kind = f"{action.kind}-nobody" if action.is_wash_out else action.kind
    if is_brief:
        return LastAction(action.seq, say(f"did-what.{kind}"))
    author = action.by or say("table.somebody")
    time = f"{action.at.astimezone():%H:%M}"
    return LastAction(action.seq, say(f"did.{kind}", who=author, time=time))


def describe_winners(final: FinalResult) -> str:
    """Return who has won a match, or leads it."""
    if not final.deals:
        return say("final.none")
    total = final.placings[0].total
    if len(final.first) == len(final.placings):
        return say("final.level", total=total)
    players = say("matches.and").join(final.first)
    key = "final.wins" if len(final.first) == 1 else "final.share"
    return say(key, player=players, total=total)


@dataclass(frozen=True, slots=True)
class SpokenResult:
    """A settled deal as sentences to read aloud."""

    seq: int
    """Number of the event that settled it; 0 before the first deal."""
    sentences: tuple[str, ...]
    limit: bool
    """The winning hand reached the limit."""


def spoken_result(match: Match) -> SpokenResult:
    """Return what to read aloud about the last settled deal; no sentences before the first."""
    seq = max((each.seq for each in match.doings if each.kind == DealSettled.kind), default=0)
    row = match.row(match.past[-1].number) if match.past else None
    if row is None or row.deal is None:
        return SpokenResult(seq, (), limit=False)
    if not isinstance(row.event, WonDeal):
        return SpokenResult(seq, (say("history.nobody"),), limit=False)
    winner, scores = row.event.winner, row.event.scores
    ending = match.past[-1].state.ending
    winner_sentence = ""
    if ending and ending.winner == winner:
        winner_sentence = describe_win(winner, ending.won_by)
    score_sentences = (say("everybody.scored", player=each, score=scores[each]) for each in scores)
    payment_sentences = (
        say(
            "everybody.pays",
            payer=row.deal.seats[each.payer],
            payee=row.deal.seats[each.payee],
            amount=each.amount,
        )
        for each in (row.settlement.payments if row.settlement else ())
    )
    score_limit = match.agreement.limit
    limit = score_limit is not None and scores[winner] >= score_limit
    return SpokenResult(
        seq,
        tuple(each for each in (winner_sentence, *score_sentences, *payment_sentences) if each),
        limit,
    )
