"""What others are shown of those who do not wish to be shown: that somebody played, not who.

Results stay what they are; only the name is another. Where people play, and have to find their seat
or say whose hand it is, names are shown as ever: nothing here is asked there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count

from msgspec import structs

from device.club.people import Register
from device.club.tournament.tournament import Entrant, GivenResult, Tournament
from device.i18n.names import Name, folded
from device.matches.came_to import CameTo
from device.matches.match import Match
from device.matches.renaming import renamed
from scorer.match.entries import Charge, Correction, Entry, GameEvent


@dataclass(frozen=True, slots=True)
class Hiding:
    """Who is hidden, and what is said in place of a name."""

    register: Register
    somebody: str
    """In the language of whoever is shown it."""

    def name(self, name: str) -> str:
        """Return a name, or what is said in its place; empty stays so."""
        return name if not name or self.register.is_shown(name) else self.somebody

    def match(self, match: Match) -> Match:
        """Return a match as others are shown it."""
        names = self._instead(match.game.players, [*match.renamed, *match.game.players])
        if not names:
            return match
        found = renamed(match, names)
        log = tuple(_without_words_of(each, names) for each in found.game.log)
        return replace(found, game=replace(found.game, log=log))

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
        if all(map(self.register.is_shown, self._names_in(now))):
            return now
        names = {each: self.somebody for each in self._names_in(now) if self.name(each) != each}

        def given_of(given: GivenResult) -> GivenResult:
            return replace(given, by=self.name(given.by), why=_instead_of(given.why, names))

        drawn = (
            replace(each, given=tuple(tuple(map(given_of, given)) for given in each.given))
            for each in now.drawn
        )
        return replace(now, entrants=tuple(map(self._entrant, now.entrants)), drawn=tuple(drawn))

    def _names_in(self, now: Tournament) -> Iterable[str]:
        for each in now.entrants:
            yield each.name
            yield from (name for name, _ in each.were)
        yield from (given.by for each in now.drawn for table in each.given for given in table)

    def _entrant(self, entrant: Entrant) -> Entrant:
        were = tuple((Name(self.name(name)), last) for name, last in entrant.were)
        return replace(entrant, name=Name(self.name(entrant.name)), were=were)

    def _instead(self, players: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
        """Return what hidden players of a table are called: no two the same, as at a table."""
        used = set(map(folded, taken))
        names: dict[str, str] = {}
        for player in players:
            if self.register.is_shown(player):
                continue
            tries = (f"{self.somebody} {n}" if n > 1 else self.somebody for n in count(1))
            free = next(each for each in tries if folded(each) not in used)
            used.add(folded(free))
            names[player] = Name(free)
        return names


def _without_words_of(entry: Entry, names: Mapping[str, str]) -> Entry:
    """Return an entry whose reason, which somebody typed, has others' names in place of these."""
    if isinstance(entry, Correction) and entry.entry:
        return replace(entry, entry=_reason(entry.entry, names))
    return entry if isinstance(entry, Correction) else _reason(entry, names)


def _reason(event: GameEvent, names: Mapping[str, str]) -> GameEvent:
    if isinstance(event, Charge) and isinstance(event.why, str):
        return replace(event, why=_instead_of(event.why, names))
    return event


def _instead_of(typed: str, names: Mapping[str, str]) -> str:
    """Return what was typed with other names in it, where one stands as a word of its own."""
    for name, other in names.items():
        in_place = other.replace("\\", r"\\")
        typed = re.sub(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", in_place, typed)
    return typed
