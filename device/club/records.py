"""Statistics of all finished matches, stored so that no page has to replay them."""

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
"""Increase this when the stored fields or their meaning change."""

AT_ONCE = 40
"""Limit per page request, because a Raspberry Pi needs seconds for these. The page reports how many
matches are left, and asks again."""

_SORT = "records"
"""The key under which statistics are also held in memory."""


class _Known(Struct, frozen=True, forbid_unknown_fields=True):
    of: dict[str, Extent]
    """The events it was computed from, by stream: those of the match and of its winning hands."""
    came: MatchCame


_KEPT = of_type("gave", FORM, _Known)


@dataclass(frozen=True, slots=True)
class ClubRecords:
    """The statistics of all finished matches."""

    matches: tuple[MatchCame, ...]
    """The oldest match first."""
    left: int = 0
    """Number of matches that are not computed yet."""

    @property
    def names(self) -> tuple[str, ...]:
        """All players, the most recent first."""
        every = (name for match in reversed(self.matches) for name in match.names)
        return tuple(dict.fromkeys(every))


def records(hands: HandRepository, at_once: int = AT_ONCE) -> ClubRecords:
    """Return statistics of finished matches, computing at most `at_once` new ones; 0 for all.

    A match with damaged events is left out and named in the log file.
    """
    store, matches = hands.store, MatchRepository(hands)
    begun = store.with_event(MatchBegun, limit=-1)
    held = cast(Mapping[str, _Known], store.derived.get(_SORT, {}))
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
    """Compute the statistics of a match; None for one that runs or is damaged."""
    # Read the extents first: an event written meanwhile then makes these statistics outdated.
    of = hands.store.extents([match])
    record = matches.get_if_whole(match)
    if record is None or not record.ended:
        return None
    return _Known(of | hands.store.extents(hands_behind(record)), came_of(record, hands))


def _believed(store: Store, kept: Mapping[str, _Known]) -> dict[str, _Known]:
    """Return the stored statistics whose events are still the newest in the log."""
    now = store.extents({stream for known in kept.values() for stream in known.of})
    return {
        match: known
        for match, known in kept.items()
        if all(now.get(stream) == extent for stream, extent in known.of.items())
    }
