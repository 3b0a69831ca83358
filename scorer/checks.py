"""What is wrong with a hand before anything is scored: every defect at once.

Each check is one short function that yields the problems of one kind, in a player's words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scorer.circumstances import CIRCUMSTANCES
from scorer.errors import HandProblem, error, warning
from scorer.hand import Codes, Hand
from scorer.readings import set_kind
from scorer.tiles import BY_CODE, FACE_DOWN, JOKER, Tile, copies
from scorer.wording import listed, sentence

Problems = Iterator[HandProblem]

WINNING_TILES = 14
"""What a winner holds, besides one more for each kong; the others hold one fewer (BMJA-H04)."""


def hand_problems(hand: Hand) -> tuple[HandProblem, ...]:
    """Return all that is wrong with the hand; no error among them when it can be scored.

    Whether a winner's tiles make a Mah-Jong shows only when they are read: see `scorer.mah_jong`.
    """
    strange = tuple(strange_tiles(hand))
    # With a tile unknown, sets and counts mean little; the other tiles can still be looked at.
    checks = CIRCUMSTANCES + EACH_TILE_CHECKS + (() if strange else WHOLE_HAND_CHECKS)
    return strange + tuple(problem for check in checks for problem in check(hand))


def strange_tiles(hand: Hand) -> Problems:
    """Refuse codes that are no face: a tile face down, a joker, a slip of the pen."""
    for code in dict.fromkeys((*hand.tiles, *hand.bonus, hand.winning_tile)):
        if code == FACE_DOWN:
            yield error("face-down", "A tile lies face down: say which tile it is.")
        elif code == JOKER:
            yield error("joker", "Jokers are not scored yet: say which tile the joker stands for.")
        elif code is not None and code not in BY_CODE:
            yield error("unknown-tile", f"There is no tile {code!r}.")


def misplaced_bonus_tiles(hand: Hand) -> Problems:
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


def too_many_alike(hand: Hand) -> Problems:
    """Refuse more than four of a playing tile, or one of a bonus tile (BMJA-T04)."""
    for tile, count in Counter(_faces(hand.tiles + hand.bonus)).items():
        if tile.is_bonus and count > copies(tile):
            yield error("bonus-twice", f"There is only one {tile.name}, but the hand has {count}.")
        elif count > copies(tile):
            yield error(
                "five-of-a-kind",
                f"The hand has {count} of the {tile.plural}; there are only four.",
            )


def broken_sets(hand: Hand) -> Problems:
    """Refuse an exposed group that is no set, a declared kong that is not four (BMJA-H01)."""
    for codes in hand.exposed:
        if set_kind(codes) is None:
            yield error(
                "not-a-set", f"The exposed tiles {_names(codes)} are no chow, pung or kong."
            )
    for codes in hand.declared_kongs:
        if set_kind(codes) != "kong":
            yield error("not-a-kong", f"The declared kong of {_names(codes)} is not four alike.")


def exposed_pairs(hand: Hand) -> Problems:
    """Refuse an exposed pair that no claimed winning tile completed (BMJA-K03)."""
    pairs = [codes for codes in hand.exposed if set_kind(codes) == "pair"]
    completed = [codes for codes in pairs if hand.claimed and hand.winning_tile in (None, *codes)]
    for codes in pairs:
        if codes not in completed or len(pairs) > 1:
            yield error(
                "exposed-pair",
                f"A pair is exposed only when the winning tile, claimed, completes it: "
                f"put the {BY_CODE[codes[0]].plural} with the concealed tiles.",
            )


def exposed_chows(hand: Hand) -> Problems:
    """Refuse a second chow (BMJA-H02), or any where none is allowed (BMJA-H03)."""
    chows = sum(set_kind(codes) == "chow" for codes in hand.exposed)
    if chows > hand.chows_allowed:
        report = error if hand.winner else warning
        yield report("too-many-chows", chow_rule(hand))


def chow_rule(hand: Hand) -> str:
    """Return how many chows this table allows, as a sentence."""
    if hand.goulash:
        return "In a goulash a hand may hold no chow."
    if hand.players < 4:
        return f"With {hand.players} players a hand may hold no chow."
    return "A hand may hold only one chow."


def tile_count(hand: Hand) -> Problems:
    """Expect 14 tiles of a winner, 13 of others, and one more for each kong (BMJA-H04)."""
    kongs = sum(set_kind(codes) == "kong" for codes in hand.laid_down)
    count = len(hand.tiles)
    if hand.winner:
        # Four alike in a winner's hand may be a kong, which has its own extra tile, or not.
        fours = sum(n == 4 for n in Counter(hand.concealed).values())
        least = WINNING_TILES + kongs
        if not least <= count <= least + fours:
            yield error(
                "winner-count",
                f"A hand that wins holds 14 tiles and one more for each kong: {least} here, "
                f"not {count}.",
            )
        return
    missing = WINNING_TILES - 1 + kongs - count
    if missing:
        seem = f"{abs(missing)} {'seems' if abs(missing) == 1 else 'seem'} to be"
        what = f"{seem} missing" if missing > 0 else f"{seem} too many"
        yield warning(
            "tile-count",
            f"A hand that did not win holds 13 tiles and one more for each kong laid down: "
            f"{count + missing} here, not {count}, so {what}; it is scored as it lies.",
        )


def winning_tile_place(hand: Hand) -> Problems:
    """Look for the winning tile where such a tile can be (BMJA-K02)."""
    tile = hand.winning_tile
    if not hand.winner or tile is None:
        return
    name = BY_CODE[tile].name
    open_sets = {code for codes in hand.exposed if set_kind(codes) != "kong" for code in codes}
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
    name = BY_CODE[tile].name
    return error(
        "winning-tile", f"The winning tile, {name}, lies in a kong; a kong never completes a hand."
    )


def _faces(codes: Codes) -> list[Tile]:
    return [BY_CODE[code] for code in codes if code in BY_CODE]


def _names(codes: Codes) -> str:
    return listed([BY_CODE[code].name for code in codes]) if codes else "nothing"


EACH_TILE_CHECKS = (misplaced_bonus_tiles, too_many_alike)
"""The checks that look at those tiles which are known."""

WHOLE_HAND_CHECKS = (
    broken_sets,
    exposed_pairs,
    exposed_chows,
    tile_count,
    winning_tile_place,
)
"""The checks that need every tile to be known."""
