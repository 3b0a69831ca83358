"""Random special hands of a table's own, and hands that are of them, or nearly are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from scorer.hand import Hand
from scorer.patterns.examples import check_it_can_be_held
from scorer.patterns.frames import compile_pattern
from scorer.patterns.notation import PatternError
from tests.scorer.oracle.build import Codes, bonus
from tests.scorer.oracle.groups import PLAYING_CODES
from tests.scorer.oracle.own_hands import OwnHand, groups_of, is_of_sets, readings_of

HAND_TILES = 14
SUIT_WORDS = ("x", "y", "z", "B", "C", "O", "suit", "x/y", "y/z", "any")
HONOUR_WORDS = ("honour", "wind", "dragon", "WE", "WESW", "DR", "DRG", "major")
OTHER_WORDS = ("terminal", "minor", "green", "x19", "y2-8", "x1357", "B2468", "C19/DW", "O5")
MIXED_WORDS = ("x/honour", "y/wind", "x2-8/dragon", "B1579/DR", "yn/wind", "xm/wind")
RANK_WORDS = ("xn", "yn", "zn", "xn+1", "yn+2", "xm", "ym", "zm+1", "xn+3")
LISTS = (
    "x1-9", "y1-9", "x1-7", "y1-7", "x2-8", "x123", "y456", "x11", "x111", "y99", "x19", "y13579",
    "z2468", "B1111", "WESWN", "DRGW", "DRG", "WE WS", "each wind", "each dragon", "each honour",
    "xn xn+1 xn+2", "yn yn+1 yn+2", "zn", "xn", "yn+1", "xm ym", "xn+1",
)  # fmt: skip
KINDS = (
    ("pung", 6), ("pung/kong", 8), ("kong", 2), ("chow", 4), ("chow/pung", 2), ("pair", 9),
    ("chow/pung/kong", 1), ("tile", 2), ("couple", 2), ("triplet", 1),
)  # fmt: skip


def random_pattern(rng: Random) -> str:
    """Return a pattern of fourteen tiles that the box accepts."""
    while True:
        shape = rng.random()
        versions = 2 if shape < 0.06 else 1
        text = "; ".join(_random_version(rng) for _ in range(versions))
        try:
            check_it_can_be_held(compile_pattern(text))
        except PatternError:
            continue
        if readings_of(text):
            return text


def _random_version(rng: Random) -> str:
    """Return parts of fourteen tiles."""
    if rng.random() < 0.25:
        return _sets_and_pair(rng)
    while True:
        parts, left = list[str](), HAND_TILES
        while left > 0 and len(parts) < 7:
            text, size = _random_list(rng) if rng.random() < 0.35 else _random_groups(rng, left)
            if size <= left:
                parts.append(text)
                left -= size
        if left == 0:
            rng.shuffle(parts)
            return ", ".join(parts)


def _sets_and_pair(rng: Random) -> str:
    """Return four sets and a pair, where at most some must be chows."""
    words = [_word(rng) for _ in range(2)]
    kinds = ("pung", "pung/kong", "pung/kong", "chow/pung", "chow/pung/kong", "kong", "chow")
    first = rng.randint(1, 4)
    parts = [f"{first} {rng.choice(kinds)} {rng.choice(words)}"]
    parts += [f"{4 - first} {rng.choice(kinds)} {rng.choice(words)}"] * (first < 4)
    return ", ".join([*parts, f"pair {rng.choice(words)}"])


def _word(rng: Random) -> str:
    pools = (SUIT_WORDS, SUIT_WORDS, HONOUR_WORDS, OTHER_WORDS, MIXED_WORDS, RANK_WORDS)
    return rng.choice(rng.choice(pools))


def _random_list(rng: Random) -> tuple[str, int]:
    text = rng.choice(LISTS)
    return text, len(readings_of(text)[0].needs)


def _random_groups(rng: Random, left: int) -> tuple[str, int]:
    kind = rng.choices([kind for kind, _ in KINDS], [share for _, share in KINDS])[0]
    size = {"pair": 2, "couple": 2, "tile": 1}.get(kind, 3)
    count = rng.randint(1, max(1, min(left // size, 4 if size > 1 else 2)))
    if kind in ("couple", "triplet"):
        word = rng.choice(("", "", "x/y", "suit"))
    elif rng.random() < 0.12:
        word, faces = rng.choice((("wind", 4), ("dragon", 3), ("x19", 2), ("B246", 3), ("WES", 2)))
        return f"{kind} each {word}", size * faces
    else:
        word = _word(rng)
    number = f"{count} " if count > 1 else ""
    return f"{number}{kind} {word}".strip(), size * count


@dataclass(frozen=True, slots=True)
class Part:
    """One group of a dealt hand, and where it lies."""

    kind: str
    tiles: Codes
    place: str = "hand"
    """`hand`, `exposed`, `declared`, or `claimed`: on the table by the winning tile."""


def deal_parts(pattern: str, rng: Random) -> list[Part] | None:
    """Return the groups of a random hand of the pattern; None when the dice are unlucky."""
    reading = rng.choice(readings_of(pattern))
    for _ in range(20):
        parts, left = list[Part](), dict.fromkeys(PLAYING_CODES, 4)
        for kinds, tiles in reading.needs:
            kind = rng.choice(kinds)
            ways = [
                group
                for group in groups_of(kind, tiles)
                if all(left[tile] >= group.count(tile) for tile in group)
            ]
            if not ways:
                break
            parts.append(Part(kind, rng.choice(ways)))
            for tile in parts[-1].tiles:
                left[tile] -= 1
        suits = {tile[0] for part in parts for tile in part.tiles}
        if len(parts) == len(reading.needs) and reading.suits <= suits:
            return parts
    return None


def lay(parts: list[Part], rng: Random) -> list[Part]:
    """Return the groups laid at random: exposed, declared, or kept, even four alike."""
    share = rng.choice([0.0, 0.0, 0.3, 0.6, 1.0])
    laid_parts = []
    for part in parts:
        place = "hand"
        if part.kind in ("chow", "pung", "kong") and rng.random() < share:
            place = "exposed"
        elif part.kind == "kong":
            place = "hand" if rng.random() < 0.12 else "declared"
        laid_parts.append(replace(part, place=place))
    return laid_parts


def spoil(parts: list[Part], rng: Random) -> list[Part]:
    """Return the groups with something wrong: a tile, a set, its kind, or where it lies."""
    part_place = rng.randrange(len(parts))
    part = parts[part_place]
    rest = parts[:part_place] + parts[part_place + 1 :]
    kind = rng.random()
    if kind < 0.35:
        tiles = list(part.tiles)
        tiles[rng.randrange(len(tiles))] = rng.choice(PLAYING_CODES)
        return [*rest, Part("loose", tuple(tiles))]
    if kind < 0.55 and part.kind in ("pung", "kong", "pair"):
        return [*rest, replace(part, tiles=(rng.choice(PLAYING_CODES),) * len(part.tiles))]
    if kind < 0.7 and part.kind in ("pung", "kong"):
        size = 7 - len(part.tiles)
        place = part.place if size == 3 or part.place == "exposed" else "declared"
        place = "hand" if size == 3 and place == "declared" else place
        kinds = {3: "pung", 4: "kong"}
        return [*rest, Part(kinds[size], part.tiles[:1] * size, place)]
    if kind < 0.85 and part.kind in ("pung", "chow"):
        return [*rest, replace(part, place="hand" if part.place == "exposed" else "exposed")]
    other = rng.randrange(len(parts))
    first, two = list(part.tiles), list(parts[other].tiles)
    if other == part_place or part.place != "hand" or parts[other].place != "hand":
        return parts
    first[0], two[0] = two[0], first[0]
    rest = [each for place, each in enumerate(parts) if place not in (part_place, other)]
    return [*rest, Part("loose", tuple(first)), Part("loose", tuple(two))]


def _put(parts: list[Part], rng: Random) -> Hand | None:
    tiles = [tile for part in parts for tile in part.tiles]
    if any(tiles.count(tile) > 4 for tile in tiles):
        return None
    concealed = [tile for part in parts if part.place == "hand" for tile in part.tiles]
    rng.shuffle(concealed)
    exposed = [part.tiles for part in parts if part.place in ("exposed", "claimed")]
    rng.shuffle(exposed)
    return Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(part.tiles for part in parts if part.place == "declared"),
        concealed=tuple(concealed),
        bonus=bonus(rng) if rng.random() < 0.3 else (),
        seat_wind=rng.choice("ESWN"),
        prevailing_wind=rng.choice("ESWN"),
        players=rng.choice([4, 4, 4, 4, 3]),
        limit=rng.choice([1000, 1000, None, 500, 2000]),
    )


def deal_winner(pattern: str, rng: Random) -> Hand | None:
    """Return a winner's hand of the pattern, or one that nearly is; None without luck."""
    parts_or_none = deal_parts(pattern, rng)
    if not parts_or_none:
        return None
    parts = lay(parts_or_none, rng)
    for _ in range(rng.choice([0, 0, 0, 0, 1, 1, 2])):
        parts = spoil(parts, rng)
    places = [at for at, part in enumerate(parts) if part.place == "hand"]
    if not places:
        return None
    place = rng.choice(places)
    tile = rng.choice(parts[place].tiles)
    way = rng.choice(["wall", "wall", "loose", "discard", "discard", "last-discard", "robbed-kong"])
    by_claim = way not in ("wall", "loose")
    if by_claim and parts[place].kind in ("pair", "chow", "pung") and rng.random() < 0.4:
        parts[place] = replace(parts[place], place="claimed")
    hand = _put(parts, rng)
    if hand is None:
        return None
    return replace(hand, winner=True, won_by=(way,), winning_tile=tile)


def deal_loser(pattern: str, rng: Random) -> Hand | None:
    """Return thirteen tiles near the pattern; None without luck."""
    parts_or_none = deal_parts(pattern, rng)
    if not parts_or_none:
        return None
    parts = lay(parts_or_none, rng)
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        parts = spoil(parts, rng)
    hand = _put(parts, rng)
    if hand is None or not hand.concealed:
        return None
    concealed = list(hand.concealed)
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    excess = len(hand.tiles) - 13 - kongs
    if excess < 0 or excess > len(concealed):
        return None
    concealed = concealed[excess:]
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 3])):
        if concealed:
            concealed[rng.randrange(len(concealed))] = rng.choice(PLAYING_CODES)
    hand = replace(hand, concealed=tuple(concealed))
    return hand if all(hand.tiles.count(tile) <= 4 for tile in concealed) else None


def deal_own(rng: Random) -> tuple[OwnHand, ...]:
    """Return special hands with random figures: one, or the same twice, exposed for less."""
    pattern = random_pattern(rng)
    of_sets = is_of_sets(pattern)
    claim = rng.choice(["any"] * 4 + (["pair", "none"] if of_sets else ["terminal", "none"]))
    concealed = rng.random() < 0.4
    if of_sets and rng.random() < 0.2:
        return (OwnHand(pattern, concealed, claim, doubles=rng.randint(1, 4)),)
    value = rng.choice([100, 300, 500, 800, 1000, 1500, 2000])
    fishing = rng.choice([0, 2 * value // 5, value // 2])
    own_hand = OwnHand(pattern, concealed, claim, value, fishing)
    if concealed and rng.random() < 0.5:
        return own_hand, OwnHand(pattern, False, "any", value // 2, fishing // 2)
    return (own_hand,)


def deal_hands(pattern: str, count: int, rng: Random) -> Iterator[Hand]:
    """Yield so many hands of a pattern, half of them of winners."""
    count_of_deals = 0
    for _ in range(30 * count):
        hand = (deal_winner if rng.random() < 0.55 else deal_loser)(pattern, rng)
        if hand:
            yield hand
            count_of_deals += 1
            if count_of_deals == count:
                return
