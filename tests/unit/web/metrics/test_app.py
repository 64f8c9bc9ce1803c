"""The text that Prometheus reads, read back by the parsers of its own client."""

from prometheus_client import parser
from prometheus_client.openmetrics import parser as open_parser

from triage.domain.operations.figures import Durations
from triage.policy.operations.metrics import FAMILIES, Measured
from web.metrics.app import exposition

OPEN = "application/openmetrics-text; version=1.0.0"


def measured() -> Measured:
    """A value of each kind, one of them with a label that has to be escaped."""
    durations = Durations()
    for seconds in (0.2, 0.2, 20.0):
        durations.add(seconds)
    return {
        "triage_mails_accepted": {("file",): 3.0},
        "triage_mailbox_lag_seconds": {('a "b"\n\\c',): 1.5},
        "triage_step_duration_seconds": {("read",): durations},
        "triage_paused": {(): 0.0},
    }


def test_the_plain_format() -> None:
    """The official parser reads the values back: counters with `_total`, buckets that add up, labels as they were."""
    text, content_type = exposition(measured(), "")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in parser.text_string_to_metric_families(text.decode())
        for sample in family.samples
    }

    assert content_type.startswith("text/plain; version=")
    assert found["triage_mails_accepted_total", "file"] == 3
    assert found["triage_mailbox_lag_seconds", 'a "b"\n\\c'] == 1.5
    assert found["triage_step_duration_seconds_bucket", "0.25", "read"] == 2
    assert found["triage_step_duration_seconds_bucket", "+Inf", "read"] == 3
    assert found["triage_step_duration_seconds_count", "read"] == 3
    assert found["triage_step_duration_seconds_sum", "read"] == 20.4
    assert found["process_resident_memory_bytes",] > 0


def test_openmetrics() -> None:
    """Who asks for OpenMetrics gets it, and each of our families is in it with its help."""
    text, content_type = exposition(measured(), OPEN)
    families = {one.name: one for one in open_parser.text_string_to_metric_families(text.decode())}  # type: ignore[no-untyped-call]

    assert content_type.startswith("application/openmetrics-text")
    assert {name: families[name].documentation for name in FAMILIES} == {
        name: family.help for name, family in FAMILIES.items()
    }
