"""Find photographs in a match that were used before: they cannot show another hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.hands.record import HandPhoto
from device.hands.repository import HandRepository
from device.matches.match import DealState, Match
from device.matches.seats import DealHands


@dataclass(frozen=True, slots=True)
class DuplicatePhoto:
    """A photograph of the current deal that was already given for a hand."""

    player: str
    """The player for whom it is given now."""
    other: str
    """The player for whom it was given before."""
    deal: int | None
    """Number of the settled deal in which that was; None for the current deal."""


def counted_photos(match: Match, hands: HandRepository) -> Iterator[tuple[str, HandPhoto]]:
    """Yield the photographs that count in a match with their hands' ids, newest first."""
    for state in (match.deal, *(past.state for past in reversed(match.past))):
        for hand in _counted_hands(state).values():
            record = hands.by_itself_if_whole(hand)
            if record and record.photo:
                yield from ((hand, photo) for photo in (record.photo, *record.added))


def find_duplicates(match: Match, records: DealHands) -> tuple[DuplicatePhoto, ...]:
    """Return the photographs of the current deal that were used before."""
    found: dict[str, DuplicatePhoto] = {}
    for player, hand in _counted_hands(match.deal).items():
        record = records.get(hand)
        photos = (record.photo, *record.added) if record and record.photo else ()
        for photo in photos:
            place = match.place_of(photo.met) if photo.met else None
            if place and _counted_hands(place[1]).get(place[2]) == photo.met:
                number = place[0].number if place[1] is not match.deal else None
                # hands in one photograph of the whole table are reported once
                once = photo.original if record and record.is_of_table else hand + photo.original
                found.setdefault(once, DuplicatePhoto(player, place[2], number))
    return tuple(found.values())


def _counted_hands(state: DealState) -> dict[str, str]:
    """Return the hands whose tiles count, by player: no typed or undecided scores."""
    return {
        player: given.hand
        for player, given in state.hands.items()
        if given.hand and given.typed is None and not given.others
    }
