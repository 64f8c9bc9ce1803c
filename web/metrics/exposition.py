"""Writes measured values in the formats of Prometheus, by its own client library."""

from collections.abc import Callable, Iterable
from typing import Final

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from triage.domain.operations.figures import SECONDS, Durations
from triage.policy.operations.metrics import FAMILIES, Family, Measured, MetricKind, Values

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
