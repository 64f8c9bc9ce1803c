"""Answers a scrape in Prometheus' text format: on the public port for holders of an access token, on an address of its own for everybody there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from triage.domain.errors import StoreDown
from triage.domain.operations.errors import TokenInvalid
from triage.domain.operations.figures import SECONDS, Durations
from triage.domain.operations.tokens import AccessScope
from triage.policy.operations.metrics import FAMILIES, Family, Measured, MetricKind, Values
from triage.services.telemetry.metrics import MetricsService
from web.api.guard import TokenGuard

PLAIN: Final = {MetricKind.COUNTER: CounterMetricFamily, MetricKind.GAUGE: GaugeMetricFamily}


class _Given(Collector):
    """A collector of values that were measured before."""

    def __init__(self, measured: Measured) -> None:
        self._measured = measured

    def collect(self) -> Iterable[Metric]:
        """Return a family for each name; one without a value has its help alone."""
        return [_metric(name, family, self._measured.get(name, {})) for name, family in FAMILIES.items()]


def exposition(measured: Measured, accept: str) -> tuple[bytes, str]:
    """Return the text and its content type: OpenMetrics if the header `accept` asks for it."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Given(measured))
    ProcessCollector(registry=registry)
    for collector in (GC_COLLECTOR, PLATFORM_COLLECTOR):
        registry.register(collector)
    encode: Callable[[CollectorRegistry], bytes]
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def _metric(name: str, family: Family, values: Values) -> Metric:
    if family.kind is MetricKind.HISTOGRAM:
        histogram = HistogramMetricFamily(name, family.help, labels=family.labels)
        for labels, value in values.items():
            if isinstance(value, Durations):
                histogram.add_metric(labels, _buckets(value), sum_value=value.total)
        return histogram
    plain: CounterMetricFamily | GaugeMetricFamily = PLAIN[family.kind](name, family.help, labels=family.labels)
    for labels, value in values.items():
        if not isinstance(value, Durations):
            plain.add_metric(labels, value)
    return plain


def _buckets(durations: Durations) -> list[tuple[str, float]]:
    bounds = [(str(bound), float(n)) for bound, n in zip(SECONDS, durations.within, strict=True)]
    return [*bounds, ("+Inf", float(durations.count))]


PATH: Final = "/metrics"
WHO: Final = {"www-authenticate": 'Bearer realm="triage"'}


@dataclass(frozen=True, slots=True)
class MetricsApp:
    """An ASGI application of one path."""

    metrics: MetricsService
    guard: TokenGuard | None
    """Checks tokens; None: whoever reaches the address may read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._answer(scope))(scope, receive, send)

    async def _answer(self, scope: Scope) -> Response:
        if scope["path"] != PATH:
            return _no(404, "not found")
        if scope["method"] not in {"GET", "HEAD"}:
            return _no(405, "method not allowed", {"allow": "GET, HEAD"})
        headers = Headers(scope=scope)
        try:
            await self._admit(headers.get("authorization", ""))
        except TokenInvalid:
            return _no(401, "an access token is needed: `triage token create prometheus`", WHO)
        except HTTPException as e:
            return _no(e.status_code, e.detail, dict(e.headers or {}))
        except StoreDown:
            return _no(503, "try again later", {"retry-after": "30"})
        text, content_type = exposition(await self.metrics.read(), headers.get("accept", ""))
        return Response(text, headers={"content-type": content_type, "cache-control": "no-store"})

    async def _admit(self, authorization: str) -> None:
        """Let the holder of a token in. Raises what `Guard.admit` raises."""
        if self.guard is not None:
            scheme, _, token = authorization.partition(" ")
            await self.guard.admit(token.strip() if scheme.lower() == "bearer" else "", AccessScope.VIEWER)


def _no(status: int, words: str, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{words}\n", status, headers)
