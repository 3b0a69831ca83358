"""Preview a correction of an earlier deal: what it would change, before it is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from msgspec.structs import replace

from device.hands.repository import GetHand, HandRepository
from device.hands.scoring import find_total
from device.matches.match import Match
from device.matches.replay import apply
from device.store.events import DealCorrected, Envelope, PlayersReseated
from device.store.queries import split_batches
from scorer.match.entries import Correction, GameEvent, WonDeal
from scorer.match.game import Deal, GameRow
from scorer.message import Message

_DEALS_PER_BATCH = 50
"""Deals whose hands are loaded together; more would not fit into the cache of hands."""


@dataclass(frozen=True, slots=True)
class ChangedEntry:
    """An entry of the game whose winds, payments or totals a correction changes."""

    number: int
    before: GameRow | None
    """None if the entry had been struck out."""
    after: GameRow | None
    """None if the correction strikes it out."""

    @property
    def only_totals(self) -> bool:
        """Whether winds and payments stay, and only the carried totals change."""
        return _substance(self.before) == _substance(self.after)


@dataclass(frozen=True, slots=True)
class Recount:
    """A hand whose tiles score differently from the score that counts."""

    number: int
    """Number of the deal's entry."""
    deal: Deal
    player: str
    hand: str
    original_score: int
    """The score in the log."""
    tiles: int
    """What the tiles score with the current winds and winner."""


def latest_entries(match: Match) -> dict[int, GameEvent]:
    """Return each entry as it last counted, by its number, in playing order."""
    entries: dict[int, GameEvent] = {}
    for number, entry in enumerate(match.game.log, 1):
        if not isinstance(entry, Correction):
            entries[number] = entry
        elif entry.entry:
            entries[entry.number] = entry.entry
    return entries


def correction_doubts(before: Match, after: Match, number: int) -> tuple[Message, ...]:
    """Return what is wrong with a corrected deal's scores, except what was wrong with it before."""
    old_doubts = deal_doubts(before, number)
    return tuple(each for each in deal_doubts(after, number) if each not in old_doubts)


def deal_doubts(match: Match, number: int) -> tuple[Message, ...]:
    """Return what is wrong with the scores of a settled deal; nothing if it does not count."""
    row = match.row(number)
    if row is None or row.deal is None or not isinstance(row.event, WonDeal):
        return ()
    return match.score_doubts(row.deal, row.event.winner, row.event.scores)


def apply_correction(match: Match, correction: DealCorrected | PlayersReseated) -> Match:
    """Return the match with a correction applied; raise what `apply` raises."""
    return apply(match, Envelope(match.version + 1, match.id, correction, datetime.now(UTC)))


def plan_hand_correction(match: Match, hand: str, total: int, won_by: str) -> DealCorrected | None:
    """Return the correction that gives a hand's settled deal this score of it.

    `won_by` counts for the winner's hand alone. None where no settled deal counts the hand.
    """
    place = match.place_of(hand)
    past = next((each for each in match.past if place and each.state is place[1]), None)
    event = getattr(past and match.row(past.number), "event", None)
    if place is None or past is None or not isinstance(event, WonDeal):
        return None
    player = place[2]
    if match.settled_hand(past.number, player) != hand or player not in event.scores:
        return None
    return DealCorrected(
        past.number,
        winner=event.winner,
        won_by=won_by if event.winner == player else None,
        scores={**event.scores, player: total},
    )


def changed_entries(before: Match, after: Match) -> tuple[ChangedEntry, ...]:
    """Return every entry that differs between two matches, in playing order."""
    was = {row.number: row for row in before.course.rows}
    new_rows = {row.number: row for row in after.course.rows}
    pairs = (
        ChangedEntry(number, was.get(number), new_rows.get(number))
        for number in sorted({*was, *new_rows})
    )
    return tuple(pair for pair in pairs if pair.before != pair.after)


def find_recounts(
    match: Match, numbers: Iterable[int], hands: HandRepository
) -> tuple[Recount, ...]:
    """Return the hands whose tiles score differently from the score that counts.

    Only the entries with these numbers are checked. The tiles may have been corrected since, or a
    correction may have changed the hand's wind. Typed scores have no tiles and are left out.
    """
    recounts: list[Recount] = []
    for part in split_batches(numbers, _DEALS_PER_BATCH):
        get = hands.load_together(hand for n in part for hand in _given_hands(match, n).values())
        recounts += (recount for n in part for recount in _recounts_of(match, n, get))
    return tuple(recounts)


def find_new_recounts(before: Match, after: Match, hands: HandRepository) -> tuple[Recount, ...]:
    """Return the hands whose score a correction would make wrong.

    A deal in which only the totals change cannot have any.
    """
    numbers = [
        past.number
        for past in after.past
        if _deal_basis(before, past.number) != _deal_basis(after, past.number)
    ]
    old_recounts = {
        (recount.hand, recount.original_score, recount.tiles)
        for recount in find_recounts(before, numbers, hands)
    }
    recounts = find_recounts(after, numbers, hands)
    return tuple(
        each
        for each in recounts
        if (each.hand, each.original_score, each.tiles) not in old_recounts
    )


def plan_seats(
    match: Match, order: Sequence[str], seats: str, hands: HandRepository
) -> PlayersReseated:
    """Return the event that seats the players in this order of play, at these winds.

    A hand whose tiles score otherwise with its right wind gets that score, as if it had been seated
    so from the start. A score that was not that of the tiles stays. Raises GameError for seats in
    which the deals cannot have been played.
    """
    event = PlayersReseated(tuple(order), seats)
    after = apply_correction(match, event)
    numbers = [
        past.number for past in match.past if match.row(past.number) != after.row(past.number)
    ]
    odd_scores = {(each.number, each.player) for each in find_recounts(match, numbers, hands)}
    scores: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for recount in find_recounts(after, numbers, hands):
        if (recount.number, recount.player) not in odd_scores:
            scores[recount.number][recount.player] = recount.tiles
    return replace(event, scores=dict(scores))


def _deal_basis(match: Match, number: int) -> object:
    """Return everything that the scores of a deal's hands depend on."""
    return _substance(match.row(number)), match.past_deal(number)


def scores_from_tiles(match: Match, number: int, hands: HandRepository) -> dict[str, int]:
    """Return what the tiles of a deal's hands score, by player, for hands that have a score."""
    return _totals(match, number, hands.load_together(_given_hands(match, number).values()))


def _totals(match: Match, number: int, get: GetHand) -> dict[str, int]:
    hand_ids = _given_hands(match, number)
    totals = {player: find_total(match.situate(get(hand))) for player, hand in hand_ids.items()}
    return {player: total for player, total in totals.items() if total is not None}


def _given_hands(match: Match, number: int) -> dict[str, str]:
    """Return the ids of a settled deal's hands, by player."""
    past = match.past_deal(number)
    hand_items = past.state.hands.items() if past else ()
    return {player: each.hand for player, each in hand_items if each.hand}


def _recounts_of(match: Match, number: int, get: GetHand) -> tuple[Recount, ...]:
    past, row = match.past_deal(number), match.row(number)
    if past is None or row is None or row.deal is None:
        return ()
    scores: Mapping[str, int] = getattr(row.event, "scores", {})
    return tuple(
        Recount(number, row.deal, player, past.state.given_hand(player).hand, scores[player], tiles)
        for player, tiles in _totals(match, number, get).items()
        if past.state.given_hand(player).typed is None and scores.get(player, tiles) != tiles
    )


def _substance(row: GameRow | None) -> object:
    return (row.event, row.deal, row.changes) if row else None
