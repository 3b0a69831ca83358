"""The custom rulesets in the store: look up, keep and retire them.

A ruleset is named by its key (`device.rulesets`). A match takes over the whole file of its
version when it begins, so nothing that happens to a ruleset later changes a match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from msgspec import structs

from device.hands.record import Agreement
from device.i18n.names import fold_name, tidy_name
from device.rulesets import parse_custom_key
from device.store import Envelope, Store, TornEventError
from device.store.appending import append_if_unchanged
from device.store.errors import OutdatedError, UnknownStreamError
from device.store.events import (
    RULESET,
    Event,
    MatchBegun,
    RulesetRetired,
    RulesetReturned,
    RulesetSaved,
)
from device.store.log import KindsSeen
from device.store.projection import Projection, get_projector, split_whole_and_torn
from scorer.errors import ScorerError, error
from scorer.hand import RULESETS
from scorer.message import Message, message, to_english
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.custom import (
    check_stamped_text,
    compute_digest,
    read_custom_ruleset,
    read_new_ruleset,
    stamp,
    tidy_custom_text,
)
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.line_numbers import find_lines
from scorer.rulesets.reader import RulesetError, at_line
from scorer.rulesets.schema import MAX_RULESET_VERSION

MAX_TITLE_CHARS = 40
"""Longest title that fits on a phone beside the version."""


MAX_VERSIONS_AHEAD = 1000
"""How far a file's version may be ahead of the box: so no file uses up the numbers."""


class NoSuchRulesetError(UnknownStreamError):
    """There is no ruleset with that key."""


class TitleTakenError(Exception):
    """Another ruleset has that title."""


@dataclass(frozen=True, slots=True)
class RulesetVersion:
    """One version of a custom ruleset."""

    number: int
    """Counted from 1."""
    text: str
    """The whole file."""
    kept_at: datetime
    by: str
    """The player whose phone kept it; empty if unknown."""
    origin: str
    """The key of the ruleset, or of the earlier version, that it was copied from; empty for a file.
    """

    @property
    def rules(self) -> Ruleset:
        """The ruleset in the file."""
        return read_custom_ruleset(self.text)

    @property
    def digest(self) -> str:
        """What identifies its rules on any box."""
        return compute_digest(self.text)


@dataclass(frozen=True, slots=True)
class CustomRuleset:
    """A custom ruleset with all its versions."""

    id: str
    versions: tuple[RulesetVersion, ...]
    """Oldest first, at least one."""
    seen: int
    """Number of its last event: what a phone's page knows of it."""
    retired: bool = False
    """Whether it is no longer offered for new matches."""

    @property
    def newest(self) -> RulesetVersion:
        """The version by which new matches are played."""
        return self.versions[-1]

    @property
    def rules(self) -> Ruleset:
        """The ruleset in its newest version."""
        return self.newest.rules

    @property
    def title(self) -> str:
        """What the players call it."""
        return to_english(self.rules.title)


@dataclass(frozen=True, slots=True)
class KeptFile:
    """What became of a file that was brought to the box."""

    id: str
    """The custom ruleset that it is, or is a version of."""
    version: int
    is_new: bool
    """Whether it was kept now; otherwise the box had these very rules."""


class CustomRulesets:
    """The custom rulesets of a box, and all changes to them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = get_projector(store, CUSTOM_RULESETS)

    def list_all(self) -> tuple[CustomRuleset, ...]:
        """Return all custom rulesets, the oldest first, without damaged ones."""
        streams = sorted(self._store.with_event(RulesetSaved, limit=-1), key=_number_in)
        return split_whole_and_torn(self._projector.load_together(streams), streams)[0]

    def list_offered(self) -> tuple[CustomRuleset, ...]:
        """Return those that are offered for new matches."""
        return tuple(each for each in self.list_all() if not each.retired)

    def get(self, ruleset: str) -> CustomRuleset:
        """Return a custom ruleset by its id; raise NoSuchRulesetError."""
        return self._projector.get(RULESET + ruleset)

    def find_version(self, key: str) -> RulesetVersion | None:
        """Return a version of a custom ruleset; None for a shipped ruleset.

        Raises NoSuchRulesetError.
        """
        if key in RULESETS:
            return None
        ruleset, number = split_key(key)
        versions = self.get(ruleset).versions
        matching_versions = (each for each in reversed(versions) if number in (0, each.number))
        version = next(matching_versions, None)
        if version is None:
            raise NoSuchRulesetError
        return version

    def rules(self, key: str) -> Ruleset:
        """Return a ruleset by its key; raise NoSuchRulesetError."""
        version = self.find_version(key)
        return version.rules if version else load_builtin(key)

    def agreement(self, key: str) -> Agreement:
        """Return what is played by a ruleset alone; raise NoSuchRulesetError."""
        version = self.find_version(key)
        if version is None:
            return Agreement(key)
        rules = version.rules
        return Agreement(rules.name, limit=rules.limit, rules_text=version.text)

    def pin_version(self, key: str) -> str:
        """Return the key of the version that a key means now; raise NoSuchRulesetError."""
        version = self.find_version(key)
        return f"{split_key(key)[0]}@{version.number}" if version else key

    def offered_key(self, key: str) -> str:
        """Return the key that forms offer for an earlier choice.

        That is the newest version of the same ruleset. If that is offered no more, it is the
        shipped ruleset of the same game.
        """
        if key in RULESETS or not key:
            return key
        try:
            ruleset = self.get(split_key(key)[0])
        except (NoSuchRulesetError, TornEventError):
            return RULESETS[0]
        return ruleset.rules.name if ruleset.retired else ruleset.id

    def with_rules_text(self, match: MatchBegun) -> MatchBegun:
        """Return the beginning of a match with the whole file of its custom ruleset.

        Raises ScorerError for an unknown ruleset.
        """
        try:
            version = self.find_version(match.ruleset)
        except NoSuchRulesetError as failure:
            known_keys = ", ".join((*RULESETS, *(each.id for each in self.list_offered())))
            problem = message("game.unknown-ruleset", said=match.ruleset, known=known_keys)
            raise ScorerError((error("unknown-ruleset", problem),)) from failure
        key = self.pin_version(match.ruleset)
        text = version.text if version else ""
        return structs.replace(match, ruleset=key, rules_text=text)

    def copy(self, key: str, title: str, author: str = "", by: str = "") -> str:
        """Keep a copy of a ruleset under a title; return its id.

        Raises NoSuchRulesetError, TitleTakenError for a title that another has, and RulesetError.
        """
        version = self.find_version(key)
        text = version.text if version else load_builtin_text(key)
        stamped_text, origin = (
            stamp(text, title=title, author=author, version=1),
            self.pin_version(key),
        )
        read_new_ruleset(stamped_text)
        check_stamped_text(stamped_text)

        def attempt(kinds_seen: KindsSeen) -> str:
            known_rules = (*map(load_builtin, RULESETS), *(each.rules for each in self.list_all()))
            if fold_name(title) in {fold_name(to_english(each.title)) for each in known_rules}:
                raise TitleTakenError(title)
            return self._begin(RulesetSaved(1, stamped_text, origin=origin, by=by), kinds_seen)

        return append_if_unchanged(self._store, (RulesetSaved,), attempt)

    def keep_file(self, text: str, by: str = "") -> KeptFile:
        """Keep a file as it was edited or brought from another box.

        A file with the title of a ruleset becomes its next version, unless it says the same. Raises
        RulesetError with every fault, and nothing is kept.
        """
        text = tidy_custom_text(text)

        def attempt(kinds_seen: KindsSeen) -> KeptFile:
            title = fold_name(tidy_name(to_english(read_custom_ruleset(text).title)))
            known_ruleset = next((e for e in self.list_all() if fold_name(e.title) == title), None)
            return self._keep(
                self._next_version(text, known_ruleset), known_ruleset, kinds_seen, by
            )

        return append_if_unchanged(self._store, (RulesetSaved,), attempt)

    def keep_version(
        self, ruleset: str, text: str, seen: int, by: str = "", origin: str = ""
    ) -> KeptFile:
        """Keep a text as the next version of a ruleset, unless it says the same as the newest.

        `seen` is that of the ruleset when the text was made from it. Raises RulesetError with every
        fault, and ConcurrentChangeError if something has happened to the ruleset since.
        """
        text = tidy_custom_text(text)

        def attempt(read: KindsSeen) -> KeptFile:
            current = self.get(ruleset)
            event = self._next_version(text, current)
            if isinstance(event, RulesetSaved):
                event = structs.replace(event, origin=origin)
                if current.seen != seen:
                    raise OutdatedError(ruleset)
            return self._keep(event, current, read, by)

        return append_if_unchanged(self._store, (RulesetSaved,), attempt)

    def restore_version(self, ruleset: str, number: int, seen: int, by: str = "") -> KeptFile:
        """Keep an earlier version as the newest, unless the newest says the same.

        Raises NoSuchRulesetError, and what `keep_version` raises.
        """
        key = f"{ruleset}@{number}"
        version = self.find_version(key)
        if version is None:
            raise NoSuchRulesetError
        return self.keep_version(ruleset, version.text, seen, by, origin=key)

    def check_version(self, ruleset: str, text: str) -> None:
        """Raise RulesetError for a text that `keep_version` would refuse; keep nothing."""
        self._next_version(tidy_custom_text(text), self.get(ruleset))

    def _next_version(self, text: str, current: CustomRuleset | None) -> RulesetSaved | KeptFile:
        """Return the event that keeps a text as the next version of a ruleset.

        `current` is None for the first version of another ruleset. Returns the newest version if
        the text says the same. Raises RulesetError.
        """
        if current and _says_the_same(text, current.newest):
            return KeptFile(current.id, current.newest.number, is_new=False)
        other_titles = (
            each.title for each in self.list_all() if not current or each.id != current.id
        )
        rules, title = _read_named(text, other_titles)
        number = _next_number(text, rules, current.newest.number if current else 0)
        author = tidy_name(rules.author)[:MAX_TITLE_CHARS] or (
            current.rules.author if current else ""
        )
        stamped_text = stamp(text, title=title, author=author, version=number)
        check_stamped_text(stamped_text)
        return RulesetSaved(number, stamped_text)

    def _keep(
        self,
        event: RulesetSaved | KeptFile,
        current: CustomRuleset | None,
        kinds_seen: KindsSeen,
        by: str,
    ) -> KeptFile:
        """Keep the next version of a ruleset, or the first of another; offer it again."""
        if current and current.retired:
            self.bring_back(current.id, by)
            current = self.get(current.id)
        if isinstance(event, KeptFile):
            return event
        event = structs.replace(event, by=by)
        if current is None:
            return KeptFile(self._begin(event, kinds_seen), event.version, is_new=True)
        self._projector.add_after(RULESET + current.id, current.seen, event, kinds_seen)
        return KeptFile(current.id, event.version, is_new=True)

    def retire(self, ruleset: str, by: str = "") -> None:
        """Offer a ruleset no more; does nothing if that was done before."""
        self._offer(ruleset, RulesetRetired(by=by), is_retired=True)

    def bring_back(self, ruleset: str, by: str = "") -> None:
        """Offer a ruleset again; does nothing if it is offered."""
        self._offer(ruleset, RulesetReturned(by=by), is_retired=False)

    def _offer(
        self, ruleset: str, event: RulesetRetired | RulesetReturned, *, is_retired: bool
    ) -> None:
        def attempt(kinds_seen: KindsSeen) -> None:
            if self.get(ruleset).retired is not is_retired:
                self._projector.change(RULESET + ruleset, event, kinds_seen=kinds_seen)

        append_if_unchanged(self._store, (RulesetRetired, RulesetReturned), attempt)

    def _begin(self, event: RulesetSaved, kinds_seen: KindsSeen) -> str:
        """Keep the first version of a ruleset; return its id."""
        known_rows = self._store.with_event(RulesetSaved, limit=-1)
        ruleset = f"ours-{max(map(_number_in, known_rows), default=0) + 1}"
        self._projector.add_after(RULESET + ruleset, 0, event, kinds_seen)
        return ruleset


def _says_the_same(text: str, newest_version: RulesetVersion) -> bool:
    """Whether a text has the rules of a version; raise RulesetError for what was never taken."""
    read_custom_ruleset(text)
    return newest_version.digest == compute_digest(text)


def _next_number(text: str, rules: Ruleset, newest_number: int) -> int:
    """Return the number of the version after `newest_number`, 0 for none; raise RulesetError.

    A file from another box may be ahead, but not so far that numbers run out.
    """
    if rules.version > newest_number + MAX_VERSIONS_AHEAD:
        max_number = newest_number + MAX_VERSIONS_AHEAD
        figures = {"version": rules.version, "most": max_number, "newest": newest_number}
        raise _fault(text, "version", message("ruleset-file.version-jump", **figures))
    number = max(newest_number + 1, rules.version)
    if number > MAX_RULESET_VERSION:
        raise _fault(text, "version", message("ruleset-file.no-number-left", newest=newest_number))
    return number


def _read_named(text: str, other_titles: Iterable[str]) -> tuple[Ruleset, str]:
    """Return the ruleset in a text, and its title as it is shown.

    Raises RulesetError also for a title that forms cannot show, or that is one of the others.
    """
    rules = read_new_ruleset(text)
    title = tidy_name(to_english(rules.title))
    shipped_titles = (to_english(load_builtin(name).title) for name in RULESETS)
    if fold_name(title) in set(map(fold_name, (*shipped_titles, *other_titles))):
        raise _fault(text, "title", message("ruleset-file.title-taken"))
    if not 0 < len(title) <= MAX_TITLE_CHARS:
        raise _fault(text, "title", message("ruleset-file.title-length", most=MAX_TITLE_CHARS))
    return rules, title


def _fault(text: str, key: str, problem: Message) -> RulesetError:
    """Return the error of a value before the first heading, with its line."""
    return RulesetError(
        (error("wrong-value", at_line(find_lines(text).find_line((key,)), problem)),)
    )


def split_key(key: str) -> tuple[str, int]:
    """Return the id and the version in the key of a custom ruleset; raise NoSuchRulesetError."""
    key_parts = parse_custom_key(key)
    if key_parts is None:
        raise NoSuchRulesetError
    return key_parts


def _number_in(stream: str) -> int:
    return int(stream.rpartition("-")[2])


def _start_ruleset(envelope: Envelope[Event]) -> CustomRuleset:
    event = envelope.event
    if not isinstance(event, RulesetSaved):
        raise ValueError("a ruleset begins with its file")
    ruleset = envelope.stream.removeprefix(RULESET)
    return CustomRuleset(ruleset, (_version_from(event, envelope),), envelope.seq)


def _apply(ruleset: CustomRuleset, envelope: Envelope[Event]) -> CustomRuleset:
    match envelope.event:
        case RulesetSaved(version=number) as event if (
            number > ruleset.newest.number and not ruleset.retired
        ):
            version = _version_from(event, envelope)
            changed_ruleset = replace(ruleset, versions=(*ruleset.versions, version))
        case RulesetRetired() if not ruleset.retired:
            changed_ruleset = replace(ruleset, retired=True)
        case RulesetReturned() if ruleset.retired:
            changed_ruleset = replace(ruleset, retired=False)
        case _:
            raise ValueError("nothing of the kind happens to this ruleset")
    return replace(changed_ruleset, seen=envelope.seq)


def _version_from(event: RulesetSaved, envelope: Envelope[Event]) -> RulesetVersion:
    return RulesetVersion(event.version, event.text, envelope.at, event.by, event.origin)


CUSTOM_RULESETS = Projection("ruleset", _start_ruleset, _apply, NoSuchRulesetError)
"""Builds a custom ruleset from its events."""
