"""Random rulesets: files that people may write, with figures, switches and rows at random."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from scorer.hand import Hand
from scorer.ruleset import TESTED_OPTIONS
from scorer.rulesets.files import load_builtin_text, load_sample_text
from tests.scorer.oracle.build import (
    UnluckyError,
    flavour,
    lay,
    retry,
    standard_groups,
    win,
)
from tests.scorer.oracle.deals_bmja import BMJA_KINDS, Deal
from tests.scorer.oracle.deals_goulash import GOULASH_KINDS
from tests.scorer.oracle.deals_own import deal_hands, deal_own

Row = dict[str, Any]

BASES = ("bmja", "bmja", "bmja", "classical", "western", "safalra")
TILE_WORDS = (
    "any", "major", "minor", "suit", "honour", "dragon", "own-wind", "prevailing-wind",
    "neither-dragon-nor-wind-of-use",
)  # fmt: skip
BONUS_WORDS = ("each", "own-flower", "own-season", "all-flowers", "all-seasons")
HAND_WORDS = (
    "no-chows", "no-chows-where-allowed", "one-suit-with-honours", "one-suit-only",
    "one-suit-with-chow", "all-major", "all-concealed", "purity-concealed", "fully-concealed",
    "three-concealed-pungs", "only-possible-tile", "pair-completed",
)  # fmt: skip
WAYS = (
    "wall", "last-tile", "loose", "kong-of-kong", "discard", "last-discard", "robbed-kong",
    "heaven", "earth", "original-call",
)  # fmt: skip
FIGURES = ("points", "exposed", "concealed")


def deal_rules(rng: Random) -> Row:
    """Return a ruleset's file as `tomllib` reads it."""
    base = rng.choice(BASES)
    samples = ("classical", "western")
    text = load_sample_text(base) if base in samples else load_builtin_text(base)
    file = tomllib.loads(text)
    file.pop("elsewhere", None)
    _set_head(file, rng)
    _set_specials(file, rng)
    ids = {row["id"] for row in file["special"]}
    rows = [row for row in file["rule"] if row.get("special", "") in {"", *ids}]
    rows = [row for row in rows if rng.random() > 0.08] or rows
    file["rule"] = [_vary(row, rng) for row in rows]
    _set_options(file, rng)
    file["rule"] += _own_rows(file, rng)
    if rng.random() < 0.3:
        rng.shuffle(file["rule"])
    return file


def _set_head(file: Row, rng: Random) -> None:
    file["players"] = [2, 3, 4, 5]
    file["chows"] = {str(number): rng.choice([0, 1, 1, 2, 4, 4]) for number in (2, 3, 4, 5)}
    file["goulash"] = rng.random() < 0.8
    if file["goulash"]:
        file["chows"]["goulash"] = 0
    file["bonus_tiles"] = rng.random() < 0.9
    file["one_suit"] = rng.random() < 0.12
    file["kong_box"] = {str(number): 14 for number in (2, 3, 4, 5)}
    file["limit"] = rng.choice([300, 500, 1000, 1000, 2000, 6000, rng.randint(1, 3000)])
    file.pop("ordinary_limit", None)
    if rng.random() < 0.2:
        del file["limit"]
    elif rng.random() < 0.4:
        file["ordinary_limit"] = rng.randint(1, file["limit"])
    file["two_players"] = {"doubles": rng.randint(0, 6), "points": rng.choice([50, 200, 500])}
    if rng.random() < 0.2:
        del file["two_players"]


def _set_options(file: Row, rng: Random) -> None:
    """Set switches at random, and take one out now and then that no row names."""
    variants = [each for row in file["special"] for each in row.get("variants", ())]
    option_names = {row.get("option") for row in [*file["rule"], *variants]}
    options = list[Row]()
    for option in file.get("option", ()):
        option.pop("examples", None)
        if rng.random() < 0.4:
            option["default"] = not option["default"]
        is_tested = option["name"] in TESTED_OPTIONS and rng.random() > 0.15
        if is_tested or option["name"] in option_names:
            options.append(option)
    file["option"] = options


def _set_specials(file: Row, rng: Random) -> None:
    """Keep some special hands, with random figures, and add some of the table's own."""
    all_rows = file.get("special", [])
    sample = rng.sample(all_rows, min(len(all_rows), rng.choice([0, 0, 2, 3, 5])))
    for row in sample:
        _vary_special(row, rng)
    new_rows = list[Row]()
    for number in range(rng.choice([0, 0, 0, 1, 2])):
        for part, hand in enumerate(deal_own(rng)):
            keys = {"pattern": hand.pattern, "concealed": hand.concealed, "claim": hand.claim}
            amounts = {"value": hand.value, "fishing": hand.fishing, "doubles": hand.doubles}
            figures = {key: amount for key, amount in amounts.items() if amount}
            row = {"id": f"OURS-{number}-{part}", "name": f"Our hand {number} {part}"}
            new_rows.append(row | keys | figures)
    file["special"] = [*sample, *new_rows]
    rng.shuffle(file["special"])


def _vary_special(row: Row, rng: Random) -> None:
    row.pop("examples", None)
    row.pop("misses", None)
    if "value" in row and rng.random() < 0.6:
        row["value"] = rng.choice([50, 150, 400, 777, 1000, 3000])
    if "fishing" in row and rng.random() < 0.6:
        row["fishing"] = rng.choice([0, 60, 300, 900])
    if "doubles" in row and rng.random() < 0.6:
        row["doubles"] = rng.randint(1, 6)
    if "pattern" in row and rng.random() < 0.2:
        row["concealed"] = not row.get("concealed", False)


def _vary(row: Row, rng: Random) -> Row:
    row = {key: value for key, value in row.items() if key not in ("examples", "misses")}
    for key in FIGURES:
        if key in row and rng.random() < 0.5:
            row[key] = rng.choice([0, 1, 2, 3, 5, 8, 10, 20, 64])
    if "doubles" in row and rng.random() < 0.4:
        row["doubles"] = rng.randint(0, 4)
    elif row["of"] != "apart" and rng.random() < 0.05:
        row["doubles"] = rng.randint(1, 3)
    return row


def _own_rows(file: Row, rng: Random) -> Iterator[Row]:
    """Yield rows that the file did not have."""
    doubling_ids = [row["id"] for row in file["special"] if "doubles" in row]
    subjects = [
        "set",
        "set",
        "bonus",
        "hand",
        "hand",
        "win",
        "apart",
        *["special"] * bool(doubling_ids),
    ]
    for number in range(rng.choice([0, 1, 3, 6])):
        subject = rng.choice(subjects)
        row: Row = {
            "id": f"OURS-{subject}-{number}",
            "of": subject,
            "label": "ours",
            "sentence": "Ours.",
        }
        row |= _subject(subject, doubling_ids, rng)
        if subject not in ("set", "apart") and rng.random() < 0.6:
            row["points"] = rng.randint(0, 20)
        if rng.random() < 0.5 or not {"points", "exposed"} & row.keys():
            row["doubles"] = rng.randint(0, 3)
        if file["option"] and rng.random() < 0.2:
            row["option"] = rng.choice(file["option"])["name"]
        yield row


def _subject(subject: str, doubling_ids: Sequence[str], rng: Random) -> Row:
    """Return what a row of this subject looks at, and for whom."""
    ways = {"ways": rng.sample(WAYS, rng.randint(1, 3))} if rng.random() < 0.8 else {}
    kinds = rng.sample(["chow", "pung", "kong", "pair"], rng.randint(1, 3))
    amounts = {"exposed": rng.randint(0, 12), "concealed": rng.randint(0, 24)}
    keys: dict[str, Row] = {
        "set": {"who": "everyone", "kinds": kinds, "when": rng.choice(TILE_WORDS)} | amounts,
        "bonus": {"who": "everyone", "when": rng.choice(BONUS_WORDS)},
        "hand": {"who": "winner", "when": rng.choice(HAND_WORDS)},
        "win": {"who": rng.choice(["winner", "winner", "everyone"])} | ways,
        "special": {"who": "winner", "special": rng.choice(doubling_ids or [""])} | ways,
        "apart": {"who": "winner", "below": rng.choice([200, 500, 1001])} | ways,
    }
    return keys[subject]


def write_file(file: Row) -> str:
    """Return the file as TOML."""
    lines = [f"{key} = {_write(value)}" for key, value in file.items() if not _is_block(value)]
    for name, value in file.items():
        rows = value if isinstance(value, list) else [value]
        for row in rows if _is_block(value) else ():
            lines.append(f"[[{name}]]" if isinstance(value, list) else f"[{name}]")
            lines += [f"{key} = {_write(each)}" for key, each in row.items()]
    return "\n".join(lines) + "\n"


def _is_block(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and all(isinstance(each, dict) for each in value)
    )


def _write(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_write(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_write, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def chowy_winner(rng: Random) -> Hand:
    """Return a winner with up to four chows."""
    chows = rng.randint(1, 4)
    groups = standard_groups(rng, flavour(rng), chows, rng.choice([0, 0.4]))
    return win(rng, lay(rng, groups, rng.choice([0, 0.3, 0.7])))


def chowy_loser(rng: Random) -> Hand:
    """Return a winner's hand that lacks a tile, or several, and was not won."""
    hand = chowy_winner(rng)
    concealed = hand.concealed[rng.randint(1, 3) :]
    if not concealed:
        raise UnluckyError
    return replace(hand, concealed=concealed, winner=False, won_by=(), winning_tile=None)


ORDINARY = ("winner", "winner-undeclared-kong", "winner-ambiguous", "event", "loser", "loser-heavy")
PLAIN_KINDS: dict[str, Deal] = {
    **{name: retry(BMJA_KINDS[name]) for name in ORDINARY},
    "chowy-winner": retry(chowy_winner),
    "chowy-loser": retry(chowy_loser),
}
NAMED_KINDS = {name: retry(deal) for name, deal in BMJA_KINDS.items() if ":" in name}
WILD_KINDS = {name: retry(deal) for name, deal in GOULASH_KINDS.items()}


def deal_for(file: Row, rng: Random, count: int) -> Iterator[Hand]:
    """Yield so many hands: ordinary ones, some of special hands, and goulashes.

    A goulash is dealt only where no pattern is played: `own_hands` knows of no wild tiles.
    """
    patterns = [row["pattern"] for row in file["special"] if "pattern" in row]
    for _ in range(count):
        chance = rng.random()
        kinds: Sequence[Callable[[Random], Hand]] = list(PLAIN_KINDS.values())
        if chance < 0.35 and patterns:
            hands = list(deal_hands(rng.choice(patterns), 1, rng))
            if hands:
                yield hands[0]
                continue
        elif chance < 0.45:
            kinds = list(NAMED_KINDS.values())
        elif chance < 0.75 and not patterns and file["goulash"]:
            kinds = list(WILD_KINDS.values())
        yield rng.choice(kinds)(rng)
