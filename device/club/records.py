"""What matches that are over gave, kept so that no page need replay them.

Of a match it is believed only as long as the log has the very same events of it and of the hands
that won its deals: a correction of an old deal, or of a tile in it, shows at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from msgspec import Struct

from device.club.came_of import MatchCame, came_of, hands_behind
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.derived import KeptRecord, of_type
from device.store.envelopes import Extent
from device.store.events import MatchBegun

FORM = 1
"""Grows when what is kept changes, or what it means."""

AT_ONCE = 40
"""Matches that one page works out: a Raspberry Pi takes some seconds. A box that has years of them
when it is first asked says how many are left, and the page asks again."""

_SORT = "records"
"""Under which they are remembered as well."""


class _Known(Struct, frozen=True, forbid_unknown_fields=True):
    of: dict[str, Extent]
    """The events that it is derived from, by stream: of the match and of hands."""
    came: MatchCame


_KEPT = of_type("gave", FORM, _Known)


@dataclass(frozen=True, slots=True)
class ClubRecords:
    """What the matches that are over gave."""

    matches: tuple[MatchCame, ...]
    """The first that was begun first."""
    left: int = 0
    """How many are still to be worked out."""

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who has played, who played last first."""
        every = (name for match in reversed(self.matches) for name in match.names)
        return tuple(dict.fromkeys(every))


def records(hands: HandRepository, at_once: int = AT_ONCE) -> ClubRecords:
    """Return what the matches that are over gave, working out so many at most; 0 for all.

    One whose events make no sense is told in the log file, and left out.
    """
    store, matches = hands.store, MatchRepository(hands)
    begun = store.with_event(MatchBegun, limit=-1)
    held = cast("Mapping[str, _Known]", store.derived.get(_SORT, {}))
    kept = _KEPT.read(store.log, (each for each in begun if each not in held))
    known = _believed(store, {**held, **{match: each.record for match, each in kept.items()}})
    found = {match: each.came for match, each in known.items()}
    fresh: dict[str, _Known] = {}
    left = 0
    running = {match.id for match in matches.all_on()}
    for match in begun:
        if match in known or match in running:
            continue
        if at_once and len(fresh) >= at_once:
            left += 1
        elif made := _worked_out(match, matches, hands):
            fresh[match], found[match] = made, made.came
    store.derived[_SORT] = {**known, **fresh}
    if fresh:
        _KEPT.write(
            store.log, {of: KeptRecord(made.of[of].last, made) for of, made in fresh.items()}
        )
    return ClubRecords(tuple(found[each] for each in reversed(begun) if each in found), left)


def _worked_out(match: str, matches: MatchRepository, hands: HandRepository) -> _Known | None:
    """Return what a match gave; None for one that goes on, or is torn."""
    # What the log has is looked at first: what is written meanwhile makes it be worked out anew.
    of = hands.store.extents([match])
    record = matches.get_if_whole(match)
    if record is None or not record.ended:
        return None
    return _Known(of | hands.store.extents(hands_behind(record)), came_of(record, hands))


def _believed(store: Store, kept: Mapping[str, _Known]) -> dict[str, _Known]:
    """Return what is kept of matches where these are the log's events to the last."""
    now = store.extents({stream for known in kept.values() for stream in known.of})
    return {
        match: known
        for match, known in kept.items()
        if all(now.get(stream) == extent for stream, extent in known.of.items())
    }
