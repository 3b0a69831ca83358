"""Build what reads and keeps hands, once per program; begin reading here.

`tongbox serve` and `tongbox worker` build their parts with `open_services`, and so do tests. The
pages' own parts, such as cameras, stand beside them in `device.web.box.Box`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from device.decoding.decoder import Decoder
from device.hands.readings import PhotoReader
from device.hands.repository import HandRepository
from device.job_context import WorkerContext
from device.jobs import PhotoQueue
from device.matches.repository import open_hands
from device.shared_jobs import open_photo_queue
from device.store import Store
from device.tilesets.tile_sets import TileSets


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of a program that depend on the store and on each other, the later on the earlier.

    Matches, settings and the like are not here: they are made of the store wherever they are used.
    """

    store: Store
    decoder: Decoder
    """Decodes photographs from outside, in a process of its own."""
    hands: HandRepository
    """The hands, with what their matches know."""
    sets: TileSets
    """The tile sets, which learn from confirmed hands."""
    jobs: PhotoQueue
    """The photographs that wait to be read, and the worker that reads them."""

    def close(self) -> None:
        """Stop the worker after the current photograph. The store and the decoder stay open."""
        self.jobs.close()


def open_services(
    store: Store,
    reader: PhotoReader,
    decoder: Decoder,
    *,
    models: Mapping[str, str] = MappingProxyType({}),
    works: bool = True,
) -> Services:
    """Build the services of a store and start the worker.

    `models` names the reader's networks, stored with every hand. Without `works`, other processes
    read the photographs.
    """
    hands = open_hands(store)
    sets = TileSets(store, hands)
    context = WorkerContext(hands, sets, reader, decoder, models)
    jobs = open_photo_queue(context, works=works)
    return Services(store, decoder, hands, sets, jobs)
