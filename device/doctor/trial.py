"""The test photograph, read by the box's one worker while the box runs."""

from __future__ import annotations

from dataclasses import replace

from device.doctor.finding import Finding, problem
from device.doctor.software import reading
from device.hands.readings import PhotoReader
from device.host.machine import Machine
from device.jobs import Jobs
from vision.preprocess import RGB
from vision.reading import Problem

NAME = "test-photo"
"""Of the job, among the hands' ids."""


class Trial:
    """The newest reading of the test photograph since the box was started."""

    def __init__(self) -> None:
        self.found: Finding | None = None

    def begin(self, jobs: Jobs, machine: Machine) -> None:
        """Let the worker read the photograph when its turn comes."""

        def read(reader: PhotoReader) -> None:
            reader.know({}, _no_crop)  # the sample's tiles are not those on the table
            self.found = reading(replace(machine, reader=lambda: reader))

        def fail(fault: Problem) -> None:
            self.found = problem("reading", "failed", reason=fault.message)

        jobs.use_reader(NAME, read, fail)

    def under_way(self, jobs: Jobs) -> bool:
        """Whether the photograph waits for the worker or is being read."""
        return jobs.stage(NAME) is not None


def _no_crop(name: str) -> RGB:
    raise KeyError(name)
