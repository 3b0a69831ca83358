"""What the page of a player shows: the totals of finished matches and their progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from device.club.club_results import TypedResult, tournament_page_of
from device.club.match_statistics import (
    ClubStatistics,
    MatchStatistics,
    PlayerStatistics,
    ScoredHand,
)
from device.club.register import Person, Register
from device.i18n.words import day_of, say, say_count, sign_amount
from scorer.message import rule_text

PROGRESS_WIDTH, PROGRESS_HEIGHT = 320, 96
"""Size of the progress figure, in its own units."""

_PROGRESS_MARGIN = 6
"""Free margin around the line of the figure."""

MAX_MATCHES_LISTED = 20
"""Matches that the page lists; the totals cover all of them."""


@dataclass(frozen=True, slots=True)
class NotableHand:
    """A hand worth showing: the best one, a special hand or a limit hand."""

    score: int
    title: str
    """Name of the special hand; empty for an ordinary one."""
    hand: str
    """Id of the hand; empty for a score that was typed."""
    day: str


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match from the player's side."""

    match: MatchStatistics
    own_statistics: PlayerStatistics
    other_people: tuple[Person, ...]

    @property
    def tournament(self) -> str:
        """Id of the tournament where the result was typed; empty for a match of this box."""
        return tournament_page_of(self.match)


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """The running sum of gains and losses, match by match, as a line."""

    points: str
    """The points of an SVG polyline."""
    zero: str
    """The vertical position of zero."""
    end: tuple[str, str]
    """Horizontal and vertical position of the line's end."""
    sentence: str
    """The same in words."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """Everything that the page of a player shows."""

    person: Person
    matches: int
    deals: int
    won: int
    average: int | None
    """Average score of a counted hand, rounded; None where there is none."""
    gain: str
    typed_text: str
    """What of the gain was typed in tournaments, in words; empty for nothing."""
    best: NotableHand | None
    specials: tuple[NotableHand, ...]
    """The newest first."""
    limits: tuple[NotableHand, ...]
    progress: ProgressLine | None
    """None with fewer than two matches."""
    people_met: tuple[tuple[Person, str], ...]
    """Opponents, most frequent first, each with the number of shared matches."""
    match_list: tuple[PlayedMatch, ...]
    """The newest matches, newest first."""


def player_view(person: Person, register: Register, records: ClubStatistics) -> PlayerView:
    """Return what the page of a person shows."""
    parts = [part for match in records.matches for part in _played_matches(person, register, match)]
    own_statistics = [part.own_statistics for part in parts]
    scored_hands, points = (
        sum(m.scored for m in own_statistics),
        sum(m.points for m in own_statistics),
    )
    hands = [(part, each) for part in parts if (each := part.own_statistics.best)]
    best = max(hands, key=lambda pair: pair[1].score, default=None)
    return PlayerView(
        person=person,
        matches=len(parts),
        deals=sum(m.deals for m in own_statistics),
        won=sum(m.won for m in own_statistics),
        average=(2 * points + scored_hands) // (2 * scored_hands) if scored_hands else None,
        gain=sign_amount(sum(m.gain for m in own_statistics)),
        typed_text=_describe_typed(parts),
        best=_notable_hand(*best) if best else None,
        specials=tuple(
            _notable_hand(p, each)
            for p in reversed(parts)
            for each in p.own_statistics.specials[::-1]
        ),
        limits=tuple(
            _notable_hand(p, each)
            for p in reversed(parts)
            for each in p.own_statistics.limits[::-1]
        ),
        progress=progress_line([m.gain for m in own_statistics]),
        people_met=_opponents(parts),
        match_list=tuple(parts[: -MAX_MATCHES_LISTED - 1 : -1]),
    )


def _describe_typed(parts: Sequence[PlayedMatch]) -> str:
    gains = [part.own_statistics.gain for part in parts if isinstance(part.match, TypedResult)]
    return say_count("club.player.typed", len(gains), gain=sign_amount(sum(gains))) if gains else ""


def _played_matches(
    person: Person, register: Register, match: MatchStatistics
) -> Iterable[PlayedMatch]:
    people = register.at_table(match.names)
    for player in match.players:
        if people[player.name].id == person.id:
            other_people = tuple(each for name, each in people.items() if name != player.name)
            yield PlayedMatch(match, player, tuple(each for each in other_people if each.shown))


def _notable_hand(part: PlayedMatch, hand: ScoredHand) -> NotableHand:
    title = say(rule_text(hand.special)) if hand.special else ""
    return NotableHand(
        hand.score, title, hand.hand, day_of(part.match.begun) if part.match.begun else ""
    )


def _opponents(parts: Sequence[PlayedMatch]) -> tuple[tuple[Person, str], ...]:
    people = {each.id: each for part in parts for each in part.other_people}
    meeting_counts = Counter(each.id for part in parts for each in part.other_people)
    return tuple(
        (people[person], say_count("club.player.matches", times))
        for person, times in meeting_counts.most_common()
    )


def progress_line(gains: Sequence[int]) -> ProgressLine | None:
    """Return the running sum of the gains as a line from zero; None for fewer than two."""
    if len(gains) < 2:
        return None
    sums = [0]
    for gain in gains:
        sums.append(sums[-1] + gain)
    high, low = max(sums), min(sums)
    x_scale, y_scale = (
        (PROGRESS_WIDTH - 2 * _PROGRESS_MARGIN) / len(gains),
        (PROGRESS_HEIGHT - 2 * _PROGRESS_MARGIN) / (high - low or 1),
    )

    def format_y(value: int) -> str:
        return f"{_PROGRESS_MARGIN + (high - value) * y_scale:.1f}"

    places = [
        (f"{_PROGRESS_MARGIN + at * x_scale:.1f}", format_y(value)) for at, value in enumerate(sums)
    ]
    sentence = say_count(
        "club.player.line", len(gains), now=sign_amount(sums[-1]), high=sign_amount(high),
        low=sign_amount(low),
    )  # fmt: skip
    return ProgressLine(" ".join(map(",".join, places)), format_y(0), places[-1], sentence)
