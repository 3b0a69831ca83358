"""A match as a score sheet and as rows: what the page shows, for whatever prints or counts it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from device.matches.repository import MatchRepository
from device.matches.score_sheet import match_rows, match_sheet
from device.store import Store
from device.store.events import DealCorrected
from tests.device.command import output_of, refusal_of
from tests.device.match_play import AGREED_TERMS, FEE, PLAYERS, SCORES, played_match, settle


@given(winners=st.lists(st.sampled_from([None, *PLAYERS]), max_size=8))
def test_a_sheet_adds_up_line_by_line(winners: list[str | None]) -> None:
    match = played_match(winners)
    sheet = match_sheet(match)
    totals = dict.fromkeys(PLAYERS, match.game.first_tallies)
    for entry in sheet.entries:
        payments = dict.fromkeys(PLAYERS, 0)
        for payment in entry.payments:
            payments[payment.payer] -= payment.amount
            payments[payment.payee] += payment.amount
        for line in entry.lines:
            totals[line.player] += line.change
            assert (line.change, line.total) == (payments[line.player], totals[line.player])
    assert totals == sheet.totals
    assert [entry.winner or None for entry in sheet.entries] == winners


def test_every_kind_of_entry(matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy", tap_id="Ann")
    settle(matches, match, None)
    settle(matches, match, "Di")
    matches.change(match, replace(FEE, by="Bob"))
    matches.change(match, DealCorrected(number=3, struck=True, by="Cy"))
    won_entry, washed_out_entry, struck_entry, charge = match_sheet(matches.get(match)).entries
    assert (won_entry.kind, won_entry.winner, won_entry.won_by, won_entry.deal) == (
        "won",
        "Cy",
        "wall",
        1,
    )
    assert {line.player: line.score for line in won_entry.lines} == SCORES
    assert (washed_out_entry.kind, washed_out_entry.payments) == ("wash-out", ())
    assert (struck_entry.kind, struck_entry.is_struck, struck_entry.lines, struck_entry.winner) == (
        "won",
        True,
        (),
        "Di",
    )
    assert [(each.kind, each.by) for each in struck_entry.corrections] == [("deal-corrected", "Cy")]
    assert (charge.kind, charge.why, charge.deal) == ("charge", FEE.why, None)
    assert [(p.payer, p.payee, p.amount) for p in charge.payments] == [("Ann", "Bob", 50)]


def test_rows_name_the_winner_once_and_leave_out_what_was_struck(matches: MatchRepository) -> None:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    settle(matches, match, "Di")
    matches.change(match, DealCorrected(number=1, struck=True))
    rows = list(match_rows(match_sheet(matches.get(match))))
    assert [(row.entry, row.player, row.winner, row.won_by) for row in rows] == [
        (2, "Ann", False, ""), (2, "Bob", False, ""), (2, "Cy", False, ""), (2, "Di", True, "wall"),
    ]  # fmt: skip


def test_the_command(store: Store, matches: MatchRepository) -> None:
    first = matches.begin(AGREED_TERMS)
    settle(matches, first, "Cy")
    data = ["--data", str(store.folder)]
    rows = [
        json.loads(line) for line in output_of("export", "--json", "--match", *data).splitlines()
    ]
    assert [(row["match"], row["player"]) for row in rows] == [(first, p) for p in PLAYERS]
    matches.begin(AGREED_TERMS)
    assert len(output_of("export", "--csv", "--match", first, *data).splitlines()) == 5
    assert "There is no such match" in refusal_of("export", "--csv", "--match", "nowhere", *data)


def test_a_box_without_matches_has_none_to_export(store: Store) -> None:
    assert "There is no match yet" in refusal_of(
        "export", "--csv", "--match", "--data", str(store.folder)
    )
