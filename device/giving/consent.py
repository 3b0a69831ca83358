"""What the players agreed to share, replayed from the log, and the licences to choose from.

A hand may be shared if the answer was yes when its tiles were confirmed, and is yes now.
It stays here if it belongs, or may belong, to a player who opted out. Without an answer
nothing is shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from device.club.people import PeopleRepository
from device.hands.record import HandRecord
from device.i18n.names import fold_name
from device.matches.match import Match
from device.settings import append_to_box
from device.store import Store
from device.store.events import PictureSharingAnswered, PlayerKeptOut, TilesConfirmed


@dataclass(frozen=True, slots=True)
class Consent:
    """The players' answers and opt-outs."""

    answers: tuple[tuple[int, bool], ...] = ()
    """Every answer with its event number, oldest first."""
    kept_out: Mapping[str, str] = field(default_factory=dict)
    """Players who opted out: the folded name to the name as given."""
    names: frozenset[str] = frozenset()
    """All folded names that the club's register has for these people."""

    @property
    def latest_answer(self) -> bool | None:
        """Return the current answer; None before anybody was asked."""
        return self.answers[-1][1] if self.answers else None

    def covers(self, seq: int) -> bool:
        """Return whether the answer is yes, and was yes at the event with this number."""
        earlier_answers = [agreed for number, agreed in self.answers if number < seq]
        return bool(self.latest_answer and earlier_answers and earlier_answers[-1])

    def keeps(self, hand: HandRecord, match: Match | None) -> bool:
        """Return whether the hand belongs, or may belong, to a player who opted out.

        `match` is the hand's match; None if there is none or it cannot be replayed. The opt-out
        of a renamed player holds for either name. A hand of an unknown player may be anybody's.
        """
        if not hand.match or not self.names:
            return False
        if match is None:
            return True
        later_names = (now for old, now in match.renamed.items() if fold_name(old) in self.names)
        excluded_names = {*self.names, *map(fold_name, later_names)}
        players = (hand.player,) if hand.player else match.game.players
        return any(fold_name(player) in excluded_names for player in players)


class GivingLog:
    """Reads and records the answers and opt-outs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._people = PeopleRepository(store)

    def read(self) -> Consent:
        """Return the current consent."""
        answers = tuple(
            (e.seq, e.event.agreed) for e in self._store.of_kinds(PictureSharingAnswered)
        )
        names_by_key: dict[str, str] = {}
        for kind in self._store.of_kinds(PlayerKeptOut):
            names_by_key.pop(fold_name(kind.event.name), None)
            if kind.event.kept_out:
                names_by_key[fold_name(kind.event.name)] = kind.event.name
        register = self._people.register()
        names = (
            name for kept in names_by_key.values() for name in register.find_person(kept).names
        )
        return Consent(answers, names_by_key, frozenset(map(fold_name, names)))

    def answer(self, *, is_agreed: bool) -> None:
        """Record the players' answer, unless it is the current one."""
        if self.read().latest_answer is not is_agreed:
            append_to_box(self._store, PictureSharingAnswered(is_agreed))

    def keep_out(self, name: str, *, is_kept_out: bool) -> None:
        """Record that a player opts out or back in, unless that is so already."""
        before = self.read()
        if is_kept_out and fold_name(name) not in before.names:
            append_to_box(self._store, PlayerKeptOut(name, kept_out=True))
        for each in () if is_kept_out else self._people.register().find_person(name).names:
            if fold_name(each) in before.kept_out:
                append_to_box(self._store, PlayerKeptOut(each, kept_out=False))


def confirmation_number(hand: HandRecord) -> int | None:
    """Return the number of the event that confirmed all tiles; None without one."""
    confirmations = (each.seq for each in hand.changes if each.kind == TilesConfirmed.kind)
    return max(confirmations, default=None) if hand.tiles_right else None


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence for pictures and labels."""

    spdx: str
    """Its SPDX identifier."""
    name: str
    url: str
    """The address of its full text."""
    means: str
    """A summary in one sentence, without legal force."""

    def page(self) -> str:
        """Return the LICENSE file."""
        return (
            f"SPDX-License-Identifier: {self.spdx}\n\n"
            "The pictures and labels in this folder are given by the players whose tiles they "
            f"show,\nunder: {self.name}\n{self.url}\n\nIn short, and not in place of that text:\n"
            f"{self.means}\n"
        )


_CREATIVE_COMMONS_URL = "https://creativecommons.org"

LICENCES: Mapping[str, Licence] = MappingProxyType(
    {
        "cc0": Licence(
            "CC0-1.0",
            "Creative Commons Zero 1.0 Universal",
            f"{_CREATIVE_COMMONS_URL}/publicdomain/zero/1.0/legalcode",
            "Anybody may use them for anything and need not say where they are from.",
        ),
        "cc-by": Licence(
            "CC-BY-4.0",
            "Creative Commons Attribution 4.0 International",
            f"{_CREATIVE_COMMONS_URL}/licenses/by/4.0/legalcode",
            "Anybody may use them for anything who says where they are from.",
        ),
        "cc-by-sa": Licence(
            "CC-BY-SA-4.0",
            "Creative Commons Attribution-ShareAlike 4.0 International",
            f"{_CREATIVE_COMMONS_URL}/licenses/by-sa/4.0/legalcode",
            "Anybody may use them for anything who says where they are from, and who gives on what "
            "is made of them\nunder the same licence.",
        ),
        "cc-by-nc": Licence(
            "CC-BY-NC-4.0",
            "Creative Commons Attribution-NonCommercial 4.0 International",
            f"{_CREATIVE_COMMONS_URL}/licenses/by-nc/4.0/legalcode",
            "Anybody may use them who says where they are from, but not to earn money.",
        ),
    }
)
"""The licences by their word on the command line."""
