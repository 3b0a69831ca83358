"""A special hand that is made by tapping: its tiles, what may differ, and the pattern of that."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from device.i18n.words import say
from scorer.errors import HandError
from scorer.hand import HAND_SIZE, RULESETS, Codes, Hand
from scorer.patterns.examples import ExampleGroup, example_groups
from scorer.patterns.frames import COPIES_PER_TILE, PLACE_BY_CODE, HandPattern, compile_pattern
from scorer.patterns.generalise import (
    TappedAnswers,
    TappedQuestion,
    find_questions,
    fit_answers,
    write_pattern,
)
from scorer.patterns.groupings import Grouping, find_groupings
from scorer.patterns.notation import PatternError
from scorer.patterns.wording import describe_pattern
from scorer.ruleset import Ruleset, SpecialHand
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import SAMPLES, load_sample_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score_unexplained

SHOWN_HANDS = 3
"""How many other hands of the pattern are shown."""

MAX_TRIED_HANDS = 12
"""Hands drawn to find so many different ones; a narrow pattern has fewer."""

SET_TILES = 3
"""Tiles of a set among the fourteen: a kong counts as three."""

LYING_CHOICES = ("yes", "no", "less")
"""Whether the hand must be concealed; `less` is worth less with a set laid down."""


class KnownHand(NamedTuple):
    """A special hand of rules that come with the box, to begin from."""

    key: str
    special: SpecialHand
    pattern: HandPattern

    @property
    def tiles(self) -> Codes:
        """Fourteen tiles of it, the same each time."""
        (groups,) = example_groups(self.pattern, 1, Random(self.pattern.text))
        return _without_fourths(groups)


def _without_fourths(groups: tuple[ExampleGroup, ...]) -> Codes:
    """Return the fourteen tiles of a hand in groups; a kong counts for three."""
    tiles = ((each.tiles[:SET_TILES] if each.is_set else each.tiles) for each in groups)
    return tuple(code for each in tiles for code in each)


@lru_cache(maxsize=1)
def load_samples() -> dict[str, tuple[KnownHand, ...]]:
    """Return the special hands to begin from, by the name of their rules."""
    rulesets = {name: load_builtin(name) for name in RULESETS}
    rulesets |= {name: read_ruleset(load_sample_text(name)) for name in SAMPLES}
    samples = {
        name: tuple(
            KnownHand(f"{name}:{each.id}", each, each.pattern)
            for each in rules.every_special
            if each.pattern
        )
        for name, rules in rulesets.items()
    }
    return {name: hands for name, hands in samples.items() if hands}


def find_sample(key: str) -> KnownHand | None:
    """Return the special hand of this key; None for none."""
    samples = load_samples().get(key.partition(":")[0], ())
    return next((each for each in samples if each.key == key), None)


@dataclass(frozen=True)
class TappedHand:
    """What was tapped and answered so far."""

    tiles: Codes = ()
    """Fourteen at the most, in the order of a hand."""
    meant: int = 0
    """Which of the ways to see the tiles is meant."""
    answers: TappedAnswers = field(default_factory=TappedAnswers)
    lying: str = "no"
    like: str = ""
    """The key of the sample whose pattern it has; empty for a pattern by the answers."""

    @property
    def is_whole(self) -> bool:
        """Whether all tiles are there."""
        return len(self.tiles) == HAND_SIZE

    @cached_property
    def groupings(self) -> tuple[Grouping, ...]:
        """The ways to see the tiles."""
        return find_groupings(self.tiles)

    @property
    def grouping(self) -> Grouping:
        """The way that is meant."""
        return self.groupings[self.meant if self.meant < len(self.groupings) else 0]

    @property
    def sample(self) -> KnownHand | None:
        """The sample whose pattern it has."""
        return find_sample(self.like)

    @cached_property
    def pattern(self) -> str:
        """The pattern in the notation of files."""
        if self.sample:
            return self.sample.pattern.text
        return write_pattern(self.grouping, fit_answers(self.grouping, self.answers))

    @property
    def questions(self) -> tuple[TappedQuestion, ...]:
        """What is asked about the tiles; nothing of a sample."""
        return () if self.sample else find_questions(self.grouping, self.answers)

    @property
    def may_lie(self) -> bool:
        """Whether the hand has sets, which may be laid down."""
        try:
            return compile_pattern(self.pattern).has_sets
        except PatternError:
            return False

    @property
    def fields(self) -> dict[str, str]:
        """What the fields of a form say of it, or the address of a page; without what is usual."""
        texts = {name: each for name, each in asdict(self.answers).items() if each != "these"}
        texts |= {"tiles": " ".join(self.tiles), "like": self.like}
        texts |= {"lying": self.lying} if self.lying != "no" else {}
        texts |= {"meant": str(self.meant)} if self.meant else {}
        return {name: text for name, text in texts.items() if text}

    def can_take(self, code: str) -> bool:
        """Whether one more of a tile can be tapped."""
        return not self.is_whole and self.tiles.count(code) < COPIES_PER_TILE


def in_hand_order(codes: Codes) -> Codes:
    """Return tiles in the order of a hand."""
    return tuple(sorted(codes, key=PLACE_BY_CODE.__getitem__))


def name_of_hand(tiles: Codes, rules: Ruleset) -> str:
    """Return the special hand that fourteen tiles are under these rules; empty for none."""
    hand = Hand(concealed=tiles, winner=True, won_by=("wall",), winning_tile=tiles[-1])
    try:
        special = rules.specials_by_id.get(score_unexplained(hand, rules).special or "")
    except HandError:
        return ""
    return say(special.name) if special else ""


def say_pattern(text: str) -> str:
    """Return what a pattern says; empty for one that leaves too much open."""
    try:
        compile_pattern(text)
        return say(describe_pattern(text))
    except PatternError:
        return ""


def other_hands(text: str, tiles: Codes, rng: Random) -> list[tuple[Codes, ...]]:
    """Return some hands of a pattern, in groups, that are of other tiles than the one tapped."""
    try:
        hands = example_groups(compile_pattern(text), MAX_TRIED_HANDS, rng)
    except PatternError:
        return []
    different: dict[Codes, tuple[Codes, ...]] = {}
    for hand in hands:
        key = in_hand_order(_without_fourths(hand))
        if key != in_hand_order(tiles):
            different.setdefault(key, tuple(group.tiles for group in hand))
    return list(different.values())[:SHOWN_HANDS]


def rows_to_add(hand: TappedHand, entries: dict[str, str]) -> list[dict[str, str]]:
    """Return the fields of the row that the hand becomes, or of two: concealed, and exposed.

    `entries` has its name, its value, its value exposed and its value one tile short.
    """
    row = {"pattern": hand.pattern, "name": entries["name"], "value": entries["value"]}
    row["fishing"] = entries.get("fishing", "")
    if not hand.may_lie or hand.lying == "no":
        return [row]
    concealed = {**row, "concealed": "yes"}
    if hand.lying == "yes":
        return [concealed]
    name = say("tapped.exposed-name", name=entries["name"]) if entries["name"] else ""
    exposed = {"pattern": hand.pattern, "name": name, "value": entries.get("exposed", "")}
    return [concealed, exposed]
