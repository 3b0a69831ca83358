"""What the players have said about giving pictures of their hands away, derived from the log.

A hand may be given if the answer was yes when its tiles were confirmed, and is yes now; and if no
player whose hand it is, or may be, keeps theirs. Nothing else counts: no by itself is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from device.club.people_log import PeopleLog
from device.hands.hand import HandRecord
from device.i18n.names import folded
from device.matches.match import Match
from device.settings.settings import append_to_box
from device.store import Store
from device.store.events import GivingAnswered, PlayerKeptOut, TilesConfirmed


@dataclass(frozen=True, slots=True)
class Consent:
    """What the players have said."""

    answers: tuple[tuple[int, bool], ...] = ()
    """Every answer with its number in the log, oldest first."""
    kept_out: Mapping[str, str] = field(default_factory=dict)
    """Who keeps theirs: each name as it was said, by how names are compared."""
    names: frozenset[str] = frozenset()
    """All names of these people that the club's register knows, as they are compared."""

    @property
    def now(self) -> bool | None:
        """The answer in force; None before anybody was asked."""
        return self.answers[-1][1] if self.answers else None

    def covers(self, seq: int) -> bool:
        """Whether the answer is yes, and was when the event of this number was written."""
        then = [agreed for number, agreed in self.answers if number < seq]
        return bool(self.now and then and then[-1])

    def keeps(self, hand: HandRecord, match: Match | None) -> bool:
        """Whether a player keeps this hand, or may: of one whose player nobody knows, any.

        `match` is the hand's; None where it has none, or none that can be replayed. A player who
        was called otherwise keeps theirs under either name.
        """
        if not hand.match or not self.names:
            return False
        if match is None:
            return True
        since = (now for old, now in match.renamed.items() if folded(old) in self.names)
        out = {*self.names, *map(folded, since)}
        players = (hand.player,) if hand.player else match.game.players
        return any(folded(player) in out for player in players)


class GivingLog:
    """What was said, and the one way to say it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._people = PeopleLog(store)

    def now(self) -> Consent:
        """Return what counts now."""
        answers = tuple((e.seq, e.event.agreed) for e in self._store.of_kinds(GivingAnswered))
        kept_out: dict[str, str] = {}
        for each in self._store.of_kinds(PlayerKeptOut):
            kept_out.pop(folded(each.event.name), None)
            if each.event.kept_out:
                kept_out[folded(each.event.name)] = each.event.name
        register = self._people.register()
        names = (name for kept in kept_out.values() for name in register.of(kept).names)
        return Consent(answers, kept_out, frozenset(map(folded, names)))

    def answer(self, *, agreed: bool) -> None:
        """Keep the players' answer, unless it is in force already."""
        if self.now().now is not agreed:
            append_to_box(self._store, GivingAnswered(agreed))

    def keep_out(self, name: str, *, kept_out: bool) -> None:
        """Keep that a player's hands stay here, or may be given again; not twice the same."""
        before = self.now()
        if kept_out and folded(name) not in before.names:
            append_to_box(self._store, PlayerKeptOut(name, kept_out=True))
        for each in () if kept_out else self._people.register().of(name).names:
            if folded(each) in before.kept_out:
                append_to_box(self._store, PlayerKeptOut(each, kept_out=False))


def confirmed_at(hand: HandRecord) -> int | None:
    """Return the number of the event that says that all tiles are right; None where none does."""
    said = (each.seq for each in hand.changes if each.kind == TilesConfirmed.kind)
    return max(said, default=None) if hand.tiles_right else None
