"""Errors that come while another error is being answered."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from device.club.tables import ClubTables
from device.store import DiskFullError, StoreError, TornLogError
from device.store.errors import UnreachableError

FAILURES: list[tuple[StoreError, int, str]] = [
    (UnreachableError("nobody there"), 503, "The computer that keeps the scores does not answer"),
    (DiskFullError(), 507, "The box is full"),
    (TornLogError("torn"), 500, "scores is damaged"),
]


@pytest.mark.parametrize(("failure", "status", "says"), FAILURES)
def test_a_store_error_within_an_error_handler_is_answered_as_elsewhere(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    failure: StoreError,
    status: int,
    says: str,
) -> None:
    """Without a match, the handler looks for the club's tables, and so at the store."""
    assert client.get("/table/").status_code == 404, "no match is on"
    monkeypatch.setattr(ClubTables, "are_laid", Mock(side_effect=failure))
    answer = client.get("/table/")
    assert (answer.status_code, says in answer.text) == (status, True)


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/pin", "/"),
        ("/table/undo", "/table/"),
        ("/table/mend/", "/table/"),
        ("/hand/abc/tile/3/move", "/hand/abc/"),
        ("/hand/abc/right", "/hand/abc/"),
        ("/sets/choose", "/sets/"),
        ("/update/begin", "/update/"),
    ],
)
def test_back_and_reload_lead_from_the_address_of_a_form_to_its_page(
    client: FlaskClient, address: str, page: str
) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.location) == (302, page)
    assert client.put(address).status_code == 405
