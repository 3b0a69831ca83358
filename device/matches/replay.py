"""Build a match from its events, oldest first; each kind of event has one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import singledispatch

from msgspec import structs

from device.hands.record import Agreement, ways_to_win
from device.matches.match import (
    DealState,
    Ending,
    EntryRecord,
    GivenHand,
    Match,
    MatchAction,
    PastDeal,
    rename_players,
)
from device.matches.snapshot import MATCH_SNAPSHOTS
from device.store.errors import UnknownStreamError
from device.store.events import (
    ChargeMade,
    DealCorrected,
    DealSettled,
    EndingWithdrawn,
    Envelope,
    Event,
    HandAgreed,
    HandGiven,
    HandsAgreed,
    HandsGiven,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    MatchResumed,
    PlayersRenamed,
    PlayersReseated,
    ScoreTyped,
    WinnerEntered,
)
from device.store.events.parts import words_from_stored
from device.store.projection import Projection, find_redoable
from scorer.errors import error
from scorer.match.entries import Charge, Correction, WashOut, WonDeal, apply_corrections
from scorer.match.game import Game, GameError
from scorer.match.settlement import MAX_SCORE_POINTS, score_problems
from scorer.message import message
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import read_custom_ruleset


class UnknownMatchError(UnknownStreamError):
    """There is no match with that id."""


def apply(match: Match, envelope: Envelope[Event]) -> Match:
    """Return the match with one more event; raise ValueError, ScorerError or a subclass."""
    event = envelope.event
    if not isinstance(event, MatchEvent):
        raise ValueError("nothing of the kind happens to a match")
    new_match = _apply_event(event, match, envelope)
    action, log = _action(envelope, new_match), new_match.game.log
    numbers = [
        entry.number if isinstance(entry, Correction) else place
        for place, entry in enumerate(log, 1)
        if place > len(match.game.log)
    ]
    entries = [EntryRecord(number, envelope.kind, envelope.at, action.by) for number in numbers]
    return replace(
        new_match,
        doings=(*new_match.doings, action),
        written=(*new_match.written, *entries),
    )


def start_match(envelope: Envelope[Event]) -> Match:
    """Return the match that an event starts; raise GameError for impossible players."""
    event = envelope.event
    if not isinstance(event, MatchBegun):
        raise ValueError("a match begins with its players")
    custom = read_custom_ruleset(event.rules_text) if event.rules_text else None
    game = Game(
        event.players,
        seats=event.seats,
        ruleset=custom.name if custom else event.ruleset,
        start=custom.payments.tallies if custom and event.start is None else event.start,
        double=event.double,
        goulash=custom.goulash if custom else True,
    )
    if custom and len(game.players) not in custom.players:
        problem = message("said.players", known=custom.players, players=len(game.players))
        raise GameError((error("players", problem),))
    unknown_choices = list((custom or load_builtin(game.ruleset)).unknown_choices(event.house))
    if unknown_choices:
        raise ValueError(f"these rules have no choice {', '.join(unknown_choices)}")
    agreement = Agreement(
        ruleset=game.ruleset,
        players=len(game.players),
        limit=event.limit,
        house=event.house,
        rules_text=event.rules_text,
    )
    match = Match(envelope.stream, game, agreement, envelope.seq, begun_at=envelope.at)
    return replace(match, table=event.table)


_SavedEvent = Envelope[Event]
"""An event as it stands in the log."""


@singledispatch
def _apply_event(event: MatchEvent, match: Match, envelope: Envelope[Event]) -> Match:
    """Return the match with one more event; each kind of event has its own function."""
    raise ValueError("a match begins once")


@_apply_event.register
def _on_winner_said(event: WinnerEntered, match: Match, envelope: _SavedEvent) -> Match:
    winds = match.course.next_deal.seating.winds
    if event.winner is not None and event.winner not in winds:
        raise ValueError(f"{event.winner!r} does not sit at the table")
    if event.won_by not in ways_to_win():
        raise ValueError(f"{event.won_by!r} is no way to win")
    ending = Ending(event.winner, event.won_by, event.original_call)
    hands = match.deal.hands
    before = match.deal.ending
    if before and (before.winner, event.winner) != (event.winner, None) and before != ending:
        # The same tiles score differently with another winner, so players must agree again.
        hands = {player: replace(given, agreed=False) for player, given in hands.items()}
    return replace(match, deal=DealState(ending, hands))


@_apply_event.register
def _on_ending_withdrawn(event: EndingWithdrawn, match: Match, envelope: _SavedEvent) -> Match:
    hands = {player: replace(given, agreed=False) for player, given in match.deal.hands.items()}
    return replace(match, deal=DealState(None, hands))


@_apply_event.register
def _on_hand_given(event: HandGiven, match: Match, envelope: _SavedEvent) -> Match:
    before, fresh = match.deal.given_hand(event.player), GivenHand(hand=event.hand, by=event.by)
    if event.instead is not None and before.counts and before.counts != event.instead:
        other_hands = (*before.others, fresh)
        return _give(match, event.player, replace(before, agreed=False, others=other_hands))
    return _give(match, event.player, _in_place_of(before, fresh))


def _in_place_of(before: GivenHand, fresh: GivenHand) -> GivenHand:
    """Return a new hand that keeps the ids of the hands before it."""
    return replace(fresh, before=tuple(hand for hand in before.all_ids if hand != fresh.hand))


@_apply_event.register
def _on_hands_given(event: HandsGiven, match: Match, envelope: _SavedEvent) -> Match:
    """Take the hands of one photograph of the whole table, if it is of the current deal."""
    if event.deal != match.course.next_deal.number:
        raise ValueError("the photograph is of another deal")
    for player, hand in event.hands.items():
        fresh = GivenHand(hand=hand, by=event.by)
        match = _give(match, player, _in_place_of(match.deal.given_hand(player), fresh))
    return match


@_apply_event.register
def _on_score_typed(event: ScoreTyped, match: Match, envelope: _SavedEvent) -> Match:
    if wrong := tuple(score_problems([(event.player, event.score)])):
        raise GameError(wrong)
    before = match.deal.given_hand(event.player)
    typed_hand = replace(before, typed=event.score, agreed=True, by=event.by, others=())
    return _give(
        match, event.player, replace(typed_hand, before=before.all_ids[bool(before.hand) :])
    )


@_apply_event.register
def _on_hand_agreed(event: HandAgreed, match: Match, envelope: _SavedEvent) -> Match:
    return _agree(match, event.player, event.hand, event.score)


@_apply_event.register
def _on_hands_agreed(event: HandsAgreed, match: Match, envelope: _SavedEvent) -> Match:
    for player, hand in event.hands.items():
        match = _agree(match, player, hand, event.scores.get(player))
    return match


def _agree(match: Match, player: str, hand: str, score: int | None) -> Match:
    before = match.deal.given_hand(player)
    if before.hand != hand or before.others:
        raise ValueError("another hand has been given in since")
    return _give(match, player, replace(before, typed=None, agreed=True, agreed_to=score))


def _give(match: Match, player: str, given_hand: GivenHand) -> Match:
    if player not in match.course.next_deal.seating.winds:
        raise ValueError(f"{player!r} does not sit at the table")
    deal = replace(match.deal, hands={**match.deal.hands, player: given_hand})
    return replace(match, deal=deal)


@_apply_event.register
def _on_deal_settled(event: DealSettled, match: Match, envelope: _SavedEvent) -> Match:
    if match.deal.ending is None:
        raise ValueError("nobody has said how the deal ended")
    game = match.game.with_entry(entry_from(event.winner, event.scores))
    past = PastDeal(len(game.log), match.deal, envelope.at, event.by)
    return replace(match, game=game, past=(*match.past, past), deal=DealState())


@_apply_event.register
def _on_deal_corrected(event: DealCorrected, match: Match, envelope: _SavedEvent) -> Match:
    entry = None if event.struck else entry_from(event.winner, event.scores)
    if entry and match.past_deal(event.number) is None:
        raise ValueError(f"entry {event.number} is no deal")
    game = match.game.with_entry(Correction(event.number, entry))
    past = tuple(_with_ending(each, event) for each in match.past)
    return replace(match, game=game, past=past)


def _with_ending(past: PastDeal, event: DealCorrected) -> PastDeal:
    if past.number != event.number or event.struck:
        return past
    before, winner = past.state.ending or Ending(None), event.winner
    won_by = before.won_by if event.won_by is None else event.won_by
    if won_by not in ways_to_win():
        raise ValueError(f"{won_by!r} is no way to win")
    ending = Ending(winner, won_by, before.original_call and winner == before.winner)
    return replace(past, state=replace(past.state, ending=ending))


@_apply_event.register
def _on_charge_made(event: ChargeMade, match: Match, envelope: _SavedEvent) -> Match:
    charge = Charge(event.payer, dict(event.amounts), words_from_stored(event.why), event.rule)
    return replace(match, game=match.game.with_entry(charge))


@_apply_event.register
def _on_players_renamed(event: PlayersRenamed, match: Match, envelope: _SavedEvent) -> Match:
    return rename_players(match, event.names)


@_apply_event.register
def _on_players_reseated(event: PlayersReseated, match: Match, envelope: _SavedEvent) -> Match:
    counted_events = dict(apply_corrections(match.game.log))
    corrections = []
    for number, scores in event.scores.items():
        deal = counted_events.get(number)
        if not isinstance(deal, WonDeal) or scores.keys() - deal.scores:
            raise ValueError(f"entry {number} has no such scores")
        corrections.append(Correction(number, WonDeal(deal.winner, {**deal.scores, **scores})))
    game = match.game.reseat(event.order, event.seats or match.game.seats, corrections)
    return replace(match, game=game)


@_apply_event.register
def _on_match_ended(event: MatchEnded, match: Match, envelope: _SavedEvent) -> Match:
    return replace(match, ended=True)


@_apply_event.register
def _on_match_resumed(event: MatchResumed, match: Match, envelope: _SavedEvent) -> Match:
    if not match.ended:
        raise ValueError("the match has not ended")
    return replace(match, ended=False)


def entry_from(winner: str | None, scores: Mapping[str, int]) -> WonDeal | WashOut:
    """Return the game's entry for a settled deal; without a winner, a wash-out."""
    return WashOut() if winner is None else WonDeal(winner, dict(scores))


def _finish(match: Match, events: Sequence[Envelope[Event]]) -> Match:
    redoable_event = find_redoable(events)
    redoable_action = _action(redoable_event, match) if redoable_event else None
    return replace(match, version=events[-1].seq, undone=redoable_action)


def _action(envelope: Envelope[Event], match: Match) -> MatchAction:
    event = envelope.event
    player = match.current_name_of(getattr(event, "by", ""))
    is_wash_out = isinstance(event, WinnerEntered | DealSettled) and event.winner is None
    action = MatchAction(envelope.seq, envelope.kind, envelope.at, player, is_wash_out=is_wash_out)
    if not isinstance(event, DealCorrected | WinnerEntered):
        return action
    return replace(action, hand=event.hand, hand_changes=event.hand_changes)


def clamp_scores(envelope: Envelope[Event]) -> Envelope[Event]:
    """Clamp scores and payments from logs written before the limit existed.

    Larger numbers are refused today, but refusing an old log would make its match unreadable. Once
    clamped, such numbers can be corrected like any other mistake.
    """
    match envelope.event:
        case ScoreTyped(score=score) as event if score > MAX_SCORE_POINTS:
            return replace(envelope, event=structs.replace(event, score=MAX_SCORE_POINTS))
        case ChargeMade(amounts=amounts) as charge if (
            max(amounts.values(), default=0) > MAX_SCORE_POINTS
        ):
            clamped_scores = {
                player: min(amount, MAX_SCORE_POINTS) for player, amount in amounts.items()
            }
            return replace(envelope, event=structs.replace(charge, amounts=clamped_scores))
    return envelope


MAX_CACHED_MATCHES = 96
"""Sixty running matches and some that are looked at: 17 MB, at 175 KiB for one of 32 deals."""

MATCHES = Projection(
    "match",
    start_match,
    apply,
    UnknownMatchError,
    _finish,
    MAX_CACHED_MATCHES,
    clamp_scores,
    MATCH_SNAPSHOTS,
)
"""Builds a match from its events."""
