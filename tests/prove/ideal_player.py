"""Answer exactly what the page asks of a reading, truly, as an ideal player would.

What is not asked stays as it was read, so that any remaining error is one without a question.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources

from device.hands.misreading import find_misread_tile
from device.hands.record import HandRecord, HandTile, Situation
from device.hands.scoring import score_hand
from device.views.tiles import group_by_question
from scorer.errors import HandError
from scorer.hand import HAND_SIZE, Hand
from scorer.tiles import FACE_DOWN
from tests.device.read_hands import hand_read
from tests.prove.laid_truth import TrueTile
from vision.hand.assembly import AssembledHand, LaidSet, assemble
from vision.hand.questions import CODES_BY_KEY
from vision.reading import REASONS_NEARBY, Reading, RowName

SILENT_PROBLEMS = frozenset({"left-out"})
"""Remarks of the reader that say no more than what the page shows elsewhere."""
PHOTO = frozenset(
    {"too-dark", "too-far", "blurred", "too-low", "glare", "mirrored", "not-a-hand",
     "no-tiles", "cut-off", "blurred-tile"}
)  # fmt: skip
"""Remarks on the photograph: another photograph would answer them, and there is none."""


@dataclass(frozen=True, slots=True)
class AnsweredHand:
    """A hand with the questions that were answered to come by it."""

    hand: Hand
    questions: tuple[str, ...] = ()
    """What was asked: codes of problems, `tile` for each answer about tiles in doubt."""


@dataclass(slots=True)
class _Page:
    """The hand's page while it is answered."""

    reading: Reading
    truth: Sequence[TrueTile]
    """The picture's tiles."""
    owner: str
    found: Mapping[int, int]
    """Tiles read to tiles that lie there."""
    codes: list[str | None] = field(default_factory=list)
    sets: list[LaidSet] = field(default_factory=list)
    won: int | None = None
    winner: bool = False
    is_claimed: bool = False
    asked: list[str] = field(default_factory=list)
    checked_tiles: set[int] = field(default_factory=set)
    """Tiles that the player has looked at."""

    def own_tile(self, place: int) -> TrueTile | None:
        """Return the true tile of this hand at a place; None for no tile of this hand."""
        tile = self.truth[self.found[place]] if place in self.found else None
        return tile if tile and tile.owner == self.owner else None

    @property
    def hand_tiles(self) -> set[int]:
        """The tiles in the hand."""
        places = (p for each in self.sets for p in each.tiles)
        return {p for p in places if self.codes[p] is not None}

    def name(self, place: int) -> None:
        """Name a tile truly, or strike it out if it is no tile of the hand."""
        tile = self.own_tile(place)
        self.codes[place] = tile.code if tile else None
        self.checked_tiles.add(place)


def as_read(reading: Reading) -> Hand:
    """Return the hand as the page takes it before anybody has said anything."""
    return _hand(_open_page(reading, (), "", {}))


def answer_questions(
    reading: Reading, truth: Sequence[TrueTile], owner: str, tile_of_place: Mapping[int, int]
) -> AnsweredHand:
    """Return the hand when everything that the page asks has been answered.

    Raises ValueError for a remark of the reader that it has no answer to.
    """
    page = _open_page(reading, truth, owner, tile_of_place)
    problems = [p.code for p in reading.problems if p.code not in PHOTO | SILENT_PROBLEMS]
    if strange_codes := set(problems) - ANSWERS.keys() - question_codes():
        raise ValueError(f"the ideal player has no answer to {sorted(strange_codes)}")
    page.asked += problems
    _strike_included(page)
    for group in _tile_questions(page):
        page.asked += ["tile"] * _taps_needed(page, group)
        for place in group:
            page.name(place)
    for code, answer in ANSWERS.items():
        if code in problems:
            answer(page)
    _take_in(page)
    if set(problems) & question_codes() - NO_LAYING:
        _lay(page)
    if page.won not in page.hand_tiles:
        page.won = None
    if "several-sideways" in problems or (page.winner and page.won is None):
        page.asked += [] if "several-sideways" in problems else ["winning-tile"]
        _say_won(page)
    if "tile-count" not in problems and _is_miscounted(page):
        page.asked.append("count")
        _count(page)
    _look_at_misread(page)
    return AnsweredHand(_hand(page), tuple(page.asked))


def _open_page(
    reading: Reading, truth: Sequence[TrueTile], owner: str, tile_of_place: Mapping[int, int]
) -> _Page:
    sets = [LaidSet(s.tiles, s.row) for s in reading.sets]
    page = _Page(reading, truth, owner, tile_of_place, [t.code for t in reading.tiles], sets)
    page.won = reading.winning_tile
    rows = [s.row for s in reading.sets if page.won in s.tiles]
    page.is_claimed = rows == ["exposed"]
    tile_counts = (
        min(len(s.tiles), 3) if s.kind == "kong" else len(s.tiles)
        for s in reading.sets
        if s.row != "bonus"
    )
    page.winner = page.won is not None or sum(tile_counts) >= HAND_SIZE
    return page


def _tile_questions(page: _Page) -> tuple[tuple[int, ...], ...]:
    """Return the doubtful tiles of the hand as the page asks about them."""
    tiles = page.reading.tiles
    doubtful = [place for place in sorted(page.hand_tiles) if tiles[place].doubtful]
    sets = [each.tiles for each in _assemble(page).sets]
    return group_by_question(doubtful, sets, page.codes, [tile.alike for tile in tiles])


def _taps_needed(page: _Page, group: Sequence[int]) -> int:
    """Return how many answers a question needs: where its tiles differ, that and one for each."""
    truths = {tile.code if (tile := page.own_tile(place)) else None for place in group}
    return 1 if len(truths) == 1 else 1 + len(group)


def _look_at_crowds(page: _Page) -> None:
    """Name all tiles of faces that occur more often than a set has them."""
    counts = Counter(page.codes[place] for place in page.hand_tiles)
    for place in page.hand_tiles:
        code = page.codes[place]
        maximum = 1 if _is_bonus(code) else 4
        if code != FACE_DOWN and counts[code] > maximum:
            page.name(place)


def _check_above(page: _Page) -> None:
    """Check the tiles above that were not taken for an exposed set, as one is asked to."""
    for tile_set in page.reading.sets:
        if tile_set.kind == "loose" or tile_set.row == "concealed":
            for place in tile_set.tiles:
                tile = page.own_tile(place)
                if tile and tile.row == "exposed":
                    page.name(place)


def _count(page: _Page) -> None:
    """Strike out tiles that are not the hand's, and add missing ones."""
    for place in page.hand_tiles:
        tile = page.own_tile(place)
        if not tile or _is_bonus(tile.face) != _is_bonus(page.codes[place]):
            page.name(place)
    _add(page)


def _add_to_kongs(page: _Page) -> None:
    """Add the missing tiles of the hand's kongs."""
    _add(page, kongs_alone=True)


def _add(page: _Page, *, kongs_alone: bool = False) -> None:
    """Add the hand's tiles that are not there, or those of its kongs alone."""
    found_tiles = {page.found[place] for place in page.hand_tiles if place in page.found}
    group_counts = Counter((t.group, t.face) for t in page.truth if t.owner == page.owner)
    for number, tile in enumerate(page.truth):
        if tile.owner != page.owner or number in found_tiles or tile.row is None:
            continue
        if not kongs_alone or group_counts[tile.group, tile.face] == 4:
            page.codes.append(tile.code)
            page.found = {**page.found, len(page.codes) - 1: number}
            _join(page, len(page.codes) - 1, tile)


def _is_bonus(code: str | None) -> bool:
    return code is not None and code[0] in "FS"


def _strike_included(page: _Page) -> None:
    """Say no to tiles that the hand includes but that are another's: their name is not asked."""
    for place in (place for block in page.reading.blocks for place in block.tiles):
        if place in page.hand_tiles and not page.own_tile(place):
            page.codes[place] = None


def _add_blocks(page: _Page) -> None:
    """Take in the tiles beside the hand that are its, and count when the others are refused."""
    blocks = [block for block in page.reading.blocks if not block.included]
    for place in (place for block in blocks for place in block.tiles):
        if (tile := page.own_tile(place)) and place not in page.hand_tiles:
            _take(page, place, tile)
    if blocks:
        _count(page)


def _take_in(page: _Page) -> None:
    """Add tiles of the hand that the page shows beside it, and name the doubtful ones."""
    tiles_nearby = [left.tile for left in page.reading.left_out if left.why in REASONS_NEARBY]
    page.asked += ["left-out"] if tiles_nearby else []
    for place in tiles_nearby:
        tile = page.own_tile(place)
        found_tiles = {page.found[p] for p in page.hand_tiles if p in page.found}
        if not tile or page.found[place] in found_tiles:
            continue
        _take(page, place, tile)


def _take(page: _Page, place: int, tile: TrueTile) -> None:
    """Put a tile that lay beside the hand to its set; then the page asks about it if in doubt."""
    _join(page, place, tile)
    if page.reading.tiles[place].doubtful:
        page.asked.append("tile")
        page.name(place)


def _join(page: _Page, place: int, tile: TrueTile) -> None:
    """Put a tile to the others of its set, or by itself."""
    for number, tile_set in enumerate(page.sets):
        mates = [page.own_tile(p) for p in tile_set.tiles]
        if any(m and m.group == tile.group for m in mates):
            page.sets[number] = replace(tile_set, tiles=(*tile_set.tiles, place))
            return
    if tile.row:
        page.sets.append(LaidSet((place,), tile.row, placed_by_hand=True))


def _lay(page: _Page) -> None:
    """Lay every set as it lies, and name what lies face down."""
    groups: dict[tuple[int, RowName], list[int]] = {}
    rest = []
    for tile_set in page.sets:
        for place in tile_set.tiles:
            tile = page.own_tile(place)
            if tile and tile.row:
                groups.setdefault((tile.group, tile.row), []).append(place)
                if page.codes[place] == FACE_DOWN and tile.code == FACE_DOWN:
                    page.codes[place] = tile.face
            elif page.codes[place] is not None:
                rest.append(LaidSet((place,), tile_set.row))
    sets = [LaidSet(tuple(p), row, placed_by_hand=True) for (_, row), p in groups.items()]
    page.sets = [*sets, *rest]
    rows = [each.row for each in page.sets if page.won in each.tiles]
    page.is_claimed = rows == ["exposed"]  # as the page takes it until it is said (`guess_claimed`)


def _say_won(page: _Page) -> None:
    """Say which tile completed the hand, and where it came from."""
    winning_places = [
        place for place in page.hand_tiles if (tile := page.own_tile(place)) and tile.won
    ]
    page.won = winning_places[0] if winning_places else None
    page.winner = bool(winning_places) or any(t.won for t in page.truth if t.owner == page.owner)
    rows = [t.row for t in page.truth if t.won and t.owner == page.owner]
    page.is_claimed = rows == ["exposed"]


def _look_at_misread(page: _Page) -> None:
    """Name the tile that keeps the hand from being a Mah-Jong, where the page points at one."""
    place = find_misread_tile(_record(page))
    if place is not None:
        page.asked.append("tile")
        page.name(place)


def _is_miscounted(page: _Page) -> bool:
    """Whether the page says that tiles are missing, or that there are too many."""
    record = _record(page)
    try:
        problems = score_hand(record).problems
    except HandError as error:
        problems = error.problems
    return any(problem.code in ("tile-count", "winner-count") for problem in problems)


def _record(page: _Page) -> HandRecord:
    """Return the hand as the box keeps it, all blocks beside it answered for."""
    read = [*page.reading.tiles, *[None] * (len(page.codes) - len(page.reading.tiles))]
    tiles = (
        HandTile(
            code,
            tile,
            is_changed=bool(tile and tile.code != code),
            is_confirmed=place in page.checked_tiles,
        )
        for place, (code, tile) in enumerate(zip(page.codes, read, strict=True))
    )
    won_by = "discard" if page.is_claimed else "wall"
    return replace(
        hand_read(page.reading),
        situation=Situation(winner=page.winner, won_by=won_by, winning_tile=page.won),
        tiles=tuple(tiles),
        sets=tuple(page.sets),
        answered_blocks=frozenset(range(len(page.reading.blocks))),
    )


def _assemble(page: _Page) -> AssembledHand:
    sets = [
        replace(s, tiles=tuple(p for p in s.tiles if page.codes[p] is not None)) for s in page.sets
    ]
    return assemble([code or FACE_DOWN for code in page.codes], sets, "bmja")


def _hand(page: _Page) -> Hand:
    parts = _assemble(page)
    codes = {t: code for s in parts.sets for t, code in zip(s.tiles, s.codes, strict=True)}
    return Hand(
        exposed=parts.exposed,
        declared_kongs=parts.declared_kongs,
        concealed=parts.concealed,
        bonus=parts.bonus,
        winner=page.winner,
        won_by=(("discard" if page.is_claimed else "wall"),) if page.winner else (),
        winning_tile=codes.get(page.won) if page.won is not None else None,
    )


ANSWERS: Mapping[str, Callable[[_Page], None]] = {
    "too-many-of-a-tile": _look_at_crowds,
    "tile-count": _count,
    "tiles-beside": _add_blocks,
    "kong-short": _add_to_kongs,
    "no-set-above": _check_above,
}
"""What a player does about a remark on the tiles, in this order."""

NO_LAYING = frozenset(
    {"tile-count", "tiles-beside", "kong-short", "several-sideways", "flowers-apart",
     "flowers-unclear"}
)  # fmt: skip
"""Questions that are answered without a look at how the sets lie: above, by the winning tile, or
tile by tile. To every other one the sets are laid anew, as they truly lie."""


@cache
def question_codes() -> frozenset[str]:
    """Return the codes of all questions that the reader can ask."""
    text = (resources.files("vision") / "words.toml").read_text(encoding="utf-8")
    keys = {f"lies.{key}" for key in tomllib.loads(text)["lies"]}
    return frozenset(CODES_BY_KEY.get(key, key.removeprefix("lies.")) for key in keys)
