"""Measures the scorer: hands a second by kind, the slowest hand, and the ratio to a peer.

    .venv/bin/python -m tests.bench.scorer

Times are of the process, so that other programs count little. The peer is the `mahjong` package:
it scores Japanese hands. Both find the best arrangement of the same fourteen tiles and add it up.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.score import score, score_total
from tests.reporting import say
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

HAND_COUNT, DEAL_SEED, ROUND_COUNT = 1000, 20, 5


def main() -> int:
    """Print the table, the slowest of 10,000 hands and the ratio to the peer."""
    say(f"{'':16}{'total a second':>16}{'score a second':>16}{'slowest score':>16}")
    for name, kind in KINDS.items():
        hands = [hand for _, hand in deals(HAND_COUNT, DEAL_SEED, kind) if is_scored(hand)]
        slowest, _ = max(time_each(score, hands), key=lambda pair: pair[0])
        say(
            f"{name:16}{hands_per_second(score_total, hands):16,.0f}"
            f"{hands_per_second(score, hands):16,.0f}"
            f"{slowest * 1000:13.2f} ms"
        )
    hands = [*(hand for _, hand in deals(5000, DEAL_SEED + 1, "")), *deal_anything(5000)]
    seconds, hand = max(time_each(score_or_refuse, hands), key=lambda pair: pair[0])
    say(f"slowest of {len(hands):,} random hands: {seconds * 1000:.1f} ms\n  {format_hand(hand)}")
    compare_with_peer()
    return 0


def compare_with_peer() -> None:
    """Print how many times the peer's speed ours is, on the same fourteen tiles."""
    scores_as_peer = load_peer_scorer()
    if scores_as_peer is None:
        say("no peer: the mahjong package is not installed (make bench installs it)")
        return
    hands = list(deal_concealed_winners(HAND_COUNT))
    our_speed, peer_speed = (
        hands_per_second(score_total, hands),
        hands_per_second(scores_as_peer, hands),
    )
    say(
        f"concealed winners a second: {our_speed:,.0f}, the peer {peer_speed:,.0f}: "
        f"×{our_speed / peer_speed:.1f}"
    )


def deal_concealed_winners(count: int) -> Iterator[Hand]:
    """Yield hands of fourteen concealed tiles: three pungs, a chow and a pair, drawn."""
    random = Random(DEAL_SEED)
    for _ in range(count):
        pungs = random.sample([s + r for s in "BC" for r in "123456789"] + ["WS", "DR", "DG"], 3)
        low = random.randint(1, 7)
        pair = random.choice(["O9", "WE", "DW"])
        chow = [f"O{low + step}" for step in range(3)]
        tiles = [code for pung in pungs for code in (pung,) * 3] + chow + [pair, pair]
        yield Hand(concealed=tuple(tiles), winner=True, won_by=("wall",), winning_tile=pungs[0])


def deal_anything(count: int) -> Iterator[Hand]:
    """Yield tiles dealt at random, few or many, in and out of goulashes, won or not."""
    random = Random(DEAL_SEED + 2)
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


def hands_per_second(function: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    """Return how many hands a second the function does, in the best of several rounds."""
    best = min(_seconds(function, hands) for _ in range(ROUND_COUNT))
    return len(hands) / best


def _seconds(function: Callable[[Hand], object], hands: Sequence[Hand]) -> float:
    start = time.process_time()
    for hand in hands:
        function(hand)
    return time.process_time() - start


def time_each(
    function: Callable[[Hand], object], hands: Sequence[Hand]
) -> Iterator[tuple[float, Hand]]:
    """Yield how long each hand takes at best of three times, in seconds."""
    for hand in hands:
        yield min(_seconds(function, [hand]) for _ in range(3)), hand


FIRST_FACE_BY_SUIT = {"C": 0, "O": 9, "B": 18}
"""Where the package's 34 faces begin for each suit: its man, pin and sou."""

FACE_BY_HONOUR = {"WE": 27, "WS": 28, "WW": 29, "WN": 30, "DW": 31, "DG": 32, "DR": 33}


def load_peer_scorer() -> Callable[[Hand], object] | None:
    """Return what scores a concealed hand by the package; None when it is not installed."""
    if importlib.util.find_spec("mahjong") is None:
        return None
    calculator = importlib.import_module("mahjong.hand_calculating.hand").HandCalculator
    config = importlib.import_module("mahjong.hand_calculating.hand_config").HandConfig

    def score_concealed(hand: Hand) -> object:
        tiles = to_peer_tiles(hand)
        return calculator().estimate_hand_value(tiles, tiles[0], config=config(is_tsumo=True))

    return score_concealed


def to_peer_tiles(hand: Hand) -> list[int]:
    """Return the tiles by the package's numbers: four for each face."""
    counts: dict[int, int] = {}
    tiles = []
    for code in hand.concealed:
        face = (
            FACE_BY_HONOUR[code]
            if code in FACE_BY_HONOUR
            else FIRST_FACE_BY_SUIT[code[0]] + int(code[1]) - 1
        )
        tiles.append(face * 4 + counts.get(face, 0))
        counts[face] = counts.get(face, 0) + 1
    return tiles


if __name__ == "__main__":
    raise SystemExit(main())
