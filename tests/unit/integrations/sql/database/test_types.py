"""How values lie in columns: JSON that comes back as it was, and text that fits."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from sqlalchemy.engine.default import DefaultDialect

from integrations.sql.database.types import LONGEST_NAME, UtcDateTime, dumped, indexable, loaded, storable
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import AgentResult, Messages, RunStatus, ToolCall, ToolRun, Turn, Usage
from triage.domain.support.conversations import Support, SupportEscalation

DIALECT = DefaultDialect()
TEXT = st.text(max_size=8)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=45)), timezone(-timedelta(hours=12))])
TIMES = st.datetimes(datetime(1970, 1, 2), datetime(9998, 1, 1), timezones=ZONES)  # noqa: DTZ001 - hypothesis adds it
for noun, values in {
    float: FLOATS,  # whatever JSON can hold
    ToolCall: st.builds(ToolCall, extra=JSON),
    ToolRun: st.builds(ToolRun, arguments=JSON, result=JSON),
    Usage: st.builds(Usage, input_tokens=st.integers(0)),
    Support: st.builds(Support, tool_results=st.none() | st.dictionaries(TEXT, JSON, max_size=3)),
    SupportEscalation: st.builds(SupportEscalation, context=st.dictionaries(TEXT, JSON, max_size=3)),
}.items():
    st.register_type_strategy(noun, values)

CASES = st.builds(replace, st.from_type(Case), received_at=TIMES)
NOUNS = {Case: CASES, Turn: st.from_type(Turn), Messages: st.from_type(Messages)}


@pytest.mark.parametrize("noun", NOUNS, ids=str)
def test_round_trip(noun: Any) -> None:
    """Whatever a noun holds comes back equal from its JSON."""
    adapter = TypeAdapter(noun)

    @given(NOUNS[noun])
    def comes_back(value: Any) -> None:
        assert value == loaded(adapter, dumped(adapter, value))

    comes_back()


def test_keys_of_other_versions() -> None:
    """Keys that we do not know are passed over, at any depth, and those that are missing take their default."""
    old = {
        "id": "case-1",
        "source": "file",
        "received_at": "2026-11-20T09:00:00Z",
        "outcome": "ticketed",
        "result": {"status": "completed", "of_a_newer_version": 1},
        "of_a_newer_version": {"a": [1]},
    }

    case = loaded(TypeAdapter(Case), json.dumps(old))

    assert case == Case(
        id="case-1",
        source="file",
        received_at=datetime(2026, 11, 20, 9, tzinfo=UTC),
        outcome=Outcome.TICKETED,
        result=AgentResult(status=RunStatus.COMPLETED),
    )


def nested(depth: int) -> Any:
    """Lists in lists."""
    return json.loads("[" * depth + "]" * depth)


@pytest.mark.parametrize("depth", [150, 220, 400, 700])
def test_deep_arguments(depth: int) -> None:
    """A model that nests its arguments without end makes no case that can be written but not read."""
    adapter = TypeAdapter(tuple[ToolRun, ...])
    runs = (ToolRun(tool="x", arguments=nested(depth), result=None, iteration=1),)

    assert runs == loaded(adapter, dumped(adapter, runs))


def test_half_a_surrogate_pair() -> None:
    """Text that no UTF-8 can spell is replaced where it is, also in keys, and the rest stays."""
    case = Case(id="case-1", source="a\ud800b", received_at=datetime(2026, 11, 20, 9, tzinfo=UTC))
    broken = AgentResult(
        status=RunStatus.ERROR,
        tool_calls=(ToolRun(tool="x", arguments={"k\udfff": ["v\ud800"]}, result=None, iteration=1),),
    )
    adapter = TypeAdapter(Case)

    back = loaded(adapter, dumped(adapter, replace(case, result=broken)))

    assert (back.source, back.received_at) == ("a?b", case.received_at)
    assert back.result.tool_calls[0].arguments == {"k?": ["v?"]}


@given(st.text(st.characters()))
def test_storable(text: str) -> None:
    """What is stored has no NUL and can be encoded; what had neither trouble is left alone."""
    stored = storable(text)

    assert "\0" not in stored
    assert stored == stored.encode().decode()
    assert len(text) == len(stored)


def test_storable_leaves_the_rest() -> None:
    """What needs no mending is left alone."""
    assert storable("größer \N{PILE OF POO}\t\n") == "größer \N{PILE OF POO}\t\n"


@pytest.mark.parametrize("name", ["", "a", "é" * LONGEST_NAME, "x" * (LONGEST_NAME + 1), "\0" * 400, "\ud800"])
def test_indexable(name: str) -> None:
    """A name fits into an index of PostgreSQL, two of them at once, and is the same when it is made twice."""
    short = indexable(name)

    assert len(short.encode()) * 2 < 2704 or len(name) <= LONGEST_NAME
    assert short == indexable(short)


def test_indexable_tells_long_names_apart() -> None:
    """Two long names that begin alike stay two."""
    assert indexable("x" * 400 + "a") != indexable("x" * 400 + "b")


def test_instant() -> None:
    """A time of any zone is stored in UTC, and one that SQLite gives back without a zone has its own again."""
    column, there = UtcDateTime(), datetime(2026, 11, 20, 10, tzinfo=timezone(timedelta(hours=1)))
    naive = datetime(2026, 11, 20, 9)  # noqa: DTZ001 - as SQLite gives it back

    stored = column.process_bind_param(there, DIALECT)

    assert str(stored) == "2026-11-20 09:00:00+00:00"
    assert there == column.process_result_value(naive, DIALECT)
    assert there == column.process_result_value(there, DIALECT)
    assert column.process_bind_param(None, DIALECT) is None
