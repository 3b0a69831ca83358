"""Note what a table's evening should come to: the scorer's own game, and nothing else.

The notes know players by their numbers. So a renaming changes no entry of theirs, and what the box
makes of it is checked from outside.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from scorer.layings import classify_group
from scorer.match.entries import Charge, Correction, GameEvent, WashOut, WonDeal
from scorer.match.game import Deal, Game, GameError
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.score import score

Row = tuple[int, str, str, str, int | None, int, int]
"""Of the export: entry, kind, player, wind, score, change, total."""

KINDS = {WonDeal: "won", WashOut: "wash-out", Charge: "charge"}


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table agrees on."""

    players: int
    ruleset: str = "bmja"
    limit: int | None = 1000
    flipped_option: str = ""
    """A choice of the rules that is played the other way."""

    @property
    def form(self) -> dict[str, object]:
        """Return what the page's form sends for them."""
        options = load_builtin(self.ruleset).options
        names_on = [o.name for o in options if o.default != (o.name == self.flipped_option)]
        return {
            "ruleset": self.ruleset, "limit": self.limit or "off", f"house-{self.ruleset}": names_on
        }  # fmt: skip

    @property
    def house(self) -> tuple[str, ...]:
        """What differs from the rules as they are."""
        flipped = [o for o in load_builtin(self.ruleset).options if o.name == self.flipped_option]
        return tuple(f"{o.name}:{'off' if o.default else 'on'}" for o in flipped)


RULES = (
    Rules(4),
    Rules(4, limit=None, flipped_option="prevailing_wind_doubles"),
    Rules(5),
    Rules(4, ruleset="safalra", limit=None),
    Rules(3, flipped_option="clean_hand"),
    Rules(2),
)
"""One after the other, from table to table."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a match stands."""

    names: tuple[str, ...]
    game: Game

    def rows(self) -> list[Row]:
        """Return what the export has to say."""
        return [
            (row.number, KINDS[type(row.event)], self.names[int(player)],
             row.deal.seating.winds.get(player, "") if row.deal else "",
             row.event.scores.get(player) if isinstance(row.event, WonDeal) else None,
             row.changes[player], row.totals[player])
            for row in self.game.course.rows for player in self.game.players
        ]  # fmt: skip

    def totals(self) -> dict[str, int]:
        """Return what everybody has, by the name of now."""
        return {self.names[int(p)]: total for p, total in self.game.course.totals.items()}

    def with_event(self, event: GameEvent) -> State:
        """Return where it stands after one more entry."""
        return replace(self, game=self.game.with_entry(event))

    def corrected(self, number: int, event: GameEvent | None) -> State | None:
        """Return where it stands with an entry put right; None where that makes no game."""
        try:
            return replace(self, game=self.game.with_entry(Correction(number, event)))
        except GameError:
            return None


@dataclass
class Notes:
    """One match, as it was confirmed to phones."""

    table: str
    rules: Rules
    state: State
    match: str = ""
    wrote: Counter[str] = field(default_factory=Counter)
    """Number of events of each kind that were confirmed to phones, or seen to be kept."""
    possible: Counter[str] = field(default_factory=Counter)
    """Number of further events that may be there: cut off by a kill, and sent again."""
    photos: list[str] = field(default_factory=list)
    """Hands whose photograph was accepted."""
    tables: list[str] = field(default_factory=list)
    """Accepted photographs of the whole table."""
    ended: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, kind: str, *, is_certain: bool = False) -> None:
        """Count an event that was kept, or may have been; several phones do so at once."""
        with self._lock:
            (self.possible if is_certain else self.wrote)[kind] += 1

    @property
    def deal(self) -> Deal:
        """The deal that is played next."""
        return self.state.game.course.next_deal

    def players_by_seat(self) -> dict[int, str]:
        """Return the numbers of those who play the next deal, each with its wind."""
        return {int(player): wind for player, wind in self.deal.seating.winds.items()}

    def score(self, text: str, player: int, winner: int, won_by: str) -> int:
        """Return a hand's score in the next deal; raise HandError for an invalid hand."""
        hand, deal, is_winner = parse_hand(text), self.deal, player == winner
        return score(
            replace(
                hand,
                winner=is_winner,
                won_by=(won_by,) if is_winner else (),
                winning_tile=hand.winning_tile if is_winner else None,
                seat_wind=deal.seating.winds[str(player)],
                prevailing_wind=deal.prevailing_wind or "E",
                goulash=deal.goulash,
                ruleset=self.rules.ruleset,
                players=self.rules.players,
                limit=self.rules.limit,
                house=self.rules.house,
            )
        ).total


def begin_notes(table: str, rules: Rules, names: tuple[str, ...]) -> Notes:
    """Return the notes of a match that begins."""
    players = tuple(map(str, range(rules.players)))
    double: Literal["east", "prevailing"] = (
        "prevailing" if rules.flipped_option == "prevailing_wind_doubles" else "east"
    )
    return Notes(table, rules, State(names, Game(players, ruleset=rules.ruleset, double=double)))


def entry_taps(text: str) -> list[Mapping[str, str]]:
    """Return what a player taps to enter a hand, one set or tile after the other.

    >>> [each["kind"] for each in entry_taps("B222 | O345 WEE DR | F1")]
    ['pung', 'chow', 'pair', 'loose', 'loose']
    """
    rows = dict(zip(("exposed", "concealed", "bonus"), text.split("|"), strict=False))
    return [
        {"kind": classify_group(codes), "code": codes[0], "row": row}
        for row, zone in rows.items()
        for word in zone.split()
        if "=" not in word
        for codes in [tuple(word[0] + rank for rank in word[1:])]
    ]


WINNING_HAND = "B222 C555 | B777 WSSS DGG |"
"""A winner's hand."""

WINNING_HANDS: Mapping[str, str] = {"safalra": "B222 B555 | B777 B345 B99 |"}
"""By rules that know other winning hands."""

LOSING_HANDS = (
    "C777 DWWW | O2 O4 B1 B9 WE WW C2 |",
    "O222 | DRR WS C1 C3 C5 O1 O5 O9 B9 |",
    "| B345 WNN DGG C1 C4 C8 O1 O6 B9 |",
)
"""Hands of those who did not win."""

PHOTO = "B222 O9999 | C345 DRRR WEE | F1"
"""What the fake reader says that every photograph shows."""
