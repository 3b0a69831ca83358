"""A ruleset: the rules as data, read from a file, with the table's choices applied.

>>> from scorer.rulesets.builtin import load_builtin
>>> bmja = load_builtin("bmja")
>>> bmja.limit, bmja.is_on("clean_hand"), bmja.with_choices(("clean_hand:off",)).is_on("clean_hand")
(1000, True, False)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

from scorer.breakdown import OptionInForce, SetKind
from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.hand import Codes, Hand
from scorer.message import Message, Words, rule_text, to_english
from scorer.patterns.frames import SETS_PER_HAND, HandFrame, HandPattern

DEFAULT_LIMIT_POINTS = Hand().limit
"""The limit of a hand for which nobody has given one."""

TESTED_OPTIONS = frozenset(
    {
        "bouquet_includes_own",
        "concealed_needs_sets",
        "fishing_intrinsic_includes_bonus",
        "fishing_must_be_declared",
        "heaven_after_bonus_tiles",
        "loose_tiles_spread",
        "prevailing_wind_doubles",
        "two_player_minimum",
    }
)
"""The options that the scorer's tests ask about by name; rules of a file may name others."""

RuleSubject = Literal["set", "bonus", "hand", "win", "special", "apart"]
"""What a rule looks at: each set, the bonus tiles, the whole hand, or the way it won.

`special` rules also look at the way of winning, but count only for the special hand that they name.
`apart` rules count only in the separate sum of bonus tiles that goes with a special hand.
"""

SpecialShape = Literal["sets", "tiles", "event"]
"""What makes a special hand: four sets and a pair, tiles of another shape, or the way it won."""

LastTile = Literal["any", "pair", "terminal", "none"]
"""Which winning tile may be claimed: any, the pair's, a 1 or a 9, or none."""

LAST_TILES: tuple[LastTile, ...] = get_args(LastTile)


@dataclass(frozen=True, slots=True)
class SpecialVariant:
    """How a special hand is played while an option is on."""

    option: str
    pattern: HandPattern | None = None
    claim: LastTile | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a ruleset: the points or doubles that each award of it gives."""

    id: str
    """The citation key, such as `BMJA-D01`."""
    of: RuleSubject
    label: Message
    sentence: Message
    """The rule in one plain sentence."""
    winner_only: bool
    when: str = ""
    """The name of the test; empty for a rule of the win."""
    kinds: tuple[SetKind, ...] = ()
    """The kinds of set that a `set` rule looks at."""
    ways: Codes = ()
    """The ways of winning that a `win` rule looks for; empty for any."""
    exposed_points: int = 0
    concealed_points: int = 0
    doubles: int = 0
    option: str = ""
    """The option that must be on for the rule to count."""
    special: str = ""
    """The id of the special hand that a `special` rule belongs to."""
    below: int = 0
    """An `apart` rule counts with special hands worth less than this."""
    examples: Codes = ()
    """Hand texts that show it, the simplest first."""
    misses: Codes = ()
    """Hand texts where it does not count though a player might expect it."""

    def __hash__(self) -> int:
        return hash(self.id)

    @property
    def gives(self) -> bool:
        """Whether the rule gives anything; some rows only say that they give nothing."""
        return bool(self.exposed_points or self.concealed_points or self.doubles)

    @property
    def heading(self) -> Message:
        """The label with a capital letter, without the word that decides the points."""
        label = to_english(self.label)
        return rule_text(label[:1].upper() + label[1:])

    def points_for(self, *, concealed: bool) -> int:
        """Return the points of one award."""
        return self.concealed_points if concealed else self.exposed_points

    def label_for(self, *, concealed: bool) -> Message:
        """Return the label, with the word that decides the points where it decides them."""
        if self.exposed_points == self.concealed_points:
            return self.label
        return rule_text(f"{'Concealed' if concealed else 'Exposed'} {to_english(self.label)}")


@dataclass(frozen=True, slots=True)
class SpecialHand:
    """A special hand (BMJA-S11 to BMJA-S29)."""

    id: str
    name: Message
    sentence: Message
    """What it is made of."""
    pattern: HandPattern | None = None
    """The tiles that it is made of; None for a special hand that an event makes."""
    concealed: bool = False
    """Whether no set may be exposed before the winning tile (BMJA-S05); a declared kong is none."""
    claim: LastTile = "any"
    variants: tuple[SpecialVariant, ...] = ()
    when: str = ""
    """The name of the event; empty for a pattern."""
    value: int = 0
    fishing: int = 0
    """The score one tile short; 0 for none."""
    doubles: int = 0
    """Doubles of a hand without a value of its own: Purity (BMJA-S30)."""
    examples: Codes = ()
    """Hand texts that show it, the simplest first."""
    misses: Codes = ()
    """Hand texts where it does not count though a player might expect it."""

    @property
    def of(self) -> SpecialShape:
        """What makes it."""
        if self.pattern is None:
            return "event"
        return "sets" if self.pattern.is_of_sets else "tiles"

    @property
    def frames(self) -> tuple[HandFrame, ...]:
        """What its tiles may be; none for an event."""
        return self.pattern.frames if self.pattern else ()

    def apply_options(self, options: frozenset[str]) -> SpecialHand:
        """Return the hand as it is played while these options are on."""
        special = self
        for variant in self.variants:
            if variant.option in options:
                special = replace(
                    special,
                    pattern=variant.pattern or special.pattern,
                    claim=variant.claim or special.claim,
                )
        return special


@dataclass(frozen=True, slots=True)
class Laying:
    """One way to lay a pung or a kong on the table: X is face up, ? is face down."""

    shape: str
    concealed: bool
    """Whether a set laid like this counts as concealed, in either row."""
    rule: str
    promoted: bool = False
    """An exposed pung to which the drawn fourth tile was added."""

    @property
    def kind(self) -> SetKind:
        """The kind of set: four tiles are a kong, three a pung."""
        return "kong" if len(self.shape) == 4 else "pung"


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that tables make differently."""

    name: str
    rule: str
    """The conflict or rule that it decides."""
    default: bool
    sentence: Message
    """What is played when it is on."""
    affects: Codes = ()
    """The ids of further rules that it changes, besides `rule` and the rows that name it."""
    lessons: Codes = ()
    """The ids of the lessons whose answers it changes."""
    examples: Codes = ()
    """Hand texts that score otherwise when it is chosen the other way."""


@dataclass(frozen=True, slots=True)
class ForeignRule:
    """A rule of other families that players claim; a row of `[[elsewhere]]` in the file.

    It gives `points` or `doubles`, or makes a limit hand. It looks at what a `Rule` looks at, or at
    a pattern as a `SpecialHand` does.
    """

    rule: str
    """The id of the rule by which it does not count here."""
    label: Message
    families: Codes
    """The families that count it, by their keys in `FAMILIES`."""
    source: str
    """Where that is written."""
    points: int = 0
    doubles: int = 0
    limit: bool = False
    of: RuleSubject = "win"
    when: str = ""
    kinds: tuple[SetKind, ...] = ()
    ways: Codes = ()
    """The ways of winning that it needs; empty for any."""
    winner_only: bool = True
    hand: SpecialHand | None = None
    """The hand that its pattern allows; None without a pattern."""
    option: str = ""
    """The option that plays it here, if there is one."""
    examples: Codes = ()
    """Hand texts in which it is claimed."""
    misses: Codes = ()
    """Hand texts that come near it."""


FAMILIES = ("classical", "german", "western", "hong-kong", "riichi", "official", "clubs")
"""The families of rules that players may have learnt elsewhere: `family.KEY` of `words.toml`."""


@dataclass(frozen=True, slots=True)
class TwoPlayers:
    """Doubles or points that a hand needs to go out when two play (BMJA-N02)."""

    doubles: int
    points: int


@dataclass(frozen=True, slots=True)
class PaymentFigures:
    """What is paid besides the scores, in points."""

    tallies: int = 0
    """What each player has before the first deal (BMJA-P01); 0 for a score sheet."""
    misnamed: int = 0
    """The penalty for a misnamed discard that is claimed for a set (BMJA-P19); 0 for none."""
    false_mah_jong: int | None = None
    """The penalty for a false Mah-Jong, shared by the others; None for half the limit."""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """All rules of a game with the table's choices; equal choices give the same object."""

    name: str
    title: Message
    chows: Mapping[str, int]
    """The most chows in an ordinary Mah-Jong, by the number of players, or in a goulash."""
    rules: tuple[Rule, ...]
    """The rules in force, in the order in which a score lists them."""
    kong_box: Mapping[str, int] = field(default_factory=dict)
    """Tiles in the kong box, by the number of players (BMJA-P08, SAF-N02)."""
    payments: PaymentFigures = PaymentFigures()
    players: tuple[int, ...] = (4,)
    limit: int | None = None
    ordinary_limit: int | None = None
    """A lower limit for hands that are no special hand; None where there is none."""
    notice: Words = ""
    author: str = ""
    version: int = 0
    """The version of a custom ruleset, counted from 1; 0 for none."""
    specials: tuple[SpecialHand, ...] = ()
    """Dearest first."""
    options: tuple[Option, ...] = ()
    layings: tuple[Laying, ...] = ()
    """How pungs and kongs are laid when a deal ends; for each, the usual way comes first."""
    every_foreign_rule: tuple[ForeignRule, ...] = ()
    two_players: TwoPlayers | None = None
    goulash: bool = False
    bonus_tiles: bool = False
    prevailing_wind: bool = False
    one_suit: bool = False
    """Whether an ordinary Mah-Jong must keep to one suit (SAF-H02)."""
    chow_claims: bool = True
    """Whether a discard may be claimed for a chow before it completes the hand (SAF-H05)."""
    active_options: frozenset[str] = frozenset()
    """The choices that are on."""
    every_rule: tuple[Rule, ...] = field(default=(), repr=False)
    """All rules, also those whose option is off."""
    every_special: tuple[SpecialHand, ...] = field(default=(), repr=False)
    """The special hands without any option, dearest first."""

    def is_on(self, option: str) -> bool:
        """Return whether this choice is on."""
        return option in self.active_options

    def is_off(self, option: str) -> bool:
        """Return whether the file has this choice and it is off; a file without it plays on."""
        return option not in self.active_options and any(
            each.name == option for each in self.options
        )

    def limit_for(self, hand: Hand) -> int | None:
        """Return the limit for this hand: its own, or else the ruleset's."""
        return (
            self.limit if self.limit is None or hand.limit == DEFAULT_LIMIT_POINTS else hand.limit
        )

    def ordinary_limit_for(self, hand: Hand) -> int | None:
        """Return the lower limit for ordinary hands; a table without a limit has neither."""
        return None if hand.limit is None else self.ordinary_limit

    @property
    def has_lower_limit(self) -> bool:
        """Whether ordinary hands have a lower limit than special hands."""
        ordinary_limit = self.ordinary_limit
        return ordinary_limit is not None and (self.limit is None or ordinary_limit < self.limit)

    def chows_for(self, hand: Hand) -> int:
        """Return how many chows an ordinary Mah-Jong may hold here (BMJA-H02, H03; SAF-H03)."""
        return self.chows.get("goulash" if hand.goulash else str(hand.players), 0)

    @cached_property
    def rules_by_subject(self) -> Mapping[RuleSubject, tuple[Rule, ...]]:
        """The rules by subject, in the order of the file."""
        subjects: tuple[RuleSubject, ...] = ("set", "bonus", "hand", "win", "special", "apart")
        return {of: tuple(rule for rule in self.rules if rule.of == of) for of in subjects}

    def rules_for_special(self, special: SpecialHand) -> list[Rule]:
        """Return the rules that count for this special hand alone (BMJA-S30)."""
        return [rule for rule in self.rules_by_subject["special"] if rule.special == special.id]

    def bonus_rules_for_special(self, special: SpecialHand) -> list[Rule]:
        """Return the rules that count only for the bonus tiles of this special hand (BMJA-S04)."""
        return [rule for rule in self.rules_by_subject["apart"] if special.value < rule.below]

    @cached_property
    def specials_by_shape(self) -> Mapping[SpecialShape, tuple[SpecialHand, ...]]:
        """The special hands by shape, dearest first."""
        shapes: tuple[SpecialShape, ...] = ("sets", "tiles", "event")
        return {of: tuple(each for each in self.specials if each.of == of) for of in shapes}

    @cached_property
    def specials_with_sets(self) -> tuple[SpecialHand, ...]:
        """The special hands of other shapes than four sets in which a set, or a kong, may lie."""
        return tuple(
            each
            for each in self.specials_by_shape["tiles"]
            if each.pattern and each.pattern.has_sets
        )

    @cached_property
    def chows_in_specials(self) -> int:
        """The most chows that a special hand asks for and lets be laid down (BMJA-S10)."""
        chows = (
            sum("chow" in group.kinds for group in frame.groups)
            for each in self.specials_with_sets
            if not each.concealed
            for frame in each.frames
        )
        return max(chows, default=0)

    @cached_property
    def has_robbing(self) -> bool:
        """Whether a kong may be robbed: a rule speaks of it, or there are special hands."""
        return bool(self.specials) or any("robbed-kong" in each.ways for each in self.every_rule)

    @cached_property
    def foreign_rules(self) -> tuple[ForeignRule, ...]:
        """The rules of other families that do not count here, in the order of the file."""
        return tuple(
            each for each in self.every_foreign_rule if each.option not in self.active_options
        )

    @cached_property
    def with_foreign_hands(self) -> Ruleset:
        """The ruleset with the hands of its foreign rules as special hands, and chows free."""
        hands = tuple(each.hand for each in self.foreign_rules if each.hand)
        free = dict.fromkeys(self.chows, SETS_PER_HAND)
        return replace(self, specials=hands, chows=free)

    @cached_property
    def specials_by_id(self) -> Mapping[str, SpecialHand]:
        """The special hands by id."""
        return {special.id: special for special in self.specials}

    @cached_property
    def place_of(self) -> Mapping[int, int]:
        """The position of each rule in a score, by `id(rule)`."""
        return {id(rule): place for place, rule in enumerate(self.rules)}

    @cached_property
    def options_in_force(self) -> tuple[OptionInForce, ...]:
        """Every choice with its value, for the breakdown."""
        return tuple(
            OptionInForce(each.name, each.rule, self.is_on(each.name), each.default, each.sentence)
            for each in self.options
        )

    def with_choices(self, house: Codes) -> Ruleset:
        """Return the ruleset with these choices (`name:active_options` or `name:off`) applied.

        Raises ValueError, with a sentence, for a choice that the ruleset does not have.
        """
        return _apply_choices(self, house) if house else self

    def with_limit(self, limit: int | None) -> Ruleset:
        """Return the ruleset with this limit; None for none. A ruleset without limits stays."""
        return self if self.limit in (None, limit) else _apply_limit(self, limit)

    def unknown_choices(self, house: Codes) -> Iterator[str]:
        """Yield the choices that this ruleset does not have."""
        names = {option.name for option in self.options}
        for word in house:
            name, _, state = word.partition(":")
            if name not in names or state not in ("on", "off"):
                yield word


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _apply_choices(ruleset: Ruleset, house: Codes) -> Ruleset:
    unknown_choices = list(ruleset.unknown_choices(house))
    if unknown_choices:
        raise ValueError(f"{to_english(ruleset.title)} has no choice {', '.join(unknown_choices)}.")
    active_options = set(ruleset.active_options)
    for word in house:
        name, _, state = word.partition(":")
        (active_options.add if state == "on" else active_options.discard)(name)
    return with_options(ruleset, frozenset(active_options))


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _apply_limit(ruleset: Ruleset, limit: int | None) -> Ruleset:
    return replace(ruleset, limit=limit, ordinary_limit=limit and ruleset.ordinary_limit)


def with_options(ruleset: Ruleset, options: frozenset[str]) -> Ruleset:
    """Return the ruleset with exactly these options on."""
    rules = tuple(rule for rule in ruleset.every_rule if not rule.option or rule.option in options)
    specials = tuple(each.apply_options(options) for each in ruleset.every_special)
    return replace(ruleset, active_options=options, rules=rules, specials=specials)
