"""Which tiles are read a second time, and what becomes of their names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np
import pytest

from tests.vision.networks.test_pips import SIX as SIX_PLACES
from tests.vision.networks.test_pips import TALL_NINE as NINE_PLACES
from tests.vision.networks.test_pips import chain, face
from tests.vision.networks.test_print_evidence import BLACK, BLUE, RED, corner, signs, tile
from vision.networks.classifier import Classification
from vision.networks.locator import Detection
from vision.networks.print_reader import PrintReader, TilePart, TilePrint
from vision.networks.print_review import (
    doubt_by_pips,
    read_before_asking,
    read_prints,
    review_prints,
    select_tiles_to_read,
)
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import CROP_MARGIN_SHARE, RGB, Float32s
from vision.reading import TileReading

GATE = 0.95
RGB_ = np.zeros((100, 100, 3), np.uint8)
QUAD = np.array([[10, 10], [40, 10], [40, 50], [10, 50]], np.float32)
NO_PRINT = tile(corner(), corner())
AUTUMN = tile(corner("3", RED), corner("秋", RED))


@dataclass
class SaysPrinted:
    """A reader that says what the test wants, in turn, and keeps what it was shown."""

    says: list[TilePrint] = field(default_factory=list)
    words: list[TilePrint] = field(default_factory=list)
    quads_shown: list[Float32s] = field(default_factory=list)
    spelt: list[Float32s] = field(default_factory=list)
    quads_glanced: list[Float32s] = field(default_factory=list)
    orders: list[Sequence[TilePart]] = field(default_factory=list)
    parts: list[Collection[TilePart]] = field(default_factory=list)
    counted_places: list[list[int]] = field(default_factory=list)

    def glance(
        self,
        rgb: RGB,
        quads: Sequence[Float32s],
        orders: Sequence[Sequence[TilePart]],
        is_enough: Callable[[int, TilePrint], bool],
        with_pips: Sequence[int],
    ) -> list[TilePrint]:
        self.counted_places.append(list(with_pips))
        self.quads_glanced += quads
        self.orders += orders
        return [self.says[0] if self.says else NO_PRINT for _ in quads]

    def read(
        self,
        rgb: RGB,
        quads: Sequence[Float32s],
        parts: Sequence[Collection[TilePart]],
        with_pips: Sequence[int],
    ) -> list[TilePrint]:
        self.parts += parts
        self.counted_places.append(list(with_pips))
        self.quads_shown += quads
        return [self.says.pop(0) if self.says else NO_PRINT for _ in quads]

    def read_words(self, rgb: RGB, quads: Sequence[Float32s]) -> list[TilePrint]:
        self.spelt += quads
        return [self.words.pop(0) if self.words else TilePrint() for _ in quads]


def sight(
    code: str, sure: float, other_chances: dict[str, float] | None = None, turn: int = 0
) -> NamedDetection:
    classification = Classification(
        code, sure, 0.99, tuple((other_chances or {}).items()), turn, 0.0
    )
    return NamedDetection(Detection(QUAD, 0.9), classification, np.zeros((80, 64, 3), np.uint8))


def after(
    reader: SaysPrinted, *sights: NamedDetection, known_codes: Sequence[str] = ()
) -> list[Classification]:
    places = select_tiles_to_read(sights, GATE, known_codes)
    reviews = review_prints(RGB_, sights, places, reader, GATE)  # type: ignore[arg-type]
    return [each.classification for each in reviews]


LET_BE = {
    "sure tiles of the suits": sight("B1", 0.99, {"S1": 0.01}),
    "sure honours": sight("DG", 0.97, {"B5": 0.02}),
    "suits in doubt with each other": sight("O6", 0.6, {"O9": 0.39}),
    "a tile that lies face down": sight("??", 0.99),
}


def test_a_usual_hand_is_read_once() -> None:
    reader = SaysPrinted()
    before = [each.classification for each in LET_BE.values()]
    assert after(reader, *LET_BE.values()) == before
    assert reader.quads_shown == reader.quads_glanced == []


def test_what_the_tables_own_set_tells_surely_is_not_read_again() -> None:
    reader = SaysPrinted([AUTUMN, AUTUMN])
    own_tile = sight("F1", 0.99)
    assert after(reader, own_tile, known_codes=("F1",)) == [own_tile.classification]
    assert reader.quads_shown == []
    after(reader, own_tile, known_codes=("F2",))
    assert len(reader.quads_shown) == 1, "no crop of its face is known"
    after(reader, sight("F1", 0.5), known_codes=("F1",))
    assert len(reader.quads_shown) == 2, "it is unlike the crops"


def test_a_flower_in_doubt_is_read_and_named() -> None:
    (classification,) = after(
        SaysPrinted([AUTUMN]), sight("F2", 0.3, {"S3": 0.2, "B1": 0.2, "F3": 0.2})
    )
    assert classification.code == "S3"
    assert classification.confidence >= GATE
    assert (
        classification.confidence + sum(chance for _, chance in classification.alternatives)
        <= 1.001
    )


def test_a_numeral_alone_offers_flower_and_season_first() -> None:
    tile_print = tile(corner("4", BLACK), corner())
    (classification,) = after(SaysPrinted([tile_print]), sight("F1", 0.4, {"S1": 0.3, "F3": 0.2}))
    assert {classification.code, classification.alternatives[0][0]} == {"F4", "S4"}
    assert classification.confidence < GATE


def test_print_that_agrees_makes_nothing_less_sure() -> None:
    tile_print = tile(corner("3", BLUE, sure=0.7), corner())
    (classification,) = after(SaysPrinted([tile_print]), sight("F3", 0.98, {"S3": 0.02}))
    assert (classification.code, classification.confidence >= 0.98) == ("F3", True)


@pytest.mark.parametrize(
    ("look", "tile_print", "is_read", "reason"),
    [
        (sight("S3", 0.99), AUTUMN, False, "it tells the same"),
        (sight("S3", 0.99), NO_PRINT, False, "nothing can be read"),
        (sight("S1", 0.99, {"S3": 0.01}), AUTUMN, True, "it tells another"),
        (sight("S3", 0.9), AUTUMN, True, "the look is in doubt"),
    ],
)
def test_a_glance_is_enough_unless_it_tells_another_name(
    look: NamedDetection, tile_print: TilePrint, is_read: bool, reason: str
) -> None:
    """A glance takes three windows at most, reading eight."""
    reader = SaysPrinted([tile_print])
    after(reader, look)
    assert bool(reader.quads_shown) == is_read, reason
    assert bool(reader.quads_glanced) == (look.classification.confidence >= GATE)


def test_a_glance_begins_where_makers_print_the_numeral() -> None:
    reader = SaysPrinted()
    after(reader, sight("F1", 0.99), sight("S3", 0.99))
    assert [first for first, *_ in reader.orders] == ["right", "left"]


def test_a_sure_look_that_print_denies_is_asked_about() -> None:
    (classification,) = after(SaysPrinted([AUTUMN]), sight("F1", 0.99, {"S3": 0.01}))
    assert classification.confidence < GATE
    assert {"F1", "S3"} <= {classification.code, *(code for code, _ in classification.alternatives)}


@pytest.mark.parametrize("turn", [0, 1, 3])
def test_where_nothing_can_be_read_the_tile_is_turned_over(turn: int) -> None:
    reader = SaysPrinted([NO_PRINT, AUTUMN])
    (classification,) = after(reader, sight("F1", 0.3, {"S1": 0.3}, turn=turn))
    assert classification.code == "S3"
    assert classification.quarter_turns == (turn + 2) % 4
    first, second = reader.quads_shown
    assert np.array_equal(np.roll(first, -2, axis=0), second)


PLUM = TilePrint(words={"F1": 0.99})
FOUR, ONE_PRINT = (tile(corner(sign, BLACK), corner()) for sign in "41")


@pytest.mark.parametrize(
    ("look", "tile_print", "min_confidence", "reason"),
    [
        (sight("S3", 0.9, {"S1": 0.1}), AUTUMN, 100, "its character names it"),
        (sight("S3", 0.9, {"S1": 0.1}), NO_PRINT, 1, "nothing does"),
        (sight("F4", 0.8, {"B1": 0.2}), FOUR, 1, "a numeral is on other tiles, too"),
        (sight("B4", 0.8, {"B6": 0.2}), FOUR, 50, "on suits no other tile seems to have it"),
        (sight("B1", 0.8, {"B6": 0.2}), ONE_PRINT, 1, "a cane looks like it"),
    ],
)
def test_what_print_adds_is_told_apart_from_the_look(
    look: NamedDetection, tile_print: TilePrint, min_confidence: float, reason: str
) -> None:
    readers = [cast(PrintReader, SaysPrinted([tile_print])) for _ in range(2)]
    (read,) = read_prints(RGB_, [look], [0], readers[0], GATE)
    assert read.lone_confidence == look.classification.confidence
    is_as_said = read.print_odds >= min_confidence if min_confidence > 1 else read.print_odds == 1
    assert is_as_said, reason
    assert read_prints(RGB_, [read], [0], readers[1], GATE) == [read], "it counts once"


THREE = TilePrint(top=signs("三"))


@pytest.mark.parametrize(
    ("look", "is_read", "reason"),
    [
        (sight("C5", 0.9, {"C3": 0.08}), True, "its numeral may stand at the top"),
        (sight("WE", 0.9, {"WW": 0.08}), True, "its character is known"),
        (sight("O8", 0.5, {"C5": 0.3}), True, "it looks like nothing, as a new maker's flower"),
        (sight("B6", 0.9, {"B9": 0.1}), True, "a numeral may stand in its corner"),
        (sight("DW", 0.9, {"??": 0.1}), False, "neither has print of its own"),
    ],
)
def test_what_print_may_name_is_read_before_it_is_asked(
    look: NamedDetection, is_read: bool, reason: str
) -> None:
    reader = SaysPrinted([THREE])
    read_before_asking(RGB_, [look], [0], [], reader, GATE)  # type: ignore[arg-type]
    assert bool(reader.quads_shown) == is_read, reason


def test_of_tiles_that_look_alike_each_is_read_by_itself() -> None:
    """Twos and threes of characters may look alike to a network that never saw their set."""
    pair = [replace(sight("C2", 0.6, {"C3": 0.3}), look_group=1)] * 2
    reader = SaysPrinted([THREE, NO_PRINT])
    reviews = read_before_asking(RGB_, pair, [0, 1], [], reader, GATE)  # type: ignore[arg-type]
    assert [each.classification.code for each in reviews] == ["C3", "C2"]


def test_a_sure_tile_of_an_unfamiliar_set_gets_a_quick_look() -> None:
    reader = SaysPrinted([FOUR])
    sure = [sight("B4", 0.99), sight("B9", 0.98, {"B4": 0.01})]
    same_tile, other = read_before_asking(RGB_, sure, [], [0, 1], reader, GATE)  # type: ignore[arg-type]
    assert reader.orders == [("left",)] * 2, "no other part of a bamboo has a numeral"
    assert same_tile.classification == sure[0].classification
    assert same_tile.print_odds > 3, (
        "where its set is unfamiliar, its numeral says that it is right"
    )
    assert other.classification.confidence < GATE
    assert len(reader.quads_shown) == 1


def test_a_second_quick_look_takes_nothing_back() -> None:
    named_by_print = replace(sight("B4", 0.99), print_odds=80.0)
    for tile_print in (NO_PRINT, FOUR):
        reader = SaysPrinted([tile_print])
        (read,) = read_before_asking(RGB_, [named_by_print], [], [0], reader, GATE)  # type: ignore[arg-type]
        assert read.print_odds >= 80


SIX, NINE = (face(chain, places) for places in (SIX_PLACES, NINE_PLACES))
PLAIN = face(chain, ())


@pytest.mark.parametrize(
    ("crop", "code", "doubtful", "places", "is_asked", "reason"),
    [
        (SIX, "B9", False, {0}, True, "its canes are six"),
        (NINE, "B6", False, {0}, True, "its canes are nine"),
        (NINE, "B9", False, {0}, False, "they are as many as its name says"),
        (PLAIN, "B9", False, {0}, False, "none can be seen"),
        (SIX, "B9", False, set(), False, "it is not of the hand, or its set is known"),
        (SIX, "B8", False, {0}, False, "of an 8 the canes touch"),
        (SIX, "B9", True, {0}, True, "it is asked about in any case"),
    ],
)
def test_a_sure_bamboo_is_asked_about_where_its_pips_are_anothers(
    crop: RGB, code: str, doubtful: bool, places: set[int], is_asked: bool, reason: str
) -> None:
    high, wide = crop.shape[:2]
    edge, foot = wide * CROP_MARGIN_SHARE, high * CROP_MARGIN_SHARE
    left, top, right, bottom = edge, foot, wide - edge, high - foot
    quad = ((left, top), (right, top), (right, bottom), (left, bottom))
    before = TileReading(code, 0.999, quad, 0, (("F1", 0.001),), doubtful)
    (after,) = doubt_by_pips(crop, [before], places, GATE)
    assert after.doubtful == is_asked, reason
    assert after.code == code, "the player says which"
    if is_asked and not doubtful:
        assert {name for name, _ in after.alternatives} <= {"B6", "B9", "O9"}
    else:
        assert after == before


@pytest.mark.parametrize(
    ("group", "lone_confidence", "is_asked", "reason"),
    [
        (1, 0.5, True, "only the tiles like it made it sure, and its canes are six"),
        (1, 0.999, False, "it is sure by itself"),
        (0, 0.5, False, "no tile is like it: print made it sure"),
    ],
)
def test_tiles_alike_do_not_make_each_other_sure_against_their_pips(
    group: int, lone_confidence: float, is_asked: bool, reason: str
) -> None:
    high, wide = SIX.shape[:2]
    edge, foot = wide * CROP_MARGIN_SHARE, high * CROP_MARGIN_SHARE
    left, top, right, bottom = edge, foot, wide - edge, high - foot
    quad = ((left, top), (right, top), (right, bottom), (left, bottom))
    before = TileReading("B4", 0.999, quad, 0, (), False, alike=group, alone=lone_confidence)
    (after,) = doubt_by_pips(SIX, [before], {0}, GATE)
    assert after.doubtful == is_asked, reason


def test_pips_are_counted_once_where_a_tile_may_have_them() -> None:
    reader = SaysPrinted([TilePrint(pips=frozenset({"B6"}))])
    flower, circles = sight("F1", 0.5, {"S2": 0.3}), sight("O6", 0.6, {"O9": 0.3})
    nine, three = sight("B9", 0.8, {"B6": 0.1}), sight("B1", 0.8, {"B3": 0.1})
    looks = [nine, flower, circles, three]
    (six, *_) = read_prints(RGB_, looks, range(4), reader, GATE)  # type: ignore[arg-type]
    assert reader.counted_places[0] == [0, 2, 3], "no flower has any"
    assert not any(reader.counted_places[1:]), "turned over they are the same"
    assert (six.classification.code, six.classification.confidence >= GATE) == ("B6", True)
    assert six.print_odds > 100


def test_the_top_is_read_where_a_tile_may_be_of_characters() -> None:
    reader = SaysPrinted()
    looks = [sight("B4", 0.6, {"O2": 0.3}), sight("F1", 0.6, {"C3": 0.01})]
    read_prints(RGB_, looks, range(2), reader, GATE)  # type: ignore[arg-type]
    assert ["top" in parts for parts in reader.parts[:2]] == [False, True]


def test_a_name_that_the_pips_deny_is_no_surer_for_being_the_likeliest() -> None:
    before = sight("B8", 0.94)
    tile_print = TilePrint(pips=frozenset({"O3"}))
    (classification,) = read_prints(RGB_, [before], [0], SaysPrinted([tile_print]), GATE)  # type: ignore[arg-type]
    assert (
        classification.classification.code != "B8"
        or classification.classification.confidence < 0.94
    )


@pytest.mark.parametrize("is_turned", [False, True])
def test_words_are_looked_for_where_no_sign_is_read_upright_and_turned_over(
    is_turned: bool,
) -> None:
    reader = SaysPrinted(words=[TilePrint(), PLUM] if is_turned else [PLUM])
    (classification,) = after(reader, sight("F4", 0.5, {"F2": 0.2}, turn=1))
    assert (classification.code, classification.quarter_turns) == ("F1", 3 if is_turned else 1)
    assert classification.confidence >= GATE
    assert len(reader.spelt) == 1 + is_turned


def test_half_a_word_on_a_tile_upside_down_is_read_again_turned_over() -> None:
    """The network spells PLUM with a chance of 0.48 on one."""
    reader = SaysPrinted(words=[TilePrint(words={"F1": 0.48}), PLUM])
    (classification,) = after(reader, sight("F4", 0.5, {"F2": 0.2}))
    assert (
        classification.code,
        classification.quarter_turns,
        classification.confidence >= GATE,
    ) == ("F1", 2, True)


NO_WORDS = {
    "a sign could be read": (sight("F1", 0.3, {"S3": 0.2}), [AUTUMN]),
    "one upside down could be": (sight("F1", 0.3, {"S3": 0.2}), [NO_PRINT, AUTUMN]),
    "the tile is sure, though nothing is read": (sight("F1", 0.99), []),
}


@pytest.mark.parametrize("reason", NO_WORDS)
def test_no_words_are_looked_for_where(reason: str) -> None:
    tile_print, says = NO_WORDS[reason]
    reader = SaysPrinted(list(says))
    after(reader, tile_print)
    assert (reader.spelt, reader.says) == ([], [])


def askew(chance: float) -> NamedDetection:
    """Return a flower in doubt that lies a quarter further on with this chance."""
    turns = np.log(np.array([0.9 - chance, chance, 0.05, 0.05], np.float32))
    flower = sight("F1", 0.3, {"S1": 0.3})
    raw_outputs = (np.zeros(44, np.float32), turns, np.zeros((), np.float32))
    return replace(flower, classification=replace(flower.classification, raw_outputs=raw_outputs))


@pytest.mark.parametrize(("chance", "looks"), [(0.3, 3), (0.02, 2)])
def test_a_tile_is_turned_a_quarter_where_it_may_lie_so(chance: float, looks: int) -> None:
    reader = SaysPrinted([NO_PRINT, NO_PRINT, AUTUMN])
    (classification,) = after(reader, askew(chance))
    assert len(reader.quads_shown) == looks
    assert (classification.code, classification.quarter_turns) == (
        ("S3", 1) if looks == 3 else ("F1", 0)
    )


def test_a_tile_that_cannot_be_read_either_way_stays_as_it_is() -> None:
    before = sight("F1", 0.6, {"S1": 0.3})
    (classification,) = after(SaysPrinted([NO_PRINT, NO_PRINT]), before)
    assert (classification.code, classification.quarter_turns) == ("F1", 0)
    assert classification.confidence == pytest.approx(0.6, abs=0.01)
