"""Random hands for the pictures, winners' and others', laid by the rules, each with its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.train.cycles.spots import Mark, Part, Rng
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.tiles import CODES, SUITS

PLAYING_CODES = tuple(code for code in CODES if code[0] not in "FS")
_STARTS = tuple(f"{suit}{rank}" for suit in SUITS for rank in range(1, 8))

COPIES_PER_TILE = 4
"""Copies of each playing tile (BMJA-T01)."""

Group = tuple[Part, int, tuple[Mark, ...]]


@dataclass(frozen=True, slots=True)
class Mix:
    """Which sets are drawn: shares of chows and kongs, the rest are pungs."""

    chows: float = 0.42
    kongs: float = 0.06
    exposed: float = 0.45
    """Share of the sets that are exposed."""
    marked: float = 0.25
    """Share of the concealed pungs with their middle tile down (BMJA-V05)."""
    winners: float = 0.75
    claimed: float = 0.5
    """Share of the winning tiles that another player threw."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """A hand as it is to be laid, and what the photograph of it says."""

    top: tuple[Group, ...]
    """Exposed sets."""
    low: tuple[Group, ...]
    """Concealed ones, or the loose tiles of who did not win."""
    bonus: tuple[Mark, ...]
    text: str


def deal(rng: Rng, mix: Mix, bonus: Sequence[str], others: Iterable[str] = ()) -> Dealt:
    """Return a hand out of what `others` leave of a set, `bonus` being those that it has."""
    taken = Counter(others)
    some = rng.choice((0, 1, 2, 3), p=(0.3, 0.3, 0.25, 0.15))
    extra = [str(code) for code in rng.permutation(bonus)[:some]]
    while True:
        winner = rng.random() < mix.winners
        sets = [_random_set(rng, mix) for _ in range(4 if winner else int(rng.integers(1, 4)))]
        rest = (
            [str(rng.choice(PLAYING_CODES))] * 2
            if winner
            else _random_loose(rng, 13 - 3 * len(sets))
        )
        held = Counter(code for codes in (*sets, rest) for code in codes)
        if max((held + taken).values()) <= COPIES_PER_TILE:
            return (
                _lay_winner(rng, mix, sets, rest, extra)
                if winner
                else _lay_other(rng, mix, sets, rest, extra)
            )


def _random_set(rng: Rng, mix: Mix) -> list[str]:
    kind = rng.random()
    if kind < mix.chows:
        start = str(rng.choice(_STARTS))
        return [start[0] + str(int(start[1]) + k) for k in range(3)]
    return [str(rng.choice(PLAYING_CODES))] * (4 if kind < mix.chows + mix.kongs else 3)


def _random_loose(rng: Rng, count: int) -> list[str]:
    codes = [str(code) for code in rng.choice(PLAYING_CODES, count)]
    return sorted(codes, key=CODES.index)


def _lay_winner(
    rng: Rng, mix: Mix, sets: list[list[str]], pair: list[str], bonus: list[str]
) -> Dealt:
    """Lay four sets and a pair, the tile that completed one of them sideways."""
    up = [bool(rng.random() < mix.exposed) for _ in sets]
    may_win = [k for k, codes in enumerate(sets) if len(codes) == 3] + [4]
    won = int(rng.choice(may_win))
    claimed = bool(rng.random() < mix.claimed)
    if won < 4:
        up[won] = claimed
    place = int(rng.integers(3 if won < 4 else 2))
    shown = [_mark_tiles(rng, mix, codes, up[k], place if k == won else None)
             for k, codes in enumerate(sets)]  # fmt: skip
    shown.append(tuple(Mark(code, won=won == 4 and k == place) for k, code in enumerate(pair)))
    up.append(won == 4 and claimed)
    tile = [*sets, pair][won][place]
    return _lay_sets([*sets, pair], shown, up, bonus, (tile, "discard" if claimed else "wall"))


def _lay_other(
    rng: Rng, mix: Mix, sets: list[list[str]], loose: list[str], bonus: list[str]
) -> Dealt:
    """Lay exposed sets and thirteen tiles' rest."""
    shown = [_mark_tiles(rng, mix, codes, True, None) for codes in sets]
    shown.append(tuple(Mark(code) for code in loose))
    return _lay_sets([*sets, loose], shown, [True] * len(sets) + [False], bonus, None)


def _mark_tiles(
    rng: Rng, mix: Mix, codes: list[str], exposed: bool, won: int | None
) -> tuple[Mark, ...]:
    """Say which of a set's tiles lie face down (BMJA-V03 to V05) and which lies sideways."""
    down: tuple[int, ...] = ()
    if len(codes) == 4:
        down = ((0,), (3,))[rng.integers(2)] if exposed else (0, 3)
    elif len(set(codes)) == 1 and not exposed and won is None and rng.random() < mix.marked:
        down = (1,)
    return tuple(Mark(code, k in down, k == won) for k, code in enumerate(codes))


def _lay_sets(
    sets: list[list[str]],
    shown: list[tuple[Mark, ...]],
    up: list[bool],
    bonus: list[str],
    won: tuple[str, str] | None,
) -> Dealt:
    groups: list[Group] = [
        ("exposed" if is_up else "concealed", k, marks)
        for k, (marks, is_up) in enumerate(zip(shown, up, strict=True))
    ]
    is_kong = [len(codes) == 4 and len(set(codes)) == 1 for codes in sets]
    kinds = list(zip(sets, up, is_kong, strict=True))
    hand = Hand(
        exposed=tuple(tuple(codes) for codes, is_up, _ in kinds if is_up),
        declared_kongs=tuple(tuple(codes) for codes, is_up, kong in kinds if kong and not is_up),
        concealed=tuple(c for codes, is_up, kong in kinds if not is_up and not kong for c in codes),
        bonus=tuple(bonus),
        winner=won is not None,
        won_by=(won[1],) if won else (),
        winning_tile=won[0] if won else None,
    )
    return Dealt(
        top=tuple(g for g in groups if g[0] == "exposed"),
        low=tuple(g for g in groups if g[0] == "concealed"),
        bonus=tuple(Mark(code) for code in bonus),
        text=format_hand(hand),
    )
