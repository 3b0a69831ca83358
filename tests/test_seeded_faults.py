"""The seeded faults fit the program as it is: each can be put in, and its tests are there."""

from __future__ import annotations

import pytest

from tests.prove.seeded_faults import ROOT, Fault, load_faults

FAULTS = load_faults()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_put_in_at_one_place(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text("utf-8").count(fault.old) == 1, "change the row with it"
    assert fault.new != fault.old
    assert fault.harm
    assert [path for path in fault.tests if not (ROOT / path).exists()] == []


def test_there_are_thirty_of_them_with_names_of_their_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 30
