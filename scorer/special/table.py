"""All special hands by the names that ruleset files use, and which of them a winner has made."""

from __future__ import annotations

from types import MappingProxyType

from scorer.special.events import (
    EarthsBlessing,
    HeavensBlessing,
    Moon,
    PlumBlossom,
    TwofoldFortune,
)
from scorer.special.green import ImperialJade
from scorer.special.honours import AllWindsAndDragons, FourBlessings, ThreeGreatScholars
from scorer.special.knitting import Knitting
from scorer.special.kongs import FourfoldPlenty
from scorer.special.majors import AllPairHonours, HeadsAndTails, ThirteenUniqueWonders
from scorer.special.one_suit import BuriedTreasure, Purity
from scorer.special.runs import GatesOfHeaven, WrigglingSnake
from scorer.special.shapes import EventHand, SetsHand, TilesHand
from scorer.special.triple_knitting import TripleKnitting

SETS_HANDS = MappingProxyType[str, SetsHand](
    {
        "purity": Purity(),
        "buried-treasure": BuriedTreasure(),
        "heads-and-tails": HeadsAndTails(),
        "imperial-jade": ImperialJade(),
        "three-great-scholars": ThreeGreatScholars(),
        "four-blessings": FourBlessings(),
        "all-winds-and-dragons": AllWindsAndDragons(),
        "fourfold-plenty": FourfoldPlenty(),
    }
)

TILES_HANDS = MappingProxyType[str, TilesHand](
    {
        "all-pair-honours": AllPairHonours(),
        "knitting": Knitting(),
        "triple-knitting": TripleKnitting(),
        "wriggling-snake": WrigglingSnake(),
        "gates-of-heaven": GatesOfHeaven(),
        "thirteen-unique-wonders": ThirteenUniqueWonders(),
    }
)

EVENT_HANDS = MappingProxyType[str, EventHand](
    {
        "heaven": HeavensBlessing(),
        "earth": EarthsBlessing(),
        "plum-blossom": PlumBlossom(),
        "moon": Moon(),
        "twofold-fortune": TwofoldFortune(),
    }
)
