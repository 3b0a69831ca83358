"""Enter and group a hand by hand: the sets, what is allowed, and suggestions for the next set.

A set keeps its number even when all its tiles have moved. A phone with an older page therefore
still means the set that it shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from device.hands.record import HandRecord, HandTile, parse_tile_code
from device.hands.scoring import hand_from
from scorer.breakdown import SetKind
from scorer.errors import HandError, error
from scorer.hand import HAND_SIZE, WILD_CODES
from scorer.layings import MAX_SET_TILES, classify_group
from scorer.message import message
from scorer.score import score
from scorer.sets import MAX_WILDS_BY_KIND, make_set
from scorer.tile_names import name_tile
from scorer.tiles import BY_CODE, CODES, FACE_DOWN, JOKER, TILES, copies_in_set
from vision.hand.assembly import AssembledHand, AssembledSet, LaidSet
from vision.reading import RowName

_Sets = tuple[LaidSet, ...]
Tiles = tuple[HandTile, ...]


def put_tile(sets: _Sets, tile: int, set_index: int | None, row: object) -> _Sets:
    """Return the sets with a tile moved to a set, or to a new one; raise ValueError."""
    left = _remove_tiles(sets, (tile,))
    if set_index is None:
        return (*left, LaidSet((tile,), parse_row(row), placed_by_hand=True))
    if not 0 <= set_index < len(left):
        raise ValueError(f"the hand has no set {set_index}")
    extended_set = replace(left[set_index], tiles=(*left[set_index].tiles, tile))
    return (*left[:set_index], extended_set, *left[set_index + 1 :])


def add_tiles(
    tiles: Tiles, sets: _Sets, codes: Sequence[object], set_index: int | None, row: object
) -> tuple[Tiles, _Sets]:
    """Return the tiles and sets with tiles added to one set; `set_index` None makes a new set.

    Raises ValueError for an unknown tile or row, or too many tiles.
    """
    if not 1 <= len(codes) <= MAX_SET_TILES:
        raise ValueError(f"{len(codes)} tiles make no set")
    for place in range(len(tiles), len(tiles) + len(codes)):
        sets = put_tile(sets, place, set_index, row)
        set_index = len(sets) - 1 if set_index is None else set_index
    return (
        *tiles,
        *(HandTile(parse_tile_code(code), None, is_changed=True) for code in codes),
    ), sets


def group_tiles(sets: _Sets, groups: Sequence[Sequence[int]]) -> _Sets:
    """Return the sets with these tiles regrouped: split, joined, or both.

    The first group stays in the set of its first tile. Every other group becomes a set in the same
    row. Raises ValueError for tiles that are in no set or named twice.
    """
    tiles = tuple(chain.from_iterable(groups))
    placed_tiles = {tile for each in sets for tile in each.tiles}
    if (
        len(set(tiles)) != len(tiles)
        or not tiles
        or not all(groups)
        or not placed_tiles.issuperset(tiles)
    ):
        raise ValueError(f"the hand cannot be laid as {groups}")
    home = next(number for number, each in enumerate(sets) if groups[0][0] in each.tiles)
    left = _remove_tiles(sets, tiles)
    extended_set = replace(left[home], tiles=(*left[home].tiles, *groups[0]))
    new_sets = tuple(replace(extended_set, tiles=tuple(group)) for group in groups[1:])
    return (*left[:home], extended_set, *left[home + 1 :], *new_sets)


def move_set(sets: _Sets, set_index: int, row: object) -> _Sets:
    """Return the sets with one set moved to another row; raise ValueError."""
    if not 0 <= set_index < len(sets) or not sets[set_index].tiles:
        raise ValueError(f"the hand has no set {set_index}")
    moved_set = replace(sets[set_index], row=parse_row(row), placed_by_hand=True)
    return (*sets[:set_index], moved_set, *sets[set_index + 1 :])


def count_hand_tiles(hand: AssembledHand, *, goulash: bool = False) -> int:
    """Return how many of a hand's fourteen tiles there are: a kong counts as three."""
    sets = [each for each in hand.sets if each.row != "bonus"]
    kongs = sum(kind_of(each, goulash=goulash) == "kong" for each in sets)
    return sum(len(each.tiles) for each in sets) - kongs


def kind_of(assembled_set: AssembledSet, *, goulash: bool) -> SetKind:
    """Return the kind of a set; in a goulash, wild tiles are included (BMJA-G05)."""
    wild = goulash and assembled_set.kind == "loose" and FACE_DOWN not in assembled_set.codes
    wild_set = make_set(assembled_set.codes, concealed=True, wild=WILD_CODES) if wild else None
    return wild_set.kind if wild_set else assembled_set.kind


def _remove_tiles(sets: _Sets, tiles: Sequence[int]) -> _Sets:
    return tuple(replace(s, tiles=tuple(t for t in s.tiles if t not in tiles)) for s in sets)


def parse_row(value: object) -> RowName:
    """Return the row named in an event; raise ValueError."""
    match value:
        case "exposed" | "concealed" | "bonus":
            return value
    raise ValueError(f"{value!r} is no row")


ENTRY_KINDS: tuple[SetKind, ...] = ("pung", "chow", "kong", "pair", "loose")
"""What a tap on a tile adds; `loose` is a single tile."""

WILD_OPTIONS = ("", "JK 1", "JK 2", "B2 1", "B2 2")
"""Wild tiles that a set of a goulash may hold (BMJA-G01, BMJA-G05): the face and the number."""

MAX_GUESSES = 3
"""Suggestions that fit into one row on a phone."""

LOSING_HAND_SIZE = HAND_SIZE - 1

_SET_SIZES: dict[SetKind, int] = {"loose": 1, "pair": 2, "pung": 3, "kong": 4}

_RANK_STEPS = (3, 1, -1, -3, 2, -2)
"""Rank steps to suggestions near the last set, in its suit; the next chow comes first."""


@dataclass(frozen=True, slots=True)
class SetGuess:
    """A suggestion for the next set or tile."""

    kind: SetKind
    code: str
    codes: tuple[str, ...]
    to_set: int | None = None
    """The set that the tile is added to; None for a new set."""


def codes_of(kind: str, code: str, wild: str = "") -> tuple[str, ...]:
    """Return the tiles of a set from its kind and its tile (the first tile of a chow).

    `wild` is one of `WILD_OPTIONS`. Raises HandError for a set that does not exist.

    >>> codes_of("chow", "B3"), codes_of("pung", "WE", "JK 1")
    (('B3', 'B4', 'B5'), ('WE', 'WE', 'JK'))
    """
    if code not in (*CODES, JOKER) or kind not in ENTRY_KINDS or wild not in WILD_OPTIONS:
        raise ValueError(f"{kind} of {code} with {wild!r}")
    if kind == "chow":
        return _chow(code)
    size = _SET_SIZES[kind]
    face, number = wild.split() if wild and kind in MAX_WILDS_BY_KIND else ("", "0")
    wilds = min(int(number), MAX_WILDS_BY_KIND.get(kind, 0))
    if code == JOKER and size > 1:
        raise HandError((error("no-set", message("entering.joker-alone")),))
    if code in BY_CODE and size > copies_in_set(BY_CODE[code]):
        problem = message("entering.only-one", tile=name_tile(code))
        raise HandError((error("no-set", problem),))
    return (code,) * (size - wilds) + (face,) * wilds


def _chow(code: str) -> tuple[str, ...]:
    letter, rank = code[0], code[1]
    chow_codes = tuple(f"{letter}{int(rank) + step}" for step in range(3)) if rank.isdigit() else ()
    if (
        not chow_codes
        or classify_group(chow_codes if set(chow_codes) <= set(CODES) else ()) != "chow"
    ):
        raise HandError((error("no-chow", message("entering.no-chow", tile=name_tile(code))),))
    return chow_codes


def count_tiles(record: HandRecord) -> Counter[str]:
    """Return how many of each tile a hand holds."""
    return Counter(chain.from_iterable(each.codes for each in record.assembled_hand.sets))


def check_copies(record: HandRecord, codes: Sequence[str]) -> None:
    """Raise HandError if the hand would hold too many of a tile (BMJA-T04)."""
    before = count_tiles(record)
    for code, added_count in Counter(codes).items():
        max_copies = copies_in_set(BY_CODE[code]) if code in BY_CODE else 4
        if before[code] + added_count > max_copies:
            key_ending = "so-many" if max_copies > 1 else "one-held"
            key = (
                f"entering.only-{key_ending}"
                if before[code]
                else f"entering.only-{key_ending}-none"
            )
            problem = message(key, most=max_copies, tile=name_tile(code), count=before[code])
            raise HandError((error("five-of-a-kind", problem),))


def is_impossible(kind: SetKind, code: str, before: Mapping[str, int], *, goulash: bool) -> bool:
    """Whether this set cannot be added to a hand that holds these tiles."""
    wild = f"JK {MAX_WILDS_BY_KIND[kind]}" if goulash and kind in MAX_WILDS_BY_KIND else ""
    try:
        set_counts = Counter(
            each for each in codes_of(kind, code, wild) if each != JOKER or kind == "loose"
        )
    except HandError:
        return True
    return any(
        before.get(each, 0) + more > (copies_in_set(BY_CODE[each]) if each in BY_CODE else 4)
        for each, more in set_counts.items()
    )


def full_hand_size(record: HandRecord) -> int:
    """Return the number of tiles of a complete hand; a kong counts as three."""
    return HAND_SIZE if record.situation.winner else LOSING_HAND_SIZE


def target_set(record: HandRecord, row: RowName, code: str) -> int | None:
    """Return the set that a single tile goes to: the row's last, while it is incomplete."""
    row_sets = [each for each in record.assembled_hand.sets if each.row == row]
    if row == "bonus" or not row_sets:
        return None
    last = row_sets[-1]
    room = MAX_SET_TILES if row == "exposed" else HAND_SIZE
    is_loose = kind_of(last, goulash=record.agreement.goulash) == "loose"
    grows = is_loose and len(last.tiles) < room
    return last.source if grows or (last.kind == "pair" and _makes_set(last, code)) else None


def guess_next_sets(record: HandRecord) -> tuple[SetGuess, ...]:
    """Return suggestions for what comes next, the best first."""
    hand, before = record.assembled_hand, count_tiles(record)
    goulash = record.agreement.goulash
    guesses = {
        (guess.codes, guess.to_set): guess
        for guess in (*_completing_tiles(record, hand), *_likely_sets(record, hand))
        if not is_impossible(guess.kind, guess.code, before, goulash=goulash)
    }
    open_question = "winner" not in record.situation.answered
    room = (HAND_SIZE if open_question else full_hand_size(record)) - count_hand_tiles(
        hand, goulash=goulash
    )
    fitting = [guess for guess in guesses.values() if len(guess.codes) <= room]
    return tuple(fitting[:MAX_GUESSES])


def _completing_tiles(record: HandRecord, hand: AssembledHand) -> Iterator[SetGuess]:
    """Yield tiles that would complete the hand, then tiles that make a set of loose ones."""
    for code in _winning_tiles(record, hand):
        fits = (each for each in hand.sets if each.row != "bonus" and _makes_set(each, code))
        to_set = next((each.source for each in fits), None)
        yield SetGuess("loose", code, (code,), to_set)
    for assembled_set in hand.sets:
        if (
            assembled_set.row != "bonus"
            and assembled_set.kind == "loose"
            and len(assembled_set.codes) <= 2
        ):
            for tile in TILES:
                if len(assembled_set.codes) == 2 and _makes_set(assembled_set, tile.code):
                    yield SetGuess("loose", tile.code, (tile.code,), assembled_set.source)
            if (
                len(assembled_set.codes) == 1 and assembled_set.codes[0] in CODES
            ):  # more of the same, if it lies open
                yield SetGuess(
                    "loose", assembled_set.codes[0], assembled_set.codes, assembled_set.source
                )


def _makes_set(assembled_set: AssembledSet, code: str) -> bool:
    return classify_group((*assembled_set.codes, code)) != "loose"


def _winning_tiles(record: HandRecord, hand: AssembledHand) -> Iterator[str]:
    """Yield the tiles that complete a winner's hand with one tile missing."""
    if (
        not record.situation.winner
        or count_hand_tiles(hand, goulash=record.agreement.goulash) != LOSING_HAND_SIZE
    ):
        return
    unwon = replace(record, situation=replace(record.situation, winner=False))
    try:
        yield from (
            wait.tile for wait in score(hand_from(unwon), record.agreement.custom_rules).waits
        )
    except HandError:
        return


def _likely_sets(record: HandRecord, hand: AssembledHand) -> tuple[SetGuess, ...]:
    """Return sets that fit those entered: chows go together, and pungs go with honours."""
    similar_sets, honours = tuple(_sets_like_last(hand)), tuple(_honour_sets(record, hand))
    return (
        similar_sets + honours
        if similar_sets and similar_sets[0].kind == "chow"
        else honours + similar_sets
    )


def _sets_like_last(hand: AssembledHand) -> Iterator[SetGuess]:
    """Yield sets like the last one entered, near it in its suit."""
    sets = [entered_set for entered_set in hand.sets if entered_set.kind in ("chow", "pung")]
    if not sets:
        return
    last = max(sets, key=lambda entered_set: entered_set.tiles)
    letter, rank = min(last.codes)[:1], min(last.codes)[1:]
    if rank.isdigit():
        for step in _RANK_STEPS:
            code = f"{letter}{int(rank) + step}"
            if code in CODES and (last.kind != "chow" or int(rank) + step <= 7):
                yield SetGuess(last.kind, code, codes_of(last.kind, code))


def _honour_sets(record: HandRecord, hand: AssembledHand) -> Iterator[SetGuess]:
    """Yield pungs of tiles that double a hand; pairs of them once there are four sets."""
    sets = sum(each.kind in ("chow", "pung", "kong") for each in hand.sets)
    kind: SetKind = "pair" if sets >= 4 else "pung"
    winds = (record.situation.seat_wind, record.situation.prevailing_wind)
    for code in (*(f"W{wind}" for wind in winds), "DR", "DG", "DW"):
        yield SetGuess(kind, code, codes_of(kind, code))
