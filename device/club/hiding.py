"""What others are shown of those who do not wish to be shown: that somebody played, not who.

Results stay what they are; only the name is another. Where people play, and have to find their seat
or say whose hand it is, names are shown as ever: who asks is known to `device.web.name_gate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from msgspec import structs

from device.club.people import Register
from device.club.tournament.tournament import Entrant, GivenResult, Tournament, TournamentRound
from device.hands.hand import HandRecord
from device.i18n.names import Name, folded
from device.matches.came_to import CameTo
from device.matches.match import Match
from device.matches.renaming import renamed
from scorer.match.entries import Charge, Correction, Entry, GameEvent


@dataclass(frozen=True)
class Hiding:
    """Who is hidden, and what is said in place of a name."""

    register: Register
    somebody: str
    """In the language of whoever is shown it."""
    known: frozenset[str] = frozenset()
    """Names, as they are compared, that are shown nevertheless."""

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """All names of those who are hidden, the longest first."""
        return tuple(n for n in self.register.hidden_names if folded(n) not in self.known)

    def but_for(self, names: Iterable[str]) -> Hiding:
        """Return the same, with these names shown."""
        return replace(self, known=frozenset(map(folded, names)))

    def name(self, name: str) -> str:
        """Return a name, or what is said in its place; empty stays so."""
        return self.somebody if name and self._hides(name) else name

    def words(self, typed: str, names: Mapping[str, str] | None = None) -> str:
        """Return what somebody typed, with each hidden name in it replaced.

        `names` are those in whose place something else is said than `somebody`.
        """
        for name in self.hidden if typed else ():
            other = (names or {}).get(name, self.somebody).replace("\\", r"\\")
            word = rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])"
            typed = re.sub(word, other, typed, flags=re.IGNORECASE)
        return typed

    def match(self, match: Match) -> Match:
        """Return a match as others are shown it."""
        if not self.hidden:
            return match
        names = self._of_match(match)
        found = renamed(match, names) if names else match
        log = tuple(self._entry(each, names) for each in found.game.log)
        undone = found.undone
        return replace(
            found,
            game=found.game if log == found.game.log else replace(found.game, log=log),
            past=tuple(replace(each, by=self._by(each.by)) for each in found.past),
            written=tuple(replace(each, by=self._by(each.by)) for each in found.written),
            doings=tuple(replace(each, by=self._by(each.by)) for each in found.doings),
            undone=replace(undone, by=self._by(undone.by)) if undone else None,
        )

    def hand(self, hand: HandRecord, match: Match | None) -> HandRecord:
        """Return a hand as others are shown it; `match` is the one that it belongs to."""
        if not self.hidden:
            return hand
        names = self._of_match(match) if match else {}

        def called(name: str) -> Name:
            now = match.called(name) if match else name
            return Name(names.get(now) or self.name(now))

        changes = tuple(replace(each, by=called(each.by)) for each in hand.changes)
        return replace(hand, player=called(hand.player), changes=changes)

    def line(self, match: CameTo) -> CameTo:
        """Return what a match came to as others are shown it."""
        names = self._instead(match.players, match.players)
        if not names:
            return match
        return structs.replace(
            match,
            players=tuple(names.get(name, name) for name in match.players),
            totals={names.get(name, name): total for name, total in match.totals.items()},
            leaders=tuple(names.get(name, name) for name in match.leaders),
        )

    def tournament(self, now: Tournament) -> Tournament:
        """Return a tournament as others are shown it."""
        if not self.hidden:
            return now
        entered = tuple(dict.fromkeys(_names_in(now)))
        names = self._instead(entered, entered)

        def entrant(each: Entrant) -> Entrant:
            were = tuple((Name(names.get(name, name)), last) for name, last in each.were)
            return replace(each, name=Name(names.get(each.name, each.name)), were=were)

        def given_of(given: GivenResult) -> GivenResult:
            by = names.get(given.by) or self.name(given.by)
            return replace(given, by=by, why=self.words(given.why, names))

        def drawn(each: TournamentRound) -> TournamentRound:
            return replace(each, given=tuple(tuple(map(given_of, given)) for given in each.given))

        return replace(
            now,
            entrants=tuple(map(entrant, now.entrants)),
            drawn=tuple(map(drawn, now.drawn)),
            changes=tuple(replace(each, by=self.name(each.by)) for each in now.changes),
        )

    def _hides(self, name: str) -> bool:
        return folded(name) not in self.known and not self.register.is_shown(name)

    def _by(self, name: str) -> Name:
        """Return who did something: mostly a player, whose name is another already."""
        return Name(self.name(name))

    def _of_match(self, match: Match) -> dict[str, str]:
        return self._instead(match.game.players, [*match.renamed, *match.game.players])

    def _instead(self, names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
        """Return what hidden people of one list are called: no two the same, as at a table."""
        used = set(map(folded, taken))
        called: dict[str, str] = {}
        for name in filter(self._hides, names):
            tries = (f"{self.somebody} {n}" if n > 1 else self.somebody for n in count(1))
            free = next(each for each in tries if folded(each) not in used)
            used.add(folded(free))
            called[name] = Name(free)
        return called

    def _entry(self, entry: Entry, names: Mapping[str, str]) -> Entry:
        """Return an entry whose reason, which somebody typed, has others' names in it."""
        if isinstance(entry, Correction):
            return replace(entry, entry=self._reason(entry.entry, names)) if entry.entry else entry
        return self._reason(entry, names)

    def _reason(self, event: GameEvent, names: Mapping[str, str]) -> GameEvent:
        if isinstance(event, Charge) and isinstance(event.why, str):
            return replace(event, why=self.words(event.why, names))
        return event


def _names_in(now: Tournament) -> Iterable[str]:
    """Yield the names of all who play or did, in the order of their places."""
    for each in now.entrants:
        yield each.name
        yield from (name for name, _ in each.were)
