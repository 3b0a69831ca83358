"""A second reading of docs/special-hands.md: every way to place a hand's tiles in a pattern.

It shares nothing with `scorer.patterns` and `scorer.special`. Slow and plain on purpose: each
choice of suits and ranks is tried, within it each way to give the sets on the table a place, and
within that each way to put the other tiles in the places that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from scorer.hand import Hand
from tests.scorer.oracle.bmja_bonus import bonus_apart, group_points
from tests.scorer.oracle.bmja_oracle import ordinary_loser, ordinary_winner
from tests.scorer.oracle.groups import HONOURS, PLAYING_CODES, SUIT_TILES, TERMINALS, Group, shapes
from tests.scorer.oracle.patterns import choices_of_letters, named_suits, needs_of
from tests.scorer.oracle.table import (
    FROM_LIVE_WALL,
    Reading,
    fault,
    fixed_groups,
    has_won_by,
    holds_winning_tile,
    may_be_claimed,
    standard_readings,
)
from tests.scorer.oracle.verdict import Claim, Verdict, best_of, refuse

Codes = tuple[str, ...]
Need = tuple[Codes, Codes]
"""A place in the hand: the kinds of group that it may be, and its tiles."""

SIZES = {"tile": 1, "pair": 2, "couple": 2, "triplet": 3, "chow": 3, "pung": 3, "kong": 4}
SHAPES = {"couple": "knit-pair", "triplet": "knit-triplet"}
GROUP_NAMES = {"knit-pair": "couple", "knit-triplet": "triplet"}
MAX_MISSING = 6


@dataclass(frozen=True, slots=True)
class OwnHand:
    """A special hand of a ruleset's file."""

    pattern: str
    concealed: bool = False
    claim: str = "any"
    value: int = 0
    fishing: int = 0
    doubles: int = 0


@dataclass(frozen=True, slots=True)
class Places:
    """One choice of suits and ranks: the places in the hand, and the suits that must occur."""

    needs: tuple[Need, ...]
    suits: frozenset[str]


@lru_cache(maxsize=64)
def readings_of(pattern: str) -> tuple[Places, ...]:
    """Return every different choice of suits and ranks, of each version."""
    readings = dict[Places, None]()
    for version in pattern.split(";"):
        for letters in choices_of_letters(version):
            needs = needs_of(version, letters)
            if needs is not None:
                in_order = sorted(
                    ((tuple(sorted(k)), tuple(sorted({*t}))) for k, t in needs),
                    key=lambda need: (len(need[1]), need),
                )
                suits = frozenset(named_suits(version, letters))
                readings[Places(tuple(in_order), suits)] = None
    return tuple(readings)


@cache
def is_of_sets(pattern: str) -> bool:
    """Return whether it is four sets, none of which must be a chow, and a pair."""
    return all(
        len(each.needs) == 5
        and sum(kinds == ("pair",) for kinds, _ in each.needs) == 1
        and sum({*kinds} <= {"chow", "pung", "kong"} for kinds, _ in each.needs) == 4
        and all(kinds != ("chow",) for kinds, _ in each.needs)
        for each in readings_of(pattern)
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """A hand as it lies, when it is settled which set the winning tile was claimed for."""

    fixed_sets: tuple[Group, ...]
    own: Codes
    is_early: bool
    """Whether a set was exposed before the winning tile."""
    last: str
    """The winning tile where it lies in the player's own tiles, else empty."""
    claimed_set: Group | None = None
    """The set on the table that the claimed tile completed."""


def ways_to_lie(pattern: str, hand: Hand) -> Iterator[Layout]:
    """Yield what may have been claimed last.

    Where the hand is not four sets and a pair, tiles laid down with the claimed one may be part of
    anything: three where three can belong together, else two.
    """
    longest = longest_claim(pattern)
    kongs = tuple(Group("kong", codes, codes) for codes in hand.declared_kongs)
    concealed = tuple(sorted(hand.concealed))
    is_claimed, last = may_be_claimed(hand), hand.winning_tile or ""
    if not last or last in concealed or not hand.winner:
        sets = fixed_groups(hand)
        if sets is not None and all(group.kind != "pair" for group in sets):
            yield Layout(sets, concealed, bool(hand.exposed), last)
    if not is_claimed:
        return
    for place, codes in enumerate(hand.exposed):
        if len(codes) == 4 or (last and last not in codes):
            continue
        other_sets = hand.exposed[:place] + hand.exposed[place + 1 :]
        sets = fixed_groups(replace(hand, exposed=other_sets, declared_kongs=()))
        if sets is None or any(group.kind == "pair" for group in sets):
            continue
        if len(codes) <= longest and not is_of_sets(pattern):
            yield Layout(
                (*sets, *kongs), tuple(sorted((*concealed, *codes))), bool(other_sets), last
            )
        single_set = fixed_groups(replace(hand, exposed=(codes,), declared_kongs=()))
        if single_set:
            yield Layout(
                (*sets, *single_set, *kongs), concealed, bool(other_sets), "", single_set[0]
            )


@cache
def longest_claim(pattern: str) -> int:
    """Return how many tiles a claim may complete: a group or a run of three, or else two."""
    runs = {group for tile in SUIT_TILES for group in groups_with(tile, "chow")}
    threes = [*runs, *((tile,) * 3 for tile in PLAYING_CODES)]
    for reading in readings_of(pattern):
        if any(SIZES[kind] >= 3 for kinds, _ in reading.needs for kind in kinds):
            return 3
        single = [tiles for kinds, tiles in reading.needs if kinds == ("tile",)]
        if any(_find_places(three, single) for three in threes):
            return 3
    return 2


def _find_places(claim_tiles: Codes, places: Sequence[Codes]) -> bool:
    if not claim_tiles:
        return True
    return any(
        claim_tiles[0] in tiles and _find_places(claim_tiles[1:], [*places[:at], *places[at + 1 :]])
        for at, tiles in enumerate(places)
    )


def is_made(own_hand: OwnHand, hand: Hand, chows: int) -> bool:
    """Return whether a winner's hand is this special hand; an ordinary one may have these chows."""
    last = hand.winning_tile or ""
    is_claimed = may_be_claimed(hand)
    if is_claimed and own_hand.claim == "none":
        return False
    if is_claimed and own_hand.claim == "terminal" and last in SUIT_TILES and last not in TERMINALS:
        return False
    return any(
        not (own_hand.concealed and lie.is_early) and _is_placed(own_hand, lie, hand, chows)
        for lie in ways_to_lie(own_hand.pattern, hand)
    )


def _is_placed(own_hand: OwnHand, lie: Layout, hand: Hand, chows: int) -> bool:
    of_sets = is_of_sets(own_hand.pattern)
    chows = chows if of_sets else 99
    of_pair = own_hand.claim == "pair" and may_be_claimed(hand)
    if of_pair and lie.claimed_set and lie.claimed_set.kind != "pair":
        return False
    for reading in readings_of(own_hand.pattern):
        tiles = [*lie.own, *(tile for group in lie.fixed_sets for tile in group.tiles)]
        if not reading.suits <= {tile[0] for tile in tiles}:
            continue
        for left, used in places_left(reading.needs, lie.fixed_sets):
            if used <= chows and _place_last(lie, left, of_sets, chows - used, of_pair):
                return True
    return False


def _place_last(
    lie: Layout, needs: tuple[Need, ...], kongs: bool, chows: int, of_pair: bool
) -> bool:
    """Return whether the tiles have places, the last one not in a kong: a loose tile follows it."""
    if not lie.last:
        return can_place(lie.own, needs, kongs, chows)
    for place, (kinds, tiles) in enumerate(needs):
        for kind in {"pair"}.intersection(kinds) if of_pair else {*kinds} - {"kong"}:
            for group in groups_with(lie.last, kind):
                if {*group} <= {*tiles} and not Counter(group) - Counter(lie.own):
                    rest = tuple(sorted((Counter(lie.own) - Counter(group)).elements()))
                    other_needs = needs[:place] + needs[place + 1 :]
                    chows_left = chows - (kind == "chow")
                    if chows_left >= 0 and can_place(rest, other_needs, kongs, chows_left):
                        return True
    return False


def most_chows(hand: Hand) -> int:
    """Return how many chows an ordinary hand may have."""
    return 1 if hand.players >= 4 else 0


def places_left(
    needs: tuple[Need, ...], fixed_sets: Sequence[Group]
) -> Iterator[tuple[tuple[Need, ...], int]]:
    """Yield the places left when each set on the table has one, and the chows that chose to be."""
    if not fixed_sets:
        yield needs, 0
        return
    first = fixed_sets[0]
    for place, (kinds, tiles) in enumerate(needs):
        if GROUP_NAMES.get(first.kind, first.kind) in kinds and {*first.tiles} <= {*tiles}:
            for left, chows in places_left(needs[:place] + needs[place + 1 :], fixed_sets[1:]):
                yield left, chows + (first.kind == "chow")


@lru_cache(maxsize=20_000)
def can_place(concealed: Codes, needs: tuple[Need, ...], kongs: bool, chows: int) -> bool:
    """Return whether the tiles fill these places, with none left over.

    Four alike that nobody declared are a kong only in a hand of four sets and a pair.
    """
    if not concealed:
        return not needs
    first = concealed[0]
    for place, (kinds, tiles) in enumerate(needs):
        if first not in tiles or needs[place] in needs[:place]:
            continue
        for kind in kinds:
            if (kind == "kong" and not kongs) or (kind == "chow" and not chows):
                continue
            for group in groups_with(first, kind):
                if {*group} <= {*tiles} and not Counter(group) - Counter(concealed):
                    rest = tuple(sorted((Counter(concealed) - Counter(group)).elements()))
                    other_needs = needs[:place] + needs[place + 1 :]
                    if can_place(rest, other_needs, kongs, chows - (kind == "chow")):
                        return True
    return False


@cache
def groups_with(tile: str, kind: str) -> tuple[Codes, ...]:
    """Return every group of a kind that holds this tile."""
    if kind == "tile":
        return ((tile,),)
    return tuple(tuple(sorted(group)) for group in shapes(tile, SHAPES.get(kind, kind)))


@cache
def groups_of(kind: str, tiles: Codes) -> tuple[Codes, ...]:
    """Return every group of a kind among these tiles."""
    groups = {group for tile in tiles for group in groups_with(tile, kind)}
    return tuple(sorted(group for group in groups if {*group} <= {*tiles}))


class OutOfStepsError(Exception):
    """The search for what is missing took too long."""


class Shortfall:
    """The search for the fewest tiles that a hand lacks, by trying every way to fill each place."""

    def __init__(
        self, own_hand: OwnHand, hand: Hand, extra_tiles: Codes = (), steps: int = 40_000
    ) -> None:
        self.hand, self.steps = hand, steps
        self.own = Counter((*hand.concealed, *extra_tiles))
        self.laid = Counter(tile for codes in hand.sets_on_table for tile in codes)
        self.starts = list[tuple[tuple[Need, ...], Codes, int, frozenset[str]]]()
        fixed_sets = fixed_groups(hand) or ()
        if own_hand.concealed and hand.exposed:
            return
        max_chows = most_chows(hand) if is_of_sets(own_hand.pattern) else 99
        for reading in readings_of(own_hand.pattern):
            for left, grown_tiles, chows in self._lay(reading.needs, fixed_sets):
                if chows <= max_chows:
                    suits = reading.suits - {tile[0] for tile in self.laid}
                    self.starts.append((left, grown_tiles, max_chows - chows, suits))

    def _lay(
        self, needs: tuple[Need, ...], fixed_sets: Sequence[Group]
    ) -> Iterator[tuple[tuple[Need, ...], Codes, int]]:
        """Yield the places left, the tiles that pungs lack to be kongs (K07), and the chows."""
        if not fixed_sets:
            yield needs, (), 0
            return
        first, rest = fixed_sets[0], fixed_sets[1:]
        for place, (kinds, tiles) in enumerate(needs):
            if not {*first.tiles} <= {*tiles}:
                continue
            other_needs = needs[:place] + needs[place + 1 :]
            grows = first.kind == "pung" and kinds == ("kong",)
            if first.kind in kinds or grows:
                for left, grown_tiles, chows in self._lay(other_needs, rest):
                    yield (
                        left,
                        (*first.tiles[:1], *grown_tiles) if grows else grown_tiles,
                        chows + (first.kind == "chow"),
                    )

    def find_minimum(self, maximum: int = MAX_MISSING) -> int | None:
        """Return how many tiles are missing at least; None when more than `maximum` are.

        Raises OutOfStepsError, with the number that are missing at least.
        """
        for budget in range(maximum + 1):
            try:
                if any(self._is_within(start, budget) for start in self.starts):
                    return budget
            except OutOfStepsError:
                raise OutOfStepsError(budget) from None
        return None

    def _is_within(
        self, start: tuple[tuple[Need, ...], Codes, int, frozenset[str]], maximum: int
    ) -> bool:
        needs, grown_tiles, chows, suits = start
        used_counts = Counter(grown_tiles)
        return self._fill(needs, used_counts, chows, suits, maximum, ())

    def _fill(
        self,
        needs: tuple[Need, ...],
        used_counts: Counter[str],
        chows: int,
        suits: frozenset[str],
        maximum: int,
        after: Codes,
    ) -> bool:
        self.steps -= 1
        if self.steps < 0:
            raise OutOfStepsError
        if any(count + self.laid[tile] > 4 for tile, count in used_counts.items()):
            return False
        missing_count = (used_counts - self.own).total()
        spare = self.own - used_counts
        faces = {tile for _, tiles in needs for tile in tiles}
        due = sum(min(SIZES[kind] for kind in kinds) for kinds, _ in needs)
        useful = sum(count for tile, count in spare.items() if tile in faces)
        if missing_count + max(due - useful, 0) > maximum:
            return False
        if not needs:
            return suits <= {tile[0] for tile in used_counts}
        kinds, tiles = needs[0]
        is_repeated = len(needs) > 1 and needs[1] == needs[0]
        for kind in kinds:
            if kind == "chow" and not chows:
                continue
            if kind == "kong" and "pung" in kinds:
                continue  # it would need one tile more
            for group in groups_of(kind, tiles):
                if group >= after and self._fill(
                    needs[1:],
                    used_counts + Counter(group),
                    chows - (kind == "chow"),
                    suits,
                    maximum,
                    group if is_repeated and len(kinds) == 1 else (),
                ):
                    return True
        return False


def verdict(owns: Sequence[OwnHand], hand: Hand) -> Verdict:
    """Return what a hand scores under the British rules with these special hands alone."""
    wrong = fault(hand)
    if wrong:
        return refuse(wrong)
    if hand.winner:
        if not holds_winning_tile(hand):
            return refuse("winning-tile")
        claims = list(_winner_claims(owns, hand))
    else:
        fixed_sets = fixed_groups(hand, ("chow", "pung", "kong"))
        if fixed_sets is None:
            return refuse("no-set")
        claims = [*ordinary_loser(hand, fixed_sets), *_fishing_claims(owns, hand)]
    if not claims:
        return refuse("not-complete")
    best, total = best_of(claims, hand.limit)
    return Verdict(total, None, best.how)


def _winner_claims(owns: Sequence[OwnHand], hand: Hand) -> Iterator[Claim]:
    readings = list(standard_readings(hand, most_chows(hand)))
    for reading in readings:
        yield ordinary_winner(hand, reading)
    for own_hand in owns:
        if own_hand.value and is_made(own_hand, hand, most_chows(hand)):
            yield Claim(
                own_hand.value + bonus_apart(hand, own_hand.value < 1000), 0, own_hand.pattern
            )
        for reading in readings if own_hand.doubles else ():
            if reading_is(own_hand, hand, reading):
                basic = 20 + sum(group_points(hand, group) for group in reading.groups)
                basic += 2 if has_won_by(hand, FROM_LIVE_WALL) else 0
                points = basic * 2**own_hand.doubles + bonus_apart(hand, True)
                yield Claim(
                    points, own_hand.doubles, f"{own_hand.pattern}: {basic} x 2^{own_hand.doubles}"
                )


def reading_is(own_hand: OwnHand, hand: Hand, reading: Reading) -> bool:
    """Return whether these very sets are of the pattern, and lie and were won as it allows."""
    groups = reading.groups
    suits = {tile[0] for group in groups for tile in group.tiles} - {tile[0] for tile in HONOURS}
    if not any(
        each.suits <= suits and any(not left for left, _ in places_left(each.needs, groups))
        for each in readings_of(own_hand.pattern)
    ):
        return False
    exposed_groups = [group for group in groups if group.exposed]
    if not may_be_claimed(hand):
        return not (own_hand.concealed and exposed_groups)
    last = hand.winning_tile
    by_claim = [group for group in exposed_groups if group.kind != "kong" and group.holds(last)]
    by_claim = [g for g in reading.own if g.exposed] or by_claim
    if own_hand.concealed and len(exposed_groups) > 1:
        return False
    if own_hand.claim == "pair":
        return any(group.kind == "pair" for group in by_claim)
    return own_hand.claim == "any"


def completing(owns: Sequence[OwnHand], hand: Hand) -> Iterator[tuple[str, Hand]]:
    """Yield each tile of which the player holds fewer than four, and the hand won with it."""
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    if len(hand.tiles) != 13 + kongs:
        return
    for tile in PLAYING_CODES:
        if hand.tiles.count(tile) < 4:
            win = replace(hand, winner=True, won_by=("wall",), winning_tile=tile)
            yield tile, replace(win, concealed=(*hand.concealed, tile))


def _fishing_claims(owns: Sequence[OwnHand], hand: Hand) -> Iterator[Claim]:
    for tile, complete_hand in completing(owns, hand):
        for own_hand in owns:
            if own_hand.fishing and is_made(own_hand, complete_hand, most_chows(hand)):
                points = own_hand.fishing + bonus_apart(hand, False)
                yield Claim(points, 0, f"fishing {own_hand.pattern} with {tile}")
            for reading in (
                standard_readings(complete_hand, most_chows(hand)) if own_hand.doubles else ()
            ):
                if reading_is(own_hand, complete_hand, reading):
                    yield _short_of(own_hand, hand, reading, tile)


def _short_of(own_hand: OwnHand, hand: Hand, reading: Reading, tile: str) -> Claim:
    """Return the sets that stand without the tile, doubled; what is left of its set may be one."""
    basic = 0
    for broken_group in reading.own:
        if broken_group.holds(tile):
            rest = [group for group in reading.groups if group is not broken_group]
            points = sum(group_points(hand, group) for group in rest)
            kind = {"kong": "pung", "pung": "pair"}.get(broken_group.kind)
            if kind:
                left = broken_group.tiles[1:]
                points += group_points(hand, Group(kind, left, left))
            basic = max(basic, points)
    points = basic * 2**own_hand.doubles + bonus_apart(hand, False)
    return Claim(
        points, own_hand.doubles, f"fishing {own_hand.pattern} {basic} x 2^{own_hand.doubles}"
    )


def waits(owns: Sequence[OwnHand], hand: Hand) -> dict[str, int]:
    """Return the tiles that complete a hand, and what it scores with each."""
    totals = ((tile, verdict(owns, done).total) for tile, done in completing(owns, hand))
    return {tile: total for tile, total in totals if total is not None}
