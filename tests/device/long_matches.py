"""Long matches, and many, written straight into the log.

What a page would have written is written without one, so that a match of 500 deals is there within
seconds. The hands hold no wind and no flower, so that each comes to the same score in every deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from device.hands.readings import reading_event
from device.store import Store
from device.store.events import (
    DealSettled,
    Event,
    HandBegun,
    HandGiven,
    HandPhoto,
    HandsAgreed,
    MatchBegun,
    MatchEnded,
    PhotoTaken,
    ReadingBegun,
    ScoreTyped,
    SetAdded,
    TilesConfirmed,
    WinnerEntered,
)
from scorer.notation import parse_hand
from scorer.score import score_total
from tests.device.fake_reader import lay

PLAYERS = ("Ann", "Bob", "Cy", "Di")

AGREED_TERMS = MatchBegun(players=PLAYERS, ruleset="bmja", limit=1000, house=())

WINNING_SETS: tuple[tuple[Literal["exposed", "concealed"], str], ...] = (
    ("exposed", "B2 B2 B2"),
    ("exposed", "O5 O5 O5"),
    ("concealed", "C3 C4 C5"),
    ("concealed", "DR DR DR"),
    ("concealed", "B9 B9"),
)
LOSING_SETS: tuple[tuple[Literal["exposed", "concealed"], str], ...] = (
    ("exposed", "B3 B3 B3"),
    ("concealed", "C6 C7 C8"),
    ("concealed", "O1 O1 O1"),
    ("concealed", "B6 O8 C1 C1"),
)

WINNER = score_total(parse_hand("B222 O555 | C345 DRRR B99 | won=wall"))
LOSER = score_total(parse_hand("B333 | C678 O111 B6 O8 C11 |"))

PICTURE = HandPhoto(
    original="0" * 64,
    display="1" * 64 + ".jpg",
    thumbnail="2" * 64 + ".jpg",
    width=1200,
    height=360,
    name="hand.jpg",
)
"""A photograph whose files are not there: no page that is only looked at needs them."""

EntryMethod = Literal["typed", "entered", "photographed"]
"""How the hands were given in."""


class MatchWriter:
    """Writes the events of one match after another."""

    def __init__(
        self, store: Store, method: EntryMethod = "entered", photo: HandPhoto = PICTURE
    ) -> None:
        self._store = store
        self._method = method
        self._photo = photo
        self._hands = 0

    def match(
        self, name: str, deals: int, *, is_over: bool = False, terms: MatchBegun = AGREED_TERMS
    ) -> None:
        """Play a match of so many settled deals, and end it or leave it on the table."""
        self._store.append(name, terms)
        for number in range(deals):
            winner = PLAYERS[number * number % len(PLAYERS)]
            self.give(name, winner)
            scores = {player: WINNER if player == winner else LOSER for player in PLAYERS}
            self._store.append(name, DealSettled(winner, scores))
        if is_over:
            self._store.append(name, MatchEnded())

    def give(self, match: str, winner: str) -> tuple[str, ...]:
        """Give in the hands of a deal, all agreed to; return their ids in the players' order."""
        self._store.append(match, WinnerEntered(winner))
        if self._method == "typed":
            for player in PLAYERS:
                self._store.append(match, ScoreTyped(player, WINNER if player == winner else LOSER))
            return ()
        hands = {player: self.hand(match, is_winner=player == winner) for player in PLAYERS}
        for player, hand in hands.items():
            self._store.append(match, HandGiven(player, hand))
        self._store.append(match, HandsAgreed(hands))
        return tuple(hands.values())

    def hand(self, match: str, *, is_winner: bool) -> str:
        """Write one hand of a match; return its id."""
        self._hands += 1
        hand = f"{match}-{self._hands}"
        for event in _HANDS[self._method](
            match, WINNING_SETS if is_winner else LOSING_SETS, self._photo
        ):
            self._store.append(hand, event)
        return hand


def _enter_hand(match: str, groups: Sequence[tuple[str, str]], _: HandPhoto) -> Iterator[Event]:
    yield HandBegun(rules="bmja", seat_wind="E", prevailing_wind="E", match=match)
    for row, codes in groups:
        yield SetAdded(tuple(codes.split()), row)


def _photograph_hand(
    match: str, groups: Sequence[tuple[Literal["exposed", "concealed"], str]], photo: HandPhoto
) -> Iterator[Event]:
    yield PhotoTaken(rules="bmja", seat_wind="E", prevailing_wind="E", match=match, photo=photo)
    yield ReadingBegun()
    yield reading_event(lay(groups))
    yield TilesConfirmed()


_HANDS = {"entered": _enter_hand, "photographed": _photograph_hand}
