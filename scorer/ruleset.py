"""A ruleset: the rules as data, from a file, with the table's choices in force.

>>> from scorer.rulesets.shipped import shipped
>>> bmja = shipped("bmja")
>>> bmja.limit, bmja.is_on("clean_hand"), bmja.with_choices(("clean_hand:off",)).is_on("clean_hand")
(1000, True, False)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal

from scorer.breakdown import OptionInForce, SetKind
from scorer.hand import Codes, Hand
from scorer.memo_sizes import FEW

UNSAID_LIMIT = Hand().limit
"""What a hand has where nobody has said anything of a limit."""

SWITCHES = frozenset(
    {
        "bouquet_includes_own",
        "buried_treasure_last_pung_claimable",
        "concealed_needs_sets",
        "fishing_intrinsic_includes_bonus",
        "fishing_must_be_declared",
        "gates_only_terminal_claimable",
        "heaven_after_bonus_tiles",
        "jade_chows",
        "knitting_two_suits",
        "loose_tiles_spread",
        "prevailing_wind_doubles",
        "two_player_minimum",
    }
)
"""The choices that tests ask about by name; any other is for rules of the file to name."""

Subject = Literal["set", "bonus", "hand", "win", "special", "apart"]
"""What a rule looks at: each set, the bonus tiles, the whole hand, or the way it won.

`special` rules look at the way of winning too, but count only for the special hand that they name;
`apart` rules count only in the sum of bonus tiles that goes with a special hand.
"""

Shape = Literal["sets", "tiles", "event"]
"""What makes a special hand: four sets and a pair, a pattern of tiles, or the way it won."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row: the points or doubles that each award of this rule gives."""

    id: str
    """The citation key, such as `BMJA-D01`."""
    of: Subject
    label: str
    sentence: str
    """The rule in one plain sentence."""
    winner_only: bool
    when: str = ""
    """The name of the test; empty for a rule of the win."""
    kinds: tuple[SetKind, ...] = ()
    """Which sets a rule of a set looks at."""
    ways: Codes = ()
    """The ways of winning that a rule of the win looks for; empty for any."""
    exposed_points: int = 0
    concealed_points: int = 0
    doubles: int = 0
    option: str = ""
    """The choice that must be on for the rule to count."""
    special: str = ""
    """The id of the special hand that a `special` rule belongs to."""
    below: int = 0
    """An `apart` rule counts with special hands worth less than this."""

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
    """A special hand (BMJA-S11 to BMJA-S29)."""

    id: str
    name: str
    of: Shape
    when: str
    """The name of the test."""
    sentence: str
    """What it is made of."""
    value: int = 0
    fishing: int = 0
    """What it scores one tile short; 0 for nothing."""
    doubles: int = 0
    """Purity has no value of its own: its points are doubled so often (BMJA-S30)."""


@dataclass(frozen=True, slots=True)
class Laying:
    """One way in which a pung or a kong is laid on the table: X is face up, ? face down."""

    shape: str
    concealed: bool
    """Whether a set that lies so counts as concealed, in whichever row it lies."""
    rule: str
    promoted: bool = False
    """An exposed pung to which the drawn fourth tile was added."""

    @property
    def kind(self) -> SetKind:
        """What so many alike are."""
        return "kong" if len(self.shape) == 4 else "pung"


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that tables make differently."""

    name: str
    rule: str
    """The conflict or rule that it decides."""
    default: bool
    sentence: str
    """What is played when it is on."""


@dataclass(frozen=True, slots=True)
class TwoPlayers:
    """What a hand needs to go Mah-Jong when two play: either of these (BMJA-N02)."""

    doubles: int
    points: int


@dataclass(frozen=True, eq=False)
class Ruleset:
    """All rules of a game, with the choices that are on; the same object for the same choices."""

    name: str
    title: str
    chows: Mapping[str, int]
    """The most chows in an ordinary Mah-Jong, by the number of players, or in a goulash."""
    rules: tuple[Rule, ...]
    """In the order in which a score is written out; those alone whose option is on."""
    players: tuple[int, ...] = (4,)
    limit: int | None = None
    notice: str = ""
    specials: tuple[SpecialHand, ...] = ()
    """Dearest first."""
    options: tuple[Option, ...] = ()
    layings: tuple[Laying, ...] = ()
    """How pungs and kongs are laid when a deal ends, the usual way of each before its others."""
    two_players: TwoPlayers | None = None
    goulash: bool = False
    bonus_tiles: bool = False
    prevailing_wind: bool = False
    one_suit: bool = False
    """Whether a Mah-Jong must keep to one suit (SAF-H02)."""
    chow_claims: bool = True
    """Whether a discard may be claimed for a chow before it completes the hand (SAF-H05)."""
    on: frozenset[str] = frozenset()
    """The choices that are on."""
    every_rule: tuple[Rule, ...] = field(default=(), repr=False)
    """All rules, also those whose option is off."""

    def is_on(self, option: str) -> bool:
        """Return whether this choice is on."""
        return option in self.on

    def limit_for(self, hand: Hand) -> int | None:
        """Return the most that this hand may score: what it says, or else the ruleset's limit."""
        return self.limit if self.limit is None or hand.limit == UNSAID_LIMIT else hand.limit

    def chows_for(self, hand: Hand) -> int:
        """Return how many chows an ordinary Mah-Jong may hold at this table (BMJA-H02, H03)."""
        return self.chows.get("goulash" if hand.goulash else str(hand.players), 0)

    @cached_property
    def by_subject(self) -> Mapping[Subject, tuple[Rule, ...]]:
        """The rules by what they look at, each in the order of the file."""
        subjects: tuple[Subject, ...] = ("set", "bonus", "hand", "win", "special", "apart")
        return {of: tuple(rule for rule in self.rules if rule.of == of) for of in subjects}

    def only_with(self, special: SpecialHand) -> list[Rule]:
        """Return the rules that count for this special hand alone (BMJA-S30)."""
        return [rule for rule in self.by_subject["special"] if rule.special == special.id]

    def apart_with(self, special: SpecialHand) -> list[Rule]:
        """Return the rules that count for the bonus tiles of this special hand (BMJA-S04)."""
        return [rule for rule in self.by_subject["apart"] if special.value < rule.below]

    @cached_property
    def specials_of(self) -> Mapping[Shape, tuple[SpecialHand, ...]]:
        """The special hands by what makes them, dearest first."""
        shapes: tuple[Shape, ...] = ("sets", "tiles", "event")
        return {of: tuple(each for each in self.specials if each.of == of) for of in shapes}

    @cached_property
    def special_named(self) -> Mapping[str, SpecialHand]:
        """The special hands by id."""
        return {special.id: special for special in self.specials}

    @cached_property
    def place_of(self) -> Mapping[int, int]:
        """The place of each rule, by its identity, in the order of a score."""
        return {id(rule): place for place, rule in enumerate(self.rules)}

    @cached_property
    def options_in_force(self) -> tuple[OptionInForce, ...]:
        """Every choice with its value, for the breakdown."""
        return tuple(
            OptionInForce(each.name, each.rule, self.is_on(each.name), each.default, each.sentence)
            for each in self.options
        )

    def with_choices(self, house: Codes) -> Ruleset:
        """Return the ruleset with these choices, `name:on` or `name:off`, made.

        Raises ValueError, with a sentence, for a choice that the ruleset does not have.
        """
        return _chosen(self, house) if house else self

    def with_limit(self, limit: int | None) -> Ruleset:
        """Return the ruleset with this limit, None for none; itself where it knows no limit."""
        return self if self.limit in (None, limit) else _limited(self, limit)

    def unknown_choices(self, house: Codes) -> Iterator[str]:
        """Yield the choices that are none of this ruleset's."""
        names = {option.name for option in self.options}
        for word in house:
            name, _, state = word.partition(":")
            if name not in names or state not in ("on", "off"):
                yield word


@lru_cache(maxsize=FEW)
def _chosen(ruleset: Ruleset, house: Codes) -> Ruleset:
    unknown = list(ruleset.unknown_choices(house))
    if unknown:
        raise ValueError(f"{ruleset.title} has no choice {', '.join(unknown)}.")
    on = set(ruleset.on)
    for word in house:
        name, _, state = word.partition(":")
        (on.add if state == "on" else on.discard)(name)
    return with_options(ruleset, frozenset(on))


@lru_cache(maxsize=FEW)
def _limited(ruleset: Ruleset, limit: int | None) -> Ruleset:
    return replace(ruleset, limit=limit)


def with_options(ruleset: Ruleset, on: frozenset[str]) -> Ruleset:
    """Return the ruleset with just these choices on."""
    rules = tuple(rule for rule in ruleset.every_rule if not rule.option or rule.option in on)
    return replace(ruleset, on=on, rules=rules)
