"""Spans on the wire, read by the official protobuf definitions."""

from datetime import UTC, datetime

import pytest

from integrations.otlp import OtlpTraces
from tests.servers.web.otlp import otlp_receiver
from triage.domain.operations.errors import TraceLost
from triage.domain.operations.traces import Span, SpanKind

BEGIN = datetime(2026, 11, 20, 9, 0, 0, 250_000, tzinfo=UTC)
SPAN = Span(
    trace="0af7651916cd43dd8448eb211c80319c",
    id="b7ad6b7169203331",
    parent="00f067aa0ba902b7",
    name="step \u202eact",
    kind=SpanKind.CLIENT,
    begin=BEGIN,
    end=BEGIN.replace(microsecond=750_001),
    attributes={"text": "a", "whole": 2**40, "part": 0.5},
    error="Jira is down",
)


async def test_a_span() -> None:
    """Ids, times in nanoseconds, attributes of each type, status, resource and the headers of the settings arrive."""
    with otlp_receiver() as receiver:
        traces = OtlpTraces(f"{receiver.url}/", {"authorization": "Bearer x"}, {"service.name": "triage"})
        await traces.send([SPAN])
        await traces.close()

    (span,) = receiver.spans
    values = {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in span.attributes}
    (resource,) = receiver.requests[0].resource_spans[0].resource.attributes
    assert receiver.refused == []
    assert (span.name, span.kind, span.status.message) == ("step act", 3, "Jira is down")
    assert (span.end_time_unix_nano - span.start_time_unix_nano) == 500_001_000
    assert values == {"text": "a", "whole": 2**40, "part": 0.5}
    assert (resource.key, resource.value.string_value) == ("service.name", "triage")
    assert receiver.headers[0]["authorization"] == "Bearer x"


async def test_what_is_lost() -> None:
    """A refusal, and a receiver that is gone, are errors that name no words."""
    with otlp_receiver() as receiver:
        receiver.status = 503
        traces = OtlpTraces(receiver.url, {}, {})
        with pytest.raises(TraceLost, match="503"):
            await traces.send([SPAN])
    with pytest.raises(TraceLost):
        await traces.send([SPAN])
    await traces.close()
