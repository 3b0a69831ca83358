"""What the networks make of rendered hands: `python -m tests.prove.hands [--hands N] [--out DIR]`.

Every layout of `tests/goldens/hands.toml` is laid again with other tiles, in another room, seen
from elsewhere (`tests/goldens/vary.py`), rendered and read under each ruleset that it names. A
picture takes five to twenty seconds to render; those that are in DIR already are kept.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from scorer.notation import parse_hand
from tests.goldens.make import Entry, entries, photograph
from tests.goldens.vary import varied
from tests.vision.test_samples import laid
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import Reading


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=4)
    parser.add_argument("--out", type=Path, default=Path("build/hands"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    reader, everything = Reader.load(), Counter[str]()
    for entry in entries():
        said: Counter[str] = Counter()
        for seed in range(1, args.hands + 1):
            hand = varied(entry, seed)
            path = args.out / f"{entry['name']}-{seed}.jpg"
            if not path.exists():
                path.write_bytes(photograph(hand))
            said += verdicts(hand, path, reader)
        everything += said
        write(entry["name"], said)
    write("all of them", everything)


def verdicts(hand: Entry, path: Path, reader: Reader) -> Counter[str]:
    """Return how often a photograph was read rightly, wrongly and asked about, or just wrongly."""
    said: Counter[str] = Counter()
    for rules in ("bmja", "safalra"):
        if rules in hand:
            reading = reader.read(open_photo(path.read_bytes(), path.name), rules)
            own = {tile for each in reading.sets for tile in each.tiles}
            doubtful = sum(reading.tiles[tile].doubtful for tile in own)
            said["read"] += 1
            said["asked"] += doubtful
            if is_right(hand, rules, reading):
                said["right"] += 1
            else:
                said["wrong, asked" if doubtful or reading.problems else "wrong"] += 1
                sys.stderr.write(f"{path.name} {rules}: {reading.hand_text}, not {hand[rules]}\n")
    return said


def is_right(hand: Entry, rules: str, reading: Reading) -> bool:
    """Whether sets, concealed and bonus tiles and the winning tile all came out as laid."""
    won = reading.winning_tile
    named = None if won is None else reading.tiles[won].code
    return laid(parse_hand(reading.hand_text)) == laid(parse_hand(hand[rules])) and (
        named == hand.get("won")
    )


def write(name: str, said: Counter[str]) -> None:
    """Print one line of the table."""
    shares = (f"{said[key] / said['read']:>6.0%}" for key in ("right", "wrong, asked", "wrong"))
    asked = said["asked"] / said["read"]
    sys.stdout.write(f"| {name:<32} | {said['read']:>3} | {' | '.join(shares)} | {asked:.2f} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
