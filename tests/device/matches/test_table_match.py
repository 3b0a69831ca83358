"""A match is what its events come to, whoever wrote them and in whatever order hands came in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.match import GivenHand
from device.matches.replay import MATCHES
from device.matches.repository import MatchRepository, OvertakenError
from device.store import Envelope, Store, StoreError
from device.store.events import (
    ChargeMade,
    DealCorrected,
    DealSettled,
    HandAgreed,
    HandGiven,
    MatchBegun,
    MatchEvent,
    PhotoTaken,
    ScoreTyped,
    TilesConfirmed,
    WinnerSaid,
)
from device.store.projection import replay_all
from scorer.errors import ScorerError
from scorer.match.game import GameError
from scorer.match.settlement import MAX_SCORE_POINTS
from tests.device.events import write_raw

PLAYERS = ["Ann", "Bob", "Cy", "Di"]
AGREED = MatchBegun(players=tuple(PLAYERS), ruleset="bmja", limit=1000, house=())
SCORES = {"Ann": 80, "Bob": 84, "Cy": 208, "Di": 416}


@pytest.fixture
def tables(hands: HandRepository) -> MatchRepository:
    return MatchRepository(hands.store)


@pytest.fixture
def match(tables: MatchRepository) -> str:
    return tables.begin(AGREED)


def _settle(tables: MatchRepository, match: str, winner: str | None) -> None:
    tables.change(match, WinnerSaid(winner=winner))
    tables.change(match, DealSettled(winner=winner, scores=SCORES))


def test_a_new_match_waits_for_its_first_deal(tables: MatchRepository, match: str) -> None:
    begun = tables.get(match)
    assert (begun.stage, begun.awaited, begun.past) == ("play", None, ())
    assert begun.course.totals == dict.fromkeys(PLAYERS, 2000)
    assert tables.current() == begun


def test_a_deal_goes_from_winner_to_hands_to_settlement(
    tables: MatchRepository, match: str
) -> None:
    tables.change(match, WinnerSaid(winner="Cy", won_by="discard"))
    asked = []
    while (now := tables.get(match)).stage == "hands":
        asked.append(now.awaited)
        tables.change(match, ScoreTyped(player=now.awaited or "", score=64))
    assert asked == ["Cy", "Di", "Ann", "Bob"]  # the winner first, then in playing order
    assert now.stage == "settle"
    tables.change(match, DealSettled(winner="Cy", scores=SCORES))
    after = tables.get(match)
    assert (after.stage, after.deal.hands, len(after.past)) == ("play", {}, 1)
    assert sum(after.course.totals.values()) == 8000
    assert after.course.next_deal.seats["E"] == "Bob"


def test_a_wash_out_asks_for_no_hand_and_brings_a_goulash(
    tables: MatchRepository, match: str
) -> None:
    tables.change(match, WinnerSaid(winner=None))
    assert tables.get(match).stage == "settle"
    tables.change(match, DealSettled(winner=None))
    assert tables.get(match).course.next_deal.goulash


def test_another_winner_has_every_hand_looked_at_again(tables: MatchRepository, match: str) -> None:
    tables.change(match, WinnerSaid(winner="Cy"))
    tables.change(match, ScoreTyped(player="Cy", score=64))
    tables.change(match, WinnerSaid(winner="Di"))
    assert tables.get(match).deal.given("Cy") == GivenHand(typed=64)


def test_what_is_taken_back_is_as_if_it_had_not_been(tables: MatchRepository, match: str) -> None:
    tables.change(match, WinnerSaid(winner="Cy"))
    before = tables.get(match)
    tables.change(match, DealSettled(winner="Cy", scores=SCORES, by="Ann"))
    done = tables.get(match).doings[-1]
    assert (done.kind, done.by) == ("deal-settled", "Ann")
    tables.undo(match, done.seq)
    after = tables.get(match)
    assert (after.game, after.deal, after.past) == (before.game, before.deal, before.past)


def test_only_the_last_thing_can_be_taken_back(tables: MatchRepository, match: str) -> None:
    tables.change(match, WinnerSaid(winner="Cy"))
    first = tables.get(match).doings[-1].seq
    tables.change(match, ScoreTyped(player="Cy", score=64))
    with pytest.raises(OvertakenError):
        tables.undo(match, first)


def test_a_correction_of_an_early_deal_moves_the_later_ones(
    tables: MatchRepository, match: str
) -> None:
    _settle(tables, match, "Cy")
    _settle(tables, match, "Bob")
    was = tables.get(match).course
    tables.change(match, DealCorrected(number=1, winner="Ann", scores=SCORES))
    now = tables.get(match).course
    second = [course.rows[1].deal for course in (was, now)]
    assert [deal and deal.seats["E"] for deal in second] == ["Bob", "Ann"]  # East won, so stayed
    assert now.totals != was.totals
    assert sum(now.totals.values()) == 8000


def test_a_struck_deal_counts_no_more(tables: MatchRepository, match: str) -> None:
    _settle(tables, match, "Cy")
    tables.change(match, DealCorrected(number=1, struck=True))
    assert tables.get(match).course.totals == dict.fromkeys(PLAYERS, 2000)


def test_a_charge_is_paid(tables: MatchRepository, match: str) -> None:
    paid = ChargeMade(payer="Ann", amounts={"Bob": 50}, why="Looked at Bob's tiles.")
    tables.change(match, paid)
    assert tables.get(match).course.totals == {"Ann": 1950, "Bob": 2050, "Cy": 2000, "Di": 2000}


@pytest.mark.parametrize(
    "event",
    [
        WinnerSaid("Eve"),  # sits at another table
        WinnerSaid("Ann", "luck"),  # no way to win
        ScoreTyped("Ann", True),  # a yes is no number
        ScoreTyped("Eve", 8),  # sits at another table
        HandAgreed("Ann", "abc"),  # nobody gave that one in
        DealSettled("Ann", SCORES),  # nobody said who won
        AGREED,  # it has begun
        TilesConfirmed(),  # of a hand, not of a match
    ],
)
def test_what_does_not_fit_is_refused_and_not_kept(
    tables: MatchRepository, match: str, event: MatchEvent
) -> None:
    before = tables.get(match)
    with pytest.raises(ChangeRefusedError):
        tables.change(match, event)
    assert tables.get(match) == before


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (ScoreTyped("Ann", -2), "Ann's score is -2; no hand scores below 0"),
        (ScoreTyped("Ann", MAX_SCORE_POINTS + 1), "Ann's score is more than any hand can score"),
        (
            ChargeMade("Ann", {"Bob": MAX_SCORE_POINTS + 1}, "A slip"),
            "more than any payment can be",
        ),
        (ChargeMade("Ann", {"Bob": 10**30}, "A book on a key"), "more than any payment can be"),
    ],
)
def test_what_no_table_reaches_is_refused_in_words_and_not_kept(
    tables: MatchRepository, match: str, event: MatchEvent, says: str
) -> None:
    before = tables.get(match)
    with pytest.raises(GameError, match=says):
        tables.change(match, event)
    assert tables.get(match) == before


@pytest.mark.parametrize("digits", [10, 20, 4300])
def test_what_an_older_version_kept_beyond_that_is_read_as_the_most(
    tables: MatchRepository, match: str, store: Store, digits: int
) -> None:
    write_raw(store, match, "charge-made", CHARGE.replace("50", "9" * digits))
    write_raw(store, match, "winner-said", {"winner": "Ann"})
    typed = write_raw(store, match, "score-typed", TYPED.replace("50", "9" * digits))
    now = tables.get(match)
    assert now.course.totals["Bob"] == 2000 + MAX_SCORE_POINTS
    assert now.deal.given("Cy").typed == MAX_SCORE_POINTS
    tables.undo(match, typed)
    assert tables.get(match).deal.given("Cy").typed is None


CHARGE = '{"payer": "Ann", "amounts": {"Bob": 50}, "why": "A book on a key"}'
TYPED = '{"player": "Cy", "score": 50}'


@pytest.mark.parametrize(
    ("players", "why"),
    [
        (("Ann", "ann"), "in small letters"),
        (("Zo\u00eb", "Zoe\u0308"), "the accent apart"),
        (("Ann", "Ａｎｎ"), "in wide letters"),
        (("Ann", "Ann"), "the very same"),
    ],
)
def test_no_two_players_have_one_name(
    tables: MatchRepository, players: tuple[str, ...], why: str
) -> None:
    with pytest.raises(GameError, match="a name of their own"):
        tables.begin(structs.replace(AGREED, players=players))
    assert tables.find_newest() is None, why


def test_a_match_of_an_older_version_may_have_such_names(
    tables: MatchRepository, store: Store
) -> None:
    store.append("abc", structs.replace(AGREED, players=("Ann", "ann")))
    assert tables.get("abc").game.players == ("Ann", "ann")


@pytest.mark.parametrize("start", [-1, MAX_SCORE_POINTS + 1, 10**30])
def test_nobody_begins_with_what_no_table_has(tables: MatchRepository, start: int) -> None:
    with pytest.raises(GameError, match="Everybody begins with 0 to"):
        tables.begin(structs.replace(AGREED, start=start))


def test_scores_that_cannot_be_settled_say_why(tables: MatchRepository, match: str) -> None:
    tables.change(match, WinnerSaid(winner="Ann"))
    with pytest.raises(GameError, match="Bob's score is missing"):
        tables.change(match, DealSettled(winner="Ann", scores={"Ann": 20}))


def test_who_acts_on_an_old_page_is_told_so(tables: MatchRepository, match: str) -> None:
    seen = tables.get(match).version
    tables.change(match, WinnerSaid(winner="Cy", by="Bob"), seen=seen)
    with pytest.raises(OvertakenError) as told:
        tables.change(match, WinnerSaid(winner="Di", by="Ann"), seen=seen)
    assert told.value.match.doings[-1].by == "Bob"


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (("Ann",), "Two to five can play"),
        (("Ann", "Ann"), "a name of their own"),
        (("Ann", " "), "needs a name"),
    ],
)
def test_players_who_cannot_play_begin_nothing(
    tables: MatchRepository, players: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(ScorerError, match=reason):
        tables.begin(structs.replace(AGREED, players=players))
    assert tables.current() is None


def test_a_new_match_ends_the_one_before(tables: MatchRepository, match: str) -> None:
    new = tables.begin(structs.replace(AGREED, players=("Eve", "Fay")))
    assert tables.get(match).ended
    assert [each.id for each in tables.listed().matches] == [new, match]
    with pytest.raises(ChangeRefusedError):
        tables.change(match, WinnerSaid(winner="Ann"))


def test_events_that_make_no_match_are_told(store: Store) -> None:
    write_raw(store, "m", "match-begun", {"players": PLAYERS})
    with pytest.raises(StoreError, match="makes no sense"):
        replay_all(MATCHES, store.stream("m"))


def test_a_photographed_hand_knows_its_table(
    tables: MatchRepository, match: str, hands: HandRepository, read_hand: str, store: Store
) -> None:
    taken, reading = (each.event for each in store.events(read_hand)[:2])
    assert isinstance(taken, PhotoTaken)
    store.append("h", structs.replace(taken, match=match))
    store.append("h", reading)
    tables.change(match, HandGiven(player="Cy", hand="h"))
    told = hands.get("h").situation
    assert (told.seat_wind, told.prevailing_wind) == ("W", "E")
    tables.change(match, WinnerSaid(winner="Di", won_by="discard"))
    assert not hands.get("h").situation.winner
    tables.change(match, WinnerSaid(winner="Cy", won_by="discard"))
    told = hands.get("h").situation
    assert (told.winner, told.won_by) == (True, "discard")
    tables.change(match, DealSettled(winner="Cy", scores=SCORES))
    assert hands.get("h").situation == told  # a settled deal's hands stay what they were


@given(winners=st.lists(st.sampled_from([None, *PLAYERS]), max_size=12), data=st.data())
def test_totals_always_come_to_what_was_there(
    winners: list[str | None], data: st.DataObject
) -> None:
    said: list[MatchEvent] = [AGREED]
    for winner in winners:
        scores = {name: data.draw(st.integers(0, 1000)) for name in PLAYERS}
        said += WinnerSaid(winner), DealSettled(winner, scores)
    now = datetime.now(UTC)
    events = [Envelope(seq, "m", event, now) for seq, event in enumerate(said, 1)]
    assert sum(replay_all(MATCHES, events).course.totals.values()) == 8000
