"""Entering a hand by hand: which sets there are, which tiles are left, and what may come next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from device.hands.hand import HandRecord
from device.hands.layout import counted, kind_of
from device.hands.scoring import hand_from
from scorer.breakdown import SetKind
from scorer.errors import HandError, error
from scorer.hand import HAND_SIZE
from scorer.laying import LONGEST_SET, set_kind
from scorer.message import message
from scorer.naming import tile
from scorer.score import score
from scorer.sets import WILD_IN
from scorer.tiles import BY_CODE, CODES, JOKER, TILES, copies
from vision.hand.assemble import AssembledHand, AssembledSet
from vision.reading import RowName

KINDS: tuple[SetKind, ...] = ("pung", "chow", "kong", "pair", "loose")
"""What a tap on a tile may stand for; `loose` is the tile alone."""

WILD = ("", "JK 1", "JK 2", "B2 1", "B2 2")
"""The wild tiles that a set of a goulash may hold (BMJA-G01, BMJA-G05): which, and how many."""

MOST_GUESSES = 3
"""As many sets as stand in one row on a phone."""

LOSING_SIZE = HAND_SIZE - 1

_ALIKE: dict[SetKind, int] = {"loose": 1, "pair": 2, "pung": 3, "kong": 4}

_NEIGHBOURS = (3, 1, -1, -3, 2, -2)
"""Where in its suit a set like the last one is looked for: the next chow first."""


@dataclass(frozen=True, slots=True)
class SetGuess:
    """What may well come next."""

    kind: SetKind
    code: str
    codes: tuple[str, ...]
    to_set: int | None = None
    """The set that the tile goes to; None for a set of its own."""


def codes_of(kind: str, code: str, wild: str = "") -> tuple[str, ...]:
    """Return the tiles of a set from its kind and its tile, a chow's first.

    `wild` is one of `WILD`. Raises HandError for a set that there is not.

    >>> codes_of("chow", "B3"), codes_of("pung", "WE", "JK 1")
    (('B3', 'B4', 'B5'), ('WE', 'WE', 'JK'))
    """
    if code not in (*CODES, JOKER) or kind not in KINDS or wild not in WILD:
        raise ValueError(f"{kind} of {code} with {wild!r}")
    if kind == "chow":
        return _chow(code)
    size = _ALIKE[kind]
    face, number = wild.split() if wild and kind in WILD_IN else ("", "0")
    wilds = min(int(number), WILD_IN.get(kind, 0))
    if code == JOKER and size > 1:
        raise HandError((error("no-set", message("entering.joker-alone")),))
    if code in BY_CODE and size > copies(BY_CODE[code]):
        what = message("entering.only-one", tile=tile(code))
        raise HandError((error("no-set", what),))
    return (code,) * (size - wilds) + (face,) * wilds


def _chow(code: str) -> tuple[str, ...]:
    letter, rank = code[0], code[1]
    found = tuple(f"{letter}{int(rank) + step}" for step in range(3)) if rank.isdigit() else ()
    if not found or set_kind(found if set(found) <= set(CODES) else ()) != "chow":
        raise HandError((error("no-chow", message("entering.no-chow", tile=tile(code))),))
    return found


def held(record: HandRecord) -> Counter[str]:
    """Return how many of each tile a hand holds."""
    return Counter(code for each in record.assembled().sets for code in each.codes)


def check_copies(record: HandRecord, codes: Sequence[str]) -> None:
    """Raise HandError when the hand would hold more of a tile than there are (BMJA-T04)."""
    before = held(record)
    for code, more in Counter(codes).items():
        most = copies(BY_CODE[code]) if code in BY_CODE else 4
        if before[code] + more > most:
            which = "so-many" if most > 1 else "one-held"
            key = f"entering.only-{which}" if before[code] else f"entering.only-{which}-none"
            what = message(key, most=most, tile=tile(code), count=before[code])
            raise HandError((error("five-of-a-kind", what),))


def cannot(kind: SetKind, code: str, before: Mapping[str, int], *, goulash: bool) -> bool:
    """Whether no such set can be added to a hand that holds these tiles."""
    wild = f"JK {WILD_IN[kind]}" if goulash and kind in WILD_IN else ""
    try:
        own = Counter(
            each for each in codes_of(kind, code, wild) if each != JOKER or kind == "loose"
        )
    except HandError:
        return True
    return any(
        before.get(each, 0) + more > (copies(BY_CODE[each]) if each in BY_CODE else 4)
        for each, more in own.items()
    )


def wanted(record: HandRecord) -> int:
    """Return how many tiles make the hand whole, a kong counted for three."""
    return HAND_SIZE if record.situation.winner else LOSING_SIZE


def target(record: HandRecord, row: RowName, code: str) -> int | None:
    """Return the set that a tile alone goes to: the row's last, until that is a set by itself."""
    own = [each for each in record.assembled().sets if each.row == row]
    if row == "bonus" or not own:
        return None
    last = own[-1]
    room = LONGEST_SET if row == "exposed" else HAND_SIZE
    is_loose = kind_of(last, goulash=record.agreement.goulash) == "loose"
    grows = is_loose and len(last.tiles) < room
    return last.source if grows or (last.kind == "pair" and _makes_set(last, code)) else None


def guesses(record: HandRecord) -> tuple[SetGuess, ...]:
    """Return what may well come next, the best first."""
    hand, before = record.assembled(), held(record)
    goulash = record.agreement.goulash
    found = {
        (guess.codes, guess.to_set): guess
        for guess in (*_completing(record, hand), *_likely(record, hand))
        if not cannot(guess.kind, guess.code, before, goulash=goulash)
    }
    open_question = "winner" not in record.situation.answered
    room = (HAND_SIZE if open_question else wanted(record)) - counted(hand, goulash=goulash)
    fitting = [guess for guess in found.values() if len(guess.codes) <= room]
    return tuple(fitting[:MOST_GUESSES])


def _completing(record: HandRecord, hand: AssembledHand) -> Iterator[SetGuess]:
    """Yield the tiles that would end the hand, then those that make a set of loose ones."""
    for code in _waits(record, hand):
        fits = (each for each in hand.sets if each.row != "bonus" and _makes_set(each, code))
        to_set = next((each.source for each in fits), None)
        yield SetGuess("loose", code, (code,), to_set)
    for each in hand.sets:
        if each.row != "bonus" and each.kind == "loose" and len(each.codes) <= 2:
            for tile in TILES:
                if len(each.codes) == 2 and _makes_set(each, tile.code):
                    yield SetGuess("loose", tile.code, (tile.code,), each.source)
            if len(each.codes) == 1 and each.codes[0] in CODES:  # more like it, if it lies open
                yield SetGuess("loose", each.codes[0], each.codes, each.source)


def _makes_set(laid: AssembledSet, code: str) -> bool:
    return set_kind((*laid.codes, code)) != "loose"


def _waits(record: HandRecord, hand: AssembledHand) -> Iterator[str]:
    """Yield the tiles that end a winner's hand of which but one is missing."""
    if (
        not record.situation.winner
        or counted(hand, goulash=record.agreement.goulash) != LOSING_SIZE
    ):
        return
    unwon = replace(record, situation=replace(record.situation, winner=False))
    try:
        yield from (wait.tile for wait in score(hand_from(unwon)).waits)
    except HandError:
        return


def _likely(record: HandRecord, hand: AssembledHand) -> tuple[SetGuess, ...]:
    """Return sets that go with what lies there: chows come together, and pungs with honours."""
    near, honours = tuple(_like_last(hand)), tuple(_honours(record, hand))
    return near + honours if near and near[0].kind == "chow" else honours + near


def _like_last(hand: AssembledHand) -> Iterator[SetGuess]:
    """Yield sets like the one that was entered last, near it in its suit."""
    sets = [each for each in hand.sets if each.kind in ("chow", "pung")]
    if not sets:
        return
    last = max(sets, key=lambda each: each.tiles)
    letter, rank = min(last.codes)[:1], min(last.codes)[1:]
    if rank.isdigit():
        for step in _NEIGHBOURS:
            code = f"{letter}{int(rank) + step}"
            if code in CODES and (last.kind != "chow" or int(rank) + step <= 7):
                yield SetGuess(last.kind, code, codes_of(last.kind, code))


def _honours(record: HandRecord, hand: AssembledHand) -> Iterator[SetGuess]:
    """Yield pungs of what doubles a hand, then pairs of it once there are four sets."""
    sets = sum(each.kind in ("chow", "pung", "kong") for each in hand.sets)
    kind: SetKind = "pair" if sets >= 4 else "pung"
    winds = (record.situation.seat_wind, record.situation.prevailing_wind)
    for code in (*(f"W{wind}" for wind in winds), "DR", "DG", "DW"):
        yield SetGuess(kind, code, codes_of(kind, code))
