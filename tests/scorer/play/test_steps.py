"""Each step of play by its rule, with hands that are laid so that it comes."""

from __future__ import annotations

import pytest

from scorer.play import kongs, turns
from scorer.play.deal import PracticeDeal
from scorer.play.moves import DealEnd, Move, PlayError
from scorer.play.setup import DealSetup
from scorer.rulesets.builtin import load_builtin

SINGLE_TILES = "B1 B4 B7 C1 C4 C7 O1 O4 O7 WE WS WW WN"

NO_BAMBOO = "C1 C4 C7 C9 O1 O4 O7 O9 WE WS WW WN DR"


def deal_with(ruleset: str = "bmja", house: str = "", **hands: str) -> PracticeDeal:
    """Return a deal at East's first turn where players hold these tiles, and others by chance."""
    deal = PracticeDeal(
        DealSetup(1, ruleset=ruleset, house=(house,) if house else ()), load_builtin(ruleset)
    )
    fixed_counts: dict[str, int] = {}
    for seat, text in hands.items():
        concealed = deal.players[seat].concealed
        for place, code in enumerate(text.split()):
            piles = [deal.live, deal.box, *(player.concealed for player in deal.players.values())]
            fixed_places = {
                id(deal.players[s].concealed): count for s, count in fixed_counts.items()
            }
            fixed_places[id(concealed)] = place
            pile, index = next(
                (pile, index)
                for pile in piles
                for index in range(fixed_places.get(id(pile), 0), len(pile))
                if pile[index] == code
            )
            concealed[place], pile[index] = code, concealed[place]
        fixed_counts[seat] = len(text.split())
    for player in deal.players.values():
        player.waits = None
    turns.offer_turn(deal)
    return deal


def kinds_of(deal: PracticeDeal, seat: str) -> set[str]:
    return {move.kind for move in deal.choices.get(seat, ())}


def refusal_codes(deal: PracticeDeal, move: Move) -> list[str]:
    with pytest.raises(PlayError) as refusal:
        deal.play(move)
    return [problem.code for problem in refusal.value.problems]


def discard(deal: PracticeDeal, tile: str) -> PracticeDeal:
    deal.play(Move(deal.turn, "discard", (tile,)))
    return deal


def test_east_discards_first_and_the_next_player_draws() -> None:
    """BMJA-P12: one tile from the live wall, then a discard."""
    deal = discard(deal_with(E=f"{SINGLE_TILES} DR", S=SINGLE_TILES, W="B2", N="B2"), "WE")
    assert [each.kind for each in deal.log[-2:]] == ["discard", "draw"]
    assert (deal.turn, kinds_of(deal, "S"), len(deal.live)) == ("S", {"discard"}, 76)
    assert {each.rule for each in deal.log[-2:]} == {"BMJA-P12"}


CLAIMS: tuple[tuple[str, str, str, set[str], str], ...] = (
    ("bmja", "S", "B2 B3 B5", {"chow", "pass"}, "BMJA-P13: the next player may have a chow"),
    ("bmja", "W", "B2 B3 B5", set(), "BMJA-P13: another may not"),
    ("bmja", "N", "B4 B4", {"pung", "pass"}, "BMJA-P13: anybody may have a pung"),
    ("bmja", "W", "B4 B4 B4", {"pung", "kong", "pass"}, "BMJA-P13: or a kong"),
    ("safalra", "S", "B2 B3 B5", set(), "SAF-H05: no chow is claimed"),
    ("safalra", "W", "B4 B4", {"pung", "pass"}, "SAF-P02: two alike claim the third"),
    ("safalra", "W", "B4 B4 B4", {"pung", "kong", "pass"}, "SAF-P02: three alike the fourth"),
)


@pytest.mark.parametrize(("ruleset", "seat", "tiles", "kinds", "reason"), CLAIMS)
def test_who_may_claim_a_discard(
    ruleset: str, seat: str, tiles: str, kinds: set[str], reason: str
) -> None:
    copies = " ".join(["B4"] * (4 - tiles.count("B4")))
    deal = discard(deal_with(ruleset, E=copies, **{seat: tiles}), "B4")
    assert kinds_of(deal, seat) - {"mah-jong", "discard"} == kinds, reason


WAITING_HAND = "B3 B3 B3 B4 B4 C3 C3 C3 O6 O6 O6 DR DR"
OTHER_HAND = "C7 C7 C7 B4 C8 C8 C8 O3 O3 O3 O8 O8 O8"
PRECEDENCE = (
    ({"S": "B2 B3", "N": "DR DR"}, "DR", "N", "pung", "the only claim"),
    ({"S": "B2 B3", "N": "B4 B4"}, "B4", "N", "pung", "BMJA-P14: a pung before a chow"),
    ({"S": "B4 B4", "W": OTHER_HAND}, "B4", "W", "mah-jong", "BMJA-P14: Mah-Jong before a pung"),
    ({"S": "C1", "W": OTHER_HAND, "N": "B3 B3 B3 B5 B6 C3 C3 C3 O6 O6 O6 DR DR"}, "B4", "W",
     "mah-jong", "BMJA-P14, SAF-P05: of two Mah-Jongs the next in turn"),
)  # fmt: skip


@pytest.mark.parametrize(("hands", "tile", "seat", "kind", "reason"), PRECEDENCE)
def test_which_claim_goes_first(
    hands: dict[str, str], tile: str, seat: str, kind: str, reason: str
) -> None:
    deal = discard(deal_with(E=f"{tile} WE", **hands), tile)
    for other in reversed(deal.seats_after("E")):
        moves = {move.kind: move for move in deal.choices.get(other, ())}
        claim = next((moves[k] for k in ("mah-jong", "pung", "chow") if k in moves), None)
        if claim:
            deal.play(claim)
    assert (deal.turn, deal.log[-1].kind) == (seat, kind), reason


@pytest.mark.parametrize(("ruleset", "rule"), [("bmja", "BMJA-P17"), ("safalra", "SAF-P04")])
def test_the_winner_does_not_discard(ruleset: str, rule: str) -> None:
    """A player may also decline (SAF-P04): the turn goes on."""
    hand = WAITING_HAND if ruleset == "bmja" else WAITING_HAND.replace("C", "O").replace("O6", "B8")
    hand = hand.replace("O3", "B6") if ruleset == "safalra" else hand
    deal = discard(deal_with(ruleset, E="DR WE", W=hand), "DR")
    assert "pass" in kinds_of(deal, "W")
    deal.play(next(move for move in deal.choices["W"] if move.kind == "mah-jong"))
    assert (deal.stage, deal.log[-1].rule, deal.choices) == ("over", rule, {})


def test_a_kong_brings_a_loose_tile_and_may_grow_from_a_pung() -> None:
    """SAF-P01, SAF-P03, BMJA-K07: declared in the player's turn, never with a discard."""
    for ruleset, rules in (("safalra", ("SAF-P01", "SAF-P03")), ("bmja", ("BMJA-K05", "BMJA-K07"))):
        deal = deal_with(ruleset, E="B4 B8 B8 B8 B8 B1", S=NO_BAMBOO, W="B4 B4")
        box = len(deal.box)
        deal.play(Move("E", "concealed-kong", ("B8",) * 4))
        assert [each.rule for each in deal.log if each.kind == "concealed-kong"] == [rules[0]]
        assert len(deal.box) < box
        discard(deal, "B4")
        deal.play(Move("W", "pung", ("B4", "B4")))
        assert "added-kong" not in kinds_of(deal, "W")
        deal.players["W"].concealed[0] = "B4"
        deal.source = "wall"
        turns.offer_turn(deal)
        deal.play(Move("W", "added-kong", ("B4",)))
        assert [each.rule for each in deal.log if each.kind == "added-kong"] == [rules[1]]
        assert deal.log[-1].kind == "loose"


@pytest.mark.parametrize(
    ("reply", "kind", "tiles"),
    [("mah-jong", "robbed-kong", ("B4",) * 3), ("pass", "", ("B4",) * 4)],
)
def test_a_pung_that_grows_may_be_robbed(reply: str, kind: str, tiles: tuple[str, ...]) -> None:
    """BMJA-K08: whoever waits for the tile goes out with it; the kong is a pung again."""
    deal = deal_with(E="B4 WE", S="B2 B3 C3 C3 C3 O6 O6 O6 DR DR DR C7 C7", W="B4 B4", N=NO_BAMBOO)
    discard(deal, "B4")
    deal.play(Move("S", "pass"))
    deal.play(Move("W", "pung", ("B4", "B4")))
    deal.players["W"].concealed[0] = "B4"
    deal.source = "wall"
    turns.offer_turn(deal)
    deal.play(Move("W", "added-kong", ("B4",)))
    assert kinds_of(deal, "S") == {"mah-jong", "pass"}
    deal.play(next(move for move in deal.choices["S"] if move.kind == reply))
    assert deal.players["W"].sets[0].tiles == tiles
    ending = deal.ending
    assert (ending.won_by if ending else ()) == ((kind,) if kind else ())


REFUSALS = (
    (Move("E", "discard", ("C9",)), "no-tile", "the player has no such tile"),
    (Move("E", "pung", ("B4", "B4")), "discard-first", "nothing is there to claim in one's turn"),
    (Move("E", "concealed-kong", ("WE",) * 4), "no-tile", "one of the four is held"),
    (Move("E", "added-kong", ("WE",)), "no-declared-kong", "no pung of it lies there"),
    (Move("S", "discard", ("B2",)), "wait", "it is another's turn"),
    (Move("E", "mah-jong"), "not-mah-jong", "the hand is none"),
    (Move("E", "discard", ("WE",), fishing=True), "not-fishing", "many tiles are missing"),
    (Move("East", "pass"), "seats", "nobody sits there"),
)
AFTER_A_DISCARD = (
    (Move("W", "chow", ("B2", "B3")), "no-chow", "only the next player may"),
    (Move("W", "kong", ("B4",) * 3), "no-kong", "two are held"),
    (Move("W", "discard", ("B4",)), "claim-or-pass", "the others answer first"),
    (Move("W", "mah-jong"), "not-mah-jong", "the tile completes nothing"),
    (Move("N", "pung", ("B4", "B4")), "claim-gone", "who has nothing to claim is not asked"),
)


@pytest.mark.parametrize(("move", "code", "reason"), [*REFUSALS, *AFTER_A_DISCARD])
def test_a_refusal_says_what_is_wrong(move: Move, code: str, reason: str) -> None:
    deal = deal_with(E="B4 WE WS WW WN DR", S=NO_BAMBOO, W="B4 B4 C2", N=NO_BAMBOO)
    if (move, code, reason) in AFTER_A_DISCARD:
        discard(deal, "B4")
    assert refusal_codes(deal, move) == [code], reason


def test_a_deal_that_is_over_takes_no_move() -> None:
    deal = discard(deal_with(E="DR WE", W=WAITING_HAND), "DR")
    deal.play(next(move for move in deal.choices["W"] if move.kind == "mah-jong"))
    assert refusal_codes(deal, Move("E", "discard", ("WE",))) == ["over"]


def test_fishing_must_be_declared_first_where_the_table_says_so() -> None:
    """BMJA-C11; before the first discard, of the earth's blessing, nobody can."""
    house = "fishing_must_be_declared:on"
    deal = deal_with(house=house, E="WE", S="DR", W=WAITING_HAND, N=NO_BAMBOO)
    discard(discard(deal, "WE"), "DR")
    assert kinds_of(deal, "W") == {"pung", "pass"}
    with pytest.raises(PlayError, match="you must declare fishing"):
        deal.play(Move("W", "mah-jong"))
    deal = deal_with(house=house, E="DR WE", W=WAITING_HAND)
    assert "mah-jong" in kinds_of(discard(deal, "DR"), "W")


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        pytest.param(WAITING_HAND, "DR", id="a pung of the pair"),
        pytest.param("C5 C5 C5 C6 C7 B1 B1 B1 O9 O9 O9 WE WE", "C5", id="one like it is left"),
    ],
)
def test_whoever_claimed_a_set_discards_first(hand: str, tile: str) -> None:
    """BMJA-P13: what a claimed tile would have completed is no Mah-Jong any more."""
    deal = discard(deal_with(E=f"{tile} WN", W=hand), tile)
    deal.play(Move("W", "pung", (tile, tile)))
    with pytest.raises(PlayError, match="discard a tile"):
        deal.play(Move("W", "mah-jong"))


def test_who_keeps_the_hand_claims_for_mah_jong_alone() -> None:
    """BMJA-G03."""
    deal = deal_with(E="DR WE", W=WAITING_HAND)
    deal.players["W"].keeps_hand = True
    discard(deal, "DR")
    assert kinds_of(deal, "W") == {"mah-jong", "pass"}
    assert refusal_codes(deal, Move("W", "pung", ("DR", "DR"))) == ["keeps-hand"]


def test_without_a_loose_tile_the_deal_is_a_wash_out() -> None:
    """BMJA-P18."""
    deal = deal_with(E="B8 B8 B8 B8", S=NO_BAMBOO)
    deal.box.clear()
    deal.play(Move("E", "concealed-kong", ("B8",) * 4))
    assert (deal.stage, deal.ending) == ("over", DealEnd(None))


def test_only_a_pung_that_lies_there_grows() -> None:
    deal = deal_with(E="B4 WE")
    with pytest.raises(ValueError, match="no pung of B4"):
        kongs.add_to_pung(deal, Move("E", "added-kong", ("B4",)))
