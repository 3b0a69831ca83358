"""A database that answers, but does not let the box in: another fault than one that is away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.doctor import Machine
from device.store import StoreError
from device.store.store_url import open_store
from device.web.storage_outage import create_outage_app
from tests.postgresql import PostgresqlServer

LOCKED = "local all locked scram-sha-256\n"


@pytest.fixture(scope="module")
def door(postgresql: PostgresqlServer) -> Iterator[str]:
    """Return a database's URL for a user who has to say a password."""
    settings = postgresql.folder / "data/pg_hba.conf"
    before = settings.read_text("utf-8")
    settings.write_text(LOCKED + before, "utf-8")
    with postgresql.connect("postgres") as connection:
        connection.execute("CREATE ROLE locked LOGIN SUPERUSER PASSWORD 'right'")
        connection.execute("SELECT pg_reload_conf()")
    yield postgresql.database().replace("postgresql://tongbox@", "postgresql://locked@")
    settings.write_text(before, "utf-8")


@pytest.mark.parametrize(
    ("password", "its_words"),
    [("wrong", 'password authentication failed for user "locked"'), ("", "no password supplied")],
    ids=["a wrong one", "none"],
)
def test_a_password_that_is_not_right_is_said_to_be(
    password: str, its_words: str, door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", password)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    with pytest.raises(StoreError) as refused:
        open_store(tmp_path / "box", door)
    said = str(refused.value)
    assert said.startswith("The database does not let Tongbox in:")
    assert its_words in said
    assert "PGPASSWORD" in said
    assert "does not answer" not in said
    page = create_outage_app(lambda: refused.value, Machine(tmp_path)).test_client()
    text = page.get("/").get_data(as_text=True)
    assert "does not let the box in" in text
    assert "every 10 seconds" in text, "nothing changes there by itself, as where it is only away"
    assert page.get("/health").get_json()["troubles"] == ["no database"]


def test_the_right_one_opens(door: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "right")
    open_store(tmp_path / "box", door).close()
