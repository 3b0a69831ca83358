"""Random deals: every tile in one place, nothing seen that is another's, only legal steps."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.patterns.frames import PLAYING_CODES
from scorer.play.deal import PracticeDeal
from scorer.play.moves import MOVE_KINDS, Move, PlayError, move_from_json
from scorer.play.setup import DealSetup, setup_from_json
from scorer.play.view import make_view
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.tiles import CODES
from tests.scorer.play.test_steps import refusal_codes

RULES = {name: load_builtin(name) for name in ("bmja", "safalra")}


def random_setup(chance: Random) -> DealSetup:
    """Return a deal of any of the games, rulesets and numbers of players."""
    ruleset = chance.choice(("bmja", "bmja", "safalra"))
    seats = chance.choice(("ESWN", "ESWN", "ESW", "EWN", "EW"))
    hand_size = chance.choice((13, 13, 13, 4, 7, 10))
    goulash = ruleset == "bmja" and hand_size == 13 and chance.random() < 0.2
    players = 5 if ruleset == "bmja" and len(seats) == 4 and chance.random() < 0.2 else len(seats)
    setup = DealSetup(
        chance.randrange(10**6),
        seats,
        players,
        chance.choice("ESWN"),
        goulash,
        hand_size,
        ruleset=ruleset,
    )
    if goulash or hand_size != 13 or chance.random() < 0.7:
        return setup
    first, second, third = chance.sample(PLAYING_CODES, 3)
    return replace(
        setup,
        rack=(third, "F1") if ruleset == "bmja" else (third,),
        rack_seat=chance.choice(seats),
        rack_exposed=((first,) * chance.choice((3, 4)),),
        rack_kongs=chance.choice(((), ((second,) * 4,))),
    )


def random_move(deal: PracticeDeal, chance: Random) -> Move:
    """Return a move that is allowed; going out and claims are taken more often."""
    seat = chance.choice(sorted(deal.choices))
    moves = deal.choices[seat]
    wins = [move for move in moves if move.kind == "mah-jong"]
    move = wins[0] if wins and chance.random() < 0.9 else chance.choice(moves)
    if move.kind == "swap":
        return replace(move, tiles=tuple(chance.sample(deal.players[seat].concealed, 3)))
    announcement = replace(move, fishing=move.kind == "discard")
    return announcement if chance.random() < 0.2 and deal.would_be_fishing(move) else move


def all_tiles(deal: PracticeDeal) -> Counter[str]:
    tiles = Counter(deal.live + deal.box)
    for player in deal.players.values():
        tiles.update(player.concealed + player.bonus + player.discards)
        for table_set in player.sets:
            tiles.update(table_set.tiles)
    return tiles


def check_views(deal: PracticeDeal, chance: Random) -> None:
    """Compare each view with one where all that the player cannot see lies elsewhere."""
    for seat in deal.seats:
        view = make_view(deal, seat, with_log=True)
        twin = PracticeDeal(deal.setup, RULES[deal.setup.ruleset], deal.moves)
        secret = [twin.live, twin.box]
        secret += [twin.players[other].concealed for other in deal.seats if other != seat]
        tiles = [code for pile in secret for code in pile]
        chance.shuffle(tiles)
        for pile in secret:
            pile[:] = [tiles.pop() for _ in pile]
        if deal.turn != seat and deal.stage == "turn" and deal.source != "claim":
            twin.tile = "B1"
        assert make_view(twin, seat, with_log=True) == view
        secrets = [each for each in view.log if each.kind in ("draw", "loose", "swap")]
        assert {each.seat for each in secrets if each.tiles} <= {seat}


def play_at_random(number: int) -> PracticeDeal:
    """Play one deal to its end, and check it on the way."""
    chance = Random(number)
    deal = PracticeDeal(setup := random_setup(chance), RULES[setup.ruleset])
    tiles = all_tiles(deal)
    assert set(tiles.values()) <= {1, 4}
    illegal = chance.randrange(40)
    while deal.stage != "over":
        if len(deal.moves) == illegal:
            try_everything(deal)
            check_views(deal, chance)
        deal.play(random_move(deal, chance))
        assert all_tiles(deal) == tiles
    check_end(deal)
    moves = [move_from_json(move.to_json()) for move in deal.moves]
    copy = PracticeDeal(setup_from_json(setup.to_json()), RULES[setup.ruleset], moves)
    assert (copy.log, copy.ending, copy.players) == (deal.log, deal.ending, deal.players)
    return deal


def try_everything(deal: PracticeDeal) -> None:
    """Check that whatever is not offered is refused with a sentence, and changes nothing."""
    for move in some_moves(deal):
        is_offered = move in deal.choices.get(move.seat, ())
        before = list(deal.moves)
        if not is_offered:
            with pytest.raises(PlayError) as refusal:
                deal.play(move)
            assert str(refusal.value)
            assert deal.moves == before


def some_moves(deal: PracticeDeal) -> Iterator[Move]:
    tile = deal.tile or "B1"
    for seat, kind in product("ESWN", MOVE_KINDS):
        for tiles in ((), (tile,), (tile,) * 2, ("B1", "B2"), (tile,) * 3, (tile,) * 4):
            if kind != "swap" or len(tiles) != 3:
                yield Move(seat, kind, tiles)


def check_end(deal: PracticeDeal) -> None:
    """Check that hands score as the scorer says, with what really happened."""
    ending = deal.ending
    assert ending is not None
    hands = {seat: deal.hand_of(seat) for seat in deal.seats}
    assert [seat for seat, hand in hands.items() if hand.winner] == [*filter(None, [ending.winner])]
    if deal.setup.is_small:
        assert all(deal.umpire.score_hand(hand).total >= 0 for hand in hands.values())
    else:
        for hand in hands.values():
            assert deal.umpire.score_hand(hand).total == score(hand, deal.rules).total
    if ending.winner is None:
        assert deal.log[-1].kind == "wash-out"
        return
    kinds = [each.kind for each in deal.log]
    way = ending.won_by[0]
    assert kinds[-1] == ("robbing" if way == "robbed-kong" else "mah-jong")
    assert (ending.discarder is None) == (
        way in ("wall", "last-tile", "loose", "kong-of-kong", "heaven")
    )
    assert (way in ("last-tile", "last-discard")) <= (not deal.live)
    assert (way == "earth") <= (kinds.count("discard") == 1)
    assert (way == "heaven") <= (kinds.count("discard") == 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_a_random_deal_keeps_to_the_rules(number: int) -> None:
    play_at_random(number)


def test_every_tile_of_a_rack_is_dealt() -> None:
    chance = Random(1)
    codes = [code for code in CODES[:34] for _ in range(4)]
    for number in range(30):
        rack = (*chance.sample(codes, chance.choice((5, 13, 14))), "F1", "S3")
        seat = "E" if len(rack) == 16 else chance.choice("ESWN")
        deal = PracticeDeal(DealSetup(number, rack=rack, rack_seat=seat), RULES["bmja"])
        player = deal.players[seat]
        assert not Counter(rack) - Counter(player.concealed + player.bonus)
        assert set(all_tiles(deal).values()) == {1, 4}
        assert sum(all_tiles(deal).values()) == 144


WAITING_RACK = ("B3", "B3", "B3", "B4", "B4", "C3", "C3", "C3", "O6", "O6", "O6", "DR", "DR")


def test_sets_of_a_rack_lie_on_the_table() -> None:
    """The fourth tile of a kong and a flower are replaced: South still has thirteen tiles."""
    for seed in range(50):
        setup = DealSetup(
            seed,
            rack=("B5", "F1"),
            rack_seat="S",
            rack_exposed=(RUN, ("DR",) * 4),
            rack_kongs=(("B1",) * 4,),
        )
        deal = PracticeDeal(setup, RULES["bmja"])
        player = deal.players["S"]
        assert [(each.kind, each.concealed) for each in player.sets] == [
            ("chow", False),
            ("kong", False),
            ("kong", True),
        ]
        assert len(player.concealed) == 4
        assert "B5" in player.concealed
        assert "F1" in player.bonus
        assert len(deal.live) == 77, "a whole live wall"


def test_a_hand_with_sets_is_no_hand_of_earth_and_makes_no_original_call() -> None:
    """Both are for hands as they were dealt (BMJA-S26, BMJA-D08)."""
    sets = (("B1",) * 3, ("B9",) * 3, ("WN",) * 3)
    setup = DealSetup(2, rack=("C4", "C4", "C4", "DR"), rack_seat="S", rack_exposed=sets)
    for seed in range(100):
        deal = PracticeDeal(replace(setup, seed=seed), RULES["bmja"])
        if "DR" in deal.players["E"].concealed:
            deal.play(Move("E", "discard", ("DR",)))
            call = PracticeDeal(deal.setup, RULES["bmja"], deal.moves)
            deal.play(Move("S", "mah-jong"))
            assert deal.ending is not None
            assert deal.ending.won_by == ("discard",)
            break
    else:
        raise AssertionError("East never had the tile")
    while call.stage == "claims":
        call.play(Move(next(iter(call.choices)), "pass"))
    assert call.turn == "S"
    assert call.tile is not None
    call.play(Move("S", "discard", (call.tile,), fishing=True))
    assert call.players["S"].fishing
    assert not call.players["S"].original_call


@pytest.mark.parametrize(
    ("bonus", "won_by"),
    [((), ("heaven",)), (("F1",), ("loose",))],
    ids=["as dealt", "a flower was replaced (BMJA-S39)"],
)
def test_a_complete_rack_of_east_wins_as_it_was_dealt(
    bonus: tuple[str, ...], won_by: tuple[str, ...]
) -> None:
    rack = ("B2", "B3", "B4", *("C5",) * 3, *("O7",) * 3, *("WN",) * 3, "DR", "DR")
    deal = PracticeDeal(DealSetup(1, rack=(*rack, *bonus)), RULES["bmja"])
    deal.play(Move("E", "mah-jong"))
    assert deal.ending is not None
    assert deal.ending.won_by == won_by


def test_a_complete_rack_of_east_wins_before_the_swaps_of_a_goulash() -> None:
    """BMJA-G03: Heaven's blessing."""
    rack = (*("B3",) * 3, *("C5",) * 3, *("O7",) * 3, *("WN",) * 3, "DR", "DR")
    deal = PracticeDeal(DealSetup(1, goulash=True, rack=rack), RULES["bmja"])
    deal.play(Move("E", "mah-jong"))
    assert deal.ending is not None
    assert deal.ending.won_by == ("heaven",)


@pytest.mark.parametrize("agrees", [True, False])
def test_the_swaps_of_a_goulash_stop_when_all_agree(agrees: bool) -> None:
    """South stands, and the others may stop (BMJA-G03); who alone wanted to is asked again."""
    setup = DealSetup(3, goulash=True, rack=WAITING_RACK, rack_seat="S")
    deal = PracticeDeal(setup, RULES["bmja"])
    assert not any(move.kind == "stop" for moves in deal.choices.values() for move in moves)
    for seat in deal.seats:
        gift = tuple(deal.players[seat].concealed[:3])
        deal.play(Move(seat, "stand") if seat == "S" else Move(seat, "swap", gift))
    assert set(deal.choices) == {"W", "N"}
    deal.play(Move("W", "stop"))
    gift = tuple(deal.players["N"].concealed[:3])
    deal.play(Move("N", "stop") if agrees else Move("N", "swap", gift))
    if agrees:
        assert (deal.stage, deal.log[-1].rule) == ("turn", "BMJA-G03")
        return
    assert deal.choices == {"W": (Move("W", "swap"),)}
    deal.play(Move("W", "swap", tuple(deal.players["W"].concealed[:3])))
    assert (deal.stage, deal.swaps, set(deal.choices)) == ("swap", 2, {"E", "N"})


@pytest.mark.parametrize("seat", ["E", "S"])
def test_who_stands_in_a_goulash_keeps_the_hand(seat: str) -> None:
    """Three tiles are swapped until then (BMJA-G02); later no tile but a useless one goes (G03)."""
    rack = WAITING_RACK if seat == "S" else (*WAITING_RACK, "WE")
    deal = PracticeDeal(DealSetup(3, goulash=True, rack=rack, rack_seat=seat), RULES["bmja"])
    assert refusal_codes(deal, Move("N", "stand")) == ["not-fishing-yet"]
    assert refusal_codes(deal, Move("N", "swap", ("B1",))) == ["swap"]
    for each in deal.seats:
        gift = tuple(deal.players[each].concealed[:3])
        deal.play(Move(each, "stand") if each == seat else Move(each, "swap", gift))
    while deal.stage == "swap":
        deal.play(Move(next(iter(deal.choices)), "stop"))
    while deal.stage == "claims" or deal.turn != seat:
        asked_seat, moves = next(iter(deal.choices.items()))
        deal.play(Move(asked_seat, "pass") if deal.stage == "claims" else moves[-1])
    discards = {move.tiles for move in deal.choices[seat] if move.kind == "discard"}
    assert discards == ({("WE",)} if seat == "E" else {(deal.tile,)})
    assert refusal_codes(deal, Move(seat, "discard", ("B3",))) == ["keeps-hand"]


RUN = ("C1", "C2", "C3")

FOUR_KONGS = tuple((f"B{n}",) * 4 for n in "1234")

SMALL_BOX = replace(RULES["bmja"], kong_box={**RULES["bmja"].kong_box, "4": 8})

REFUSED_SETUPS = (
    (DealSetup(1, rack=("B1",) * 5), "rack-too-often", "five of one tile"),
    (DealSetup(1, rack=("B1",), rack_exposed=(("B1",) * 4,)), "rack-too-often", "a fifth tile"),
    (DealSetup(1, rack_exposed=(("B1", "B2", "B4"),)), "rack-no-set", "no set"),
    (DealSetup(1, rack_kongs=(("B1",) * 2,)), "rack-no-set", "a pair"),
    (DealSetup(1, rack_kongs=(("B1",) * 3,)), "rack-no-set", "a pung is no concealed kong"),
    (DealSetup(1, rack_kongs=(RUN,)), "rack-no-set", "nor is a chow"),
    (DealSetup(1, "ESW", 3, rack_exposed=(RUN,)), "rack-chows-players", "none with three players"),
    (DealSetup(1, rack_exposed=(RUN, RUN)), "rack-chows", "two chows"),
    (DealSetup(1, rack=tuple(CODES[9:12]), rack_exposed=FOUR_KONGS), "rack-too-many",
     "fifteen tiles with the kongs"),
    (DealSetup(1, rack=("F1", "F2", "F3", "S1", "S2"), rack_kongs=FOUR_KONGS), "rack-box",
     "nine tiles replaced from a box of eight"),
    (DealSetup(1, rack=("??",)), "rack-unknown", "a tile that lies face down"),
    (DealSetup(1, rack=("JK",)), "rack-unknown", "a joker"),
    (DealSetup(1, rack=tuple(CODES[:15])), "rack-too-many", "fifteen tiles"),
    (DealSetup(1, rack=tuple(CODES[:14]), rack_seat="S"), "rack-is-east", "South with fourteen"),
    (DealSetup(1, rack=("B1",), rack_seat="X"), "seats", "no such seat"),
    (DealSetup(1, "SWN", 3), "seats", "nobody is East"),
    (DealSetup(1, "ESWN", 3), "seats", "four seats for three"),
    (DealSetup(1, goulash=True, hand_size=4), "no-goulash", "a small game"),
    (DealSetup(1, hand_size=5), "old-version", "a game that there is not"),
)  # fmt: skip


@pytest.mark.parametrize(("setup", "code", "reason"), REFUSED_SETUPS)
def test_a_setup_that_cannot_be_is_refused(setup: DealSetup, code: str, reason: str) -> None:
    with pytest.raises(PlayError) as refusal:
        PracticeDeal(setup, SMALL_BOX)
    assert [problem.code for problem in refusal.value.problems] == [code], reason


@pytest.mark.parametrize(
    "data", [{}, {"version": 0, "seed": 1}, {"version": 1}, [], {"kind": "sing", "tiles": []}]
)
def test_what_another_version_stored_is_refused(data: dict[str, object]) -> None:
    for read in (setup_from_json, move_from_json):
        with pytest.raises(PlayError, match="another version"):
            read(data)


if __name__ == "__main__":  # python -m tests.scorer.play.test_deal 20000 [FIRST]
    last, begin = int(sys.argv[1]), int((*sys.argv, "0")[2])
    for number in range(begin, last):
        play_at_random(number)
        if (number + 1) % 500 == 0:
            print(number + 1, "deals", flush=True)  # noqa: T201
