"""What each rule looks for: one short function a rule, found by the rule's id.

A function returns an `Award` for each time its rule applies; what that is worth stands in the
rules' own file. Rules for winners only are not asked about other hands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from scorer.breakdown import SetKind
from scorer.hand import Codes
from scorer.readings import Reading
from scorer.tiles import FLOWERS, SEASONS, WINDS, Tile


class Award(NamedTuple):
    """The tiles that earn a rule once; none when it is not by tiles that it is earned."""

    tiles: Codes = ()
    concealed: bool = False


Finder = Callable[[Reading], list[Award]]

FINDERS: dict[str, Finder] = {}
"""Rule id to the function that looks for it."""


def finds(rule: str) -> Callable[[Finder], Finder]:
    """Name the rule that a function looks for."""

    def register(finder: Finder) -> Finder:
        FINDERS[rule] = finder
        return finder

    return register


def _once(applies: bool, tiles: Codes = ()) -> list[Award]:
    return [Award(tiles)] if applies else []


def _won(reading: Reading, *ways: str) -> list[Award]:
    tile = reading.hand.winning_tile
    return _once(not set(ways).isdisjoint(reading.hand.won_by), (tile,) if tile else ())


def _sets(reading: Reading, kind: SetKind, test: Callable[[Tile], bool]) -> list[Award]:
    found = reading.of_kind(kind)
    return [Award(each.tiles, each.concealed) for each in found if test(each.tile)]


def _is_major(tile: Tile) -> bool:
    return tile.is_major


def _is_minor(tile: Tile) -> bool:
    return tile.is_minor


def _is_dragon(tile: Tile) -> bool:
    return tile.family == "D"


def _is_wind(wind: str) -> Callable[[Tile], bool]:
    """Return the test for tiles of this wind."""
    return lambda tile: tile.code == f"W{wind}"


def own_number(reading: Reading) -> str:
    """Return the number of the player's own flower and season (BMJA-T03)."""
    return str(list(WINDS).index(reading.hand.seat_wind) + 1)


def has_bouquet(reading: Reading, family: str) -> bool:
    """Return whether the hand has all four flowers, or all four seasons."""
    return sum(code[0] == family for code in reading.hand.bonus) == 4


def _own_bonus(reading: Reading, family: str) -> list[Award]:
    code = family + own_number(reading)
    return _once(code in reading.hand.bonus and not has_bouquet(reading, family), (code,))


def _bouquet(reading: Reading, family: str, numbers: dict[str, str]) -> list[Award]:
    return _once(has_bouquet(reading, family), tuple(family + number for number in numbers))


@finds("BMJA-B11")
def _going_mah_jong(reading: Reading) -> list[Award]:
    return _once(reading.hand.winner, reading.codes)


@finds("BMJA-B12")
def _from_the_live_wall(reading: Reading) -> list[Award]:
    """Count the last tile of the live wall as of the live wall (BMJA-C12)."""
    return _won(reading, "wall", "last-tile")


@finds("BMJA-B05")
def _major_kongs(reading: Reading) -> list[Award]:
    return _sets(reading, "kong", _is_major)


@finds("BMJA-B04")
def _minor_kongs(reading: Reading) -> list[Award]:
    return _sets(reading, "kong", _is_minor)


@finds("BMJA-B03")
def _major_pungs(reading: Reading) -> list[Award]:
    return _sets(reading, "pung", _is_major)


@finds("BMJA-B02")
def _minor_pungs(reading: Reading) -> list[Award]:
    return _sets(reading, "pung", _is_minor)


@finds("BMJA-B01")
def _chows(reading: Reading) -> list[Award]:
    return [Award(each.tiles) for each in reading.of_kind("chow")]


@finds("BMJA-B06")
def _dragon_pairs(reading: Reading) -> list[Award]:
    return _sets(reading, "pair", _is_dragon)


@finds("BMJA-B07")
def _own_wind_pair(reading: Reading) -> list[Award]:
    return _sets(reading, "pair", _is_wind(reading.hand.seat_wind))


@finds("BMJA-B08")
def _prevailing_wind_pair(reading: Reading) -> list[Award]:
    return _sets(reading, "pair", _is_wind(reading.hand.prevailing_wind))


@finds("BMJA-B09")
def _other_pairs(reading: Reading) -> list[Award]:
    winds = (f"W{reading.hand.seat_wind}", f"W{reading.hand.prevailing_wind}")
    return _sets(reading, "pair", lambda tile: not _is_dragon(tile) and tile.code not in winds)


@finds("BMJA-B10")
def _bonus_tiles(reading: Reading) -> list[Award]:
    return [Award((code,)) for code in reading.hand.bonus]


@finds("BMJA-D01")
def _dragon_sets(reading: Reading) -> list[Award]:
    found = reading.pungs_and_kongs
    return [Award(each.tiles) for each in found if _is_dragon(each.tile)]


def _wind_sets(reading: Reading, wind: str) -> list[Award]:
    test = _is_wind(wind)
    return [Award(each.tiles) for each in reading.pungs_and_kongs if test(each.tile)]


@finds("BMJA-D02")
def _own_wind_set(reading: Reading) -> list[Award]:
    return _wind_sets(reading, reading.hand.seat_wind)


@finds("BMJA-D03")
def _prevailing_wind_set(reading: Reading) -> list[Award]:
    return _wind_sets(reading, reading.hand.prevailing_wind)


@finds("BMJA-D04")
def _own_flower(reading: Reading) -> list[Award]:
    return _own_bonus(reading, "F")


@finds("BMJA-D05")
def _own_season(reading: Reading) -> list[Award]:
    return _own_bonus(reading, "S")


@finds("BMJA-D06")
def _all_flowers(reading: Reading) -> list[Award]:
    return _bouquet(reading, "F", FLOWERS)


@finds("BMJA-D07")
def _all_seasons(reading: Reading) -> list[Award]:
    return _bouquet(reading, "S", SEASONS)


@finds("BMJA-D08")
def _original_call(reading: Reading) -> list[Award]:
    return _once(reading.hand.made_original_call)


@finds("BMJA-D17")
def _won_from_original_call(reading: Reading) -> list[Award]:
    """Look for the same as D08: the winner's double comes on top of it (BMJA-C04)."""
    return _once(reading.hand.made_original_call)


@finds("BMJA-D09")
def _no_chows(reading: Reading) -> list[Award]:
    return _once(reading.hand.chows_allowed > 0 and not reading.of_kind("chow"), reading.codes)


@finds("BMJA-D10")
def _one_suit_with_honours(reading: Reading) -> list[Award]:
    return _once(len(reading.suits) == 1 and reading.has_honours, reading.codes)


@finds("BMJA-D15")
def _all_major(reading: Reading) -> list[Award]:
    major = all(tile.is_major for tile in reading.tiles)
    return _once(major and bool(reading.suits) and reading.has_honours, reading.codes)


@finds("BMJA-D16")
def _all_concealed(reading: Reading) -> list[Award]:
    concealed = all(each.concealed for each in reading.sets)
    return _once(concealed and bool(reading.suits) and reading.has_honours, reading.codes)


@finds("BMJA-D11")
def _loose_tile(reading: Reading) -> list[Award]:
    return _won(reading, "loose", "kong-of-kong")


@finds("BMJA-D12")
def _last_tile(reading: Reading) -> list[Award]:
    return _won(reading, "last-tile")


@finds("BMJA-D13")
def _last_discard(reading: Reading) -> list[Award]:
    return _won(reading, "last-discard")


@finds("BMJA-D14")
def _robbed_kong(reading: Reading) -> list[Award]:
    return _won(reading, "robbed-kong")
