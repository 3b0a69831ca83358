"""Practice deals by the box's players: how often a seat goes out, with what score, and how fast.

Run as `python -m tests.bench.play [DEALS] [FIRST:OTHERS ...]`. Each table plays the same walls.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from subprocess import PIPE, Popen
from time import process_time

from scorer.match.settlement import settle
from scorer.play.box_players import choose_move
from scorer.play.coach import advise
from scorer.play.deal import PracticeDeal
from scorer.play.moves import Move
from scorer.play.setup import DealSetup
from scorer.play.view import View, make_view
from scorer.rulesets.builtin import load_builtin
from tests.bench import kajongg

RULES = load_builtin("bmja")
SEATS = "ESWN"

Player = Callable[[View], Move]


def follow_coach(view: View) -> Move:
    """Do the first thing that the coach names."""
    return advise(view)[0].move


class KajonggPlayer:
    """Kajongg's robot: its classes choose discards and claims; the rest follows its source.

    It takes every Mah-Jong and kong, and a chow that breaks neither a pair nor a chow of its own.
    """

    def __init__(self) -> None:
        self._program = Popen(kajongg.COMMAND, stdin=PIPE, stdout=PIPE, text=True, bufsize=1)

    def __call__(self, view: View) -> Move:
        """Return what the robot does."""
        kinds = {move.kind: move for move in view.moves}
        for kind in ("mah-jong", "kong", "concealed-kong", "added-kong"):
            if kind in kinds:
                return kinds[kind]
        if "pass" not in kinds:
            answer = self._ask(view, "")
            return next(move for move in view.moves if kajongg.tile_text(move.tiles[0]) == answer)
        if not {"pung", "chow"} & kinds.keys():
            return kinds["pass"]
        answer = self._ask(view, kajongg.tile_text(view.tile or ""))
        if answer == "p" and "pung" in kinds:
            return kinds["pung"]
        chows = (move for move in view.moves if move.kind == "chow" and answer != "-")
        return next((move for move in chows if self._breaks_nothing(view, move)), kinds["pass"])

    @staticmethod
    def _breaks_nothing(view: View, move: Move) -> bool:
        run = (*move.tiles, view.tile or "")
        has_pair = any(view.concealed.count(code) == 2 for code in run)
        return not has_pair and not all(code in view.concealed for code in run)

    def _ask(self, view: View, discard: str) -> str:
        exposed = tuple(tuple(sorted(codes)) for codes in view.hand.exposed)
        text = kajongg.line_of(replace(view.hand, bonus=(), exposed=exposed))
        visible = " ".join(map(kajongg.tile_text, view.visible))
        stdin, stdout = self._program.stdin, self._program.stdout
        if stdin is None or stdout is None:
            raise BrokenPipeError
        stdin.write(f"{text}\t{visible}\t{discard}\n")
        return stdout.readline().strip()


PLAYERS: dict[str, Player] = {
    "gentle": partial(choose_move, level="gentle"),
    "plain": partial(choose_move, level="plain"),
    "sharp": partial(choose_move, level="sharp"),
    "coach": follow_coach,
}


@dataclass
class Table:
    """What came of many deals; places are of players, who move on by one seat each deal."""

    wins: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)
    gains: list[int] = field(default_factory=list)
    """What the first player is paid in each deal that somebody won, less what that player pays."""
    draws: int = 0
    seconds: float = 0
    move_seconds: list[float] = field(default_factory=list)


def play_table(names: tuple[str, ...], deals: int) -> Table:
    """Play deals with these four players."""
    table = Table()
    begin = process_time()
    for number in range(deals):
        deal = PracticeDeal(DealSetup(number), RULES)
        while deal.stage != "over":
            seat = next(iter(deal.choices))
            view = make_view(deal, seat)
            player = PLAYERS[names[(SEATS.index(seat) + number) % len(SEATS)]]
            move_begin = process_time()
            move = player(view)
            table.move_seconds.append(process_time() - move_begin)
            deal.play(move)
        winner = deal.ending.winner if deal.ending else None
        if winner is None:
            table.draws += 1
            continue
        scores = {seat: deal.umpire.score_hand(deal.hand_of(seat)).total for seat in SEATS}
        place = (SEATS.index(winner) + number) % len(SEATS)
        table.wins[place] += 1
        table.points[place] += scores[winner]
        table.gains.append(settle(scores, winner).net[SEATS[-number % len(SEATS)]])
    table.seconds = process_time() - begin
    return table


def report(names: tuple[str, ...], deals: int) -> str:
    """Return a line on a table: the first player beside the mean of the other three."""
    table = play_table(names, deals)
    wins = table.wins.total()
    mean_wins = (wins - table.wins[0]) / 3
    moves = sorted(table.move_seconds)
    mean = table.points.total() / max(wins, 1)
    return (
        f"{names[0]:>6} against three {names[1]:<6}: goes out in {table.wins[0] / deals:.1%}, "
        f"the others in {mean_wins / deals:.1%} each (×{table.wins[0] / max(mean_wins, 1):.2f}), "
        f"draws {table.draws / deals:.1%}, mean winner's score {mean:.0f} "
        f"({table.points[0] / max(table.wins[0], 1):.0f} the first's), "
        f"the first gains {sum(table.gains) / deals:+.0f} a deal (right to "
        f"{sum(gain**2 for gain in table.gains) ** 0.5 / deals:.0f}); "
        f"{60 * deals / table.seconds:.0f} deals a minute, "
        f"a move {1000 * moves[len(moves) // 2]:.2f} ms in the middle, "
        f"{1000 * moves[-len(moves) // 1000]:.1f} ms in 999 of 1,000"
    )


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deals", nargs="?", type=int, default=2000)
    parser.add_argument("tables", nargs="*", default=[])
    arguments = parser.parse_args()
    tables = ["plain:plain", "gentle:plain", "coach:gentle", "coach:plain", "coach:sharp"]
    if kajongg.is_installed():
        PLAYERS["kajongg"] = KajonggPlayer()
        tables += ["kajongg:kajongg", "coach:kajongg", "kajongg:plain"]
    for table in arguments.tables or tables:
        first, opponent = table.split(":")
        print(report((first, opponent, opponent, opponent), arguments.deals), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
