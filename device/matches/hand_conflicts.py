"""Find hands of a deal that cannot all be right.

Together they may hold more of a tile than a set has (BMJA-T04); `propose_mends` suggests which
tiles were misread. Or a photograph was used before in the match, so it cannot show another hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from device.hands.manual_entry import count_tiles
from device.hands.misreading import list_other_readings, with_tile
from device.hands.record import HandPhoto, HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import find_total, is_miscounted
from device.matches.match import DealState, Match
from device.matches.seats import DealHands
from scorer.tiles import BY_CODE, copies_in_set

HandsByPlayer = Mapping[str, HandRecord]
"""The hands of a deal by player."""


@dataclass(frozen=True, slots=True)
class ExcessTile:
    """A tile that the hands hold more often than a set has it."""

    code: str
    by_player: Mapping[str, int]

    @property
    def excess(self) -> int:
        """Number of tiles above what a set has."""
        return sum(self.by_player.values()) - copies_in_set(BY_CODE[self.code])


def counted_hands(match: Match, records: DealHands) -> HandsByPlayer:
    """Return the hands of the current deal whose tiles count; typed scores have no tiles."""
    counting_hands = (
        (player, records.get(given.hand))
        for player, given in match.deal.hands.items()
        if given.hand and given.typed is None and not given.others
    )
    return {player: record for player, record in counting_hands if record}


def find_excess_tiles(records: HandsByPlayer) -> tuple[ExcessTile, ...]:
    """Return the tiles that these hands hold too often, in catalogue order."""
    by_player = {player: count_tiles(record) for player, record in records.items()}
    tile_counts = sum(by_player.values(), Counter[str]())
    return tuple(
        ExcessTile(code, {player: own[code] for player, own in by_player.items() if own[code]})
        for code, tile in BY_CODE.items()
        if code in tile_counts and tile_counts[code] > copies_in_set(tile)
    )


def is_possible(record: HandRecord) -> bool:
    """Whether a hand has a score and the right number of tiles."""
    return find_total(record) is not None and not is_miscounted(record)


def total_tiles(records: HandsByPlayer, players: Collection[str]) -> int | None:
    """Return how many tiles all these players hold together.

    None if a hand is missing or invalid, or if there are too many of a tile.
    """
    if not players or records.keys() < set(players) or find_excess_tiles(records):
        return None
    if not all(is_possible(records[player]) for player in players):
        return None
    return sum(count_tiles(records[player]).total() for player in players)


MAX_MENDED_TILES = 2
"""Tiles that one suggestion changes. If more are wrong, a whole hand is wrong."""

MAX_PROPOSED_MENDS = 3
"""Suggestions that are shown."""

MAX_GUESSES_TRIED, MAX_MENDS_TRIED = 30, 400
"""The likeliest single changes, and combinations of them, that are tried."""


@dataclass(frozen=True, slots=True)
class TileChange:
    """A tile that may be another one."""

    player: str
    place: int
    """Its position in the hand."""
    was: str
    code: str
    """The likely tile."""


@dataclass(frozen=True, slots=True)
class _Guess:
    change: TileChange
    chance: float
    """Logarithm of how much likelier this tile is than the current one."""


TileMend = tuple[TileChange, ...]


def propose_mends(records: HandsByPlayer) -> tuple[TileMend, ...]:
    """Return the likeliest changes after which no face occurs too often.

    Too many of a face says that a tile is wrong, but not which. The reading keeps other chances for
    each tile. Of all changes to as few tiles as possible, the likeliest come first. After a change
    the hands must fit one set of tiles, and every valid hand must stay valid.

    All suggestions change the same tiles. Empty if nothing needs changing, or no reading supports a
    change.
    """
    wrong = find_excess_tiles(records)
    if not wrong or sum(each.excess for each in wrong) > MAX_MENDED_TILES:
        return ()
    crowded_codes, deal = {each.code for each in wrong}, _DealHands(records)
    guesses = sorted(_guesses(records, crowded_codes), key=lambda guess: -guess.chance)[
        :MAX_GUESSES_TRIED
    ]
    for size in range(1, MAX_MENDED_TILES + 1):
        ways = sorted(combinations(guesses, size), key=lambda way: -sum(g.chance for g in way))
        candidate_mends = (tuple(guess.change for guess in way) for way in ways[:MAX_MENDS_TRIED])
        possible = (way for way in candidate_mends if deal.is_possible_with(way))
        best = next(possible, None)
        if best:
            equal_mends = (way for way in possible if _places(way) == _places(best))
            return (best, *islice(equal_mends, MAX_PROPOSED_MENDS - 1))
    return ()


def _places(way: TileMend) -> set[tuple[str, int]]:
    return {(each.player, each.place) for each in way}


def apply_changes(records: HandsByPlayer, changes: Sequence[TileChange]) -> dict[str, HandRecord]:
    """Return the hands with these changes applied."""
    after = dict(records)
    for each in changes:
        after[each.player] = with_tile(after[each.player], each.place, each.code)
    return after


class _DealHands:
    """The hands of a deal, with cached tile counts of changed hands."""

    def __init__(self, records: HandsByPlayer) -> None:
        self._records = records
        self._counts_by_change: dict[tuple[str, TileMend], Counter[str]] = {}

    def is_possible_with(self, way: TileMend) -> bool:
        """Whether one set of tiles holds all changed hands, and each valid hand stays valid."""
        if len(_places(way)) < len(way):
            return False
        changes_by_player = {
            player: tuple(c for c in way if c.player == player) for player in self._records
        }
        counts = sum(
            (self._count_tiles(player, each) for player, each in changes_by_player.items()),
            Counter(),
        )
        if any(
            count > copies_in_set(BY_CODE[code])
            for code, count in counts.items()
            if code in BY_CODE
        ):
            return False
        return all(
            self._stays_possible(player, each) for player, each in changes_by_player.items() if each
        )

    def _count_tiles(self, player: str, changes: TileMend) -> Counter[str]:
        if (player, changes) not in self._counts_by_change:
            self._counts_by_change[player, changes] = count_tiles(
                apply_changes(self._records, changes)[player]
            )
        return self._counts_by_change[player, changes]

    def _stays_possible(self, player: str, changes: TileMend) -> bool:
        after = apply_changes(self._records, changes)[player]
        return is_possible(after) or not is_possible(self._records[player])


def _guesses(records: HandsByPlayer, crowded_codes: set[str]) -> Iterator[_Guess]:
    """Yield the other readings of each tile with a crowded face."""
    for player, record in records.items():
        for other in list_other_readings(record):
            if other.was in crowded_codes and other.code not in crowded_codes:
                change = TileChange(player, other.place, other.was, other.code)
                yield _Guess(change, other.odds)


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
                yield from ((hand, photo) for photo in (record.photo, *record.added_photos))


def find_duplicates(match: Match, records: DealHands) -> tuple[DuplicatePhoto, ...]:
    """Return the photographs of the current deal that were used before."""
    duplicates: dict[str, DuplicatePhoto] = {}
    for player, hand in _counted_hands(match.deal).items():
        record = records.get(hand)
        photos = (record.photo, *record.added_photos) if record and record.photo else ()
        for photo in photos:
            place = match.place_of(photo.met) if photo.met else None
            if place and _counted_hands(place[1]).get(place[2]) == photo.met:
                number = place[0].number if place[1] is not match.deal else None
                # hands in one photograph of the whole table are reported once
                photo_key = (
                    photo.original if record and record.is_of_table else hand + photo.original
                )
                duplicates.setdefault(photo_key, DuplicatePhoto(player, place[2], number))
    return tuple(duplicates.values())


def _counted_hands(state: DealState) -> dict[str, str]:
    """Return the hands whose tiles count, by player: no typed or undecided scores."""
    return {
        player: given.hand
        for player, given in state.hands.items()
        if given.hand and given.typed is None and not given.others
    }
