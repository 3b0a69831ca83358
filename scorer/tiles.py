"""The tiles of a Mah-Jong set: 34 playing faces and 8 bonus faces (BMJA-T01, BMJA-T02).

>>> Tile("O", "1").name, Tile("O", "5").name, Tile("B", "5").name, Tile("W", "E").name
('1 circle', '5 circles', '5 bamboo', 'East wind')
>>> Tile.parse("WE").is_major
True
"""

from __future__ import annotations

from dataclasses import dataclass

FACE_DOWN = "??"
"""The code of a face-down tile; it occurs in photo readings and hand texts only."""

WHITE_DRAGON = "DW"

JOKER = "JK"
"""Code of a joker or wild tile (goulash only)."""

SUITS: dict[str, str] = {"B": "bamboo", "C": "character", "O": "circle"}
"""Suit letter to its British name, in the order in which hands are sorted."""

_SUIT_PLURALS: dict[str, str] = {"B": "bamboo", "C": "characters", "O": "circles"}
"""Suit letter to the plural name, used with every number but 1."""

WINDS: dict[str, str] = {"E": "East", "S": "South", "W": "West", "N": "North"}
"""Wind letter to its name, in playing order from East."""

DRAGONS: dict[str, str] = {"R": "red", "G": "green", "W": "white"}
"""Dragon letter to its colour."""

FLOWERS: dict[str, str] = {"1": "plum", "2": "orchid", "3": "chrysanthemum", "4": "bamboo"}
"""Flower number to its picture."""

SEASONS: dict[str, str] = {"1": "spring", "2": "summer", "3": "autumn", "4": "winter"}
"""Season number to its name."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One face: `family` is B, C, O, W, D, F or S, `rank` a digit or a letter."""

    family: str
    rank: str

    def __post_init__(self) -> None:
        if self.rank not in RANKS.get(self.family, ""):
            raise ValueError(f"there is no tile {self.family}{self.rank}")

    @classmethod
    def parse(cls, code: str) -> Tile:
        """Return the tile with this two-letter code; raise ValueError when there is none."""
        if len(code) != 2:
            raise ValueError(f"a tile code has two letters, such as B1 or WE, not {code!r}")
        return cls(code[0], code[1])

    @property
    def code(self) -> str:
        """The two-letter code: `B1`, `WE`, `DR`, `F3`."""
        return self.family + self.rank

    @property
    def name(self) -> str:
        """The British name: `1 circle`, `5 circles`, `East wind`."""
        match self.family:
            case "W":
                return f"{WINDS[self.rank]} wind"
            case "D":
                return f"{DRAGONS[self.rank]} dragon"
            case "F":
                return f"flower {self.rank} ({FLOWERS[self.rank]})"
            case "S":
                return f"season {self.rank} ({SEASONS[self.rank]})"
            case suit:
                return f"{self.rank} {(SUITS if self.rank == '1' else _SUIT_PLURALS)[suit]}"

    @property
    def plural(self) -> str:
        """The plural name: `1 circles`, `5 circles`, `East winds`; bonus tiles have none."""
        if self.is_suit:
            return f"{self.rank} {_SUIT_PLURALS[self.family]}"
        return self.name if self.is_bonus else f"{self.name}s"

    @property
    def is_suit(self) -> bool:
        """A bamboo, character or circle."""
        return self.family in SUITS

    @property
    def is_honour(self) -> bool:
        """A wind or a dragon."""
        return self.family in ("W", "D")

    @property
    def is_bonus(self) -> bool:
        """A flower or a season: it scores, but is never part of the hand (BMJA-T05)."""
        return self.family in ("F", "S")

    @property
    def is_terminal(self) -> bool:
        """A 1 or a 9 of a suit."""
        return self.is_suit and self.rank in "19"

    @property
    def is_major(self) -> bool:
        """A 1, a 9 or an honour."""
        return self.is_honour or self.is_terminal

    @property
    def is_minor(self) -> bool:
        """A suit tile from 2 to 8; "minor" means something else in Safalra's rules."""
        return self.is_suit and not self.is_terminal

    def __str__(self) -> str:
        return self.code

    def __lt__(self, other: Tile) -> bool:
        return _PLACE_BY_CODE[self.code] < _PLACE_BY_CODE[other.code]


RANKS: dict[str, str] = {
    "B": "123456789",
    "C": "123456789",
    "O": "123456789",
    "W": "ESWN",
    "D": "RGW",
    "F": "1234",
    "S": "1234",
}
"""Family letter to the ranks of that family, in their order."""

CODES: tuple[str, ...] = tuple(f + r for f, ranks in RANKS.items() for r in ranks)
"""The 42 codes in the order by which hands are sorted and models labelled."""

TILE_FAMILIES: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
    (family, tuple(family + rank for rank in ranks)) for family, ranks in RANKS.items()
)
"""The same codes by family, each with its letter."""

_PLACE_BY_CODE = {code: place for place, code in enumerate(CODES)}

TILES: tuple[Tile, ...] = tuple(Tile.parse(code) for code in CODES)
"""The 42 faces in the order of `CODES`."""

BY_CODE: dict[str, Tile] = dict(zip(CODES, TILES, strict=True))
"""Code to face."""


def copies_in_set(tile: Tile) -> int:
    """Return how many of this face a set of tiles holds (BMJA-T01, BMJA-T04)."""
    return 1 if tile.is_bonus else 4
