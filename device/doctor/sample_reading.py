"""Read the test photograph with the worker of a running box."""

from __future__ import annotations

from dataclasses import replace

from device.doctor.finding import Finding, problem
from device.doctor.software_checks import check_reading
from device.hands.readings import PhotoReader
from device.host.machine import Machine
from device.jobs import PhotoQueue
from vision.preprocess import RGB
from vision.reading import Problem

JOB_ID = "test-photo"
"""Id of the job, among the ids of hands."""


class SampleReading:
    """The last reading of the test photograph since the box was started."""

    def __init__(self) -> None:
        self.found: Finding | None = None

    def begin(self, jobs: PhotoQueue, machine: Machine) -> None:
        """Queue the photograph for the worker."""

        def read(reader: PhotoReader) -> None:
            reader.know({}, _no_crop)  # the sample shows another tile set
            self.found = check_reading(replace(machine, reader=lambda: reader))

        def fail(fault: Problem) -> None:
            self.found = problem("reading", "failed", reason=fault.message)

        jobs.use_reader(JOB_ID, read, fail)

    def under_way(self, jobs: PhotoQueue) -> bool:
        """Whether the photograph is queued or being read."""
        return jobs.stage(JOB_ID) is not None


def _no_crop(name: str) -> RGB:
    raise KeyError(name)
