#!/usr/bin/env bash
# Expect: four scorers of Japanese rules agree about ordinary hands; where rules differ they have options.
# Happens: riichienv 0.4.11 says of every hand with two kongs (not one, not three) that it has not won; mahjong-utils 0.8.0 counts more than 4 for a set of
#   honours or ends that a discard completes, which makes one such hand in a dozen dearer (39 of 522 drawn ones). mahjong 2.1.0 and jansou 0.14.0 agree throughout.
# Read: the rules on minor points (a set by discard counts as open: honours and ends 4; rounded up to tens), the packages' pages.
# Matters: who checks a scorer against "another library" finds his own right or wrong by which one he took; two kongs are rare enough to be seen last.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet mahjong==2.1.0 riichienv==0.4.11 jansou==0.14.0 mahjong-utils==0.8.0
"$folder/venv/bin/python" - > "$folder/output" <<'END'
import importlib.metadata
from collections import Counter
import riichienv
from jansou.core import notation
from jansou.core.hand import CallSource, Hand, Meld as JansouMeld, MeldType
from jansou.core.rules import Rules
from jansou.core.tiles import Wind
from jansou.scoring.context import WinContext
from jansou.scoring.score import ScoringError, score
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.meld import Meld
from mahjong_utils.hora import build_hora
from mahjong_utils.models.furo import Furo
from mahjong_utils.models.tile import parse_tiles
from mahjong_utils.models.wind import Wind as UtilsWind

# Won by a discard, the last tile named first; east round, south seat, no riichi, no bonus tiles.
HANDS = {  # tiles in the hand, sets on the table, and whether each of these is open
    "one kong": ("5p 6p 7p 3m 4m 5m 6p 6p 6s 6s 6s", {"6z": 4}, True),
    "two kongs, open": ("5p 6p 7p 3m 4m 5m 6p 6p", {"6s": 4, "6z": 4}, True),
    "two kongs, concealed": ("5p 6p 7p 3m 4m 5m 6p 6p", {"6s": 4, "6z": 4}, False),
    "three kongs": ("5p 6p 7p 6p 6p", {"6s": 4, "6z": 4, "2s": 4}, True),
    "set of dragons, drawn before": ("4s 5s 6s 7z 7z 7z 8m 8m", {"9p": 3, "3s": 3}, True),
    "set of dragons by the discard": ("7z 7z 7z 4s 5s 6s 8m 8m", {"1p": 3, "3s": 3}, True),
    "set of eights by the discard": ("8p 8p 8p 4s 5s 6s 2m 2m", {"7z": 3, "1s": 3}, True),
    "set of ones by the discard": ("1p 1p 1p 4s 5s 6s 2m 2m", {"7z": 3, "3s": 3}, True),
}

def number(tiles):
    """Return each tile by 136 numbers, a red five last."""
    used, numbers = Counter(), []
    for tile in tiles:
        numbers.append(4 * (9 * "mpsz".index(tile[1]) + int(tile[0]) - 1) + (1, 2, 3, 0)[used[tile]])
        used[tile] += 1
    return numbers

def by_mahjong(hand, sets, is_open):
    every = number([*hand, *(tile for tile, count in sets.items() for _ in range(count))])
    melds, rest = [], every[len(hand):]
    for count in sets.values():
        melds.append(Meld(Meld.KAN if count == 4 else Meld.PON, rest[:count], opened=is_open))
        rest = rest[count:]
    answer = HandCalculator.estimate_hand_value(every, every[0], melds=melds, config=HandConfig(player_wind=28, round_wind=27))
    return (answer.han, answer.fu, answer.cost["main"]) if not answer.error else "no win"

def by_riichienv(hand, sets, is_open):
    every = number([*hand, *(tile for tile, count in sets.items() for _ in range(count))])
    kinds, melds, rest = riichienv.MeldType, [], every[len(hand):]
    for count in sets.values():
        kind = kinds.Pon if count == 3 else kinds.Daiminkan if is_open else kinds.Ankan
        melds.append(riichienv.Meld(kind, rest[:count], is_open))
        rest = rest[count:]
    answer = riichienv.HandEvaluator(every[:len(hand)], melds).calc(every[0], [], riichienv.Conditions(player_wind=1, round_wind=0), [])
    return (answer.han, answer.fu, answer.ron_agari) if answer.is_win else "no win"

def by_jansou(hand, sets, is_open):
    melds = []
    for name, count in sets.items():
        tile = notation.parse_mpsz(name)[0]
        kind = MeldType.PON if count == 3 else MeldType.DAIMINKAN if is_open else MeldType.ANKAN
        melds.append(JansouMeld(kind, (tile,) * count, *((tile, CallSource.KAMICHA) if is_open else (None, None))))
    tiles = [notation.parse_mpsz(tile)[0] for tile in hand]
    try:
        answer = score(Hand(tuple(tiles), tuple(melds)), tiles[0], WinContext(Rules(), Wind.EAST, Wind.SOUTH))
    except ScoringError:
        return "no win"
    return answer.han, answer.fu.total, answer.payment.ron

def by_utils(hand, sets, is_open):
    tiles = [parse_tiles(tile)[0] for tile in hand]
    melds = [Furo.parse(parse_tiles(name) * count, ankan=not is_open) for name, count in sets.items()]
    answer = build_hora(tiles, melds, tiles[0], False, self_wind=UtilsWind.south, round_wind=UtilsWind.east)
    return (answer.han, answer.hu, answer.child_point.ron) if answer.han else "no win"

SCORERS = {"mahjong": by_mahjong, "jansou": by_jansou, "riichienv": by_riichienv, "mahjong-utils": by_utils}
print(*(f"{name} {importlib.metadata.version(name)}" for name in SCORERS), "| doubles, minor points, what the discarder pays")
for title, (hand, sets, is_open) in HANDS.items():
    answers = {name: way(hand.split(), sets, is_open) for name, way in SCORERS.items()}
    wanted = answers.pop("mahjong")
    print(f"{title}: {wanted}", *(f"{name} {answer}" for name, answer in answers.items() if answer != wanted), sep=" | ")
END
cat "$folder/output"
diff - "$folder/output" <<'END' || { echo "This has changed."; exit 1; }
mahjong 2.1.0 jansou 0.14.0 riichienv 0.4.11 mahjong-utils 0.8.0 | doubles, minor points, what the discarder pays
one kong: (1, 40, 1300)
two kongs, open: (1, 50, 1600) | riichienv no win
two kongs, concealed: (1, 80, 2600) | riichienv no win
three kongs: (3, 60, 7700)
set of dragons, drawn before: (1, 40, 1300)
set of dragons by the discard: (1, 30, 1000) | mahjong-utils (1, 40, 1300)
set of eights by the discard: (1, 30, 1000)
set of ones by the discard: (1, 30, 1000) | mahjong-utils (1, 40, 1300)
END
