"""Undo and redo what players do in a match, with what changed a hand at the same time.

A hand knows nothing of matches. A correction that comes from a hand's page names that hand and the
changes to it. Without them, its tiles would still give the score that was undone.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from device.hands.record import UnknownHandError
from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import TornEventError
from device.store.errors import ConcurrentChangeError
from device.store.projection import get_if_whole

_log = logging.getLogger(__name__)


def undo_action(
    matches: MatchRepository, hands: HandRepository, match: str, seq: int, player: str
) -> None:
    """Undo the last action, which must be number `seq`; raise OvertakenError.

    A hand that was changed or confirmed since stays as it is.
    """
    actions = matches.get(match).doings
    matches.undo(match, seq, player)
    for action in (each for each in actions if each.seq == seq):
        with _let_hand_stay(action.hand):
            for number in reversed(action.hand_changes):
                hands.undo(action.hand, number)


def redo_action(
    matches: MatchRepository, hands: HandRepository, match: str, seq: int, player: str
) -> None:
    """Redo the last undone action, which must be number `seq`; raise OvertakenError."""
    action = matches.get(match).undone
    matches.redo(match, seq, player)
    if action is None:
        return
    with _let_hand_stay(action.hand):
        for number in action.hand_changes:
            hands.redo(action.hand, number)


def find_stale_hand(match: Match, hands: HandRepository) -> str:
    """Return the id of the hand that has not followed the last undo or redo; empty for none."""
    for action, is_done in ((match.undone, False), *((each, True) for each in match.doings[-1:])):
        record = get_if_whole(hands.get, action.hand) if action and action.hand else None
        numbers = {change.seq for change in record.changes} if record else set()
        if action and record and any((n in numbers) != is_done for n in action.hand_changes):
            return action.hand
    return ""


@contextmanager
def _let_hand_stay(hand: str) -> Iterator[None]:
    """Log why a hand does not follow; the match, which was written first, stands."""
    try:
        yield
    except (ChangeRefusedError, UnknownHandError, TornEventError, ConcurrentChangeError) as error:
        _log.info("hand %s stays as it is: %s", hand, error)
