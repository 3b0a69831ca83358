"""The events of the log: a typed record for every kind, defined in one module a subject.

To add an event, write its class in the module of its stream. A class that names its `kind` is then
in the catalogue and can be imported from here. `docs/events.md` lists all kinds, and is made from
these modules by `python -m device.store.events > docs/events.md`.
"""
# ruff: noqa: F403 - what the modules define is listed there alone

from device.store.events.box import *
from device.store.events.catalogue import *
from device.store.events.club import *
from device.store.events.hand import *
from device.store.events.match import *
from device.store.events.parts import *
from device.store.events.practice_deal import *
from device.store.events.ruleset import *
from device.store.events.tournament import *
