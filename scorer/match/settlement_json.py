"""The JSON of `tongbox settle`: read scores, write payments or problems.

Scores are given by seat wind, or by player's name in order of play with the name of East. The
answer uses the same names.

>>> settle_json({"scores": {"E": 40, "S": 128, "W": 0, "N": 0}, "winner": "S"})["net"]
{'E': -96, 'S': 512, 'W': -208, 'N': -208}
>>> settle_json({"scores": {"E": 40, "W": 26}, "wash_out": True})["net"]
{'E': 0, 'W': 0}
>>> settle_json({"scores": {"Ann": 40, "Bob": 26}, "winner": "Bob", "east": "Ann"})["net"]
{'Ann': -12, 'Bob': 12}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorer.errors import HandProblem, english_error, problem_to_json
from scorer.hand import Hand
from scorer.match.reachable_scores import describe_doubt
from scorer.match.settlement import Settlement, SettlementError, Terms, settle
from scorer.message import to_english
from scorer.parsing import is_safe_int
from scorer.rulesets.builtin import load_builtin
from scorer.tile_names import name_wind
from scorer.tiles import WINDS
from scorer.wording import join_words

SEATS_IN_PLAY = {2: "EW", 3: "ESW", 4: "ESWN"}
"""The seats of players named in order of play from East. When three play, it does not matter for
payments which wind has no player (BMJA-N01)."""

_WIND_BY_WORD = {word.casefold(): wind for wind, name in WINDS.items() for word in (wind, name)}


@dataclass(frozen=True, slots=True)
class SettlementRequest:
    """A deal to settle, with names as the caller gave them."""

    scores: tuple[tuple[str, int], ...]
    """Each player's name or wind (`E`, `East`) and score; names in order of play."""
    winner: str | None
    """Who went out; None when nobody did, a wash-out (BMJA-P18)."""
    east: str | None = None
    """The name of the player who is East; None when the scores stand by wind."""
    players: int | None = None
    """The number of players in the game; None when nobody sits out."""
    terms: Terms = field(default_factory=Terms)


@dataclass(frozen=True, slots=True)
class NamedSettlement:
    """A settlement, and the names of its seats."""

    settlement: Settlement
    names: Mapping[str, str]
    """Seat to name; to itself when the scores were given by wind."""
    problems: tuple[HandProblem, ...] = ()
    """Warnings about scores that can be settled but that no hand has (BMJA-B11, B14)."""

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values for `json.dumps`."""
        return {
            "payments": [
                {
                    "from": self.names[payment.payer],
                    "to": self.names[payment.payee],
                    "amount": payment.amount,
                    "why": to_english(payment.why),
                    "rules": list(payment.rules),
                }
                for payment in self.settlement.payments
            ],
            "net": {self.names[seat]: gain for seat, gain in self.settlement.net.items()},
            "problems": [problem_to_json(problem) for problem in self.problems],
        }


def answer_request(request: SettlementRequest) -> NamedSettlement:
    """Seat the players and settle; raise SettlementError with every problem."""
    if request.east is None:
        return _answer_by_wind(request)
    folded_names = _fold_names(name for name, _ in request.scores)
    problems = []
    if request.east.casefold() not in folded_names:
        problems.append(
            english_error("east", f"East must be one of the players, not {request.east!r}.")
        )
    winner = None if request.winner is None else request.winner.casefold()
    if winner is not None and winner not in folded_names:
        text = f"The winner must be one of the players, not {request.winner!r}."
        problems.append(english_error("winner", text))
    if len(folded_names) not in SEATS_IN_PLAY:
        text = f"Two to four settle, not {len(folded_names)}; of five players one sits out."
        problems.append(english_error("players", text))
    SettlementError.raise_for(problems)
    names = list(folded_names.values())
    first = list(folded_names).index(request.east.casefold())
    seat_of = dict(
        zip(names[first:] + names[:first], SEATS_IN_PLAY[len(folded_names)], strict=True)
    )
    name_of = {seat: name for name, seat in seat_of.items()}
    scores = {seat_of[name]: score for name, score in request.scores}
    return _settle(
        scores, None if winner is None else seat_of[folded_names[winner]], request, name_of
    )


def _answer_by_wind(request: SettlementRequest) -> NamedSettlement:
    words = [name for name, _ in request.scores]
    words += [] if request.winner is None else [request.winner]
    unknown_winds = {w.casefold(): repr(w) for w in words if w.casefold() not in _WIND_BY_WORD}
    if unknown_winds:
        are = "are no winds" if len(unknown_winds) > 1 else "is no wind"
        problem = english_error(
            "unknown-wind",
            f"{join_words(list(unknown_winds.values()))} {are}. "
            "Give East, South, West and North, or "
            "players by name in order of play and say who is East.",
        )
        raise SettlementError((problem,))
    winds = _fold_names(_WIND_BY_WORD[name.casefold()] for name, _ in request.scores)
    scores = dict(zip(winds.values(), (score for _, score in request.scores), strict=True))
    winner = None if request.winner is None else _WIND_BY_WORD[request.winner.casefold()]
    return _settle(scores, winner, request, {})


def _settle(
    scores: Mapping[str, int],
    winner: str | None,
    request: SettlementRequest,
    names: Mapping[str, str],
) -> NamedSettlement:
    """Settle scores by seat; `names` has the players where the caller named them."""
    settlement = settle(scores, winner, players=request.players, terms=request.terms, names=names)
    doubts = () if winner is None else _score_doubts(scores, winner, names)
    return NamedSettlement(settlement, {wind: wind for wind in WINDS} | {**names}, tuple(doubts))


def _score_doubts(
    scores: Mapping[str, int], winner: str, names: Mapping[str, str]
) -> Iterator[HandProblem]:
    """Yield what is wrong with scores, where the prevailing wind and the limit are unknown."""
    rules = load_builtin("bmja").with_limit(None)
    for wind, score in scores.items():
        seat = Hand(seat_wind=wind, winner=wind == winner, limit=None, players=_ANY_PLAYERS)
        seats = [replace(seat, prevailing_wind=prevailing) for prevailing in WINDS]
        doubt = describe_doubt(names.get(wind) or name_wind(wind), score, rules, seats)
        if doubt:
            yield doubt


_ANY_PLAYERS = 4
"""The number of players with the most ways to win: one chow, and no doubles needed."""


def _fold_names(names: Iterable[str]) -> dict[str, str]:
    """Return the names by their case-folded form; raise SettlementError for duplicates."""
    folded_names: dict[str, str] = {}
    problems = []
    for name in names:
        if name.casefold() in folded_names:
            problems.append(
                english_error("player-twice", f"{WINDS.get(name, name)} stands there twice.")
            )
        folded_names[name.casefold()] = name
    SettlementError.raise_for(problems)
    return folded_names


def settle_json(data: object) -> dict[str, Any]:
    """Answer a request in JSON; raise SettlementError with every problem."""
    return answer_request(request_from_json(data)).to_json()


def request_from_json(data: object) -> SettlementRequest:
    """Read a request; raise SettlementError that lists every field of a wrong type."""
    if not isinstance(data, Mapping):
        raise SettlementError((english_error("bad-json", "A deal to settle is a JSON object."),))
    SettlementError.raise_for(_find_type_errors(data))
    return SettlementRequest(
        scores=tuple(data["scores"].items()),
        winner=data.get("winner"),
        east=data.get("east"),
        players=data.get("players"),
        terms=Terms(double=data.get("double", "E"), in_full=data.get("in_full", False)),
    )


def _find_type_errors(data: Mapping[str, object]) -> Iterator[HandProblem]:
    scores, is_washout, winner = data.get("scores"), data.get("wash_out", False), data.get("winner")
    players = data.get("players")
    faults = {
        '"scores" must be an object: seats or names, each with a number.': (
            not isinstance(scores, Mapping) or not all(map(is_safe_int, scores.values()))
        ),
        '"wash_out" must be true or false.': not isinstance(is_washout, bool),
        'A "wash_out" has no "winner": leave one of them out.': (
            is_washout is True and winner is not None
        ),
        '"winner" must be a seat or a name.': (is_washout is False and not isinstance(winner, str)),
        '"east" must be a name, or null when the scores are by seat.': (
            not isinstance(data.get("east"), str | None)
        ),
        '"players" must be a number.': players is not None and not is_safe_int(players),
        '"double" must be E, S, W or N.': data.get("double", "E") not in tuple(WINDS),
        '"in_full" must be true or false.': not isinstance(data.get("in_full", False), bool),
    }
    return (english_error("bad-json", text) for text, is_fault in faults.items() if is_fault)
