"""Replace the names of players who do not want to be shown.

Results stay the same; only the name changes. People at a table still see real names, because they
must find their seats and their hands. `device.web.name_gate` decides who may see them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

from msgspec import structs

from device.club.register import Register
from device.club.tournament.tournament import Entrant, GivenResult, Tournament, TournamentRound
from device.hands.record import Agreement, HandRecord
from device.i18n.names import fold_name
from device.matches.match import Match, rename_players, with_authors
from device.matches.summary import MatchSummary
from device.rulesets.repository import CustomRuleset
from scorer.match.entries import Charge, Correction, Entry, GameEvent
from scorer.message import to_english
from scorer.rulesets.custom import read_custom_ruleset, stamp
from scorer.rulesets.reader import RulesetError


@dataclass(frozen=True)
class Anonymiser:
    """Replaces hidden names with a neutral one."""

    register: Register
    somebody: str
    """The neutral name, in the reader's language."""
    known: frozenset[str] = frozenset()
    """Folded names that are shown although their owners are hidden."""

    @cached_property
    def hidden(self) -> tuple[str, ...]:
        """All names to replace, the longest first."""
        return tuple(n for n in self.register.hidden_names if fold_name(n) not in self.known)

    def allow_names(self, names: Iterable[str]) -> Anonymiser:
        """Return a copy that shows these names."""
        return replace(self, known=frozenset(map(fold_name, names)))

    def name(self, name: str) -> str:
        """Return the name to show; an empty name stays empty."""
        return self.somebody if name and self._is_hidden(name) else name

    def words(self, text: str, names: Mapping[str, str] | None = None) -> str:
        """Return typed text with every hidden name in it replaced.

        `names` maps hidden names to their replacements; other hidden names become `somebody`.
        """
        for name in self.hidden if text else ():
            other = (names or {}).get(name, self.somebody).replace("\\", r"\\")
            word = rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])"
            text = re.sub(word, other, text, flags=re.IGNORECASE)
        return text

    def match(self, match: Match) -> Match:
        """Return a match with hidden names replaced."""
        if not self.hidden:
            return match
        names = self._match_pseudonyms(match)
        renamed_match = rename_players(match, names) if names else match
        log = tuple(self._with_shown_names(each, names) for each in renamed_match.game.log)
        if log != renamed_match.game.log:
            renamed_match = replace(renamed_match, game=replace(renamed_match.game, log=log))
        redoable_action = renamed_match.undone
        return replace(
            with_authors(renamed_match, self.name),
            agreement=self._agreement(renamed_match.agreement),
            undone=redoable_action and replace(redoable_action, by=self.name(redoable_action.by)),
        )

    def ruleset(self, ruleset: CustomRuleset) -> CustomRuleset:
        """Return a custom ruleset with hidden names replaced in its file, in each version."""
        if not self.hidden:
            return ruleset
        versions = (replace(each, text=self.rules_text(each.text)) for each in ruleset.versions)
        return replace(ruleset, versions=tuple(versions))

    def rules_text(self, text: str) -> str:
        """Return the file of a ruleset with hidden names replaced."""
        anonymous_text = self.words(text)
        if anonymous_text == text:
            return text
        try:
            rules = read_custom_ruleset(anonymous_text)
        except RulesetError:  # somebody is called like a word that the file needs
            anonymous_text, rules = text, read_custom_ruleset(text)
        title, author = self.words(to_english(rules.title)), self.words(rules.author)
        return stamp(anonymous_text, title=title, author=author, version=rules.version)

    def _agreement(self, agreement: Agreement) -> Agreement:
        return replace(agreement, rules_text=self.rules_text(agreement.rules_text))

    def hand(self, hand: HandRecord, match: Match | None) -> HandRecord:
        """Return a hand with hidden names replaced; `match` is the match that it belongs to."""
        if not self.hidden:
            return hand
        names = self._match_pseudonyms(match) if match else {}

        def replace_name(name: str) -> str:
            current_name = match.current_name_of(name) if match else name
            return names.get(current_name) or self.name(current_name)

        changes = tuple(
            replace(each, changed_by=replace_name(each.changed_by)) for each in hand.changes
        )
        agreement = self._agreement(hand.agreement)
        return replace(hand, player=replace_name(hand.player), changes=changes, agreement=agreement)

    def line(self, match: MatchSummary) -> MatchSummary:
        """Return a match summary with hidden names replaced."""
        names = self._pseudonyms(match.players, match.players)
        if not names:
            return match
        return structs.replace(
            match,
            players=tuple(names.get(name, name) for name in match.players),
            totals={names.get(name, name): total for name, total in match.totals.items()},
            leaders=tuple(names.get(name, name) for name in match.leaders),
        )

    def tournament(self, tournament: Tournament) -> Tournament:
        """Return a tournament with hidden names replaced."""
        if not self.hidden:
            return tournament
        entrant_names = tuple(dict.fromkeys(_names_in(tournament)))
        names = self._pseudonyms(entrant_names, entrant_names)

        def entrant(player: Entrant) -> Entrant:
            were = tuple((names.get(name, name), last) for name, last in player.were)
            return replace(player, name=names.get(player.name, player.name), were=were)

        def replace_result(result: GivenResult) -> GivenResult:
            author = names.get(result.by) or self.name(result.by)
            return replace(result, by=author, why=self.words(result.why, names))

        def replace_round(tournament_round: TournamentRound) -> TournamentRound:
            return replace(
                tournament_round,
                given=tuple(tuple(map(replace_result, given)) for given in tournament_round.given),
            )

        return replace(
            tournament,
            name=replace(self, known=frozenset()).words(tournament.name),
            entrants=tuple(map(entrant, tournament.entrants)),
            drawn=tuple(map(replace_round, tournament.drawn)),
            changes=tuple(replace(each, by=self.name(each.by)) for each in tournament.changes),
        )

    def _is_hidden(self, name: str) -> bool:
        return fold_name(name) not in self.known and not self.register.is_shown(name)

    def _match_pseudonyms(self, match: Match) -> dict[str, str]:
        return self._pseudonyms(match.game.players, [*match.renamed, *match.game.players])

    def _pseudonyms(self, names: Iterable[str], reserved_names: Iterable[str]) -> dict[str, str]:
        """Return a replacement for each hidden name of a list; no two of them are equal."""
        used_names = set(map(fold_name, reserved_names))
        pseudonyms: dict[str, str] = {}
        for name in filter(self._is_hidden, names):
            tries = (f"{self.somebody} {n}" if n > 1 else self.somebody for n in count(1))
            free = next(each for each in tries if fold_name(each) not in used_names)
            used_names.add(fold_name(free))
            pseudonyms[name] = free
        return pseudonyms

    def _with_shown_names(self, entry: Entry, names: Mapping[str, str]) -> Entry:
        """Return an entry whose typed reason has hidden names replaced."""
        if isinstance(entry, Correction):
            return (
                replace(entry, entry=self._with_shown_reason(entry.entry, names))
                if entry.entry
                else entry
            )
        return self._with_shown_reason(entry, names)

    def _with_shown_reason(self, event: GameEvent, names: Mapping[str, str]) -> GameEvent:
        if isinstance(event, Charge) and isinstance(event.why, str):
            return replace(event, why=self.words(event.why, names))
        return event


def _names_in(tournament: Tournament) -> Iterable[str]:
    """Yield the names of all present and former players, in the order of their places."""
    for each in tournament.entrants:
        yield each.name
        yield from (name for name, _ in each.were)
