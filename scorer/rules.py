"""The rules as data: what each gives, to whom, and one plain sentence, from a TOML file.

>>> RULES["BMJA-B03"].concealed_points
8
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class Rule:
    """One row: the points or doubles that each award of this rule gives."""

    id: str
    """The citation key, such as `BMJA-D01`."""
    label: str
    exposed_points: int
    concealed_points: int
    doubles: int
    winner_only: bool
    sentence: str
    """The rule in one sentence, for the page."""

    @property
    def gives(self) -> bool:
        """Whether it gives anything; a rule that does not is there to say so."""
        return bool(self.exposed_points or self.concealed_points or self.doubles)

    def points_for(self, *, concealed: bool) -> int:
        """Return what one award scores."""
        return self.concealed_points if concealed else self.exposed_points

    def label_for(self, *, concealed: bool) -> str:
        """Return the label, with the word that decides the points where it decides them."""
        if self.exposed_points == self.concealed_points:
            return self.label
        return f"{'Concealed' if concealed else 'Exposed'} {self.label}"


@dataclass(frozen=True, slots=True)
class SpecialHand:
    """One of the nineteen special hands (BMJA-S11 to BMJA-S29)."""

    id: str
    name: str
    worth: str
    """What it scores, in words."""


@dataclass(frozen=True, slots=True)
class TwoPlayers:
    """What a hand needs to go Mah-Jong when two play: either of these (BMJA-N02)."""

    doubles: int
    points: int


def _rule(row: dict[str, str | int]) -> Rule:
    points = int(row.get("points", 0))
    return Rule(
        id=str(row["id"]),
        label=str(row["label"]),
        exposed_points=int(row.get("exposed", points)),
        concealed_points=int(row.get("concealed", points)),
        doubles=int(row.get("doubles", 0)),
        winner_only=row["who"] == "winner",
        sentence=str(row["sentence"]),
    )


_DATA = tomllib.loads(resources.files("scorer").joinpath("bmja.toml").read_text("utf-8"))

RULES: dict[str, Rule] = {row["id"]: _rule(row) for row in _DATA["rule"]}
"""Every scoring rule by its id, in the order in which a score is written out."""

SPECIAL_HANDS: dict[str, SpecialHand] = {row["id"]: SpecialHand(**row) for row in _DATA["special"]}
"""Every special hand by its id, dearest first."""

TWO_PLAYERS = TwoPlayers(**_DATA["two_players"])
