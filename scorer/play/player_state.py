"""One player's tiles and declarations during a deal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from scorer.hand import Codes, Hand


@dataclass(frozen=True, slots=True)
class TableSet:
    """A set on the table."""

    tiles: Codes
    concealed: bool = False
    """Whether it is a declared concealed kong."""
    claimed_tile: str = ""
    """The tile that was claimed for it; empty for a concealed kong, and where nobody saw it."""
    discarder: str = ""
    """The seat that discarded it; empty as well."""

    @property
    def kind(self) -> str:
        """A chow, a pung or a kong; a chow is never played with wild tiles."""
        if len(self.tiles) == 4:
            return "kong"
        is_run = self.tiles[0][0] == self.tiles[2][0] and len(set(self.tiles)) == 3
        return "chow" if is_run else "pung"

    def add_fourth(self, tile: str) -> TableSet:
        """Return the kong that a pung becomes (BMJA-K07)."""
        return replace(self, tiles=(*self.tiles, tile))


@dataclass(slots=True)
class PlayerState:
    """What one player holds and has said."""

    concealed: list[str]
    sets: list[TableSet] = field(default_factory=list)
    bonus: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    """Those that nobody claimed, in order."""
    has_discarded: bool = False
    fishing: bool = False
    """Whether the player has announced fishing."""
    original_call: bool = False
    """Whether fishing was announced with the first discard, the hand unaltered since (BMJA-D08)."""
    keeps_hand: bool = False
    """Whether the player swapped no more, and must keep the hand (BMJA-G03)."""
    waits: frozenset[str] | None = None
    """The tiles that complete the hand; None when they must be sought again."""

    def take(self, *tiles: str) -> None:
        """Add tiles to the concealed ones."""
        self.concealed.extend(tiles)
        self.waits = None

    def give(self, *tiles: str) -> None:
        """Remove tiles from the concealed ones."""
        for tile in tiles:
            self.concealed.remove(tile)
        self.waits = None

    def lay_out(
        self, bonus: Codes, exposed: tuple[Codes, ...], concealed_kongs: tuple[Codes, ...]
    ) -> None:
        """Lay out what lies on the table when the deal begins; a kong's fourth tile is replaced."""
        self.bonus.extend(bonus)
        self.sets = [TableSet(codes) for codes in exposed]
        self.sets += [TableSet(codes, concealed=True) for codes in concealed_kongs]
        for each in self.sets:
            self.give(*each.tiles[:3])
        self.has_discarded = bool(self.sets)

    def count_chows(self) -> int:
        """Return the number of chows on the table."""
        return sum(each.kind == "chow" for each in self.sets)

    def to_hand(self, empty: Hand, *more_tiles: str) -> Hand:
        """Return the hand, with further concealed tiles; `empty` has the circumstances."""
        return replace(
            empty,
            exposed=tuple(each.tiles for each in self.sets if not each.concealed),
            declared_kongs=tuple(each.tiles for each in self.sets if each.concealed),
            concealed=(*self.concealed, *more_tiles),
            bonus=tuple(self.bonus),
        )
