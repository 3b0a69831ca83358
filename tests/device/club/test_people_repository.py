"""The register in the log: what was added is read alone, whichever process has written it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from device.club.people import PeopleRepository
from device.store.store_url import open_store
from tests.device.work import counted

PEOPLE = 40


def test_a_change_has_what_is_new_read_alone(where: str, tmp_path: Path) -> None:
    with (
        closing(open_store(tmp_path, where)) as one,
        closing(open_store(tmp_path, where)) as two,
    ):
        here, there = PeopleRepository(one), PeopleRepository(two)
        for number in range(PEOPLE):
            here.add(f"Ann {number}")
        there.register()
        with counted() as work:
            here.rename(here.register().find_person("Ann 3"), "Bob")
            here.merge(here.register().find_person("Ann 4"), here.register().find_person("Bob"))
            here.register()
        assert work["events read"] == 2
        with counted() as work:
            assert there.register() == here.register()
        assert work["events read"] == 2, "what another process wrote"
        known = here.register()
    with closing(open_store(tmp_path, where)) as again:
        assert PeopleRepository(again).register() == known, "all of it, from the beginning"
