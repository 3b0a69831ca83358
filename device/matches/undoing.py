"""Undo and redo what players do in a match, with what changed a hand at the same time.

A hand knows nothing of matches. A correction that comes from a hand's page names that hand and the
changes to it. Without them, its tiles would still give the score that was undone.
"""

from __future__ import annotations

from contextlib import suppress

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.repository import MatchRepository


def undo_action(
    matches: MatchRepository, hands: HandRepository, match: str, seq: int, player: str
) -> None:
    """Undo the last action, which must be number `seq`; raise OvertakenError.

    A hand that was changed otherwise since stays as it is.
    """
    actions = matches.get(match).doings
    matches.undo(match, seq, player)
    with suppress(ChangeRefusedError):
        for action in (each for each in actions if each.seq == seq):
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
    with suppress(ChangeRefusedError):
        for number in action.hand_changes:
            hands.redo(action.hand, number)
