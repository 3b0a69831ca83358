"""The game's course: what the log of a game comes to, as values.

A game is its players, what they agreed, and a log; everything else is replayed from those. One more
entry adds one step to a course that is known; only a correction, which changes what stands before
it, has the log replayed; deals played as before then keep what they came to. Who paid whom, and
why, is only put together for a deal that somebody looks at.

>>> game = Game(("Ann", "Bob", "Cy", "Di"))
>>> game = game.with_entry(Won("Bob", {"Ann": 40, "Bob": 128, "Cy": 0, "Di": 0}))
>>> course = replay(game)
>>> course.next_deal.seats["E"], course.totals
('Bob', {'Ann': 1904, 'Bob': 2512, 'Cy': 1792, 'Di': 1792})
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, Protocol, TypeVar

from scorer.errors import HandProblem, ScorerError, error, warning
from scorer.hand import RULESETS
from scorer.match.entries import (
    Charge,
    Correction,
    Entry,
    GameEvent,
    WashOut,
    Won,
    charge_problems,
    corrected,
    log_problems,
)
from scorer.match.seating import FIRST_SEATS, Seating, first_seating
from scorer.match.settle import MOST, Settlement, Terms, score_problems, settle, wash_out
from scorer.message import Message, Value, message
from scorer.tiles import WINDS

STARTING_TALLIES = {"bmja": 2000, "safalra": 0}
"""What each player has before the first deal: tallies (BMJA-P01), or a sheet (SAF-P08)."""

ROUNDS = 4
"""A match is one round under each prevailing wind, for any number of players (BMJA-W02)."""


class GameError(ScorerError):
    """Players who cannot play, or a log that makes no game."""


@dataclass(frozen=True)
class Game:
    """A game as it is kept: what was agreed, and what was written down since."""

    players: tuple[str, ...]
    """In order of play from the first East; a fifth begins as the dreamer (BMJA-N03)."""
    seats: str = ""
    """The winds of the first deal, East first; empty for the usual ones."""
    ruleset: str = "bmja"
    start: int | None = None
    """Each player's tallies before the first deal; None for the ruleset's own, 0 for a sheet."""
    double: Literal["east", "prevailing"] = "east"
    """Who pays and receives double: East, or as the book misprints it (BMJA-C15)."""
    log: tuple[Entry, ...] = ()

    def __post_init__(self) -> None:
        _refuse(_agreement_problems(self))

    def with_entry(self, entry: Entry) -> Game:
        """Return the game with one more entry; raise GameError when it does not fit."""
        game = replace(self, log=(*self.log, entry))
        if isinstance(entry, Correction):
            return _with_course(game, replay(game, _as_before(self.course)))
        step = _followed(self.course, game, len(game.log), entry)
        return _with_course(game, replace(step, rows=(*self.course.rows, *step.rows)))

    def with_log(self, log: Iterable[Entry], changes: Mapping[int, Mapping[str, int]]) -> Game:
        """Return the game with all of a log, of which it is known what entries changed.

        By the entry's number. What is not known is worked out; raise GameError.
        """
        game = replace(self, log=tuple(log))
        return _with_course(game, replay(game, lambda number, *_: changes.get(number)))

    @cached_property
    def course(self) -> Course:
        """Where the game stands, worked out once; GameError for a log that makes no game."""
        return replay(self)

    @property
    def first_seating(self) -> Seating:
        """The table during the first deal."""
        return first_seating(self.players, self.seats or FIRST_SEATS[len(self.players)])

    @property
    def first_tallies(self) -> int:
        """What each player has before the first deal."""
        return STARTING_TALLIES[self.ruleset] if self.start is None else self.start


@dataclass(frozen=True, slots=True)
class Deal:
    """The circumstances of one deal, played or to be played."""

    number: int
    """Counted from 1; a wash-out counts, and so does its goulash."""
    round: int
    """Counted from 1: how often the first East has begun as East (BMJA-W02)."""
    prevailing_wind: str | None
    """E, S, W or N; None where the rules know no such wind (SAF-T03)."""
    seating: Seating
    goulash: bool
    """The deal follows a wash-out (BMJA-P18)."""

    @property
    def seats(self) -> dict[str, str]:
        """Wind to player, from East."""
        return self.seating.seats

    @property
    def dreamer(self) -> str | None:
        """The player who sits out, when five play."""
        return self.seating.dreamer


@dataclass(frozen=True)
class GameRow:
    """One line of the score sheet."""

    number: int
    """Of the entry in the log, counted from 1, also when a later entry corrected it."""
    event: GameEvent
    deal: Deal | None
    """None for a charge."""
    terms: Terms | None
    """How the deal was paid; None for a charge and under Safalra's rules (SAF-P08)."""
    changes: Mapping[str, int]
    """What each player gained."""
    totals: Mapping[str, int]
    """What each player has afterwards."""

    @cached_property
    def settlement(self) -> Settlement | None:
        """Who paid whom, by seat wind; None for a charge and under Safalra's rules (SAF-P08)."""
        return _settlement(self.event, self.deal, self.terms)


@dataclass(frozen=True)
class Course:
    """Where a game stands."""

    rows: tuple[GameRow, ...]
    """Their numbers grow, with gaps where entries were struck out or are corrections."""
    next_deal: Deal
    totals: Mapping[str, int]
    """What each player has now; below 0 once the tallies have run out and are owed."""
    over: bool
    """Four rounds have been played (BMJA-W02); never under Safalra's rules."""

    @cached_property
    def problems(self) -> tuple[HandProblem, ...]:
        """Warnings about the log as a whole; those about a deal's scores are its settlement's."""
        late = (row for row in self.rows if row.deal and row.deal.round > ROUNDS)
        return tuple(warning("match-over", _said("match-over", entry=row.number)) for row in late)

    def row(self, number: int) -> GameRow | None:
        """Return the line of an entry; None where the entry does not count."""
        return of_number(self.rows, number)

    @property
    def last_deal(self) -> GameRow | None:
        """The line of the deal that was played last; None before the first."""
        return next((row for row in reversed(self.rows) if row.deal), None)

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who has most; several when they have the same."""
        most = max(self.totals.values())
        return tuple(player for player, total in self.totals.items() if total == most)


class _Numbered(Protocol):
    @property
    def number(self) -> int: ...


_Entry = TypeVar("_Entry", bound=_Numbered)


def of_number(entries: Sequence[_Entry], number: int) -> _Entry | None:
    """Return the one of a number, of entries whose numbers grow; None when there is none."""
    place = bisect_left(entries, number, key=lambda each: each.number)
    found = entries[place] if place < len(entries) else None
    return found if found and found.number == number else None


KnownChanges = Callable[[int, GameEvent, Deal | None], Mapping[str, int] | None]
"""What is known of an entry by its number, of what happened and in which deal: what it changed."""


def nothing_known(number: int, event: GameEvent, played: Deal | None) -> None:
    """Return nothing: all is worked out."""


def replay(game: Game, known: KnownChanges = nothing_known) -> Course:
    """Return where the game stands; raise GameError with everything in the log that does not fit.

    What entries are `known` to have changed is not worked out again. Deals after the fourth round
    still count, with a warning, so that correcting an early deal can never lose a late one: the
    prevailing wind then goes round again.
    """
    _refuse(log_problems(game.log))
    course = _beginning(game)
    rows: list[GameRow] = []
    problems: list[HandProblem] = []
    for number, event in corrected(game.log):
        try:
            course = _followed(course, game, number, event, known)
        except GameError as wrong:
            problems += wrong.problems
        else:
            rows += course.rows
    _refuse(problems)
    return Course(tuple(rows), course.next_deal, course.totals, course.over)


def _beginning(game: Game) -> Course:
    """Return where a game stands of which nothing has been written down."""
    first = Deal(1, 1, _prevailing(game, 1), game.first_seating, goulash=False)
    totals = dict.fromkeys(game.players, game.first_tallies)
    return Course((), first, totals, over=False)


def _as_before(course: Course) -> KnownChanges:
    """Return what is known of the same game before a correction, of deals played alike."""
    rows = {row.number: row for row in course.rows}

    def known(number: int, event: GameEvent, played: Deal | None) -> Mapping[str, int] | None:
        row = rows.get(number)
        return row.changes if row and row.event is event and row.deal == played else None

    return known


def _followed(
    course: Course, game: Game, number: int, event: GameEvent, known: KnownChanges = nothing_known
) -> Course:
    """Return where a game stands after one more event, with that event's line alone.

    Raises GameError when it does not fit.
    """
    deal = course.next_deal
    played = None if isinstance(event, Charge) else deal
    terms = _terms(event, game, deal)
    changes = known(number, event, played)
    if changes is None:
        wrong = _event_problems(event, game, deal)
        _refuse(replace(each, message=_at_entry(number, each.message)) for each in wrong)
        changes = _changes(event, game, deal, terms)
    totals = {player: total + changes.get(player, 0) for player, total in course.totals.items()}
    following = deal if isinstance(event, Charge) else following_deal(event, game, deal)
    return Course(
        rows=(GameRow(number, event, played, terms, changes, totals),),
        next_deal=following,
        totals=totals,
        over=is_over(game, following),
    )


def _with_course(game: Game, course: Course) -> Game:
    vars(game)["course"] = course  # where the property keeps it, once it is worked out
    return game


def _said(key: str, **values: Value) -> Message:
    return message(f"game.{key}", **values)


def _at_entry(number: int, what: Message) -> Message:
    return _said("entry", entry=number, what=what)


def _changes(event: GameEvent, game: Game, deal: Deal, terms: Terms | None) -> Mapping[str, int]:
    """Return what each player gains."""
    nothing = dict.fromkeys(game.players, 0)
    if isinstance(event, Charge):
        return {**nothing, **event.amounts, event.payer: -sum(event.amounts.values())}
    settlement = _settlement(event, deal, terms)
    if settlement is None:
        return {**nothing, **event.scores} if isinstance(event, Won) else nothing
    return nothing | {deal.seats[w]: gain for w, gain in settlement.net.items()}


def _terms(event: GameEvent, game: Game, deal: Deal) -> Terms | None:
    """Return how an event is paid; None for one that nobody pays for by the deal's scores."""
    if isinstance(event, Charge) or (isinstance(event, Won) and game.ruleset == "safalra"):
        return None
    return _EAST if game.double == "east" else Terms(double=deal.prevailing_wind or "E")


_EAST = Terms()


def _settlement(event: GameEvent, deal: Deal | None, terms: Terms | None) -> Settlement | None:
    """Return the payments, where there are any."""
    if deal is None or terms is None or isinstance(event, Charge):
        return None
    if isinstance(event, WashOut):
        return wash_out(deal.seats)
    winds = deal.seating.winds
    scores = {winds[player]: score for player, score in event.scores.items()}
    return settle(scores, winds[event.winner], terms=terms, names=deal.seats)


def following_deal(event: Won | WashOut, game: Game, deal: Deal) -> Deal:
    """Return the deal that follows (BMJA-W01, BMJA-W02, BMJA-P18; SAF-P06, SAF-P07).

    Of the event it matters only who won, not the scores.
    """
    seating, turn = deal.seating, deal.round
    goulash = isinstance(event, WashOut) and game.ruleset == "bmja"
    if isinstance(event, Won) and game.ruleset == "safalra":
        seating = seating.with_east(event.winner)
    elif isinstance(event, Won) and event.winner != seating.places[seating.east]:
        seating = seating.passed_on()
        turn += seating.places[seating.east] == game.players[0]
    wind = deal.prevailing_wind if turn == deal.round else _prevailing(game, turn)
    return Deal(deal.number + 1, turn, wind, seating, goulash)


def _prevailing(game: Game, turn: int) -> str | None:
    """Return the prevailing wind of a round: it goes through all four winds (BMJA-W02)."""
    return None if game.ruleset == "safalra" else tuple(WINDS)[(turn - 1) % len(WINDS)]


def is_over(game: Game, deal: Deal) -> bool:
    """Whether the match is over before this deal (BMJA-W02); never under Safalra's rules."""
    return game.ruleset == "bmja" and deal.round > ROUNDS


def _agreement_problems(game: Game) -> Iterator[HandProblem]:
    players, seats = game.players, game.seats
    if game.ruleset not in RULESETS:
        yield error(
            "unknown-ruleset",
            _said("unknown-ruleset", said=game.ruleset, known=", ".join(RULESETS)),
        )
    most = 4 if game.ruleset == "safalra" else 5
    if not 2 <= len(players) <= most:
        yield error("players", _said(f"players-{most}", players=len(players)))
    if len(set(players)) < len(players):
        yield error("player-twice", _said("player-twice"))
    if not all(name.strip() for name in players):
        yield error("unnamed-player", _said("unnamed-player"))
    if game.start is not None and not 0 <= game.start <= MOST:
        yield error("start", _said("start", most=MOST))
    if seats and not _are_seats(seats, min(len(players), 4)):
        yield error("seats", _said("seats", said=seats))


def _are_seats(seats: str, number: int) -> bool:
    in_order = "".join(wind for wind in WINDS if wind in seats)
    return seats[0] == "E" and seats == in_order and len(seats) == number and seats not in _NOT_TWO


_NOT_TWO = ("ES", "EN")
"""Two players sit opposite each other (BMJA-N02)."""


def _event_problems(event: GameEvent, game: Game, deal: Deal) -> Iterator[HandProblem]:
    if isinstance(event, Charge):
        yield from charge_problems(event, game.players)
    elif isinstance(event, Won):
        at_table = deal.seating.winds
        if event.winner not in at_table:
            yield error("winner", _said("winner", player=event.winner))
        for name in event.scores:
            if name not in at_table:
                yield error("not-at-table", _said("not-at-table", player=name))
        for name in at_table:
            if name not in event.scores:
                yield error("no-score", _said("no-score", player=name))
        yield from score_problems(event.scores.items())


def _refuse(problems: Iterable[HandProblem]) -> None:
    found = tuple(problems)
    if found:
        raise GameError(found)
