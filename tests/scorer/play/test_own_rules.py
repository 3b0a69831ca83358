"""Deals by rules of a table's own: its figures, special hands, chows and players."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.message import to_english
from scorer.play.box_players import choose_move
from scorer.play.coach import advise
from scorer.play.deal import PracticeDeal
from scorer.play.moves import Move, PlayError
from scorer.play.setup import DealSetup
from scorer.play.view import make_view
from scorer.ruleset import Ruleset
from scorer.rulesets import files
from scorer.rulesets.custom import read_custom_ruleset
from scorer.rulesets.editing import TomlValue, add_block, write_values
from scorer.rulesets.line_numbers import KeyPath
from scorer.score import score

SEVEN_EACH: dict[str, TomlValue] = {
    "id": "OURS-1",
    "name": "Seven and honours",
    "pattern": "x1-7, each honour",
    "value": 350,
    "fishing": 100,
    "concealed": True,
}


def own_rules() -> Ruleset:
    """Return the British rules with another limit and figure, a special hand and no chows."""
    text = add_block(files.load_builtin_text("bmja"), "special", SEVEN_EACH)
    values: dict[KeyPath, TomlValue] = {("limit",): 400, ("rule", 0, "points"): 30}
    chows: dict[KeyPath, TomlValue] = {("chows", "4"): 0, ("chows", "5"): 0}
    text = text.replace("players = [2, 3, 4, 5]", "players = [3, 4, 5]")
    return read_custom_ruleset(write_values(text, {**values, **chows}))


def sample_rules(name: str) -> Ruleset:
    folder = Path(files.__file__).with_name("samples")
    return read_custom_ruleset((folder / f"{name}.toml").read_text("utf-8"))


OUR_RULES, CLASSICAL, WESTERN = own_rules(), sample_rules("classical"), sample_rules("western")


def win_with(rules: Ruleset, rack: str, seats: str, players: int) -> PracticeDeal:
    """Play until South, who waits with this rack and changes nothing, goes out in a deal."""
    for seed in range(40):
        setup = DealSetup(seed, seats, players, rack=tuple(rack.split()), rack_seat="S")
        deal = PracticeDeal(setup, rules)
        while deal.stage != "over":
            seat = next(iter(deal.choices))
            move = choose_move(make_view(deal, seat), "gentle")
            if seat == "S" and move.kind != "mah-jong":
                passes = deal.stage != "turn"
                move = Move("S", "pass") if passes else Move("S", "discard", (deal.tile or "",))
            deal.play(move)
        if deal.ending and deal.ending.winner == "S":
            return deal
    raise AssertionError(rack)


SEVENS = "B1 B2 B3 B4 B5 B6 B7 WE WS WW WN DR DG"
SNAKE = "B1 B2 B3 B4 B5 B6 B7 B8 B9 WE WS WW WN"
PUNGS = "B2 B2 B2 C3 C3 C3 O6 O6 O6 O8 O8 DR DR"
CHOWS = "B2 B3 B4 C3 C4 C5 O6 O7 O8 O2 O3 C9 C9"
WINS = (
    (OUR_RULES, "B1 B2 B3 B4 B5 B6 B7 WE WS WW WN DR DG", "ESWN", 4, "OURS-1", "a special hand"),
    (OUR_RULES, PUNGS, "ESWN", 4, None, "another figure for Mah-Jong"),
    (OUR_RULES, PUNGS, "ESW", 3, None, "three players"),
    (OUR_RULES, PUNGS, "ESWN", 5, None, "five players, one of whom sits out"),
    (CLASSICAL, CHOWS, "ESWN", 4, None, "four chows"),
    (WESTERN, SNAKE, "ESWN", 4, "WEST-S04", "its special hand"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "rack", "seats", "players", "special", "reason"), WINS, ids=[row[-1] for row in WINS]
)
def test_a_win_scores_by_these_rules(
    rules: Ruleset, rack: str, seats: str, players: int, special: str | None, reason: str
) -> None:
    deal = win_with(rules, rack, seats, players)
    hand = deal.hand_of("S")
    breakdown = score(hand, rules)
    assert deal.umpire.score_hand(hand).total == breakdown.total <= (rules.limit or 0), reason
    assert breakdown.special == special, reason
    points = [line.points for line in breakdown.lines if to_english(line.label) == "Going out"]
    assert points == ([] if special else [30 if rules is OUR_RULES else 20]), reason


def test_chows_are_claimed_where_these_rules_have_them() -> None:
    """South holds the neighbours of East's discard."""
    for rules, chow_claims in ((OUR_RULES, 0), (CLASSICAL, 1), (WESTERN, 1)):
        rack = ("B2", "B3", "B5", "B6", *(f"C{rank}" for rank in range(1, 10)))
        for seed in range(40):
            deal = PracticeDeal(DealSetup(seed, rack=rack, rack_seat="S"), rules)
            if "B4" in deal.players["E"].concealed:
                break
        deal.play(Move("E", "discard", ("B4",)))
        chows = [move for move in deal.choices.get("S", ()) if move.kind == "chow"]
        assert len(chows) == 3 * chow_claims
    with pytest.raises(PlayError, match=r"^No chow may lie on the table\. Leave it out\.$"):
        PracticeDeal(DealSetup(1, rack_exposed=(("B1", "B2", "B3"),)), OUR_RULES)


def test_the_coach_names_the_tables_own_special_hand() -> None:
    rack = ("B1", "B2", "B3", "B4", "B5", "B6", "B7", "WE", "WS", "WW", "WN", "DR", "DG", "O5")
    view = make_view(PracticeDeal(DealSetup(1, rack=rack), OUR_RULES), "E")
    texts = [to_english(reason) for choice in advise(view) for reason in choice.reasons]
    assert any("Seven and honours" in text for text in texts)


def test_players_that_these_rules_lack_are_refused() -> None:
    with pytest.raises(PlayError, match="players"):
        PracticeDeal(DealSetup(1, "EW", 2), OUR_RULES)
    with pytest.raises(PlayError, match="players"):
        PracticeDeal(DealSetup(1, "ESW", 3), CLASSICAL)
