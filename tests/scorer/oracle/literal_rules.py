"""A ruleset's file scored row by row, slowly and plainly.

The rules, the head of `bmja.toml` and docs/add-a-house-rule.md say what a row means. It shares
nothing with the scorer: `tomllib` reads the file, and every row is asked of every way to put the
tiles in sets. Special hands are found by `own_hands`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from scorer.hand import Hand
from tests.scorer.oracle.bmja_oracle import completing_tiles, loose_readings, original_call
from tests.scorer.oracle.groups import (
    DRAGON_TILES,
    HONOURS,
    MAJORS,
    SUIT_TILES,
    WILD,
    Group,
)
from tests.scorer.oracle.own_hands import OwnHand, is_made, reading_is
from tests.scorer.oracle.table import (
    Reading,
    fault,
    fixed_groups,
    has_won_by,
    holds_winning_tile,
    may_be_claimed,
    own_tiles,
    standard_readings,
)

Row = Mapping[str, Any]
Line = tuple[str, int, int, str]
"""A rule's id, its points and doubles, and `hand` or `bonus`, the sum to which they belong."""

NARROWER = {"wall": "last-tile", "discard": "last-discard", "loose": "kong-of-kong"}
"""What a way of winning means when the other one is said as well."""

NO_MINIMUM = {"doubles": 0, "points": 0}
"""What two players need where the file says nothing."""

TILE_TESTS: dict[str, Callable[[str, Hand], bool]] = {
    "any": lambda tile, hand: True,
    "major": lambda tile, hand: tile in MAJORS,
    "minor": lambda tile, hand: tile in SUIT_TILES and tile not in MAJORS,
    "suit": lambda tile, hand: tile in SUIT_TILES,
    "honour": lambda tile, hand: tile in HONOURS,
    "dragon": lambda tile, hand: tile in DRAGON_TILES,
    "own-wind": lambda tile, hand: tile == "W" + hand.seat_wind,
    "prevailing-wind": lambda tile, hand: tile == "W" + hand.prevailing_wind,
    "neither-dragon-nor-wind-of-use": lambda tile, hand: (
        tile not in (*DRAGON_TILES, "W" + hand.seat_wind, "W" + hand.prevailing_wind)
    ),
}


@dataclass(frozen=True, slots=True)
class Sum:
    """One way to score a hand: points times doubles, and those of bonus tiles beside them."""

    lines: tuple[Line, ...]
    special: str = ""

    def total(self, part: str) -> tuple[int, int]:
        """Return the points and the doubles of a part."""
        lines = [line for line in self.lines if line[3] == part]
        return sum(line[1] for line in lines), sum(line[2] for line in lines)

    @property
    def worth(self) -> int:
        """The score before any limit."""
        (points, doubles), (bonus, bonus_doubles) = self.total("hand"), self.total("bonus")
        return int(points * 2**doubles + bonus * 2**bonus_doubles)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a hand scores, in every way that gives the most; or why it cannot be scored."""

    total: int | None
    best: tuple[Sum, ...] = ()
    refusal: str = ""


class LiteralRules:
    """The rows of a ruleset's file."""

    def __init__(self, file: Row) -> None:
        self.file = file
        self.switches = {row["name"]: row["default"] for row in file.get("option", ())}
        self.rows = [
            row for row in file["rule"] if "option" not in row or self.switches[row["option"]]
        ]

    def plays(self, switch: str, *, default: bool = False) -> bool:
        """Return whether a switch is on; `default` is what holds in a file that lacks it."""
        return bool(self.switches.get(switch, default))

    @cached_property
    def specials(self) -> list[tuple[Row, OwnHand | None]]:
        """The special hands that are played; an event has no pattern."""
        rows = [row for row in self.file.get("special", ()) if row.get("played", True)]
        return [(row, self._own_hand(row) if "pattern" in row else None) for row in rows]

    def _own_hand(self, row: Row) -> OwnHand:
        pattern, claim = row["pattern"], row.get("claim", "any")
        for variant in row.get("variants", ()):
            if self.switches[variant["option"]]:
                pattern, claim = variant.get("pattern", pattern), variant.get("claim", claim)
        amounts = (row.get(key, 0) for key in ("value", "fishing", "doubles"))
        return OwnHand(pattern, row.get("concealed", False), claim, *amounts)

    def chows(self, hand: Hand) -> int:
        """Return how many chows an ordinary Mah-Jong may have."""
        return int(self.file["chows"].get("goulash" if hand.goulash else str(hand.players), 0))

    def limit(self, hand: Hand) -> int | None:
        """Return the table's limit, else the file's; none where the file has none."""
        limit: int | None = self.file.get("limit")
        return limit if limit is None or hand.limit == Hand().limit else hand.limit

    def most(self, way: Sum, hand: Hand) -> int | None:
        """Return the limit of one way: an ordinary hand may have a lower one."""
        limit, ordinary_limit = self.limit(hand), self.file.get("ordinary_limit")
        if limit is None or ordinary_limit is None or way.special:
            return limit
        return min(limit, int(ordinary_limit))

    def answer(self, hand: Hand) -> Answer:
        """Return what a hand scores."""
        wrong = self._refusal(hand)
        if wrong:
            return Answer(None, refusal=wrong)
        sums = list(self.winner_sums(hand) if hand.winner else self.loser_sums(hand))
        if not sums:
            return Answer(None, refusal="not-complete")
        if hand.winner and hand.players == 2 and self.plays("two_player_minimum", default=True):
            need = self.file.get("two_players", NO_MINIMUM)
            sums = [
                each
                for each in sums
                if each.total("hand")[1] >= need["doubles"] or each.worth >= need["points"]
            ]
        if not sums:
            return Answer(None, refusal="two-players")
        limits = [self.most(each, hand) for each in sums]
        cut = [
            each.worth if limit is None else min(each.worth, limit)
            for each, limit in zip(sums, limits, strict=True)
        ]
        best = [each for each, score in zip(sums, cut, strict=True) if score == max(cut)]
        specials = [each for each in best if each.special]
        return Answer(max(cut), tuple(specials or best))

    def _refusal(self, hand: Hand) -> str | None:
        ways = {*hand.won_by, *(["original-call"] if hand.original_call else [])}
        wrong = fault(hand)
        if hand.players not in self.file["players"]:
            wrong = "players"
        if (hand.goulash and not self.file.get("goulash")) or (
            hand.bonus and not self.file.get("bonus_tiles")
        ):
            wrong = "feature"
        if "robbed-kong" in ways and not self.may_rob():
            wrong = "robbing"
        if ways >= {"heaven", "original-call"} or ways >= {"earth", "original-call"}:
            wrong = "blessing"
        if ("heaven" in ways and hand.seat_wind != "E") or (
            "earth" in ways and (hand.seat_wind == "E" or "last-discard" in ways)
        ):
            wrong = "blessing"
        if hand.winner and not holds_winning_tile(hand):
            wrong = "winning-tile"
        if not hand.winner and fixed_groups(hand, ("chow", "pung", "kong")) is None:
            wrong = "no-set"
        return wrong

    def may_rob(self) -> bool:
        """Return whether the rules know of robbing a kong: special hands or a row speak of it."""
        rows = self.file["rule"]
        return bool(self.specials) or any("robbed-kong" in row.get("ways", ()) for row in rows)

    def winner_sums(self, hand: Hand) -> Iterator[Sum]:
        """Yield every way to score a Mah-Jong."""
        sums, win, bonus = list[Sum](), self.win_lines(hand), self.bonus_lines(hand)
        readings = list(standard_readings(hand, self.chows(hand)))
        for reading in readings:
            groups = self.group_lines(hand, reading.groups)
            if self.keeps_to_suits(reading):
                sums.append(Sum((*groups, *win, *self.hand_lines(hand, reading), *bonus)))
            for row, special in self.specials:
                if special and special.doubles and reading_is(special, hand, reading):
                    lines = [*groups, *win, *self.own_lines(row, hand)]
                    sums.append(self.doubling_sum(row, hand, lines))
        for row, special in self.specials:
            if special and special.value and is_made(special, hand, self.chows(hand)):
                sums.append(self.value_sum(row, hand, special.value))
        yield from sums
        for row, special_hand in self.specials if sums else ():
            if special_hand is None and self.has_happened(row["when"], hand, readings):
                yield self.value_sum(row, hand, row["value"])

    def keeps_to_suits(self, reading: Reading) -> bool:
        """Return whether an ordinary Mah-Jong may have these suits (SAF-H02)."""
        return not self.file.get("one_suit") or len(_suits(reading.groups)) < 2

    def loser_sums(self, hand: Hand) -> Iterator[Sum]:
        """Yield every way to score a hand that did not win."""
        fishing = list(self.fishing_sums(hand))
        yield from fishing
        bonus = self.bonus_lines(hand)
        if fishing and not self.plays("fishing_intrinsic_includes_bonus", default=True):
            bonus = _separate_lines(bonus)
        fixed_sets = fixed_groups(hand) or ()
        max_chows = self.chows(hand) - sum(group.kind == "chow" for group in fixed_sets)
        for own in self.loose_groups(hand, max_chows):
            yield Sum((*self.group_lines(hand, (*fixed_sets, *own)), *self.win_lines(hand), *bonus))

    def loose_groups(self, hand: Hand, chows: int) -> Iterator[tuple[Group, ...]]:
        """Yield every choice of groups among the tiles in hand, with no more chows than these."""
        yield from loose_readings(hand)
        naturals, wilds = own_tiles(hand)
        if wilds or not self.chow_counts():
            return
        runs = [(f"{s}{r}", f"{s}{r + 1}", f"{s}{r + 2}") for s in "BCO" for r in range(1, 8)]
        runs = [run for run in runs if {*run} <= {*naturals}]
        for count in range(1, chows + 1):
            for combination in combinations([run for run in runs for _ in range(4)], count):
                rest = list(naturals)
                tiles = [tile for run in combination for tile in run]
                if any(tiles.count(tile) > naturals.count(tile) for tile in tiles):
                    continue
                for tile in tiles:
                    rest.remove(tile)
                groups = tuple(Group("chow", run, run) for run in combination)
                for more in loose_readings(replace(hand, concealed=tuple(rest))):
                    yield (*groups, *more)

    def chow_counts(self) -> bool:
        """Return whether a chow gives anything: then those in a loser's hand matter."""
        rows = [row for row in self.rows if "chow" in row.get("kinds", ())]
        keys = ("points", "exposed", "concealed", "doubles")
        return any(row.get(key) for row in rows for key in keys)

    def fishing_sums(self, hand: Hand) -> Iterator[Sum]:
        """Yield the special hands that one tile more would make (BMJA-F02, F04)."""
        kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
        if len(hand.tiles) != 13 + kongs:
            return
        owns = [(row, own) for row, own in self.specials if own]
        for tile in completing_tiles(hand) if owns else ():
            complete_hand = replace(hand, winner=True, won_by=("wall",), winning_tile=tile)
            complete_hand = replace(complete_hand, concealed=(*hand.concealed, tile))
            for row, own_hand in owns:
                if own_hand.fishing and is_made(own_hand, complete_hand, self.chows(hand)):
                    yield self.value_sum(row, hand, own_hand.fishing)
                if not own_hand.doubles:
                    continue
                for reading in standard_readings(complete_hand, self.chows(hand)):
                    if reading_is(own_hand, complete_hand, reading):
                        for groups in _remove_tile(reading, tile):
                            lines = [*self.group_lines(hand, groups), *self.win_lines(hand)]
                            yield self.doubling_sum(row, hand, lines)

    def group_lines(self, hand: Hand, groups: Sequence[Group]) -> list[Line]:
        """Return what each set and pair gives."""
        return [
            _line(row, group.exposed)
            for group in groups
            for row in self.rows
            if row["of"] == "set"
            and group.kind in row["kinds"]
            and TILE_TESTS[row["when"]](min(group.tiles), hand)
        ]

    def bonus_lines(self, hand: Hand) -> list[Line]:
        """Return what flowers and seasons give (BMJA-B10, D04 to D07, C05)."""
        own_number, lines = str("ESWN".index(hand.seat_wind) + 1), list[Line]()
        for row in (row for row in self.rows if row["of"] == "bonus"):
            times = len(hand.bonus) if row["when"] == "each" else 0
            for family, name in (("F", "flower"), ("S", "season")):
                has_bouquet = all(family + number in hand.bonus for number in "1234")
                if row["when"] == f"own-{name}" and family + own_number in hand.bonus:
                    times += not has_bouquet or not self.plays("bouquet_includes_own")
                times += row["when"] == f"all-{name}s" and has_bouquet
            lines += [_line(row)] * times
        return lines

    def win_lines(self, hand: Hand) -> list[Line]:
        """Return what the way of winning gives, and an original call to anybody."""
        return [_line(row) for row in self.rows if row["of"] == "win" and _is_won(row, hand)]

    def hand_lines(self, hand: Hand, reading: Reading) -> list[Line]:
        """Return what the winner's hand gives as a whole."""
        rows = [row for row in self.rows if row["of"] == "hand"]
        return [_line(row) for row in rows if self.passes(row["when"], hand, reading)]

    def own_lines(self, special: Row, hand: Hand) -> list[Line]:
        """Return what counts with this special hand alone."""
        rows = [row for row in self.rows if row["of"] == "special"]
        return [
            _line(row) for row in rows if row["special"] == special["id"] and _is_won(row, hand)
        ]

    def value_sum(self, special: Row, hand: Hand, value: int) -> Sum:
        """Return a special hand's value with its bonus tiles beside it (BMJA-S01, S02)."""
        lines = (special["id"], value, 0, "hand"), *self.bonus_beside(special, hand)
        return Sum(lines, special["id"])

    def doubling_sum(self, special: Row, hand: Hand, lines: Sequence[Line]) -> Sum:
        """Return a special hand that doubles its points: no other double counts (BMJA-S31)."""
        own_rules = {row["id"] for row in self.rows if row["of"] == "special"}
        points = [
            (rule, points, doubles if rule in own_rules else 0, part)
            for rule, points, doubles, part in lines
            if points or rule in own_rules
        ]
        own_line = (special["id"], 0, special["doubles"], "hand")
        return Sum((*points, own_line, *self.bonus_beside(special, hand)), special["id"])

    def bonus_beside(self, special: Row, hand: Hand) -> list[Line]:
        """Return the bonus tiles' own lines (BMJA-S02, S04)."""
        rows = [row for row in self.rows if row["of"] == "apart" and hand.bonus]
        bonus_lines = [
            _line(row)
            for row in rows
            if special.get("value", 0) < row["below"] and _is_won(row, hand)
        ]
        return _separate_lines([*self.bonus_lines(hand), *bonus_lines])

    def has_happened(self, event: str, hand: Hand, readings: Sequence[Reading]) -> bool:
        """Return whether the way of winning is this event (BMJA-S25 to S29)."""
        kongs = [sum(g.kind == "kong" for g in reading.groups) for reading in readings]
        flowers = bool(hand.bonus) and not self.plays("heaven_after_bonus_tiles")
        return {
            "heaven": "heaven" in hand.won_by and not hand.sets_on_table and not flowers,
            "earth": "earth" in hand.won_by,
            "plum-blossom": has_won_by(hand, {"loose", "kong-of-kong"})
            and hand.winning_tile == "O5",
            "moon": has_won_by(hand, {"last-tile"}) and hand.winning_tile == "O1",
            "twofold-fortune": "kong-of-kong" in hand.won_by and max(kongs, default=0) >= 2,
        }[event]

    def passes(self, test: str, hand: Hand, reading: Reading) -> bool:
        """Return whether a winner's sets pass the test of a row `of = "hand"`."""
        if test == "only-possible-tile":
            return self.was_only_tile(hand, reading)
        groups, suits = reading.groups, _suits(reading.groups)
        tiles = {tile for group in groups for tile in group.tiles}
        honours, chows = bool(tiles & {*HONOURS}), any(g.kind == "chow" for g in groups)
        concealed = not any(group.exposed for group in groups)
        concealed_sets = [g for g in groups if g.kind in ("pung", "kong") and not g.exposed]
        of_sets = {group.tiles[0] in HONOURS for group in groups if group.kind != "pair"}
        has_both = len(of_sets) == 2 or not self.plays("concealed_needs_sets")
        return {
            "no-chows": not chows,
            "no-chows-where-allowed": not chows and self.chows(hand) > 0,
            "one-suit-with-honours": len(suits) == 1 and honours,
            "one-suit-only": len(suits) == 1 and not honours,
            "one-suit-with-chow": len(suits) == 1 and not honours and chows,
            "all-major": tiles <= {*MAJORS} and bool(suits) and honours,
            "all-concealed": concealed and bool(suits) and honours and has_both,
            "purity-concealed": concealed and len(suits) == 1 and not honours and not chows,
            "fully-concealed": concealed,
            "three-concealed-pungs": len(concealed_sets) >= 3,
            "pair-completed": any(g.kind == "pair" for g in _find_completed(hand, reading)),
        }[test]

    def was_only_tile(self, hand: Hand, reading: Reading) -> bool:
        """Return whether no other tile would have completed the hand (BMJA-C16)."""
        return any(
            sum(self.is_mah_jong(before, tile) for tile in completing_tiles(before)) == 1
            for group in _find_completed(hand, reading)
            for before in _before(hand, reading, group)
        )

    def is_mah_jong(self, before: Hand, tile: str) -> bool:
        """Return whether a tile completes these."""
        hand = replace(before, winner=True, won_by=("wall",), winning_tile=tile)
        hand = replace(hand, concealed=(*before.concealed, tile))
        owns, chows = [own for _, own in self.specials if own], self.chows(hand)
        return any(own.value and is_made(own, hand, chows) for own in owns) or any(
            self.keeps_to_suits(reading)
            or any(own.doubles and reading_is(own, hand, reading) for own in owns)
            for reading in standard_readings(hand, chows)
        )


def _suits(groups: Sequence[Group]) -> set[str]:
    return {tile[0] for group in groups for tile in group.tiles if tile in SUIT_TILES}


def _line(row: Row, exposed: bool = True) -> Line:
    points = row.get("points", row.get("exposed" if exposed else "concealed", 0))
    return row["id"], points, row.get("doubles", 0), "hand"


def _separate_lines(lines: Sequence[Line]) -> list[Line]:
    return [(rule, points, doubles, "bonus") for rule, points, doubles, _ in lines]


def _is_won(row: Row, hand: Hand) -> bool:
    ways = {way for way in hand.won_by if NARROWER.get(way) not in hand.won_by}
    ways |= {"original-call"} if original_call(hand) else set()
    fits = "ways" not in row or not ways.isdisjoint(row["ways"])
    return fits and (hand.winner or row["who"] == "everyone")


def _find_completed(hand: Hand, reading: Reading) -> list[Group]:
    """Return the groups that the winning tile may have completed; none where nobody said it."""
    last = WILD if hand.goulash and hand.winning_tile in ("JK", "B2") else hand.winning_tile
    if last is None:
        return []
    groups: Sequence[Group] = [group for group in reading.own if group.exposed]
    if not may_be_claimed(hand):
        groups = [group for group in reading.own if group.holds(last)]
    elif not groups:
        groups = [group for group in reading.fixed_sets if group.exposed and group.holds(last)]
        groups = [group for group in groups if group.kind == "pair"] or groups
    return [group for group in groups if group.kind != "kong"]


def _before(hand: Hand, reading: Reading, group: Group) -> Iterator[Hand]:
    """Yield the hand without its winning tile, before its set was laid down."""
    loser = replace(hand, winner=False, won_by=(), winning_tile=None)
    concealed, exposed = list(hand.concealed), list(hand.exposed)
    if group in reading.fixed_sets:
        place = [each for each in reading.fixed_sets if each.exposed or each.kind == "pair"]
        concealed += exposed.pop(place.index(group))
    concealed.remove(str(hand.winning_tile))
    yield replace(loser, concealed=tuple(concealed), exposed=tuple(exposed))


def _remove_tile(reading: Reading, tile: str) -> Iterator[tuple[Group, ...]]:
    """Yield the sets that stand without a tile; what is left of its set may be one."""
    for broken_group in reading.own:
        if broken_group.holds(tile):
            rest = tuple(group for group in reading.groups if group is not broken_group)
            kind = {"kong": "pung", "pung": "pair"}.get(broken_group.kind)
            left = broken_group.tiles[1:]
            yield (*rest, Group(kind, left, left)) if kind else rest
