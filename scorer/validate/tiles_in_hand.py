"""What is wrong with a hand before anything is scored: every defect at once.

Each check is one short function that yields the problems of one kind, in a player's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scorer.breakdown import SetKind
from scorer.errors import HandProblem, error, warning
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.ruleset import Ruleset
from scorer.sets import WILD_IN, make_set
from scorer.tiles import BY_CODE, FACE_DOWN, JOKER, TILES, Tile, copies
from scorer.validate.circumstances import BORNE_OUT, Check, circumstance_problems
from scorer.wording import listed, pair_name, sentence, tile_name

Problems = Iterator[HandProblem]

KONG = 4
MOST_ALIKE = 4
"""Of a playing tile; there is one of each bonus tile (BMJA-T04)."""
NATURAL = frozenset(tile.code for tile in TILES if not tile.is_bonus)
BONUS = frozenset(tile.code for tile in TILES if tile.is_bonus)
MOST_WILD = 4
"""The jokers, or the 2s of bamboo (BMJA-G01)."""
WILD_BAMBOO = "B2"


def hand_problems(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return all that is wrong with the hand; no error among them when it can be scored.

    Whether a winner's tiles make a Mah-Jong shows only when they are read: see
    `scorer.validate.mah_jong`.
    """
    tiles = hand.tiles
    checks: tuple[Check, ...] = BORNE_OUT if hand.winner else ()
    strange: tuple[HandProblem, ...] = ()
    if not tiles_are_in_order(tiles, hand.bonus, hand.winning_tile):
        strange = tuple(strange_tiles(hand))
        checks += EACH_TILE_CHECKS
    if not strange:
        # With a tile unknown, sets and counts mean little; the others can still be looked at.
        checks += LAID_DOWN_CHECKS + WHOLE_HAND_CHECKS if hand.laid_down else WHOLE_HAND_CHECKS
    found = [problem for check in checks for problem in check(hand, rules)]
    return (*strange, *circumstance_problems(hand, rules), *found)


def tiles_are_in_order(tiles: Codes, bonus: Codes, winning_tile: str | None) -> bool:
    """Return whether no check of single tiles need be asked: the quick answer for most hands."""
    return (
        NATURAL.issuperset(tiles)
        and BONUS.issuperset(bonus)
        and len(set(bonus)) == len(bonus)
        and (winning_tile is None or winning_tile in NATURAL)
        and all(tiles.count(code) <= MOST_ALIKE for code in set(tiles))
    )


def strange_tiles(hand: Hand) -> Problems:
    """Refuse codes that are no face: a tile face down, a joker but in a goulash, a slip."""
    jokers = {JOKER} & hand.wild_codes
    for code in dict.fromkeys((*hand.tiles, *hand.bonus, hand.winning_tile)):
        if code is None or code in BY_CODE or (code in jokers and code not in hand.bonus):
            continue
        if code == FACE_DOWN:
            yield error("face-down", "A tile lies face down: say which tile it is.")
        elif code == JOKER and hand.goulash:
            yield error("not-a-bonus", "A joker is neither flower nor season.")
        elif code == JOKER:
            yield error("joker", "There are jokers only in a goulash: say that it is one.")
        else:
            yield error("unknown-tile", f"There is no tile {code!r}.")


def misplaced_bonus_tiles(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse a bonus tile within the hand, or another tile outside it (BMJA-T05)."""
    for tile in dict.fromkeys(_faces(hand.tiles)):
        if tile.is_bonus:
            yield error(
                "bonus-in-hand",
                sentence(f"{tile.name} is no part of the hand: put it with the bonus tiles."),
            )
    for tile in dict.fromkeys(_faces(hand.bonus)):
        if not tile.is_bonus:
            yield error("not-a-bonus", sentence(f"{tile.name} is neither flower nor season."))


def too_many_alike(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse more than four of a playing tile, or one of a bonus tile (BMJA-T04)."""
    for tile, count in Counter(_faces(hand.tiles + hand.bonus)).items():
        if tile.is_bonus and count > copies(tile):
            yield error("bonus-twice", f"There is only one {tile.name}, but the hand has {count}.")
        elif count > copies(tile):
            yield error(
                "five-of-a-kind",
                f"The hand has {count} of the {tile.plural}; there are only four.",
            )
    wild = len(hand.wilds)
    if wild > MOST_WILD and hand.tiles.count(WILD_BAMBOO) <= MOST_WILD:
        yield error("too-many-wild", f"The hand has {wild} wild tiles; there are only four.")
    elif len(set(hand.wilds)) > 1:
        yield warning(
            "wild-tiles",
            "Jokers take the place of the 2s of bamboo in a goulash, so no hand can have both; "
            "each is counted as wild.",
        )


def broken_sets(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse an exposed group that is no set, a declared kong that is not four (BMJA-H01).

    The tiles that a claimed winning tile was laid with may be part of a special hand instead.
    """
    claimed = [codes for codes in hand.exposed if _holds_claimed_tile(hand, codes)]
    for codes in hand.exposed:
        if codes not in claimed[:1]:
            yield from not_a_set(codes, hand.wild_codes)
    for codes in hand.declared_kongs:
        found = make_set(codes, concealed=True, wild=hand.wild_codes)
        if found is None or found.kind != "kong":
            yield error("not-a-kong", f"The declared kong of {_names(codes)} is not four alike.")


def not_a_set(codes: Codes, wild: frozenset[str]) -> Problems:
    """Refuse exposed tiles that are no set."""
    if make_set(codes, concealed=False, wild=wild) is None:
        yield error("not-a-set", f"The exposed tiles {_names(codes)} {_no_set(codes, wild)}")


def _no_set(codes: Codes, wild: frozenset[str]) -> str:
    natural = {code for code in codes if code not in wild}
    if wild.intersection(codes) and len(natural) <= 1:
        return "hold too many wild tiles: a pair or pung may hold one, a kong two."
    return "are no chow, pung or kong."


def _holds_claimed_tile(hand: Hand, codes: Codes) -> bool:
    """Return whether the winning tile, claimed, may be one of these."""
    return hand.may_be_claimed and hand.winning_tile in (None, *codes)


def exposed_pairs(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse an exposed pair that no claimed winning tile completed (BMJA-K03)."""
    pairs = [codes for codes in hand.exposed if _kind(hand, codes) == "pair"]
    for codes in pairs:
        if not _holds_claimed_tile(hand, codes) or len(pairs) > 1:
            yield error(
                "exposed-pair",
                f"A pair is exposed only when the winning tile, claimed, completes it: "
                f"put the {pair_name(codes)} with the concealed tiles.",
            )


def exposed_chows(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse a second chow (BMJA-H02), or any where none is allowed (BMJA-H03)."""
    laid = [codes for codes in hand.exposed if _kind(hand, codes) == "chow"]
    if hand.winner:  # what a claimed tile lies with may be part of a special hand instead
        laid = [codes for codes in laid if not _holds_claimed_tile(hand, codes)]
    if len(laid) > rules.chows_for(hand):
        report = error if hand.winner else warning
        yield report("too-many-chows", chow_rule(hand, rules))


def chow_rule(hand: Hand, rules: Ruleset) -> str:
    """Return how many chows this table allows, as a sentence."""
    allowed = rules.chows_for(hand)
    if allowed:
        return f"A hand may hold only {'one chow' if allowed == 1 else f'{allowed} chows'}."
    if hand.goulash:
        return "In a goulash a hand may hold no chow."
    return f"With {hand.players} players a hand may hold no chow."


def tile_count(hand: Hand, rules: Ruleset) -> Problems:
    """Expect 14 tiles of a winner, 13 of others, and one more for each kong (BMJA-H04)."""
    kongs = sum(len(codes) == 4 for codes in hand.laid_down)
    count = len(hand.tiles)
    if hand.winner:
        least = HAND_SIZE + kongs
        if count == least:
            return
        # Four alike in a winner's hand may be a kong, which has its own extra tile, or not.
        fours = _possible_kongs(hand)
        if not least <= count <= least + fours:
            yield error(
                "winner-count",
                f"A hand that wins holds 14 tiles and one more for each kong: {least} here, "
                f"not {count}.",
            )
        return
    missing = HAND_SIZE - 1 + kongs - count
    if missing:
        seem = f"{abs(missing)} {'seems' if abs(missing) == 1 else 'seem'} to be"
        what = f"{seem} missing" if missing > 0 else f"{seem} too many"
        yield warning(
            "tile-count",
            f"A hand that did not win holds 13 tiles and one more for each kong laid down: "
            f"{count + missing} here, not {count}, so {what}; it is scored as it lies.",
        )


def _possible_kongs(hand: Hand) -> int:
    """Return how many kongs the concealed tiles may hold; with wild tiles, two alike may do."""
    wild = hand.wild_codes
    counts = Counter(code for code in hand.concealed if code not in wild).values()
    if len(hand.concealed) == sum(counts):
        return sum(n == KONG for n in counts)
    return sum(n >= KONG - WILD_IN["kong"] for n in counts)


def winning_tile_place(hand: Hand, rules: Ruleset) -> Problems:
    """Look for the winning tile where such a tile can be (BMJA-K02)."""
    tile = hand.winning_tile
    if not hand.winner or tile is None:
        return
    name = tile_name(tile)
    open_sets = {code for codes in hand.exposed if len(codes) < KONG for code in codes}
    if tile not in hand.tiles:
        yield error("winning-tile", f"The winning tile, {name}, is not in the hand.")
    elif tile not in open_sets and tile not in hand.concealed:
        yield in_a_kong(tile)
    elif tile not in hand.concealed and hand.sources and not hand.claimed:
        yield warning(
            "winning-tile",
            f"The winning tile, {name}, was drawn but lies in an exposed set; look again.",
        )


def in_a_kong(tile: str) -> HandProblem:
    """Return the refusal of a winning tile in a kong: a loose tile follows one (BMJA-P16)."""
    return error(
        "winning-tile",
        f"The winning tile, {tile_name(tile)}, lies in a kong; a kong never completes a hand.",
    )


def _kind(hand: Hand, codes: Codes) -> SetKind | None:
    found = make_set(codes, concealed=False, wild=hand.wild_codes)
    return found.kind if found else None


def _faces(codes: Codes) -> list[Tile]:
    return [BY_CODE[code] for code in codes if code in BY_CODE]


def _names(codes: Codes) -> str:
    return listed([tile_name(code) for code in codes]) if codes else "nothing"


EACH_TILE_CHECKS = (misplaced_bonus_tiles, too_many_alike)
"""The checks that look at those tiles which are known."""

LAID_DOWN_CHECKS = (broken_sets, exposed_pairs, exposed_chows)
"""The checks of sets on the table; they need every tile to be known."""

WHOLE_HAND_CHECKS = (tile_count, winning_tile_place)
"""The checks of the tiles together; they need every tile to be known."""
