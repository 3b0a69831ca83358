"""A player as the page shows one: what the matches that are over gave, and how it went on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from device.club.came_of import HandScored, MatchCame, PlayerCame
from device.club.people import Person, Register
from device.club.records import ClubRecords
from device.i18n.names import Name
from device.i18n.words import day_of, say_count, translated
from device.views.club.figures import gain_said, when_said
from scorer.rulesets.shipped import shipped

WIDTH, HEIGHT = 320, 96
"""Of the figure, in its own units."""

_EDGE = 6
"""What stays free around its line."""

MOST_MATCHES = 20
"""That are listed; the figures are of all."""


@dataclass(frozen=True, slots=True)
class HandMade:
    """A hand that is worth telling of."""

    score: int
    said: str
    """The special hand that it is, in words; empty for an ordinary one."""
    hand: str
    """Id of the hand, whose page shows it; empty for a score that was typed."""
    day: str


@dataclass(frozen=True, slots=True)
class MatchOfPlayer:
    """One match of the player."""

    id: str
    day: str
    gain: str
    others: str
    """With whom."""


@dataclass(frozen=True, slots=True)
class ProgressLine:
    """What was won and lost, added up match by match, as a line."""

    points: str
    """Of an SVG polyline."""
    zero: str
    """How far down nothing won and nothing lost is."""
    end: tuple[str, str]
    """Where the line ends: across, and down."""
    said: str
    """The same in words."""


@dataclass(frozen=True, slots=True)
class PlayerView:
    """Everything that is told of a player."""

    person: Person
    matches: int
    deals: int
    won: int
    scored: int
    average: int | None
    """Of a hand whose score counts, to the nearest whole point; None where there is none."""
    gain: str
    best: HandMade | None
    specials: tuple[HandMade, ...]
    """The newest first."""
    limits: tuple[HandMade, ...]
    progress: ProgressLine | None
    """None before there are two matches."""
    met: tuple[tuple[Person, str], ...]
    """With whom, most often first, and in how many matches."""
    listed: tuple[MatchOfPlayer, ...]
    """The newest matches, the newest first."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A match from the player's side."""

    match: MatchCame
    mine: PlayerCame
    others: tuple[Person, ...]


def player_view(person: Person, register: Register, records: ClubRecords) -> PlayerView:
    """Return what is told of a person."""
    parts = [part for match in records.matches for part in _parts(person, register, match)]
    mine = [part.mine for part in parts]
    scored, points = sum(m.scored for m in mine), sum(m.points for m in mine)
    hands = [(part, each) for part in parts if (each := part.mine.best)]
    best = max(hands, key=lambda pair: pair[1].score, default=None)
    return PlayerView(
        person=person,
        matches=len(parts),
        deals=sum(m.deals for m in mine),
        won=sum(m.won for m in mine),
        scored=scored,
        average=(2 * points + scored) // (2 * scored) if scored else None,
        gain=gain_said(sum(m.gain for m in mine)),
        best=_made(*best) if best else None,
        specials=tuple(_made(p, each) for p in reversed(parts) for each in p.mine.specials[::-1]),
        limits=tuple(_made(p, each) for p in reversed(parts) for each in p.mine.limits[::-1]),
        progress=progress_line([m.gain for m in mine]),
        met=_met(parts),
        listed=tuple(_listed(part) for part in parts[: -MOST_MATCHES - 1 : -1]),
    )


def _parts(person: Person, register: Register, match: MatchCame) -> Iterable[_Part]:
    who = register.at_table(match.names)
    for came in match.players:
        if who[came.name].id == person.id:
            others = tuple(each for name, each in who.items() if name != came.name)
            yield _Part(match, came, tuple(each for each in others if each.shown))


def _made(part: _Part, hand: HandScored) -> HandMade:
    special = shipped(part.match.ruleset).special_named.get(hand.special)
    said = str(translated(special.name)) if special else ""
    return HandMade(hand.score, said, hand.hand, _day(part.match.begun))


def _met(parts: Sequence[_Part]) -> tuple[tuple[Person, str], ...]:
    people = {each.id: each for part in parts for each in part.others}
    often = Counter(each.id for part in parts for each in part.others)
    return tuple(
        (people[person], say_count("club.player.matches", times))
        for person, times in often.most_common()
    )


def _listed(part: _Part) -> MatchOfPlayer:
    others = Name(", ".join(each.name for each in part.others))
    return MatchOfPlayer(
        part.match.id, when_said(part.match.begun), gain_said(part.mine.gain), others
    )


def _day(begun: datetime | None) -> str:
    return day_of(begun) if begun else ""


def progress_line(gains: Sequence[int]) -> ProgressLine | None:
    """Return what was won and lost in matches, added up, as a line from nothing on."""
    if len(gains) < 2:
        return None
    sums = [0]
    for gain in gains:
        sums.append(sums[-1] + gain)
    high, low = max(sums), min(sums)
    across, up = (WIDTH - 2 * _EDGE) / len(gains), (HEIGHT - 2 * _EDGE) / (high - low or 1)

    def down(value: int) -> str:
        return f"{_EDGE + (high - value) * up:.1f}"

    places = [(f"{_EDGE + at * across:.1f}", down(value)) for at, value in enumerate(sums)]
    said = say_count(
        "club.player.line", len(gains), now=gain_said(sums[-1]), high=gain_said(high),
        low=gain_said(low),
    )  # fmt: skip
    return ProgressLine(" ".join(map(",".join, places)), down(0), places[-1], said)
