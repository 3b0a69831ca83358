"""Explain a tile: what it is and what it is worth, at one seat under one ruleset.

The result is a list of facts: keys that the page turns into sentences, with figures from the
ruleset.

>>> from scorer.rulesets.builtin import load_builtin
>>> from scorer.predicates.tile_tests import SeatWinds
>>> [fact.key for fact in explain_tile("WE", SeatWinds("E", "S"), load_builtin("bmja"))]
['wind', 'honour-major', 'own-wind', 'pair', 'pung', 'kong', 'set-doubles']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scorer.breakdown import SetKind, TileSet
from scorer.predicates.bonus_tests import BONUS_TESTS, BonusTiles, own_bonus_number
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Rule, Ruleset
from scorer.scoring.pricing import Award, set_awards
from scorer.sets import KIND_BY_SIZE, MAX_WILDS_BY_KIND
from scorer.tiles import BY_CODE, FACE_DOWN, FLOWERS, JOKER, WHITE_DRAGON, WINDS, Tile

_Figure = int | str


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact about a tile."""

    key: str
    rule: str = ""
    """The id of the rule that states it; empty for none."""
    figures: Mapping[str, _Figure] = field(default_factory=dict)
    """Numbers, and letters or codes of winds and tiles."""


Facts = Iterator[Fact]

SIZE_BY_KIND = {kind: size for size, kind in KIND_BY_SIZE.items()}
BIRD_CODE = "B1"
"""Often drawn as a bird, which newcomers mistake for a flower."""
WILD_BAMBOO_CODE = "B2"
"""Wild in a goulash played without jokers (BMJA-G01)."""


def explain_tile(
    code: str, seat: SeatWinds, rules: Ruleset, *, goulash: bool = False
) -> tuple[Fact, ...]:
    """Return the facts about a tile; raise KeyError for an unknown code."""
    if code == FACE_DOWN:
        return (Fact("face-down"),)
    if code == JOKER:
        return tuple(_joker_facts(rules, goulash=goulash))
    tile = BY_CODE[code]
    if tile.is_bonus:
        return tuple(_bonus_facts(tile, seat, rules))
    return tuple(_playing_facts(tile, seat, rules, goulash=goulash))


def paying_awards(tile_set: TileSet, seat: SeatWinds, rules: Ruleset) -> tuple[Award, ...]:
    """Return the awards of a set at a seat that give something."""
    return tuple(award for award in set_awards(rules, seat, tile_set) if award.rule.gives)


def _joker_facts(rules: Ruleset, *, goulash: bool) -> Facts:
    if not rules.goulash:
        yield Fact("joker-unused")
        return
    yield Fact("joker" if goulash else "joker-aside", "BMJA-G01")
    figures: dict[str, _Figure] = {
        "few": MAX_WILDS_BY_KIND["pung"],
        "many": MAX_WILDS_BY_KIND["kong"],
    }
    yield Fact("joker-sets", "BMJA-G05", figures)


def _playing_facts(tile: Tile, seat: SeatWinds, rules: Ruleset, *, goulash: bool) -> Facts:
    yield from _name_facts(tile)
    yield from _class_facts(tile, rules)
    if tile.family == "W":
        yield from _wind_facts(tile, seat, rules)
    if goulash and tile.code == WILD_BAMBOO_CODE:
        yield Fact("wild-bamboo", "BMJA-G01")
    pair = _points(tile, "pair", seat, rules)
    yield Fact("pair" if pair[1] else "pair-nothing", pair[0], {"points": pair[1]})
    for kind in ("pung", "kong"):
        rule, exposed, concealed = _points(tile, kind, seat, rules)
        yield Fact(kind, rule, {"exposed": exposed, "concealed": concealed})
    yield from _double_facts(tile, seat, rules)


def _name_facts(tile: Tile) -> Facts:
    if tile.is_suit:
        yield Fact("suit", "", {"rank": tile.rank, "suit": tile.family})
    else:
        yield Fact("dragon" if tile.family == "D" else "wind", "", {"of": tile.code})
    if tile.code in (BIRD_CODE, WHITE_DRAGON):
        yield Fact("bird" if tile.code == BIRD_CODE else "blank")


def _class_facts(tile: Tile, rules: Ruleset) -> Facts:
    """Yield whether it is major, minor or honour, if the ruleset distinguishes them."""
    tests = {rule.when for rule in rules.rules_by_subject["set"]}
    if tile.is_honour:
        yield Fact("honour-major" if "major" in tests else "honour", "")
    elif "major" in tests:
        yield Fact("major" if tile.is_major else "minor")


def _wind_facts(tile: Tile, seat: SeatWinds, rules: Ruleset) -> Facts:
    is_own = tile.rank == seat.seat_wind
    prevailing = rules.prevailing_wind and tile.rank == seat.prevailing
    keys = {
        (True, True): "both-winds",
        (True, False): "own-wind",
        (False, True): "prevailing-wind",
        (False, False): "other-wind" if rules.prevailing_wind else "not-own-wind",
    }
    yield Fact(keys[is_own, prevailing], "", {"wind": tile.rank})


def _points(tile: Tile, kind: SetKind, seat: SeatWinds, rules: Ruleset) -> tuple[str, int, int]:
    """Return the rule and the exposed and concealed points of a set of this tile."""
    sums, rule = [], ""
    for concealed in (False, True):
        awards = list(set_awards(rules, seat, _set_of_tile(tile, kind, concealed=concealed)))
        scoring_awards = [award for award in awards if award.points]
        rule = next((award.rule.id for award in (*scoring_awards, *awards)), "")
        sums.append(sum(award.points for award in scoring_awards))
    return rule, sums[0], sums[1]


def _set_of_tile(tile: Tile, kind: SetKind, *, concealed: bool) -> TileSet:
    return TileSet(kind, (tile.code,) * SIZE_BY_KIND[kind], concealed)


def _double_facts(tile: Tile, seat: SeatWinds, rules: Ruleset) -> Facts:
    awards = paying_awards(_set_of_tile(tile, "pung", concealed=False), seat, rules)
    doubling = [award.rule for award in awards if award.rule.doubles]
    if doubling:
        times = sum(rule.doubles for rule in doubling)
        yield Fact("set-doubles", doubling[0].id, {"times": times})


def _bonus_facts(tile: Tile, seat: SeatWinds, rules: Ruleset) -> Facts:
    kind = "flower" if tile.family == "F" else "season"
    yield Fact(kind, "", {"number": tile.rank})
    if not rules.bonus_tiles:
        yield Fact("bonus-unused")
        return
    owner = list(WINDS)[int(tile.rank) - 1]
    is_own = own_bonus_number(seat.seat_wind) == tile.rank
    yield Fact("bonus-yours" if is_own else "bonus-whose", "BMJA-T03", {"wind": owner})
    for rule in rules.rules_by_subject["bonus"]:
        fact = _bonus_rule_fact(rule, tile, seat, rules)
        if fact:
            yield fact


def _bonus_rule_fact(rule: Rule, tile: Tile, seat: SeatWinds, rules: Ruleset) -> Fact | None:
    """Return what a bonus rule gives for this tile, alone or with all four of its kind."""
    single, four = ((tile.code,), tuple(tile.family + number for number in FLOWERS))
    besides = not rules.is_on("bouquet_includes_own")
    if BONUS_TESTS[rule.when].finds(BonusTiles(single, seat.seat_wind, besides)):
        key = "bonus-doubles" if rule.doubles else "bonus-points"
        return Fact(key, rule.id, {"points": rule.exposed_points, "times": rule.doubles})
    if four in BONUS_TESTS[rule.when].finds(BonusTiles(four, seat.seat_wind, besides)):
        return Fact("bouquet", rule.id, {"times": rule.doubles})
    return None
