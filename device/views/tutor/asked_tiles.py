"""Tiles that somebody asks about: the meaning of each face, the sets and what they score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from device.hands.record import HandRecord
from device.hands.scoring import hand_in_play
from device.i18n.words import is_said, say, say_count, tile_name, wind_name
from device.views import photo_overlay, tiles
from device.views.hand_page import SituationChoice, wind_choices
from scorer.breakdown import TileSet
from scorer.decompose.unfinished_splits import group_alike
from scorer.hand import WILD_CODES, Hand
from scorer.layings import find_laying_rule
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.sets import make_set
from scorer.teach.lessons.hand_advice import HandAdvice, advise_on_hand
from scorer.teach.lessons.tile_meanings import Fact, explain_tile, paying_awards
from scorer.tiles import BY_CODE, FACE_DOWN
from vision.hand.assembly import AssembledHand, AssembledSet

MAX_CROPS_PER_FACE = 4
"""Pictures of one face from the photograph: as many as there are copies of a tile."""


@dataclass(frozen=True, slots=True)
class FaceView:
    """One face among the tiles, and what it means."""

    code: str
    id: str
    """Id of its element on the page."""
    name: str
    count: int
    """Tiles in the hand."""
    apart_count: int
    """Tiles that lie apart from the hand."""
    doubtful: bool
    crops: tuple[tuple[int, photo_overlay.TileCrop], ...]
    """Each tile's place and its crop, turned upright."""
    sentences: tuple[TileMeaning, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskView:
    """The page of an enquiry."""

    boxes: tuple[photo_overlay.OverlayBox, ...]
    label_size: float
    close_up: photo_overlay.OverlayWindow
    whole: photo_overlay.OverlayWindow
    face_at: dict[int, str]
    """Element id of the face of the tile at each place."""
    doubtful: tuple[int, ...]
    faces: tuple[FaceView, ...]
    sets: tuple[AskedSetView, ...]
    left_out: int
    """Number of tiles that lie apart from the hand."""
    uncounted: int
    """How many of them may be what the hand waits for, but are too doubtful to be counted."""
    counts_table: bool
    """Whether they count towards what is left of a tile."""
    unknown_count: int
    """Number of face-down tiles that their neighbours do not identify."""
    found: HandAdvice | None
    """None until all doubts are settled."""
    has_several: bool
    """The tiles are single ones or sets, not a player's hand: their names come first."""
    seat_text: str
    """The winds that the scores assume, in words."""
    seat: tuple[SituationChoice, ...]
    prevailing: tuple[SituationChoice, ...]
    """Empty where the rules have no prevailing wind."""
    specials: dict[str, str]
    """Names of the special hands by rule."""


def ask_view(record: HandRecord, *, counts_table: bool) -> AskView:
    """Return what the page of an enquiry shows.

    With `counts_table`, tiles apart from the hand are not left to come.
    """
    rules, parts = record.agreement.rules, record.assembled_hand
    seat = SeatWinds(record.situation.seat_wind, record.situation.prevailing_wind)
    close_up = photo_overlay.close_up(record)
    label_size = close_up.width * photo_overlay.LABEL_HEIGHT_SHARE
    doubtful = tiles.doubtful_places(record)
    reasons = photo_overlay.left_out_places(record)
    places_apart = tuple(place for place in reasons if reasons[place] != "pattern")
    tiles_apart = [record.tiles[place] for place in places_apart]
    advice = None
    if record.tiles and not (doubtful or parts.unresolved_tiles):
        table_codes = [tile.code or "" for tile in tiles_apart if not tile.doubtful]
        advice = advise_on_hand(
            hand_asked_about(record, parts), rules, table_codes if counts_table else ()
        )
    is_ambiguous = advice is not None and advice.state in ("none", "few")
    faces = tuple(_face_views(record, parts, places_apart, seat, rules))
    return AskView(
        boxes=photo_overlay.overlay_boxes(record, label_size, doubtful),
        label_size=label_size,
        close_up=close_up,
        whole=photo_overlay.whole_photo(record),
        face_at={place: face.id for face in faces for place in face.places},
        doubtful=doubtful,
        faces=faces,
        sets=tuple(find_sets(record, parts, seat, rules, is_ambiguous=is_ambiguous)),
        left_out=len(places_apart),
        uncounted=sum(tile.doubtful for tile in tiles_apart if tile.code in BY_CODE),
        counts_table=counts_table,
        unknown_count=len(parts.unresolved_tiles),
        found=advice,
        has_several=is_ambiguous,
        seat_text=_describe_seat(seat, rules),
        seat=wind_choices(seat.seat_wind),
        prevailing=wind_choices(seat.prevailing) if rules.prevailing_wind else (),
        specials={special.id: say(special.name) for special in rules.specials},
    )


def _describe_seat(seat: SeatWinds, rules: Ruleset) -> str:
    own_wind, prevailing = wind_name(seat.seat_wind), wind_name(seat.prevailing)
    if rules.prevailing_wind:
        return say("asking.as", seat=own_wind, prevailing=prevailing)
    return say("asking.as-seat", seat=own_wind)


def _face_views(
    record: HandRecord,
    parts: AssembledHand,
    places_apart: Sequence[int],
    seat: SeatWinds,
    rules: Ruleset,
) -> Iterator[FaceView]:
    """Yield each face once, in the order of the rows, then what lies apart."""
    set_places = [place for each in parts.sets for place in each.tiles]
    by_code: dict[str, list[int]] = {}
    for place in (*set_places, *places_apart):
        by_code.setdefault(record.tiles[place].code or FACE_DOWN, []).append(place)
    for number, (code, places) in enumerate(by_code.items()):
        places.sort(
            key=lambda place: place not in parts.unresolved_tiles
        )  # the page asks about these
        tiles = [record.tiles[place] for place in places]
        crops = [
            (place, photo_overlay.tile_crop(tile.read.quad))
            for place, tile in zip(places, tiles, strict=True)
            if tile.read
        ]
        sentences = (
            describe_face_down(record, parts, places)
            if code == FACE_DOWN
            else describe_tile(code, seat, rules, goulash=record.agreement.goulash)
        )
        yield FaceView(
            code=code,
            id=f"face-{number}",
            name=tile_name(code),
            count=len(set(places) & set(set_places)),
            apart_count=len(set(places) - set(set_places)),
            doubtful=any(tile.doubtful for tile in tiles),
            crops=tuple(crops[:MAX_CROPS_PER_FACE]),
            sentences=sentences,
            places=tuple(places),
        )


def hand_asked_about(record: HandRecord, parts: AssembledHand) -> Hand:
    """Return the tiles as a hand in play.

    Tiles in the exposed row that make no set count as concealed: people who show their rack
    seldom think of rows.
    """
    wild = WILD_CODES if record.agreement.goulash else frozenset[str]()
    sets = [make_set(codes, concealed=False, wild=wild) for codes in parts.exposed]
    code_groups = tuple(
        codes
        for codes, each in zip(parts.exposed, sets, strict=True)
        if each and each.kind != "pair"
    )
    loose_codes = tuple(
        code for codes in parts.exposed if codes not in code_groups for code in codes
    )
    return replace(
        hand_in_play(record, parts), exposed=code_groups, concealed=(*parts.concealed, *loose_codes)
    )


MAX_CHOWS_SHOWN = 4
"""Chows shown among loose tiles; how many a hand may hold is another question."""


@dataclass(frozen=True, slots=True)
class SetLine:
    """One award of a set."""

    rule: str
    label: str
    points: int
    doubles: int


@dataclass(frozen=True, slots=True)
class AskedSetView:
    """One set among the tiles."""

    name: str
    codes: tuple[str, ...]
    """The tiles, all face up."""
    lines: tuple[SetLine, ...]
    otherwise: str
    """Its score if it were exposed instead of concealed, or the reverse; empty if equal."""


def find_sets(
    record: HandRecord, parts: AssembledHand, seat: SeatWinds, rules: Ruleset, *, is_ambiguous: bool
) -> Iterator[AskedSetView]:
    """Yield every pung, kong, chow and pair, as the tiles lie or could lie.

    With `is_ambiguous`, the rows mean nothing: only face-down tiles make a set concealed.
    """
    wild = WILD_CODES if record.agreement.goulash else frozenset[str]()
    for assembled_set in parts.sets:
        if assembled_set.row == "bonus" or FACE_DOWN in assembled_set.codes:
            continue
        concealed = assembled_set.row == "concealed" and not (
            is_ambiguous and _all_face_up(record, assembled_set)
        )
        codes = tuple(code for code in assembled_set.codes if code in BY_CODE or code in wild)
        tile_set = make_set(codes, concealed=concealed, wild=wild)
        loose = [code for code in codes if code not in wild]
        for each in (tile_set,) if tile_set else group_alike(loose, chows=MAX_CHOWS_SHOWN):
            if each.kind != "loose":
                yield _set_view(each, seat, rules)


def _all_face_up(record: HandRecord, assembled_set: AssembledSet) -> bool:
    return all(record.tiles[place].code != FACE_DOWN for place in assembled_set.tiles)


def _set_view(tile_set: TileSet, seat: SeatWinds, rules: Ruleset) -> AskedSetView:
    kind = say(f"kind.{tile_set.kind}")
    by_row = tile_set.kind in ("pung", "kong")
    row = "concealed" if tile_set.concealed else "exposed"
    other = replace(tile_set, concealed=not tile_set.concealed)
    points, other_points = (_sum_points(each, seat, rules) for each in (tile_set, other))
    return AskedSetView(
        name=say(f"asking.set.{row}", kind=kind) if by_row else kind,
        codes=tile_set.tiles,
        lines=tuple(
            SetLine(
                award.rule.id,
                say(award.rule.label_for(concealed=award.concealed)),
                award.points,
                award.rule.doubles,
            )
            for award in paying_awards(tile_set, seat, rules)
        ),
        otherwise=say(f"asking.otherwise.{row}", points=other_points)
        if points != other_points
        else "",
    )


def _sum_points(tile_set: TileSet, seat: SeatWinds, rules: Ruleset) -> int:
    return sum(award.points for award in paying_awards(tile_set, seat, rules))


@dataclass(frozen=True, slots=True)
class TileMeaning:
    """One sentence and the rule behind it."""

    sentence: str
    rule: str
    """Empty where no rule says it."""


def describe_tile(
    code: str, seat: SeatWinds, rules: Ruleset, *, goulash: bool
) -> tuple[TileMeaning, ...]:
    """Return what a tile means at a seat."""
    facts = explain_tile(code, seat, rules, goulash=goulash)
    return tuple(TileMeaning(_describe_fact(fact), fact.rule) for fact in facts)


def describe_face_down(
    record: HandRecord, parts: AssembledHand, places: Sequence[int]
) -> tuple[TileMeaning, ...]:
    """Return what the face-down tiles say about their sets, without repetition."""
    sets = [each for each in parts.sets if set(each.tiles) & set(places)]
    return tuple(dict.fromkeys(_describe_laying(record, sets))) or (
        TileMeaning(say("meaning.back"), ""),
    )


def _describe_laying(record: HandRecord, sets: Sequence[AssembledSet]) -> Iterator[TileMeaning]:
    for assembled_set in sets:
        codes = [record.tiles[place].code or FACE_DOWN for place in assembled_set.tiles]
        rule = find_laying_rule(tuple(codes), record.rules)
        if rule and is_said(f"meaning.down.{rule}"):
            name = tile_name(assembled_set.codes[0])
            yield TileMeaning(say(f"meaning.down.{rule}", name=name), rule)
        elif FACE_DOWN in assembled_set.codes:
            yield TileMeaning(say("meaning.back"), "")


def _describe_fact(fact: Fact) -> str:
    figures = {key: _describe_value(key, value) for key, value in fact.figures.items()}
    key = f"meaning.{fact.key}"
    if is_said(key):
        return say(key, **figures)
    return say_count(key, int(fact.figures["times"]), **figures)


def _describe_value(key: str, value: int | str) -> object:
    """Return a value for a sentence: winds and suits by name."""
    match key:
        case "wind":
            return wind_name(str(value))
        case "suit":
            return say(f"family.{value}")
    return value
