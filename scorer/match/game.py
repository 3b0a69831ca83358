"""Replay the log of a game to its course: deals, seats, totals.

A game is its players, their agreement, and a log; everything else is replayed from these. A new
entry adds one step to the known course. Only a correction replays the whole log; deals that it does
not affect keep their results. Settlements are computed when somebody looks at them.

>>> game = Game(("Ann", "Bob", "Cy", "Di"))
>>> game = game.with_entry(WonDeal("Bob", {"Ann": 40, "Bob": 128, "Cy": 0, "Di": 0}))
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
    WonDeal,
    apply_corrections,
    charge_problems,
    log_problems,
)
from scorer.match.seating import FIRST_SEATS, Seating, first_seating
from scorer.match.settlement import (
    MAX_SCORE_POINTS,
    Settlement,
    Terms,
    score_problems,
    settle,
    wash_out,
)
from scorer.message import Message, Value, message
from scorer.rulesets.builtin import load_builtin
from scorer.tiles import WINDS

ROUNDS_PER_MATCH = 4
"""Rounds of a match: one under each prevailing wind, for any number of players (BMJA-W02)."""


class GameError(ScorerError):
    """Raised for players who cannot play, or a log that is no valid game."""


@dataclass(frozen=True)
class Game:
    """A game as it is stored: the agreement and the log."""

    players: tuple[str, ...]
    """In order of play from the first East, as the game began; a fifth begins as the dreamer
    (BMJA-N03)."""
    seats: str = ""
    """The winds of the first deal, East first; empty for the usual seats."""
    ruleset: str = "bmja"
    start: int | None = None
    """Each player's points before the first deal; None for the ruleset's own, 0 for a sheet."""
    double: Literal["east", "prevailing"] = "east"
    """Who pays and receives double: East, or as the book misprints it (BMJA-C15)."""
    log: tuple[Entry, ...] = ()
    goulash: bool = True
    """Whether a goulash follows a wash-out (BMJA-P18)."""
    order: tuple[str, ...] = ()
    """The players in order of play from the first East, where that is another than `players`."""

    def __post_init__(self) -> None:
        GameError.raise_for(_agreement_problems(self))

    def with_entry(self, entry: Entry) -> Game:
        """Return the game with one more entry; raise GameError for an invalid entry."""
        game = replace(self, log=(*self.log, entry))
        if isinstance(entry, Correction):
            return _keep_course(game, replay(game, _remember_changes(self.course)))
        step = _follow_event(self.course, game, len(game.log), entry)
        return _keep_course(game, replace(step, rows=(*self.course.rows, *step.rows)))

    def with_log(self, log: Iterable[Entry], changes: Mapping[int, Mapping[str, int]]) -> Game:
        """Return the game with this log; `changes` gives known results by entry number.

        Unknown results are computed. Raises GameError for an invalid log.
        """
        game = replace(self, log=tuple(log))
        return _keep_course(game, replay(game, lambda number, *_: changes.get(number)))

    def reseat(
        self, order: Sequence[str], seats: str, corrections: Iterable[Correction] = ()
    ) -> Game:
        """Return the game with its players seated otherwise from the first deal on.

        `seats` are the winds of the first deal. The corrections come with it. Raises GameError
        where somebody would have sat out a deal that they played.
        """
        log = (*self.log, *corrections)
        game = replace(self, order=tuple(order), seats=seats, log=log)
        return _keep_course(game, replay(game, _remember_changes(self.course)))

    @cached_property
    def course(self) -> Course:
        """Where the game stands, computed once; raises GameError for an invalid log."""
        return replay(self)

    @property
    def first_seating(self) -> Seating:
        """The seating of the first deal."""
        return first_seating(self.order_of_play, self.seats or FIRST_SEATS[len(self.players)])

    @property
    def order_of_play(self) -> tuple[str, ...]:
        """The players in order of play from the first East; a fifth begins as the dreamer."""
        return self.order or self.players

    @property
    def first_tallies(self) -> int:
        """Each player's points before the first deal."""
        return load_builtin(self.ruleset).payments.tallies if self.start is None else self.start


@dataclass(frozen=True, slots=True)
class Deal:
    """The circumstances of one deal, past or next."""

    number: int
    """Counted from 1, including wash-outs and their goulashes."""
    round: int
    """Counted from 1; a round begins when the first East becomes East again (BMJA-W02)."""
    prevailing_wind: str | None
    """E, S, W or N; None when the rules have no prevailing wind (SAF-T03)."""
    seating: Seating
    goulash: bool
    """Whether the deal follows a wash-out (BMJA-P18)."""

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
    """The number of the entry in the log, counted from 1; a correction keeps it."""
    event: GameEvent
    deal: Deal | None
    """None for a charge."""
    terms: Terms | None
    """How the deal was paid; None for a charge and under Safalra's rules (SAF-P08)."""
    changes: Mapping[str, int]
    """The points that each player gained."""
    totals: Mapping[str, int]
    """Each player's points afterwards."""

    @cached_property
    def settlement(self) -> Settlement | None:
        """Who paid whom, by seat wind; None for a charge and under Safalra's rules (SAF-P08)."""
        return _settle_deal(self.event, self.deal, self.terms)


@dataclass(frozen=True)
class Course:
    """Where a game stands."""

    rows: tuple[GameRow, ...]
    """In order of their numbers, without removed entries and corrections."""
    next_deal: Deal
    totals: Mapping[str, int]
    """Each player's points now; below 0 when a player owes tallies."""
    is_over: bool
    """Whether four rounds have been played (BMJA-W02); never under Safalra's rules."""

    @cached_property
    def problems(self) -> tuple[HandProblem, ...]:
        """Warnings about the whole log; a settlement has those about a deal's scores."""
        late_deals = (row for row in self.rows if row.deal and row.deal.round > ROUNDS_PER_MATCH)
        return tuple(
            warning("match-over", _say("match-over", entry=row.number)) for row in late_deals
        )

    def row(self, number: int) -> GameRow | None:
        """Return the line of an entry; None when the entry does not count."""
        return find_numbered(self.rows, number)

    @property
    def last_deal(self) -> GameRow | None:
        """The line of the last deal played; None before the first."""
        return next((row for row in reversed(self.rows) if row.deal), None)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The players with the highest total."""
        highest = max(self.totals.values())
        return tuple(player for player, total in self.totals.items() if total == highest)


class _HasNumber(Protocol):
    @property
    def number(self) -> int: ...


_Entry = TypeVar("_Entry", bound=_HasNumber)


def find_numbered(entries: Sequence[_Entry], number: int) -> _Entry | None:
    """Return the entry with a number from entries sorted by number; None without one."""
    place = bisect_left(entries, number, key=lambda entry: entry.number)
    entry = entries[place] if place < len(entries) else None
    return entry if entry and entry.number == number else None


KnownChanges = Callable[[int, GameEvent, Deal | None], Mapping[str, int] | None]
"""Return the known changes of an entry, given its number, event and deal; None if unknown."""


def know_no_changes(number: int, event: GameEvent, deal: Deal | None) -> None:
    """Return None, so that everything is computed."""


def replay(game: Game, known_changes: KnownChanges = know_no_changes) -> Course:
    """Return where the game stands; raise GameError with every invalid entry.

    Known changes are not computed again. Deals after the fourth round still count, with a warning,
    and the prevailing winds repeat. So correcting an early deal can never lose a late one.
    """
    GameError.raise_for(log_problems(game.log))
    course = _start_course(game)
    rows: list[GameRow] = []
    problems: list[HandProblem] = []
    for number, event in apply_corrections(game.log):
        try:
            course = _follow_event(course, game, number, event, known_changes)
        except GameError as wrong:
            problems += wrong.problems
        else:
            rows += course.rows
    GameError.raise_for(problems)
    return Course(tuple(rows), course.next_deal, course.totals, course.is_over)


def _start_course(game: Game) -> Course:
    """Return the course of a game with an empty log."""
    first = Deal(1, 1, _prevailing_wind(game, 1), game.first_seating, goulash=False)
    totals = dict.fromkeys(game.players, game.first_tallies)
    return Course((), first, totals, is_over=False)


def _remember_changes(course: Course) -> KnownChanges:
    """Return the known changes from the course before a correction, for unaffected deals."""
    rows = {row.number: row for row in course.rows}

    def find_known_changes(
        number: int, event: GameEvent, deal: Deal | None
    ) -> Mapping[str, int] | None:
        row = rows.get(number)
        return row.changes if row and row.event is event and row.deal == deal else None

    return find_known_changes


def _follow_event(
    course: Course,
    game: Game,
    number: int,
    event: GameEvent,
    known_changes: KnownChanges = know_no_changes,
) -> Course:
    """Return the course after one more event, with only that event's line.

    Raises GameError when the event is invalid.
    """
    deal = course.next_deal
    played_deal = None if isinstance(event, Charge) else deal
    terms = _choose_terms(event, game, deal)
    changes = known_changes(number, event, played_deal)
    if changes is None:
        wrong = _event_problems(event, game, deal)
        GameError.raise_for(
            replace(each, message=_say("entry", entry=number, what=each.message)) for each in wrong
        )
        changes = _find_changes(event, game, deal, terms)
    totals = {player: total + changes.get(player, 0) for player, total in course.totals.items()}
    following = deal if isinstance(event, Charge) else following_deal(event, game, deal)
    return Course(
        rows=(GameRow(number, event, played_deal, terms, changes, totals),),
        next_deal=following,
        totals=totals,
        is_over=is_over(game, following),
    )


def _keep_course(game: Game, course: Course) -> Game:
    vars(game)["course"] = course  # fills the cached property
    return game


def _say(key: str, **values: Value) -> Message:
    return message(f"game.{key}", **values)


def _find_changes(
    event: GameEvent, game: Game, deal: Deal, terms: Terms | None
) -> Mapping[str, int]:
    """Return what each player gains."""
    no_changes = dict.fromkeys(game.players, 0)
    if isinstance(event, Charge):
        return {**no_changes, **event.amounts, event.payer: -sum(event.amounts.values())}
    settlement = _settle_deal(event, deal, terms)
    if settlement is None:
        return {**no_changes, **event.scores} if isinstance(event, WonDeal) else no_changes
    return no_changes | {deal.seats[w]: gain for w, gain in settlement.net.items()}


def _choose_terms(event: GameEvent, game: Game, deal: Deal) -> Terms | None:
    """Return how an event is paid; None when the deal's scores are not paid."""
    if isinstance(event, Charge) or (isinstance(event, WonDeal) and game.ruleset == "safalra"):
        return None
    return _EAST_TERMS if game.double == "east" else Terms(double=deal.prevailing_wind or "E")


_EAST_TERMS = Terms()


def _settle_deal(event: GameEvent, deal: Deal | None, terms: Terms | None) -> Settlement | None:
    """Return the settlement of a deal, if the deal has one."""
    if deal is None or terms is None or isinstance(event, Charge):
        return None
    if isinstance(event, WashOut):
        return wash_out(deal.seats)
    winds = deal.seating.winds
    scores = {winds[player]: score for player, score in event.scores.items()}
    return settle(scores, winds[event.winner], terms=terms, names=deal.seats)


def following_deal(event: WonDeal | WashOut, game: Game, deal: Deal) -> Deal:
    """Return the deal that follows (BMJA-W01, BMJA-W02, BMJA-P18; SAF-P06, SAF-P07).

    Only the winner matters, not the scores.
    """
    seating, turn = deal.seating, deal.round
    goulash = isinstance(event, WashOut) and game.goulash and game.ruleset == "bmja"
    if isinstance(event, WonDeal) and game.ruleset == "safalra":
        seating = seating.with_east(event.winner)
    elif isinstance(event, WonDeal) and event.winner != seating.places[seating.east]:
        seating = seating.pass_winds()
        turn += seating.places[seating.east] == game.order_of_play[0]
    wind = deal.prevailing_wind if turn == deal.round else _prevailing_wind(game, turn)
    return Deal(deal.number + 1, turn, wind, seating, goulash)


def _prevailing_wind(game: Game, turn: int) -> str | None:
    """Return the prevailing wind of a round (BMJA-W02); None under Safalra's rules."""
    return None if game.ruleset == "safalra" else tuple(WINDS)[(turn - 1) % len(WINDS)]


def is_over(game: Game, deal: Deal) -> bool:
    """Return whether the match is over before this deal (BMJA-W02); never for Safalra."""
    return game.ruleset == "bmja" and deal.round > ROUNDS_PER_MATCH


def _agreement_problems(game: Game) -> Iterator[HandProblem]:
    players, seats = game.players, game.seats
    if game.ruleset not in RULESETS:
        yield error(
            "unknown-ruleset",
            _say("unknown-ruleset", said=game.ruleset, known=", ".join(RULESETS)),
        )
    max_players = 4 if game.ruleset == "safalra" else 5
    if not 2 <= len(players) <= max_players:
        yield error("players", _say(f"players-{max_players}", players=len(players)))
    if len(set(players)) < len(players):
        yield error("player-twice", _say("player-twice"))
    if not all(name.strip() for name in players):
        yield error("unnamed-player", _say("unnamed-player"))
    if game.start is not None and not 0 <= game.start <= MAX_SCORE_POINTS:
        yield error("start", _say("start", most=MAX_SCORE_POINTS))
    if game.order and sorted(game.order) != sorted(players):
        yield error("order", _say("order", players=", ".join(players)))
    if seats and not _are_seats(seats, min(len(players), 4)):
        yield error("seats", _say("seats", said=seats))


def _are_seats(seats: str, number: int) -> bool:
    in_order = "".join(wind for wind in WINDS if wind in seats)
    return (
        seats[0] == "E"
        and seats == in_order
        and len(seats) == number
        and seats not in _NEIGHBOURING_SEATS
    )


_NEIGHBOURING_SEATS = ("ES", "EN")
"""Seats that two players cannot take: they sit opposite each other (BMJA-N02)."""


def _event_problems(event: GameEvent, game: Game, deal: Deal) -> Iterator[HandProblem]:
    if isinstance(event, Charge):
        yield from charge_problems(event, game.players)
    elif isinstance(event, WonDeal):
        at_table = deal.seating.winds
        if event.winner not in at_table:
            yield error("winner", _say("winner", player=event.winner))
        for name in event.scores:
            if name not in at_table:
                yield error("not-at-table", _say("not-at-table", player=name))
        for name in at_table:
            if name not in event.scores:
                yield error("no-score", _say("no-score", player=name))
        yield from score_problems(event.scores.items())
