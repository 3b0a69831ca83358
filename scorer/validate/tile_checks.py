"""Check the tiles of a hand before it is scored, and say why tiles are no Mah-Jong.

Each check is a short function that yields the problems of one kind, in a player's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from scorer.breakdown import SetKind
from scorer.decompose.arrangements import HandArrangement, arrange_tiles, read_fixed_sets
from scorer.decompose.splits import Sets
from scorer.errors import HandProblem, error, warning
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.message import Message, Value, message
from scorer.ruleset import Ruleset
from scorer.sets import MAX_WILDS_BY_KIND, make_set
from scorer.tile_names import name_pair, name_plural, name_the_set, name_tile, name_tiles
from scorer.tiles import BY_CODE, FACE_DOWN, JOKER, TILES, Tile, copies_in_set
from scorer.validate.circumstance_checks import EVIDENCE_CHECKS, HandCheck, circumstance_problems

_Problems = Iterator[HandProblem]

KONG_TILES = 4
MAX_ALIKE_TILES = 4
"""Copies of a playing tile; there is one of each bonus tile (BMJA-T04)."""
PLAYING_CODES = frozenset(tile.code for tile in TILES if not tile.is_bonus)
BONUS_CODES = frozenset(tile.code for tile in TILES if tile.is_bonus)
MAX_WILD_TILES = 4
"""The number of jokers, or of 2s of bamboo, in play (BMJA-G01)."""
WILD_BAMBOO = "B2"


def find_hand_problems(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return all problems of a hand; without errors among them it can be scored.

    Whether a winner's tiles make a Mah-Jong shows only when they are arranged: see
    `why_no_mah_jong`.
    """
    tiles = hand.tiles
    checks: tuple[HandCheck, ...] = EVIDENCE_CHECKS if hand.winner else ()
    unknown_tiles: tuple[HandProblem, ...] = ()
    if not are_tiles_valid(tiles, hand.bonus, hand.winning_tile):
        unknown_tiles = tuple(find_unknown_tiles(hand))
        checks += EACH_TILE_CHECKS
    if not unknown_tiles:
        # With an unknown tile, checks of sets and counts would mislead.
        checks += LAID_DOWN_CHECKS + WHOLE_HAND_CHECKS if hand.sets_on_table else WHOLE_HAND_CHECKS
    problems = [problem for check in checks for problem in check(hand, rules)]
    return (*unknown_tiles, *circumstance_problems(hand, rules), *problems)


def are_tiles_valid(tiles: Codes, bonus: Codes, winning_tile: str | None) -> bool:
    """Return whether the checks of single tiles can be skipped, as for most hands."""
    return (
        PLAYING_CODES.issuperset(tiles)
        and BONUS_CODES.issuperset(bonus)
        and len(set(bonus)) == len(bonus)
        and (winning_tile is None or winning_tile in PLAYING_CODES)
        and all(tiles.count(code) <= MAX_ALIKE_TILES for code in set(tiles))
    )


def find_unknown_tiles(hand: Hand) -> _Problems:
    """Refuse codes that are no tile: face-down tiles, misplaced jokers, mistyped codes."""
    jokers = {JOKER} & hand.wild_codes
    for code in dict.fromkeys((*hand.tiles, *hand.bonus, hand.winning_tile)):
        if code is None or code in BY_CODE or (code in jokers and code not in hand.bonus):
            continue
        if code == FACE_DOWN:
            yield error("face-down", message("held.face-down"))
        elif code == JOKER and hand.goulash:
            yield error("not-a-bonus", message("held.joker-no-bonus"))
        elif code == JOKER:
            yield error("joker", message("held.joker"))
        else:
            yield error("unknown-tile", message("held.unknown-tile", code=code))


def check_bonus_tiles(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse bonus tiles within the hand, and other tiles among the bonus tiles (BMJA-T05)."""
    for face in dict.fromkeys(_faces(hand.tiles)):
        if face.is_bonus:
            yield error("bonus-in-hand", message("held.bonus-in-hand", tile=name_tile(face.code)))
    for face in dict.fromkeys(_faces(hand.bonus)):
        if not face.is_bonus:
            yield error("not-a-bonus", message("held.not-a-bonus", tile=name_tile(face.code)))


def check_copies(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse more than four of a playing tile, or more than one of a bonus tile (BMJA-T04)."""
    for face, count in Counter(_faces(hand.tiles + hand.bonus)).items():
        if face.is_bonus and count > copies_in_set(face):
            text = message("held.bonus-twice", tile=name_tile(face.code), count=count)
            yield error("bonus-twice", text)
        elif count > copies_in_set(face):
            text = message("held.five-of-a-kind", count=count, tiles=name_plural(face.code))
            yield error("five-of-a-kind", text)
    wild = len(hand.wilds)
    if wild > MAX_WILD_TILES and hand.tiles.count(WILD_BAMBOO) <= MAX_WILD_TILES:
        yield error("too-many-wild", message("held.too-many-wild", count=wild))
    elif len(set(hand.wilds)) > 1:
        yield warning("wild-tiles", message("held.jokers-and-bamboos"))


def check_sets_on_table(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse exposed groups that are no set, and declared kongs that are no kong (BMJA-H01).

    One group with a claimed winning tile is accepted: it may be part of a special hand.
    """
    claimed_groups = [codes for codes in hand.exposed if _holds_claimed_tile(hand, codes)]
    for codes in hand.exposed:
        if codes not in claimed_groups[:1]:
            yield from check_set(codes, hand.wild_codes)
    for codes in hand.declared_kongs:
        tile_set = make_set(codes, concealed=True, wild=hand.wild_codes)
        if tile_set is None or tile_set.kind != "kong":
            yield error("not-a-kong", message("held.not-a-kong", tiles=_names(codes)))


def check_set(codes: Codes, wild: frozenset[str]) -> _Problems:
    """Refuse exposed tiles that are no set."""
    if make_set(codes, concealed=False, wild=wild) is None:
        natural = {code for code in codes if code not in wild}
        too_wild = wild.intersection(codes) and len(natural) <= 1
        key = "held.set-too-wild" if too_wild else "held.not-a-set"
        yield error("not-a-set", message(key, tiles=_names(codes)))


def _holds_claimed_tile(hand: Hand, codes: Codes) -> bool:
    """Return whether a claimed winning tile may be one of these."""
    return hand.may_be_claimed and hand.winning_tile in (None, *codes)


def check_exposed_pairs(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse an exposed pair unless a claimed winning tile completed it (BMJA-K03)."""
    pairs = [codes for codes in hand.exposed if _set_kind(hand, codes) == "pair"]
    for codes in pairs:
        if not _holds_claimed_tile(hand, codes) or len(pairs) > 1:
            yield error("exposed-pair", message("held.exposed-pair", tiles=name_pair(codes)))


def check_exposed_chows(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse more exposed chows than the table or a special hand allows (BMJA-H02, H03, S10)."""
    exposed_chows = [codes for codes in hand.exposed if _set_kind(hand, codes) == "chow"]
    if hand.winner:  # tiles laid with a claimed tile may be part of a special hand instead
        exposed_chows = [codes for codes in exposed_chows if not _holds_claimed_tile(hand, codes)]
    if len(exposed_chows) > max(rules.chows_for(hand), rules.chows_in_specials):
        report = error if hand.winner else warning
        yield report("too-many-chows", describe_chow_rule(hand, rules))


def describe_chow_rule(hand: Hand, rules: Ruleset) -> Message:
    """Say how many chows this table allows."""
    chow_limit = rules.chows_for(hand)
    if chow_limit:
        return message("held.chows", count=chow_limit)
    if hand.goulash:
        return message("held.chows-goulash")
    return message("held.chows-players", players=hand.players)


def check_tile_count(hand: Hand, rules: Ruleset) -> _Problems:
    """Check for 14 tiles of a winner, 13 of others, and one more for each kong (BMJA-H04)."""
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    count = len(hand.tiles)
    if hand.winner:
        minimum = HAND_SIZE + kongs
        if count == minimum:
            return
        # Four alike in a winner's hand may be a kong, which has its own extra tile, or not.
        fours = _count_possible_kongs(hand)
        if not minimum <= count <= minimum + fours:
            key = "held.winner-count-kongs" if kongs or fours else "held.winner-count"
            yield error("winner-count", message(key, due=minimum, held=count))
        return
    missing = HAND_SIZE - 1 + kongs - count
    if missing:
        text = message("held.missing" if missing > 0 else "held.over", count=abs(missing))
        yield warning(
            "tile-count",
            message("held.tile-count", due=count + missing, held=count, how=text),
        )


def _count_possible_kongs(hand: Hand) -> int:
    """Count the possible concealed kongs; with wild tiles, two equal tiles may be one."""
    wild = hand.wild_codes
    counts = Counter(code for code in hand.concealed if code not in wild).values()
    if len(hand.concealed) == sum(counts):
        return sum(n == KONG_TILES for n in counts)
    return sum(n >= KONG_TILES - MAX_WILDS_BY_KIND["kong"] for n in counts)


def check_winning_tile(hand: Hand, rules: Ruleset) -> _Problems:
    """Check that the winning tile is where a winning tile can be (BMJA-K02)."""
    winning = hand.winning_tile
    if not hand.winner or winning is None:
        return
    open_sets = {code for codes in hand.exposed if len(codes) < KONG_TILES for code in codes}
    if winning not in hand.tiles:
        yield error("winning-tile", message("held.winning-tile-gone", tile=name_tile(winning)))
    elif winning not in open_sets and winning not in hand.concealed:
        yield refuse_tile_in_kong(winning)
    elif winning not in hand.concealed and hand.sources and not hand.is_claimed:
        yield warning("winning-tile", message("held.winning-tile-exposed", tile=name_tile(winning)))


def refuse_tile_in_kong(winning: str) -> HandProblem:
    """Return the error for a winning tile in a kong, which a loose tile follows (BMJA-P16)."""
    return error("winning-tile", message("held.winning-tile-in-kong", tile=name_tile(winning)))


def _set_kind(hand: Hand, codes: Codes) -> SetKind | None:
    tile_set = make_set(codes, concealed=False, wild=hand.wild_codes)
    return tile_set.kind if tile_set else None


def _faces(codes: Codes) -> list[Tile]:
    return [BY_CODE[code] for code in codes if code in BY_CODE]


def _names(codes: Codes) -> Value:
    return name_tiles(codes) if codes else message("held.no-tiles")


EACH_TILE_CHECKS = (check_bonus_tiles, check_copies)
"""The checks of single tiles; they skip unknown ones."""


def check_claimed_chows(hand: Hand, rules: Ruleset) -> _Problems:
    """Warn of chows claimed before the last tile, where that is not allowed (SAF-H05)."""
    if rules.chow_claims:
        return
    exposed_sets = [
        make_set(codes, concealed=False, wild=hand.wild_codes) for codes in hand.exposed
    ]
    chows = [each for each in exposed_sets if each and each.kind == "chow"]
    completing = (_holds_claimed_tile(hand, each.tiles) for each in chows)
    last = next((place for place, holds in enumerate(completing) if holds), None)
    for place, chow in enumerate(chows):
        if place != last:
            yield warning("claimed-chow", message("held.claimed-chow", set=name_the_set(chow)))


LAID_DOWN_CHECKS = (
    check_sets_on_table,
    check_exposed_pairs,
    check_exposed_chows,
    check_claimed_chows,
)
"""The checks of sets on the table; they need every tile to be known."""

WHOLE_HAND_CHECKS = (check_tile_count, check_winning_tile)
"""The checks of all tiles together; they need every tile to be known."""


def why_no_mah_jong(hand: Hand, rules: Ruleset) -> HandProblem:
    """Return the reason why a winner's hand has no legal arrangement."""
    fixed_sets = read_fixed_sets(hand)
    if fixed_sets is None:
        set_problems = (
            problem for codes in hand.exposed for problem in check_set(codes, hand.wild_codes)
        )
        return next(set_problems)
    ways = list(arrange_tiles(hand, fixed_sets, chows=4)) or _ways_without_wild(hand)
    if not ways:
        return error("not-mah-jong", message("held.not-mah-jong"))
    if rules.one_suit and all(len(HandArrangement(hand, sets).suits) > 1 for sets in ways):
        return error("two-suits", message("held.two-suits"))
    chows = [_count_chows(sets) for sets in ways]
    if hand.winning_tile and min(chows) <= rules.chows_for(hand):
        return refuse_tile_in_kong(hand.winning_tile)
    return error(
        "too-many-chows", message("held.too-many-chows", rule=describe_chow_rule(hand, rules))
    )


def _ways_without_wild(hand: Hand) -> list[Sets]:
    """Return a goulash's arrangements with no tile wild, if each of them has a chow."""
    plain_hand = replace(hand, goulash=False)
    fixed_sets = read_fixed_sets(plain_hand)
    if not hand.goulash or fixed_sets is None:
        return []
    ways = list(arrange_tiles(plain_hand, fixed_sets, chows=4))
    return ways if all(_count_chows(sets) for sets in ways) else []


def _count_chows(sets: Sets) -> int:
    return sum(each.kind == "chow" for each in sets)
