"""The port `TraceExport`: OTLP over HTTP in its JSON form, as every collector takes it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import httpx2

from triage.domain.conversation import Json
from triage.domain.operations.errors import TraceLost
from triage.domain.operations.traces import Span
from triage.domain.text.visible import visible

PATIENCE: Final = 10.0
"""Seconds; the default of OpenTelemetry's own exporters."""
ERROR: Final = 2
"""Status of a span that failed."""


class OtlpTraces:
    """Sends each trace once. `endpoint` is the base address; spans go to `/v1/traces` below it."""

    def __init__(self, endpoint: str, headers: Mapping[str, str], resource: Mapping[str, str]) -> None:
        self._url = f"{endpoint.rstrip('/')}/v1/traces"
        self._resource = _attributes(resource)
        self._client = httpx2.AsyncClient(timeout=PATIENCE, headers=dict(headers))

    async def send(self, spans: Sequence[Span]) -> None:
        scope = {"scope": {"name": "triage"}, "spans": [_span(one) for one in spans]}
        body = {"resourceSpans": [{"resource": {"attributes": self._resource}, "scopeSpans": [scope]}]}
        try:
            answer = await self._client.post(self._url, json=body)
        except (OSError, httpx2.HTTPError, httpx2.InvalidURL) as e:
            raise TraceLost(str(e)[:200] or type(e).__name__) from None
        if not answer.is_success:
            raise TraceLost(f"status {answer.status_code}")

    async def close(self) -> None:
        await self._client.aclose()


def _span(one: Span) -> dict[str, Json]:
    return {
        "traceId": one.trace,
        "spanId": one.id,
        **({"parentSpanId": one.parent} if one.parent else {}),
        "name": visible(one.name),
        "kind": int(one.kind),
        "startTimeUnixNano": _nanos(one.begin),
        "endTimeUnixNano": _nanos(one.end),
        "attributes": _attributes(one.attributes),
        **({"status": {"code": ERROR, "message": visible(one.error)}} if one.error else {}),
    }


def _attributes(values: Mapping[str, Any]) -> list[Json]:
    return [{"key": name, "value": _value(value)} for name, value in values.items()]


def _value(value: str | float) -> dict[str, Json]:
    """By protobuf's JSON form, where 64-bit integers are texts."""
    if isinstance(value, str):
        return {"stringValue": visible(value)}
    return {"intValue": str(value)} if isinstance(value, int) else {"doubleValue": value}


def _nanos(at: datetime) -> str:
    return str(int(at.timestamp() * 1_000_000) * 1_000)
