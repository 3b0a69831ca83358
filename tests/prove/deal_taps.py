"""Count the taps of deals of four real photographs on one phone: `python -m tests.prove.deal_taps`.

The photographs are held out (`real_hands.tsv`): one hand that goes out and three of 13 tiles, of
which no tile is there more than four times. The real networks read them on a phone's page in
Chromium, and a player who knows the hands answers and mends (`tests.prove.hand_time`). Each
photograph is one tap; with the camera's own release it is two.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

from models.train.shared_data import data_folder
from scorer.hand import HAND_SIZE
from scorer.tiles import BY_CODE
from tests.e2e.conftest import LiveServer, serving
from tests.e2e.engines import HEIGHT, WIDTH, Browser, browser
from tests.e2e.player import Player
from tests.e2e.tour import NAMES
from tests.prove.hand_time import CompleteHand, Person, accept, choose_hands, go_out
from tests.prove.real_hands import RealHand, load_hands
from vision.reader import Reader

MAX_COPIES = 4

Deal = tuple[RealHand, ...]
"""The winner's hand, then the others in order of play."""

write = sys.stdout.write


def choose_deals(count: int, seed: int) -> list[Deal]:
    """Return deals of hands that may lie on one table."""
    losers = [hand for hand in load_hands() if _count_base_tiles(hand) == HAND_SIZE - 1]
    winners = [each.hand for each in choose_hands()]
    deals = [(winner, *rest) for winner in winners for rest in combinations(losers, 3)]
    possible_deals = list(filter(_fits_one_set, deals))
    return Random(seed).sample(possible_deals, min(count, len(possible_deals)))


def _count_base_tiles(hand: RealHand) -> int:
    return sum(not BY_CODE[code].is_bonus for code in hand.tiles.elements())


def _fits_one_set(deal: Deal) -> bool:
    copies = sum((hand.tiles for hand in deal), Counter[str]())
    return all(n <= (1 if BY_CODE[code].is_bonus else MAX_COPIES) for code, n in copies.items())


def count_taps(phone: Browser, live: LiveServer, deal: Deal, folder: Path) -> list[int]:
    """Play a deal; return the taps before the first photograph, of each hand, and to score it."""
    person = Person(Player(phone), patience=1)
    go_out(person, live)
    marks = [person.taps]
    for name, hand in zip(NAMES, deal, strict=True):
        person.player.reads("h1", f"{name}'s hand")
        person.taps += 1
        person.player.choose_photo(folder / hand.file)
        person.player.see("#bar :is(.primary, .answers)")
        accept(person, live, live.hands.recent(1)[0].id, CompleteHand(hand, ()))
        marks.append(person.taps)
    person.tap("#bar .primary", "expected", lambda: "Deal 2" in person.player.text(".middle"))
    marks.append(person.taps)
    return [after - before for before, after in zip([0, *marks], marks, strict=False)]


def main() -> None:
    """Play the deals and print their taps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    folder = (data_folder() / "data/tiles/images").resolve()
    if not folder.is_dir():
        sys.exit(f"There are no photographs in {folder}. Set TONGBOX_DATA to where they are.")
    totals, reader = Counter[int](), Reader.load()
    with browser(WIDTH, HEIGHT) as phone:
        for deal in choose_deals(args.deals, args.seed):
            with tempfile.TemporaryDirectory() as box, serving(Path(box)) as serve:
                taps = count_taps(phone, serve(reader), deal, folder)
            totals[sum(taps)] += 1
            write(f"{sum(taps)} {taps} {' '.join(hand.file for hand in deal)}\n")
            sys.stdout.flush()
    write(f"taps, deals: {dict(sorted(totals.items()))}\n")


if __name__ == "__main__":
    main()
