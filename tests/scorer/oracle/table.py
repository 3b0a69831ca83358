"""A hand as the oracles see it: wild tiles marked, sets on the table read, claims tried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorer.hand import Hand
from tests.scorer.oracle.groups import (
    BONUS,
    PLAYING_CODES,
    STANDARD,
    WILD,
    Group,
    laid_group,
    partitions,
)

CLAIMS = {"discard", "last-discard", "earth", "robbed-kong"}
FROM_LIVE_WALL = {"wall", "last-tile"}
FROM_KONG_BOX = {"loose", "kong-of-kong"}
PLACES = (
    FROM_LIVE_WALL,
    FROM_KONG_BOX,
    {"discard", "last-discard", "earth"},
    {"robbed-kong"},
    {"heaven"},
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A winner's tiles as four sets and a pair."""

    fixed_sets: tuple[Group, ...]
    """Exposed sets and declared kongs."""
    own: tuple[Group, ...]
    """What the concealed tiles were read as; one may be exposed by the claim that completed it."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """All of them."""
        return self.fixed_sets + self.own


def has_won_by(hand: Hand, ways: set[str]) -> bool:
    """Whether the hand won in one of these ways."""
    return hand.winner and not ways.isdisjoint(hand.won_by)


def may_be_claimed(hand: Hand) -> bool:
    """Whether the winning tile was somebody else's (BMJA-K02, K04), or nobody said whose."""
    return has_won_by(hand, CLAIMS) or not any(has_won_by(hand, place) for place in PLACES)


def may_be_drawn(hand: Hand) -> bool:
    """Whether the winning tile was the player's own, or nobody said whose."""
    return not has_won_by(hand, CLAIMS)


def mark_wild(hand: Hand, codes: Sequence[str]) -> list[str]:
    """Return the tiles with every wild one as `*`: in a goulash JK and B2 (BMJA-G01)."""
    return [WILD if hand.goulash and code in ("JK", "B2") else code for code in codes]


def winning_tile(hand: Hand) -> str | None:
    """Return the winning tile, marked like the others; None when it was not said."""
    return mark_wild(hand, [hand.winning_tile])[0] if hand.winning_tile else None


def own_tiles(hand: Hand, extra_tiles: Sequence[str] = ()) -> tuple[list[str], int]:
    """Return the concealed natural tiles in order, and how many wild tiles are with them."""
    codes = mark_wild(hand, [*hand.concealed, *extra_tiles])
    return sorted(code for code in codes if code != WILD), codes.count(WILD)


def drawn_wild(hand: Hand) -> bool:
    """Whether a wild winning tile may be one too many in its pair or pung (BMJA-G05)."""
    return (
        has_won_by(hand, FROM_LIVE_WALL)
        and winning_tile(hand) in (None, WILD)
        and WILD in mark_wild(hand, hand.concealed)
    )


def fault(hand: Hand) -> str | None:
    """Return the code of what keeps any hand, won or not, from being scored."""
    codes = [*(code for group in hand.sets_on_table for code in group), *hand.concealed]
    counts = Counter(codes)
    if any(code not in (*PLAYING_CODES, "JK") for code in codes):
        return "no-playing-tile"
    if any(code not in BONUS for code in hand.bonus):
        return "no-bonus-tile"
    if len(set(hand.bonus)) < len(hand.bonus):
        return "bonus-twice"
    if counts["JK"] and not hand.goulash:
        return "joker"
    if max(counts.values(), default=0) > 4 or counts["JK"] + counts["B2"] * hand.goulash > 4:
        return "five-of-a-kind"
    for group in hand.declared_kongs:
        read = laid_group(mark_wild(hand, group), ("kong",))
        if read is None:
            return "no-kong"
    if sum(1 for place in PLACES if has_won_by(hand, place)) > 1:
        return "two-sources"
    return None


def fixed_groups(hand: Hand, kinds: Sequence[str] = STANDARD) -> tuple[Group, ...] | None:
    """Return the sets that lie fixed; None when the tiles of one are no set."""
    groups = []
    for codes in hand.exposed:
        group = laid_group(mark_wild(hand, codes), kinds)
        if group is None:
            return None
        groups.append(group.show())
    for codes in hand.declared_kongs:
        group = laid_group(mark_wild(hand, codes), ("kong",))
        if group is None:
            return None
        groups.append(group)
    return tuple(groups)


def standard_readings(hand: Hand, most_chows: int) -> Iterator[Reading]:
    """Yield every way in which a winner's hand is four sets and a pair (BMJA-H01, H02, H06)."""
    fixed_sets = fixed_groups(hand)
    if fixed_sets is None:
        return
    naturals, wilds = own_tiles(hand)
    for partition in partitions(naturals, wilds, STANDARD, drawn_wild(hand)):
        kinds = [group.kind for group in fixed_sets + partition]
        if len(kinds) == 5 and kinds.count("pair") == 1 and kinds.count("chow") <= most_chows:
            yield from completions(hand, Reading(fixed_sets, partition))


def completions(hand: Hand, reading: Reading) -> Iterator[Reading]:
    """Yield the reading with each group exposed that the winning tile may have completed.

    The winning tile never completes a kong: a kong is followed by a tile from the kong box.
    """
    last = winning_tile(hand)
    fixed_sets, concealed_sets = reading.fixed_sets, reading.own
    pairs = [group for group in fixed_sets if group.kind == "pair"]
    if (
        may_be_drawn(hand)
        and not pairs
        and any(group.kind != "kong" and group.holds(last) for group in concealed_sets)
    ):
        yield reading
    if not may_be_claimed(hand):
        return
    if any(group.kind != "kong" and group.holds(last) for group in pairs or fixed_sets):
        yield reading
    for place, group in enumerate(concealed_sets):
        if not pairs and group.kind != "kong" and group.holds(last):
            yield Reading(
                fixed_sets, (*concealed_sets[:place], group.show(), *concealed_sets[place + 1 :])
            )


def concealed_until_the_last(hand: Hand) -> Iterator[tuple[list[str], int, list[str]]]:
    """Yield the tiles of a hand that was concealed up to its last tile (BMJA-S05).

    What a claim completed may lie on either side of the bar; third come its tiles, if it is on
    the left: as a set or pair it must be read as it lies there (BMJA-H06).
    """
    if hand.declared_kongs:
        return
    if not hand.exposed:
        yield (*own_tiles(hand), [])
    elif may_be_claimed(hand) and len(hand.exposed) == 1 and len(hand.exposed[0]) < 4:
        group = mark_wild(hand, hand.exposed[0])
        all_wild = len(group) > 1 and set(group) == {WILD}
        if not all_wild and (winning_tile(hand) is None or winning_tile(hand) in group):
            yield (*own_tiles(hand, hand.exposed[0]), group)


def keeps(groups: Sequence[Group], tiles: Sequence[str]) -> bool:
    """Whether the group on the table is one of these; a single tile there is none yet."""
    naturals = sorted(code for code in tiles if code != WILD)
    return len(tiles) < 2 or any(
        sorted(group.naturals) == naturals and len(group.tiles) == len(tiles) for group in groups
    )


def holds_winning_tile(hand: Hand) -> bool:
    """Whether the winning tile, if said, is where it can be.

    A drawn tile lies among the concealed ones, a claimed one there or in an exposed set.
    """
    if hand.winning_tile is None or hand.winning_tile in hand.concealed:
        return True
    return may_be_claimed(hand) and any(hand.winning_tile in codes for codes in hand.exposed)
