"""Every event of the catalogue is read as it was written, and what is none is told by name."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Literal, Union, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import NODEFAULT, UNSET, Struct, UnsetType, structs, to_builtins

from device.store import Event, Store, TornEventError
from device.store.events import (
    KINDS,
    STREAMS,
    EventError,
    ReadingFailed,
    TileCorrected,
    event_from_json,
    event_to_json,
)
from device.store.events.__main__ import page
from scorer.message import message, to_english
from tests.device.events import EVENT_TIME, write_raw
from vision.reading import (
    BlockReading,
    LeftOut,
    NamedSetTile,
    Problem,
    Reading,
    ReadingPart,
    SetReading,
    TileReading,
    Timings,
)

SHORT_TEXTS = st.text(max_size=6)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | SHORT_TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(SHORT_TEXTS, inner, max_size=2),
    max_leaves=4,
)

PLAIN: dict[object, st.SearchStrategy[Any]] = {
    str: SHORT_TEXTS,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
    UnsetType: st.just(UNSET),
    Any: JSON,
}


def values_of(kind: object) -> st.SearchStrategy[Any]:
    """Return the values of a field's type."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in PLAIN:
        return PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return record_of(kind)
    if origin in (Union, types.UnionType):
        return st.one_of(*map(values_of, inner))
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(values_of(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, inner))
    assert origin is Mapping, f"{kind} is a type that no event has had"
    return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=2)


def record_of(kind: type[Struct]) -> st.SearchStrategy[Any]:
    return st.builds(kind, **{each.name: values_of(each.type) for each in structs.fields(kind)})


EVENTS: st.SearchStrategy[Event] = st.sampled_from(list(KINDS.values())).flatmap(record_of)


STORED_NAMES = {
    Reading:
        "photo width height tiles sets hand_text problems ms left_out winning_tile blocks form",
    Problem: "code message",
    TileReading:
        "code confidence quad turn alternatives doubtful seen alike alone print_odds",
    SetReading: "tiles row kind",
    LeftOut: "tile why",
    BlockReading: "side sets instead included",
    Timings: "load locate classify arrange total",
    NamedSetTile: "code standing read",
}  # fmt: skip
"""What logs call the fields of a reading. A new field gets a default and its name here; a name that
goes needs an upgrade (`vision/stored_form.py`), or stays with `field(name=…)`."""


@pytest.mark.parametrize("part", STORED_NAMES)
def test_a_reading_is_stored_under_the_names_that_logs_have(part: type[Struct]) -> None:
    assert [each.encode_name for each in structs.fields(part)] == STORED_NAMES[part].split()


def test_all_parts_of_a_reading_are_listed() -> None:
    assert set(ReadingPart.__subclasses__()) == STORED_NAMES.keys()


@given(EVENTS)
def test_every_event_is_read_as_it_was_written(event: Event) -> None:
    assert event_from_json(event.kind, event_to_json(event)) == event


def minimal_event(kind: type[Struct]) -> dict[str, Any]:
    """Return an event, or a part of one, that says only what it must."""
    required_fields = (field for field in structs.fields(kind) if field.required)
    return {field.encode_name: _minimal_value(field.type) for field in required_fields}


def _minimal_value(kind: Any) -> object:  # noqa: ANN401 - any type
    if isinstance(kind, type) and issubclass(kind, Struct):
        return minimal_event(kind)
    inner = get_args(kind)
    if get_origin(kind) is tuple:
        return [] if inner[-1] is Ellipsis else [_minimal_value(each) for each in inner]
    if get_origin(kind) is Mapping:
        return {}
    first = inner[0] if inner else kind
    if get_origin(kind) is Literal:
        return first
    return {str: "x", int: 1, float: 1.0, bool: True}[first]


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_an_event_is_what_its_fields_say(kind: type[Event]) -> None:
    event = event_from_json(kind.kind, json.dumps(minimal_event(kind)))
    assert isinstance(event, kind)
    assert set(kind.streams) <= STREAMS.keys()
    assert_refused(kind.kind, {**minimal_event(kind), "surprise": 1}, "surprise")
    for field in structs.fields(kind):
        takes_object = "Mapping" in str(field.type)
        wrong = [["no", "such"]] if takes_object else {"no": "such"}
        assert_refused(
            kind.kind, {**minimal_event(kind), field.encode_name: wrong}, field.encode_name
        )
        if field.required:
            data = minimal_event(kind)
            del data[field.encode_name]
            assert_refused(kind.kind, data, f"`{field.encode_name}`")
        else:  # it was added later, and may be missing
            missing = field.default if field.default is not NODEFAULT else field.default_factory()
            assert getattr(event, field.name) == missing


def test_two_events_of_one_name_are_refused() -> None:
    with pytest.raises(TypeError, match="tiles-confirmed"):

        class _Duplicate(Event, frozen=True):
            kind: ClassVar = "tiles-confirmed"


def assert_refused(kind: str, data: object, reason: str) -> None:
    with pytest.raises(EventError, match=reason):
        event_from_json(kind, json.dumps(data))


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("hand-won", {}, "no such kind"),
        ("", {}, "no such kind"),
        ("tile-corrected", {"tile": True, "code": "B1"}, "`tile`|bool"),  # a yes is no number
        ("tile-corrected", {"tile": "3", "code": "B1"}, "tile"),  # nor is its word
        ("tile-corrected", {"tile": 3.5, "code": "B1"}, "tile"),
        ("reading-made", {"ms": {"load": 1}}, "ms|missing"),  # in a part of it
        ("tiles-confirmed", "[]", "array"),
        ("tiles-confirmed", '{"by": "An', "truncated"),
    ],
)
def test_what_is_no_event_is_told(store: Store, kind: str, data: object, reason: str) -> None:
    assert_reported(store, kind, data, reason)


def assert_reported(store: Store, kind: str, data: object, reason: str) -> None:
    """See that an event is refused where it stands, and left out where many are looked through."""
    store.append("a", TileCorrected(0, "B1"))
    seq = write_raw(store, "a", kind, data)
    with pytest.raises(
        TornEventError, match=f"Event {seq} .*makes no sense: .*({reason})"
    ) as error:
        store.events("a")
    error_value = error.value
    assert (error_value.seq, error_value.stream, error_value.kind) == (seq, "a", kind)
    assert [each.seq for each in store.find_torn()] == [seq]
    kinds: set[type[Event]] = {TileCorrected, KINDS.get(kind, TileCorrected)}
    valid_events = store.of_kinds(*kinds)
    assert [each.event for each in valid_events] == [TileCorrected(0, "B1")]
    assert store.latest_of_stream("a") == valid_events[0]


@given(EVENTS, st.data())
def test_what_could_not_be_read_again_is_not_written(event: Event, data: st.DataObject) -> None:
    names = event.__struct_fields__
    if not names:
        return
    invalid_event = structs.replace(event, **{data.draw(st.sampled_from(names)): object()})
    with pytest.raises(EventError):
        event_to_json(invalid_event)


def test_what_is_nested_without_end_is_no_event() -> None:
    with pytest.raises(EventError):
        event_from_json("camera-adjusted", '{"model": "x", "controls": {"a": ' + "[" * 200_000)


def test_a_player_s_name_is_kept_as_its_letters() -> None:
    assert event_to_json(TileCorrected(1, None, by="Zoë")) == ('{"tile":1,"code":null,"by":"Zoë"}')


def test_what_is_told_to_people_may_be_english_or_a_message() -> None:
    says = message("the-set.pung", tiles=message("tiles.DR"))
    for words in ("the pung of red dragons", says.to_json()):
        failure = ReadingFailed("fault", words)
        decoded = event_from_json(failure.kind, event_to_json(failure))
        assert isinstance(decoded, ReadingFailed)
        assert to_english(decoded.message) == "the pung of red dragons"


def test_the_page_of_the_catalogue_is_as_the_catalogue_is() -> None:
    page_text = (Path(__file__).parents[3] / "docs" / "events.md").read_text("utf-8")
    assert page_text == "\n".join(page()), "run `python -m device.store.events > docs/events.md`"


def test_an_event_comes_with_its_place_in_the_log(store: Store) -> None:
    write_raw(store, "a", "tile-corrected", to_builtins(TileCorrected(3, "B1", by="Ann")))
    (event,) = store.events("a")
    assert (event.seq, event.stream, event.kind) == (1, "a", "tile-corrected")
    assert (event.event, event.at) == (
        TileCorrected(3, "B1", by="Ann"),
        datetime.fromisoformat(EVENT_TIME),
    )
