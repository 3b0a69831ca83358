"""What the pages of a hand show: the whole page, one line of a list, the reading's progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from device.hands.record import COMMON_WAYS, ChangeRecord, HandRecord
from device.hands.scoring import find_total, find_wild_faces, hand_from, score_hand
from device.i18n.words import say, tile_name, wind_name
from device.job_handlers import HANDLERS, JobKind
from device.store.events import TileCorrected
from device.views import open_points, photo_overlay, tiles, winning
from device.views.photo_overlay import LeftOutTiles, left_out_tiles
from device.views.score import ScoreSheet, score_sheet
from device.views.tiles import Strip, strip_as_laid, symbol, tile_strip
from scorer.breakdown import Breakdown
from scorer.errors import HandError, HandProblem
from scorer.explain.foreign_rules import find_foreign_hands
from scorer.tiles import WINDS
from scorer.validate.circumstance_checks import choose_rules
from vision.hand.assembly import AssembledHand
from vision.reading import RowName

NO_HAND_CODES = frozenset({"no-tiles", "five-of-a-kind", "bonus-twice"})
"""Errors of a photograph that shows no hand or was misread."""


@dataclass(frozen=True, slots=True)
class SituationChoice:
    """One answer to a question about the situation."""

    value: str
    label: str
    chosen: bool
    why_not: str = ""
    """Why it cannot be chosen; empty when it can."""


@dataclass(frozen=True, slots=True)
class HandView:
    """The page of one hand that has been read."""

    record: HandRecord
    rows: dict[RowName, list[tiles.TileGroupView]]
    strip: Strip
    """The small copy of the rows, set by set as scored; as laid while it is asked which sets were
    exposed."""
    wild_notes: Mapping[int, str]
    """What each wild tile of a goulash counts as, in words, by place."""
    notes: tuple[str, ...]
    """The reader's remarks about the photograph."""
    left_out: tuple[LeftOutTiles, ...]
    boxes: tuple[photo_overlay.OverlayBox, ...]
    label_size: float
    """Height of the numbers beside the boxes, in pixels of the photograph."""
    close_up: photo_overlay.OverlayWindow
    whole: photo_overlay.OverlayWindow
    question: open_points.OpenPoint | None
    """What is asked first; None once nothing is open."""
    question_crops: tuple[photo_overlay.TileCrop, ...]
    """The tiles in doubt that are asked about, as the photograph shows them."""
    count: str
    complete: bool
    """Whether the count is that of a complete hand."""
    doubtful: tuple[int, ...]
    ways: tuple[SituationChoice, ...]
    seat: tuple[SituationChoice, ...]
    prevailing: tuple[SituationChoice, ...]
    winning_tiles: tuple[winning.WinningTile, ...]
    changes: tuple[str, ...]
    score: ScoreSheet | None
    errors: tuple[HandProblem, ...]
    """Why there is no score."""
    open: tuple[open_points.OpenPoint, ...]
    """What must be answered or corrected before the hand can be confirmed."""
    total_before: int | None
    """The total before the last change, if it differs."""

    @property
    def shows_no_hand(self) -> bool:
        """Return whether there are no tiles, or more copies of one than exist."""
        return any(problem.code in NO_HAND_CODES for problem in self.errors)


_CODES_ASKED_ELSEWHERE = (
    frozenset({"left-out", "mirrored", "not-a-hand"}) | open_points.CODES_ASKED_AS_POINTS
)
"""Remarks that the page turns into questions elsewhere."""


def hand_view(record: HandRecord, before: HandRecord | None = None) -> HandView:
    """Return what the page of a hand shows; `before` is the hand before its last change."""
    hand = record.assembled_hand
    breakdown, errors = _judge(record)
    doubtful = tiles.doubtful_places(record)
    rows = tiles.tile_rows(record, hand, doubtful)
    situation = record.situation
    points = open_points.open_points(record, breakdown, errors, doubtful)
    question = points[0] if points else None
    asked_places = question.places if question else ()
    close_up = photo_overlay.close_up(record, asked_places)
    label_size = close_up.width * photo_overlay.LABEL_HEIGHT_SHARE
    count, complete = tiles.count_line(hand, breakdown, record.agreement.rules)
    return HandView(
        record=record,
        rows=rows,
        strip=strip_as_laid(rows)
        if question and question.code == "rows"
        else tile_strip(rows, hand, breakdown),
        wild_notes={
            place: _describe_wild(face)
            for place, face in find_wild_faces(record, breakdown).items()
        },
        notes=reader_notes(record),
        left_out=left_out_tiles(record),
        boxes=photo_overlay.overlay_boxes(record, label_size, doubtful, asked_places),
        label_size=label_size,
        close_up=close_up,
        whole=photo_overlay.whole_photo(record),
        question=question,
        question_crops=photo_overlay.crops_of(record, asked_places)
        if question and question.code == "tile"
        else (),
        count=count,
        complete=complete,
        doubtful=doubtful,
        ways=_winning_ways(record, hand),
        seat=wind_choices(situation.seat_wind),
        prevailing=wind_choices(situation.prevailing_wind),
        winning_tiles=winning.winning_tiles(record),
        changes=tuple(describe_change(change) for change in record.changes),
        score=score_sheet(record, hand, breakdown) if breakdown else None,
        errors=(*errors, *(_find_foreign_hands(record, errors) if errors else ())),
        open=points,
        total_before=_total_before(record, before, breakdown),
    )


def _describe_wild(face: str) -> str:
    wild = say("tile.is-wild")
    return say("tile.counts-as", name=wild, other=tile_name(face)) if face else wild


def find_open_points(record: HandRecord) -> tuple[open_points.OpenPoint, ...]:
    """Return a hand's open points, the most urgent first."""
    return open_points.open_points(record, *_judge(record), tiles.doubtful_places(record))


def hand_stages(record: HandRecord, stage: str | None) -> tuple[JobStage, ...]:
    """Return how far the reading of a hand is; `stage` is the worker's current stage."""
    return job_stages("hand", stage, is_done=record.is_read and not record.awaited_photo)


def _judge(record: HandRecord) -> tuple[Breakdown | None, tuple[HandProblem, ...]]:
    try:
        return score_hand(record), ()
    except HandError as error:
        return None, tuple(dict.fromkeys(error.problems))


def _find_foreign_hands(
    record: HandRecord, errors: tuple[HandProblem, ...]
) -> tuple[HandProblem, ...]:
    """Return the hands of other rules that a hand without a score is."""
    try:
        hand = hand_from(record)
    except HandError:
        return ()
    return find_foreign_hands(hand, choose_rules(hand, record.agreement.rules), errors)


def _total_before(
    record: HandRecord, before: HandRecord | None, breakdown: Breakdown | None
) -> int | None:
    is_tapped_in = before and not record.photo and len(before.tiles) < len(record.tiles)
    if is_tapped_in or not (record.changes or record.situation.answered):
        return None  # whoever taps a hand in corrects nothing
    total = find_total(before) if before and before.is_read else None
    return total if breakdown and total != breakdown.total else None


def reader_notes(record: HandRecord) -> tuple[str, ...]:
    """Return the reader's remarks that corrections have not made obsolete, newest photo first.

    Left-out tiles and the mirror question are missing here: the page shows them elsewhere.
    """
    first = record.reading.problems if record.reading and not record.changes else ()
    remarks = (*record.added_notes, *first)
    return tuple(
        say(problem.message) for problem in remarks if problem.code not in _CODES_ASKED_ELSEWHERE
    )


def _winning_ways(record: HandRecord, hand: AssembledHand) -> tuple[SituationChoice, ...]:
    """Return "did not win" and the ways to win; those that the tiles rule out carry the reason."""
    situation = record.situation
    current_value = situation.won_by if situation.winner else winning.NO_WIN
    return (
        SituationChoice(winning.NO_WIN, say("situation.not-won"), current_value == winning.NO_WIN),
        *(
            SituationChoice(
                way, say(f"how.{way}"), way == current_value, winning.find_objection(way, hand)
            )
            for way in COMMON_WAYS
        ),
    )


def wind_choices(chosen_wind: str) -> tuple[SituationChoice, ...]:
    """Return the winds to choose from, by name."""
    return tuple(SituationChoice(wind, wind_name(wind), wind == chosen_wind) for wind in WINDS)


def describe_change(change: ChangeRecord) -> str:
    """Return a player's change in words."""
    number = 0 if change.tile is None else change.tile + 1
    time = f"{change.changed_at.astimezone():%H:%M}"
    if change.changed_by:
        time = say("change.by", who=change.changed_by, time=time)
    before, after = (tile_name(c) if c else "" for c in (change.before, change.after))
    key = f"change.{change.kind}"
    if change.kind == TileCorrected.kind:
        key += ".removed" if not after else ".same" if before == after else ".other"
    row = say(f"tiles.{change.row}") if change.row else ""
    return say(key, number=number, before=before, after=after, row=row, time=time)


@dataclass(frozen=True, slots=True)
class JobStage:
    """One stage of reading a photograph."""

    name: str
    state: str
    """`done`, `now` or `todo`."""


def job_stages(kind: JobKind, stage: str | None, *, is_done: bool = False) -> tuple[JobStage, ...]:
    """Return the stages of a kind of reading; the first, the photo itself, is done.

    `stage` is the worker's current stage. For any other value the second stage is next.
    """
    names = HANDLERS[kind].stages
    current_index = names.index(stage) if stage in names else 1
    if is_done:
        current_index = len(names)
    states = (
        "done" if i < current_index else "now" if i == current_index else "todo"
        for i in range(len(names))
    )
    return tuple(JobStage(name, state) for name, state in zip(names, states, strict=True))


@dataclass(frozen=True, slots=True)
class HandSummary:
    """One hand in the list."""

    id: str
    time: str
    total: int | None
    state: str
    """The text that replaces a missing total."""
    symbols: tuple[str, ...]
    has_photo: bool
    asked: bool
    """It is an enquiry about tiles, not a hand to score."""


def summarise_hand(record: HandRecord) -> HandSummary:
    """Return the list's entry for a hand."""
    read = record.is_read
    hand = record.assembled_hand
    sets = sorted(hand.sets, key=lambda laid: tiles.ROWS.index(laid.row))
    return HandSummary(
        id=record.id,
        time=f"{record.taken_at.astimezone():%H:%M}",
        total=find_total(record) if read and not record.is_question else None,
        state=say(_summary_state(record)),
        symbols=tuple(symbol(code) for s in sets for code in s.codes),
        has_photo=record.photo is not None,
        asked=record.is_question,
    )


def _summary_state(record: HandRecord) -> str:
    if record.doubts:
        return "recent.doubted"
    if not record.is_read:
        return "recent.unread"
    return "asking.recent" if record.is_question else "recent.incomplete"
