"""Who serves a data folder: of several that begin at the same moment, one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from device.store.data_folder import ServingLock
from device.store.errors import FolderServedError


def test_of_many_that_begin_at_once_one_serves_and_the_others_are_told_where(
    tmp_path: Path,
) -> None:
    def begun(number: int) -> ServingLock | str:
        try:
            return ServingLock(tmp_path)
        except FolderServedError as error:
            return str(error)

    with ThreadPoolExecutor(8) as starting:
        found = list(starting.map(begun, range(8)))
    (one,) = (each for each in found if isinstance(each, ServingLock))
    refused = [each for each in found if isinstance(each, str)]
    assert all(f"is open already with the hands in {tmp_path}" in each for each in refused)
    one.tell("http://192.0.2.7:8080/")
    with pytest.raises(FolderServedError, match=r"at http://192\.0\.2\.7:8080/"):
        ServingLock(tmp_path)
    one.close()
    ServingLock(tmp_path).close()
