"""Measures the scorer: hands a second by kind, the slowest hand, and the ratio to a peer.

    .venv/bin/python -m tests.bench.scorer

Times are of the process, so that other programs count little. The peer is the `mahjong` package:
it scores Japanese hands. Both find the best arrangement of the same fourteen tiles and add it up.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.score import score, score_total
from tests.bench.peer import peer_scorer
from tests.scorer.oracle.deals import deals

KINDS = {
    "winners": "winner",
    "special hands": "special:",
    "losers": "loser",
    "fishing": "fishing:",
    "goulash": "goulash:",
    "Safalra": "safalra:",
}
"""What the table calls a kind of random hands, and how `deals` does."""

COUNT, SEED, ROUNDS = 1000, 20, 5


def main() -> int:
    """Print the table, the slowest of 10,000 hands and the ratio to the peer."""
    write(f"{'':16}{'total a second':>16}{'score a second':>16}{'slowest score':>16}")
    for name, kind in KINDS.items():
        hands = [hand for _, hand in deals(COUNT, SEED, kind) if is_scored(hand)]
        slowest, _ = max(times(score, hands), key=lambda pair: pair[0])
        write(
            f"{name:16}{a_second(score_total, hands):16,.0f}{a_second(score, hands):16,.0f}"
            f"{slowest * 1000:13.2f} ms"
        )
    hands = [*(hand for _, hand in deals(5000, SEED + 1, "")), *anything(5000)]
    seconds, hand = max(times(score_or_refuse, hands), key=lambda pair: pair[0])
    write(f"slowest of {len(hands):,} random hands: {seconds * 1000:.1f} ms\n  {format_hand(hand)}")
    compare_with_peer()
    return 0


def compare_with_peer() -> None:
    """Print how many times the peer's speed ours is, on the same fourteen tiles."""
    scores_as_peer = peer_scorer()
    if scores_as_peer is None:
        write("no peer: the mahjong package is not installed (make bench installs it)")
        return
    hands = list(concealed_winners(COUNT))
    ours, theirs = a_second(score_total, hands), a_second(scores_as_peer, hands)
    write(f"concealed winners a second: {ours:,.0f}, the peer {theirs:,.0f}: ×{ours / theirs:.1f}")


def concealed_winners(count: int) -> Iterator[Hand]:
    """Yield hands of fourteen concealed tiles: three pungs, a chow and a pair, drawn."""
    random = Random(SEED)
    for _ in range(count):
        pungs = random.sample([s + r for s in "BC" for r in "123456789"] + ["WS", "DR", "DG"], 3)
        low = random.randint(1, 7)
        pair = random.choice(["O9", "WE", "DW"])
        chow = [f"O{low + step}" for step in range(3)]
        tiles = [code for pung in pungs for code in (pung,) * 3] + chow + [pair, pair]
        yield Hand(concealed=tuple(tiles), winner=True, won_by=("wall",), winning_tile=pungs[0])


def anything(count: int) -> Iterator[Hand]:
    """Yield tiles dealt at random, few or many, in and out of goulashes, won or not."""
    random = Random(SEED + 2)
    pack = [s + r for s in "BCO" for r in "123456789"] * 4
    pack += ["WE", "WS", "WW", "WN", "DR", "DG", "DW"] * 4
    for _ in range(count):
        goulash = random.random() < 0.5
        tiles = random.sample(pack + ["JK"] * 4 * goulash, random.choice([13, 13, 13, 14, 20, 40]))
        winner = random.random() < 0.2
        yield Hand(
            concealed=tuple(tiles),
            goulash=goulash,
            winner=winner,
            won_by=("wall",) if winner else (),
            limit=None,
        )


def is_scored(hand: Hand) -> bool:
    """Return whether the hand has a score."""
    return score_or_refuse(hand)


def score_or_refuse(hand: Hand) -> bool:
    """Score a hand; return whether it was one."""
    try:
        score(hand)
    except ScorerError:
        return False
    return True


def a_second(function: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    """Return how many hands a second the function does, in the best of several rounds."""
    best = min(_seconds(function, hands) for _ in range(ROUNDS))
    return len(hands) / best


def _seconds(function: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    start = time.process_time()
    for hand in hands:
        function(hand)
    return time.process_time() - start


def times(
    function: Callable[[Hand], object], hands: Sequence[Hand]
) -> Iterator[tuple[float, Hand]]:
    """Yield how long each hand takes at best of three times, in seconds."""
    for hand in hands:
        yield min(_seconds(function, [hand]) for _ in range(3)), hand


def write(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
