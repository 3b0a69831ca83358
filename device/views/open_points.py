"""The points to settle before a hand can be confirmed, the most urgent first.

One short function checks for each kind. The page asks the first one in the bar at its foot, with
every answer that a player may give.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from device.hands.record import COMMON_WAYS, HandRecord
from device.hands.scoring import find_hand_total, find_total, hand_from
from device.i18n.words import join_sentences, say, say_count, tile_name, wind_name
from device.views import tiles
from device.views.winning import NO_WIN, find_objection, winning_tiles
from scorer.breakdown import Breakdown
from scorer.errors import HandProblem
from scorer.explain.foreign_rules import REFUSAL_CODES
from scorer.hand import Hand
from scorer.special.base import PUNG_TILES
from scorer.tiles import FACE_DOWN, WINDS
from vision.hand.questions import ask_block

SPOILT_PHOTO_CODES = frozenset({"too-dark", "too-far", "blurred", "too-low"})
"""Reader's remarks about a photograph that is spoilt as a whole."""

CODES_ASKED_AS_POINTS = SPOILT_PHOTO_CODES | {
    "exposed-or-concealed",
    "tile-count",
    "tiles-beside",
}
"""Reader's remarks that become questions here instead of notes."""


AnswerUse = Literal[
    "all-right",
    "settle",
    "situation",
    "block",
    "mirrored",
    "sets",
    "checked",
    "leave-out",
    "accept",
    "whole",
    "tile",
    "check",
    "add",
    "retake",
    "type",
    "keypad",
    "who",
    "look",
]
"""What an answer does: the form that it sends, or the page or sheet that it opens."""


@dataclass(frozen=True, slots=True)
class PointAnswer:
    """One button below a question."""

    label: str
    use: AnswerUse
    fields: tuple[tuple[str, str], ...] = ()
    """Names and values that the form sends; the last pair is the button's own."""
    is_main: bool = False
    """Whether it is the likeliest answer: the one gold button."""
    symbol: str = ""
    """The drawing of a tile that stands on the button; empty for none."""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """One point to settle."""

    code: str
    sentence: str
    """The question."""
    answers: tuple[PointAnswer, ...]
    hint: str = ""
    """What helps to answer, in a sentence."""
    places: tuple[int, ...] = ()
    """The tiles that are asked about; they are lit in the photograph."""


@dataclass(frozen=True)
class _HandState:
    record: HandRecord
    breakdown: Breakdown | None
    errors: tuple[HandProblem, ...]
    doubtful: tuple[int, ...]

    @cached_property
    def hand(self) -> Hand:
        """The hand to score; there is one where there is a breakdown."""
        return hand_from(self.record)

    def depends_on(self, name: str, values: Iterable[Any]) -> bool:
        """Return whether another value of this field of the hand changes the total."""
        other_hands = (replace(self.hand, **{name: value}) for value in values)
        total = self.breakdown.total if self.breakdown else None
        rules = self.record.agreement.custom_rules
        return any(find_hand_total(other, rules) not in (None, total) for other in other_hands)

    def find_remark(self, *codes: str) -> str:
        """Return the reader's remark with one of these codes; empty for none."""
        problems = self.record.reading.problems if self.record.reading else ()
        return next((say(problem.message) for problem in problems if problem.code in codes), "")


def open_points(
    record: HandRecord,
    breakdown: Breakdown | None,
    errors: tuple[HandProblem, ...],
    doubtful: tuple[int, ...],
) -> tuple[OpenPoint, ...]:
    """Return all open points, the most urgent first; `doubtful` are the places of such tiles."""
    state = _HandState(record, breakdown, errors, doubtful)
    points = tuple(point for point in (find(state) for find in _CHECKS) if point)
    if breakdown and record.match and [point.code for point in points] == ["rows"]:
        return (_accept_rows(record, points[0]),)
    return points


def _settle(code: str, label: str, *, is_main: bool = False) -> PointAnswer:
    """Return the answer that something odd is so."""
    return PointAnswer(label, "settle", (("point", code),), is_main)


def _situate(label: str, name: str, value: object, *, symbol: str = "") -> PointAnswer:
    """Return the answer that says one circumstance."""
    return PointAnswer(label, "situation", ((name, str(value)),), symbol=symbol)


def _hand_places(record: HandRecord) -> tuple[int, ...]:
    return tuple(place for laid in record.assembled_hand.sets for place in laid.tiles)


def _check_several_hands(state: _HandState) -> OpenPoint | None:
    record = state.record
    if record.changes or not state.find_remark("not-a-hand"):
        return None
    is_whole_offered = bool(record.match) and not record.is_of_table
    whole_table = (
        (PointAnswer(say("hand.several-whole"), "whole", is_main=True),) if is_whole_offered else ()
    )
    one_hand = _settle("several", say("hand.several-one"), is_main=not is_whole_offered)
    return OpenPoint("several", say("hand.several"), (one_hand, *whole_table))


def _check_mirrored(state: _HandState) -> OpenPoint | None:
    record = state.record
    if not record.asks_whether_mirrored:
        return None
    no = PointAnswer(say("hand.mirrored-no"), "mirrored", (("mirrored", "no"),), is_main=True)
    yes = PointAnswer(say("hand.mirrored-yes"), "mirrored", (("mirrored", "yes"),))
    answers = (yes, no) if record.may_be_read_anew else (no,)
    return OpenPoint("mirrored", say("hand.mirrored"), answers, places=_hand_places(record))


def _check_photo(state: _HandState) -> OpenPoint | None:
    sentence = state.find_remark(*SPOILT_PHOTO_CODES)
    if not sentence or state.record.tiles_right or state.record.processed_photo_count:
        return None
    answers = (
        PointAnswer(say("open.confirm"), "all-right"),
        PointAnswer(say("open.photo"), "retake", is_main=True),
    )
    return OpenPoint("photo", sentence, answers)


def _check_block(state: _HandState) -> OpenPoint | None:
    """Ask whether tiles beside the hand are the player's.

    Until then there is no score, unless the hand includes them.
    """
    record, block = state.record, state.record.block_in_question
    if block is None:
        return None
    is_theirs = all(laid.row == "bonus" for laid in block.sets) and not block.included
    is_likely = not (block.instead or is_theirs)
    number = ("block", str(record.asked_block))
    answers = (
        PointAnswer(say("open.no"), "block", (number, ("own", "no")), is_main=not is_likely),
        PointAnswer(say("open.yes"), "block", (number, ("own", "yes")), is_main=is_likely),
    )
    return OpenPoint("block", say(ask_block(block).message), answers, places=tuple(block.tiles))


def _check_doubtful_tiles(state: _HandState) -> OpenPoint | None:
    """Ask about tiles in doubt, one name at a time; or about one that spoils the Mah-Jong."""
    if not state.doubtful:
        return None
    record = state.record
    groups = tiles.doubtful_groups(record)
    places = groups[0]
    code = record.tiles[places[0]].code
    name = tile_name(code or FACE_DOWN)
    right = ("tiles", " ".join(map(str, places)))
    label = say_count("at-table.check", len(state.doubtful))
    gaps = tiles.find_gaps(record)
    gaps_field = ("tiles", " ".join(map(str, gaps)))
    gaps_answer = PointAnswer(say("open.gaps", count=len(gaps)), "leave-out", (gaps_field,))
    answers = (
        *((gaps_answer,) if gaps else ()),
        *((PointAnswer(label, "check"),) if len(groups) > MAX_DOUBTS_IN_A_ROW else ()),
        PointAnswer(say("open.no"), "tile"),
        PointAnswer(say("open.yes"), "checked", (right,), is_main=True, symbol=tiles.symbol(code)),
    )
    question = say_count("open.is-tile", len(places), name=name)
    reason = "" if record.tiles[places[0]].doubtful else say(state.errors[0].message)
    hint = say("open.misread", why=reason) if reason else ""
    return OpenPoint("tile", question, answers, hint, places)


MAX_DOUBTS_IN_A_ROW = 2
"""With more questions about tiles than this, the page offers them all on one sheet, too."""


def _check_score(state: _HandState) -> OpenPoint | None:
    if state.breakdown or state.errors[0].code == "tiles-beside":
        return None
    record, first = state.record, state.errors[0]
    if first.code in REFUSAL_CODES and record.match and "winner" not in record.situation.answered:
        return _ask_went_out(record, first)
    is_lone_winner = record.situation.winner and not record.match
    score_answer = PointAnswer(say("open.type"), "type") if record.match else None
    lost_answer = _situate(say("situation.not-won"), "winner", "no") if is_lone_winner else None
    main: PointAnswer | None = PointAnswer(say("open.look"), "look", is_main=True)
    question, hint = say(first.message), ""
    if first.code == "no-tiles":
        main = PointAnswer(say("enter.title"), "keypad", is_main=True)
        score_answer = PointAnswer(say("open.photo"), "retake")
        question = say("hand.nothing") if record.photo else question
    elif first.code == "winner-count":
        hint = say("open.kongs") if first.message.key.endswith("-kongs") else ""
        question = _describe_tile_count(first)
        main = _answer_missing(record, first)
        hint = hint if main else f"{hint} {say('open.over-hint')}".strip()
    answers = tuple(answer for answer in (lost_answer, score_answer, main) if answer)
    return OpenPoint("unscored", question, answers, hint, _hand_places(record))


def _ask_went_out(record: HandRecord, problem: HandProblem) -> OpenPoint:
    """Ask whether a player went out whose 14 tiles are no Mah-Jong: one may be too many."""
    question = say("open.went-out", why=say(problem.message), who=record.player)
    answers = (
        PointAnswer(say("open.yes"), "who"),
        replace(_situate(say("open.no"), "winner", "no"), is_main=True),
    )
    return OpenPoint("unscored", question, answers, places=_hand_places(record))


def _check_complete_hand(state: _HandState) -> OpenPoint | None:
    """Ask about a complete Mah-Jong hand that is marked as not having won."""
    record, situation = state.record, state.record.situation
    is_unanswered = not record.match and "winner" not in situation.answered
    if (
        situation.winner
        or is_unanswered
        or not _is_mah_jong(record)
        or "complete" in record.settled_points
    ):
        return None
    player = record.player
    question = say("open.complete-who", who=player) if player else say("open.complete")
    yes = say("open.is-complete")
    answers = (
        PointAnswer(yes, "who") if record.match else _situate(yes, "winner", "yes"),
        _settle("complete", say("open.settle-complete"), is_main=True),
    )
    return OpenPoint("complete", question, answers, places=_hand_places(record))


def _is_mah_jong(record: HandRecord) -> bool:
    situation = replace(record.situation, winner=True, won_by="wall", winning_tile=None)
    return find_total(replace(record, situation=situation)) is not None


def _check_tile_count(state: _HandState) -> OpenPoint | None:
    record = state.record
    settled_points = {"count", "complete"} & record.settled_points
    problems = state.breakdown.problems if state.breakdown else ()
    problem = next((problem for problem in problems if problem.code == "tile-count"), None)
    if problem is None or settled_points:
        return None
    missing_answer = _answer_missing(record, problem)
    settle_answer = _settle("count", say("open.settle-count"))
    answers = (settle_answer, missing_answer) if missing_answer else (settle_answer,)
    question, places = _describe_tile_count(problem), _hand_places(record)
    hint = say("open.count" if missing_answer else "open.over-hint")
    return OpenPoint("count", question, answers, hint, places)


def _answer_missing(record: HandRecord, problem: HandProblem) -> PointAnswer | None:
    """Return the answer that adds missing tiles; None where there are too many, to be tapped."""
    tile_count, due = _count_and_due(problem)
    if tile_count > due:
        return None
    if record.photo is None:
        return PointAnswer(say("open.enter-on"), "keypad", is_main=True)
    return PointAnswer(say("tiles.add"), "add", is_main=True)


def _count_and_due(problem: HandProblem) -> tuple[int, int]:
    tile_count, due = (int(str(problem.message.values[name])) for name in ("held", "due"))
    return tile_count, due


def _describe_tile_count(problem: HandProblem) -> str:
    """Return the count in words: `12 of 13: one is missing`."""
    tile_count, due = _count_and_due(problem)
    return say_count(
        "open.missing" if tile_count < due else "open.over",
        abs(due - tile_count),
        held=tile_count,
        due=due,
    )


def _check_rows(state: _HandState) -> OpenPoint | None:
    """Ask which sets were exposed where the rows do not tell and the score may depend on it."""
    record = state.record
    remark = state.find_remark("exposed-or-concealed")
    is_settled = record.is_agreed or "rows" in record.settled_points
    if not remark or is_settled or not _do_rows_matter(state):
        return None
    exposed_sets = [laid for laid in record.assembled_hand.sets if laid.row == "exposed"]
    moves = tiles.row_moves(record.assembled_hand)
    answers = [
        PointAnswer(say(f"open.all-{move.row}"), "sets", (("sets", move.sets), ("row", move.row)))
        for row, move in moves.items()
        if row == ("exposed" if exposed_sets else "concealed")
    ]
    label = (
        say_count("open.exposed", len(exposed_sets)) if exposed_sets else say("open.settle-rows")
    )
    answers.append(_settle("rows", label, is_main=True))
    places = tuple(place for laid in exposed_sets for place in laid.tiles)
    return OpenPoint("rows", say("open.rows"), tuple(answers), places=places)


def _do_rows_matter(state: _HandState) -> bool:
    """Return whether the total may depend on which sets are exposed.

    A pung always may. Without three tiles alike, each other set is tried in both rows.
    """
    if state.breakdown is None or state.hand.goulash:
        return True
    hand, record = state.hand, state.record
    if max(Counter(hand.tiles).values(), default=0) >= PUNG_TILES:
        return True
    sets = [laid.tiles for laid in record.assembled_hand.sets if len(laid.tiles) == PUNG_TILES]
    ways = ((), *(tuple(record.tiles[place].code or FACE_DOWN for place in each) for each in sets))
    totals = {
        find_hand_total(
            replace(hand, exposed=(codes,) if codes else (), concealed=_remove_codes(hand, codes)),
            record.agreement.custom_rules,
        )
        for codes in ways
    }
    return not totals <= {state.breakdown.total, None}


def _remove_codes(hand: Hand, codes: tuple[str, ...]) -> tuple[str, ...]:
    """Return all tiles of the sets of a hand but these."""
    return tuple((Counter(hand.tiles) - Counter(codes)).elements())


def _accept_rows(record: HandRecord, point: OpenPoint) -> OpenPoint:
    """Return the question of rows whose answer also says that the hand looks right.

    Nothing else is open, and the score beside the button counts what is exposed by now.
    """
    count = len(record.assembled_hand.exposed)
    label = say_count("open.accept", count) if count else say("open.accept-none")
    accept = PointAnswer(label, "accept", (("hand", record.id),), is_main=True)
    return replace(point, answers=(*point.answers[:-1], accept))


def _check_winds(state: _HandState) -> OpenPoint | None:
    """Ask for the winds of a hand outside a match, where they change the score."""
    if not any(_matters(state, name, WINDS) for name in ("seat_wind", "prevailing_wind")):
        return None
    known_names = state.record.situation.answered
    name = next(name for name in ("seat_wind", "prevailing_wind") if name not in known_names)
    answers = tuple(_situate(wind_name(wind), name, wind) for wind in WINDS)
    return OpenPoint("winds", say(f"open.{name}"), answers, say("open.winds"))


def _check_way_of_winning(state: _HandState) -> OpenPoint | None:
    """Ask how a hand outside a match won, unless a tile that lies sideways tells."""
    record = state.record
    is_seen = record.reading and record.reading.winning_tile is not None
    ways = COMMON_WAYS
    if (
        is_seen
        or not record.situation.winner
        or not _matters(state, "won_by", zip(ways, strict=True))
    ):
        return None
    objections = {way: find_objection(way, record.assembled_hand) for way in COMMON_WAYS}
    answers = [_situate(say("situation.not-won"), "won_by", NO_WIN)]
    answers += [_situate(say(f"how.{way}"), "won_by", way) for way in ways if not objections[way]]
    hints = (
        say(f"how.{w}") + say("site.colon") + reason for w, reason in objections.items() if reason
    )
    return OpenPoint("way", say("situation.how"), tuple(answers), join_sentences(hints))


def _matters(state: _HandState, name: str, values: Iterable[Any]) -> bool:
    """Return whether another value of an assumed field of the situation changes the total."""
    record = state.record
    if record.match or state.breakdown is None or name in record.situation.answered:
        return False
    return state.depends_on(name, values)


def _check_winning_tile(state: _HandState) -> OpenPoint | None:
    """Ask which tile won, where that changes the score."""
    situation = state.record.situation
    is_known = situation.winning_tile is not None or "winning_tile" in situation.answered
    if (
        not (situation.winner and state.breakdown)
        or is_known
        or not state.depends_on("winning_tile", dict.fromkeys(state.hand.tiles))
    ):
        return None
    faces = winning_tiles(state.record)
    answers = [_situate(f.name, "winning_tile", f.place, symbol=f.symbol) for f in faces]
    answers.append(_situate(say("open.unknown"), "winning_tile", ""))
    places = _hand_places(state.record)
    return OpenPoint("won", say("situation.which"), tuple(answers), places=places)


_CHECKS: tuple[Callable[[_HandState], OpenPoint | None], ...] = (
    _check_several_hands,
    _check_mirrored,
    _check_photo,
    _check_block,
    _check_doubtful_tiles,
    _check_score,
    _check_complete_hand,
    _check_tile_count,
    _check_rows,
    _check_winds,
    _check_way_of_winning,
    _check_winning_tile,
)
