"""What the coach claims, put to the scorer's own search: counts, special hands, kongs, warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, combinations_with_replacement

import pytest

from scorer.errors import HandError
from scorer.explain.tiles_needed import min_tiles_needed, useful_tiles
from scorer.hand import Codes, Hand, remove_tiles
from scorer.message import message, to_english
from scorer.patterns.frames import PLAYING_CODES
from scorer.play import box_players, coach
from scorer.play.box_players import SAFE_PLAY_MISSING, choose_move, rank_discards
from scorer.play.coach import CoachChoice, advise, warn_after
from scorer.play.danger import is_warning, judge_discards
from scorer.play.deal import PracticeDeal
from scorer.play.moves import Move
from scorer.play.player_state import TableSet
from scorer.play.setup import SMALL_GAME_SUITS, DealSetup
from scorer.play.view import OpenPlayer, View, make_view
from scorer.play.weighing import find_outlook, find_special
from scorer.rulesets.builtin import load_builtin
from scorer.score import score_total, score_unexplained
from scorer.tile_names import name_wind

BMJA = load_builtin("bmja")
HONOUR_PUNGS = tuple((code,) * 3 for code in ("DR", "DG", "DW"))
"""Sets that no small game has: with them a small hand is as long as the scorer's."""

GAMES = {
    "four players": DealSetup(1),
    "three players": DealSetup(2, "ESW", 3),
    "two players": DealSetup(3, "EW", 2),
    "4 tiles": DealSetup(4, hand_size=4),
    "7 tiles": DealSetup(5, hand_size=7),
    "10 tiles, two players": DealSetup(6, "EW", 2, hand_size=10),
}


@cache
def sharp_views(setup: DealSetup) -> tuple[View, ...]:
    """Return all that sharp players see in a deal, each view before its move."""
    views = []
    deal = PracticeDeal(setup, BMJA)
    while deal.stage != "over":
        views.append(make_view(deal, next(iter(deal.choices))))
        deal.play(choose_move(views[-1], "sharp"))
    return tuple(views)


@cache
def advice_in(setup: DealSetup) -> tuple[tuple[View, CoachChoice], ...]:
    """Return what the coach says of every move in a deal."""
    return tuple((view, choice) for view in sharp_views(setup) for choice in advise(view))


def some_deals(setup: DealSetup, deals: int) -> Iterator[DealSetup]:
    return (replace(setup, seed=setup.seed + 100 * number) for number in range(deals))


def advice_on(setup: DealSetup, kinds: str, deals: int = 2) -> Iterator[tuple[View, CoachChoice]]:
    for deal in some_deals(setup, deals):
        yield from (pair for pair in advice_in(deal) if pair[1].move.kind in kinds.split())


def as_whole_hand(view: View, concealed: Codes, *claimed_sets: Codes) -> Hand:
    """Return a hand that the scorer's search reads: a small one with sets of honours beside it."""
    exposed = (*view.hand.exposed, *claimed_sets)
    if view.hand_size == 13:
        return replace(view.hand, exposed=exposed, concealed=concealed)
    more_sets = HONOUR_PUNGS[: 4 - view.hand_size // 3]
    return replace(view.hand, exposed=(*exposed, *more_sets), concealed=concealed, players=4)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_coach_counts_is_so(game: str) -> None:
    """The tiles that help after a discard, and how many of them can still come."""
    counts_checked = 0
    for view, choice in [*advice_on(GAMES[game], "discard")][::3]:
        rest = remove_tiles(view.concealed, choice.move.tiles)
        hand = as_whole_hand(view, rest)
        assert choice.missing == min_tiles_needed(hand, BMJA)
        visible = Counter(view.visible)
        suits = SMALL_GAME_SUITS.get(view.hand_size, "BCOWD")
        helpful = {
            tile for tile in useful_tiles(hand, BMJA) if tile[0] in suits and visible[tile] < 4
        }
        values = [r.values for r in choice.reasons if r.key in ("coach.helps", "coach.fishing")]
        if values:
            assert set(choice.helpful) == helpful
            assert [each["count"] for each in values] == [sum(4 - visible[t] for t in helpful)]
            counts_checked += 1
    assert counts_checked > 2


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_is_said_to_be_fishing_goes_mah_jong_with_each_tile(game: str) -> None:
    for view, choice in advice_on(GAMES[game], "discard"):
        if "coach.fishing" in [reason.key for reason in choice.reasons]:
            rest = remove_tiles(view.concealed, choice.move.tiles)
            for tile in choice.helpful:
                hand = as_whole_hand(view, (*rest, tile))
                players = view.hand.players if view.hand_size == 13 else 4
                winning_hand = replace(
                    hand, players=players, winner=True, won_by=("wall",), winning_tile=tile
                )
                assert score_total(winning_hand, BMJA)


@pytest.mark.parametrize("game", GAMES)
def test_a_claim_brings_the_hand_as_near_as_it_says(game: str) -> None:
    """Of a kong, that the hand is as near as before, and that it scores more than the pung."""
    for view, choice in advice_on(GAMES[game], "chow pung kong concealed-kong added-kong pass"):
        before = min_tiles_needed(as_whole_hand(view, view.concealed), BMJA)
        keys = [reason.key for reason in choice.reasons]
        tiles = choice.move.tiles
        rest = remove_tiles(view.concealed, tiles)
        if keys == ["coach.pass"]:
            for move in view.moves:
                if move.kind in ("chow", "pung"):
                    own_rest = remove_tiles(view.concealed, move.tiles)
                    claimed_set = (*move.tiles, view.tile or "")
                    after = min_tiles_needed(as_whole_hand(view, own_rest, claimed_set), BMJA)
                    assert max(after or 1, 1) >= (before or 0)  # a complete hand must discard
        elif choice.move.kind in ("chow", "pung", "kong"):
            hand = as_whole_hand(view, rest, (*tiles, view.tile or ""))
            assert choice.missing == min_tiles_needed(hand, BMJA)
            assert keys == [
                "coach.claim-nearer" if choice.missing < (before or 0) else "coach.claim-kong"
            ]
        elif choice.move.kind == "concealed-kong":
            hand = replace(
                as_whole_hand(view, rest), declared_kongs=(tiles, *view.hand.declared_kongs)
            )
            assert choice.missing == min_tiles_needed(hand, BMJA) == before
        if choice.move.kind.endswith("kong") and view.hand_size == 13:
            other_tile = "WN" if tiles[0] != "WN" else "WE"
            pung, kong = (
                Hand(exposed=((tiles[0],) * count,), concealed=(other_tile,)) for count in (3, 4)
            )
            assert score_total(kong, BMJA) > score_total(pung, BMJA)


def test_a_special_hand_is_as_many_tiles_away_as_it_says() -> None:
    """With its tiles, and never with one tile fewer, the rest makes the special hand."""
    hand_counts = Counter[int]()
    for view, choice in advice_on(GAMES["four players"], "discard", 8):
        for reason in choice.reasons:
            if reason.key != "coach.special":
                continue
            count = int(str(reason.values["count"]))
            hand_counts[count] += 1
            if hand_counts[count] <= {1: 9, 2: 2}.get(count, 0):
                rest = remove_tiles(view.concealed, choice.move.tiles)
                name = reason.values["special"]
                assert makes_special(view, rest, count, name)
                assert count == 1 or not makes_special(view, rest, count - 1, name)
    assert hand_counts[2]


def makes_special(view: View, rest: Codes, count: int, name: object) -> bool:
    """Return whether some tiles complete a special hand that goes by this name."""
    for tiles in combinations_with_replacement(PLAYING_CODES, count):
        for own_tiles in set(combinations(sorted(rest), len(rest) + 1 - count)):
            hand = replace(
                view.hand,
                concealed=(*own_tiles, *tiles),
                winner=True,
                won_by=("wall",),
                winning_tile=tiles[0],
            )
            try:
                special = score_unexplained(hand, BMJA).special
            except HandError:
                continue
            if special and BMJA.specials_by_id[special].name == name:
                return True
    return False


def test_a_claim_in_a_goulash_counts_nothing() -> None:
    """Wild tiles make what is missing an estimate."""
    claims = advice_on(DealSetup(0, goulash=True), "chow pung kong")
    assert {r.key for _, choice in claims for r in choice.reasons} == {"coach.claim-set"}


def let_next_fish(view: View) -> View:
    """Return the view as if the next player had announced fishing."""
    opponents = (replace(view.opponents[0], fishing=True), *view.opponents[1:])
    return replace(view, opponents=opponents)


def count_unseen_tiles(view: View) -> Counter[str]:
    """Return how many of each tile the player does not see."""
    suits = SMALL_GAME_SUITS.get(view.hand_size, "BCOWD")
    return Counter({c: 4 for c in PLAYING_CODES if c[0] in suits}) - Counter(view.visible)


def goes_out_on(view: View, opponent: OpenPlayer, tile: str) -> bool:
    """Return whether some unseen tiles with this one are a Mah-Jong, by the scorer."""
    counts = count_unseen_tiles(view)
    pungs = [(code,) * 3 for code in counts if counts[code] > 2 and code != tile]
    table_sets = (*(each.tiles for each in opponent.sets), *HONOUR_PUNGS[: 4 - view.hand_size // 3])
    hand = Hand(
        exposed=table_sets,
        concealed=(*chain(*pungs[: 4 - len(table_sets)]), tile, tile),
        winner=True,
        won_by=("discard",),
        winning_tile=tile,
    )
    return bool(counts[tile] and score_total(hand, BMJA))


def show_bamboo(view: View, count: int) -> View:
    """Return the view as if the next player showed this number of pungs of bamboo."""
    counts = count_unseen_tiles(view)
    pungs = [TableSet((code,) * 3) for code in counts if code[0] == "B" and counts[code] > 2]
    opponents = (replace(view.opponents[0], sets=tuple(pungs[:count])), *view.opponents[1:])
    return replace(view, opponents=opponents)


def test_danger_is_said_where_the_table_shows_it() -> None:
    """Each sentence is checked by the tiles on the table, and by a hand that goes out."""
    warnings = Counter[str]()
    views = [v for deal in some_deals(GAMES["four players"], 3) for v in sharp_views(deal)]
    views += sharp_views(GAMES["7 tiles"])
    bamboo_views = [show_bamboo(views[0], count) for count in (2, 3)]
    views += [*bamboo_views, *map(let_next_fish, bamboo_views)]
    for view, tile in ((v, t) for v in views if v.stage == "turn" for t in set(v.concealed)):
        sentence = judge_discards(view).get(tile)
        if sentence is None:
            continue
        warnings[sentence.key] += 1
        number = sentence.values.get("number")
        if sentence.key == "coach.discarded":
            assert [c for p in (view.me, *view.opponents) for c in p.discards].count(tile) == 2
            continue
        (opponent,) = (o for o in view.opponents if name_wind(o.seat) == sentence.values["wind"])
        assert goes_out_on(view, opponent, tile)
        assert opponent.fishing == (sentence.key != "coach.danger-suit")
        if sentence.key == "coach.danger-fresh":
            assert view.visible.count(tile) == view.concealed.count(tile)
        else:
            assert number == sum(s.tiles[0][0] == s.tiles[-1][0] == tile[0] for s in opponent.sets)
    keys = ("danger-suit", "danger-fishing-suit", "danger-fresh", "discarded")
    assert all(warnings[f"coach.{key}"] for key in keys), warnings
    for view in (views[0], bamboo_views[0]):
        assert not judge_discards(view), "nothing is known"


def test_of_discards_that_leave_as_much_a_safe_one_is_named_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    changes = 0
    for view in sharp_views(GAMES["four players"]):
        is_calm = not any(opponent.fishing for opponent in view.opponents)
        choices = advise(view) if view.stage == "turn" and is_calm else ()
        if [each.move.kind for each in choices] != ["discard", "discard"]:
            continue
        first = choices[0]
        warning = {first.move.tiles[0]: message("coach.danger-fresh")}
        monkeypatch.setattr(box_players, "judge_discards", lambda _, warning=warning: warning)
        best = advise(view)[0]
        assert outlook_of(view, best) == outlook_of(view, first), "nearer is better"
        changes += best.move != first.move
        monkeypatch.undo()
    assert changes


def outlook_of(view: View, choice: CoachChoice) -> tuple[int, float]:
    """Return what a hand lacks after a discard, and how likely the tiles that help come."""
    outlook = find_outlook(view, remove_tiles(view.concealed, choice.move.tiles))
    return outlook.missing, outlook.speed


def test_far_from_a_hand_what_is_safest_is_named_first_and_said_to_be() -> None:
    """Where an opponent fishes: no discard without danger after one with it, and the words say why.

    The same hand with nobody fishing, or near a hand, is not played so.
    """
    counts = Counter[str]()
    views = [v for deal in some_deals(GAMES["four players"], 3) for v in sharp_views(deal)]
    for view in (
        v for v in views[::2] if v.stage == "turn" and not any(o.fishing for o in v.opponents)
    ):
        fishing_view = let_next_fish(view)
        ranking = rank_discards(fishing_view, "sharp")
        risky = {each.move: is_warning(each.danger) for each in ranking}
        for choice in advise(fishing_view):
            move = choice.move.base_move
            words = [r for r in choice.reasons if r.key == "coach.play-safe"]
            is_safe_play = bool(ranking[0].threat) and not risky.get(move, True)
            assert [r.values["wind"] for r in words] == [
                name_wind(view.opponents[0].seat)
            ] * is_safe_play
        calm_ranking = rank_discards(view, "sharp")
        assert not calm_ranking[0].threat
        nearest_discard = min(ranking, key=lambda candidate: candidate.outlook.missing)
        rest = remove_tiles(view.concealed, nearest_discard.move.tiles)
        missing = min_tiles_needed(as_whole_hand(view, rest), BMJA) or 0
        special = find_special(view, missing)
        is_far = min(missing, len(special.needed) if special else missing) >= SAFE_PLAY_MISSING
        assert is_far == bool(ranking[0].threat)
        if is_far:
            assert list(risky.values()) == sorted(risky.values())
            counts["changed"] += ranking[0].move != calm_ranking[0].move
            counts["danger"] += any(risky.values())
        counts["far" if is_far else "near"] += 1
    assert min(counts[key] for key in ("near", "far", "changed", "danger")) > 0, counts


@pytest.mark.parametrize("setup", [DealSetup(0, goulash=True), DealSetup(3, ruleset="safalra")])
def test_where_the_coach_counts_nothing_no_danger_is_said_and_none_orders(setup: DealSetup) -> None:
    """With wild tiles, or where a hand must be of one suit."""
    deal = PracticeDeal(setup, load_builtin(setup.ruleset))
    while deal.stage == "swap":
        deal.play(choose_move(make_view(deal, next(iter(deal.choices))), "sharp"))
    view = show_bamboo(let_next_fish(make_view(deal, "E")), 2)
    assert not any(each.danger for each in rank_discards(view, "sharp"))
    keys = [reason.key for choice in advise(view) for reason in choice.reasons]
    assert keys
    other_keys = {"coach.discarded", "coach.play-safe"}
    assert not any("danger" in key or key in other_keys for key in keys)


def test_what_gave_much_away_is_said_and_nothing_else() -> None:
    """The numbers in the sentence are the scorer's, for the move and for the better one.

    So they are where another fishes and the better move is the safest.
    """
    warnings = Counter[str]()
    views = [v for deal in some_deals(GAMES["four players"], 3) for v in sharp_views(deal)]
    for view in (*views, *map(let_next_fish, views[4:20:5])):
        if view.stage != "turn" or view.me.fishing:
            continue
        best = rank_discards(view, "sharp")[0].move
        assert warn_after(view, best) is None
        for move in view.moves[::3]:
            warning = warn_after(view, move) if move.kind == "discard" else None
            if not warning:
                continue
            hands = [
                as_whole_hand(view, remove_tiles(view.concealed, each.tiles))
                for each in (move, best)
            ]
            after, better = (min_tiles_needed(hand, BMJA) or 0 for hand in hands)
            if warning.key == "coach.gave-tile":
                assert after == better + 1
            elif warning.key == "coach.gave-help":
                visible = Counter(view.visible)
                counts = [sum(4 - visible[t] for t in useful_tiles(h, BMJA)) for h in hands]
                assert counts == [warning.values["count"], warning.values["more"]]
            assert to_english(warning)
            warnings[warning.key] += 1
    assert min(warnings["coach.gave-tile"], warnings["coach.gave-help"]) > 0


def test_what_a_discard_gives_up_is_there() -> None:
    """A pung stays when one of four goes; no way to a chow goes where the hand may have none."""
    for game in ("four players", "three players"):
        for view, choice in advice_on(GAMES[game], "discard"):
            count = view.concealed.count(choice.move.tiles[0])
            keys = [reason.key for reason in choice.reasons]
            assert ("coach.loses-pung" in keys) == (count == 3)
            assert ("coach.loses-pair" in keys) == (count == 2)
            assert "coach.loses-chow" not in keys or view.chows < view.max_chows


@pytest.mark.parametrize(
    ("rack", "gives_up", "reason"),
    [
        ("B3 B4 B5 B9 C6 C8 O3 O6 O7 WE WS WN DG DW", False, "345 bamboo is the one that counts"),
        ("B3 B4 B6 B9 C6 C8 O3 O6 O7 WE WS WN DG DW", True, "there is none yet"),
    ],
)
def test_a_way_to_a_chow_is_given_up_only_where_one_may_still_come(
    rack: str, gives_up: bool, reason: str
) -> None:
    view = make_view(PracticeDeal(DealSetup(1, rack=tuple(rack.split())), BMJA), "E")
    (move,) = (m for m in rank_discards(view, "sharp") if m.move.tiles == ("C8",))
    keys = [each.key for each in coach._explain_discard(view, move)]
    assert ("coach.loses-chow" in keys) == gives_up, reason


def test_only_tiles_of_a_small_game_help_in_it() -> None:
    rack = ("B1", "B1", "B1", "B1", "B9")
    view = make_view(PracticeDeal(DealSetup(1, hand_size=4, rack=rack), BMJA), "E")
    helpful = find_outlook(view, rack[:4]).helpful
    assert set(helpful) == {f"B{rank}" for rank in range(2, 10)}


def test_a_missed_mah_jong_is_said() -> None:
    sets = ("B1", "B1", "B1", "B4", "B4", "B4", "B6", "B6", "B6", "C2", "C2", "C2", "DR", "DR")
    view = make_view(PracticeDeal(DealSetup(1, rack=sets), BMJA), "E")
    assert advise(view)[0].move == Move("E", "mah-jong")
    warning = warn_after(view, view.moves[-1])
    assert warning is not None
    assert warning.key == "coach.gave-mah-jong"
