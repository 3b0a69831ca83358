"""Questions about how a hand lies that a photograph leaves open.

The reading always assumes an answer, and the question names it. A player who does not answer at
once still sees a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import get_args

from scorer.hand import HAND_SIZE
from scorer.message import Value, message
from scorer.tile_names import name_tile
from scorer.tiles import CODES, FACE_DOWN
from vision.geometry.rows import Layout
from vision.hand.arrangement import is_bonus, is_bonus_row
from vision.hand.assembly import AssembledHand, AssembledSet
from vision.hand.blocks import MIN_HAND_TILES, count_tiles
from vision.reading import BlockReading, BlockSide, Problem, make_problem

CODES_BY_KEY: Mapping[str, str] = {
    "lies.face-down": "face-down-unknown",
    "lies.kong-end": "kong-short",
    "lies.one-pung-down": "exposed-or-concealed",
    "lies.one-row": "exposed-or-concealed",
    "lies.row-with-gaps": "exposed-or-concealed",
    "lies.several-rows": "exposed-or-concealed",
    "lies.sideways": "several-sideways",
    "lies.tile-count-kongs": "tile-count",
    **{f"lies.tiles-{where}": "tiles-beside" for where in (*get_args(BlockSide), "instead")},
}
"""The codes of questions that are asked in several ways, or were named before code and key had to
be alike. Logs and programs know them."""


def questions(
    codes: Sequence[str],
    hand: AssembledHand,
    layout: Layout,
    blocks: Sequence[BlockReading] = (),
) -> list[Problem]:
    """Return the questions about this hand, most important first.

    Positions in the hand, the layout and the blocks refer to `codes`.
    """
    rows = [row for row in layout.rows if not is_bonus_row(codes, row)]
    problems = [
        *map(ask_block, blocks),
        _ask_count(hand) if all(block.included for block in blocks) else None,
        _ask_way_up(layout, len(rows)),
        _ask_face_down(hand, layout),
        _ask_row(codes, hand, layout, len(rows)),
        _ask_kong_owner(codes, hand, layout),
        _ask_loose_above(codes, hand, layout),
        _ask_lost_kong_end(codes, hand, layout),
        _ask_sideways(hand, layout),
        _ask_flowers_apart(codes, layout),
    ]
    return [problem for problem in (*problems, *_ask_declared_kongs(codes, hand)) if problem]


def find_winning_tile(hand: AssembledHand, layout: Layout) -> int | None:
    """Return the only tile of the hand that lies across its row; None otherwise."""
    sideways_tiles = _sideways_tiles(hand, layout)
    tiles = sum(len(s.tiles) for s in hand.sets if s.row != "bonus")
    return sideways_tiles[0] if len(sideways_tiles) == 1 and tiles > 2 else None


def _sideways_tiles(hand: AssembledHand, layout: Layout) -> list[int]:
    """Return the sideways tiles without bonus tiles, which may lie in any way."""
    playing_tiles = [tile for s in hand.sets if s.row != "bonus" for tile in s.tiles]
    return [tile for tile in playing_tiles if tile in layout.sideways]


def ask(key: str, **values: Value) -> Problem:
    """Return the question with a key of `words.toml`. Its code is what follows `lies.`."""
    return make_problem(CODES_BY_KEY.get(key, key.removeprefix("lies.")), message(key, **values))


def ask_block(block: BlockReading) -> Problem:
    """Ask whether the tiles of a block are the player's: no tile is missed before that is known."""
    place = "instead" if block.instead else block.side
    return ask(f"lies.tiles-{place}", count=len(block.tiles))


def _ask_count(hand: AssembledHand) -> Problem | None:
    """Ask when the hand has too few or too many tiles: one may be hidden or missed."""
    kongs = any(laid.kind == "kong" for laid in hand.sets)
    count = count_tiles(hand)
    if count < MIN_HAND_TILES or count in (HAND_SIZE - 1, HAND_SIZE):
        return None
    key = "lies.tile-count-kongs" if kongs else "lies.tile-count"
    return ask(key, count=count, due=HAND_SIZE - 1, won=HAND_SIZE)


def _ask_way_up(layout: Layout, rows: int) -> Problem | None:
    if layout.upright or rows < 2:
        return None
    return ask("lies.which-way-up")


def _ask_face_down(hand: AssembledHand, layout: Layout) -> Problem | None:
    if layout.unclear_taken.issuperset(hand.unresolved_tiles):  # these have a question of their own
        return None
    return ask("lies.face-down")


def _ask_row(
    codes: Sequence[str], hand: AssembledHand, layout: Layout, rows: int
) -> Problem | None:
    """Ask which sets were exposed where the rows do not tell, if it affects the score."""
    scoring_sets = [s for s in hand.sets if s.row != "bonus" and s.kind in ("pung", "kong")]
    if any(row.meaning for row in layout.rows):
        return None
    if rows > 1 and _lie_in_one_line(codes, layout):
        is_asked = any(_is_face_up(codes, s) for s in scoring_sets)
        return ask("lies.row-with-gaps") if is_asked else None
    if rows > 1:
        return _ask_staggered(codes, hand, layout)
    if not any(_is_face_up(codes, s) for s in scoring_sets):
        return None
    if any(s.row == "exposed" and _is_face_up(codes, s) for s in scoring_sets):
        return ask("lies.one-pung-down")
    return ask("lies.one-row")


def _lie_in_one_line(codes: Sequence[str], layout: Layout) -> bool:
    """Return whether the rows lie end to end, as one row with gaps does."""
    extents = [row.extent for row in layout.rows if not is_bonus_row(codes, row)]
    return all(a and b and a.is_in_line(b) for a, b in combinations(extents, 2))


def _ask_staggered(codes: Sequence[str], hand: AssembledHand, layout: Layout) -> Problem | None:
    """Ask about sets in several rows if the nearest row holds nothing but whole sets.

    A player's own row has a pair or loose tiles, so the nearest row may be one more exposed row.
    """
    row = _own_row(codes, layout)
    staggered_sets = [s for s in hand.sets if s.row == "concealed" and not row.isdisjoint(s.tiles)]
    if any(s.kind in ("pair", "loose") for s in staggered_sets):
        return None
    if not any(s.kind in ("pung", "kong") and _is_face_up(codes, s) for s in staggered_sets):
        return None
    return ask("lies.several-rows")


def _ask_kong_owner(codes: Sequence[str], hand: AssembledHand, layout: Layout) -> Problem | None:
    """Ask about a face-down tile between two pungs that may belong to either."""
    groups = [group for row in layout.rows for group in row.groups]
    for kong in hand.sets:
        if kong.kind != "kong" or not _is_last_face_down(codes, kong):
            continue
        for group in groups:
            end = group.index(kong.tiles[-1]) + 1 if kong.tiles[-1] in group else len(group)
            after = [codes[tile] for tile in group[end : end + 3]]
            if len(after) == 3 and len(set(after)) == 1 and FACE_DOWN not in after:
                tile, other = name_tile(kong.codes[0]), name_tile(after[0])
                return ask("lies.which-kong", tile=tile, other=other)
    return None


def _ask_lost_kong_end(codes: Sequence[str], hand: AssembledHand, layout: Layout) -> Problem | None:
    """Ask for the other end of a concealed kong (BMJA-V04) if only one was found.

    The rules have no other layout with two alike and a face-down tile at one side.
    """
    for group in (group for row in layout.rows for group in row.groups):
        for end in set(group).intersection(hand.unresolved_tiles):
            k = group.index(end)
            for before in (group[max(k - 3, 0) : k][::-1], group[k + 1 : k + 4]):
                names = [codes[tile] for tile in before]
                if len(names) > 1 and names[0] == names[1] and names[0] in CODES:
                    return ask("lies.kong-end", tile=name_tile(names[0]))
    return None


def _is_last_face_down(codes: Sequence[str], kong: AssembledSet) -> bool:
    return [codes[tile] == FACE_DOWN for tile in kong.tiles] == [False, False, False, True]


def _ask_loose_above(codes: Sequence[str], hand: AssembledHand, layout: Layout) -> Problem | None:
    """Ask about tiles in the rows of exposed sets that cannot be exposed."""
    own_tiles = _own_row(codes, layout)
    upper_tiles = {tile for row in layout.rows for tile in row.tiles} - own_tiles
    odd = [
        s
        for s in hand.sets
        if s.row != "bonus"
        and not upper_tiles.isdisjoint(s.tiles)
        and (s.kind == "loose" or (s.row == "concealed" and _is_face_up(codes, s)))
    ]
    return ask("lies.no-set-above") if odd else None


def _own_row(codes: Sequence[str], layout: Layout) -> frozenset[int]:
    """Return the tiles of the row nearest to the player, flowers aside; empty without a row."""
    rows = [row for row in layout.rows if not is_bonus_row(codes, row)]
    return frozenset(rows[-1].tiles if rows else ())


def _ask_sideways(hand: AssembledHand, layout: Layout) -> Problem | None:
    if len(_sideways_tiles(hand, layout)) < 2:
        return None
    return ask("lies.sideways")


def _ask_flowers_apart(codes: Sequence[str], layout: Layout) -> Problem | None:
    loose_tiles = {tile for tile, why in layout.left_out.items() if why in ("apart", "askew")}
    if not any(is_bonus(codes[tile]) for tile in loose_tiles - layout.unclear):
        return None
    return ask("lies.flowers-apart")


def _ask_declared_kongs(codes: Sequence[str], hand: AssembledHand) -> Iterator[Problem]:
    """Ask whether four face-up tiles alike in the player's own row were declared.

    A hand with one more tile for every kong leaves no doubt (BMJA-V07 does not cover the others).
    """
    kongs = sum(s.kind == "kong" for s in hand.sets)
    if sum(len(s.tiles) for s in hand.sets if s.row != "bonus") - kongs == HAND_SIZE:
        return
    for kong in hand.sets:
        if kong.is_declared_kong and _is_face_up(codes, kong):
            yield ask("lies.kong-declared", tile=name_tile(kong.codes[0]))


def _is_face_up(codes: Sequence[str], laid_set: AssembledSet) -> bool:
    return all(codes[tile] != FACE_DOWN for tile in laid_set.tiles)
